internal import EventKernel
internal import RewardModel

/// Whether a program pays: what a scenario earns and costs with its rewards, against the same
/// population without them, replication by replication with the same random numbers.
///
/// How much less members would buy without rewards is what the scenario assumes of their response;
/// without any, all that the program costs is lost.
package struct RewardWorth: Sendable {
  /// A month, a group of members, or the whole run. The baseline is without rewards, the variant with
  /// them, so that differences are what the program adds.
  package struct Row: Sendable {
    /// `YYYY-MM`, the group's name, or `whole run`.
    package let label: String
    /// Mean number of members of a group; nil of a month.
    package let members: Double?
    /// Gross profit.
    package let profit: PairedComparison
    /// All that the program costs; of a group, what its members were given.
    package let cost: PairedComparison
    /// Gross profit less cost.
    package let net: PairedComparison

    init(
      _ label: String, members: Double? = nil, _ sides: [WorthPair.Sides]
    ) throws(StatisticsError) {
      self.label = label
      self.members = members
      profit = try PairedComparison(
        baseline: sides.map(\.without.profit), variant: sides.map(\.with.profit))
      cost = try PairedComparison(
        baseline: sides.map(\.without.cost), variant: sides.map(\.with.cost))
      net = try PairedComparison(
        baseline: sides.map(\.without.net), variant: sides.map(\.with.net))
    }
  }

  /// Members sorted in one way.
  package struct Grouping: Sendable {
    package let title: String
    /// Groups that have members.
    package let rows: [Row]
  }

  /// Pairs of replications.
  package let pairs: Int
  package let months: [Row]
  package let whole: Row
  /// Empty where the program does not tell what members were given.
  package let groupings: [Grouping]
  /// What the program counts of members, as people call it.
  package let action: String
  /// By sign-up month.
  package let cohorts: [CohortWorth]
  /// Whether a sign-up month has the same members on both sides: not where rewards move sign-ups.
  package let hasSameSignUps: Bool
  /// The accounts that hold the program's money.
  package let cash: [CashNeed]
  /// What takes the rewards away, where that changes the scenario.
  package let settings: [ScenarioComparison.Difference]

  /// - Parameters:
  ///   - pairs: In the order of their numbers.
  ///   - dates: The run's days.
  ///   - settings: In which the two sides differ.
  /// - Throws: `StatisticsError` with fewer than two pairs.
  package init(
    _ pairs: [WorthPair], dates: [String], settings: [ScenarioComparison.Difference]
  ) throws(StatisticsError) {
    self.pairs = pairs.count
    self.settings = settings
    let labels = pairs.first?.labels ?? []
    var rows: [Row] = []
    for month in labels.indices {
      rows.append(try Row(labels[month], pairs.map { $0.months[month] }))
    }
    months = rows
    whole = try Row("whole run", pairs.map(\.whole))
    var groupings: [Grouping] = []
    for (place, grouping) in (pairs.first?.groupings ?? []).enumerated() {
      var rows: [Row] = []
      for (group, label) in grouping.groups.enumerated() {
        let own = pairs.map { $0.groups[place][group] }
        let members = own.reduce(0) { $0 + $1.members }
        guard members > 0 else { continue }
        rows.append(
          try Row(label, members: Double(members) / Double(pairs.count), own.map(\.sides)))
      }
      groupings.append(Grouping(title: grouping.title, rows: rows))
    }
    self.groupings = groupings
    action = pairs.first?.action ?? ""
    cohorts = CohortWorth.all(pairs, labels)
    hasSameSignUps = pairs.allSatisfy(\.hasSameSignUps)
    cash = try CashNeed.all(pairs.map(\.cash), labels, dates)
  }
}
