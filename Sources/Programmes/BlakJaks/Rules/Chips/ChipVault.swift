internal import Quantities

/// One member's gold chips, held and vaulted: 64 bytes, one cache line, no references.
///
/// Chips lie in lots by the month with which they expire, earned and bonus chips apart. The lots
/// that can be alive at once, the month that is ending and the thirteen after it, fill a ring.
///
/// Vaulting always takes all chips that are held, so those held are the youngest earned ones and
/// their number says which. Bonus chips are born in the vault.
package struct ChipVault: Sendable, BitwiseCopyable {
  /// Lots of each kind.
  package static var lots: Int { 14 }
  /// The most chips of one kind that a lot holds.
  package static var lotCapacity: UInt32 { UInt32(UInt16.max) }

  var heldCount: UInt32 = 0
  var quietEarned: UInt32 = 0
  var earnedLots = InlineArray<14, UInt16>(repeating: 0)
  var bonusLots = InlineArray<14, UInt16>(repeating: 0)

  /// An empty vault.
  package init() {}

  /// Chips that were earned and not vaulted.
  package var held: UInt32 { heldCount }

  /// Chips in the vault, of both kinds. O(lots).
  package var vaulted: UInt32 { earned &- heldCount &+ bonus }

  /// Held and vaulted. O(lots).
  package var count: UInt32 { earned &+ bonus }

  /// Earned chips that have been in the vault since the month began.
  package var quiet: UInt32 { quietEarned }

  /// Earned chips, held or vaulted. O(lots).
  package var earned: UInt32 {
    var sum: UInt32 = 0
    for place in 0..<ChipVault.lots { sum &+= UInt32(earnedLots[place]) }
    return sum
  }

  /// Bonus chips. O(lots).
  package var bonus: UInt32 {
    var sum: UInt32 = 0
    for place in 0..<ChipVault.lots { sum &+= UInt32(bonusLots[place]) }
    return sum
  }

  /// Adds chips of one accepted scan to those held.
  ///
  /// - Parameters:
  ///   - count: 0 or more.
  ///   - lot: Of today's chips, see `ChipRules.lot(ofChipFrom:)`.
  /// - Returns: False when the lot would hold more than `lotCapacity`; the vault is then
  ///   unchanged and no chip was issued.
  /// - Complexity: O(1).
  @inline(__always)
  package mutating func earn(_ count: UInt32, lot: ChipLot) -> Bool {
    let place = Int(lot.place)
    // Clamped, so that no count can wrap the sum.
    let sum = UInt32(earnedLots[place]) &+ min(count, ChipVault.lotCapacity &+ 1)
    guard sum <= ChipVault.lotCapacity else { return false }
    earnedLots[place] = UInt16(truncatingIfNeeded: sum)
    heldCount &+= count
    return true
  }

  /// Whether as many chips of a lot would fit.
  package func hasRoom(for count: UInt32, lot: ChipLot) -> Bool {
    count <= ChipVault.lotCapacity &- UInt32(earnedLots[Int(lot.place)])
  }

  /// Moves all chips that are held into the vault and returns how many they were. O(1).
  package mutating func vaultHeld() -> UInt32 {
    let moved = heldCount
    heldCount = 0
    return moved
  }

  /// Redeems chips, those that expire first before others; of one lot earned before bonus chips,
  /// and vaulted before held ones.
  ///
  /// - Parameters:
  ///   - wanted: How many; fewer are redeemed when there are fewer.
  ///   - oldest: The lot of the current month, the oldest that can be alive.
  /// - Returns: What was redeemed.
  /// - Complexity: O(lots).
  package mutating func redeem(_ wanted: UInt32, oldest: ChipLot) -> ChipMove {
    var left = wanted
    var earnedTaken: UInt32 = 0
    var place = Int(oldest.place)
    for _ in 0..<ChipVault.lots {
      let earnedHere = min(left, UInt32(earnedLots[place]))
      earnedLots[place] &-= UInt16(truncatingIfNeeded: earnedHere)
      earnedTaken &+= earnedHere
      left &-= earnedHere
      let bonusHere = min(left, UInt32(bonusLots[place]))
      bonusLots[place] &-= UInt16(truncatingIfNeeded: bonusHere)
      left &-= bonusHere
      if left == 0 { break }
      place = place &+ 1 == ChipVault.lots ? 0 : place &+ 1
    }
    quietEarned &-= min(quietEarned, earnedTaken)
    return moved(wanted &- left)
  }

  /// Ends a calendar month: issues the bonus, lets the month's lot expire, and starts to watch
  /// what stays in the vault through the next month.
  ///
  /// Each full `bonusEvery` earned chips (of both kinds with `compounding`) that have been in the
  /// vault since the month began issue one bonus chip; chips that expire with the month count. It
  /// has to run before any chip of the next month is earned, as that may take the expired lot.
  ///
  /// - Parameters:
  ///   - ending: The month that ends, as a lot: its chips expire.
  ///   - bonusLot: The lot of the bonus chips, see `ChipRules.bonusLot(ending:)`.
  ///   - earnsBonus: False for whoever is suspended.
  /// - Returns: What was issued and what expired.
  /// - Complexity: O(lots).
  package mutating func turnMonth(
    _ rules: ChipRules, ending: ChipLot, bonusLot: ChipLot, earnsBonus: Bool = true
  ) -> ChipTurn {
    invariant(
      bonusLot > ending && bonusLot.month - ending.month < Int32(ChipVault.lots),
      "a bonus lot \(bonusLot.month) does not fit the ring from \(ending.month) on")
    let basis = quietEarned &+ (rules.compounding ? bonus : 0)
    let due = earnsBonus ? basis / rules.bonusEvery : 0
    let place = Int(bonusLot.place)
    let issued = min(due, ChipVault.lotCapacity &- UInt32(bonusLots[place]))
    bonusLots[place] &+= UInt16(truncatingIfNeeded: issued)
    let last = Int(ending.place)
    let expired = UInt32(earnedLots[last]) &+ UInt32(bonusLots[last])
    earnedLots[last] = 0
    bonusLots[last] = 0
    let gone = moved(expired)
    quietEarned = earned &- heldCount
    return ChipTurn(bonus: issued, withheld: due &- issued, expired: gone)
  }

  /// Splits chips that just left the lots: those held are the youngest earned ones, so they are
  /// touched only when too few earned chips are left to cover them.
  mutating func moved(_ count: UInt32) -> ChipMove {
    let heldBefore = heldCount
    heldCount = min(heldBefore, earned)
    let fromHeld = heldBefore &- heldCount
    return ChipMove(held: fromHeld, vaulted: count &- fromHeld)
  }
}

