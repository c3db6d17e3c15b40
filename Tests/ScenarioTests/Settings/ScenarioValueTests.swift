// Goal: what a scenario writes arrives in the typed values exactly, in every spelling allowed.
// Method: one setting at a time, read back from the typed values.
import BlakJaks
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct ScenarioValueTests {
  private func load(_ text: String) throws -> Scenario {
    try Scenario.load(text: "name: a\n" + text, file: "t.yaml")
  }

  @Test(
    "Money is exact to a micro-USDT and never a double",
    arguments: [
      ("5", 5_000_000), ("5.00", 5_000_000), ("'5.10'", 5_100_000), ("5.1 USDT", 5_100_000),
      ("2.000001", 2_000_001), ("999999999.999999", 999_999_999_999_999),
      ("1e9", 1_000_000_000_000_000),
    ] as [(String, Int64)])
  func money(text: String, micro: Int64) throws {
    #expect(try load("economy: {price: \(text)}\n").rules.economy.price.microunits == micro)
  }

  @Test(
    "A share is a number or a percentage",
    arguments: [
      ("0.6", 6_000), ("60 %", 6_000), ("60%", 6_000), ("'60 %'", 6_000), ("0.0001", 1),
      ("0.01 %", 1), ("0", 0), ("93 %", 9_300),
    ] as [(String, Int64)])
  func share(text: String, points: Int64) throws {
    let rules = try load("rules: {comp_pool: {share: \(text)}}\n").rules
    #expect(rules.compPool.share == BasisPoints(points))
  }

  @Test(
    "A percentage is the same double as its decimal",
    arguments: zip(["7 %", "0.07", "35%", "0.2 %"], [0.07, 0.07, 0.35, 0.002]))
  func fraction(text: String, value: Double) throws {
    let tins = try load("population: {tins: {shop: \(text)}}\n").population.tins
    #expect(tins.shop == value)
  }

  @Test(
    "A duration is exact in every unit",
    arguments: [
      ("1 h", .hours(1)), ("90min", .minutes(90)), ("1.5 h", .minutes(90)), ("1 d", .days(1)),
      ("1000 ms", .seconds(1)), ("1000001 us", TimeSpan(microseconds: 1_000_001)),
    ] as [(String, TimeSpan)])
  func duration(text: String, span: TimeSpan) throws {
    #expect(try load("calendar: {window: \(text)}\n").calendar.window == span)
  }

  @Test func aGuaranteeIsSettledAfterWholeDaysInAnyUnit() throws {
    let rules = try load("rules: {guarantee: {after: 2 w}}\n").rules
    #expect(rules.guarantee.afterDays == 14)
    #expect(try load("rules: {guarantee: {after: 48 h}}\n").rules.guarantee.afterDays == 2)
  }

  @Test func theLargestSeedIsExact() throws {
    #expect(try load("seed: 18446744073709551615\n").seed == .max)
    #expect(try load("seed: 0\n").seed == 0)
  }

  @Test func aSeasonIsSwitchedOffByAWordAndOnByAGroup() throws {
    #expect(try !load("population: {season: none}\n").population.season.enabled)
    let season = try load("population: {season: {weekdays: [1, 1, 1, 1, 1, 0, 0]}}\n")
      .population.season
    #expect(season.enabled)
    #expect(season.weekdays == [1, 1, 1, 1, 1, 0, 0])
    #expect(season.hours == SeasonSettings().hours)
  }

  @Test func optionalValuesMayBeLeftOpen() throws {
    let population = try load(
      "population: {purchase: {r: 0.243, alpha: null}, adoption: {market: ~}}\n"
    ).population
    #expect(population.purchase.r == 0.243)
    #expect(population.purchase.alpha == nil)
    #expect(population.adoption.market == nil)
  }

  @Test("The word none leaves a number open, and is a text where text is wanted")
  func noneLeavesOpen() throws {
    let scenario = try load(
      "description: none\npopulation: {purchase: {alpha: none}, adoption: {market: none}}\n")
    #expect(scenario.population.purchase.alpha == nil && scenario.population.adoption.market == nil)
    #expect(scenario.description == "none")
    let again = try Scenario.load(text: scenario.yaml, file: "t.yaml")
    #expect(again.population.adoption.market == nil && again.description == "none")
  }

  @Test func listsOfRecordsReplaceTheDefault() throws {
    let scenario = try load(
      """
      rules:
        prizes:
          - name: Car
            kind: trip
            amount: 30000.50
            every: 250000
            tier: whale
            allocation: draw
          - {name: Dinner, kind: casino, amount: 80, every: 700}
      population:
        season:
          holidays:
            - {date: 2026-12-24, factor: 0.4}
      """)
    #expect(
      scenario.rules.prizes == [
        Prize(
          name: "Car", kind: .trip, amount: MicroUSDT(microunits: 30_000_500_000),
          every: 250_000, requiredTier: .whale, allocation: .draw),
        Prize(
          name: "Dinner", kind: .casino, amount: .whole(80), every: 700,
          requiredTier: .standard),
      ])
    #expect(
      scenario.population.season.holidays == [
        HolidayFactor(date: CivilDate("2026-12-24")!, factor: 0.4)
      ])
    #expect(try load("rules: {prizes: []}\n").rules.prizes.isEmpty)
  }

  @Test func thresholdsAreReadWithTheirLine() throws {
    let scenario = try load(
      "expect:\n  - budget.utilisation.p95 < 1.0\n  - prizes.awarded>=5\n"
        + "  - budget.utilisation.max <= 95 %\n")
    #expect(scenario.expect.map(\.figure).first == "budget.utilisation.p95")
    #expect(scenario.expect.map(\.comparison) == [.less, .moreOrEqual, .lessOrEqual])
    #expect(scenario.expect.map(\.bound) == [1, 5, 0.95])
    #expect(scenario.expect.map(\.line) == [3, 4, 5])
    #expect(scenario.expect[0].text == "budget.utilisation.p95 < 1.0")
  }

  @Test("Thresholds are read in the form of conditions, too")
  func conditions() throws {
    let scenario = try load(
      "expect:\n  - P(critical) <= 5 %\n  - P( warning@2026-12 ) < 0.5\n"
        + "  - mean(budget.spend.year) < 5_000_000\n  - p10(scans.accepted) > 5\n"
        + "  - P(budget.utilisation.max > 110 %) <= 0.1\n")
    #expect(
      scenario.expect.map(\.measure) == [
        .probability(.status(.critical, month: nil)),
        .probability(.status(.warning, month: "2026-12")), .mean("budget.spend.year"),
        .percentile(10, "scans.accepted"),
        .probability(.figure("budget.utilisation.max", .more, 1.1)),
      ])
    #expect(scenario.expect.map(\.bound) == [0.05, 0.5, 5e6, 5, 0.1])
    for (wrong, said) in [
      ("P(critical) <= 5", "is not a probability"), ("P(tight) <= 0.1", "is not an event"),
      ("mean(nothing) < 1", "unknown figure 'nothing'"),
      ("P(series.nothing > 1) < 0.1", "no run has a daily series 'nothing'"),
      ("p0(tins.sold) < 1", "neither P, mean nor p1 to p99"),
    ] {
      do {
        _ = try load("expect:\n  - \(wrong)\n")
        Issue.record("'\(wrong)' is read")
      } catch let errors as InputErrors {
        #expect(errors.description.contains(said), "\(errors)")
      }
    }
  }

  @Test("A threshold on a month that the run does not reach is refused at its line")
  func monthsOfThresholds() throws {
    let days = "calendar: {start: 2026-01-15, days: 45}\n"
    for month in ["2026-01", "2026-02"] {
      #expect(try load(days + "expect: [P(critical@\(month)) <= 5 %]\n").expect.count == 1)
    }
    for month in ["2025-12", "2026-03", "2027-02"] {
      do {
        _ = try load(days + "expect:\n  - P(critical@\(month)) <= 5 %\n")
        Issue.record("\(month) is read")
      } catch let errors as InputErrors {
        #expect(
          errors.description.contains("\(month) is not in the run")
            && errors.description.contains("2026-01 to 2026-02"), "\(errors)")
      }
    }
    let text = "name: t\ncalendar: {start: 2026-01-15}\nexpect: [P(warning@2026-06) < 1]\n"
    #expect(throws: Never.self) { _ = try Scenario.load(text: text, file: "t.yaml") }
    #expect(throws: InputErrors.self) {
      _ = try Scenario.load(
        text: text, file: "t.yaml", overrides: [SettingOverride(argument: "calendar.days=60")])
    }
  }

  @Test func thresholdsNameDailySeriesByTheirKeys() throws {
    let scenario = try load(
      "expect:\n  - series.payouts.queue <= 5\n  - peak.prize.Crypto $1K.waiting < 3\n")
    #expect(
      scenario.expect.map(\.figure) == ["series.payouts.queue", "peak.prize.Crypto $1K.waiting"])
    #expect(throws: InputErrors.self) { try load("expect:\n  - series. <= 5\n") }
    #expect(throws: InputErrors.self) { try load("expect:\n  - serie.payouts.queue <= 5\n") }
  }

  @Test("A bound in percent is the number that it says, and numbers are written one way")
  func exactBounds() throws {
    for tenths in 1..<1_000 {
      let word = "\(tenths / 10).\(tenths % 10)"
      let expect = try load("expect: [P(critical) <= \(word) %]\n").expect
      #expect(expect.map(\.bound) == [Double(tenths) / 1_000], "\(word)")
    }
    for figure in ["budget.spend.year", "mean(budget.spend.year)"] {
      let expect = try load("expect: [\(figure) < 5_000_000]\n").expect
      #expect(expect.map(\.bound) == [5_000_000])
      for (word, bound) in [(".5", 0.5), ("-.5", -0.5), ("+.5e3", 500)] {
        #expect(try load("expect: [\(figure) < \(word)]\n").expect.map(\.bound) == [bound])
      }
      for word in ["0x10", "5.", "1e400", "nan"] {
        #expect(throws: InputErrors.self, "\(word)") { try load("expect: [\(figure) < \(word)]\n") }
      }
    }
  }

  @Test("A share of more than all has lost its percent sign; several times a budget have not")
  func lostPercentSign() throws {
    for (line, percent) in [
      ("budget.utilisation.year < 90", 9_000), ("scans.error_rate < 5", 500),
      ("P(budget.utilisation.max > 1_0) <= 5 %", 1_000),
    ] {
      do {
        _ = try load("expect:\n  - \(line)\n")
        Issue.record("\(line) is read")
      } catch let errors as InputErrors {
        #expect(errors.description.contains("would be \(percent) %; write"), "\(errors)")
      }
    }
    for bound in ["90 %", "0.9", "5", "1000 %"] {
      #expect(try load("expect:\n  - budget.utilisation.year < \(bound)\n").expect.count == 1)
    }
    #expect(try load("expect:\n  - members.total < 90\n").expect.count == 1)
  }

  @Test func aComparisonWithNoNumberNeverHolds() {
    for comparison in Expectation.Comparison.allCases {
      #expect(!comparison.holds(.nan, 1))
    }
    #expect(Expectation.Comparison.less.holds(0.5, 1))
    #expect(!Expectation.Comparison.less.holds(1, 1))
    #expect(Expectation.Comparison.lessOrEqual.holds(1, 1))
    #expect(Expectation.Comparison.moreOrEqual.holds(1, 1))
    #expect(!Expectation.Comparison.more.holds(1, 1))
  }
}
