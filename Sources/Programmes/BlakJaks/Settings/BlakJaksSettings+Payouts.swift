internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  /// The rules that move money.
  static let payoutRules: [Setting<BlakJaksSettings>] = compPool + health + promises

  private static let compPool: [Setting<BlakJaksSettings>] = [
    .share(
      "rules.comp_pool.share", \.rules.compPool.share,
      .given("of gross profit", "The comp pool, and with it each month's budget.")),
    .share(
      "rules.comp_pool.affiliate_share", \.rules.compPool.affiliateShare,
      .given("of gross profit", "The weekly affiliate pool.")),
    .share(
      "rules.comp_pool.wholesale_share", \.rules.compPool.wholesaleShare,
      .assumed("of gross profit", "Wholesale comps.")),
    .choice(
      "rules.comp_pool.recognition", \.rules.compPool.recognition,
      .assumed("", "Whether trips count by their reserve or when won.")),
    .choice(
      "rules.comp_pool.charges.scan_reward", \.rules.compPool.charges.scanReward,
      .assumed("", "Account of scan rewards.")),
    .choice(
      "rules.comp_pool.charges.crypto", \.rules.compPool.charges.crypto,
      .assumed("", "Account of crypto comps.")),
    .choice(
      "rules.comp_pool.charges.casino", \.rules.compPool.charges.casino,
      .assumed("", "Account of casino comps.")),
    .choice(
      "rules.comp_pool.charges.trip", \.rules.compPool.charges.trip,
      .assumed("", "Account of trips.")),
    .choice(
      "rules.comp_pool.charges.guarantee", \.rules.compPool.charges.guarantee,
      .assumed("", "Account of the guarantee.")),
    .choice(
      "rules.comp_pool.charges.match", \.rules.compPool.charges.match,
      .assumed("", "Account of the affiliates' match.")),
    .choice(
      "rules.comp_pool.charges.pool", \.rules.compPool.charges.pool,
      .assumed("", "Account of the weekly pool.")),
    .choice(
      "rules.comp_pool.charges.wholesale", \.rules.compPool.charges.wholesale,
      .assumed("", "Account of wholesale comps.")),
    .choice(
      "rules.comp_pool.charges.chips", \.rules.compPool.charges.chips,
      .assumed("", "Account of redeemed gold chips.")),
  ]

  private static let health: [Setting<BlakJaksSettings>] = [
    .share(
      "rules.budget_health.warning", \.rules.health.warning, most: 100_000,
      .assumed("of the budget", "From here on the status is Warning.")),
    .share(
      "rules.budget_health.critical", \.rules.health.critical, most: 100_000,
      .assumed("of the budget", "Above here the status is Critical.")),
    .multipliers(
      "rules.budget_health.weekday_weights", \.rules.health.weekdayWeights, most: 1_000_000,
      count: 7...7,
      .assumed(
        "of an average day",
        "Weights Monday to Sunday of the days to come, in projections at last month's rates.")),
    .integer(
      "rules.budget_health.settling_days", \.rules.health.settlingDays, 0...27,
      .assumed(
        "days", "A month is projected at last month's rates until so many of its days are over.")),
    .choice(
      "rules.guard.policy", \.rules.guardPolicy.policy,
      .assumed("", "What the program does while its budget is Critical.")),
    .multiplier(
      "rules.guard.factor", \.rules.guardPolicy.factor, most: 10_000,
      .assumed("", "Factor of the scan reward while Critical, for scale_scan_reward.")),
  ]

  private static let promises: [Setting<BlakJaksSettings>] = [
    .flag(
      "rules.guarantee.enabled", \.rules.guarantee.enabled,
      .given("", "Whether new members have a guarantee.")),
    .money(
      "rules.guarantee.amount", \.rules.guarantee.amount,
      .given("USDT", "A new member's comps are topped up to this, once.")),
    .days(
      "rules.guarantee.after", \.rules.guarantee.afterDays, 1...3_660,
      .assumed("after sign-up", "When the guarantee is settled, in days of 24 hours.")),
    .integer(
      "rules.guarantee.minimum_scans", \.rules.guarantee.minimumScans, 0...1_000_000_000,
      .assumed("scans", "Lifetime accepted scans that the guarantee asks for.")),
    .share(
      "rules.affiliates.match", \.rules.affiliates.match,
      .given("of the comp", "Affiliate's share of each crypto comp of a referred member.")),
    .integer(
      "rules.affiliates.chips_per_scan", \.rules.affiliates.chipsPerScan, 0...1_000,
      .assumed("chips", "Affiliate chips for each accepted scan of a referred member.")),
    .integer(
      "rules.affiliates.chip_days", \.rules.affiliates.chipDays, 1...3_660,
      .assumed("days", "A chip expires at the end of the month that holds its scan plus this.")),
    .flag(
      "rules.affiliates.weekly_pool", \.rules.affiliates.weeklyPool,
      .given("", "Whether the weekly pool is paid, by the chips of those who are not suspended.")
    ),
    .integer(
      "rules.scanning.workers", \.rules.scanning.workers, 1...100_000,
      .assumed("workers", "Workers of the service that adjudicate scans.")),
    .duration(
      "rules.scanning.service", \.rules.scanning.service,
      TimeSpan(microseconds: 1) ... .seconds(60),
      .assumed("", "Mean time that a worker needs for one scan, exponential.")),
    .integer(
      "rules.abuse.refusals", \.rules.abuse.refusals, 0...1_000_000_000,
      .assumed(
        "a day",
        "Bad codes of one account on a local day that suspend it: a service's members, and a run's bot "
          + "rings; 0 never does.")),
  ]
}
