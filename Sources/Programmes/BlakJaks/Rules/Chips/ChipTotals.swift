package import Quantities

/// Gold chips of many members: where every chip ever issued is now.
///
/// Issued = held + vaulted + redeemed + expired, after every operation; held and vaulted equal the
/// sums over the members' vaults (`ChipStock`).
package struct ChipTotals: Hashable, Sendable, BitwiseCopyable, Codable {
  /// Issued by scans.
  package var issuedByScans: Int64 { scans }
  var scans: Int64 = 0
  /// Issued as bonus.
  package var issuedAsBonus: Int64 { bonus }
  var bonus: Int64 = 0
  /// Not vaulted.
  package var held: Int64 { heldCount }
  var heldCount: Int64 = 0
  /// In vaults.
  package var vaulted: Int64 { vaultedCount }
  var vaultedCount: Int64 = 0
  /// Redeemed so far.
  package var redeemed: Int64 { redeemedCount }
  var redeemedCount: Int64 = 0
  /// Expired so far: breakage.
  package var expired: Int64 { expiredCount }
  var expiredCount: Int64 = 0

  /// Nothing issued.
  package init() {}

  /// Issued, of both kinds.
  package var issued: Int64 { issuedByScans + issuedAsBonus }

  /// Whether every chip is accounted for.
  package var isConserved: Bool {
    issued == held + vaulted + redeemed + expired && held >= 0 && vaulted >= 0
  }

  /// What is held and vaulted.
  package var stock: ChipStock { ChipStock(held: held, vaulted: vaulted) }

  /// Chips of accepted scans.
  package mutating func earn(_ count: Int64) {
    scans += count
    heldCount += count
  }

  /// Chips that went into vaults.
  package mutating func vault(_ count: Int64) {
    heldCount -= count
    vaultedCount += count
  }

  /// Chips that were redeemed.
  package mutating func redeem(_ move: ChipMove) {
    heldCount -= Int64(move.held)
    vaultedCount -= Int64(move.vaulted)
    redeemedCount += Int64(move.count)
  }

  /// A member's end of month.
  package mutating func turn(_ turn: ChipTurn) {
    bonus += Int64(turn.bonus)
    vaultedCount += Int64(turn.bonus) - Int64(turn.expired.vaulted)
    heldCount -= Int64(turn.expired.held)
    expiredCount += Int64(turn.expired.count)
  }

  /// Other members' totals on top of these.
  package mutating func add(_ other: ChipTotals) {
    scans += other.scans
    bonus += other.bonus
    heldCount += other.heldCount
    vaultedCount += other.vaultedCount
    redeemedCount += other.redeemedCount
    expiredCount += other.expiredCount
  }

  /// What the programme owes for the chips that are held and vaulted, were all redeemed.
  ///
  /// - Throws: `MoneyError.overflow` when it leaves `Int64`.
  package func liability(_ rules: ChipRules) throws(MoneyError) -> MicroUSDT {
    try rules.worth(of: held + vaulted)
  }
}

/// Chips that members have, counted in their vaults.
package struct ChipStock: Hashable, Sendable, BitwiseCopyable {
  package var held: Int64
  package var vaulted: Int64

  /// - Parameters:
  ///   - held: Chips that were not vaulted.
  ///   - vaulted: Chips in vaults.
  package init(held: Int64 = 0, vaulted: Int64 = 0) {
    self.held = held
    self.vaulted = vaulted
  }

  /// Counts one member's chips.
  package mutating func count(_ vault: ChipVault) {
    held += Int64(vault.held)
    vaulted += Int64(vault.vaulted)
  }
}
