// Goal: the terminal's summary says what a product manager asks, aligned, and safely.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct TerminalTests {
  @Test func tableAlignsItsColumns() {
    var table = TextTable([("Name", .left), ("Count", .right), ("", .left)])
    table.add(["a", "1", "x"])
    table.add(["日本", "1,000", ""])
    table.add(["line\nbreak\u{1B}[31m"])
    table.setTotal(["Total", "1,001"])
    #expect(
      table.lines(indent: 2) == [
        "  Name             Count",
        "  a                    1  x",
        "  日本             1,000",
        "  line·break·[31m",
        "  ─────────────────────────",
        "  Total            1,001",
      ])
    #expect(TextTable([]).lines() == [])
    #expect(TextTable([("", .left)]).lines() == [])
  }

  @Test func colourIsOnlyUsedWhenAsked() throws {
    let record = try SampleRun.year()
    let plain = TerminalSummary.text(
      BlakJaksProgramme.self, record, folder: "Results/x", width: 100, colour: false)
    let bright = TerminalSummary.text(
      BlakJaksProgramme.self, record, folder: "Results/x", width: 100, colour: true)
    #expect(!plain.contains("\u{1B}"))
    #expect(bright.contains("\u{1B}[33m"))
    #expect(bright.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
  }

  @Test func summarySaysWhatIsAsked() throws {
    var record = try SampleRun.year()
    record.fingerprint = String(repeating: "ab", count: 32)
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: "Results/launch-year-7")
    let figures = RunFigures(record)
    for part in [
      "launch-year", "seed 7", "2026-01-01 to 2026-12-31 (365 days, America/New_York)",
      figures.grossProfit.cents, figures.spendCash.cents, figures.spendAccrual.cents,
      "of budget", "takes the largest part of the budget", "High Roller", "2026-12", "Total",
      record.payoutTotal.total.cents, "\(record.prizes[4].away.grouped) away",
      "Results/launch-year-7", record.fingerprint, "events/s", "scans/s", "68 MiB peak memory",
    ] {
      #expect(text.replacing("\n", with: " ").contains(part), "\(part)")
    }
    #expect(!text.contains("*"))
    #expect(!text.contains("INTERRUPTED"))
    let widest = text.split(separator: "\n").map { DisplayText.width(String($0)) }.max()
    #expect((widest ?? 0) <= 110)
  }

  @Test("The head and the thresholds of a run wrap to a narrow terminal")
  func narrow() throws {
    var record = try SampleRun.year(days: 45)
    let threshold = "P(budget.utilisation.year > 0 %) <= 5 %"
    record.header.thresholds = [
      RunHeader.ThresholdRow(
        threshold: threshold, holds: false, figure: "budget.utilisation.year", reached: 1.25)
    ]
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil, width: 48)
    let blocks = text.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
    let missed = try #require(blocks.first { $0[0] == "Thresholds" })
    for line in blocks[0] + missed { #expect(DisplayText.width(line) <= 48, "\(line)") }
    #expect(missed.dropFirst(2).allSatisfy { $0.hasPrefix("  ") })
    let words = missed.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains("the run reached 125.0 %"))
    #expect(
      DisplayText.wrapped("one two three", width: 24, after: "Missed     ")
        == ["Missed     one two three"])
    #expect(
      DisplayText.wrapped("one two three four five", width: 28, after: "Missed  ")
        == ["Missed  one two three four", "        five"])
  }

  @Test func interruptedAndPartialMonthsAreMarked() throws {
    var record = try SampleRun.year(days: 45)
    record.interrupted = true
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    #expect(text.contains("INTERRUPTED: the figures cover what was run"))
    #expect(text.contains("2026-02*"))
    #expect(text.contains("* partial month."))
    #expect(!text.contains("2026-01*"))
    record.start = Instant(microseconds: record.start.microseconds + 1)
    #expect(TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil).contains("2026-01*"))
  }

  @Test("A replay that ends on the last day of a month has the whole month")
  func replayedMonths() throws {
    var record = try SampleRun.year(days: 59)
    record.source = .history
    record.end = Instant(microseconds: record.end.microseconds - 3_600_000_000)
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    #expect(!text.contains("2026-02*") && !text.contains("partial month"))
    record.source = .simulation
    #expect(TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil).contains("2026-02*"))
  }

  @Test("How many rows came before the days of a replay is said above its figures, once")
  func earlierRows() throws {
    var record = BlakJaksRecord()
    record.source = .history
    func texts() -> [String] {
      [
        TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil),
        HTMLReport.page(BlakJaksProgramme.self, record, plotly: .cdn, source: nil),
      ].map { $0.replacing("\n", with: " ") }
    }
    // What comes after the head: the first figure of the summary, and the contents of the page.
    let ends = ["Accepted scans", "</header>"]
    let part = "1,200 earlier rows were replayed first: members begin with what they had done"
    #expect(texts().allSatisfy { !$0.contains("earlier row") })
    record.header.findings = [
      HistoryFinding(fault: .earlier, event: "", count: 1_200, line: 2)
    ]
    for (text, end) in zip(texts(), ends) {
      let words = try #require(text.range(of: part)?.lowerBound)
      let figures = try #require(text.range(of: end)?.lowerBound)
      #expect(words < figures && text.ranges(of: "replayed first").count == 1)
      #expect(text.contains("rows do not contradict each other."))
      #expect(text.contains("Before the first day, not in the figures: 1,200 rows"))
    }
  }

  @Test func emptyRunHasASummary() {
    let text = TerminalSummary.text(BlakJaksProgramme.self, BlakJaksRecord(), folder: nil)
    #expect(text.contains("Accepted scans  0"))
    #expect(text.contains("Spend, cash"))
  }

  @Test func hostileTextCannotReachTheTerminal() throws {
    let text = TerminalSummary.text(
      BlakJaksProgramme.self, try hostileRecord(), folder: "a\u{1B}[2J")
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(
    "Shares are rounded half up",
    arguments: [
      (Int64(0), "0.0 %"), (4, "0.0 %"), (5, "0.1 %"), (8_421, "84.2 %"), (9_995, "100.0 %"),
      (-8_421, "-84.2 %"), (12_345_678, "123,456.8 %"), (.max, "92,233,720,368,547,758.1 %"),
    ])
  func percent(basisPoints: Int64, text: String) {
    #expect(PageWords.percent(basisPoints) == text)
    #expect(PageWords.percent(nil) == "–")
  }

  @Test("The total of a ledger is all of it, whether anything was paid or not")
  func totalOfNothing() throws {
    var record = try SampleRun.year(days: 1)
    for row in record.payouts.indices {
      record.payouts[row].count = 0
      record.payouts[row].total = .zero
    }
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    let total = text.split(separator: "\n").first { $0.hasPrefix("Total  ") }
    #expect(total?.hasSuffix("100.00 %") == true, "\(text)")
  }

  @Test func sentenceNamesTheLargestChargeOfTheCompPool() {
    var record = BlakJaksRecord()
    var month = BlakJaksRecord.MonthRow(month: "2026-01")
    month.budget = .whole(1_000)
    record.months = [month]
    record.payouts = [
      BlakJaksRecord.PayoutRow(type: "pool", count: 1, total: .whole(900), shareBasisPoints: 0),
      BlakJaksRecord.PayoutRow(type: "Casino", count: 1, total: .whole(250), shareBasisPoints: 0),
      BlakJaksRecord.PayoutRow(
        type: "scan_reward", count: 1, total: .whole(400), shareBasisPoints: 0),
    ]
    #expect(
      RunFigures(record).budgetSentence
        == "Scan reward takes the largest part of the budget: 400.00 USDT awarded, 40.0 % of it; "
        + "then Casino with 250.00 USDT (25.0 %).")
    // Where each takes little, the first is still the largest part and by no means most of it.
    record.months[0].budget = .whole(100_000)
    #expect(
      RunFigures(record).budgetSentence
        == "Scan reward takes the largest part of the budget: 400.00 USDT awarded, 0.4 % of it; "
        + "then Casino with 250.00 USDT (0.3 %).")
    record.settings = [
      RunHeader.SettingRow(
        path: "rules.comp_pool.charges.scan_reward", value: "operating", mark: "set"),
      RunHeader.SettingRow(
        path: "rules.comp_pool.charges.pool", value: "comp_pool", mark: "set"),
    ]
    #expect(RunFigures(record).budgetEaters.map(\.name) == ["Pool 5%", "Casino"])
    record.payouts = []
    #expect(RunFigures(record).budgetSentence == nil)
  }

  @Test("Trips take of the budget what they accrue, won or not, unless they count when won")
  func tripsTakeWhatTheyAccrue() throws {
    var record = BlakJaksRecord()
    var month = BlakJaksRecord.MonthRow(month: "2026-01")
    (month.budget, month.spendCash, month.spendAccrual) = (.whole(1_000), .whole(200), .whole(500))
    record.months = [month]
    record.prizes = Prize.brief.map {
      BlakJaksRecord.PrizeRow(prize: $0, awarded: 0, waiting: 0, nextDue: 0, away: 0)
    }
    record.payouts = [
      BlakJaksRecord.PayoutRow(
        type: "scan_reward", count: 1, total: .whole(200), shareBasisPoints: 0)
    ]
    let takes = "takes the largest part of the budget:"
    #expect(
      RunFigures(record).budgetSentence
        == "Trip $200K \(takes) 300.00 USDT accrued, 30.0 % of it; then Scan reward with "
        + "200.00 USDT (20.0 %).")
    // Winning it changes nothing of what it accrued.
    record.months[0].spendCash = .whole(450)
    record.payouts.append(
      BlakJaksRecord.PayoutRow(
        type: "Trip $200K", count: 1, total: .whole(250), shareBasisPoints: 0))
    #expect(RunFigures(record).budgetEaters.map(\.total) == [.whole(300), .whole(200)])
    record.payouts[0].total = .whole(400)
    #expect(
      RunFigures(record).budgetSentence
        == "Scan reward \(takes) 400.00 USDT awarded, 40.0 % of it; then Trip $200K with "
        + "300.00 USDT accrued (30.0 %).")
    record.settings = [
      RunHeader.SettingRow(path: "rules.comp_pool.recognition", value: "cash", mark: "set")
    ]
    #expect(RunFigures(record).budgetEaters.map(\.total) == [.whole(400), .whole(250)])
    record.settings = [
      RunHeader.SettingRow(
        path: "rules.comp_pool.charges.trip", value: "operating", mark: "set")
    ]
    #expect(RunFigures(record).budgetEaters.map(\.name) == ["Scan reward"])
  }
}
