internal import EventKernel
internal import RewardModel

/// Whether a program pays: what a scenario earns and costs with its rewards, against the same
/// population without them, replication by replication with the same random numbers.
///
/// How much less members would buy without rewards is what the scenario assumes of their response;
/// without any, all that the program costs is lost.
package struct RewardWorth: Sendable {
  /// A month, or the whole run. The baseline is without rewards, the variant with them, so that
  /// differences are what the program adds.
  package struct Row: Sendable {
    /// `YYYY-MM`, or `whole run`.
    package let label: String
    /// Gross profit.
    package let profit: PairedComparison
    /// All that the program costs.
    package let cost: PairedComparison
    /// Gross profit less cost.
    package let net: PairedComparison

    init(
      _ label: String, _ without: [(profit: Double, cost: Double)],
      _ with: [(profit: Double, cost: Double)]
    ) throws(StatisticsError) {
      self.label = label
      profit = try PairedComparison(
        baseline: without.map(\.profit), variant: with.map(\.profit))
      cost = try PairedComparison(baseline: without.map(\.cost), variant: with.map(\.cost))
      net = try PairedComparison(
        baseline: without.map { $0.profit - $0.cost }, variant: with.map { $0.profit - $0.cost })
    }
  }

  /// Pairs of replications.
  package let pairs: Int
  package let months: [Row]
  package let whole: Row
  /// What takes the rewards away, where that changes the scenario.
  package let settings: [ScenarioComparison.Difference]

  /// - Parameters:
  ///   - with: Replications of the scenario.
  ///   - without: Replications without rewards, with the same seeds in the same order.
  ///   - settings: In which the two differ.
  /// - Throws: `StatisticsError` with fewer than two pairs.
  package init(
    with: [Replication], without: [Replication], settings: [ScenarioComparison.Difference]
  ) throws(StatisticsError) {
    pairs = with.count
    self.settings = settings
    let labels = with.first?.months.map(\.label) ?? []
    func amounts(_ runs: [Replication]) -> [[(profit: Double, cost: Double)]] {
      runs.map { run in run.months.map { ($0.profit ?? 0, $0.cost ?? 0) } }
    }
    let (rich, plain) = (amounts(with), amounts(without))
    var rows: [Row] = []
    for month in labels.indices {
      rows.append(try Row(labels[month], plain.map { $0[month] }, rich.map { $0[month] }))
    }
    months = rows
    func sum(_ run: [(profit: Double, cost: Double)]) -> (profit: Double, cost: Double) {
      run.reduce(into: (0, 0)) { sum, month in
        sum.0 += month.profit
        sum.1 += month.cost
      }
    }
    whole = try Row("whole run", plain.map(sum), rich.map(sum))
  }
}
