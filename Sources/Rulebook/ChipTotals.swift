public import Quantities

/// Gold chips of many members: where every chip ever issued is now.
///
/// Issued = held + vaulted + redeemed + expired, after every operation; held and vaulted equal the
/// sums over the members' vaults (`ChipStock`).
public struct ChipTotals: Hashable, Sendable, BitwiseCopyable {
  /// Issued by scans.
  @inlinable public var issuedByScans: Int64 { scans }
  @usableFromInline var scans: Int64 = 0
  /// Issued as bonus.
  @inlinable public var issuedAsBonus: Int64 { bonus }
  @usableFromInline var bonus: Int64 = 0
  /// Not vaulted.
  @inlinable public var held: Int64 { heldCount }
  @usableFromInline var heldCount: Int64 = 0
  /// In vaults.
  @inlinable public var vaulted: Int64 { vaultedCount }
  @usableFromInline var vaultedCount: Int64 = 0
  /// Redeemed so far.
  @inlinable public var redeemed: Int64 { redeemedCount }
  @usableFromInline var redeemedCount: Int64 = 0
  /// Expired so far: breakage.
  @inlinable public var expired: Int64 { expiredCount }
  @usableFromInline var expiredCount: Int64 = 0

  /// Nothing issued.
  @inlinable
  public init() {}

  /// Issued, of both kinds.
  public var issued: Int64 { issuedByScans + issuedAsBonus }

  /// Whether every chip is accounted for.
  public var isConserved: Bool {
    issued == held + vaulted + redeemed + expired && held >= 0 && vaulted >= 0
  }

  /// What is held and vaulted.
  public var stock: ChipStock { ChipStock(held: held, vaulted: vaulted) }

  /// Chips of accepted scans.
  @inlinable
  public mutating func earn(_ count: Int64) {
    scans += count
    heldCount += count
  }

  /// Chips that went into vaults.
  @inlinable
  public mutating func vault(_ count: Int64) {
    heldCount -= count
    vaultedCount += count
  }

  /// Chips that were redeemed.
  @inlinable
  public mutating func redeem(_ move: ChipMove) {
    heldCount -= Int64(move.held)
    vaultedCount -= Int64(move.vaulted)
    redeemedCount += Int64(move.count)
  }

  /// A member's end of month.
  @inlinable
  public mutating func turn(_ turn: ChipTurn) {
    bonus += Int64(turn.bonus)
    vaultedCount += Int64(turn.bonus) - Int64(turn.expired.vaulted)
    heldCount -= Int64(turn.expired.held)
    expiredCount += Int64(turn.expired.count)
  }

  /// Other members' totals on top of these.
  @inlinable
  public mutating func add(_ other: ChipTotals) {
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
  public func liability(_ rules: ChipRules) throws(MoneyError) -> MicroUSDT {
    try rules.worth(of: held + vaulted)
  }
}

/// Chips that members have, counted in their vaults.
public struct ChipStock: Hashable, Sendable, BitwiseCopyable {
  public var held: Int64
  public var vaulted: Int64

  /// - Parameters:
  ///   - held: Chips that were not vaulted.
  ///   - vaulted: Chips in vaults.
  public init(held: Int64 = 0, vaulted: Int64 = 0) {
    self.held = held
    self.vaulted = vaulted
  }

  /// Counts one member's chips.
  public mutating func count(_ vault: ChipVault) {
    held += Int64(vault.held)
    vaulted += Int64(vault.vaulted)
  }
}
