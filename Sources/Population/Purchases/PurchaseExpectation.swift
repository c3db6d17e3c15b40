/// Repeat purchases that a member is expected to have made some time after sign-up, as a table.
///
/// Where there is a season, time is operational time, in which purchases are alike at every
/// instant.
package struct PurchaseExpectation: Sendable {
  /// A value with its slope.
  package struct Node: Sendable {
    /// Expected repeat purchases.
    package var value: Double
    /// Expected repeat purchases a week.
    package var slope: Double
  }

  /// The time that the table covers, in weeks.
  package let weeks: Double
  private let alone: [Node]
  private let referred: [Node]

  /// - Parameters:
  ///   - weeks: Above 0.
  ///   - alone: Of members who came by themselves, at `PurchaseExpectation.time` of each place.
  ///   - referred: Of referred members; as many, at least two.
  package init(weeks: Double, alone: [Node], referred: [Node]) {
    self.weeks = weeks
    self.alone = alone
    self.referred = referred
  }

  /// The time of a node: they are close together where the table begins.
  ///
  /// - Parameters:
  ///   - place: From 0 to `count` − 1.
  ///   - count: At least 2.
  ///   - weeks: The time of the last node.
  package static func time(_ place: Int, of count: Int, weeks: Double) -> Double {
    let share = Double(place) / Double(count - 1)
    return weeks * share * share
  }

  /// Expected repeat purchases of a member, by cubic Hermite interpolation.
  ///
  /// - Parameters:
  ///   - weeks: Since sign-up; kept within the table.
  ///   - referred: Whether somebody referred the member.
  /// - Complexity: O(1).
  package func repeats(weeks: Double, referred: Bool) -> Double {
    let nodes = referred ? self.referred : alone
    let now = min(max(weeks, 0), self.weeks)
    let place = (now / self.weeks).squareRoot() * Double(nodes.count - 1)
    let row = min(Int(place), nodes.count - 2)
    let from = PurchaseExpectation.time(row, of: nodes.count, weeks: self.weeks)
    let span = PurchaseExpectation.time(row + 1, of: nodes.count, weeks: self.weeks) - from
    let x = (now - from) / span
    let (low, high) = (nodes[row], nodes[row + 1])
    let rise = high.value - low.value
    let first = span * low.slope
    let second = span * high.slope
    // The cubic through both values with both slopes.
    return low.value
      + x * (first + x * (3 * rise - 2 * first - second + x * (first + second - 2 * rise)))
  }
}
