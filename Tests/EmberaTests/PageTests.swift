// Goal: pages, report, summary and comparison show what the record holds, for any day and run.
// Method: the values of blocks, not their texts, against the rows of runs and sums of their days.
import Embera
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import Testing

@Suite struct PageTests {
  /// A run of 75 days over parts of three months, with everything likely to happen.
  static let run: EmberaRecord = {
    do {
      var settings = Setting.all[1].settings(members: 1_500)
      settings.rules.budget.limit = BasisPoints(500)
      var world = EmberaWorld(try frame(seed: 4, days: 75), settings, threads: 2)
      return try world.run()
    } catch { fatalError("\(error)") }
  }()

  private func page(
    _ id: String, _ record: EmberaRecord = run, at day: String? = nil
  ) throws -> Page {
    try EmberaProgramme.page(id, of: record, at: day)
  }

  private func figure(_ page: Page, _ block: String, _ key: String) throws -> PageFigure {
    let block = try #require(page.blocks.first { $0.key == block })
    var found: [PageFigure] = []
    if case .figures(let figures) = block.body { found = figures }
    return try #require(found.first { $0.key == key }, "\(block.key).\(key)")
  }

  private func value(_ page: Page, _ block: String, _ key: String) throws -> PageValue {
    try figure(page, block, key).value
  }

  private func note(_ page: Page, _ block: String, _ key: String) throws -> String {
    try figure(page, block, key).note
  }

  private func table(_ page: Page, _ key: String) throws -> PageTable {
    let block = try #require(page.blocks.first { $0.key == key })
    guard case .table(let table) = block.body else {
      Issue.record("\(key) is no table")
      return PageTable([])
    }
    return table
  }

  private func expect(
    _ page: Page, _ block: String, _ values: [String: Int64?],
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    for (key, wanted) in values {
      #expect(try value(page, block, key) == .known(wanted), "\(key)", sourceLocation: place)
    }
  }

  private func basisPoints(_ share: Double?) -> Int64? {
    share.map { Int64(($0 * 10_000).rounded()) }
  }

  @Test func theOverviewOfTheLastDayIsTheRun() throws {
    let record = Self.run
    let page = try page("overview")
    try expect(
      page, "program",
      [
        "members": record.total.members, "orders": record.total.sums.orders,
        "revenue": record.total.sums.revenue, "outstanding": record.total.sums.outstanding,
        "subscribers": record.total.subscribers, "visits": record.total.visits,
        "left": record.total.left,
      ])
    let valuation = try #require(record.total.valuation)
    try expect(
      page, "budget",
      [
        "reward_rate": basisPoints(record.rewardRate), "limit": 500,
        "reward_cost": record.total.rewardCost.microunits,
        "gross_profit": record.grossProfit.microunits,
        "liability_net": valuation.net.microunits,
        "contract_liability": valuation.contractLiability.microunits,
      ])
    guard case .verdict(_, let tone) = try value(page, "budget", "status") else {
      Issue.record("the budget has no status")
      return
    }
    let tones: [BudgetStatus: PageTone] = [.normal: .good, .warning: .caution, .critical: .bad]
    #expect(tone == tones[record.total.status])
  }

