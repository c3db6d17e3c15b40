internal import Quantities
package import RewardModel

extension BlakJaksProgramme {
  package static let standardAxes = [
    "rules.prizes[*].every", "rules.scan_reward.base", "rules.guarantee.amount",
    "rules.guarantee.minimum_scans", "economy.gross_profit", "population.tins.per_week",
    "population.tins.scanned", "population.purchase.a",
  ]

  package static let assumptions =
    [
      AssumptionRange(
        "population.tins.per_week", 0.92, 1.12, "The source allows 2.3 to 2.8 tins for 2.5"),
      AssumptionRange(
        "population.tins.shape", 0.5, 1.5, "Assumed: half of it to half as much again"),
      AssumptionRange("population.tins.scanned", 0.67, 1.33, "40 to 80 % of tins for 60 %"),
      AssumptionRange(
        "population.purchase.a", 0.5, 1.5, "Assumed: half of it to half as much again"),
      AssumptionRange(
        "population.purchase.b", 0.5, 1.5, "Assumed: half of it to half as much again"),
      AssumptionRange(
        "population.referral.referred", 0.5, 1.5, "Assumed: half of it to half as much again"),
      AssumptionRange(
        "population.referral.affiliates", 0.5, 1.5, "Assumed: half of it to half as much again"),
      AssumptionRange("economy.gross_profit", 0.6, 1.4, "The source allows 1.20 to 2.80 for 2.00"),
      AssumptionRange(
        "rules.scan_reward.base", 0.5, 1.5, "Assumed: half of it to half as much again"),
      AssumptionRange(
        "rules.guarantee.minimum_scans", 0.5, 1.5, "Assumed: half of it to half as much again"),
    ] + responses

  /// How members respond; at 0, where they do not, there is nothing to vary.
  private static let responses = [
    "population.response.purchase", "population.response.scan", "population.response.adoption",
    "population.response.win.uplift", "population.response.lapse",
  ].map { AssumptionRange($0, 0, 2, "Assumed: no response to twice as much") }

  /// Rewards of every kind for members and partners. Tiers stay, but nothing follows from them, so
  /// that nobody minds losing one.
  package static let withoutRewards: WithoutRewards? = WithoutRewards(
    settings: [
      ("rules.prizes", "[]"), ("rules.scan_reward.base", "0"),
      ("rules.guarantee.enabled", "false"), ("rules.affiliates.match", "0"),
      ("rules.affiliates.weekly_pool", "false"), ("rules.chips.enabled", "false"),
      ("rules.wholesale.comp_amount", "0"), ("population.response.win.uplift", "0"),
      ("population.response.lapse", "0"),
    ],
    response: "population.response")

  /// Costs are comps, the budget is the comp pool's share of gross profit, events are awards by
  /// prize, and the heat is that of accepted scans.
  package static func sample(_ record: BlakJaksRecord) -> RunSample {
    let rules = record.rulesInForce
    var sample = RunSample(
      bounds: HealthBounds(
        warning: Double(rules.health.warning.rawValue) / 10_000,
        critical: Double(rules.health.critical.rawValue) / 10_000))
    sample.basis = record.recognisesCash ? .cash : .accrual
    let spans = daySpans(record)
    enterMonths(record, spans, &sample)
    enterDays(record, share: Double(rules.compPool.share.rawValue) / 10_000, &sample)
    sample.events = events(record)
    for (day, hours) in zip(record.days, record.scanHours) {
      for (hour, count) in hours.enumerated() {
        sample.heat[day.date.weekday * 24 + hour] += Double(count)
      }
    }
    let ends = spans.values.map { $0.upperBound - 1 }.sorted()
    sample.cohorts = record.series.filter { $0.key.hasPrefix("cohort.") }.map { series in
      ends.compactMap { series.values[$0] }
    }
    sample.cohortSignUps = record.months.prefix(sample.cohorts.count).map { month in
      (spans[month.month] ?? 0..<0).reduce(0) { $0 + record.days[$1].signups }
    }
    sample.members = record.memberValues
    // Whoever asks for members asks what a program is worth; other experiments have no use for it.
    if sample.members != nil { sample.cash = CashStatement(record).accounts }
    sample.controls = record.controls.map { [$0.purchases, $0.tins] } ?? []
    return sample
  }

