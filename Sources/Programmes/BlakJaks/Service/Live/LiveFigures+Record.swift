package import Quantities
package import RewardModel

extension LiveFigures {
  /// The record of the last days up to now, from which the pages of Insights are made.
  ///
  /// - Throws: `MoneyError.overflow`.
  /// - Complexity: O(series × days kept).
  func record(
    _ state: ProgrammeState, _ header: RunHeader, at now: Instant, _ measures: ServiceMeasures
  ) throws(MoneyError) -> BlakJaksRecord {
    var record = BlakJaksRecord(header: header)
    // The end is exclusive, and what has just happened is to be seen.
    record.end = now + TimeSpan(microseconds: 1)
    record.rules = state.rules
    try record.enter(state.programme.books, state.programme.board)
    record.acceptedScans = state.programme.books.scans
    record.days = days + [try row(state, isOver: false)]
    record.series = with(values(state, at: now, measures))
    record.scanHours = scanHours + [today.hours]
    record.awards = awards
    record.pools = pools
    record.reconciliations = alerts.filter { alert in !reconciled.contains(alert) } + reconciled
    record.feed = feed.values.flatMap { $0.suffix(25) }.sorted()
    return record
  }

  /// The current day up to now.
  ///
  /// - Parameter isOver: Whether it ends now.
  /// - Throws: `MoneyError.overflow`.
  func row(_ state: ProgrammeState, isOver: Bool) throws(MoneyError) -> BlakJaksRecord.DayRow {
    var row = BlakJaksRecord.DayRow(date: state.programme.books.date)
    row.enter(try state.programme.books.dayNow(isOver: isOver))
    row.signups = today.signUps
    row.members = Int64(state.members.accounts.count)
    row.purchases = today.purchases
    row.submitted = today.submitted
    row.tiers = state.members.census.members
    return row
  }

  /// What the series of the pages are now.
  ///
  /// - Parameter measures: Of the service; nil at the end of a day, which is the same in every
  ///   replay.
  func values(
    _ state: ProgrammeState, at now: Instant, _ measures: ServiceMeasures?
  ) -> [DailySeries] {
    let payouts = payouts.reaching(now)
    let (fromAward, fromSubmission) = confirmations.times(at: now)
    var dashboard = Dashboard(like: series)
    dashboard.enter(
      state.programme,
      ConfirmedPayouts(
        sum: PayoutSum(
          count: payouts.total,
          amount: MicroUSDT(microunits: payoutMicros.reaching(now).total)),
        fromAward: fromAward, fromSubmission: fromSubmission))
    if state.rules.chips.enabled { dashboard.enter(state.chips, state.rules.chips) }
    var table = dashboard.table
    enterScans(&table, state, at: now)
    enterPartners(&table, state)
    enterShop(&table, state)
    table.set("social.messages", state.board.messages)
    table.set("social.refused", totals.refusedMessages)
    for channel in state.channels.all {
      table.set("social.messages.\(channel.id)", state.board.messages(in: channel.id))
    }
    if let measures {
      table.set("scans.processing_mean", measures.processingMean?.microseconds)
      table.set("scans.processing_p95", measures.processingP95?.microseconds)
      table.set("scans.backlog", Int64(measures.waiting))
      // One writer answers everything.
      table.set("scans.workers", 1)
    }
    table.closeDay()
    return table.all
  }

  private func enterScans(_ table: inout SeriesTable, _ state: ProgrammeState, at now: Instant) {
    table.set("members.active", active.count)
    table.set("scans.submitted", totals.submitted)
    table.set("scans.refused", totals.submitted - state.programme.books.scans)
    table.set("day.scans.submitted", today.submitted)
    table.set("day.scans.peak_per_minute", today.peakPerMinute)
    table.set("scans.per_minute_now", seconds.reaching(now).total)
    table.set("scans.last_hour", minutes.reaching(now).last(60))
    table.set("day.scans.peak_per_hour", today.peakPerHour)
  }

  private func enterPartners(_ table: inout SeriesTable, _ state: ProgrammeState) {
    table.set("affiliates.active", Int64(state.members.owners.count))
    table.set("affiliates.referred", totals.referred)
    table.set("affiliates.floor_vip", floors.vip)
    table.set("affiliates.floor_high_roller", floors.highRoller)
    table.set("affiliates.floor_whale", floors.whale)
    table.enter(state.programme.sunset)
    table.set("wallet.withdrawals", totals.withdrawals)
    table.set("wallet.withdrawn", totals.withdrawn.microunits)
    table.set("wallet.card_payments", totals.cardPayments)
    table.set("wallet.card_spent", totals.cardSpent.microunits)
    let wholesale = state.programme.wholesale
    guard wholesale.count > 0 else { return }
    table.set("wholesale.accounts", Int64(wholesale.active))
    table.set("wholesale.orders", wholesale.total.orders)
    table.set("wholesale.tins", wholesale.total.tins)
    table.set("wholesale.chips", wholesale.total.chips)
    table.set("wholesale.comps", wholesale.total.comps)
    table.set(
      "wholesale.comps_value",
      state.programme.books.payouts[.wholesale].total.microunits)
  }

  private func enterShop(_ table: inout SeriesTable, _ state: ProgrammeState) {
    func count(_ status: OrderStatus) -> Int64 { totals.statuses[Int(status.rawValue)] }
    table.set("shop.orders", totals.orders)
    table.set("shop.processing", totals.orders - count(.shipped) - count(.cancelled))
    table.set("shop.shipped", count(.shipped))
    table.set("shop.delivered", count(.delivered))
    table.set("shop.cancelled", count(.cancelled))
    table.set("shop.refunded", count(.refunded))
    table.set("shop.revenue", totals.subtotal.microunits)
    table.set("shop.shipping", totals.shipping.microunits)
    table.set("shop.tax", totals.tax.microunits)
    let books = state.programme.books
    table.set("payable.shop", books.shopOwes.microunits)
    table.set("bank.shortfall", books.shopDebts.shortfall.microunits)
    table.set("bank.topped_up", books.shopDebts.toppedUp.microunits)
  }
}

extension BlakJaksMachine {
  package static let pages = InsightPage.allCases.map(\.description)

  /// The pages of Insights, of the last days up to now.
  package func page(
    _ id: String, at now: Instant, _ measures: ServiceMeasures
  ) -> Page? {
    guard let name = InsightPage(rawValue: id) else { return nil }
    var header = RunHeader(programme: BlakJaksProgramme.id)
    header.scenario = scenario
    header.zone = calendar.zone
    header.start = calendar.origin
    do {
      let record = try live.record(state, header, at: now, measures)
      let asOf = try InsightsAsOf(
        live: record, state.rules, scans: state.programme.books.scans)
      return Insights.page(name, asOf)
    } catch { fatalError("what the books took can be shown: \(error)") }
  }
}
