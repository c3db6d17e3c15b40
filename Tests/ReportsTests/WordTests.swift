// Goal: rounded figures add up and never contradict the bound that they were judged by.

import BlakJaks
import Experiments
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct WordTests {
  @Test(
    "A share never reads as if it stood on the other side of its bound",
    arguments: [
      (Int64(10_000), HealthStatus.critical, "> 100.0 %"), (10_000, .warning, "100.0 %"),
      (10_004, .critical, "> 100.0 %"), (10_005, .critical, "100.1 %"),
      (9_996, .warning, "100.0 %"), (8_496, .normal, "< 85.0 %"), (8_494, .normal, "84.9 %"),
      (8_500, .warning, "85.0 %"), (0, .normal, "0.0 %"), (14_750, .critical, "147.5 %"),
      (Int64.max, .critical, "92,233,720,368,547,758.1 %"),
    ])
  func judged(basisPoints: Int64, status: HealthStatus, text: String) {
    #expect(
      PageWords.percent(basisPoints, judged: status, warning: 8_500, critical: 10_000) == text)
    #expect(
      PageWords.percent(nil, judged: status, warning: 8_500, critical: 10_000) == "–")
  }

  @Test("Bounds with more decimals than a share keep them")
  func fineBounds() {
    func words(_ share: Int64, _ status: HealthStatus) -> String {
      PageWords.percent(share, judged: status, warning: 8_024, critical: 10_026)
    }
    #expect(words(8_024, .warning) == "≥ 80.24 %")
    #expect(words(10_026, .warning) == "≤ 100.26 %")
    #expect(words(10_027, .critical) == "100.3 %")
    #expect(words(8_023, .normal) == "80.2 %")
  }

  @Test(
    "A bound between two basis points has all its decimals, and no share is said to be above it")
  func boundsBetween() {
    let warning = PageGauge.Bound("Warning", hundredMillionths: 50 * 8_610)
    #expect(warning.words == "0.4305 %" && warning.value == 44)
    #expect(PageGauge.Bound("Warning", hundredMillionths: 500 * 8_500).words == "4.25 %")
    #expect(PageGauge.Bound("Warning", hundredMillionths: 400 * 8_500).words == "3.4 %")
    let odd = PageGauge.Bound("Warning", hundredMillionths: 123_456 * 9_999)
    #expect(odd.words == "1,234.436544 %")
    func words(_ share: Int64, _ status: HealthStatus, decimals: Int = 2) -> String {
      PageWords.percent(
        share, decimals: decimals, judged: status, warning: warning.value,
        isRoundedUp: warning.isRoundedUp, critical: 50)
    }
    // 0.431 % and 0.430 %, on either side of 0.4305 %.
    #expect(words(43, .warning) == "0.43 %" && words(43, .normal) == "0.43 %")
    #expect(words(43, .warning, decimals: 1) == "≥ 0.43 %")
    #expect(words(43, .normal, decimals: 1) == "0.4 %")
    #expect(words(44, .warning) == "0.44 %" && words(42, .normal) == "0.42 %")
    #expect(words(50, .critical) == "> 0.50 %")
    // Warning from 4.005 % on.
    let even = PageGauge.Bound("Warning", hundredMillionths: 450 * 8_900)
    func tenth(_ share: Int64, _ status: HealthStatus) -> String {
      PageWords.percent(
        share, judged: status, warning: even.value, isRoundedUp: even.isRoundedUp, critical: 450)
    }
    #expect(tenth(404, .warning) == "≥ 4.0 %" && tenth(400, .warning) == "4.0 %")
    #expect(tenth(400, .normal) == "4.0 %" && tenth(396, .normal) == "4.0 %")
    #expect(tenth(405, .warning) == "4.1 %" && tenth(394, .normal) == "3.9 %")
  }

  @Test("A figure without a mean is told with how many runs lack it, why, and what to ask instead")
  func gaps() throws {
    let catalog = BlakJaksProgramme.figures
    func words(
      _ id: String, _ infinite: Int, _ absent: Int, isGoal: Bool = false
    ) throws -> String {
      let figure = try #require(catalog.figure(id))
      let gaps = FigureGaps(figure, infinite: infinite, absent: absent, of: 20, seed: 7)
      return FigureText.gaps(try #require(gaps), isGoal: isGoal)
    }
    let year = "budget.utilisation.year"
    let lead = "\(year) has no value in the run of seed 7"
    #expect(
      try words(year, 3, 0)
        == "\(lead): 3 of 20 runs spend without a budget, and a mean that counts them is infinite; "
        + "ask for a percentile, such as p50(\(year)), or a share of runs, as P(\(year) > 1), for which "
        + "they are over any bound")
    let other = "\(lead); choose a figure that every run has: "
    #expect(
      try words(year, 3, 0, isGoal: true) == other + "3 of 20 runs spend without a budget")
    #expect(
      try words(year, 3, 2)
        == other + "3 of 20 runs spend without a budget and 2 of 20 runs do not have the figure")
    #expect(
      try words("series.payable.shop", 0, 20)
        == "series.payable.shop has no value in the run of seed 7; choose a figure that every run "
        + "has: 20 of 20 runs do not have the figure")
  }

  @Test("A share is shown as the tenth of a percent that is nearest to it, rounded once")
  func nearest() throws {
    for whole in Int64(1)...300 {
      for part in -whole...(2 * whole) {
        // Half away from zero, of the exact share.
        let sign: Int64 = part < 0 ? -1 : 1
        let tenths = (sign * part * 2_000 + whole) / (2 * whole)
        let wanted = "\(tenths / 10).\(tenths % 10) %"
        try #require(PageWords.percent(part, of: whole).drop { $0 == "-" } == wanted)
        let text =
          switch PageValue.share(part, of: whole) {
          case .worded(_, let words): words
          case .number(let share): PageWords.percent(share)
          default: ""
          }
        try #require(text == PageWords.percent(part, of: whole))
      }
    }
    #expect(PageValue.share(4, of: 104) == .worded(385, "3.8 %"))
    #expect(PageValue.share(1, of: 3) == .number(3_333) && PageValue.share(1, of: 0) == .none)
    #expect(PageWords.percent(1, of: 0) == "–" && PageWords.percent(-2, of: 3) == "-66.7 %")
  }

  @Test("Shares add up to 100 %, each within one step of its exact value")
  func sharesAddUp() {
    var state: UInt64 = 1
    for _ in 0..<300 {
      let parts = (0..<7).map { _ -> Int64 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> 40)
      }
      let whole = parts.reduce(0, +)
      for grain in [Int64(1), 10, 100] {
        let shares = PageSums.shares(of: parts, grain: grain).compactMap { $0 }
        #expect(shares.count == 7 && shares.reduce(0, +) == 10_000)
        for (part, share) in zip(parts, shares) {
          #expect(share % grain == 0)
          let error = (share * whole - part * 10_000).magnitude
          #expect(error < UInt64(whole * grain))
        }
      }
    }
    #expect(PageSums.shares(of: [1, 1, 1]) == [3_334, 3_333, 3_333])
    #expect(PageSums.shares(of: [0, 0]) == [nil, nil])
    #expect(PageSums.shares(of: []) == [])
    #expect(PageSums.shares(of: [.max, .max]) == [5_000, 5_000])
  }

  @Test("A month just over its budget reads so, and one with a budget below zero has a status")
  func months() throws {
    var record = try SampleRun.year(days: 59)
    record.months[0].utilisationBasisPoints = 10_000
    record.months[0].status = .critical
    record.months[1].utilisationBasisPoints = nil
    record.months[1].status = .critical
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("2026-01 ") && $0.contains(" > 100.0 %  ") })
    #expect(lines.contains { $0.hasPrefix("2026-02 ") && $0.hasSuffix("Critical") })
    // Spend without a budget exceeds every utilization.
    let words = lines.joined(separator: " ")
    #expect(words.contains("The highest was 2026-02, which had no budget."), "\(text)")
    #expect("\(BlakJaksProgramme.report(of: record))".contains("\"2026-02, no budget\""))
  }

  @Test("The summary says the whole cost first, then who carries it, what was set, and its size")
  func costFirst() throws {
    var record = try SampleRun.year()
    record.settings = [
      RunHeader.SettingRow(path: "name", value: "launch-year", mark: "set"),
      RunHeader.SettingRow(path: "population.members", value: "20000", mark: "set"),
      RunHeader.SettingRow(path: "calendar.days", value: "365", mark: "assumed"),
    ]
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    let lines = text.split(separator: "\n").map(String.init)
    let cost = ProgrammeCost(record)
    let first = try #require(lines.firstIndex { $0.hasPrefix("Cost in all") })
    #expect(lines[first].contains(cost.total.cents))
    #expect(lines[first + 1].hasPrefix("of which comp pool"))
    #expect(lines[first + 1].contains(cost[.compPool].cents))
    #expect(lines[first + 2].contains(cost[.affiliatePool].cents))
    let scans = try #require(lines.firstIndex { $0.hasPrefix("Accepted scans") })
    #expect(first < scans)
    #expect(lines.contains { $0.hasSuffix("seed 7, \(record.members.grouped) members") })
    #expect(
      lines.contains { $0 == "Set here: population.members 20000" })
    var replay = record
    replay.source = .history
    #expect(
      !TerminalSummary.text(BlakJaksProgramme.self, replay, folder: nil).contains("Set here"),
      "the members of a replay come from its history")
    replay.settings += [
      RunHeader.SettingRow(path: "rules.guard.policy", value: "none", mark: "set"),
      RunHeader.SettingRow(path: "economy.gross_profit", value: "0.5", mark: "set"),
      RunHeader.SettingRow(path: "uncertain", value: "[rules.guarantee.amount]", mark: "set"),
      RunHeader.SettingRow(path: "check.size", value: "2", mark: "set"),
    ]
    #expect(
      TerminalSummary.text(BlakJaksProgramme.self, replay, folder: nil)
        .contains("\nSet here: rules.guard.policy none, economy.gross_profit 0.5\n"))
    let page = HTMLReport.page(BlakJaksProgramme.self, record, plotly: .cdn, source: nil)
    let sentence = "The program costs \(cost.total.cents) USDT in all. The comp pool carries "
    #expect(page.count(of: sentence) == 1)
    for id in ["budget", "payouts", "milestones", "tiers", "assumptions", "run"] {
      #expect(page.count(of: "<a href=\"#\(id)\">") == 1)
      #expect(page.count(of: "id=\"\(id)\"") == 1)
    }
  }

  @Test("A trip that accrued before the days shown takes from what they set aside")
  func tripsSetAsideBefore() throws {
    var record = try SampleRun.year(days: 10)
    record.series = [BlakJaksRecord.Series(key: "trip_reserve", unit: .money, values: [1_000_000])]
    record.opening.tripReserve = .whole(400)
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    let awarded = ProgrammeCost(record).awarded.cents
    #expect(text.contains("\(awarded) awarded, less 399.00 that had been set aside before"))
    let cards = BlakJaksProgramme.report(of: record)
    #expect(!"\(cards)".contains("the rest for trips"))
    for part in [
      "Trips, less what was set aside before", "\"-399.00\"",
      "reserve of 400.00 before the days shown, 1.00 at their end",
    ] { #expect("\(cards)".contains(part), "\(part)") }
    record.opening.tripReserve = .zero
    let all = "\(BlakJaksProgramme.report(of: record))"
    #expect(all.contains("Trips, set aside") && all.contains("accrued less awarded"))
  }

  @Test("Payouts that wait for money are told first, since when and how much is owed")
  func unpaid() throws {
    var record = try SampleRun.year(days: 5)
    func lead(_ waiting: [Int64?], _ balances: [String: Int64] = [:]) -> String {
      let ends = [
        "treasury.wallet_member": 0, "treasury.wallet_wholesale": 0, "treasury.bank_reserve": 0,
        "treasury.bank_comp_pool": 0, "payable.member": 2_500_000, "payable.affiliate": 500_000,
        "treasury.wallet_affiliate": 499_999,
        // What the sweep leaves in Operating fills no wallet up.
        "treasury.bank_operating": 10_000_000_000,
      ].merging(balances) { $1 }
      record.series = ends.map {
        BlakJaksRecord.Series(key: $0.key, unit: .money, values: [0, 0, 0, 0, $0.value])
      }
      record.series.append(
        BlakJaksRecord.Series(key: "payouts.waiting_funds", unit: .count, values: waiting))
      return RunFigures(record).lead
    }
    let waiting: [Int64?] = [9, 0, 7, 8, 1_200]
    let words =
      "Money ran out: payouts have been waiting for it since 2026-01-03; 1,200 transactions were still "
      + "waiting at the end. The program owes members 2.50 USDT and affiliates 0.50 USDT. "
    #expect(lead(waiting).hasPrefix(words), "\(lead(waiting))")
    let none = "Money ran out"
    #expect(!lead([9, 0, 7, 8, 0]).contains(none), "none waits")
    #expect(!lead([9, 7, 0, 8, 1_200]).contains(none), "mornings that fill wallets up are near")
    #expect(
      lead(waiting, ["treasury.wallet_affiliate": 500_000]).contains("owes members 2.50 USDT.")
    )
    #expect(
      lead(waiting, ["treasury.bank_comp_pool": 2_500_000]).contains("owes affiliates 0.50 USDT."),
      "what the comp pool has is for members alone")
    // Operating fills one wallet after the other.
    #expect(
      lead(waiting, ["treasury.bank_operating": 10_002_500_000]).contains(
        "owes affiliates 0.50 USDT."))
    #expect(!lead(waiting, ["treasury.bank_operating": 10_002_500_001]).contains(none))
    #expect(
      lead(waiting, ["treasury.bank_operating": 10_002_500_001, "payable.shop": 1]).contains(none))
    record.days[4].grossProfit = .zero
    record.settings = [
      RunHeader.SettingRow(path: "rules.treasury.operating_backs", value: "false", mark: "set")
    ]
    #expect(
      lead(waiting, ["treasury.bank_operating": 10_002_500_000]).contains("owes members 2.50 USDT.")
    )
    _ = lead(waiting)
    let rows = "\(BlakJaksProgramme.report(of: record).opening)"
    #expect(rows.contains("Owed to members and partners") && rows.contains("\"3.00\""))
    #expect(!rows.contains("sales tax owed"), "there is no shop")
  }

  @Test("A month's last day projects what was used, where the record has all of the month")
  func lastDayOfAMonth() throws {
    var record = try SampleRun.year(days: 60)
    #expect(record.projected(30) == record.months[0].utilisationBasisPoints)
    #expect(record.projected(29) == record.days[29].projectedBasisPoints)
    // A month that the figures join later is still projected by all of its days.
    record.days.removeFirst(14)
    record.opening.acceptedScans = 1
    record.days[16].projectedBasisPoints = 1_234
    #expect(record.days[16].date.day == 31 && record.projected(16) == 1_234)
    record.opening.acceptedScans = 0
    #expect(record.projected(16) == record.months[0].utilisationBasisPoints)
  }

  @Test("A run without a budget has no part of it, and equal months no highest one")
  func oddBudgets() throws {
    var record = try SampleRun.year(days: 90)
    for row in record.months.indices {
      record.months[row].budget = .zero
      record.months[row].utilisationBasisPoints = nil
      record.months[row].status = .critical
    }
    let sentence = try #require(RunFigures(record).budgetSentence)
    #expect(sentence.contains(" costs the comp pool most: ") && !sentence.contains("budget"))
    let text = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    #expect(!text.contains("The highest was"))
    record.months[1].utilisationBasisPoints = 5_000
    record.months[1].status = .normal
    let other = TerminalSummary.text(BlakJaksProgramme.self, record, folder: nil)
    #expect(other.contains("The highest was 2026-01, which had no budget."))
  }

  @Test("What a day has on average is rounded, with a decimal where it is little")
  func dailyMeans() {
    for (total, days, words) in [
      (89_036, 365, "244"), (92_277, 365, "253"), (100, 60, "1.7"), (0, 5, "0.0"), (995, 100, "10"),
      (994, 100, "9.9"), (Int64.max, 1, "9,223,372,036,854,775,807"),
    ] {
      #expect(PageWords.mean(total, over: Int64(days)) == words)
    }
  }

  @Test("One code is one code")
  func oneCode() throws {
    var record = try SampleRun.year(days: 10)
    for (count, words) in [(1, "1 code submitted"), (1_200, "1,200 codes submitted")] {
      record.outcomes = [BlakJaksRecord.NamedCount(name: "accepted", count: Int64(count))]
      let page = HTMLReport.page(BlakJaksProgramme.self, record, plotly: .cdn, source: nil)
      #expect(page.contains("\(words), by outcome"))
    }
  }

  @Test("What runs call differently is called by what they share")
  func plainNames() throws {
    var other = try SampleRun.year(days: 60)
    let label = "$50 Guarantee"
    func page(_ other: BlakJaksRecord) throws -> String {
      runsPage([("a", try SampleRun.year(days: 60)), ("b", other)])
    }
    let same = try PageTable(
      "Payouts by type in USDT, each with the difference to A a", in: page(other))
    #expect(try same.row(label)[0] == label)
    other.settings.removeAll { $0.path == "rules.guarantee.amount" }
    other.settings.append(
      RunHeader.SettingRow(path: "rules.guarantee.amount", value: "20", mark: "set"))
    let differing = try PageTable(
      "Payouts by type in USDT, each with the difference to A a", in: page(other))
    #expect(try differing.row("Guarantee")[0] == "Guarantee")
    #expect(!differing.rows.contains { $0.first == label })
  }

  @Test("One of something is not several")
  func counted() {
    #expect(PageWords.counted(1, "problem", "problems") == "1 problem")
    #expect(PageWords.counted(0, "problem", "problems") == "0 problems")
    #expect(PageWords.counted(12_345, "batch", "batches") == "12,345 batches")
  }
}
