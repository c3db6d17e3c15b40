internal import Quantities

/// One member of a cell: 64 bytes, one cache line.
///
/// Behaviour and account lie side by side because every event touches both.
struct MemberRow: Sendable, BitwiseCopyable {
  /// The instant of sign-up.
  var signUp = Instant.distantFuture
  /// The next purchase; the first is the sign-up itself. Where `leavesNext`, the instant of leaving;
  /// `distantFuture` after it.
  var nextPurchase = Instant.distantFuture
  /// The next opening of a tin that will be scanned.
  var nextScan = Instant.distantFuture
  /// What the programme knows of the member.
  var account = MemberAccount()
  /// Mean weeks of operational time between purchases.
  var meanGapWeeks: Float = 0
  /// See `MemberTraits.dropout`.
  var dropout: Float = 0
  /// Purchases in the lower 30 bits; the highest says that the member has left, the one below it
  /// that the member leaves next.
  private var purchasesAndLeft: UInt32 = 0
  /// Tins at home that will be scanned.
  var tinsHeld: UInt16 = 0
  /// Tins held just after the last purchase, which set the spacing of openings.
  var pace: UInt16 = 0

  /// Purchases so far, the index of the next one's draws.
  var purchases: UInt32 { purchasesAndLeft & 0x3FFF_FFFF }

  /// Whether the member leaves at `nextPurchase` without buying.
  var leavesNext: Bool { purchasesAndLeft & 1 << 30 != 0 }

  /// Whether the member has left for good.
  var hasLeft: Bool { purchasesAndLeft >> 31 != 0 }

  /// Counts a purchase.
  mutating func countPurchase() { purchasesAndLeft += 1 }

  /// Makes `nextPurchase` the instant of leaving.
  mutating func leaveNext() { purchasesAndLeft |= 1 << 30 }

  /// Marks the member as gone.
  mutating func leave() {
    purchasesAndLeft = purchasesAndLeft & ~(1 << 30) | 1 << 31
    nextPurchase = .distantFuture
  }

  /// Takes tins home that will be scanned.
  ///
  /// - Returns: Whether there were none: the first of them is opened next.
  mutating func receive(_ tins: Int) -> Bool {
    defer { pace = tinsHeld }
    let isFirst = tinsHeld == 0
    tinsHeld = UInt16(clamping: Int(tinsHeld) + tins)
    return isFirst
  }

  /// The member's next event of any kind.
  func nextEvent(_ guarantee: GuaranteeRules) -> Instant {
    let next = min(nextPurchase, nextScan)
    return account.guaranteePending ? min(next, guarantee.due(signedUp: signUp)) : next
  }
}
