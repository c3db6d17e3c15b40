package import Quantities
package import RewardModel

/// The program's double-entry ledger.
package typealias Ledger = DoubleEntryLedger<LedgerAccount>

extension DoubleEntryLedger<LedgerAccount> {
  /// What a treasury holds: the debit balance of its account.
  package func holding(_ treasury: Treasury) -> MicroUSDT {
    MicroUSDT(microunits: -balance(treasury.ledgerAccount).microunits)
  }
}
