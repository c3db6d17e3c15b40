internal import Quantities
internal import RewardModel

/// The rules that bind several settings of one scenario.
extension SettingRules<BlakJaksSettings> {
  mutating func checkTiers() {
    let tiers = values.rules.tiers
    order("rules.tiers.high_roller", above: "rules.tiers.vip", tiers.highRoller > tiers.vip)
    order("rules.tiers.whale", above: "rules.tiers.high_roller", tiers.whale > tiers.highRoller)
    order(
      "rules.tiers.floors.high_roller", above: "rules.tiers.floors.vip",
      tiers.floorHighRoller > tiers.floorVip)
    order(
      "rules.tiers.floors.whale", above: "rules.tiers.floors.high_roller",
      tiers.floorWhale > tiers.floorHighRoller)
  }

  mutating func checkPrizes() {
    // The payout ledger lists prizes next to these, so that a prize cannot take their names.
    let reserved = PayoutType.fixed.flatMap { [$0.id([]), $0.label(values.rules)] } + ["Total"]
    var first: [String: Int] = [:]
    for (index, prize) in values.rules.prizes.enumerated() {
      require(
        !reserved.contains(prize.name), of: ["rules.prizes"],
        blame: [
          (
            "rules.prizes[\(index)].name",
            "'\(prize.name)' is another line of the payout ledger; give the prize its own name"
          )
        ])
      guard let earlier = first[prize.name] else {
        first[prize.name] = index
        continue
      }
      require(
        false, of: ["rules.prizes"],
        blame: [
          (
            "rules.prizes[\(index)].name",
            "'\(prize.name)' is the name of rules.prizes[\(earlier)] too; give each its own"
          )
        ])
    }
  }

  mutating func checkMoney() {
    let economy = values.rules.economy
    order(
      "economy.price", above: "economy.gross_profit", economy.price >= economy.grossProfit,
      orEqual: true)
    order(
      "economy.price", above: "economy.wholesale_gross_profit",
      economy.price >= economy.wholesaleGrossProfit, orEqual: true)
    let health = values.rules.health
    order(
      "rules.budget_health.critical", above: "rules.budget_health.warning",
      health.critical > health.warning)
    requireWeight(
      "rules.budget_health.weekday_weights", health.weekdayWeights.contains { $0 > 0 })
    let pool = values.rules.compPool
    let shares = [
      "rules.comp_pool.wholesale_share", "rules.comp_pool.affiliate_share",
      "rules.comp_pool.share",
    ]
    let sum = pool.share.rawValue + pool.affiliateShare.rawValue + pool.wholesaleShare.rawValue
    let sumText = SettingValue.share(BasisPoints(sum)).text
    require(
      sum <= 10_000, of: shares,
      blame: shares.map {
        ($0, "makes the three shares of gross profit \(sumText); keep them at 100 % or less")
      })
  }

  /// Wholesale tins that members scan are drawn one by one.
  private mutating func checkWholesale() {
    let population = values.population.responding(to: values.rules)
    let wholesale = population.wholesale
    let members = Double(population.members) / Double(wholesale.referenceMembers)
    let waves = wholesale.waves.reduce(1.0) { $0 * max(1, $1.factor) }
    let orders =
      Double(values.rules.wholesale.accounts)
      * (1 + wholesale.ordersPerWeek * Double(days) / 7 * members * waves)
    let tins = orders * wholesale.casesPerOrder * Double(wholesale.tinsPerCase)
    requireCountable(
      tins * (wholesale.scanned ?? population.tins.scanned),
      blamed: [
        "rules.wholesale.accounts", "population.wholesale.orders_per_week",
        "population.wholesale.cases_per_order", "population.wholesale.tins_per_case",
        "population.wholesale.reference_members", "population.wholesale.scanned",
        "population.wholesale.waves",
      ])
  }

  mutating func checkPopulation() {
    let population = values.population.responding(to: values.rules)
    let adopters = checkAdoption(
      population.adoption, members: population.members, at: "population")
    checkSeason(population.season, at: "population.season")
    let buying = BehaviourModel.rate(population)
    let wrong =
      population.mischief.duplicates + population.mischief.malformed
      + population.mischief.guessed
      + population.mischief.shared * population.mischief.sharedWith
    requirePace(
      rateShape: buying.shape, rateWeeks: buying.weeks, members: adopters.members,
      events: 1 + population.tins.perPurchase * population.tins.scanned * (1 + wrong),
      blamed: [
        "population.purchase.alpha", "population.purchase.r", "population.tins.per_week",
        "population.tins.per_purchase", "population.tins.shape", adopters.path,
      ])
    checkWholesale()
    let submissions = population.mischief.rings.map { ring in
      Double(ring.accounts) * ring.perHour * 24 * Double(min(ring.days, days))
    }
    requireCountable(submissions.reduce(0, +), blamed: ["population.mischief.rings"])
  }
}
