package import Quantities

/// One wallet's ledger balance against the chain's, on one morning.
package struct Reconciliation: Sendable, Equatable, Codable {
  package var time: Instant
  package var wallet: Treasury
  package var ledger: MicroUSDT
  package var chain: MicroUSDT
  /// Chain less ledger.
  package var difference: MicroUSDT
  /// Whether the difference lies within the tolerance; else somebody is alerted.
  package var balanced: Bool

  /// Compares one wallet.
  ///
  /// - Throws: `MoneyError.overflow`.
  package init(
    time: Instant, wallet: Treasury, ledger: MicroUSDT, chain: MicroUSDT, tolerance: MicroUSDT
  ) throws(MoneyError) {
    self.time = time
    self.wallet = wallet
    self.ledger = ledger
    self.chain = chain
    difference = try chain.subtracting(ledger)
    balanced =
      difference.microunits >= -tolerance.microunits
      && difference.microunits <= tolerance.microunits
  }
}
