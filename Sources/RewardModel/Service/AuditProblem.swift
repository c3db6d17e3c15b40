/// Something that an audit of a service's folder found.
package struct AuditProblem: Sendable, Equatable, CustomStringConvertible {
  /// What is audited.
  package enum Area: String, Sendable, CaseIterable {
    /// The files are whole: the database by SQLite's own check, kept states by their digests.
    case files
    /// What clients were told is done is in the journal, once, with the reply that they got.
    case acknowledged
    /// The journal has no gap and runs forward.
    case journal
    /// Replies are those that the rules give.
    case replies
    /// Claims of codes that were kept are those of the journal.
    case claims
    /// Rows of the tables are those that the journal gives.
    case rows
    /// Accounts are those of the members who joined, and hold what somebody can join with.
    case accounts
    /// The program's own laws hold.
    case laws
  }

  package let area: Area
  /// In words.
  package let description: String

  /// A problem.
  package init(_ area: Area, _ description: String) {
    self.area = area
    self.description = description
  }
}
