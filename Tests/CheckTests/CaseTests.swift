// Goal: the same case gives the same answer, faults happen as their rates say, and what is drawn is a
// scenario.
// Method: cases are run in this process; counts of faults are compared between rates.
import BlakJaks
import Check
import Foundation
import Programmes
import Quantities
import RewardModel
import Scenario
import Synchronization
import TestSupport
import Testing

@Suite struct CaseTests {
  private func one(
    _ seed: UInt64, _ settings: [String] = [], programme: String = "blakjaks"
  ) -> Case {
    Case(text: "name: case\nprogramme: \(programme)\n", settings: settings, seed: seed)
  }

  @Test("A case gives the same answer twice", arguments: [1, 2, 3, 4] as [UInt64])
  func repeats(seed: UInt64) throws {
    let answer = try CaseRunner.run(one(seed))
    #expect(answer.verdict == .passed, "\(answer)")
    #expect(answer.events > 0 && answer.requests > 0)
    #expect(try CaseRunner.run(one(seed)) == answer)
  }

  @Test("Worlds have as many times the members as the scenario asks for")
  func sizes() throws {
    func members(_ answer: CaseAnswer) throws -> Int {
      let line = try #require(answer.drawn.first { $0.hasPrefix("population.members=") })
      return try #require(Int(line.split(separator: "=")[1]))
    }
    let (small, large) = (
      try CaseRunner.run(one(3)), try CaseRunner.run(one(3, ["check.size=5"]))
    )
    #expect(small.verdict == .passed && large.verdict == .passed, "\(small) \(large)")
    #expect(try members(large) == 5 * members(small))
    #expect(large.events > 2 * small.events, "\(small.events) and \(large.events)")
    #expect(throws: InputErrors.self) { try CaseRunner.run(one(3, ["check.size=0"])) }
  }

