internal import Population
internal import Quantities

/// What a member intends to do next, and when: buy, open a tin, leave. 32 bytes.
///
/// It knows the behavior alone, no cell, wallet or rule. Whoever runs it, a cell of the simulated
/// world or a generator of load, asks for what is due, does it, and tells what came of it.
struct MemberCourse: Sendable, BitwiseCopyable {
  /// The next purchase; the first is the sign-up itself. Where `leavesNext`, the instant of leaving;
  /// `distantFuture` after it.
  private(set) var nextPurchase = Instant.distantFuture
  /// The next opening of a tin that will be scanned.
  private(set) var nextScan = Instant.distantFuture
  /// Mean weeks of operational time between purchases.
  private(set) var meanGapWeeks: Float = 0
  /// See `MemberTraits.dropout`.
  private var dropout: Float = 0
  /// Purchases in the lower 30 bits; the highest says that the member has left, the one below it
  /// that the member leaves next.
  private var purchasesAndLeft: UInt32 = 0
  /// Tins at home that will be scanned.
  private(set) var tinsHeld: UInt16 = 0
  /// Tins held just after the last purchase, which set the spacing of openings.
  private var pace: UInt16 = 0

  /// Somebody who signs up, and so buys for the first time, at an instant.
  init(signUp: Instant = .distantFuture) { nextPurchase = signUp }

  /// Purchases so far, the index of the next one's draws.
  var purchases: UInt32 { purchasesAndLeft & 0x3FFF_FFFF }

  /// Whether the member leaves at `nextPurchase` without buying.
  var leavesNext: Bool { purchasesAndLeft & MemberCourse.leavesBit != 0 }

  /// What says so among the bits of the purchases.
  static var leavesBit: UInt32 { 1 << 30 }

  /// Whether the member has left for good.
  var hasLeft: Bool { purchasesAndLeft >> 31 != 0 }

  /// The earlier of purchase and opening.
  var next: Instant { min(nextPurchase, nextScan) }

  /// The member is like this from now on.
  mutating func begin(_ traits: MemberTraits) {
    meanGapWeeks = traits.meanGapWeeks
    dropout = traits.dropout
  }

  /// Leaves for good.
  mutating func leave() {
    purchasesAndLeft = purchasesAndLeft & ~MemberCourse.leavesBit | 1 << 31
    nextPurchase = .distantFuture
  }

  /// Plans the purchase after the one that was due.
  ///
  /// - Parameters:
  ///   - draw: Of the purchase that was due.
  ///   - hours: Operational hours at its instant, `now`.
  ///   - signUp: The member's.
  /// - Returns: Whether the member goes on; who does not leaves now.
  @inline(__always)
  mutating func goOn(
    after draw: PurchaseDraw, hours: Double, now: Instant, signUp: Instant,
    _ behaviour: BehaviourModel, _ season: SeasonTable
  ) -> Bool {
    guard let gap = gap(after: draw, behaviour) else { return false }
    plan(hours + gap, now: now, signUp: signUp, behaviour, season)
    return true
  }

  /// Counts the purchase that was due, and tells the operational hours to the one after it; nil
  /// where the member leaves now.
  @inline(__always)
  mutating func gap(after draw: PurchaseDraw, _ behaviour: BehaviourModel) -> Double? {
    let leaves = behaviour.leaves(after: draw, index: purchases, dropout: dropout)
    purchasesAndLeft += 1
    return leaves ? nil : draw.gap * (Double(meanGapWeeks) * 168)
  }

  /// Plans the next purchase, or leaving where the lifetime ends before it.
  ///
  /// - Parameters:
  ///   - hours: Operational hours at which it is due.
  ///   - now: It comes later than that.
  ///   - signUp: The member's.
  @inline(__always)
  mutating func plan(
    _ hours: Double, now: Instant, signUp: Instant, _ behaviour: BehaviourModel,
    _ season: SeasonTable
  ) {
    buy(at: season.later(purchaseHours(hours, signUp: signUp, behaviour, season), than: now))
  }

  /// The next purchase, or leaving, is at this instant.
  @inline(__always)
  mutating func buy(at instant: Instant) { nextPurchase = instant }

  /// The next tin is opened at this instant.
  @inline(__always)
  mutating func open(at instant: Instant) { nextScan = instant }

