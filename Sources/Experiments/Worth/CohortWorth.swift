internal import RewardModel

/// The members who signed up in one month, and what they had come to at the end of each month since:
/// means over pairs of replications.
package struct CohortWorth: Sendable {
  /// The end of a month; everything but who lives and who is active is since sign-up.
  package struct Point: Sendable {
    /// `YYYY-MM`.
    package let month: String
    /// Months since the sign-up month, from 0.
    package let age: Int
    package fileprivate(set) var members = 0.0
    /// Who has not left, and who bought something in the month.
    package fileprivate(set) var living = 0.0
    package fileprivate(set) var active = 0.0
    package fileprivate(set) var purchases = 0.0
    package fileprivate(set) var actions = 0.0
    /// Gross profit, what the members were given, and what of the gross profit there would not be
    /// without rewards.
    package fileprivate(set) var profit = 0.0
    package fileprivate(set) var cost = 0.0
    package fileprivate(set) var added = 0.0
    fileprivate var costWithout = 0.0

    /// Gross profit less what the members were given.
    package var value: Double { profit - cost }
    /// What rewards added less what the members were given for it.
    package var addedValue: Double { added - (cost - costWithout) }
    /// Share of members who have not left; nil where nobody signed up.
    package var retention: Double? { members > 0 ? living / members : nil }
  }

  /// The sign-up month, `YYYY-MM`.
  package let label: String
  /// By age.
  package private(set) var points: [Point]

  /// The age from which on a value is never negative again; nil where it is at the run's end, or where
  /// nobody signed up.
  package func payback(_ value: (Point) -> Double) -> Int? {
    guard let last = points.last, last.members > 0, value(last) >= 0 else { return nil }
    return points.last { value($0) < 0 }.map { $0.age + 1 } ?? 0
  }

  /// The sign-up months of pairs.
  static func all(_ pairs: [WorthPair], _ labels: [String]) -> [CohortWorth] {
    guard let first = pairs.first, !first.cohorts.isEmpty else { return [] }
    var cohorts = labels.indices.map { signUp in
      CohortWorth(
        label: labels[signUp],
        points: (signUp..<labels.count).map { Point(month: labels[$0], age: $0 - signUp) })
    }
    for pair in pairs {
      for (row, without) in pair.cohorts {
        let age = row.month - row.signUpMonth
        cohorts[row.signUpMonth].points[age].add(row, without)
      }
    }
    // Counts are whole until here, so that their means are rounded as those of other tables.
    for cohort in cohorts.indices {
      for age in cohorts[cohort].points.indices {
        cohorts[cohort].points[age].divide(by: Double(pairs.count))
      }
    }
    return cohorts
  }
}

extension CohortWorth.Point {
  /// Adds one replication.
  fileprivate mutating func add(_ row: MemberValues.Cohort, _ without: WorthPair.Amounts) {
    members += Double(row.members)
    living += Double(row.living)
    active += Double(row.active)
    purchases += Double(row.purchases)
    actions += Double(row.actions)
    profit += row.profit
    cost += row.cost
    added += row.profit - without.profit
    costWithout += without.cost
  }

  /// Makes sums over replications means.
  fileprivate mutating func divide(by count: Double) {
    members /= count
    living /= count
    active /= count
    purchases /= count
    actions /= count
    profit /= count
    cost /= count
    added /= count
    costWithout /= count
  }
}
