internal import Quantities

/// What the code of a tin is worth on average to a member who scans it, under the rules alone, in
/// USDT.
///
/// Counted, for each accepted scan:
/// - the scan reward of each tier, rounded as it is paid, by the share of scans at that tier;
/// - every milestone prize: its amount over its spacing, as each due prize goes to some scan;
/// - gold chips at what one is redeemed for, where they are issued: no bonus chips, none that expire.
///
/// Not counted: the guarantee, which does not follow the number of tins; what referrers get (match,
/// weekly pool, chips of referred members' scans); wholesale comps; what the guard withholds. The
/// comp pool is a budget, and no rule pays a share of it for a tin.
package struct TinValue: Sendable, Equatable {
  /// Scan rewards.
  package let scanReward: Double
  /// Crypto, casino and trip prizes.
  package let prizes: Double
  /// Gold chips.
  package let chips: Double

  /// All of it.
  package var total: Double { scanReward + prizes + chips }

  /// - Parameters:
  ///   - rules: Where a scan reward leaves 64 bits, which no run can begin with, it counts as none.
  ///   - mix: Scans by the tier held after them, as shares of all scans.
  package init(_ rules: ProgrammeRules, scans mix: PerTier<Double>) {
    let rewards = try? ScanRewardTable(rules.scanReward)
    scanReward = Tier.allCases.reduce(0) { sum, tier in
      sum + mix[tier] * (rewards?.amount[tier].usdt ?? 0)
    }
    prizes = rules.prizes.reduce(0) { $0 + $1.amount.usdt / Double($1.every) }
    chips = rules.chips.enabled ? Double(rules.chips.perScan) * rules.chips.value.usdt : 0
  }
}
