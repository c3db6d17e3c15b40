import BlakJaks
// Goal: text, JSON and page of a projection show every figure that was asked for, with its
// intervals, and a dash or null where there is none.
// Method: a small projection of few replications; each shown number against the projection's own.
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct ProjectionReportTests {
  /// Three replications of a small run: too few for any end of P95.
  private static let small: Result<Projection, any Error> = Result {
    let scenario = try Scenario.load(
      text: "name: small\npopulation: {members: 150}\ncalendar: {days: 70}\n", file: "small.yaml")
    let runner = ReplicationRunner(
      try scenario.plan(),
      asked: ["series.treasury.wallet_member", "peak.payouts.queue"],
      threads: 2)
    let fold = try #require(
      try Projector(runner, target: .replications(3)).run { _, _ in true })
    return Projection(
      fold, seed: 1, dates: runner.plan.frame.calendar.dates.map(\.description))
  }

  private func text(_ projection: Projection) -> String {
    ProjectionText.text(
      projection, scenario: "small", overrides: "", folder: nil, colour: false)
  }

  private func object(_ projection: Projection) throws -> [String: Any] {
    let text = ProjectionFiles.json(projection, scenario: "small")
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("The text has every month with its chances, and what is not known is a dash")
  func words() throws {
    let projection = try Self.small.get()
    let lines = text(projection).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 120 || $0.hasPrefix("Highest") }, "\(lines)")
    let year = try #require(projection.year)
    let march = projection.months[2]
    for part in [
      "Any month closes Critical           \(FigureText.chance(year.critical))",
      "Any day projects Critical           \(FigureText.chance(projection.everCritical))",
      FigureText.percent(try #require(march.projected).mean),
      FigureText.money(march.tails[0].expectedShortfall.estimate),
      "Highest    seed \(projection.highest[0].seed)",
    ] { #expect(lines.contains { $0.contains(part) }, "\(part)") }
    let months = lines.filter { $0.hasPrefix("2026-03") }
    #expect(months.count == 2)
    #expect(months[0].contains("(0 to 71)"), "the exact interval of none of three")
    // Month, level, VaR, its interval, CVaR, its interval.
    let words = months[1].split(separator: " ").map(String.init)
    // VaR's interval has no upper end, and CVaR none at all.
    #expect(words[words.count - 3] == "–" && words[words.count - 4] == "to" && words.last == "–")
    #expect(lines.filter { $0.hasPrefix("Whole run") }.count == 3, "means, 95 and 99 %")
    let spend = try #require(lines.first { $0.hasPrefix("Spend, USDT") })
    #expect(spend.hasSuffix(" to –"))
  }

  @Test("JSON has means with half-widths, and percentiles with both ends, null where unknown")
  func json() throws {
    let projection = try Self.small.get()
    let object = try object(projection)
    let months = try #require(object["months"] as? [[String: Any]])
    let year = try #require(object["year"] as? [String: Any])
    #expect(months.count == 3)
    for (row, period) in zip(months + [year], projection.months + [try #require(projection.year)]) {
      #expect(row["month"] as? String == period.label)
      for (key, estimate) in [
        ("spend_cash", period.spendCash), ("spend_accrual", period.spendAccrual),
        ("budget", period.budget), ("utilisation", period.utilisation),
        ("projected_mid_month", period.projected),
      ] {
        guard let estimate else {
          #expect(row[key] is NSNull, "\(key)")
          continue
        }
        let shown = try #require(row[key] as? [String: Any], "\(key)")
        #expect(close(shown["mean"], estimate.mean))
        #expect(close(shown["half_width"], estimate.halfWidth))
        for (name, quantile) in zip(["p5", "p10", "p50", "p90", "p95"], estimate.quantiles) {
          #expect(close(shown[name], quantile.estimate), "\(key) \(name)")
          #expect(close(shown["\(name)_low"], quantile.low), "\(key) \(name)")
          #expect(close(shown["\(name)_high"], quantile.high), "\(key) \(name)")
        }
      }
      for (level, tail) in zip(["95", "99"], period.tails) {
        for (name, interval) in [
          ("var_\(level)", tail.valueAtRisk), ("cvar_\(level)", tail.expectedShortfall),
        ] {
          if name.hasPrefix("cvar"), row[name] is NSNull {
            #expect(Double(interval.count) * (1 - tail.probability) < 1, "a tail without one run")
            continue
          }
          #expect(close(row[name], interval.estimate), "\(name)")
          #expect(close(row["\(name)_low"], interval.low), "\(name)")
          #expect(close(row["\(name)_high"], interval.high), "\(name)")
        }
        #expect(row["cvar_\(level)_low"] is NSNull, "three are too few")
      }
      let critical = try #require(row["critical"] as? [String: Any])
      #expect(close(critical["high"], period.critical.high))
    }
    let days = try #require(object["days"] as? [[String: Any]])
    #expect(days.count == 70)
    #expect((days[40]["projected_percentiles"] as? [Double])?.count == 5)
    #expect(close(days[40]["projected_mean"], projection.days[40].projectedMean))
    let curve = try #require(object["year_spend_exceedance"] as? [[String: Double]])
    #expect(curve.count == 3)
    for (shown, point) in zip(curve, projection.exceedance) {
      #expect(close(shown["spend"], point.spend) && close(shown["share"], point.share))
    }
    #expect((object["highest"] as? [[String: Any]])?.count == 3)
    #expect(object["percentile_error"] as? Double == 0)
    let figures = try #require(object["figures"] as? [[String: Any]])
    let units = Dictionary(
      uniqueKeysWithValues: figures.compactMap { row in
        (row["name"] as? String).map { ($0, row["unit"] as? String) }
      })
    #expect(units["budget.spend.year"] == "usdt" && units["scans.error_rate"] == "ratio")
    #expect(units["series.treasury.wallet_member"] == "usdt")
    #expect(units["peak.payouts.queue"] == "count")
  }

  /// Whether a value of JSON is a number, to the digits that reading keeps; nil is null.
  private func close(_ shown: Any?, _ value: Double?) -> Bool {
    guard let value else { return shown is NSNull }
    guard let shown = shown as? Double else { return false }
    return abs(shown - value) <= 1e-12 * max(1, abs(value))
  }

  /// What a product team asks a projection for, figure by figure.
  @Test("Every figure that is asked for is measured and shown")
  func figures() throws {
    let names = Set(BlakJaksProgramme.figures.ids)
    for name in [
      "cost_per_scan.crypto", "cost_per_scan.casino", "cost_per_scan.trip",
      "reinvestment.standard", "reinvestment.vip", "reinvestment.high_roller",
      "reinvestment.whale", "liability.chips", "liability.trip_reserve", "liability.total",
      "liability.trips_accrued", "liability.trips_won", "liability.chips_issued",
      "liability.chips_redeemed", "liability.chips_expired", "liability.payouts_pending",
      "runway.wallet_member", "runway.wallet_affiliate", "runway.wallet_wholesale",
      "runway.bank_operating", "runway.bank_reserve", "runway.bank_comp_pool",
      "guarantee.cost_per_member", "value.standard", "value.vip", "value.high_roller",
      "value.whale", "value.retail", "value.shop",
    ] {
      #expect(names.contains(name), "\(name)")
      #expect(
        BlakJaksProgramme.figures.figure(name)?.title != name, "\(name) has a title for people")
    }
    let projection = try Self.small.get()
    let page = self.page(projection)
    for figure in projection.figures {
      let title = figure.description.heading.trimmingCharacters(in: .whitespaces)
      let row = try PageTable("Figures", in: page).row(title)
      // What lasts for days may last for ever, and has no mean that says something.
      let mean =
        figure.unit == .days ? "–" : FigureText.value(figure.estimate.mean, figure.unit)
      #expect(row[1] == mean, "\(title)")
      let high = figure.estimate.quantiles[4]
      let low = try #require(high.low)
      // P95 has a lower end by three values (0.95³ < 0.975), no upper one.
      #expect(high.high == nil)
      #expect(
        row[7] == FigureText.value(high.estimate, figure.unit) + "|"
          + FigureText.value(low, figure.unit) + " to –")
    }
  }

  @Test("What was set is in JSON and page as in those of other experiments")
  func set() throws {
    let projection = try Self.small.get()
    let set = SetWords(["population.members=300", "rules.note=<b>"])
    let text = ProjectionFiles.json(projection, scenario: "small", set: set)
    let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(json["set"] as? [String] == ["population.members=300", "rules.note=<b>"])
    #expect(try object(projection)["set"] as? [String] == [])
    let page = ProjectionPage.html(
      projection, scenario: "small", description: "", settings: [], plotly: .cdn, source: nil,
      set: set)
    #expect(page.contains("Set here: population.members=300, rules.note=&lt;b&gt;"))
    #expect(page.contains("How members behave is an assumption of the scenario"))
  }

  private func page(_ projection: Projection) -> String {
    ProjectionPage.html(
      projection, scenario: "small", description: "", settings: [], plotly: .cdn, source: nil)
  }

  @Test("The page has a table of every quantity by month, of the tails and of what to replay")
  func tables() throws {
    let projection = try Self.small.get()
    let page = page(projection)
    let year = try #require(projection.year)
    for (caption, unit, estimate) in [
      ("Spend, accrual", MeasureUnit.money, year.spendAccrual),
      ("Spend, cash", .money, year.spendCash), ("Budget", .money, year.budget),
      ("Utilization", .share, try #require(year.utilisation)),
    ] {
      let row = try PageTable(caption, in: page).row("Whole run")
      #expect(row[1] == FigureText.value(estimate.mean, unit))
      let high = try #require(estimate.quantiles[1].high)
      #expect(
        row[4] == FigureText.value(estimate.percentiles[1], unit) + "|– to "
          + FigureText.value(high, unit))
    }
    let expected = try PageTable("Projected mid-month", in: page)
    #expect(expected.rows.count == 1 + 3, "the whole run has no middle day")
    let months = try PageTable("Months", in: page)
    #expect(months.rows.count == 1 + 3 + 1)
    #expect(try months.row("2026-02").last == "0.0 %|0.0 to 70.8 %")
    let tails = try PageTable("Spend at risk", in: page).row("Whole run")
    #expect(
      tails[1].hasPrefix(FigureText.money(year.tails[0].valueAtRisk.estimate)) && tails.count == 5)
    let chances = try PageTable("Chances of a breach", in: page)
    #expect(chances.rows.count == 1 + 4)
    let replays = try PageTable("Replications", in: page)
    #expect(replays.rows.dropFirst().map { $0[1] } == projection.highest.map { String($0.seed) })
  }

  @Test("The buttons of a plot have room above its cells")
  func buttons() throws {
    let plots = ProjectionPicture(try Self.small.get()).plots
    let months = try #require(plots.first { $0.title == "Breach by month" })
    guard case .object(let layout) = months.spec.layout,
      case .object(let margin) = layout["margin"], case .number(let top) = margin["t"]
    else {
      Issue.record("no margin")
      return
    }
    #expect(top >= 36)
    // The cells have no room for a sign of percent.
    #expect(months.text.hasPrefix("Percent of replications"))
  }

  @Test("The page opens with verdict, cost, P95 and chance, then the fan; links reach each section")
  func opening() throws {
    let projection = try Self.small.get()
    let page = page(projection)
    let cost = try #require(projection.figures.first { $0.name == "cost.total" }).estimate
    let critical = try #require(projection.year).critical
    let verdict = try #require(page.firstRange(of: "<p class=\"verdict"))
    let fan = try #require(page.firstRange(of: "id=\"plot-fan\""))
    let chances = try #require(page.firstRange(of: "<caption>Chances of a breach"))
    #expect(verdict.lowerBound < fan.lowerBound && fan.lowerBound < chances.lowerBound)
    let cards = page[verdict.lowerBound..<fan.lowerBound]
    for part in [
      "the program costs \(FigureText.money(cost.mean)) USDT on average",
      "<dt>Expected cost in all</dt><dd class=\"big\">\(FigureText.money(cost.mean))",
      "<dt>Highest cost</dt><dd class=\"big\">\(FigureText.money(cost.largest))",
      "\(critical.happened) of 3 replications",
    ] { #expect(cards.contains(part), "\(part)") }
    #expect(page.contains("3 replications, seed 1, 150 members each"))
    let links = page.matches(of: #/<a href="#([a-z]+)">/#).map { String($0.1) }
    #expect(links.first == "fan" && links.last != "run" && Set(links).count == links.count)
    for id in links { #expect(page.count(of: "<section id=\"\(id)\"") == 1, "\(id)") }
    #expect(page.count(of: "<section id=") == links.count)
    #expect(!page.contains("YlOrRd"), "colors come from the theme")
  }

  @Test(
    "A chance is 0 or 100 % only where nothing else happened",
    arguments: [
      (0, 200, "0 %"), (200, 200, "100 %"), (199, 200, "> 99 %"), (1, 1_000, "< 1 %"),
      (1, 200, "1 %"), (3, 200, "2 %"), (100, 200, "50 %"),
    ])
  func chances(happened: Int, of count: Int, text: String) {
    #expect(
      FigureText.chance(Projection.Chance(happened, of: count)).hasPrefix("\(text)  ("))
  }

  @Test(
    "An end of an interval is 0 or 100 % only where it is",
    arguments: [
      (0, 20, "0 to 17 %"), (20, 20, "83 to 100 %"), (0, 1_000, "0 to 0.4 %"),
      (0, 100_000, "0 to < 0.1 %"), (1_000, 1_000, "99.6 to 100 %"),
      (100_000, 100_000, "> 99.9 to 100 %"), (1, 1_000, "< 0.1 to 1 %"),
    ])
  func chanceIntervals(happened: Int, of count: Int, text: String) {
    let chance = FigureText.chance(Projection.Chance(happened, of: count))
    #expect(chance.hasSuffix("(\(text))"), "\(chance)")
  }

  @Test(
    "A share with a decimal is 0 or 100 % only where it is",
    arguments: [
      (0, "0.0 %"), (1, "100.0 %"), (0.9996, "> 99.9 %"), (0.9994, "99.9 %"), (0.0004, "< 0.1 %"),
    ] as [(Double, String)])
  func edges(share: Double, text: String) { #expect(FigureText.edge(share) == text) }

  @Test(
    "Times are in the largest unit that they fill",
    arguments: [
      (1_488_692, "17.2 d"), (999.6, "16.6 min"), (-7_200, "-2.0 h"), (0, "0 s"), (-1e-9, "0 s"),
      (12.34, "12.3 s"),
    ] as [(Double, String)])
  func times(seconds: Double, text: String) {
    #expect(FigureText.value(seconds, .duration) == text)
    #expect(FigureText.value(seconds, .instant) == text)
  }

  @Test("What was reached has as many decimals as show on which side of its bound it is")
  func faithfulValues() {
    #expect(FigureText.value(1.23304, .share, against: .lessOrEqual, 1.233) == "123.304 %")
    #expect(FigureText.value(1.2334, .share, against: .lessOrEqual, 1.2) == "123.3 %")
    #expect(FigureText.value(0.04999, .share, against: .less, 0.05) == "4.999 %")
    #expect(FigureText.value(1_000.4, .money, against: .lessOrEqual, 1_000) == "1000.4")
    #expect(FigureText.value(7, .count, against: .less, 7) == "7")
    // From 1,000 days on a text is in years, and a bound in days.
    #expect(FigureText.value(2_369.94, .days) == "6.5 years")
    #expect(FigureText.value(2_369.94, .days, against: .less, 90) == "2370 days")
    #expect(FigureText.value(999.7, .days, against: .moreOrEqual, 1_000) == "999.7 days")
    #expect(FigureText.value(10_500, .days, against: .less, 10_000) == "10500 days")
  }

  @Test("What is seldom is not called nothing")
  func seldom() {
    #expect(FigureText.value(0.04, .count) == "0.04" && FigureText.value(0.3, .count) == "0.3")
    #expect(FigureText.value(0, .count) == "0" && FigureText.value(0.0012, .count) == "0.001")
    // What is left of rounding is nothing.
    #expect(
      FigureText.value(1.9e-15, .count) == "0.0" && FigureText.value(5e-5, .count) == "0.0001")
    #expect(FigureText.value(5e-5, .count, against: .less, 0.001) == "0.0001")
  }

  @Test("The whole run is not a month, so that it has no chance to close Critical")
  func wholeRun() throws {
    let projection = try Self.small.get()
    let row = try PageTable("Months", in: page(projection)).row("Whole run")
    #expect(row.suffix(2) == ["–", "–"])
    let line = try #require(
      text(projection).split(separator: "\n").first { $0.hasPrefix("Whole run") })
    #expect(line.split(separator: " ").suffix(2) == ["–", "–"])
  }

  @Test("A program that counts its spend in one way has one column of it")
  func oneSpend() throws {
    let scenario = try Scenario.load(
      text: """
        name: shop
        programme: embera
        population: {members: 30}
        calendar: {days: 35}
        """, file: "shop.yaml")
    let runner = ReplicationRunner(try scenario.plan(), threads: 1)
    let fold = try #require(
      try Projector(runner, target: .replications(2)).run { _, _ in true })
    let projection = Projection(fold, seed: 1, dates: [])
    #expect(projection.months.allSatisfy { $0.spendCash.mean == $0.spendAccrual.mean })
    let one = text(projection)
    #expect(one.contains(#/\nMonth +Budget +Spend +Utilized /#), "\(one)")
    #expect(!one.contains("Accrual") && !one.contains("Cash"))
    let months = try PageTable("Months", in: page(projection))
    #expect(months.rows[0].prefix(4) == ["Month", "Budget", "Spend", "Utilized"])
    let two = try Self.small.get()
    #expect(text(two).contains(#/\nMonth +Budget +Accrual +Cash +Utilized /#))
    #expect(try PageTable("Spend, cash", in: page(two)).rows.count == 1 + 3 + 1)
    // Files have both all the same, for whoever reads those of any program.
    let row = try #require((try object(projection)["months"] as? [[String: Any]])?.first)
    #expect(row["spend_cash"] != nil && row["spend_accrual"] != nil)
  }

  @Test("A precision that was not reached is said in the text, on the page and in JSON")
  func precision() throws {
    let scenario = try Scenario.load(
      text: "name: small\npopulation: {members: 60}\ncalendar: {days: 40}\n", file: "s.yaml")
    let runner = ReplicationRunner(try scenario.plan(), threads: 2)
    func projection(_ wanted: Double) throws -> Projection {
      let fold = try #require(
        try Projector(runner, target: .precision(wanted, most: 12)).run { _, _ in true })
      return Projection(fold, seed: 1, dates: [])
    }
    let missed = try projection(1e-9)
    let words = "12 replications did not reach the precision"
    #expect(text(missed).contains(words) && page(missed).contains(words))
    let said = try #require(try object(missed)["precision"] as? [String: Any])
    #expect(said["is_reached"] as? Bool == false && said["wanted"] as? Double == 1e-9)
    let reached = try projection(0.999)
    #expect(!text(reached).contains("did not reach"))
    let counted = try object(try Self.small.get())
    #expect(counted["precision"] is NSNull)
  }

  @Test("Asked-for series are shown in their unit")
  func units() throws {
    let cases: [(String, MeasureUnit, Double, String)] = [
      ("series.treasury.wallet_member", .money, 1_234_567.4, "1,234,567"),
      ("peak.ledger.guarantee.total", .money, 12.345, "12.35"),
      ("series.trip_reserve", .money, 2_000_000, "2,000,000"),
      ("series.payouts.confirm_p95", .duration, 12.34, "12.3 s"),
      ("peak.scans.processing_mean", .duration, 0.0512, "51.2 ms"),
      ("series.payouts.queue", .count, 1_234, "1,234"),
      ("series.prize.Trip $200K.awarded", .count, 7, "7"),
      ("scans.error_rate", .share, 0.0312, "3.1 %"),
      ("budget.utilisation.p95", .share, 1.145, "114.5 %"),
    ]
    for (name, unit, value, text) in cases {
      #expect(BlakJaksProgramme.figures.figure(name)?.unit == unit, "\(name)")
      #expect(FigureText.value(value, unit) == text, "\(name)")
    }
    #expect(
      BlakJaksProgramme.figures.figure("series.trip_reserve")?.title == "series.trip_reserve, USDT")
    #expect(
      BlakJaksProgramme.figures.figure("series.payouts.queue")?.title == "series.payouts.queue")
  }
}
