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

/// When guarantees are looked at, for loops over many members: how long after sign-up, worked out once.
struct GuaranteeClock: BitwiseCopyable {
  /// Microseconds from sign-up on.
  let wait: Int64

  init(_ rules: GuaranteeRules) {
    wait = rules.due(signedUp: Instant(microseconds: 0)).microseconds
  }

  /// When a member's guarantee is looked at, if it is still to be.
  @inline(__always)
  func due(_ row: UnsafeMutablePointer<MemberRow>) -> Instant {
    Instant(microseconds: row.pointee.signUp.microseconds &+ wait)
  }

  /// The same as `MemberRow.nextEvent`.
  @inline(__always)
  func nextEvent(_ row: UnsafeMutablePointer<MemberRow>) -> Instant {
    let (look, next) = (due(row), row.pointee.course.next)
    return row.pointee.account.guaranteePending ? min(next, look) : next
  }
}
