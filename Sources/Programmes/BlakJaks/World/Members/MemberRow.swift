internal import Quantities

/// One member of a cell: 64 bytes, one cache line.
///
/// Behavior and account lie side by side because every event touches both.
struct MemberRow: Sendable, BitwiseCopyable {
  /// The instant of sign-up.
  var signUp = Instant.distantFuture
  /// What the member intends.
  var course = MemberCourse()
  /// What the programme knows of the member.
  var account = MemberAccount()

  /// Whether the member has left for good.
  var hasLeft: Bool { course.hasLeft }

  /// The member's next event of any kind.
  func nextEvent(_ guarantee: GuaranteeRules) -> Instant {
    let next = course.next
    return account.guaranteePending ? min(next, guarantee.due(signedUp: signUp)) : next
  }
}
