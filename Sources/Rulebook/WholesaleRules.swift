public import Quantities

/// What wholesale accounts earn by the tins they order.
public struct WholesaleRules: Sendable, Equatable {
  /// Number of accounts, 0...10,000; none switches wholesale off.
  public var accounts = 0
  /// Lifetime tins of an account for each of its chips, 1 or more.
  public var tinsPerChip: Int64 = 10
  /// Lifetime tins of an account for each of its comps, 1 or more.
  public var compEvery: Int64 = 10_000
  /// Paid for each comp.
  public var compAmount = MicroUSDT.whole(500)

  /// The defaults.
  public init() {}
}