  @Test func theGaugeSaysWhatTheExactRateWasJudgedToBe() throws {
    var record = EmberaProgramme.specimen
    record.months = Array(Self.run.months.prefix(1))
    record.months[0].revenue = .whole(100)
    for (cost, words, tone) in [
      (5_040_000, "> 5.0 %", PageTone.bad), (4_960_000, "5.0 %", .caution),
      (4_246_000, "< 4.25 %", .good),
    ] as [(Int64, String, PageTone)] {
      record.months[0].rewardCost = MicroUSDT(microunits: cost)
      let block = try #require(
        page("overview", record).blocks.first { $0.key == "budget_gauge" })
      guard case .gauge(let gauge) = block.body else {
        Issue.record("no gauge")
        return
      }
      #expect(gauge.words == words)
      #expect(gauge.tone == tone)
    }
  }

  @Test func rewardRatesByMonthNeverReadAsOnTheOtherSideOfTheirBound() throws {
    var record = Self.run
    record.months = Array(record.months.prefix(1))
    record.months[0].revenue = .whole(100)
    for (cost, status, words) in [
      (5_040_000, .critical, "> 5.0 %"), (4_960_000, .warning, "5.0 %"),
      (4_246_000, .normal, "< 4.25 %"), (4_100_000, .normal, "4.1 %"),
    ] as [(Int64, BudgetStatus, String)] {
      record.months[0].rewardCost = MicroUSDT(microunits: cost)
      record.months[0].status = status
      let row = try #require(table(page("loyalty", record), "liability").rows.first)
      #expect(PageWords.value(row[8], .share) == words)
    }
  }

  @Test func loyaltyShowsPointsOffersTiersAndLiability() throws {
    let record = Self.run
    let page = try page("loyalty")
    let sums = record.total.sums
    try expect(
      page, "points",
      [
        "issued": sums.issued, "redeemed": sums.redeemed, "expired": sums.expired,
        "outstanding": sums.outstanding, "refused": sums.refused,
        "redemption_rate": basisPoints(record.redemptionRate),
        "breakage": basisPoints(record.breakage),
      ])
    #expect(
      try table(page, "offers").rows.map { Array($0.dropFirst()) }
        == record.offers.map {
          [.number($0.redemptions), .number($0.points), .number($0.cost.microunits)]
        })
    #expect(
      try table(page, "tiers").rows.map { [$0[1], $0[3], $0[4]] }
        == record.tiers.map {
          [
            .number($0.members), .number($0.reached),
            .known($0.meanTimeToReach?.microseconds),
          ]
        })
    // As in the summary: tenths that add up.
    let shares = PageSums.shares(of: record.tiers.map(\.members), grain: 10)
    #expect(try table(page, "tiers").rows.map { $0[2] } == shares.map { .known($0) })
    var issued: Int64 = 0
    #expect(
      try table(page, "liability").rows.map { [$0[0]] + $0[1...8] }
        == record.months.map { month in
          let value = month.valuation
          issued += month.issued
          let expected = basisPoints(Double(value.expectedRedeemed) / Double(issued))
          return [.text(month.month), .number(month.outstanding), .known(expected)]
            + [value.gross, value.breakage, value.net, value.contractLiability, month.rewardCost]
            .map { .number($0.microunits) } + [.known(basisPoints(month.rewardRate))]
        })
  }

  @Test func breakageIsOfThePointsThatTheCloseExpectsToBeRedeemed() throws {
    var record = Self.run
    let last = record.months.count - 1
    let issued = record.months.reduce(0) { $0 + $1.issued }
    record.months[last].valuation.expectedRedeemed = issued / 4
    record.total.valuation = record.months[last].valuation
    try expect(try page("loyalty", record), "points", ["breakage": 7_500])
    // The rest of all points, whatever the estimate was before some of them expired.
    #expect(record.months[last].valuation.share != BasisPoints(2_500))
    #expect(try table(page("loyalty", record), "liability").rows[last][2] == .number(2_500))
    let before = record.months[..<last].reduce(0) { $0 + $1.issued }
    record.months[last - 1].valuation.expectedRedeemed = before / 5
    try expect(
      try page("loyalty", record, at: "2026-03-31"), "points", ["breakage": 8_000])
  }

  @Test func ordersShowMoneyStatusesAndCheckouts() throws {
    let record = Self.run
    let page = try page("orders")
    let sums = record.total.sums
    try expect(
      page, "orders",
      [
        "placed": record.days.reduce(0) { $0 + $1.placed }, "received": sums.orders,
        "deliveries": sums.deliveries,
        "subscription_share": basisPoints(record.subscriptionShare),
      ])
    try expect(
      page, "money",
      [
        "revenue": sums.revenue, "discounts": sums.discount, "shipping": sums.shipping,
        "tax": sums.tax, "cost_of_goods": sums.cost,
        "gross_profit": record.grossProfit.microunits,
      ])
    #expect(
      try table(page, "statuses").rows.map { $0[1] } == record.statuses.map { .number($0.count) })
    #expect(
      try table(page, "checkouts").rows.map { Array($0.dropFirst()) }
        == record.checkouts.map { [.number($0.online), .number($0.offline)] })
  }

  @Test func totalsOfTheWholeRunSayBeforeItsEndWhenTheyAreKnown() throws {
    let (sync, loyalty) = (
      try page("sync", at: "2026-03-03"), try page("loyalty", at: "2026-03-03")
    )
    let words = "known at the end of the run"
    for key in ["offline_orders", "arrived", "lag_mean", "lag_longest", "syncs", "resent"] {
      #expect(try value(sync, "offline_orders", key) == .none)
      #expect(try note(sync, "offline_orders", key) == words, "\(key)")
    }
    #expect(try note(loyalty, "points", "refused") == words)
    let title = try #require(loyalty.blocks.first { $0.key == "tiers" }).title
    #expect(title == "Members by tier; who reached one, and when, is \(words)")
    let end = (try page("sync"), try page("loyalty"))
    #expect(try note(end.0, "offline_orders", "resent") == "each counted once")
    #expect(try note(end.1, "points", "refused") == "balance too low")
    #expect(end.1.blocks.first { $0.key == "tiers" }?.title == "Members by tier")
  }

  @Test func syncShowsWaitsConflictsAndSignIns() throws {
    let record = Self.run
    let page = try page("sync")
    let sync = record.sync
    #expect(sync.arrived > 0 && sync.conflicts > 0)
    try expect(
      page, "offline_orders",
      [
        "waiting_now": sync.waitingOrders + sync.waitingRedemptions,
        "offline_orders": sync.offlineOrders, "arrived": sync.arrived,
        "waiting_orders": sync.waitingOrders, "syncs": sync.syncs, "resent": sync.resent,
        "lag_mean": sync.meanLag?.microseconds, "lag_p95": sync.lagP95?.microseconds,
        "lag_longest": sync.longestLag?.microseconds,
      ])
    try expect(
      page, "offline_redemptions",
      [
        "offline_redemptions": sync.offlineRedemptions, "confirmed": sync.confirmed,
        "conflicts": sync.conflicts, "points_returned": sync.pointsReturned,
        "waiting_redemptions": sync.waitingRedemptions,
      ])
    try expect(page, "status_views", ["looks": sync.looks, "held_back": sync.heldBack])
    try expect(page, "sessions", ["session_resets": record.total.resets])
    #expect(
      try table(page, "sign_ins").rows.map { $0[1] } == record.ceremonies.map { .number($0.count) })
  }

  @Test func anEarlierDayShowsWhatWasKnownThen() throws {
    let record = Self.run
    // The run begins on 2026-01-20: by the 3rd of March, January and February are closed.
    let days = record.days.prefix { $0.date <= CivilDate(year: 2026, month: 3, day: 3) }
    let closed = record.months.prefix(2)
    let overview = try page("overview", at: "2026-03-03")
    try expect(
      overview, "program",
      [
        "orders": days.reduce(0) { $0 + $1.orders },
        "revenue": days.reduce(0) { $0 + $1.revenue.microunits },
        "outstanding": days.last?.outstanding, "visits": nil,
      ])
    let cost = closed.reduce(0) { $0 + $1.rewardCost.microunits }
    let revenue = closed.reduce(0) { $0 + $1.revenue.microunits }
    try expect(
      overview, "budget",
      [
        "reward_cost": cost, "reward_rate": PageSums.share(cost, of: revenue),
        "contract_liability": closed.last?.valuation.contractLiability.microunits,
      ])
    // What is owed was found out when February closed, though the points outstanding are of the day.
    #expect(try note(overview, "budget", "liability_net") == "at the end of Feb 2026")
    #expect(try note(overview, "budget", "contract_liability") == "at the end of Feb 2026")
    #expect(try note(page("overview"), "budget", "liability_net") == "at the end of the run")
    let loyalty = try page("loyalty", at: "2026-03-03")
    #expect(try note(loyalty, "points", "breakage").hasSuffix(", at the end of Feb 2026"))
    #expect(try table(loyalty, "liability").rows.count == 2)
    func title(_ page: Page) -> String? { page.blocks.first { $0.key == "liability" }?.title }
    let heading = "What is owed for points, by month closed"
    #expect(title(loyalty) == "\(heading); 2026-01 in part")
    #expect(try title(page("loyalty")) == "\(heading); 2026-01 and 2026-04 in part")
    #expect(try table(loyalty, "offers").rows.isEmpty)
    #expect(
      try table(loyalty, "tiers").rows.map { $0[1] }
        == [days.last?.ember, days.last?.aura, days.last?.halo].map { .known($0) })
    let orders = days.reduce(0) { $0 + $1.placed + $1.deliveries }
    let day = try #require(days.last)
    let underWay = day.processing + day.roasting + day.shipping
    let statuses = try table(page("orders", at: "2026-03-03"), "statuses").rows.map { $0[1] }
    #expect(statuses.last == .number(orders - underWay), "what is not under way has come")
    // On a month's last day the month is closed; the day before it is not.
    #expect(try table(page("loyalty", at: "2026-01-31"), "liability").rows.count == 1)
    let before = try page("overview", at: "2026-01-30")
    try expect(
      before, "budget",
      ["reward_cost": nil, "reward_rate": nil, "gross_profit": nil, "liability_net": nil])
    #expect(try value(before, "budget", "status") == PageValue.none)
    // Goods were sold by then: that nothing is known of them is no zero, and no lack of revenue.
    #expect(try value(before, "program", "revenue") != .number(0))
    let gauge = try #require(before.blocks.first { $0.key == "budget_gauge" })
    if case .gauge(let gauge) = gauge.body { #expect(gauge.empty == "no month is closed yet") }
    try expect(
      try page("orders", at: "2026-01-30"), "money",
      [
        "revenue": nil, "discounts": nil, "shipping": nil, "tax": nil, "cost_of_goods": nil,
        "gross_profit": nil,
      ])
  }

  @Test("Every run has the blocks and units of the specimen")
  func blocksAreThoseOfTheSpecimen() throws {
    func shape(_ record: EmberaRecord, at day: String? = nil) throws -> [String] {
      try EmberaProgramme.pages.flatMap { page -> [String] in
        try self.page(page.id, record, at: day).blocks.map { block in
          switch block.body {
          case .figures(let figures):
            "\(page.id) \(block.key) \(figures.map { "\($0.key) \($0.unit)" })"
          case .table(let table):
            "\(page.id) \(block.key) \(table.columns.map { "\($0.key) \($0.unit)" })"
          case .history(let history):
            "\(page.id) \(block.key) \(history.lines.map { "\($0.key) \($0.unit)" })"
          case .heat, .gauge, .bars: "\(page.id) \(block.key)"
          }
        }
      }
    }
    let specimen = try shape(EmberaProgramme.specimen)
    #expect(EmberaProgramme.pages.map(\.id) == ["overview", "loyalty", "orders", "sync"])
    #expect(Set(specimen).count == specimen.count)
    #expect(try shape(Self.run) == specimen)
    #expect(try shape(Self.run, at: "2026-02-10") == specimen)
    #expect(try shape(replay()) == specimen)
  }

  @Test func unknownPagesAndDaysOutsideAreRefused() throws {
    #expect(
      throws: PageError.unknownPage(
        "treasury", known: ["overview", "loyalty", "orders", "sync"])
    ) { try page("treasury") }
    for day in ["2026-01-19", "2026-04-05"] {
      let error = #expect(throws: PageError.self) { try page("overview", at: day) }
      guard case .outside(day, _) = error else {
        Issue.record("\(day): \(String(describing: error))")
        continue
      }
    }
    #expect(throws: PageError.malformed("soon")) { try page("overview", at: "soon") }
    #expect(throws: PageError.noDays) {
      try page("overview", EmberaRecord(header: EmberaProgramme.specimen.header))
    }
  }

  @Test("What rewards cost is not in a replay: a history has no redemptions")
  func replaysKnowNoRedemptions() throws {
    let record = try replay()
    let absent = PageValue.notInRun(setting: nil)
    let overview = try page("overview", record)
    for key in ["status", "reward_rate", "reward_cost"] {
      #expect(try value(overview, "budget", key) == absent, "\(key)")
    }
    let orders = try page("orders", record)
    for key in ["discounts", "shipping", "tax"] {
      #expect(try value(orders, "money", key) == absent, "\(key)")
    }
    let loyalty = try page("loyalty", record)
    for key in ["redeemed", "redemption_rate", "refused"] {
      #expect(try value(loyalty, "points", key) == absent, "\(key)")
    }
    try expect(loyalty, "points", ["issued": 600, "outstanding": 600])
    #expect(try table(loyalty, "offers").absence == absent)
    let points = loyalty.blocks.compactMap { block -> [PageHistory.Line]? in
      if case .history(let history) = block.body { history.lines } else { nil }
    }.joined()
    #expect(points.first { $0.key == "redeemed" }?.values == [nil, nil, nil])
    let month = try #require(table(loyalty, "liability").rows.first)
    #expect(month.suffix(3) == [.none, .none, .none])
    let report = EmberaProgramme.report(of: record)
    #expect(
      report.opening.verdict.text == "What rewards cost is not known; revenue was 60.00 USD.")
    #expect(report.opening.verdict.tone == .soft)
    #expect(!report.sections.contains { $0.id == "rewards" })
    let plots = "\(report.sections)"
    #expect(plots.contains("name: \"Issued\"") && !plots.contains("name: \"Redeemed\""))
    // Nor how orders came about, or what was taken off and added to what was paid.
    let sales = "\(report.sections.filter { $0.id == "sales" })"
    #expect(sales.contains("name: \"Orders\""))
    for words in ["ubscription", "Ordered by members", "Discounts", "Shipping", "Sales tax"] {
      #expect(!sales.contains(words) && !"\(report.cards)".contains(words), "\(words)")
    }
    let cells = EmberaProgramme.summary(of: record).parts.joined().flatMap { block in
      if case .table(let table) = block { table.rows.joined().map(\.text) } else { [String]() }
    }
    #expect(!cells.contains("Normal") && !cells.contains("0.00 %"))
    let comparison = EmberaProgramme.comparison(of: [NamedRun(name: "a", record: record)])
    #expect(comparison.sections.map(\.id) == ["owed"])
    let rows = comparison.headlines.flatMap(\.rows)
    for label in ["Reward cost, USD", "Points redeemed", "Redemption rate"] {
      #expect(!rows.contains { $0.label == label }, "\(label)")
    }
  }

  private func replay() throws -> EmberaRecord {
    var settings = EmberaSettings()
    settings.rules.offers = Array(settings.rules.offers.prefix(1))
    let frame = try frame(seed: 1, days: 3)
    let rows = (0..<3).map { day in
      HistoryRow(
        instant: frame.calendar.dayStarts[day] + .hours(1), hasClock: true, row: UInt32(day + 1),
        line: UInt32(day + 2), member: UInt32(day % 2), other: .max, amount: 20_000_000, kind: 0)
    }
    let history = History(EmberaProgramme.history, names: ["a", "b"], fileRows: rows)
    return try EmberaProgramme.replay(frame, settings, history) { _ in true }
  }
}
