// Goal: a projection says what its replications say, with the statistics of their names.
// Method: hand-made replications with answers by hand; numpy's and R's type-7 quantiles; the
// interval and the shortfall of `Proportion` and `TailRisk`, which are tested on their own.
import EventKernel
import Experiments
import Rulebook
import Scenario
import Synchronization
import Testing

@Suite struct ProjectionTests {
  @Test("Means, half-widths and percentiles")
  func estimates() throws {
    // R: mean, sd, t.test and quantile(type = 7) of 1, 2, 3, 4, 10.
    let estimate = try #require(Estimate([10, 1, 3, 2, 4]))
    #expect(estimate.count == 5 && estimate.mean == 4)
    #expect(near(estimate.standardDeviation, 12.5.squareRoot()))
    #expect(near(estimate.halfWidth, 2.776445105197793 * (12.5 / 5).squareRoot(), 1e-8))
    for (value, expected) in zip(estimate.percentiles, [1.2, 1.4, 3, 7.6, 8.8]) {
      #expect(near(value, expected))
    }
    let one = try #require(Estimate([3]))
    #expect(one.halfWidth == nil && one.standardDeviation == nil)
    #expect(one.percentiles == [3, 3, 3, 3, 3])
    #expect(Estimate([]) == nil)
    #expect(Estimate([1, .nan]) == nil)
  }

  @Test("The tail of 1 to 100: an interpolated value at risk, the mean of the worst five")
  func tails() throws {
    let losses = (1...100).map { Double($0) }
    let tail = Projection.tail(losses, level: 0.95)
    #expect(near(tail.valueAtRisk, 95.05))
    #expect(near(tail.expectedShortfall, 98))
    let far = Projection.tail(losses, level: 0.99)
    #expect(near(far.valueAtRisk, 99.01) && near(far.expectedShortfall, 100))
    let single = Projection.tail([7], level: 0.95)
    #expect(single.valueAtRisk == 7 && single.expectedShortfall == 7)
  }

