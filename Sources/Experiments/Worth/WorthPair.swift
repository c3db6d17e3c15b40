internal import RewardModel

/// What one replication earned and cost with rewards and without them.
package struct WorthPair: Sendable {
  /// Gross profit and cost of the same members in the same time.
  package struct Amounts: Sendable, Equatable {
    package var profit = 0.0
    package var cost = 0.0

    package var net: Double { profit - cost }

    static func += (sum: inout Amounts, next: Amounts) {
      sum.profit += next.profit
      sum.cost += next.cost
    }
  }

  /// Amounts on both sides.
  package struct Sides: Sendable, Equatable {
    package var with = Amounts()
    package var without = Amounts()

    /// What the rewards add to gross profit.
    var added: Double { with.profit - without.profit }
    /// What they add less what they cost.
    package var net: Double { with.net - without.net }

    static func += (sum: inout Sides, next: Sides) {
      sum.with += next.with
      sum.without += next.without
    }
  }

  /// The members of one group.
  package struct Group: Sendable {
    package var members = 0
    package var sides = Sides()
  }

  /// By month.
  let labels: [String]
  let months: [Sides]
  /// By grouping, then by group; empty where the program does not tell what members were given.
  let groupings: [(title: String, groups: [String])]
  let groups: [[Group]]
  /// What the program counts of members, as people call it.
  let action: String
  /// The sign-up months at each month's end, with rewards, and what those who sign up in the same month
  /// brought and were given without.
  let cohorts: [(with: MemberValues.Cohort, without: Amounts)]
  /// Whether as many sign up in each month without rewards, so that they are the same members.
  let hasSameSignUps: Bool
  /// With rewards.
  let cash: [CashAccount]

  /// All months.
  package var whole: Sides { months.reduce(into: Sides(), +=) }

  /// - Parameters:
  ///   - with: A replication with rewards.
  ///   - without: The one without them and with the same luck. Nobody signs up in it who does not in
  ///     the other one, and members have the same numbers.
  package init(with: Replication, without: Replication) {
    labels = with.months.map(\.label)
    months = zip(with.months, without.months).map {
      Sides(with: Self.amounts($0), without: Self.amounts($1))
    }
    cash = with.cash
    guard let rich = with.members, let plain = without.members else {
      (groupings, groups, action, cohorts, hasSameSignUps) = ([], [], "", [], true)
      return
    }
    groupings = rich.groupings.map { ($0.title, $0.groups) }
    groups = rich.groupings.map { Self.groups($0, rich, plain) }
    action = rich.action
    var others: [Int: [Int: Amounts]] = [:]
    for row in plain.cohorts {
      others[row.month, default: [:]][row.signUpMonth] = Amounts(profit: row.profit, cost: row.cost)
    }
    cohorts = rich.cohorts.map { ($0, others[$0.month]?[$0.signUpMonth] ?? Amounts()) }
    hasSameSignUps =
      rich.cohorts.map(\.members) == plain.cohorts.map(\.members)
  }

  private static func amounts(_ month: RunSample.Month) -> Amounts {
    Amounts(profit: month.profit ?? 0, cost: month.cost ?? 0)
  }

  /// Members by their group with rewards: without them they are the same members.
  private static func groups(
    _ grouping: MemberValues.Grouping, _ with: MemberValues, _ without: MemberValues
  ) -> [Group] {
    var groups = grouping.groups.map { _ in Group() }
    for member in 0..<with.count {
      let place = Int(grouping.places[member])
      groups[place].members += 1
      groups[place].sides.with += Amounts(profit: with.profit[member], cost: with.cost[member])
      guard member < without.count else { continue }
      groups[place].sides.without += Amounts(
        profit: without.profit[member], cost: without.cost[member])
    }
    return groups
  }
}