  /// The days of each month of a record, which are in order.
  private static func daySpans(_ record: BlakJaksRecord) -> [String: Range<Int>] {
    var spans: [String: Range<Int>] = [:]
    var start = 0
    for (row, day) in record.days.enumerated() {
      let isLast = row + 1 == record.days.count || record.days[row + 1].date.day == 1
      guard isLast else { continue }
      spans[day.date.monthLabel] = start..<row + 1
      start = row + 1
    }
    return spans
  }

  private static func enterMonths(
    _ record: BlakJaksRecord, _ spans: [String: Range<Int>], _ sample: inout RunSample
  ) {
    let awarded = record.series.first { $0.key == "payouts.awarded_value" }?.values ?? []
    let reserves = record.tripReserves
    var before: Int64? = 0
    var reserved: Int64 = 0
    sample.months = record.months.map { month in
      let budget = month.budget.usdt
      let days = spans[month.month] ?? 0..<0
      let middle =
        days.isEmpty
        ? nil : record.days[days.lowerBound + (days.count - 1) / 2].projectedBasisPoints
      var row = RunSample.Month(
        label: month.month, spendCash: month.spendCash.usdt,
        spendAccrual: month.spendAccrual.usdt, budget: budget,
        utilisation: budget > 0 ? record.recognised(month).usdt / budget : nil,
        status: month.status, projected: middle.map { Double($0) / 10_000 })
      row.profit = month.grossProfit.usdt
      // What a month sets aside for trips, less those won in it; see `ProgrammeCost`.
      let reserve = days.last.flatMap { $0 < reserves.count ? reserves[$0] : nil } ?? reserved
      let setAside =
        record.recognisesCash ? 0 : MicroUSDT(microunits: reserve - reserved).usdt
      reserved = reserve
      let until = days.last.flatMap { $0 < awarded.count ? awarded[$0] : nil }
      if let before, let until {
        row.cost = MicroUSDT(microunits: until - before).usdt + setAside
      }
      before = until
      return row
    }
  }

  private static func enterDays(
    _ record: BlakJaksRecord, share: Double, _ sample: inout RunSample
  ) {
    var spent = 0.0
    var earned = 0.0
    for day in record.days {
      spent += (record.recognisesCash ? day.spendCash : day.spendAccrual).usdt
      earned += day.grossProfit.usdt * share
      sample.spend.append(Float(spent))
      sample.budget.append(Float(earned))
    }
    sample.statuses = record.days.map(\.status)
    sample.projected = record.days.map(\.projectedBasisPoints)
  }

  /// Awards by prize and month.
  private static func events(_ record: BlakJaksRecord) -> [RunSample.Events] {
    var all = record.prizes.map {
      RunSample.Events(
        kind: $0.prize.name, counts: Array(repeating: 0, count: record.months.count))
    }
    let starts = monthStarts(record)
    for award in record.awards {
      guard let row = record.prizes.firstIndex(where: { $0.prize.name == award.prize }),
        let month = starts.lastIndex(where: { $0 <= award.time })
      else { continue }
      all[row].counts[month] += 1
    }
    return all
  }

  /// The first instants of the run's months.
  private static func monthStarts(_ record: BlakJaksRecord) -> [Instant] {
    guard let first = record.days.first?.date,
      let calendar = try? ProgrammeCalendar(
        zone: record.zone, firstDate: first, days: record.days.count)
    else { return [] }
    return (0..<calendar.dayCount).filter { $0 == 0 || calendar.startsMonth($0) }
      .map { calendar.dayStarts[$0] }
  }
}
