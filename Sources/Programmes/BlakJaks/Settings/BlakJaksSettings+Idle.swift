internal import Population
package import Quantities
package import RewardModel

extension BlakJaksSettings {
  /// Settings that do nothing in a run while others are as they are.
  package func idle(during days: ClosedRange<CivilDate>) -> [IdleSettings] {
    let buying =
      IdleSettings.adoption(population.adoption, at: "population")
      + IdleSettings.purchases(population.purchase, at: "population.purchase")
      + IdleSettings.referral(population.referral, at: "population.referral")
      + [
        IdleSettings(
          "population.tins.per_week", while: population.purchase.alpha != nil,
          "population.purchase.alpha is given"),
        IdleSettings(
          "population.tins.shape", while: population.purchase.r != nil,
          "population.purchase.r is given"),
      ]
    let others =
      IdleSettings.entries(
        faults.payouts.outages.map { ($0.date, $0.daysAtMost) }, of: "faults.payouts.outages",
        outside: days)
      + IdleSettings.entries(
        population.wholesale.waves.map { ($0.date, $0.days) }, of: "population.wholesale.waves",
        outside: days)
    let dated =
      IdleSettings.entries(
        rules.bans.map { ($0.date, $0.days == 0 ? nil : $0.days) }, of: "rules.bans", outside: days)
      + IdleSettings.entries(
        population.season.holidays.map { ($0.date, 1) }, of: "population.season.holidays",
        outside: days)
      + IdleSettings.entries(
        population.mischief.rings.map { ($0.date, $0.days) }, of: "population.mischief.rings",
        outside: days)
    let rings = dated.suffix(population.mischief.rings.count)
    // A service watches all of its members.
    let unwatched = IdleSettings(
      "rules.abuse.refusals", while: rings.allSatisfy { $0 != nil },
      rings.last??.reason ?? "population.mischief.rings has no entry")
    return (buying + switchedOff + unused + neverAsked + others + dated + [unwatched])
      .compactMap(\.self)
  }

  /// Of parts of the program, or of its members' behavior, that are off.
  private var switchedOff: [IdleSettings?] {
    [
      IdleSettings(
        "rules.shop.shipping", "rules.shop.free_from", "rules.shop.carrier_cost",
        "population.shop", while: !rules.shop.enabled, "rules.shop.enabled is false"),
      IdleSettings(
        "rules.shop.shipping", "rules.shop.free_from", "rules.shop.carrier_cost",
        "population.shop", while: rules.shop.enabled && population.tins.shop == 0,
        "population.tins.shop is 0 %"),
      IdleSettings(
        "rules.chips.per_scan", "rules.chips.value", "rules.chips.bonus_every",
        "rules.chips.expiry_days", "rules.chips.compounding", "rules.comp_pool.charges.chips",
        while: !rules.chips.enabled, "rules.chips.enabled is false"),
      // Chips are vaulted and redeemed by members who look at their wallet.
      IdleSettings(
        "rules.chips.bonus_every", "rules.chips.compounding", "rules.comp_pool.charges.chips",
        while: rules.chips.enabled && !population.wallet.enabled,
        "population.wallet.enabled is false"),
      IdleSettings(
        "rules.guarantee.amount", "rules.guarantee.after", "rules.guarantee.minimum_scans",
        "rules.comp_pool.charges.guarantee",
        while: !rules.guarantee.enabled, "rules.guarantee.enabled is false"),
      IdleSettings(
        "rules.sunset.threshold", "rules.sunset.checks", while: !rules.sunset.enabled,
        "rules.sunset.enabled is false"),
      IdleSettings(
        "population.wallet", "rules.wallet.minimum_withdrawal", while: !population.wallet.enabled,
        "population.wallet.enabled is false"),
      IdleSettings(
        "population.chat", "rules.social.lounge_tier", "rules.social.voting_tier",
        "rules.social.translation_cache", while: !population.chat.enabled,
        "population.chat.enabled is false"),
      IdleSettings(
        "population.wholesale", "rules.wholesale.tins_per_chip", "rules.wholesale.comp_every",
        "rules.wholesale.comp_amount", "rules.comp_pool.charges.wholesale",
        "economy.wholesale_gross_profit", while: rules.wholesale.accounts == 0,
        "rules.wholesale.accounts is 0"),
    ]
  }

