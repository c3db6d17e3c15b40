package import Quantities
internal import RewardModel

extension BlakJaksRecord {
  /// Where the program was when a record's days begin; zero where they begin with the program.
  package struct Opening: Sendable, Equatable {
    /// Scans accepted before: the global numbers of later ones go on from there.
    package var acceptedScans: Int64 = 0
    /// Set aside for trips that had not been won.
    package var tripReserve = MicroUSDT.zero

    /// Of a program that begins.
    package init() {}
  }

  /// The record without its first days, during which the program warmed up.
  ///
  /// What happened is of the days that are left: sums, awards, payouts, and series that add up. What is
  /// the case stays as it is: members and their tiers, balances of treasuries and accounts, what is
  /// owed. A month that the warm-up ends within has the days that are left of it.
  ///
  /// - Parameters:
  ///   - count: How many days; none are left where the run was stopped before their end.
  ///   - start: When they end.
  ///   - seen: Submitted codes by then, by outcome.
  /// - Throws: `MoneyError.overflow`.
  /// - Complexity: O(rows).
  package func after(
    warmUpDays count: Int, until start: Instant, outcomes seen: [Int64]
  ) throws(MoneyError) -> BlakJaksRecord {
    let before = Dictionary(
      uniqueKeysWithValues: series.map {
        ($0.key, $0.values.prefix(count).last.flatMap(\.self) ?? 0)
      })
    func number(_ key: String) -> Int64 { before[key] ?? 0 }
    func amount(_ key: String) -> MicroUSDT { MicroUSDT(microunits: number(key)) }

    var part = self
    part.start = start
    part.end = max(header.end, start)
    for day in days.prefix(count) {
      part.opening.acceptedScans += day.acceptedScans
      part.tinsSold -= day.tinsSold
    }
    part.opening.tripReserve = amount("trip_reserve")
    part.acceptedScans -= part.opening.acceptedScans
    for row in outcomes.indices { part.outcomes[row].count -= seen[row] }
    part.days = Array(days.dropFirst(count))
    part.months = try monthsLeft(of: part.days)
    let quarter = part.days.first?.date.quarterLabel
    part.quarters = quarter.map { first in quarters.filter { $0.quarter >= first } } ?? []

    part.awards = awards.filter { $0.time >= start }
    for row in prizes.indices {
      part.prizes[row].awarded -= number("prize.\(prizes[row].prize.name).awarded")
    }
    for row in payouts.indices {
      let key = "ledger.\(payouts[row].type)"
      part.payouts[row].count -= number("\(key).count")
      part.payouts[row].total = try payouts[row].total.subtracting(amount("\(key).total"))
    }
    let total = part.payoutTotal.total
    for row in payouts.indices {
      part.payouts[row].shareBasisPoints = PayoutLedger.shareBasisPoints(
        part.payouts[row].total, of: total)
    }
    part.pools = pools.filter { $0.time >= start }
    part.affiliates.chipsIssued -= number("affiliates.chips_issued")
    part.affiliates.matchPaid = try affiliates.matchPaid.subtracting(
      amount("affiliates.match_paid"))
    part.affiliates.poolPaid = try affiliates.poolPaid.subtracting(amount("affiliates.pool_paid"))

    for row in series.indices {
      let opening = BlakJaksSeries.addsUp(series[row].key) ? number(series[row].key) : 0
      part.series[row].values = series[row].values.dropFirst(count).map { $0.map { $0 - opening } }
    }
    part.scanHours = Array(scanHours.dropFirst(count))
    part.reconciliations = reconciliations.filter { $0.time >= start }
    part.feed = feed.filter { $0.time >= start }
    return part
  }

  /// The months of the last days, the first with those of its days that are among them.
  private func monthsLeft(of days: [DayRow]) throws(MoneyError) -> [MonthRow] {
    guard let first = days.first?.date.monthLabel else { return [] }
    var left = months.filter { $0.month >= first }
    guard !left.isEmpty, left[0].month == first else { return left }
    left[0] = try month(of: days.prefix { $0.date.monthLabel == first }, first)
    return left
  }

  /// A month of some days, judged as the books judge one.
  private func month(
    of days: ArraySlice<DayRow>, _ label: String
  ) throws(MoneyError) -> MonthRow {
    let rules = rulesInForce
    var row = MonthRow(month: label)
    for day in days {
      row.tinsSold += day.tinsSold
      row.acceptedScans += day.acceptedScans
      row.grossProfit = try row.grossProfit.adding(day.grossProfit)
      row.spendCash = try row.spendCash.adding(day.spendCash)
      row.spendAccrual = try row.spendAccrual.adding(day.spendAccrual)
    }
    row.budget = try row.grossProfit.share(rules.compPool.share)
    let spend = recognised(row)
    row.utilisationBasisPoints = BudgetHealth.utilisation(spend: spend, budget: row.budget)
    row.status = BudgetHealth.status(spend: spend, budget: row.budget, rules: rules.health)
    return row
  }
}
