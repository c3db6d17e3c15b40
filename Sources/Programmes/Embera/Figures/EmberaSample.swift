internal import Quantities
package import RewardModel

extension EmberaProgramme {
  package static let standardAxes = [
    "rules.points_per_dollar", "rules.orders.margin", "population.purchase.alpha",
    "population.basket.items", "population.redemption.probability",
    "population.subscriptions.share", "population.devices.offline",
  ]

  package static let assumptions = [
    AssumptionRange(
      "population.purchase.alpha", 0.5, 1.5, "Assumed: half of it to half as much again"),
    AssumptionRange("population.purchase.a", 0.5, 1.5, "Assumed: half of it to half as much again"),
    AssumptionRange(
      "population.basket.items", 0.75, 1.25, "Assumed: a quarter less to a quarter more"),
    AssumptionRange(
      "population.redemption.probability", 0.5, 1.5, "Assumed: half of it to half as much again"),
    AssumptionRange(
      "population.subscriptions.share", 0.5, 1.5, "Assumed: half of it to half as much again"),
    AssumptionRange(
      "population.referral.referred", 0.5, 1.5, "Assumed: half of it to half as much again"),
    AssumptionRange("rules.orders.margin", 0.8, 1.2, "Assumed: a fifth less to a fifth more"),
  ]

  /// Costs are those of redeemed offers, the budget is the limit of the reward rate times revenue.
  /// The reward rate of a month so far is what a day expects for the month's end. Events are
  /// redemptions by offer.
  package static func sample(_ record: EmberaRecord) -> RunSample {
    let rules = record.budgetRules
    let limit = Double(rules.limit.rawValue) / 10_000
    var sample = RunSample(
      bounds: HealthBounds(warning: Double(rules.warning.rawValue) / 10_000, critical: 1))
    enterDays(record, rules, &sample)
    let labels = record.days.map(\.date.monthLabel)
    sample.months = record.months.map { month in
      let days = labels.indices.filter { labels[$0] == month.month }
      let middle = days.isEmpty ? nil : sample.projected[days[(days.count - 1) / 2]]
      let cost = month.rewardCost.usdt
      let budget = month.revenue.usdt * limit
      return RunSample.Month(
        label: month.month, spendCash: cost, spendAccrual: cost, budget: budget,
        utilisation: budget > 0 ? cost / budget : nil,
        status: budget > 0 || cost > 0 ? month.status.health : nil,
        projected: middle.map { Double($0) / 10_000 })
    }
    sample.events = record.offers.map { offer in
      RunSample.Events(
        kind: offer.title,
        counts: record.offerMonths.filter { $0.offer == offer.id }.map { Int($0.redemptions) })
    }
    for row in record.hours {
      sample.heat[Int(row.weekday * 24 + row.hour)] += Double(row.orders)
    }
    sample.cohorts = record.months.compactMap { month in
      let rows = record.cohorts.filter { $0.cohort == month.month }
      return rows.isEmpty ? nil : rows.map(\.members)
    }
    sample.cohortSignUps = record.months.prefix(sample.cohorts.count).map { month in
      record.days.reduce(0) { $0 + ($1.date.monthLabel == month.month ? $1.signUps : 0) }
    }
    return sample
  }

  private static func enterDays(
    _ record: EmberaRecord, _ rules: RewardBudget, _ sample: inout RunSample
  ) {
    var spent: Int64 = 0
    var earned: Int64 = 0
    // At the start of the month.
    var opening: (spent: Int64, earned: Int64) = (0, 0)
    for day in record.days {
      if day.date.day == 1 { opening = (spent, earned) }
      spent += day.rewardCost.microunits
      earned += day.revenue.microunits
      sample.spend.append(Float(Double(spent) / 1e6))
      sample.budget.append(Float(Double(earned) / 1e6 * Double(rules.limit.rawValue) / 10_000))
      let cost = spent - opening.spent
      let revenue = earned - opening.earned
      let allowed = Double(revenue) * Double(rules.limit.rawValue) / 10_000
      let share = allowed > 0 ? Double(cost) * 10_000 / allowed : nil
      sample.projected.append(share.map { Int64(exactly: $0.rounded(.towardZero)) ?? .max })
      sample.statuses.append(
        allowed > 0 || cost > 0
          ? rules.status(
            cost: MicroUSDT(microunits: cost), revenue: MicroUSDT(microunits: revenue)
          ).health : nil)
    }
  }
}

extension BudgetStatus {
  /// The same in the words of every program.
  var health: HealthStatus {
    switch self {
    case .normal: .normal
    case .warning: .warning
    case .critical: .critical
    }
  }
}
