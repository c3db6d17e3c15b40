// Goal: a page about one or several runs shows the figures of their records, their differences and
// the settings in which they differ, and nothing that people wrote breaks out of it.
// Method: made-up years changed in known ways; tables are read back from the page and compared
// with figures that are summed here from the records.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

/// A small script in the place of plotly.js.
let smallScript = PlotlySource(script: Data("var Plotly = 1; // </script>".utf8))

/// The page about some runs.
func runsPage(
  _ runs: [(String, BlakJaksRecord)], title: String? = nil, paper: PaperSize = .a4,
  source: PlotlySource? = smallScript
) -> String {
  RunsReport(
    BlakJaksProgramme.self, runs.map { NamedRun(name: $0.0, record: $0.1) }, title: title,
    paper: paper
  )
  .page(plotly: .inline, source: source)
}

@Suite struct RunsReportTests {
  /// The ids of a page's sections in their order.
  func sections(_ page: String) -> [String] {
    page.components(separatedBy: "<section id=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  /// The plots that the page draws.
  private func plots(_ page: String) throws -> [[String: Any]] {
    let start = try #require(page.firstRange(of: "id=\"plots\">"))
    let rest = page[start.upperBound...]
    let end = try #require(rest.firstRange(of: "</script>"))
    return try #require(
      JSONSerialization.jsonObject(with: Data(rest[..<end.lowerBound].utf8)) as? [[String: Any]])
  }

  private func sum(_ record: BlakJaksRecord, _ path: KeyPath<BlakJaksRecord.MonthRow, MicroUSDT>)
    -> MicroUSDT
  {
    MicroUSDT(microunits: record.months.reduce(0) { $0 + $1[keyPath: path].microunits })
  }

  @Test("A replay's page says what its history contradicts, and what came before its days")
  func quality() throws {
    var record = try SampleRun.year()
    record.source = .history
    record.header.findings = [
      HistoryFinding(fault: .earlier, event: "", count: 7, line: 2),
      HistoryFinding(fault: .repeated, event: "scan", count: 3, line: 9),
    ]
    let plain = try SampleRun.year()
    for page in [runsPage([("a", record)]), runsPage([("a", record), ("b", plain)])] {
      #expect(page.contains("The figures are of these days alone. 7 earlier rows were replayed"))
      #expect(page.contains("contradict"))
    }
    #expect(sections(runsPage([("a", record)])).contains("data-quality"))
    #expect(!runsPage([("b", plain)]).contains("of these days alone"))
  }

  @Test func oneRunBeginsWithItsSummaryAndHoldsItsWholeReport() throws {
    let record = try SampleRun.yearWithInsights()
    let page = runsPage([("launch", record)])
    #expect(
      sections(page) == [
        "summary", "budget", "payouts", "milestones", "scans", "tiers", "partners",
        "insights-overview", "insights-treasury", "insights-systems", "insights-comps",
        "insights-partners", "assumptions", "run",
      ])
    let spend = sum(record, \.spendAccrual)
    let budget = sum(record, \.budget)
    #expect(page.count(of: record.scenarioDescription) == 1)
    let over = spend > budget
    #expect(page.count(of: over ? "Over budget: " : "Within budget: ") == 1)
    let cost = ProgrammeCost(record)
    #expect(page.count(of: "program costs \(cost.total.cents) USDT in all. The comp pool") == 1)
    #expect(
      page.count(of: "carries \(cost[.compPool].cents) of it by accrual") == 1
        && page.count(of: "of its budget of \(budget.cents)") == 1)
    let gap = MicroUSDT(microunits: abs(budget.microunits - spend.microunits))
    #expect(page.count(of: over ? "it is \(gap.cents) over." : "\(gap.cents) are left.") == 1)
    let end = try PageTable("Balances and obligations at the end", in: page)
    func last(_ key: String) throws -> Int64 {
      let series = try #require(record.series.first { $0.key == key })
      return try #require(series.values[record.days.count - 1])
    }
    for (label, key) in [
      ("Member wallet", "treasury.wallet_member"), ("Comp Pool account", "treasury.bank_comp_pool"),
      ("Trip reserve", "trip_reserve"), ("Chip liability", "chips.liability"),
      ("Weekly pool so far", "affiliates.pool_accruing"),
    ] {
      #expect(try end.row(label)[1] == MicroUSDT(microunits: last(key)).cents)
    }
    #expect(
      try end.row("Payouts pending")[1] == "\(last("payouts.pending").grouped) "
        + "(\(MicroUSDT(microunits: last("payouts.pending_value")).cents) USDT)")
    let costs = try PageTable("What the program costs in USDT", in: page).rows.dropFirst()
    let paid = record.payouts.map(\.total).filter { $0 > .zero }.sorted(by: >)
    #expect(costs.prefix(5).map { $0[1] } == paid.prefix(5).map(\.cents))
    #expect(costs.last == ["Cost in all", cost.total.cents, ""])
    let cents = costs.dropLast().reduce(0) { sum, row in
      sum + (Int(row[1].filter { $0.isNumber || $0 == "-" }) ?? 0)
    }
    let whole = Int(cost.total.microunits / 10_000)
    #expect(abs(cents - whole) <= costs.count)
  }

  @Test("A run over its budget says by how much, when, and what would be without the largest rule")
  func overBudget() throws {
    var record = try SampleRun.year()
    for month in record.months.indices {
      record.months[month].status = [0, 1, 4, 5, 6, 9].contains(month) ? .critical : .normal
      record.months[month].budget = .whole(1_000)
      record.months[month].spendAccrual = .whole(1_100)
      record.months[month].spendCash = .whole(650)
    }
    for row in record.payouts.indices {
      record.payouts[row].total =
        record.payouts[row].type == "guarantee" ? .whole(7_800) : .zero
    }
    let page = runsPage([("a", record)])
    #expect(
      page.count(
        of: "Over budget: the program costs 13,200.00 USDT in all. The comp pool carries "
          + "13,200.00 of it by accrual, 110.0 % of its budget of 12,000.00; it is 1,200.00 "
          + "over. No other account carries any of it.") == 1)
    #expect(
      page.count(of: "All else being equal, 45.0 % would have been used without $50 Guar") == 1)
    #expect(page.count(of: "2026-01 to 2026-02, 2026-05 to 2026-07, 2026-10") == 1)
    #expect(page.count(of: "<small>of 12</small>") == 1)
    // A trip takes what it accrued, however much it paid.
    let trip = try #require(record.payouts.firstIndex { $0.type == "Trip $200K" })
    record.payouts[trip].total = .whole(12_000)
    record.months[5].spendCash = .whole(12_650)
    #expect(runsPage([("a", record)]).count(of: "45.0 % would have been used without $50") == 1)
    let guarantee = try #require(record.payouts.firstIndex { $0.type == "guarantee" })
    record.payouts[guarantee].total = .whole(5_000)
    #expect(runsPage([("a", record)]).count(of: "65.0 % would have been used without Trip") == 1)
  }

  @Test func aRunWithoutInsightsSaysWhatItDoesNotModel() throws {
    let page = runsPage([("a", try SampleRun.year(days: 40))])
    let end = try PageTable("Balances and obligations at the end", in: page)
    #expect(try end.row("Chip liability")[1] == "not in this run")
    #expect(try end.row("Payouts failed")[1] == "not in this run")
  }

  /// The sample year; one with another seed and fewer members; one of 59 days.
  func three() throws -> [(String, BlakJaksRecord)] {
    let first = try SampleRun.yearWithInsights()
    var second = try SampleRun.year(seed: 8)
    second.members -= 1_234
    second.days[second.days.count - 1].members -= 1_234
    return [("a", first), ("b", second), ("c", try SampleRun.year(days: 59))]
  }

  @Test func headlineFiguresStandSideBySideWithTheirDifferenceToTheFirst() throws {
    let runs = try three()
    let page = runsPage(runs)
    let table = try PageTable("Headline figures, each with the difference to A a", in: page)
    #expect(table.rows[0] == ["Figure", "A a", "B b", "C c"])
    #expect(table.rows.allSatisfy { $0.count == 4 || $0.count == 1 })
    func check(_ label: String, _ value: (BlakJaksRecord) -> Int64, _ words: (Int64) -> String)
      throws
    {
      let base = value(runs[0].1)
      let row = try table.row(label)
      #expect(row[1] == words(base))
      for index in 1..<3 {
        let other = value(runs[index].1)
        let share = (Double(other - base) / Double(base) * 1_000).rounded() / 10
        let sign = other > base ? "+" : "-"
        let whole = Int64(abs(share))
        let tenth = Int64((abs(share) * 10).rounded()) % 10
        let difference = "\(sign)\(words(abs(other - base))) (\(sign)\(whole.grouped).\(tenth) %)"
        #expect(
          row[index + 1] == words(other) + (other == base ? "" : "|" + difference), "\(label)")
      }
    }
    func money(_ path: KeyPath<BlakJaksRecord.MonthRow, MicroUSDT>) -> (BlakJaksRecord) -> Int64 {
      { self.sum($0, path).microunits }
    }
    let cents = { (microunits: Int64) in MicroUSDT(microunits: microunits).cents }
    try check("Budget, USDT", money(\.budget), cents)
    try check("Spend by accrual", money(\.spendAccrual), cents)
    try check("Spend in cash", money(\.spendCash), cents)
    try check("Members", \.members, \.grouped)
    try check("Days", { Int64($0.days.count) }, \.grouped)
    try check("Whale", { $0.tiers.whale }, \.grouped)
    try check("Prizes awarded", { Int64($0.awards.count) }, \.grouped)
    // Only the first run has a treasury: nothing to compare with.
    let wallet = try table.row("Member wallet")
    #expect(wallet[2] == "not in this run" && wallet[3] == "not in this run")
  }

  @Test("A difference is in words that fit its unit")
  func differences() throws {
    func cell(_ label: String, _ change: (inout BlakJaksRecord) -> Void) throws -> [String] {
      var base = try SampleRun.year(days: 31)
      base.months[0].budget = .whole(1_000)
      base.months[0].spendAccrual = .whole(1_200)
      base.members = 0
      var other = base
      change(&other)
      let table = try PageTable(
        "Headline figures, each with the difference to A a",
        in: runsPage([("a", base), ("b", other)])
      )
      return Array(try table.row(label).dropFirst())
    }
    #expect(try cell("Budget left") { _ in } == ["-200.00", "-200.00"])
    // A share of a debt says nothing.
    #expect(
      try cell("Budget left") { $0.months[0].spendAccrual = .whole(900) }
        == ["-200.00", "100.00|+300.00"])
    #expect(
      try cell("Utilized") { $0.months[0].spendAccrual = .whole(900) }
        == ["120.0 %", "90.0 %|-30.0 points"])
    // Neither does a share of nothing.
    #expect(try cell("Members") { $0.members = 7 } == ["0", "7|+7"])
    #expect(
      try cell("Spend by accrual") { $0.months[0].spendAccrual = .whole(1_201) }
        == ["1,200.00", "1,201.00|+1.00 (+0.1 %)"])
    #expect(
      try cell("Spend by accrual") { $0.months[0].budget = .zero } == ["1,200.00", "1,200.00"])
    #expect(try cell("Utilized") { $0.months[0].budget = .zero } == ["120.0 %", "no budget"])
    let highest = try cell("Highest month") {
      ($0.months[0].utilisationBasisPoints, $0.months[0].status) = (nil, .critical)
    }
    #expect(highest[0].hasSuffix("%") && highest[1] == "no budget")
  }

  @Test func monthsStandSideBySide() throws {
    let runs = try three()
    let table = try PageTable("Utilization of each month's budget".escapedQuote, in: runsPage(runs))
    #expect(table.rows.count == 1 + 12 + 1)
    for (index, month) in runs[0].1.months.enumerated() {
      let row = table.rows[index + 1]
      #expect(row[0] == month.month)
      #expect(row[1].hasSuffix("|\(month.spendAccrual.cents) of \(month.budget.cents)"))
      #expect((row[3] == "–") == (index > 1))
    }
  }

  @Test func runsThatBeginOnDifferentDaysStandByTheDistanceFromTheirStart() throws {
    let first = try SampleRun.year(days: 59)
    var second = first
    let days = first.days.map { day in
      var day = day
      day.date = day.date.adding(days: 365)
      day.members += 1
      return day
    }
    second.days = days
    for month in second.months.indices { second.months[month].month = "2027-0\(month + 1)" }
    let page = runsPage([("a", first), ("b", second)])
    #expect(page.count(of: "The runs begin on different days") == 1)
    let table = try PageTable("Utilization of each month's budget".escapedQuote, in: page)
    #expect(table.rows[1][0] == "Month 1")
    #expect(table.rows[1][2].contains("|2027-01: "))
    let members = try #require(plots(page).first { $0["id"] as? String == "plot-runs-members" })
    let trace = try #require((members["data"] as? [[String: Any]])?.last)
    #expect((trace["x"] as? [Int])?.prefix(3) == [1, 2, 3])
  }

  @Test("Curves that are equal are said to be the same, and drawn once where others differ")
  func equalCurves() throws {
    let record = try SampleRun.year(days: 59)
    var other = record
    other.months[0].spendAccrual = .whole(1)
    let page = runsPage([("a", record), ("b", other)])
    let ids = try plots(page).compactMap { $0["id"] as? String }
    #expect(!ids.contains("plot-runs-members") && !ids.contains("plot-runs-scans"))
    #expect(page.count(of: "Members: the same in all runs.") == 1)
    #expect(page.count(of: "Accepted scans a day: the same in all runs.") == 1)
    let spend = try #require(plots(page).first)
    let names = try #require(spend["data"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(names == ["A a, spend", "A a = B b, budget", "B b, spend"])
  }

  @Test("Every plot has its place, and a curve for each run", arguments: [1, 2, 3])
  func plotsHaveTheirPlaces(count: Int) throws {
    let page = runsPage(Array(try three().prefix(count)))
    let plots = try plots(page)
    let ids = plots.compactMap { $0["id"] as? String }
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(page.count(of: "<div class=\"plot\" id=\"\(id)\"") == 1, "\(id)") }
    #expect(page.count(of: "<div class=\"plot\"") == ids.count)
    guard count > 1 else {
      #expect(ids.count == 1 + 5 + 9)
      return
    }
    #expect(
      ids == [
        "plot-runs-spend", "plot-runs-utilisation", "plot-runs-payouts", "plot-runs-members",
        "plot-runs-scans", "plot-runs-treasury",
      ])
    let traces = plots.map { ($0["data"] as? [Any])?.count }
    // Spend and budget; six balances of the one run that has them.
    #expect(traces == [2 * count, count, count, count, count, 6])
  }

  @Test func anOverlaidPlotHoldsTheRecordsFigures() throws {
    let runs = try three()
    let spend = try #require(plots(runsPage(runs)).first)
    let data = try #require(spend["data"] as? [[String: Any]])
    for (index, run) in runs.enumerated() {
      let last = try #require((data[2 * index]["y"] as? [Double])?.last)
      #expect(abs(last * 1e6 - Double(sum(run.1, \.spendAccrual).microunits)) < 5_001)
      let budget = try #require((data[2 * index + 1]["y"] as? [Double])?.last)
      #expect(abs(budget * 1e6 - Double(sum(run.1, \.budget).microunits)) < 5_001)
    }
  }

  @Test func paperIsOfTheSizeAskedForAndLiesForManyRuns() throws {
    let record = try SampleRun.year(days: 3)
    func page(_ count: Int, _ paper: PaperSize) -> String {
      runsPage((0..<count).map { ("r\($0)", record) }, paper: paper)
    }
    #expect(page(1, .a4).count(of: "size: A4 portrait;") == 1)
    #expect(page(4, .letter).count(of: "size: Letter portrait;") == 1)
    #expect(page(5, .letter).count(of: "size: Letter landscape;") == 1)
    #expect(page(12, .a4).count(of: "data-paper-width=\"920\"") == 1)
    #expect(page(12, .a4).count(of: "<th scope=\"col\" class=\"n\">L r11</th>") > 0)
  }

  @Test func runsWithoutADayHaveAPage() {
    #expect(runsPage([("a", BlakJaksRecord())]).suffix(8) == "</html>\n")
    let page = runsPage([("a", BlakJaksRecord()), ("b", BlakJaksRecord())])
    #expect(page.count(of: "No day was run.") == 1)
    #expect(page.count(of: "The run has no budget.") == 2)
    #expect(page.suffix(8) == "</html>\n")
  }

  @Test func interruptedRunsAreNamed() throws {
    var record = try SampleRun.year(days: 45)
    record.interrupted = true
    #expect(runsPage([("a", record)]).count(of: "This run was interrupted.") == 1)
    let page = runsPage([("a", try SampleRun.year(days: 45)), ("b", record)])
    #expect(page.count(of: "B b was interrupted.") == 1)
    #expect(page.count(of: "A a was interrupted.") == 0)
    #expect(page.count(of: ", in part</small>") == 2)
  }

  @Test func missingScriptIsSaidAndTheTablesStay() throws {
    let runs = try three()
    for count in [1, 3] {
      let page = runsPage(Array(runs.prefix(count)), source: nil)
      #expect(page.count(of: "run Scripts/fetch-plotly, or choose --plotly cdn") == 1)
      #expect(page.count(of: "<script") == 0)
      #expect(page.count(of: "<table>") > 5)
    }
  }
}

extension String {
  /// As the page writes it.
  var escapedQuote: String { replacing("'", with: "&#39;") }
}
