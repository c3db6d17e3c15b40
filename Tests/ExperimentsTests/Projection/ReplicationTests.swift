import BlakJaks
// Goal: a replication is the run that its seed replays, whatever runs beside it, and scenarios
// share their luck.
// Method: small worlds; each replication against a run of World itself with the documented seed,
// and against other numbers of threads.
import Experiments
import Quantities
import RewardModel
import Scenario
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ReplicationTests {
  @Test("Results are the same for one thread and three")
  func threads() throws {
    let scenario = try smallScenario()
    let alone = try #require(try smallRunner(scenario, threads: 1).run(0..<4))
    let beside = try #require(try smallRunner(scenario, threads: 3).run(0..<4))
    #expect(alone.map(\.fingerprint) == beside.map(\.fingerprint))
    #expect(alone.map(\.figures) == beside.map(\.figures))
    #expect(alone.map(\.index) == [0, 1, 2, 3])
    #expect(Set(alone.map(\.fingerprint)).count == 4, "luck differs")
    #expect(alone.allSatisfy { !$0.fingerprint.isEmpty })
  }

  @Test("Any part of the numbers gives the same replications")
  func parts() throws {
    let runner = try smallRunner(try smallScenario())
    let all = try #require(try runner.run(0..<3))
    let last = try #require(try runner.run(2..<3))
    #expect(last.map(\.fingerprint) == [all[2].fingerprint])
    #expect(last[0].index == 2)
    #expect(try runner.run(2..<2)?.isEmpty == true)
  }

  /// Number n > 0 has the n-th output of SplitMix64: the reference generator seeded with
  /// 1234567 begins with these words (its authors' test vector).
  @Test("Number 0 has the scenario's seed, the others the outputs of SplitMix64")
  func seeds() {
    #expect(ReplicationRunner.seed(7, replication: 0) == 7)
    #expect(ReplicationRunner.seed(1_234_567, replication: 1) == 6_457_827_717_110_365_317)
    #expect(ReplicationRunner.seed(1_234_567, replication: 2) == 3_203_168_211_198_807_973)
    let many = (0..<1_000).map { ReplicationRunner.seed(.max, replication: $0) }
    #expect(Set(many).count == 1_000)
  }

  @Test("The second of a pair has the first's seed mirrored; nobody else has a mirrored seed")
  func pairs() throws {
    var runner = try smallRunner(try smallScenario())
    runner.pairs = 2..<4
    let seeds = try #require(try runner.run(0..<6)).map(\.seed)
    #expect(seeds[3] == seeds[2] + 1 << 63)
    let plain = (0..<6).map { ReplicationRunner.seed(7, replication: $0) }
    #expect([0, 1, 2, 4, 5].allSatisfy { seeds[$0] == plain[$0] })
    #expect((0..<1_000).allSatisfy { ReplicationRunner.seed(7, replication: $0) < 1 << 63 })
  }

  @Test("Replications that nobody wants are given up in the middle, and nothing comes of them")
  func unwanted() throws {
    var runner = try smallRunner(try smallScenario(), threads: 2)
    let asked = Mutex(0)
    runner.isWanted = {
      asked.withLock { asked in
        asked += 1
        return asked < 500
      }
    }
    #expect(try runner.run(0..<4) == nil)
    // A replication asks after each of its 70 * 24 windows, so that none has ended.
    #expect(asked.withLock { $0 } < 510)
    runner.isWanted = { true }
    #expect(try runner.run(0..<1)?.count == 1)
  }

  @Test("A replication is the run that its seed replays")
  func replays() throws {
    let scenario = try smallScenario()
    let done = try #require(try smallRunner(scenario).run(0..<2))
    for replication in done {
      var input = try WorldInput(scenario)
      if replication.index > 0 { input.seed = replication.seed }
      var world = try World(input, threads: 1)
      let record = try world.run()
      #expect(record.seed == replication.seed)
      #expect(replication.fingerprint == rows(record))
      #expect(replication.months.map(\.label) == record.months.map(\.month))
      #expect(replication.events.flatMap(\.counts).reduce(0, +) == record.awards.count)
      #expect(replication.heat.reduce(0, +) == Double(record.acceptedScans))
      // Days add up to the months, by another way.
      let spent = record.months.reduce(0.0) { $0 + Double($1.spendAccrual.microunits) } / 1e6
      let budget = record.months.reduce(0.0) { $0 + Double($1.budget.microunits) } / 1e6
      #expect(near(replication.spend.last.map { Double($0) }, spent, 1e-5))
      #expect(near(replication.budget.last.map { Double($0) }, budget, 1e-5))
      // One column a month from the cohort's own on.
      #expect(replication.cohorts.map(\.count) == [3, 2, 1])
      #expect(replication.cohortSignUps.reduce(0, +) == 120)
      #expect(zip(replication.cohorts, replication.cohortSignUps).allSatisfy { $0[0] <= $1 })
    }
  }

  @Test("An interrupt stops the experiment and gives nothing")
  func interrupt() throws {
    let runner = try smallRunner(try smallScenario(), threads: 2)
    let told = Mutex<[Int]>([])
    let result = try runner.run(0..<20) { done in
      told.withLock { $0.append(done) }
      return done < 3
    }
    #expect(result == nil)
    let counts = told.withLock { $0 }
    #expect(counts.prefix(3) == [1, 2, 3])
    #expect(counts.count <= 4, "only what was under way still ends")
  }

  @Test("A run that fails reports the first number and its seed", arguments: [1, 3])
  func failure(threads: Int) throws {
    var plan = try #require(
      try smallScenario().plan() as? ProgrammePlan<BlakJaksProgramme>)
    plan.settings.rules.scanReward.base = MicroUSDT(microunits: .max)
    let runner = ReplicationRunner(plan, threads: threads)
    let failure = try #require(throws: ReplicationFailure.self) { try runner.run(4..<8) }
    #expect(failure.number == 4)
    #expect(failure.seed == ReplicationRunner.seed(7, replication: 4))
    #expect(failure.cause is MoneyError)
    #expect(failure.description.hasPrefix("replication 4 (seed \(failure.seed)): "))
  }

  @Test("Scenarios that differ in rewards only share sign-ups, purchases and scans")
  func luck() throws {
    let first = try #require(try smallRunner(try smallScenario()).run(0..<2))
    let second = try #require(
      try smallRunner(try smallScenario("rules.scan_reward.base=0.1")).run(0..<2))
    for name in ["members.total", "scans.accepted", "tins.sold"] {
      #expect(try first.figures(name) == second.figures(name), "\(name)")
      #expect(try first.figures(name)[0] > 0)
    }
    #expect(first.map(\.heat) == second.map(\.heat))
    #expect(try first.figures("budget.spend.year") != second.figures("budget.spend.year"))
  }

  @Test("Derived figures are what their names say")
  func figures() throws {
    let scenario = try smallScenario("rules.guarantee.enabled=true")
    let catalog = MeasuredFigures(
      BlakJaksProgramme.figures, asked: ["series.trip_reserve", "series.trip_reserve"])
    #expect(catalog.names.count { $0 == "series.trip_reserve" } == 1)
    #expect(measured.row(of: "series.trip_reserve") == nil)
    var world = try World(try WorldInput(scenario), threads: 1)
    let record = try world.run()
    let scans = Double(record.acceptedScans)
    func paid(_ type: String) -> Double {
      Double(record.payouts.first { $0.type == type }?.total.microunits ?? 0) / 1e6
    }
    #expect(paid("scan_reward") > 0)
    #expect(
      near(record.figure("cost_per_scan.scan_reward"), paid("scan_reward") / scans))
    #expect(
      near(record.figure("cost_per_scan.guarantee"), paid("guarantee") / scans))
    #expect(
      near(
        record.figure("guarantee.cost_per_member"),
        paid("guarantee") / Double(record.members)))
    #expect(record.figure("scans.accepted") == scans)
    #expect(record.figure("no.such") == nil)
    for name in catalog.names { #expect(catalog.catalog.knows(name), "\(name)") }
    #expect(catalog.catalog.knows("peak.payouts.queue"))
    #expect(!catalog.catalog.knows("budget.spend"))
    #expect(!catalog.catalog.knows("series."))
    // Tiers share out what their members gave and got.
    let tins = try Tier.allCases.map { tier in
      try #require(record.figure("series.tier.\(tier.key).tins"))
    }
    #expect(tins.reduce(0, +) > 0)
    let profit = Double(scenario.rules.economy.grossProfit.microunits) / 1e6 * tins[0]
    let comps = try #require(record.figure("series.tier.standard.comps"))
    #expect(near(record.figure("reinvestment.standard"), comps / profit))
    // By the tier that members end in, the same tins, scans and comps are shared out otherwise.
    let final = record.finalTiers
    let given = try Tier.allCases.map { try #require(record.figure("series.tier.\($0.key).comps")) }
    let counted: Double = Tier.allCases.reduce(0) { $0 + Double(final.tins[$1]) }
    #expect(counted == tins.reduce(0, +))
    #expect(Tier.allCases.reduce(0) { $0 + final.scans[$1] } == record.acceptedScans)
    let shared: Double = Tier.allCases.reduce(0) { $0 + Double(final.comps[$1]) }
    #expect(near(shared / 1e6, given.reduce(0, +)))
    let earned = Double(scenario.rules.economy.grossProfit.microunits) / 1e6
    for tier in Tier.allCases where final.tins[tier] > 0 {
      let value = Double(final.tins[tier]) * earned - Double(final.comps[tier]) / 1e6
      #expect(near(record.figure("value.\(tier.key)"), value / Double(record.tiers[tier])))
    }
  }

  /// Trips of 60 USDT each 150 scans accrue 0.40 USDT a scan, whoever wins them.
  @Test("Liability is what accrued and was issued, less what was won, redeemed and expired")
  func liability() throws {
    let scenario = try smallScenario(
      "rules.prizes[4].amount=60", "rules.prizes[4].every=150", "rules.prizes[4].tier=standard",
      "rules.chips.enabled=true", "rules.chips.expiry_days=28", "calendar.days=75",
      "population.wallet.enabled=true", "population.adoption.model=cohort", "calendar.window=24h")
    var world = try World(try WorldInput(scenario), threads: 1)
    let record = try world.run()
    func liability(_ key: String) throws -> Double {
      try #require(record.figure("liability.\(key)"), "\(key)")
    }
    let accrued = try liability("trips_accrued")
    #expect(near(accrued, 0.4 * Double(record.acceptedScans)))
    let trips = record.awards.count { $0.prize == "Trip $200K" }
    let won = try liability("trips_won")
    #expect(trips > 3 && near(won, 60 * Double(trips)))
    #expect(near(try liability("trip_reserve"), accrued - 60 * Double(trips)))
    let chips = try ["chips_issued", "chips_redeemed", "chips_expired"].map(liability)
    #expect(chips.allSatisfy { $0 > 0 }, "\(chips)")
    #expect(chips[0] >= 0.1 * Double(record.acceptedScans))
    #expect(near(try liability("chips"), chips[0] - chips[1] - chips[2]))
    let parts = try ["trip_reserve", "chips", "payouts_pending"].map(liability)
    #expect(near(try liability("total"), parts.reduce(0, +)))
  }

  @Test("A runway is what a treasury holds over its mean outflow of thirty days")
  func runway() {
    var record = HandmadeRun().record
    func runway(_ values: [Int64?]) -> Double? {
      record.series = [
        BlakJaksRecord.Series(key: "treasury.bank_operating", unit: .money, values: values)
      ]
      return record.figure("runway.bank_operating")
    }
    #expect(near(runway((0...30).map { 1_000 - Int64($0) * 10 }), 70))
    #expect(runway((0...29).map { 1_000 - Int64($0) * 10 }) == nil, "too short")
    #expect(runway(Array(repeating: 1_000, count: 40)) == nil, "does not fall")
    #expect(runway([]) == nil)
  }
}
