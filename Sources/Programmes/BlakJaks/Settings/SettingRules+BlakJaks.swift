internal import Population
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
    // The payout ledger lists prizes beside these, so that a prize cannot take their names.
    let reserved = PayoutLedger(prizes: []).lines.map(\.name) + ["Total"]
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

  /// The number of members that a market or a plan leads to fits the world.
  private mutating func checkSignUps(_ adoption: AdoptionSettings) {
    let most = 20_000_000
    if let market = adoption.market, adoption.model == .bass {
      let years = Double(days) / 365
      let reached = AdoptionCurve.bassShare(
        years: years, innovation: adoption.innovation, imitation: adoption.imitation)
      let count = Int(Double(market) * reached)
      require(
        count <= most, of: ["population.adoption.market", "calendar.days"],
        blame: [
          (
            "population.adoption.market",
            "brings \(count.grouped) members in \(days) days; "
              + "keep them at \(most.grouped) or less"
          )
        ])
    }
    guard adoption.model == .plan, let last = adoption.monthly.last else { return }
    // At most this many months are touched; the last entry holds for all later ones.
    let months = days / 28 + 2
    let count =
      adoption.monthly.prefix(months).reduce(0, +) + max(0, months - adoption.monthly.count) * last
    require(
      count <= most, of: ["population.adoption.monthly", "calendar.days"],
      blame: [
        (
          "population.adoption.monthly",
          "brings up to \(count.grouped) members in \(days) days; "
            + "keep them at \(most.grouped) or less"
        )
      ])
  }

  mutating func checkPopulation() {
    let population = values.population
    let adoption = population.adoption
    let model = "population.adoption.model"
    if let market = adoption.market {
      order(
        "population.adoption.market", above: "population.members",
        market >= population.members, orEqual: true)
    }
    let monthly = "population.adoption.monthly"
    require(
      adoption.model != .plan || adoption.monthly.contains { $0 > 0 }, of: [model, monthly],
      blame: [
        (monthly, "has no sign-ups; plan needs a list such as [5000, 8000]"),
        (model, "plan needs population.adoption.monthly; write it, as in [5000, 8000]"),
      ])
    checkSignUps(adoption)
    requireWeight(
      "population.season.hours",
      !population.season.enabled || population.season.hours.contains { $0 > 0 })
    requireWeight(
      "population.season.weekdays",
      !population.season.enabled || population.season.weekdays.contains { $0 > 0 })
    var first: [String: Int] = [:]
    for (index, holiday) in population.season.holidays.enumerated() {
      guard let earlier = first[holiday.date] else {
        first[holiday.date] = index
        continue
      }
      require(
        false, of: ["population.season.holidays"],
        blame: [
          (
            "population.season.holidays[\(index)].date",
            "\(holiday.date) is the date of population.season.holidays[\(earlier)] too; "
              + "write each date once"
          )
        ])
    }
  }
}
