/// What each member of a run bought and was given, and what the members of each sign-up month had
/// come to month by month.
///
/// Kept where `RunFrame.keepsMembers` asks for it: 16 bytes a member, and 2 for each grouping. Money is
/// in whole units of the program's currency.
package struct MemberValues: Sendable {
  /// One way to sort members into groups, such as by where they buy.
  package struct Grouping: Sendable {
    /// As people read it: a heading.
    package let title: String
    /// The groups as people read them, in order.
    package let groups: [String]
    /// Each member's group, by number in the order of sign-up.
    package internal(set) var places: [UInt16] = []

    /// A way to sort members; see the properties.
    package init(title: String, groups: [String]) {
      self.title = title
      self.groups = groups
    }
  }

  /// Members of one sign-up month at the end of one month, everything since their sign-up.
  package struct Cohort: Sendable, Equatable {
    /// Places of both months among the run's, from 0.
    package let signUpMonth: Int
    package let month: Int
    /// Who has signed up, who has not left, and who bought something in the month.
    package var members = 0
    package var living = 0
    package var active = 0
    /// Purchases, and what the program counts of members: its activity.
    package var purchases = 0
    package var actions = 0
    /// Gross profit of what was bought and kept, and what the program gave the members.
    package var profit = 0.0
    package var cost = 0.0

    /// Members of which nothing is known yet.
    package init(signUpMonth: Int, month: Int) {
      self.signUpMonth = signUpMonth
      self.month = month
    }
  }

  /// What the program counts of members, as people call it: a heading.
  package let action: String
  package internal(set) var groupings: [Grouping]
  /// Gross profit of what each member bought and kept, and what the program gave that member.
  package internal(set) var profit: [Double] = []
  package internal(set) var cost: [Double] = []
  /// By month, then by sign-up month.
  package internal(set) var cohorts: [Cohort] = []

  /// Values of nobody yet.
  ///
  /// - Parameters:
  ///   - action: What the program counts of members, as people call it.
  ///   - groupings: In what ways members are sorted, with no members in them.
  package init(action: String, groupings: [Grouping]) {
    self.action = action
    self.groupings = groupings
  }

  /// Members added.
  package var count: Int { profit.count }

  /// Adds the next member in the order of sign-up.
  ///
  /// - Parameter groups: The member's place in each grouping.
  package mutating func add(profit: Double, cost: Double, groups: [Int]) {
    precondition(groups.count == groupings.count, "one group a grouping")
    self.profit.append(profit)
    self.cost.append(cost)
    for (row, place) in groups.enumerated() { groupings[row].places.append(UInt16(place)) }
  }

  /// Adds the end of a month: one row a sign-up month so far.
  package mutating func add(_ cohorts: [Cohort]) { self.cohorts += cohorts }
}