  /// Decides whether the lifetime ends before the next purchase.
  ///
  /// - Parameter hours: Operational hours at which it is due.
  /// - Returns: Operational hours of what comes first, which `buy(at:)` is to be told.
  @inline(__always)
  mutating func purchaseHours(
    _ hours: Double, signUp: Instant, _ behaviour: BehaviourModel, _ season: SeasonTable
  ) -> Double {
    var next = hours
    if behaviour.model == .paretoNbd {
      purchasesAndLeft &= ~MemberCourse.leavesBit
      // Who leaves by the clock is a member to the end of the lifetime.
      let lifeEnds = season.operationalHours(at: signUp) + Double(dropout) * 168
      if next > lifeEnds {
        next = lifeEnds
        purchasesAndLeft |= MemberCourse.leavesBit
      }
    }
    return next
  }

  /// Takes tins home that will be scanned. Where there were none, the first is opened after a while.
  ///
  /// - Parameters:
  ///   - tins: How many, 0 or more.
  ///   - firstOpening: See `PurchaseDraw.firstOpening`.
  @inline(__always)
  mutating func takeHome(
    _ tins: Int, firstOpening: Double, now: Instant, _ season: SeasonTable
  ) {
    let hours = openingHours(
      taking: tins, firstOpening: firstOpening, at: season.operationalHours(at: now))
    if let hours { open(at: season.later(hours, than: now)) }
  }

  /// Takes tins home that will be scanned.
  ///
  /// - Parameter hours: Operational hours now.
  /// - Returns: Where there were none, operational hours of the first opening, which `open(at:)` is
  ///   to be told.
  @inline(__always)
  mutating func openingHours(
    taking tins: Int, firstOpening: Double, at hours: Double
  ) -> Double? {
    let opening = firstOpeningHours(taking: tins, firstOpening: firstOpening, at: hours)
    return opening < .infinity ? opening : nil
  }

  /// The same, but infinite where nothing changes: chosen and not asked for, as a processor would often
  /// guess wrong whether a member has tins.
  @inline(__always)
  mutating func firstOpeningHours(
    taking tins: Int, firstOpening: Double, at hours: Double
  ) -> Double {
    let hadNone: UInt8 = tinsHeld == 0 ? 1 : 0
    tinsHeld = UInt16(truncatingIfNeeded: min(Int(tinsHeld) &+ tins, Int(UInt16.max)))
    pace = tins > 0 ? tinsHeld : pace
    let wait = firstOpening * Double(meanGapWeeks) * 168 / Double(pace)
    // Without tins at home, those held now are the ones taken.
    let isFirst = hadNone & (tinsHeld > 0 ? 1 : 0)
    return hours + wait * MemberCourse.never(unless: isFirst == 1)
  }

  /// A tin has been opened and scanned; plans the next opening, where there is another tin.
  @inline(__always)
  mutating func finishTin(_ draw: ScanDraw, now: Instant, _ season: SeasonTable) {
    let hours = openingHours(after: draw, at: season.operationalHours(at: now))
    open(at: season.later(hours, than: now))
  }

  /// A tin has been opened and scanned.
  ///
  /// - Parameter hours: Operational hours now.
  /// - Returns: Operational hours of the next opening, which `open(at:)` is to be told; infinite
  ///   where there is no other tin.
  @inline(__always)
  mutating func openingHours(after draw: ScanDraw, at hours: Double) -> Double {
    openingHours(afterGap: draw.gap, at: hours)
  }

  /// The same by `ScanDraw.gap` alone.
  @inline(__always)
  mutating func openingHours(afterGap gap: Double, at hours: Double) -> Double {
    tinsHeld -= 1
    let spacing = Double(meanGapWeeks) * 168 / Double(pace)
    // Chosen and not asked for, as above.
    return hours + gap * spacing * MemberCourse.never(unless: tinsHeld > 0)
  }

  /// One where there is an end to the wait, infinity where there is none; the wait is multiplied by it. Of a
  /// choice between two waits the compiler makes a branch, which a processor would often guess wrong.
  @inline(__always)
  private static func never(unless isSo: Bool) -> Double { isSo ? 1 : .infinity }
}

extension SeasonTable {
  /// The instant of an operational time, but at least a microsecond after `now`.
  @inline(__always)
  func later(_ hours: Double, than now: Instant) -> Instant {
    max(instant(atOperationalHours: hours), now + TimeSpan(microseconds: 1))
  }
}
