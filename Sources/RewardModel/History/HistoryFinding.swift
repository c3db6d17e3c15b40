/// Rows of a history that contradict others, which a replay takes as they are, or that its
/// figures do not show.
package struct HistoryFinding: Sendable, Equatable {
  /// What is wrong with rows.
  package enum Fault: String, CaseIterable, Sendable {
    /// The same time, member, event, amount and other as an earlier row.
    case repeated = "repeated_row"
    /// Uses more than the member had bought by then.
    case unbought = "more_than_bought"
    /// Before the member's sign-up, in a history that has it.
    case beforeSignUp = "before_sign_up"
    /// Of a member without a sign-up, in a history that has others'.
    case neverSignedUp = "never_signed_up"
    /// A further sign-up of one member.
    case signedUpAgain = "signed_up_again"
    /// Names a member who has no row of their own.
    case unknownOther = "unknown_referrer"
    /// Names a second referrer for one member.
    case secondOther = "second_referrer"
    /// Closes a circle of members who refer each other.
    case cycle = "referral_cycle"
    /// Before the first day that is shown: replayed for the state in which members begin it.
    case earlier = "before_first_day"
  }

  package var fault: Fault
  /// The event of the rows, as the file spells it; empty where they are of several.
  package var event: String
  /// How many rows, 1 or more.
  package var count: Int64
  /// The line of the file on which the first of them begins, from 1.
  package var line: Int64

  /// A finding.
  package init(fault: Fault, event: String, count: Int64, line: Int64) {
    self.fault = fault
    self.event = event
    self.count = count
    self.line = line
  }

  /// Whether the rows are wrong, and not merely earlier.
  package var isContradiction: Bool { fault != .earlier }

  /// What is wrong, for people.
  package var title: String {
    switch fault {
    case .repeated: "Repeated rows"
    case .unbought: "More used than the member had bought"
    case .beforeSignUp: "Before the member's sign-up"
    case .neverSignedUp: "Members who never sign up"
    case .signedUpAgain: "Further sign-ups of a member"
    case .unknownOther: "Referrers without a row"
    case .secondOther: "Second referrers of a member"
    case .cycle: "Referrals that close a circle"
    case .earlier: "Before the first day, not in the figures"
    }
  }
}

extension HistoryFinding.Fault: FieldChoice {}
