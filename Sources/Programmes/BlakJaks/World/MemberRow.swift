internal import Quantities

/// One member of a cell: 64 bytes, one cache line.
///
/// Behaviour and standing lie side by side because every event touches both.
struct MemberRow: Sendable, BitwiseCopyable {
  /// The instant of sign-up.
  var signUp = Instant.distantFuture
  /// The next purchase; the first is the sign-up itself. `distantFuture` after leaving.
  var nextPurchase = Instant.distantFuture
  /// The next opening of a tin that will be scanned.
  var nextScan = Instant.distantFuture
  /// Scan rewards, crypto and casino comps and guarantee so far.
  var comps = MicroUSDT.zero
  /// Mean weeks of operational time between purchases.
  var meanGapWeeks: Float = 0
  /// See `MemberTraits.dropout`.
  var dropout: Float = 0
  var standing = MemberStanding()
  /// Purchases so far, the index of the next one's draws.
  var purchases: UInt32 = 0
  /// Row of whoever referred the member in the affiliate table, or `noAffiliate`.
  var affiliate = MemberRow.noAffiliate
  /// Tins at home that will be scanned.
  var tinsHeld: UInt16 = 0
  /// Tins held just after the last purchase, which set the spacing of openings.
  var pace: UInt16 = 0

  static let noAffiliate: UInt32 = (1 << 30) - 1
  private static let signedUpFlag: UInt8 = 1
  private static let guaranteeFlag: UInt8 = 2

  private static let suspendedFlag: UInt8 = 4
  private static let leftFlag: UInt8 = 8

  /// Whether the member will never buy again.
  static func hasLeft(_ standing: MemberStanding) -> Bool {
    standing.flags & leftFlag != 0
  }

  /// Marks the member as gone.
  mutating func leave() { standing.flags |= MemberRow.leftFlag }

  /// Whether a standing is that of a member who may earn no rewards where they live.
  static func isSuspended(_ standing: MemberStanding) -> Bool {
    standing.flags & suspendedFlag != 0
  }

  /// Whether the member may earn no rewards where they live.
  var isSuspended: Bool {
    get { standing.flags & MemberRow.suspendedFlag != 0 }
    set {
      standing.flags =
        newValue
        ? standing.flags | MemberRow.suspendedFlag : standing.flags & ~MemberRow.suspendedFlag
    }
  }

  /// Takes tins home that will be scanned.
  mutating func receive(_ tins: Int) {
    tinsHeld = UInt16(clamping: Int(tinsHeld) + tins)
    pace = tinsHeld
  }

  /// Whether the member has signed up.
  var hasSignedUp: Bool { standing.flags & MemberRow.signedUpFlag != 0 }

  /// Whether the guarantee is still to be looked at.
  var guaranteePending: Bool { standing.flags & MemberRow.guaranteeFlag != 0 }

  /// Marks the member as signed up, with or without a guarantee to come.
  mutating func enrol(guarantee: Bool) {
    standing.flags |= MemberRow.signedUpFlag | (guarantee ? MemberRow.guaranteeFlag : 0)
  }

  /// Marks the guarantee as looked at.
  mutating func settleGuarantee() { standing.flags &= ~MemberRow.guaranteeFlag }

  /// The member's next event of any kind.
  func nextEvent(_ guarantee: GuaranteeRules) -> Instant {
    let next = min(nextPurchase, nextScan)
    return guaranteePending ? min(next, guarantee.due(signedUp: signUp)) : next
  }
}