extension ChipVault: Equatable {
  /// Whether both hold the same chips in the same lots.
  package static func == (a: ChipVault, b: ChipVault) -> Bool {
    a.heldCount == b.heldCount && a.quietEarned == b.quietEarned
      && (0..<lots).allSatisfy {
        a.earnedLots[$0] == b.earnedLots[$0] && a.bonusLots[$0] == b.bonusLots[$0]
      }
  }
}

/// Chips that left, by where they were.
package struct ChipMove: Hashable, Sendable, BitwiseCopyable {
  /// That had not been vaulted.
  package var held: UInt32
  /// Out of the vault.
  package var vaulted: UInt32

  /// Chips that left from both places.
  package init(held: UInt32, vaulted: UInt32) {
    self.held = held
    self.vaulted = vaulted
  }

  /// All of them.
  package var count: UInt32 { held &+ vaulted }
}

/// What the end of a month did to one member's chips.
package struct ChipTurn: Hashable, Sendable, BitwiseCopyable {
  /// Bonus chips issued, into the vault.
  package var bonus: UInt32
  /// Bonus chips that were due and did not fit `ChipVault.lotCapacity`; they were not issued.
  package var withheld: UInt32
  /// Chips that expired.
  package var expired: ChipMove

  /// What one month's end did.
  package init(bonus: UInt32, withheld: UInt32, expired: ChipMove) {
    self.bonus = bonus
    self.withheld = withheld
    self.expired = expired
  }
}

extension ChipVault: Codable {
  private enum Key: String, CodingKey { case held, quiet, earned, bonus }

  /// Restores a vault that was saved.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    heldCount = try container.decode(UInt32.self, forKey: .held)
    quietEarned = try container.decode(UInt32.self, forKey: .quiet)
    let earned = try container.decode([UInt16].self, forKey: .earned)
    let bonus = try container.decode([UInt16].self, forKey: .bonus)
    guard earned.count == ChipVault.lots, bonus.count == ChipVault.lots else {
      throw DecodingError.dataCorruptedError(
        forKey: .earned, in: container, debugDescription: "a vault has \(ChipVault.lots) lots")
    }
    for place in 0..<ChipVault.lots {
      earnedLots[place] = earned[place]
      bonusLots[place] = bonus[place]
    }
  }

  /// Saves the lots and what of them is vaulted.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(heldCount, forKey: .held)
    try container.encode(quietEarned, forKey: .quiet)
    try container.encode((0..<ChipVault.lots).map { earnedLots[$0] }, forKey: .earned)
    try container.encode((0..<ChipVault.lots).map { bonusLots[$0] }, forKey: .bonus)
  }
}
