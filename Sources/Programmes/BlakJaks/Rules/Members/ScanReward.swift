package import Quantities

/// The reward of one accepted scan by tier, computed once for a state of the guard.
package struct ScanRewardTable: Sendable, Equatable, Codable {
  /// What a scan pays, by the effective tier after it.
  package let amount: PerTier<MicroUSDT>

  /// - Parameter factor: What the guard leaves of the reward; 10,000 is all of it. The base is
  ///   multiplied by the tier's multiplier and rounded down, then by the factor likewise.
  /// - Throws: `MoneyError.overflow`.
  package init(
    _ rules: ScanRewardRules, factor: BasisPoints = BasisPoints(10_000)
  ) throws(MoneyError) {
    var table = PerTier(repeating: MicroUSDT.zero)
    for tier in Tier.allCases {
      table[tier] = try rules.base.share(rules.multiplier[tier]).share(factor)
    }
    amount = table
  }
}

extension GuaranteeRules {
  /// The instant at which a member's guarantee is looked at.
  package func due(signedUp: Instant) -> Instant { signedUp + .days(afterDays) }

  /// What tops a member up; zero when the guarantee is off, the scans are too few, or the comps
  /// reach the amount already.
  ///
  /// - Parameters:
  ///   - scans: Lifetime accepted scans.
  ///   - comps: Scan rewards, crypto and casino comps so far.
  package func topUp(scans: UInt32, comps: MicroUSDT) -> MicroUSDT {
    guard enabled, scans >= minimumScans, comps < amount else { return .zero }
    return MicroUSDT(microunits: amount.microunits - comps.microunits)
  }
}