  @Test func aScenarioTakenAsWrittenIsNotDrawn() throws {
    let answer = try CaseRunner.run(
      one(9, ["check.as_written=true", "population.members=30", "calendar.days=20"]))
    #expect(answer.drawn == ["seed=9"])
    // What is left comes about without anybody's injecting it.
    let own = ["early_guarantees", "bad_codes", "payout_fails"]
    #expect(
      answer.faults.filter { $0.value > 0 && !own.contains($0.key) }.isEmpty, "\(answer.faults)")
  }

  @Test(
    "A fault's rate moves how often it happens",
    arguments: [
      "duplicated", "delayed", "reordered", "replayed", "same_code", "sold_out_code", "boundary",
      "payout_step_again", "late_bank_feed", "restart", "near_limits",
    ])
  func rate(kind: String) throws {
    func times(_ rate: Double) throws -> Int64 {
      let answer = try CaseRunner.run(
        one(
          5,
          [
            "check.as_written=true", "population.members=40", "calendar.days=40",
            "population.adoption.per_day=20", "check.faults=[\"\(kind) \(rate)\"]",
          ]))
      #expect(answer.verdict == .passed, "\(kind) \(rate): \(answer)")
      return answer.faults[kind, default: 0]
    }
    let (none, few, many) = (try times(0), try times(0.1), try times(0.9))
    #expect(none == 0)
    #expect(few < many, "\(kind): \(few) at 0.1, \(many) at 0.9")
    #expect(many > 0)
  }

  @Test("A service's faults happen where it is killed, and as often as their rates say")
  func rehearsal() throws {
    func faults(_ rates: String) throws -> [String: Int64] {
      let answer = try CaseRunner.run(
        one(
          5,
          [
            "check.as_written=true", "population.members=30", "calendar.days=30",
            "population.adoption.per_day=20", "check.faults=[\(rates)]",
          ]))
      #expect(answer.verdict == .passed, "\(answer)")
      return answer.faults
    }
    #expect(try faults(#""retried_with_key 0.5""#)["retried_with_key"] == nil)
    let all = try faults(
      #""killed 0.2", "retried_with_key 0.5", "retried_without_key 0.2", "key_reused 0.3", "clock_steps 0.4""#
    )
    for kind in ServiceFaults.kinds { #expect(all[kind.id, default: 0] > 0, "\(kind.id): \(all)") }
    let fewer = try faults(#""killed 0.02", "retried_with_key 0.05""#)
    #expect(fewer["retried_with_key", default: 0] < all["retried_with_key", default: 0])
  }

  @Test("Worlds whose house may leave windows for later are run once more without a journal")
  func unwatched() throws {
    let settings = [
      "check.as_written=true", "population.members=120", "calendar.days=30",
      "population.adoption.per_day=40",
    ]
    for more in [[], ["rules.chips.enabled=true"], ["check.faults=[\"restart 1\"]"]] {
      let answer = try CaseRunner.run(one(3, settings + more))
      #expect(answer.verdict == .passed, "\(answer)")
      #expect(answer.seen["unwatched_worlds"] == 1, "\(more)")
      #expect(answer.seen["windows_concluded_late", default: 0] > 300, "\(more)")
    }
    let waiting = try CaseRunner.run(one(3, settings + ["population.wallet.enabled=true"]))
    #expect(waiting.verdict == .passed, "\(waiting)")
    #expect(waiting.seen["windows_waited_for", default: 0] > 300, "\(waiting)")
  }

  @Test(
    "Worlds are saved and go on in another whatever the seed, at moments of all kinds",
    arguments: [
      ("blakjaks", Array(0...20) + [20_000_000, 20_000_001, 1 << 63, .max]),
      ("embera", [0, 1, .max]),
    ] as [(String, [UInt64])])
  func restarts(programme: String, seeds: [UInt64]) throws {
    var restarted = 0
    for seed in seeds {
      let answer = try CaseRunner.run(
        one(
          seed,
          [
            "check.as_written=true", "population.members=8", "calendar.days=6",
            "population.adoption.per_day=4", "check.faults=[\"restart 1\"]",
          ], programme: programme))
      #expect(answer.verdict == .passed, "seed \(seed): \(answer)")
      restarted += Int(answer.seen["restarted_worlds", default: 0])
    }
    #expect(restarted == seeds.count)
  }

  @Test("Bans that a campaign draws are of states that the scenario has")
  func bannedStates() throws {
    var banned = 0
    for seed in 0...12 as ClosedRange<UInt64> {
      let answer = try CaseRunner.run(
        one(seed, ["rules.states=[{code: NV, weight: 1, tax: 5 %}]", "population.members=10"]))
      #expect(answer.verdict == .passed, "seed \(seed): \(answer)")
      for bans in answer.drawn where bans.hasPrefix("rules.bans=") {
        banned += 1
        #expect(bans.count(of: "state: ") == bans.count(of: "state: NV"), "\(bans)")
      }
    }
    #expect(banned > 0)
  }

  @Test("A world where nobody signs up keeps its promises", arguments: ["blakjaks", "embera"])
  func nobody(programme: String) throws {
    var empty = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      let answer = try CaseRunner.run(
        one(
          seed,
          [
            "check.as_written=true", "population.members=3", "population.adoption.p=0.0001",
            "population.adoption.market=3000", "calendar.days=40",
          ], programme: programme))
      #expect(answer.verdict == .passed, "seed \(seed): \(answer)")
      empty += answer.submissions == 0 ? 1 : 0
    }
    #expect(empty > 0)
  }

  @Test func submissionsThatAreLeftOutAreNotMade() throws {
    let settings = [
      "check.as_written=true", "population.members=20", "calendar.days=20",
      "population.adoption.per_day=20",
    ]
    let all = try CaseRunner.run(one(3, settings))
    let few = try CaseRunner.run(one(3, settings + ["check.kept=0-4"]))
    #expect(few.verdict == .passed)
    #expect(few.submissions == all.submissions)
    #expect(few.requests < all.requests)
    let none = try CaseRunner.run(one(3, settings + ["check.kept=none"]))
    #expect(none.requests < few.requests)
  }

  @Test func anEndCutsTheCase() throws {
    var early = one(3, ["check.as_written=true", "population.members=20", "calendar.days=30"])
    let whole = try CaseRunner.run(early)
    early.until = 1_767_600_000_000_000
    let cut = try CaseRunner.run(early)
    #expect(cut.verdict == .passed)
    #expect(cut.requests < whole.requests)
  }

  // Found by a campaign of 10,000 seeds: each telling put the payout in line once more, and those who
  // waited doubled with each morning.
  @Test func aPayoutWithoutMoneyThatIsToldOfAgainStandsInLineOnce() throws {
    let path = Checkout.scenarios.appendingPathComponent("full-programme.yaml").path
    let answer = try CaseRunner.run(Case(file: path, settings: [], seed: 5_553, varies: false))
    #expect(answer.verdict == .passed)
    #expect(answer.faults["payout_step_again", default: 0] > 0)
    #expect(answer.requests < 100_000, "\(answer.requests)")
  }

  @Test func aStoryTellsOfRequestsAndMoney() throws {
    let lines = Mutex<[TraceLine]>([])
    _ = try CaseRunner.run(
      one(3, ["check.as_written=true", "population.members=20", "calendar.days=20"])
    ) { line in lines.withLock { $0.append(line) } }
    let told = lines.withLock { $0 }
    #expect(told.contains { $0.text.contains("signs up") && !$0.members.isEmpty })
    #expect(told.contains { $0.text.contains("tins are sold") && $0.text.contains("sales +") })
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test(
    "Drawn settings make scenarios that keep every promise",
    arguments: ["blakjaks", "embera"], 1...12 as ClosedRange<UInt64>)
  func varied(programme: String, seed: UInt64) throws {
    // Some settings contradict each other, but not most of them.
    for seed in [seed, seed + 100, seed + 200] {
      var one = one(seed, programme: programme)
      one.varies = true
      let answer = try CaseRunner.run(one)
      if answer.verdict == .passed { return }
      #expect(answer.verdict == .refused && answer.refusal?.isEmpty == false, "\(answer)")
    }
    Issue.record("three drawn scenarios in a row were refused from seed \(seed) on")
  }

  @Test("Places that a scenario keeps are those of the case that it was written for")
  func keptPlaces() throws {
    func answer(_ kept: String) throws -> CaseAnswer {
      var one = one(3)
      one.text = "name: kept\nprogramme: blakjaks\n" + kept
      return try CaseRunner.run(one)
    }
    let (all, kept) = (try answer(""), try answer("check: {kept: none}\n"))
    #expect(all.requests > 0 && kept.requests == all.requests)
    #expect(Set(kept.drawn) == Set(all.drawn + ["check.kept=null"]))
  }

  // Found by a campaign with --vary: a market of 2,319 for 240 days took minutes.
  @Test func aLongRunHasFewMembersWhateverIsDrawn() throws {
    let path = Checkout.scenarios.appendingPathComponent("full-programme.yaml").path
    let drawn = try CaseRunner.drawn(Case(file: path, settings: [], seed: 66, varies: true))
    #expect(drawn.contains("calendar.days=240") && drawn.contains("population.members=12"))
    let markets = drawn.filter { $0.hasPrefix("population.adoption.market=") }
      .map { $0.split(separator: "=")[1] }
    #expect(markets.count == 2 && markets.last == "null", "\(markets)")
    #expect(markets.first.flatMap { Int($0) }.map { $0 <= 1_000 } == true, "\(markets)")
  }

  @Test("A scenario's own market or plan makes no larger worlds", arguments: [false, true])
  func ownCrowd(varies: Bool) throws {
    func last(_ path: String, _ drawn: [String]) -> String? {
      drawn.last { $0.hasPrefix("\(path)=") }.map { String($0.dropFirst(path.count + 1)) }
    }
    var nulls = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      var large = one(
        seed, ["population.adoption.market=5000000", "population.adoption.monthly=[50000]"])
      large.varies = varies
      let drawn = try CaseRunner.drawn(large)
      let market = last("population.adoption.market", drawn)
      if market == "null" { nulls += 1 }
      let size = market == "null" ? 1 : market.flatMap { Int($0) }
      #expect(size.map { (1...1_000).contains($0) } == true, "\(drawn)")
      let members = try #require(last("population.members", drawn).flatMap { Int($0) })
      let days = try #require(last("calendar.days", drawn).flatMap { Int($0) })
      let plan = try #require(last("population.adoption.monthly", drawn))
      let month = try #require(Int(plan.dropFirst().dropLast()), "\(plan)")
      #expect(month >= 1 && month * days / 31 <= members, "\(drawn)")
    }
    // Long runs of few members have none.
    #expect(nulls > 0 && nulls < 60)
  }

  // A ring of 400 accounts, or 2,000 wholesale accounts, took minutes a case, and counted as a hang.
  @Test("A scenario's own rings and wholesale accounts make no larger worlds", arguments: [1, 3])
  func ownWork(size: Int) throws {
    let settings = [
      "check.size=\(size)", "rules.wholesale.accounts=2000", "population.members=120",
      "population.wholesale.reference_members=120", "population.wholesale.orders_per_week=7",
      "population.mischief.rings=[{date: 2026-01-01, days: 3660, accounts: 400, per_hour: 60}, "
        + "{date: 2026-02-01, days: 700, accounts: 1, per_hour: 90000}]",
    ]
    var most = 0.0
    for seed in 1...8 as ClosedRange<UInt64> {
      let large = one(seed, settings)
      let scenario = try CaseRunner.scenario(large, drawn: try CaseRunner.drawn(large))
      let plan = try #require(try scenario.plan() as? ProgrammePlan<BlakJaksProgramme>)
      let population = plan.settings.population
      let submissions = population.mischief.rings.reduce(0.0) { sum, ring in
        let days = ring.days(in: plan.frame.calendar)?.count ?? 0
        return sum + Double(ring.accounts) * ring.perHour * 24 * Double(days)
      }
      #expect(submissions < 10_001 * Double(size), "\(seed): \(submissions)")
      most = max(most, submissions)
      #expect(population.mischief.rings.map(\.days) == [3_660, 700])
      #expect(plan.settings.rules.wholesale.accounts <= 100 * size)
      let trade = population.wholesale
      let orders =
        Double(plan.settings.rules.wholesale.accounts) * trade.ordersPerWeek
        * Double(plan.frame.calendar.dayCount) / 7 * Double(population.members)
        / Double(trade.referenceMembers)
      #expect(orders < 2_001 * Double(size), "\(seed): \(orders)")
      let scanned = trade.scanned ?? population.tins.scanned
      let tins = orders * trade.casesPerOrder * Double(trade.tinsPerCase) * scanned
      #expect(tins < 20_001 * Double(size), "\(seed): \(tins)")
    }
    #expect(most > 9_999 * Double(size))
    let written = one(1, settings + ["check.as_written=true"])
    #expect(try CaseRunner.drawn(written) == [])
  }

  @Test func placesReadBackAsTheyAreWritten() throws {
    for text in ["none", "0", "0-12,40,77-80", "5"] {
      #expect(PlaceSet(text)?.description == text)
    }
    for text in ["", "a", "3-1", "5,4", "-1", "1,,2", "0-"] {
      #expect(PlaceSet(text) == nil, "\(text)")
    }
    let set = try #require(PlaceSet("0-12,40,77-80"))
    #expect(set.count == 18)
    #expect(set.contains(12) && !set.contains(13) && set.contains(40) && !set.contains(81))
    #expect(PlaceSet(set.places) == set)
    #expect(PlaceSet(below: 3).description == "0-2")
  }

  @Test func faultsThatCannotBeReadAreRefused() throws {
    for fault in ["duplicated", "duplicated 2", "duplicated x", "a b c"] {
      #expect(throws: InputErrors.self, "\(fault)") {
        try Scenario.load(text: "name: x\ncheck:\n  faults: [\"\(fault)\"]\n", file: "x")
      }
    }
  }

  @Test(
    "Kinds of faults that would do nothing are refused in words",
    arguments: [
      (
        "blakjaks", "duplicate",
        "'duplicate' is not a fault of BlakJaks; did you mean 'duplicated'?"
      ),
      ("blakjaks", "clock_change", "'clock_change' is not a fault of BlakJaks"),
      (
        "blakjaks", "payout_fails",
        "'payout_fails' comes from settings; leave it out and set rules.payouts.failure"
      ),
      (
        "embera", "early_expiry",
        "'early_expiry' comes from settings; leave it out and set rules.expiry_months"
      ),
    ])
  func unknownFaults(_ programme: String, _ kind: String, _ words: String) throws {
    for settings in [["check.as_written=true"], []] {
      let error = #expect(throws: InputErrors.self) {
        try CaseRunner.run(
          one(1, settings + ["check.faults=[\"\(kind) 0.5\"]"], programme: programme))
      }
      #expect(error?.exitCode == 65)
      #expect(error?.description.contains("check.faults[0]: \(words)") == true, "\(error as Any)")
    }
  }

  @Test func aDrawnListOfWhichAnEntryDoesNotGoIsLeftOut() throws {
    let bans = "rules.bans=[{state: CA, date: 2026-02-01}, {state: ZZ, date: 2026-02-01}]"
    var drawn = ["seed=3", bans, "population.members=4"]
    let scenario = try CaseRunner.load(one(3), &drawn)
    #expect(drawn == ["seed=3", "population.members=4"])
    #expect(scenario.seed == 3)
    var alone = ["nothing=1"]
    #expect(throws: InputErrors.self) { try CaseRunner.load(one(3, ["seed=x"]), &alone) }
  }

  @Test func aWrittenScenarioReadsBackAsItself() throws {
    let text = """
      name: again
      seed: 7
      rules:
        bans: [{state: CA, date: 2026-02-01, days: 3}]
        prizes: [{name: A, kind: crypto, amount: 3, every: 7}]
      check:
        as_written: true
        faults: ["duplicated 0.5"]
        kept: 0-3
      """
    let scenario = try Scenario.load(text: text, file: "x")
    let again = try Scenario.load(text: scenario.writtenYAML(head: ["why: it fails"]), file: "x")
    #expect(again.canonicalText == scenario.canonicalText)
    let flat = try Scenario.load(
      text: "name: again", file: "x",
      overrides: scenario.written.map { SettingOverride(path: $0.path, value: $0.value) })
    #expect(flat.canonicalText == scenario.canonicalText)
  }
}
