internal import RewardModel
internal import Scenario

/// In how many replications a threshold's figure is on the right side of a bound, one by one: what a
/// sketch of the figure gives back for a value may lie on the bound's other side.
struct ThresholdCount: Sendable {
  /// The figure's row in what is measured.
  let row: Int
  let sign: Expectation.Comparison
  let bound: Double
  /// Replications that have the figure and hold, spend without a budget as infinite among them.
  private(set) var count = 0

  /// What is to be counted for a threshold; nil for an event of a month's status, and where its figure
  /// is not measured.
  init?(_ expectation: Expectation, _ measured: MeasuredFigures) {
    guard let row = expectation.figure.flatMap(measured.row) else { return nil }
    self.row = row
    if case .probability(.figure(_, let sign, let bound)) = expectation.measure {
      (self.sign, self.bound) = (sign, bound)
    } else {
      (sign, bound) = (expectation.comparison, expectation.bound)
    }
  }

  /// Looks at the figure of one more replication, which is infinite for spend without a budget; nil
  /// where it does not have it.
  mutating func add(_ value: Double?) {
    if let value, sign.holds(value, bound) { count += 1 }
  }

  /// Whether a percentile of so many values holds, as far as that follows from how many of them do.
  ///
  /// The percentile lies between the values on both sides of its place: where both hold it holds, where
  /// neither does it does not.
  ///
  /// - Parameter share: From 0 to 1.
  /// - Returns: Nil where one of the two holds.
  func percentileHolds(_ share: Double, of values: Int) -> Bool? {
    let place = share * Double(values - 1)
    let (below, above) = (Int(place.rounded(.down)), Int(place.rounded(.up)))
    // Those that hold are the first ones, or the last ones.
    let (first, last) = sign.wantsLess ? (above, below) : (values - 1 - below, values - 1 - above)
    if first < count { return true }
    return last >= count ? false : nil
  }
}
