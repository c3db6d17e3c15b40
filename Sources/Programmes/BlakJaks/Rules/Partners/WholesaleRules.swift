package import Quantities

/// What wholesale accounts earn by the tins they order.
package struct WholesaleRules: Sendable, Equatable, Codable {
  /// Number of accounts, 0...10,000; none switches wholesale off.
  package var accounts = 0
  /// Lifetime tins of an account for each of its chips, 1 or more.
  package var tinsPerChip: Int64 = 10
  /// Lifetime tins of an account for each of its comps, 1 or more.
  package var compEvery: Int64 = 10_000
  /// Paid for each comp.
  package var compAmount = MicroUSDT.whole(500)

  /// The defaults.
  package init() {}
}
