// Goal: the pages read well in a terminal and in the report, and what people wrote stays text.
// Method: golden words for values, whole lines of a page worked out by hand, hostile texts.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct InsightTextTests {
  private func text(_ name: InsightPage, _ record: BlakJaksRecord, at: String) throws -> String {
    PageText.text(Insights.page(name, try InsightsAsOf(record, at: at)))
  }

  @Test func figuresStandAlignedWithTheirUnits() throws {
    var record = try SampleRun.year(days: 2)
    let values: [(String, MeasureUnit, Int64?)] = [
      ("payouts.queue", .count, 1_234_567), ("payouts.confirm_mean", .duration, 14_560_000),
      ("payouts.confirm_p95", .duration, nil), ("day.payouts.value", .money, 1_234_567_890),
      ("payouts.attempts", .count, 3), ("payouts.succeeded", .count, 2),
    ]
    record.series = values.map {
      BlakJaksRecord.Series(key: $0.0, unit: $0.1, values: [$0.2, $0.2])
    }
    let lines = try text(.systems, record, at: "2026-01-02").split(separator: "\n")
    for line in [
      "Queue                               1,234,567",
      "Mean award to confirmed                14.5 s",
      "P95 award to confirmed                      –",
      "Mean submission to confirmed  not in this run",
      "Success rate                           66.7 %",
      "Value in 24 hours               1,234.57 USDT",
      "Retries                       not in this run",
    ] {
      #expect(lines.contains { $0.hasPrefix(line) }, "\(line)")
    }
    #expect(lines[0] == "Systems of launch-year")
    #expect(
      lines[1]
        == "as of the end of 2026-01-02 (America/New_York), 2026-01-03T05:00:00.000000Z")
  }

  @Test("A page of a day that the run ends within says so, and that it had only begun where it had")
  func partOfADay() throws {
    var record = try SampleRun.year(days: 2)
    record.series = [
      BlakJaksRecord.Series(key: "day.payouts.count", unit: .count, values: [4, 8])
    ]
    let end = record.end
    #expect(
      try text(.systems, record, at: "2026-01-02").contains(
        "\nas of the end of 2026-01-02 (America"))
    for (span, note) in [
      (TimeSpan.hours(13), "in the 11.0 h of the local day"),
      (.hours(24) - TimeSpan(microseconds: 1), "the day had only begun"),
    ] {
      record.end = end - span
      let words = try text(.systems, record, at: "2026-01-02")
      #expect(words.contains("\nas of 2026-01-02, a day that the run ends within (America"))
      #expect(words.contains(note), "\(words)")
      let before = try text(.systems, record, at: "2026-01-01")
      #expect(before.contains("\nas of the end of 2026-01-01"))
    }
  }

  @Test("What a balance holds, a cache keeps and a trend covers is said beside it")
  func whatFiguresAreOf() throws {
    var record = try SampleRun.year(days: 2)
    record.series = [
      "social.translations", "social.translation_hits", "social.sample.translation_hits",
      "wallet.balance", "wallet.pending", "treasury.wallet_member",
    ].map { BlakJaksRecord.Series(key: $0, unit: .count, values: [4, 8]) }
    record.settings.append(
      RunHeader.SettingRow(path: "rules.social.translation_cache", value: "50", mark: "set"))
    let lines = try text(.overview, record, at: "2026-01-01").split(separator: "\n")
    let served = lines.filter { $0.hasPrefix("Served from the cache") }
    #expect(served.count == 2 && served[0].hasSuffix("100.0 %  of a cache that drops nothing"))
    #expect(served.last?.hasSuffix("4  of at most 50 translations") == true, "\(served)")
    let treasury = try text(.treasury, record, at: "2026-01-01")
    #expect(treasury.contains("\nof them pending  "))
    #expect(treasury.contains("  1 day\n") && !treasury.contains("1 days"))
  }

  @Test(
    "Time spans read in the unit that they fill",
    arguments: [
      (Int64(0), "0 s"), (1, "1 µs"), (999, "999 µs"), (1_000, "1.0 ms"), (999_999, "999.9 ms"),
      (1_000_000, "1.0 s"), (119_999_999, "119.9 s"), (120_000_000, "2.0 min"),
      (7_199_999_999, "119.9 min"), (7_200_000_000, "2.0 h"), (172_800_000_000, "2.0 d"),
    ])
  func durations(microseconds: Int64, words: String) throws {
    var record = try SampleRun.year(days: 1)
    record.series = [
      BlakJaksRecord.Series(key: "payouts.confirm_mean", unit: .duration, values: [microseconds])
    ]
    let text = try text(.systems, record, at: "2026-01-01")
    let line = text.split(separator: "\n").first { $0.hasPrefix("Mean award to confirmed") }
    #expect(line?.hasSuffix("  \(words)  of those confirmed today") == true, "\(line ?? "")")
  }

  @Test("Times of a day's payouts stand beside those of the slowest day so far")
  func slowestDay() throws {
    var record = try SampleRun.year(days: 4)
    let seconds: [Int64?] = [nil, 30, 90, 60]
    record.series = [
      BlakJaksRecord.Series(
        key: "payouts.confirm_p95", unit: .duration,
        values: seconds.map { $0.map { $0 * 1_000_000 } })
    ]
    func lines(_ day: String) throws -> [Substring] {
      try text(.systems, record, at: day).split(separator: "\n")
        .filter { $0.hasPrefix("P95 award to confirmed") }
    }
    #expect(try lines("2026-01-01").count == 1, "no payout was confirmed by then")
    let last = try lines("2026-01-04")
    #expect(last[0].hasSuffix("  60.0 s  of those confirmed today"))
    #expect(last[1].hasPrefix("P95 award to confirmed, slowest day"))
    #expect(last[1].hasSuffix("  90.0 s  2026-01-03"))
    #expect(try lines("2026-01-02")[1].hasSuffix("  30.0 s  2026-01-02"))
  }

  @Test("Weekdays that a run does not have are no zeros, and small means keep a decimal")
  func thinHeat() throws {
    var record = try SampleRun.year(days: 3)
    // Thursday to Saturday; 5 scans on the first, none on the second, at each hour.
    record.scanHours = [5, 0, 2].map { Array(repeating: $0, count: 24) }
    let page = Insights.page(.systems, try InsightsAsOf(record))
    let heats = page.blocks.compactMap { if case .heat(let heat) = $0.body { heat } else { nil } }
    let heat = try #require(heats.first)
    #expect((0..<7).map { heat.words($0, 9) } == ["–", "–", "–", "5.0", "0.0", "2.0", "–"])
    #expect(heat.mean(0, 9) == nil && heat.mean(4, 9) == 0 && heat.isFine)
    let lines = PageText.text(page).split(separator: "\n")
    #expect(lines.contains { $0 == "Mon" || $0.allSatisfy { "Mon ".contains($0) } })
    #expect(lines.contains { $0.hasPrefix("Fri  ····") })
    #expect(lines.contains { $0.contains("is 5.0 scans an hour") })
    let large = PageHeat(
      counted: "scans", days: [2, 0, 0, 0, 0, 0, 0],
      counts: [Array(repeating: 25, count: 24)]
        + Array(repeating: Array(repeating: 0, count: 24), count: 6))
    #expect(large.words(0, 3) == "13" && large.words(1, 3) == "–" && !large.isFine)
  }

  @Test("A budget's share is read exactly from the settings")
  func shares() throws {
    for (text, share) in [("50 %", 5_000), ("12.5 %", 1_250), ("0.01 %", 1), ("100 %", 10_000)] {
      var record = try SampleRun.year(days: 20)
      record.settings = [
        RunHeader.SettingRow(path: "rules.comp_pool.share", value: text, mark: "set")
      ]
      let page = try PageData(.systems, record, day: 19)
      let profit = record.days.reduce(0) { $0 + $1.grossProfit.microunits }
      #expect(page.number("budget", "budget_micro") == profit * Int64(share) / 10_000)
    }
  }

  @Test("Payouts of 24 hours are said to be of a shorter or longer day where they are")
  func daysOfOtherLengths() throws {
    func note(_ record: BlakJaksRecord, _ day: String) throws -> String? {
      let page = Insights.page(.systems, try InsightsAsOf(record, at: day))
      guard case .figures(let figures)? = page.blocks.first(where: { $0.key == "pipeline" })?.body
      else { return nil }
      return figures.first { $0.key == "count_24h" }?.note
    }
    var record = try SampleRun.year(days: 80)
    #expect(try note(record, "2026-03-07")?.isEmpty == true)
    #expect(try note(record, "2026-03-08") == "in the 23.0 h of the local day")
    // Stopped at eight in the morning of the last day, whose end was midnight.
    let last = try #require(record.days.last).date.description
    record.end = record.end - .hours(16)
    #expect(try note(record, last) == "in the 8.0 h of the local day")
  }

  @Test("The hour that comes twice is said to count as one, on its day and in the heat map")
  func repeatedHour() throws {
    let words = "clocks went back on 2026-11-01; the hour that came twice counts as one"
    var record = try SampleRun.year()
    record.scanHours = record.days.map { _ in Array(repeating: 1, count: 24) }
    for (day, figures, heats) in [
      ("2026-10-31", 0, 0), ("2026-11-01", 2, 1), ("2026-11-02", 0, 1),
    ] {
      let page = Insights.page(.systems, try InsightsAsOf(record, at: day))
      var (noted, hot) = (0, 0)
      for block in page.blocks {
        if case .figures(let all) = block.body { noted += all.count { $0.note.hasSuffix(words) } }
        if case .heat(let heat) = block.body { hot += heat.note == words ? 1 : 0 }
      }
      #expect(noted == figures && hot == heats, "\(day)")
      let shown = PageText.text(page).split(separator: "\n").contains { $0 == words }
      #expect(shown == (heats > 0))
    }
  }

  @Test("The hour that clocks skip is said to count as one in the heat map")
  func skippedHour() throws {
    var record = try SampleRun.year()
    record.scanHours = record.days.map { _ in Array(repeating: 1, count: 24) }
    let words =
      "clocks went forward on 2026-03-08; the skipped hour counts as an hour without scans"
    for (day, isSaid) in [("2026-03-07", false), ("2026-03-08", true), ("2026-07-01", false)] {
      let page = Insights.page(.systems, try InsightsAsOf(record, at: day))
      let notes = page.blocks.compactMap { block in
        if case .heat(let heat) = block.body { heat.note } else { nil }
      }
      #expect(notes == [isSaid ? words : ""], "\(day): \(notes)")
    }
  }

  @Test("A gauge is filled by its own bounds, whatever they are")
  func gauges() throws {
    var page = Insights.page(.systems, try InsightsAsOf(try SampleRun.year(days: 1)))
    for (value, bad, filled) in [
      (Int64(250), Int64(500), 10), (500, 500, 20), (750, 500, 30), (9_000, 500, 30),
      (5_000, 10_000, 10), (-1, 500, 0), (.max, .max, 20),
    ] {
      page.blocks = [
        PageBlock(
          key: "gauge", title: "Gauge",
          body: .gauge(
            PageGauge(
              label: "of it", value: value, judged: .normal,
              caution: PageGauge.Bound("Warning", bad), bad: PageGauge.Bound("Critical", bad),
              empty: "")))
      ]
      let bar = PageText.text(page).filter { $0 == "█" || $0 == "░" }
      #expect(bar.count == 30 && bar.prefix { $0 == "█" }.count == filled)
    }
  }

  @Test func aNumberWithWordsOfItsOwnStaysANumberInJSON() throws {
    var page = Insights.page(.systems, try InsightsAsOf(try SampleRun.year(days: 1)))
    page.blocks = [
      .figures("budget", "Budget", [PageFigure("rate", "Rate", .share, .worded(504, "> 5.0 %"))])
    ]
    #expect(PageText.text(page).contains("> 5.0 %"))
    let json = PageJSON.text(page)
    #expect(json.contains(#"": 504"#) && !json.contains("> 5.0"))
  }

  @Test func colourIsOnlyUsedWhenAsked() throws {
    let record = try SampleRun.yearWithInsights(days: 100)
    let asOf = try InsightsAsOf(record)
    for name in InsightPage.allCases {
      let page = Insights.page(name, asOf)
      let bright = PageText.text(page, colour: true)
      #expect(bright.contains("\u{1B}[1m"))
      #expect(bright.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == PageText.text(page))
    }
  }

  @Test func heatMapAndTrendsShowTheirExtremes() throws {
    var record = try SampleRun.year(days: 90)
    record.scanHours = record.days.map { day in
      (0..<24).map { $0 == 20 && day.date.weekday == 4 ? 80 : $0 == 20 ? 20 : 0 }
    }
    let lines = try text(.systems, record, at: "2026-03-31").split(separator: "\n")
    let friday = try #require(lines.first { $0.hasPrefix("Fri  ") })
    #expect(friday == "Fri  " + String(repeating: "··", count: 20) + "██" + "······")
    let monday = try #require(lines.first { $0.hasPrefix("Mon  ") })
    #expect(monday == "Mon  " + String(repeating: "··", count: 20) + "░░" + "······")
    #expect(lines.contains("██ is 80 scans an hour, the mean of its weekday and hour"))
    record.series = [
      BlakJaksRecord.Series(
        key: "chips.held", unit: .count, values: (0..<90).map { Int64($0 / 3) * 7 })
    ]
    let trend = try text(.systems, record, at: "2026-03-31")
    #expect(trend.contains("▁▁▁▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇█"))
  }

  @Test func hostileTextStaysTextInTheTerminalAndInJSON() throws {
    let record = try hostileInsights()
    for name in InsightPage.allCases {
      let page = Insights.page(name, try InsightsAsOf(record))
      let text = PageText.text(page)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      let json = PageJSON.text(page)
      let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      #expect(document?["scenario"] as? String == record.scenario)
      #expect(!json.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
  }

  /// The hostile year with the same texts in what runs record by day.
  private func hostileInsights() throws -> BlakJaksRecord {
    var record = try hostileRecord()
    let full = try SampleRun.yearWithInsights()
    let attack = record.scenario
    record.series = full.series
    record.series[record.series.count - 1].key = "social.messages." + attack
    record.scanHours = full.scanHours
    record.reconciliations = full.reconciliations
    record.feed = full.feed
    record.transactions = full.transactions
    for row in record.feed.indices { record.feed[row].text = attack }
    for row in record.reconciliations.indices { record.reconciliations[row].wallet = attack }
    for row in record.transactions.indices { record.transactions[row].hash = attack }
    return record
  }

  @Test func theReportHasTheFivePagesWithTheirPlots() throws {
    let record = try SampleRun.yearWithInsights()
    let page = HTMLReport.page(BlakJaksProgramme.self, record, plotly: .cdn, source: nil)
    for name in ["overview", "treasury", "systems", "comps", "partners"] {
      #expect(page.count(of: "<section id=\"insights-\(name)\"") == 1)
    }
    for plot in [
      "overview-scan-history", "treasury-balance-history", "treasury-payout-bars",
      "systems-budget-gauge", "systems-scan-heat", "systems-vault-history", "systems-tier-bars",
      "comps-milestone-bars", "partners-paid-history",
    ] {
      #expect(page.count(of: "<div class=\"plot\" id=\"plot-\(plot)\"") == 1, "\(plot)")
      #expect(page.count(of: "\"id\":\"plot-\(plot)\"") == 1, "\(plot)")
    }
    for text in [
      MicroUSDT(microunits: record.series[0].values[364] ?? 0).cents + " USDT",
      "Balances, last 90 days", "<td class=\"good\">Balanced</td>",
    ] {
      #expect(page.count(of: text) > 0, "\(text)")
    }
  }

  @Test func theReportSaysWhatIsNotInTheRun() throws {
    let page = HTMLReport.page(
      BlakJaksProgramme.self, try SampleRun.year(), plotly: .cdn, source: nil)
    #expect(page.count(of: "rules.chips.enabled switches them on") > 0)
    #expect(page.count(of: "id=\"plot-systems-scan-heat\"") == 0)
    #expect(page.count(of: "id=\"plot-treasury-balance-history\"") == 0)
    #expect(
      HTMLReport.page(BlakJaksProgramme.self, BlakJaksRecord(), plotly: .cdn, source: nil).count(
        of: "id=\"insights-") == 0)
  }

  @Test func hostileTextStaysTextInTheReport() throws {
    let page = HTMLReport.page(
      BlakJaksProgramme.self, try hostileInsights(), plotly: .cdn, source: nil)
    #expect(page.count(of: "<img") == 0)
    #expect(page.count(of: "<!--") == 0)
    #expect(page.count(of: "<script") == 3)
    #expect(page.count(of: "</script") == 3)
  }
}
