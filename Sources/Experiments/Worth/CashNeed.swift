internal import EventKernel
package import RewardModel

/// What an account holds over a run, how low it gets, and what must be put into it so that nobody waits
/// for money: over replications.
///
/// What was put in stays: to have enough until a month's end with 95 %, the sum of what is put in until
/// then is the 95th percentile of the most that was lacking so far. Replications that are too few for
/// that percentile (`TailRisk.isObserved`) have the worst of them in its place.
package struct CashNeed: Sendable {
  /// Percentile of what must be put in, and the opposite one for the lowest holding.
  package static let sure = 0.95

  /// Whether so many replications tell that percentile.
  package static func isPercentile(of count: Int) -> Bool {
    TailRisk.isObserved(count, beyond: sure)
  }

  /// One month.
  package struct Month: Sendable {
    /// `YYYY-MM`.
    package let label: String
    /// Mean held at the month's end.
    package let end: Double
    /// 5th percentile of the least held at a day's end, or the least of all.
    package let lowest: Double
    /// What has to be put in at the month's beginning, besides what was put in before.
    package let putIn: Double
  }

  package let id: String
  package let title: String
  /// Held at the start.
  package let opening: Double
  package let months: [Month]
  /// 5th percentile of the least held at any day's end, or the least of all, and the median date
  /// of it.
  package let lowest: Double
  package let lowestDate: String
  /// 95th percentile of the most that was lacking, or the most of all: the sum of what must be put in.
  package let putIn: Double
  /// Share of replications in which something was lacking, with its exact 95 % interval.
  package let short: EstimatedInterval

  /// - Parameters:
  ///   - accounts: By replication.
  ///   - labels: The run's months.
  ///   - dates: The run's days.
  package static func all(
    _ accounts: [[CashAccount]], _ labels: [String], _ dates: [String]
  ) throws(StatisticsError) -> [CashNeed] {
    var needs: [CashNeed] = []
    for place in (accounts.first ?? []).indices {
      needs.append(try CashNeed(accounts.map { $0[place] }, labels, dates))
    }
    return needs
  }

  private init(
    _ runs: [CashAccount], _ labels: [String], _ dates: [String]
  ) throws(StatisticsError) {
    id = runs[0].id
    title = runs[0].title
    opening = runs[0].opening
    func percentile(_ values: [Double], _ share: Double) throws(StatisticsError) -> Double {
      let isPercentile = Self.isPercentile(of: values.count)
      return try StatisticsError.estimating { () throws(EstimatorError) in
        try SampleQuantiles(values).interpolated(isPercentile ? share : share.rounded())
      }
    }
    var months: [Month] = []
    var most = runs.map { _ in 0.0 }
    var before = 0.0
    for (place, label) in labels.enumerated() {
      let own = runs.map { $0.months[place] }
      most = zip(most, own).map { max($0, $1.short) }
      let sum = try percentile(most, Self.sure)
      months.append(
        Month(
          label: label, end: own.reduce(0) { $0 + $1.end } / Double(own.count),
          lowest: try percentile(own.map(\.lowest), 1 - Self.sure), putIn: sum - before))
      before = sum
    }
    self.months = months
    putIn = before
    short = try StatisticsError.estimating { () throws(EstimatorError) in
      try Proportion(most.map { $0 > 0 }).exact()
    }
    let lows = runs.compactMap { run in run.months.min { $0.lowest < $1.lowest } }
    lowest = try percentile(lows.map(\.lowest), 1 - Self.sure)
    let days = lows.map(\.lowestDay).sorted()
    lowestDate = days.isEmpty ? "" : dates[days[days.count / 2]]
  }
}
