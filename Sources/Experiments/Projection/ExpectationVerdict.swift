internal import EventKernel
package import RewardModel
package import Scenario

/// What became of a threshold of a scenario over replications.
package struct ExpectationVerdict: Sendable {
  package let expectation: Expectation
  /// What is compared; nil for an event of a month's status.
  package let figure: FigureDescription?
  /// The percentile or the mean of the figure, or the share of replications with the event; nil
  /// where not every replication has the figure, which misses the threshold, and where it is infinite.
  package var reached: Double? { compared.flatMap { $0.isFinite ? $0 : nil } }
  /// The same, infinite where spend without a budget makes it so.
  private let compared: Double?
  /// Whether the highest value of all is compared, or the lowest: of fewer replications than have one
  /// beyond a percentile, such as 20 for P95, the percentile says less than the worst of them.
  package var isWorst: Bool { Self.isWorst(expectation, of: count) }
  /// Replications that meet the threshold one by one, and how many there were.
  package let met: Int
  package let count: Int
  /// Replications without a number of the figure; nil where each has one, and for an event, which
  /// did not happen there.
  package let gaps: FigureGaps?

  /// What `reached` is measured in: a probability is a share.
  package var unit: MeasureUnit {
    if case .probability = expectation.measure { return .share }
    return figure?.unit ?? .share
  }

  /// Whether the threshold holds.
  package var holds: Bool {
    compared.map { expectation.comparison.holds($0, expectation.bound) } ?? false
  }

  /// Judges a threshold by the replications of a fold.
  ///
  /// - Returns: Nil where the fold does not measure the figure.
  /// - Complexity: O(n log n) for n different values.
  package init?(_ expectation: Expectation, _ fold: ProjectionFold) {
    self.expectation = expectation
    count = fold.count
    guard let name = expectation.figure else {
      guard case .probability(.status(let status, let month)) = expectation.measure,
        let happened = fold.happened(status, month: month)
      else { return nil }
      figure = nil
      gaps = nil
      compared = Double(happened) / Double(max(count, 1))
      met = Self.met(expectation, happened: happened, of: count)
      return
    }
    guard let row = fold.measured.row(of: name) else { return nil }
    let sample = fold.figures[row]
    let values = sample.ordered
    figure = fold.measured.figures[row]
    let infinite = fold.infinite[row]
    let absent = count - sample.tally.count - infinite
    let lacking = FigureGaps(
      fold.measured.figures[row], infinite: infinite, absent: absent, of: count)
    let counted = fold.counted(expectation)
    func replications(_ sign: Expectation.Comparison, _ bound: Double) -> Int {
      counted?.count
        ?? (values?.sorted.count { sign.holds($0, bound) } ?? 0)
        + (sign.holds(.infinity, bound) ? infinite : 0)
    }
    switch expectation.measure {
    case .percentile(let percent, _):
      gaps = lacking
      if absent > 0 {
        compared = nil
      } else if Self.isWorst(expectation, of: count) {
        compared = Self.worst(percent, values, infinite)
      } else {
        let holds = counted?.percentileHolds(Double(percent) / 100, of: count)
        compared = Self.percentile(percent, values, infinite).map {
          Self.value($0, where: holds, expectation)
        }
      }
      met = replications(expectation.comparison, expectation.bound)
    case .mean:
      gaps = lacking
      compared = absent > 0 ? nil : infinite > 0 ? .infinity : sample.estimate?.mean
      met = replications(expectation.comparison, expectation.bound)
    case .probability(.figure(_, let sign, let bound)):
      let happened = replications(sign, bound)
      gaps = nil
      compared = Double(happened) / Double(max(count, 1))
      met = Self.met(expectation, happened: happened, of: count)
    case .probability(.status): return nil
    }
  }

  /// Whether a threshold bounds a figure at a percentile beyond which no replication is expected.
  private static func isWorst(_ expectation: Expectation, of count: Int) -> Bool {
    guard case .percentile(let percent, _) = expectation.measure else { return false }
    let share = Double(percent) / 100
    return switch expectation.comparison {
    case .less, .lessOrEqual: share > 0.5 && !TailRisk.isObserved(count, beyond: share)
    case .more, .moreOrEqual: share < 0.5 && !TailRisk.isObserved(count, beyond: 1 - share)
    }
  }

  /// The highest of values of which the last ones are infinite, or for a low percentile the lowest.
  private static func worst(
    _ percent: Int, _ values: SampleQuantiles?, _ infinite: Int
  ) -> Double? {
    guard let sorted = values?.sorted, let first = sorted.first, let last = sorted.last else {
      return infinite > 0 ? .infinity : nil
    }
    return percent < 50 ? first : infinite > 0 ? .infinity : last
  }

  /// A percentile of values of which the last ones are infinite.
  private static func percentile(
    _ percent: Int, _ values: SampleQuantiles?, _ infinite: Int
  ) -> Double? {
    let share = Double(percent) / 100
    guard infinite > 0 else { return values.flatMap { try? $0.interpolated(share) } }
    let last = Double((values?.sorted.count ?? 0) - 1)
    let position = share * (last + Double(infinite))
    guard position <= last else { return .infinity }
    return values.flatMap { try? $0.interpolated(last > 0 ? position / last : 0) }
  }

  /// A percentile from a sketch that says the other of what is known of it: it is then as near to the bound
  /// as can be.
  private static func value(
    _ percentile: Double, where holds: Bool?, _ expectation: Expectation
  ) -> Double {
    let (sign, bound) = (expectation.comparison, expectation.bound)
    guard let holds, sign.holds(percentile, bound) != holds else { return percentile }
    if sign.holds(bound, bound) == holds { return bound }
    return sign.wantsLess == holds ? bound.nextDown : bound.nextUp
  }

  /// Replications in which an event's being there, or not, meets the threshold.
  private static func met(_ expectation: Expectation, happened: Int, of count: Int) -> Int {
    (expectation.comparison.holds(1, expectation.bound) ? happened : 0)
      + (expectation.comparison.holds(0, expectation.bound) ? count - happened : 0)
  }
}

extension ProjectionFold {
  /// Replications in which a month closed with a status or worse: a given one, or any.
  ///
  /// - Returns: Nil for a month that the run does not have, and for Normal.
  fileprivate func happened(_ status: HealthStatus, month: String?) -> Int? {
    let sums = month == nil ? year : months.first { $0.label == month }
    return switch status {
    case .critical: sums?.critical.happened
    case .warning: sums?.warning.happened
    case .normal: nil
    }
  }
}