  @Test("The shortfall is that of TailRisk wherever it is above the interpolated value at risk")
  func shortfall() throws {
    var stream = RandomStream(seed: 3, purpose: 1, entity: 0)
    for count in [40, 50, 77, 200] {
      let losses = (0..<count).map { _ in stream.standardExponential() }.sorted()
      for level in [0.9, 0.95, 0.97] {
        let risk = try TailRisk(losses: losses, probability: level)
        let tail = Projection.tail(losses, level: level)
        #expect(
          near(tail.expectedShortfall, max(risk.expectedShortfall.estimate, tail.valueAtRisk)))
      }
    }
  }

  @Test("A chance has Wilson's interval", arguments: [(0, 10), (3, 10), (10, 10), (1, 200)])
  func chances(happened: Int, count: Int) throws {
    let chance = Projection.Chance(happened, of: count)
    let wilson = try Proportion(successes: happened, trials: count).wilson()
    #expect(chance.low == wilson.low && chance.high == wilson.high)
    #expect(chance.share == Double(happened) / Double(count))
    // By the formula of 1927, written out.
    let (z, n, p) = (1.959963984540054, Double(count), chance.share)
    let half = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    #expect(near(chance.low, max(0, (p + z * z / (2 * n) - half) / (1 + z * z / n))))
    #expect(near(chance.high, min(1, (p + z * z / (2 * n) + half) / (1 + z * z / n))))
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

  @Test("Months: spend, utilisation, chances and tails")
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
    #expect(january.tails.map(\.level) == [0.95, 0.99])
    #expect(near(january.tails[0].valueAtRisk, 107))
    #expect(near(january.tails[0].expectedShortfall, 110))
    // Any month.
    #expect(projection.warning.happened == 3 && projection.critical.happened == 2)
    #expect(projection.count == 4)
  }

  @Test("Recognition by cash counts cash")
  func cash() throws {
    let cash = projection(
      of: runs.map { run in
        var run = run
        run.cash = true
        return run
      })
    #expect(near(cash.months[1].tails[0].expectedShortfall, 220))
    #expect(near(cash.months[0].utilisation?.mean, 1.6))
    #expect(cash.days.last?.spend[2] == 290)
    #expect(cash.yearSpend == [200, 260, 320, 460])
  }

  @Test("Days: percentiles of spend so far and shares of status")
  func days() throws {
    let days = projection(of: runs).days
    #expect(days.count == 4)
    // After two days December is spent: 40, 40, 120, 120.
    #expect(days[1].spend[2] == 80 && days[1].spend[0] == 40 && days[1].spend[4] == 120)
    #expect(days.map(\.budget) == [50, 100, 150, 200])
    #expect(days.map(\.warning) == [0.5, 0.5, 0.5, 0.5])
    #expect(days.map(\.critical) == [0.25, 0.5, 0.25, 0.25])
  }

  @Test("The whole run: spend in order, awards, heat, retention and replays")
  func wholeRun() throws {
    let projection = projection(of: runs)
    #expect(projection.yearSpend == [100, 130, 160, 230])
    #expect(projection.prizes == ["Trip"])
    #expect(projection.awards == [[0.25, 0.5]])
    // 30 December 2026 is a Wednesday: four days from row 2 on, at hour 5.
    let rows = projection.heat.indices.filter { projection.heat[$0] > 0 }
    #expect(rows == [2, 3, 4, 5].map { $0 * 24 + 5 })
    #expect(projection.heat[2 * 24 + 5] == 3)
    // December's cohort: 10 each at its month's end; 8, 8, 8 and 10 of them a month later.
    #expect(projection.retention.count == 2)
    #expect(near(projection.retention[0][1], 34.0 / 40) && projection.retention[0][0] == 1)
    #expect(projection.retention[1] == [1])
    #expect(projection.replays.map(\.seed) == [11, 12, 13, 14])
    #expect(near(projection.replays[3].utilisation, 1.15))
    let figure = try #require(
      projection.figures.first { $0.name == "budget.spend.year" })
    #expect(figure.estimate.mean == 155)
    // A figure that no replication has is left out.
    #expect(!projection.figures.contains { $0.name == "liability.chips" })
  }

  @Test("A given number of replications is run, and progress is told")
  func number() throws {
    let runner = try smallRunner(try smallScenario("calendar.days=5"))
    let told = Mutex<[Int]>([])
    let done = try Projector(runner, target: .replications(3)).run { count, expected in
      told.withLock { $0.append(count * 10 + expected) }
      return true
    }
    #expect(done?.map(\.index) == [0, 1, 2])
    #expect(told.withLock { $0 } == [13, 23, 33])
    #expect(try Projector(runner, target: .replications(3)).run { _, _ in false } == nil)
  }

  @Test("A precision stops at ten at least, and at the most allowed")
  func precision() throws {
    let runner = try smallRunner(try smallScenario("calendar.days=20"))
    func run(_ wanted: Double, most: Int) throws -> [Replication] {
      try #require(
        try Projector(runner, target: .precision(wanted, most: most)).run { _, _ in true })
    }
    let ten = try run(0.999, most: 50)
    #expect(ten.count == 10)
    #expect(try run(1e-15, most: 13).map(\.index) == Array(0..<13))
    #expect(try run(0.5, most: 4).count == 4)
    // Half of what ten reach takes more, and then it is reached.
    let reached = try #require(Estimate(try ten.figures("budget.utilisation.year"))?.halfWidth)
    let more = try run(reached * 0.7, most: 60)
    let last = try #require(Estimate(try more.figures("budget.utilisation.year"))?.halfWidth)
    #expect((12...60).contains(more.count))
    #expect(last <= reached * 0.7 || more.count == 60)
    #expect(more.prefix(10).map(\.fingerprint) == ten.map(\.fingerprint))
  }
}
