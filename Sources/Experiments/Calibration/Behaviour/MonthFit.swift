internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// How repeat purchases follow the months of the year: those of each calendar month over what the fitted
/// model of buying and leaving expects of the members who were there.
///
/// Without the model a month would tell how the membership grows. Weights have the mean 1. A population
/// has no setting for months, so that these are for people.
package struct MonthFit: Sendable, Equatable {
  /// 12 weights from January to December with their 95 % intervals.
  package let weights: [EstimatedInterval]
  /// Repeat purchases by calendar month, years together.
  package let actual: [Int]
  /// The same as the model expects them, scaled to the same sum.
  package let expected: [Double]

  /// - Throws: `Untold` where the history is shorter than a year, or the model expects nothing in a month.
  /// - Complexity: O(rows · log rows + days²).
  package init(_ observed: ObservedHistory, _ report: CalibrationReport) throws(Untold) {
    let sample = report.sample
    let days = sample.births.count
    guard days >= 365 else {
      throw Untold("the history is shorter than a year: how demand follows months is not told")
    }
    let law = report.chosen.fit.law
    let means = law.means((0..<days).map { Double($0) / 7 + sample.partWeeks })
    var expected = [Double](repeating: 0, count: 12)
    var before = 0.0
    for day in 0..<days {
      let date = sample.first.adding(days: day)
      guard day == days - 1 || date.adding(days: 1).month != date.month else { continue }
      var sum = 0.0
      for (birth, customers) in sample.births[...day].enumerated() where customers > 0 {
        sum += Double(customers) * means[day - birth]
      }
      expected[date.month - 1] += sum - before
      before = sum
    }
    var buyer: UInt32?
    var marks: [(member: UInt32, bin: Int)] = []
    for visit in observed.purchases().map(\.visit) {
      if visit.member == buyer {
        marks.append((visit.member, observed.calendar.dates[visit.day].month - 1))
      }
      buyer = visit.member
    }
    let shares = ClusterRatio.shares(of: marks, bins: 12)
    let total = expected.reduce(0, +)
    guard total > 0, expected.allSatisfy({ $0 > 0.001 * total }), shares[0].members >= 2 else {
      throw Untold(
        "the model expects no purchases in some month: how demand follows months is not told")
    }
    weights = ClusterRatio.weights(shares, per: expected)
    actual = shares.map { Int($0.above) }
    self.expected = expected.map { $0 / total * shares[0].below }
  }
}
