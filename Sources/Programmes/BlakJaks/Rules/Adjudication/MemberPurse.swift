package import Quantities
internal import RewardModel

/// A member's wallet and gold chips: 92 bytes, no references.
package struct MemberPurse: Sendable, Equatable, BitwiseCopyable, Codable {
  package var wallet = MemberWallet()
  package var vault = ChipVault()

  /// Credits an award, pending until its payout is confirmed.
  ///
  /// - Throws: `MoneyError.overflow`; the wallet is then unchanged.
  package mutating func credit(_ amount: MicroUSDT) throws(MoneyError) {
    try wallet.credit(amount)
  }

  /// The chips of an accepted scan.
  ///
  /// - Parameters:
  ///   - lot: Of today's chips.
  ///   - totals: Of all members; counts them.
  /// - Returns: False when the member would have more chips of one lot than a vault counts; then
  ///   none is issued, and the caller refuses with `RunLimit.chipsOfOneMonth`.
  @inline(__always)
  package mutating func earnChips(
    _ rules: ChipRules, lot: ChipLot, _ totals: inout ChipTotals
  ) -> Bool {
    guard vault.earn(rules.perScan, lot: lot) else { return false }
    totals.earn(Int64(rules.perScan))
    return true
  }

  /// Moves all chips that are held into the vault.
  package mutating func vaultChips(_ totals: inout ChipTotals) {
    totals.vault(Int64(vault.vaultHeld()))
  }

  /// Redeems chips, the oldest first.
  ///
  /// - Parameters:
  ///   - wanted: How many; fewer are redeemed when there are fewer.
  ///   - oldest: The lot of the current month.
  /// - Returns: What they are worth; the caller promises and credits it. Zero when there are none.
  /// - Throws: `MoneyError.overflow`.
  package mutating func redeemChips(
    _ wanted: UInt32, _ rules: ChipRules, oldest: ChipLot, _ totals: inout ChipTotals
  ) throws(MoneyError) -> MicroUSDT {
    let move = vault.redeem(wanted, oldest: oldest)
    totals.redeem(move)
    return try rules.worth(of: Int64(move.count))
  }

  /// Ends a calendar month: issues the bonus, unless the member is suspended, and lets the month's
  /// chips expire.
  ///
  /// - Returns: False when bonus chips did not fit a lot; the caller refuses with
  ///   `RunLimit.chipsOfOneMonth`.
  package mutating func turnMonth(
    _ rules: ChipRules, ending: ChipLot, bonusLot: ChipLot, isSuspended: Bool,
    _ totals: inout ChipTotals
  ) -> Bool {
    let turn = vault.turnMonth(
      rules, ending: ending, bonusLot: bonusLot, earnsBonus: !isSuspended)
    totals.turn(turn)
    return turn.withheld == 0
  }
}

/// A bound of the model that a scenario's numbers ran into.
package enum RunLimit: ProgrammeLimit, Equatable {
  /// A member had more gold chips that expire with one month than a vault can count.
  case chipsOfOneMonth

  package var description: String {
    switch self {
    case .chipsOfOneMonth:
      "a member earned more than 65,535 gold chips in one month; "
        + "lower rules.chips.per_scan or population.tins.per_week"
    }
  }
}