  /// Of questions that do not come up.
  private var neverAsked: [IdleSettings?] {
    let (shop, faults) = (population.shop, faults.chain)
    let hasShop = rules.shop.enabled && population.tins.shop > 0
    let isExact =
      faults.unbookedFee == 0 && faults.failed == 0 && faults.duplicated == 0 && faults.late == 0
    return [
      IdleSettings(
        "population.wallet.vaulters", "population.wallet.redeems",
        "population.wallet.redeem_share",
        while: population.wallet.enabled && !rules.chips.enabled, "rules.chips.enabled is false"),
      IdleSettings(
        "population.wallet.passes_kyc", "population.wallet.activates",
        while: population.wallet.enabled && population.wallet.wantsCard == 0,
        "population.wallet.wants_card is 0 %"),
      IdleSettings(
        "population.shop.come_back", "population.shop.come_back_after",
        while: hasShop && shop.relativePass > 1 - 1e-12,
        "population.shop lets as many visits become orders as its reference, or more"),
      IdleSettings(
        "population.shop.to_retail", while: hasShop && abs(shop.relativePass - 1) < 1e-12,
        "population.shop lets as many visits become orders as its reference"),
      IdleSettings(
        "rules.social.translation_cache", "population.chat.proposals.votes_again",
        while: population.chat.enabled && population.chat.sampled == 0,
        "population.chat.sampled is 0"),
      IdleSettings(
        "rules.treasury.tolerance", "rules.treasury.books_differences", while: isExact,
        "faults.chain has no chance above 0 %"),
    ]
  }

  /// Of what never happens.
  private var unused: [IdleSettings?] {
    let response = population.response
    return [
      IdleSettings(
        "population.mischief.shared_with", "population.mischief.shared_after",
        while: population.mischief.shared == 0, "population.mischief.shared is 0 %"),
      IdleSettings(
        "rules.affiliates.match", "rules.affiliates.chips_per_scan", "rules.affiliates.chip_days",
        "rules.tiers.floors", "rules.comp_pool.charges.match", "rules.comp_pool.charges.pool",
        while: population.referral.referred == 0 || population.referral.affiliates == 0,
        "population.referral.\(population.referral.referred == 0 ? "referred" : "affiliates") is 0 %"
      ),
      IdleSettings(
        "population.response.least", "population.response.most",
        while: !response.followsValue,
        "population.response.purchase, population.response.scan and population.response.adoption are 0"
      ),
      IdleSettings(
        "population.response.reference_value", while: response.purchase == 0 && response.scan == 0,
        "population.response.purchase and population.response.scan are 0"),
      IdleSettings(
        "population.response.reference_guarantee", while: response.adoption == 0,
        "population.response.adoption is 0"),
      IdleSettings(
        "rules.guard.factor", while: rules.guardPolicy.policy != .scaleScanReward,
        "rules.guard.policy is \(rules.guardPolicy.policy.rawValue)"),
      IdleSettings(
        "population.tins.opened_over",
        while: population.tins.scanned == 0 && rules.wholesale.accounts == 0,
        "population.tins.scanned is 0 %"),
      IdleSettings(
        "population.response.win.lasts", while: response.uplift == 0,
        "population.response.win.uplift is 0 %"),
      IdleSettings(
        "rules.payouts.batch_limit", while: rules.payouts.batch == .seconds(0),
        "rules.payouts.batch is 0s"),
      IdleSettings(
        "rules.payouts.retries", "rules.payouts.backoff", "rules.payouts.review",
        while: rules.payouts.failure == 0 && faults.payouts == PayoutFaultSettings(),
        "rules.payouts.failure is 0 %"),
      IdleSettings(
        "faults.chain.late_by", while: faults.chain.late == 0, "faults.chain.late is 0 %"),
      IdleSettings(
        "faults.chain.extra_fee", while: faults.chain.unbookedFee == 0,
        "faults.chain.unbooked_fee is 0 %"),
    ]
  }
}
