import BlakJaks
// Goal: a projection says what its replications say, with the statistics of their names.
// Method: hand-made replications with answers by hand; R's type-7 quantiles; the intervals of
// `Proportion`, `QuantileInterval` and `TailRisk`, which are tested on their own.
import EventKernel
import Experiments
import Foundation
import RewardModel
import Scenario
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ProjectionTests {
  @Test("Means, half-widths and percentiles")
  func estimates() throws {
    // R: mean, sd, t.test and quantile(type = 7) of 1, 2, 3, 4, 10.
    let estimate = try #require(Estimate([10, 1, 3, 2, 4]))
    #expect(estimate.count == 5 && estimate.mean == 4)
    #expect(near(estimate.standardDeviation, 12.5.squareRoot()))
    let student = 2.776445105197793 * (12.5 / 5).squareRoot()
    #expect(near(estimate.halfWidth, 1.747949882092098 * student, 1e-8))
    for (value, expected) in zip(estimate.percentiles, [1.2, 1.4, 3, 7.6, 8.8]) {
      #expect(near(value, expected))
    }
    let one = try #require(Estimate([3]))
    #expect(one.halfWidth == nil && one.standardDeviation == nil)
    #expect(one.percentiles == [3, 3, 3, 3, 3])
    #expect(one.quantiles.allSatisfy { $0.low == nil && $0.high == nil })
    #expect(Estimate([]) == nil)
    #expect(Estimate([1, .nan]) == nil)
  }

  /// Ranks by hand from the binomial distribution of 100 trials, in R: qbinom(0.025, 100, 0.05)
  /// is 1 and qbinom(0.975, 100, 0.05) is 10, so that 1 and 11 enclose P5; for the median 40 and 61.
  @Test("Percentiles have the order statistics around them, and no end where there is none")
  func percentileIntervals() throws {
    let estimate = try #require(Estimate((1...100).shuffled().map { Double($0) }))
    #expect(estimate.quantiles[0].low == 1 && estimate.quantiles[0].high == 11)
    #expect(estimate.quantiles[2].low == 40 && estimate.quantiles[2].high == 61)
    #expect(estimate.quantiles[4].low == 90 && estimate.quantiles[4].high == 100)
    #expect(estimate.quantiles.allSatisfy { $0.level == 0.95 && $0.count == 100 })
    // Seventy-one are one too few for P5 and P95.
    let few = try #require(Estimate((1...71).map { Double($0) }))
    #expect(few.quantiles[0].low == nil && few.quantiles[0].high != nil)
    #expect(few.quantiles[4].low != nil && few.quantiles[4].high == nil)
  }

  @Test("A chance has the exact interval", arguments: [(0, 10), (3, 10), (10, 10), (1, 200)])
  func chances(happened: Int, count: Int) throws {
    let chance = Projection.Chance(happened, of: count)
    let exact = try Proportion(successes: happened, trials: count).exact()
    #expect(chance.low == exact.low && chance.high == exact.high)
    #expect(chance.share == Double(happened) / Double(count))
    // At an end, so many events or fewer, or so many or more, have a chance of 2.5 %.
    func tail(_ share: Double, _ counts: ClosedRange<Int>) -> Double {
      counts.reduce(0) { sum, events in
        let ways =
          lgamma(Double(count + 1)) - lgamma(Double(events + 1))
          - lgamma(Double(count - events + 1))
        return sum + exp(ways) * pow(share, Double(events)) * pow(1 - share, Double(count - events))
      }
    }
    #expect(happened == 0 ? chance.low == 0 : near(tail(chance.low, happened...count), 0.025))
    #expect(happened == count ? chance.high == 1 : near(tail(chance.high, 0...happened), 0.025))
  }

  @Test("Nothing is known of no replications")
  func noChance() {
    let chance = Projection.Chance(0, of: 0)
    #expect(chance.low == 0 && chance.high == 1 && chance.share == 0)
  }

  /// Four replications: calm, tight in January, broken in December, and broken in both months.
  private let runs = [
    HandmadeRun(awards: [1, 0], scans: 2, seed: 11),
    HandmadeRun(
      spend: [40, 90], status: [.normal, .warning], days: [.normal, .normal, .warning, .warning],
      awards: [0, 2], scans: 4, seed: 12),
    HandmadeRun(
      spend: [120, 40], status: [.critical, .normal], days: [.warning, .critical, .normal, nil],
      scans: 6, seed: 13),
    HandmadeRun(
      spend: [120, 110], status: [.critical, .critical],
      days: [.critical, .critical, .critical, .critical],
      cohorts: [[10, 10, 10, 10], [nil, nil, 8, 6]], scans: 0, seed: 14),
  ]

  @Test("Months: spend, utilization, chances and tails")
  func months() throws {
    let projection = projection(of: runs)
    #expect(projection.months.map(\.label) == ["2026-12", "2027-01"])
    let december = projection.months[0]
    #expect(december.spendAccrual.mean == 80 && december.spendCash.mean == 160)
    #expect(december.budget.mean == 100)
    #expect(near(december.utilisation?.mean, 0.8))
    #expect(december.warning.happened == 2 && december.critical.happened == 2)
    let january = projection.months[1]
    #expect(january.warning.happened == 2 && january.critical.happened == 1)
    #expect(january.critical.of == 4)
    #expect(january.tails.map(\.probability) == [0.95, 0.99])
    // An order statistic: of 40, 60, 90 and 110 the last.
    #expect(january.tails[0].valueAtRisk.estimate == 110)
    #expect(near(january.tails[0].expectedShortfall.estimate, 110))
    // Of two days the first is the middle one.
    #expect(december.projected?.mean == 0.3 && january.projected?.mean == 0.5)
    #expect(projection.count == 4 && projection.percentileError == 0)
  }

  @Test("The whole run is all of its months: its spend, and any of them breaking the budget")
  func year() throws {
    let projection = projection(of: runs)
    let year = try #require(projection.year)
    #expect(year.spendAccrual.mean == 155 && year.spendCash.mean == 310)
    #expect(year.budget.mean == 200 && near(year.utilisation?.mean, 0.775))
    #expect(year.projected == nil)
    #expect(year.warning.happened == 3 && year.critical.happened == 2)
    #expect(year.tails[0].valueAtRisk.estimate == 230)
    // Days: all but the first have a bad one, two of them a critical one.
    #expect(projection.everWarning.happened == 3 && projection.everCritical.happened == 2)
    let exact = try Proportion(successes: 2, trials: 4).exact()
    #expect(projection.everCritical.low == exact.low)
    #expect(projection.everCritical.high == exact.high)
  }

  @Test("Replications in antithetic pairs have intervals that count pairs")
  func pairs() throws {
    // Each pair has one calm run and one that breaks both months; so nothing is left to chance.
    let replications = (0..<80).map { runs[$0.isMultiple(of: 2) ? 0 : 3].replication($0) }
    func projection(_ antithetic: Antithetic) -> Projection {
      var fold = ProjectionFold(measured: measured, antithetic: antithetic)
      for replication in replications { fold.add(replication) }
      return Projection(fold, seed: 1, dates: HandmadeRun.dates)
    }
    let (paired, single) = (projection(.on), projection(.off))
    func chances(_ projection: Projection) throws -> [Projection.Chance] {
      [projection.everCritical, try #require(projection.year).critical]
        + projection.months.map(\.critical) + projection.days.map(\.critical)
    }
    for (pair, alone) in try zip(chances(paired), chances(single)) {
      #expect(pair.happened == alone.happened && pair.of == 80)
      let truth = try Proportion(successes: 40, trials: 80, pairs: PairCounts(one: 40)).exact()
      if pair.happened == 40 { #expect(pair.low == truth.low && pair.high == truth.high) }
      #expect(pair.high - pair.low < alone.high - alone.low)
    }
    // Of 40 pairs no more is known than of 40 replications.
    let few = Projection.Chance(0, of: 40)
    #expect(paired.unseen.high == few.high && single.unseen.high < few.high)
    let spend = "spend.accrual.year"
    let row = paired.figures.first { $0.name == spend } ?? paired.figures[0]
    #expect(row.estimate.quantiles.count == 5)
    let year = try #require(paired.year)
    // Half of the runs spend 100, half 230.
    #expect(year.spendAccrual.quantiles[4].estimate == 230)
  }

  @Test("Recognition by cash counts cash")
  func cash() throws {
    let cash = projection(
      of: runs.map { run in
        var run = run
        run.cash = true
        return run
      })
    #expect(near(cash.months[1].tails[0].expectedShortfall.estimate, 220))
    #expect(near(cash.months[0].utilisation?.mean, 1.6))
    #expect(cash.days.last?.spend[2] == 290)
    #expect(cash.exceedance.map(\.spend) == [200, 260, 320, 460])
    #expect(near(cash.year?.utilisation?.mean, 1.55))
  }

  @Test("Days: percentiles of spend so far and shares of status")
  func days() throws {
    let days = projection(of: runs).days
    #expect(days.count == 4)
    // After two days December is spent: 40, 40, 120, 120.
    #expect(days[1].spend[2] == 80 && days[1].spend[0] == 40 && days[1].spend[4] == 120)
    #expect(days.map(\.budget) == [50, 100, 150, 200])
    #expect(days.map(\.warning.happened) == [2, 2, 2, 2])
    #expect(days.map(\.critical.happened) == [1, 2, 1, 1])
    #expect(days.map(\.critical.of) == [4, 4, 4, 4])
    #expect(days.map(\.projectedMean) == [0.3, 0.4, 0.5, 0.6])
    #expect(days[3].projected == [0.6, 0.6, 0.6, 0.6, 0.6])
  }

  @Test("The whole run: spend in order, awards, heat, retention and replays")
  func wholeRun() throws {
    let projection = projection(of: runs)
    #expect(projection.exceedance.map(\.spend) == [100, 130, 160, 230])
    #expect(projection.exceedance.map(\.share) == [1, 0.75, 0.5, 0.25])
    #expect(projection.events == [Projection.Events(kind: "Trip", means: [0.25, 0.5])])
    // 30 December 2026 is a Wednesday: four days from row 2 on, at hour 5.
    let rows = projection.heat.indices.filter { projection.heat[$0] > 0 }
    #expect(rows == [2, 3, 4, 5].map { $0 * 24 + 5 })
    #expect(projection.heat[2 * 24 + 5] == 3)
    // December's cohort: of 20 sign-ups each 10 are left at its month's end; 8, 8, 8 and 10 of
    // them a month later. January's: of 8 sign-ups 4, 4, 4 and 6.
    #expect(projection.retention.count == 2)
    #expect(near(projection.retention[0][1], 34.0 / 80) && projection.retention[0][0] == 0.5)
    #expect(projection.retention[1] == [18.0 / 32])
    #expect(projection.highest.map(\.seed) == [14, 13, 12, 11])
    #expect(projection.highest.map(\.number) == [3, 2, 1, 0])
    #expect(near(projection.highest[0].utilisation, 1.15))
    let figure = try #require(
      projection.figures.first { $0.name == "budget.spend.year" })
    #expect(figure.estimate.mean == 155)
    // A figure that no replication has is left out.
    #expect(!projection.figures.contains { $0.name == "liability.chips" })
  }

  @Test("Days and months without a budget expect nothing")
  func noBudget() throws {
    let none = HandmadeRun(
      budget: [0, 100], status: [nil, .normal], days: [nil, nil, .normal, .normal],
      projected: [nil, nil, 5_000, 6_000])
    let projection = projection(of: [none, none])
    #expect(projection.months[0].utilisation == nil && projection.months[0].projected == nil)
    #expect(projection.days[0].projected.isEmpty && projection.days[0].projectedMean == nil)
    #expect(projection.months[1].projected?.mean == 0.5)
  }

  @Test("A given number of replications is run, each is told in order, and progress too")
  func number() throws {
    let runner = try smallRunner(try smallScenario("calendar.days=5"))
    let told = Mutex<[Int]>([])
    let each = Mutex<[Int]>([])
    let done = try Projector(runner, target: .replications(3)).run(
      each: { row in each.withLock { $0.append(row.index) } },
      proceed: { count, expected in
        told.withLock { $0.append(count * 10 + expected) }
        return true
      })
    #expect(done?.count == 3 && each.withLock { $0 } == [0, 1, 2])
    #expect(told.withLock { $0 } == [13, 23, 33])
    let stopped = try Projector(runner, target: .replications(3)).run { _, _ in false }
    #expect(stopped == nil)
  }

  @Test("A precision stops at ten at least, and at the most allowed")
  func precision() throws {
    let runner = try smallRunner(try smallScenario("calendar.days=20"))
    func run(_ wanted: Double, most: Int) throws -> ProjectionFold {
      try #require(
        try Projector(runner, target: .precision(wanted, most: most)).run { _, _ in
          true
        })
    }
    let year = "budget.utilisation.year"
    let ten = try run(0.999, most: 50)
    #expect(ten.count == 10)
    #expect(try run(1e-15, most: 13).count == 13)
    #expect(try run(0.5, most: 4).count == 4)
    // Half of what ten reach takes more, and then it is reached.
    let reached = try #require(ten.halfWidth(of: year))
    let more = try run(reached * 0.7, most: 60)
    let last = try #require(more.halfWidth(of: year))
    #expect((12...60).contains(more.count))
    #expect(last <= reached * 0.7 || more.count == 60)
    // Rounds go on where the last one ended.
    let all = try #require(try runner.run(0..<more.count)).figures(year)
    #expect(near(more.estimate(of: year)?.mean, all.reduce(0, +) / Double(all.count)))
    #expect(near(ten.estimate(of: year)?.mean, all.prefix(10).reduce(0, +) / 10))
  }

  @Test("Thresholds hold for replications by their percentile")
  func thresholds() throws {
    func verdicts(_ lines: String...) throws -> [ExpectationVerdict] {
      let text =
        "name: small\npopulation: {members: 40}\ncalendar: {start: 2026-12-01, days: 60}\nexpect:\n"
        + lines.map { "  - \($0)\n" }.joined()
      let scenario = try Scenario.load(text: text, file: "s.yaml")
      let measured = MeasuredFigures(
        BlakJaksProgramme.figures, asked: scenario.expect.compactMap(\.figure))
      var fold = ProjectionFold(measured: measured)
      for (index, run) in runs.enumerated() {
        fold.add(
          Replication(
            run.record, of: BlakJaksProgramme.self, index: index, measured: measured,
            fingerprint: ""))
      }
      return try scenario.expect.map { try #require(ExpectationVerdict($0, fold)) }
    }
    // Spend of the four runs: 100, 130, 160 and 230.
    let all = try verdicts(
      "budget.spend.year < 200", "p50(budget.spend.year) < 150", "p50(budget.spend.year) < 140",
      "budget.spend.year > 99", "series.trip_reserve < 1")
    #expect(all.map(\.holds) == [false, true, false, true, false])
    #expect(
      all.map(\.expectation.measure) == [
        .percentile(95, "budget.spend.year"), .percentile(50, "budget.spend.year"),
        .percentile(50, "budget.spend.year"), .percentile(5, "budget.spend.year"),
        .percentile(95, "series.trip_reserve"),
      ])
    #expect(all.map(\.met) == [3, 2, 2, 4, 0])
    #expect(near(all[1].reached, 145) && all[4].reached == nil)
    let more = try verdicts(
      "mean(budget.spend.year) <= 155", "mean(budget.spend.year) < 154",
      "P(budget.spend.year > 150) <= 50 %", "P(budget.spend.year > 120) <= 50 %",
      "P(budget.spend.year > 150) >= 0.5")
    #expect(more.map(\.holds) == [true, false, true, false, true])
    #expect(near(more[0].reached, 155) && near(more[2].reached, 0.5))
    #expect(more.map(\.unit) == [.money, .money, .share, .share, .share])
    #expect(more.map(\.met) == [2, 2, 2, 1, 2])
    let months = try verdicts("P(critical) <= 5 %", "P(warning) >= 1", "P(critical@2026-12) <= 1")
    let critical = runs.count { run in run.status.contains(.critical) }
    let warned = runs.count { run in run.status.contains { $0 != nil && $0 != .normal } }
    #expect(near(months[0].reached, Double(critical) / 4) && months[0].figure == nil)
    #expect(near(months[1].reached, Double(warned) / 4))
    #expect(months[2].holds)
    do {
      _ = try verdicts("series.trip_reserv < 1")
      Issue.record("a misspelled series is read")
    } catch let errors as InputErrors {
      #expect(errors.description.contains("did you mean 'trip_reserve'?"), "\(errors)")
    }
  }

  @Test("Thresholds count replications as they were, not as a sketch gives them back")
  func countedThresholds() throws {
    let (count, zeros) = (3_000, 1_200)
    let scenario = try Scenario.load(
      text: "name: small\npopulation: {members: 40}\ncalendar: {days: 60}\nexpect:\n"
        + "  - P(budget.spend.year > 0) <= 60 %\n  - P(budget.spend.year > 0) < 60 %\n"
        + "  - budget.spend.year > 0\n  - p45(budget.spend.year) > 0\n"
        + "  - p39(budget.spend.year) <= 0\n  - mean(budget.spend.year) > 0\n", file: "s.yaml")
    var differing = 0
    // Where the zeros lie, in bins around the median, is another place for each scale.
    for scale in Int64(1)...3 {
      var fold = ProjectionFold(measured: measured, expect: scenario.expect)
      var plain = ProjectionFold(measured: measured)
      for index in 0..<count {
        let isZero = index * 2 / 5 != (index + 1) * 2 / 5
        let spend = isZero ? 0 : 90 + scale * 7 + Int64(index % 2_000)
        let replication = HandmadeRun(spend: [spend, 0]).replication(index)
        fold.add(replication)
        plain.add(replication)
      }
      let verdicts = try scenario.expect.map { try #require(ExpectationVerdict($0, fold)) }
      #expect(verdicts.map(\.holds) == [true, false, false, true, true, true])
      #expect(verdicts[0].reached == Double(count - zeros) / Double(count))
      #expect(verdicts.map(\.met) == [1_200, 1_200, 1_800, 1_800, 1_200, 1_800])
      let sketched = try #require(ExpectationVerdict(scenario.expect[2], plain))
      differing += sketched.met == 1_800 ? 0 : 1
    }
    // The case is one: a sketch alone gives other counts at some of the scales.
    #expect(differing > 0)
  }

  @Test("Of replications too few for a percentile all have to meet its threshold")
  func fewReplications() throws {
    let scenario = try Scenario.load(
      text: "name: small\npopulation: {members: 40}\ncalendar: {days: 60}\nexpect:\n"
        + "  - budget.spend.year < 199.5\n  - budget.spend.year > 100.5\n"
        + "  - p90(budget.spend.year) < 199.5\n  - p90(budget.spend.year) > 100.5\n", file: "s.yaml"
    )
    func verdicts(_ count: Int) throws -> [ExpectationVerdict] {
      var fold = ProjectionFold(measured: measured)
      for index in 0..<count {
        // One replication is too high by a little, and one too low.
        let spend: Int64 = index == 0 ? 200 : index == 1 ? 100 : 150
        fold.add(HandmadeRun(spend: [spend, 0]).replication(index))
      }
      return try scenario.expect.map { try #require(ExpectationVerdict($0, fold)) }
    }
    let few = try verdicts(9)
    #expect(few.map(\.holds) == [false, false, false, true])
    #expect(few.map(\.isWorst) == [true, true, true, false])
    #expect(few.map(\.met) == [8, 8, 8, 8] && near(few[0].reached, 200))
    let more = try verdicts(19)
    #expect(more.map(\.holds) == [false, false, true, true])
    let enough = try verdicts(20)
    #expect(enough.map(\.holds) == [true, true, true, true])
    #expect(enough.allSatisfy { !$0.isWorst })
  }

  @Test("Thresholds on utilization are missed by spend without a budget")
  func spendWithoutBudget() throws {
    let scenario = try Scenario.load(
      text: "name: small\npopulation: {members: 40}\ncalendar: {days: 60}\nexpect:\n"
        + "  - P(budget.utilisation.year > 1) <= 5 %\n  - budget.utilisation.year < 1\n"
        + "  - mean(budget.utilisation.max) < 1\n  - p50(budget.utilisation.year) < 1\n"
        + "  - budget.utilisation.year > 1\n  - P(budget.utilisation.year <= 1) >= 5 %\n",
      file: "s.yaml")
    let run = HandmadeRun(spend: [40, 60], budget: [0, 0], status: [.critical, .critical])
    let idle = HandmadeRun(spend: [0, 0], budget: [0, 0], status: [nil, nil])
    let rows = scenario.expect.verdicts(BlakJaksProgramme.self, run.record)
    #expect(rows.map(\.holds) == [false, false, false, false, true, false])
    #expect(rows.allSatisfy { $0.reached == nil })
    #expect(scenario.expect.verdicts(BlakJaksProgramme.self, idle.record)[0].holds)
    func verdicts(_ runs: [HandmadeRun]) throws -> [ExpectationVerdict] {
      var fold = ProjectionFold(measured: measured)
      for (index, run) in runs.enumerated() { fold.add(run.replication(index)) }
      return try scenario.expect.map { try #require(ExpectationVerdict($0, fold)) }
    }
    let all = try verdicts([run, run])
    #expect(all.map(\.holds) == rows.map(\.holds) && all[0].reached == 1)
    #expect(all.map(\.met) == [0, 0, 0, 0, 2, 0])
    #expect(all[1...4].allSatisfy { $0.reached == nil })
    // Of three the middle one is known.
    let some = try verdicts([HandmadeRun(), run, HandmadeRun(spend: [40, 40])])
    #expect(some.map(\.holds) == [false, false, false, true, false, true])
    #expect(near(some[3].reached, 0.5) && near(some[0].reached, 1.0 / 3))
    #expect(some.map(\.met) == [2, 2, 2, 2, 1, 2])
    #expect(some.map { $0.gaps?.infinite } == [nil, 1, 1, 1, 1, nil])
    #expect(some.allSatisfy { ($0.gaps?.absent ?? 0) == 0 })
    let without = try verdicts([idle, run, HandmadeRun()])
    #expect(!without[2].holds && without[2].gaps?.absent == 1 && without[2].gaps?.infinite == 1)
  }

  @Test("Skewed values are as precise as their wider interval, not as Student's")
  func skewedPrecision() throws {
    let measured = MeasuredFigures(BlakJaksProgramme.figures)
    func goal(_ wanted: Double, _ spends: [Int64]) throws -> PrecisionGoal {
      var fold = ProjectionFold(measured: measured)
      for (index, spend) in spends.enumerated() {
        fold.add(
          Replication(
            HandmadeRun(spend: [spend, 60]).record, of: BlakJaksProgramme.self, index: index,
            measured: measured, fingerprint: ""))
      }
      return try #require(PrecisionGoal(wanted, fold))
    }
    let even = try goal(10, (0..<20).map { 100 + $0 })
    #expect(even.isReached && even.reached > 0)
    let spends = (0..<20).map { $0 == 19 ? Int64(900) : 100 + Int64($0 % 3) }
    let values = spends.map { Double($0) }
    let mean = values.reduce(0, +) / 20
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 19
    // Student's t at nineteen degrees of freedom.
    let student = 2.093024054408263 * (variance / 20).squareRoot() / 200
    let skewed = try goal(student * 1.001, spends)
    #expect(!skewed.isReached)
    #expect(
      near(skewed.reached, student * SkewedMean.widening(values, observations: 20), 1e-6))
    #expect(skewed.likely(after: 20) == 60, "three times as many a round at most")
  }
}
