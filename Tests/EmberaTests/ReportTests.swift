// Goal: report, summary and comparison tell how the reward rate went against its budget, and hold
// the record's figures.
// Method: closed cases of the budget; plots and tables against months; runs compared with
// themselves and with shorter ones.
import Embera
import Quantities
import RewardModel
import Testing

@Suite struct ReportTests {
  /// A run whose rewards cost so many cents of 100 USD of revenue.
  private func record(
    cents: Int64, limit: String? = nil, status: BudgetStatus
  ) -> EmberaRecord {
    var record = EmberaProgramme.specimen
    record.total.sums.list = 100_000_000
    record.total.rewardCost = MicroUSDT(microunits: cents * 10_000)
    record.total.status = status
    if let limit {
      record.settings = [
        RunHeader.SettingRow(path: "rules.budget.limit", value: limit, mark: "set")
      ]
    }
    return record
  }

  @Test(
    "The verdict judges the reward rate by the run's own budget",
    arguments: [
      (400, nil, BudgetStatus.normal, "Within budget: rewards cost 4.00 USD, 4.00 %", "5.00 %"),
      (460, nil, .warning, "Close to the limit: rewards cost 4.60 USD, 4.60 %", "5.00 %"),
      (460, "4.5 %", .critical, "Over budget: rewards cost 4.60 USD, 4.60 %", "4.50 %"),
    ] as [(Int64, String?, BudgetStatus, String, String)])
  func verdict(
    cents: Int64, limit: String?, status: BudgetStatus, words: String, budget: String
  ) {
    let record = record(cents: cents, limit: limit, status: status)
    let wanted = "\(words) of revenue of 100.00 USD. The budget is \(budget)."
    let report = EmberaProgramme.report(of: record)
    #expect(report.opening.verdict.text == wanted)
    // The page begins with it, as the terminal and the printed report do.
    #expect(report.lead.hasPrefix(wanted))
    let summary = EmberaProgramme.summary(of: record).parts.joined().contains { block in
      if case .paragraph(wanted, _) = block { true } else { false }
    }
    #expect(summary)
    let runs = ["a", "b"].map { NamedRun(name: $0, record: record) }
    #expect(EmberaProgramme.comparison(of: runs).verdicts.map(\.text) == [wanted, wanted])
  }

  @Test("A reward rate never reads as if it stood on the other side of its bound")
  func judgedRates() throws {
    // 0.004 points above the limit of 5 %, and as much below the warning at 4.25 %.
    var record = record(cents: 500, status: .critical)
    record.total.rewardCost = MicroUSDT(microunits: 5_004_000)
    var text = EmberaProgramme.report(of: record).opening.verdict.text
    #expect(text.hasPrefix("Over budget: rewards cost 5.00 USD, > 5.00 % of revenue"))
    let runs = [NamedRun(name: "a", record: record)]
    let rows = EmberaProgramme.comparison(of: runs).headlines.flatMap(\.rows)
    #expect(rows.first { $0.label == "Reward rate" }?.words == ["> 5.00 %"])
    record.total.rewardCost = MicroUSDT(microunits: 4_246_000)
    record.total.status = .normal
    text = EmberaProgramme.report(of: record).opening.verdict.text
    #expect(text.hasPrefix("Within budget: rewards cost 4.25 USD, < 4.25 % of revenue"))
  }

  @Test(
    "What is owed says what it counts on: the share of all points, of those left, or nothing more",
    arguments: [
      (
        0, 250,
        "Both count on 25.0 % of points being redeemed, the share so far of those 6 months old;"
      ),
      (
        700, 150, "The cost counts on 25.0 % of the points outstanding being redeemed, the share so"
      ),
      (0, 300, "No more redemptions are counted on: as many points as the share so far of those 6"),
    ] as [(Int64, Int64, String)])
  func owed(expired: Int64, expected: Int64, words: String) throws {
    var record = record(cents: 400, status: .normal)
    // Half of each in months before those that are shown.
    record.opening.issued = 500
    record.total.sums.issued = 500
    record.opening.redeemed = expected == 300 ? 150 : 50
    record.total.sums.redeemed = expected == 300 ? 150 : 50
    record.total.sums.expired = expired
    var valuation = try EmberaBooks(EmberaRules(), month: 0).value(EmberaRules())
    (valuation.share, valuation.expectedRedeemed) = (BasisPoints(2_500), expected)
    record.total.valuation = valuation
    let text = EmberaProgramme.report(of: record).lead
    #expect(text.contains(words), "\(text)")
  }

  @Test("One order that was placed offline is one, and one that still waits is not lost")
  func oneOfflineOrder() {
    var record = EmberaProgramme.specimen
    func text() -> String? {
      EmberaProgramme.summary(of: record).parts.joined().compactMap { block in
        if case .paragraph(let text, _) = block { text } else { nil }
      }.last
    }
    record.sync.offlineOrders = 1
    record.sync.offlineRedemptions = 1
    #expect(
      text() == "1 order was placed offline; 0 reached the server. The server refused 0 of 1 "
        + "redemption made offline.")
    record.sync.waitingOrders = 1
    record.sync.waitingRedemptions = 1
    #expect(
      text() == "1 order was placed offline; 0 reached the server; 1 still waits. The server "
        + "refused 0 of 1 redemption made offline; 1 still waits.")
    let sync = EmberaProgramme.report(of: record).sections.first { $0.id == "sync" }
    let rows = (sync?.blocks ?? []).flatMap { block -> [[String]] in
      if case .table(let table) = block { table.rows.map { $0.map(\.text) } } else { [] }
    }
    #expect(rows.contains(["Redemptions still waiting", "1"]))
  }

  @Test("A tier that members reach when they sign up is reached at once, on every page")
  func timesToTiers() throws {
    var record = PageTests.run
    record.tiers[1].meanTimeToReach = .seconds(0)
    record.tiers[2].meanTimeToReach = .days(33)
    let tables = EmberaProgramme.summary(of: record).parts.joined().compactMap { block in
      if case .table(let table) = block { table } else { nil }
    }
    let tiers = try #require(tables.first { $0.columns.first?.title == "Tier at the end" })
    #expect(tiers.rows.map { $0[3].text } == ["–", "at once", "33.0 d"])
    let page = try EmberaProgramme.page("loyalty", of: record, at: nil)
    guard case .table(let table)? = page.blocks.first(where: { $0.key == "tiers" })?.body else {
      Issue.record("no tiers")
      return
    }
    #expect(
      table.rows.map { PageWords.value($0[4], .duration) } == ["–", "at once", "33.0 d"])
  }

  @Test func aRunWithoutRevenueIsNotJudged() {
    let verdict = EmberaProgramme.report(of: EmberaProgramme.specimen).opening.verdict
    #expect(verdict.tone == .soft && verdict.text.contains("no revenue"))
  }

  private func plots(_ blocks: [ReportBlock]) -> [ReportPlot] {
    blocks.compactMap { if case .plot(let plot, _, _) = $0 { plot } else { nil } }
  }

  private func series(_ plots: [ReportPlot], _ id: String, _ name: String) throws -> [Double?] {
    let plot = try #require(plots.first { $0.id == id }, "\(id)")
    guard case .curves(let curves) = plot.body else {
      Issue.record("\(id) has no curves")
      return []
    }
    return try #require(curves.series.first { $0.name == name }, "\(name)").values
  }

  @Test func plotsShowTheMonthsAndDaysOfTheRecord() throws {
    let record = PageTests.run
    let report = EmberaProgramme.report(of: record)
    let all = plots(([report.opening.section] + report.sections).flatMap(\.blocks))
    #expect(Set(all.map(\.id)).count == all.count && all.count == 7)
    func dollars(_ amount: MicroUSDT) -> Double {
      (Double(amount.microunits) / 1e4).rounded() / 100
    }
    let months = record.months
    #expect(try series(all, "sales", "Revenue") == months.map { dollars($0.revenue) })
    #expect(
      try series(all, "sales", "Ordered by members")
        == months.map { Double($0.orders - $0.deliveries) })
    #expect(try series(all, "points", "Issued") == months.map { Double($0.issued) })
    #expect(try series(all, "points", "Outstanding") == months.map { Double($0.outstanding) })
    #expect(
      try series(all, "liability", "Owed at cost") == months.map { dollars($0.valuation.net) })
    #expect(
      try series(all, "reward-rate", "Reward rate")
        == months.map { $0.rewardRate.map { ($0 * 10_000).rounded() / 100 } })
    #expect(
      try series(all, "statuses", "Shipping") == record.days.map { Double($0.shipping) })
    #expect(
      try series(all, "sync", "Waiting on devices") == record.days.map { Double($0.waiting) })
    #expect(report.pages.map(\.description) == EmberaProgramme.pages)
    #expect(report.pace.count == record.total.sums.orders)
  }

  /// The first cells of all tables with a column of months, and the notes of their other cells.
  private func months(_ blocks: [ReportBlock]) -> (names: [[String]], notes: [[String]]) {
    let tables = blocks.flatMap { block -> [ReportTable] in
      switch block {
      case .table(let table): [table]
      case .plot(_, _, let details):
        details.flatMap { detail -> [ReportTable] in
          guard case .details(_, _, let inner) = detail else { return [] }
          return inner.compactMap { if case .table(let table) = $0 { table } else { nil } }
        }
      default: []
      }
    }.filter { $0.columns.first?.title == "Month" }
    return (
      tables.map { $0.rows.map { $0[0].text } },
      tables.flatMap(\.rows).map { $0.dropFirst().map(\.note) }
    )
  }

  @Test("Months that were run in part are marked, and whole ones are not")
  func partialMonths() {
    // 75 days from 2026-01-20: February and March are whole.
    var record = PageTests.run
    var report = months(EmberaProgramme.report(of: record).sections.flatMap(\.blocks)).names
    #expect(report.count == 4)
    #expect(report.allSatisfy { $0.prefix(3) == ["Jan 2026*", "Feb 2026", "Mar 2026"] })
    let summary = EmberaProgramme.summary(of: record).parts.joined()
    let names = months(Array(summary)).names
    #expect(names.first?.prefix(3) == ["2026-01*", "2026-02", "2026-03"])
    #expect(
      summary.contains {
        if case .paragraph("* partial month.", _) = $0 { true } else { false }
      })
    let runs = [NamedRun(name: "a", record: record)]
    let notes = months(
      EmberaProgramme.comparison(of: runs).sections.flatMap(\.blocks)
    ).notes.joined()
    #expect(notes.prefix(3).map { $0.hasSuffix(", in part") } == [true, false, false])
    record.months = [record.months[1]]
    record.days = []
    record.start = Instant(microseconds: 1_769_922_000_000_000)
    record.end = Instant(microseconds: 1_772_341_200_000_000)
    report = months(EmberaProgramme.report(of: record).sections.flatMap(\.blocks)).names
    #expect(report.allSatisfy { $0 == ["Feb 2026"] })
  }

  @Test func aComparisonPutsHeadlineFiguresSideBySide() throws {
    var short = PageTests.run
    short.months.removeLast()
    short.total.rewardCost = .zero
    let comparison = EmberaProgramme.comparison(of: [
      NamedRun(name: "long", record: PageTests.run), NamedRun(name: "short", record: short),
    ])
    let rows = comparison.headlines.flatMap(\.rows)
    let rate = try #require(rows.first { $0.label == "Reward rate" })
    let long = try #require(PageTests.run.rewardRate)
    #expect(rate.values == [.number(Int64((long * 10_000).rounded())), .number(0)])
    let members = try #require(rows.first { $0.label == "Members" })
    #expect(members.values == [PageValue](repeating: .number(short.total.members), count: 2))
    let all = plots(comparison.sections.flatMap(\.blocks))
    #expect(try series(all, "runs-reward-rate", "long").count == PageTests.run.months.count)
    #expect(try series(all, "runs-reward-rate", "short").count == short.months.count)
    #expect(comparison.paces.count == 2)
  }
}
