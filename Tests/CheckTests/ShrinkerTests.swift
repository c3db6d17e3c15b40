// Goal: a failing case becomes as small as it can be, and a process that ends or hangs is a finding.
// Method: a process of our own answers cases as a broken program would: it fails where certain settings,
// enough members and a certain submission come together.
import BlakJaks
import Foundation
import Quantities
import RewardModel
import Scenario
import Testing
import Workers

@testable import Check

@Suite struct ShrinkerTests {
  @Test func whatIsNotNeededGoes() throws {
    let answerer = try Answerer(
      """
      if (values.get("rules.chips.enabled") == "true" and int(values["population.members"]) >= 7
              and any(kept(p) for p in (5,)) and kept(17)):
          fail()
      """)
    let worker = answerer.worker()
    let one = Case(
      text: "name: big\nprogramme: blakjaks\n",
      settings: [
        "check.as_written=true", "population.members=90", "calendar.days=60",
        "rules.chips.enabled=true", "rules.shop.enabled=true", "population.tins.per_week=3",
        "population.wallet.enabled=true", "check.faults=[\"duplicated 0.1\", \"delayed 0.1\"]",
      ], seed: 4)
    let first = try worker.run(one)
    #expect(first.verdict == .violated)
    var shrinker = try Shrinker(worker, one, first)
    let small = try shrinker.run()
    let (scenario, answer) = (small.scenario, small.answer)
    #expect(answer.broken?.invariant == "made_up")
    #expect(small.until == Instant(microseconds: 1_767_600_000_000_001))
    let left = Dictionary(uniqueKeysWithValues: scenario.written.map { ($0.path, $0.value) })
    #expect(left["population.members"] == "7", "\(left)")
    #expect(left["rules.chips.enabled"] == "true")
    #expect(left["check.kept"] == "5,17", "\(left)")
    #expect(left["rules.shop.enabled"] == nil && left["population.wallet.enabled"] == nil)
    #expect(shrinker.attempts < 200, "\(shrinker.attempts)")
    // The file by itself says the same.
    let again = try Scenario.load(text: scenario.writtenYAML(head: []), file: "again")
    #expect(again.canonicalText == scenario.canonicalText)
    #expect(again.seed == 4)
  }

  @Test func aCaseThatFailsForAnotherReasonIsNotTaken() throws {
    let answerer = try Answerer(
      """
      fail(invariant="made_up" if values.get("rules.chips.enabled") == "true" else "other")
      """)
    let worker = answerer.worker()
    let one = Case(
      text: "name: two\nprogramme: blakjaks\n",
      settings: ["check.as_written=true", "rules.chips.enabled=true"], seed: 4)
    var shrinker = try Shrinker(worker, one, try worker.run(one))
    let scenario = try shrinker.run().scenario
    #expect(scenario.written.contains { $0.path == "rules.chips.enabled" })
  }

  @Test(
    "A scenario's name stays what it is in the smallest case",
    arguments: ["Launch: plan B", "a #b", "true", "1.5", "~", "[x", "it's 'so'", "plain"])
  func names(_ name: String) throws {
    let answerer = try Answerer("fail()")
    let worker = answerer.worker()
    let one = Case(
      text: "name: '\(name.replacing("'", with: "''"))'\nprogramme: blakjaks\n",
      settings: ["check.as_written=true"], seed: 4)
    var shrinker = try Shrinker(worker, one, try worker.run(one))
    let scenario = try shrinker.run().scenario
    #expect(scenario.name == name)
    #expect(try Scenario.load(text: scenario.writtenYAML(head: []), file: "again").name == name)
  }

  @Test("What a crashed case drew and cannot have is left out as the case leaves it out")
  func crashed() throws {
    let answerer = try Answerer(
      "answer['verdict'] = 'crashed'; answer['broken'] = {'invariant': 'process_survives', "
        + "'facts': 'a trap', 'time': 0, 'members': [], 'events': [], 'part': ''}")
    let worker = answerer.worker()
    // A price at its end leaves drawn settings that do not go with it.
    var looked = 0
    for seed in [3, 8, 12] as [UInt64] {
      var one = Case(text: "name: x\nprogramme: blakjaks\n", settings: [], seed: seed)
      one.varies = true
      guard try CaseRunner.run(one).refusal == nil else { continue }
      looked += 1
      #expect(try CaseRunner.drawn(one) == CaseRunner.run(one).drawn, "seed \(seed)")
      #expect(throws: Never.self, "seed \(seed)") {
        _ = try Shrinker(worker, one, try worker.run(one))
      }
    }
    #expect(looked > 0)
  }

  @Test(
    "A find that only the whole case shows is replayed to its end",
    arguments: ["if case.get('until') is None: fail()", "fail(time=0)"])
  func wholeCase(_ rule: String) throws {
    let answerer = try Answerer(rule)
    let worker = answerer.worker()
    let one = Case(
      text: "name: end\nprogramme: blakjaks\n", settings: ["check.as_written=true"], seed: 4)
    var shrinker = try Shrinker(worker, one, try worker.run(one))
    let small = try shrinker.run()
    #expect(small.answer.broken?.invariant == "made_up" && small.until == nil)
    let smallest = Campaign.Smallest(
      file: "a b/c.yaml", seed: 4, until: nil, broken: try #require(small.answer.broken),
      attempts: 1)
    #expect(smallest.replay == "pitboss replay 'a b/c.yaml' --seed 4 --trace")
  }

  @Test("A case that does not break the promise again is not made smaller, and the reason is told")
  func onceOnly() throws {
    let once = try Answerer("fail()")
    let later = try Answerer("pass")
    let worker = later.worker()
    let one = Case(
      text: "name: once\nprogramme: blakjaks\n", settings: ["check.as_written=true"], seed: 4)
    func reason(
      _ verdict: CaseAnswer.Verdict, isStopped: Bool = false, seconds: Double = 60
    ) throws -> String? {
      var first = try once.worker().run(one)
      first.verdict = verdict
      var shrinker = try Shrinker(
        worker, one, first, seconds: seconds, isStopped: { isStopped })
      let failure = #expect(throws: CampaignFailure.self) { try shrinker.run() }
      #expect(shrinker.isCut == (isStopped || seconds == 0))
      return failure?.description
    }
    let words = "run again, the case does not break this promise"
    #expect(try reason(.violated) == words)
    #expect(
      try reason(.crashed)
        == words + "; something else may have ended its process, such as a lack of memory")
    #expect(try reason(.violated, isStopped: true) == "the search for it was ended")
    #expect(try reason(.violated, seconds: 0) == "the time for the search was over")
  }

  @Test("A search that is ended keeps the smallest case so far, and says how it goes on")
  func cutSearch() throws {
    let answerer = try Answerer("fail()")
    let campaign = Campaign(
      sources: [CampaignSource("a.yaml")], settings: ["x=1"], seeds: 4...4, varies: false, jobs: 1,
      budget: nil, worker: answerer.workers)
    var outcome = campaign.run { _, _, _ in true }
    let worker = answerer.worker()
    func search(attempts: Int) throws {
      let settings = ["check.as_written=true", "population.members=90", "rules.shop.enabled=true"]
      let one = Case(text: "name: cut\nprogramme: blakjaks\n", settings: settings, seed: 4)
      var shrinker = try Shrinker(worker, one, try worker.run(one), attempts: attempts)
      let small = try shrinker.run()
      outcome.results[0].found[0].smallest = Campaign.Smallest(
        file: "o/small.yaml", seed: 4, until: nil, broken: try #require(small.answer.broken),
        attempts: shrinker.attempts)
      outcome.results[0].found[0].mayBeSmaller = shrinker.isCut
    }
    func told() -> (report: CampaignReport, words: String?) {
      let report = CampaignReport(outcome, programmes: [:], seconds: 1)
      return (report, report.searchOn(outcome.results[0].found[0], of: outcome.results[0]))
    }
    try search(attempts: 600)
    #expect(told().words == nil)
    try search(attempts: 2)
    let words = "the case may be smaller still; to search on: pitboss check "
    #expect(told().words == words + "o/small.yaml --seeds 4..4")
    #expect(told().report.junit().contains(words + "o/small.yaml --seeds 4..4"))
    #expect(try told().report.json().contains("\"may_be_smaller\" : true"))
    outcome.results[0].found[0].smallest = nil
    #expect(told().words == words + "a.yaml --seeds 4..4 --set 'x=1'")
    outcome.results[0].found[0].first.varies = true
    #expect(told().words == words + "a.yaml --seeds 4..4 --vary --set 'x=1'")
    // For a file that is run as it is written --vary would be refused.
    outcome.results[0].isAsWritten = true
    #expect(told().words == words + "a.yaml --seeds 4..4 --set 'x=1'")
  }

  @Test("What is found leaves a part of the budget to make it small")
  func budget() {
    func seconds(_ budget: Double, _ found: Int) -> Double {
      Campaign.secondsForCases(of: budget, found: found)
    }
    #expect(seconds(60, 0) == 60 && seconds(60, 1) == 45 && seconds(60, 9) == 45)
    #expect(seconds(2_400, 1) == 2_280 && seconds(2_400, 9) == 1_800)
  }

  @Test func aProcessThatEndsIsAFindingAndTheNextCaseHasANewOne() throws {
    let answerer = try Answerer(
      """
      if case["seed"] == 2:
          sys.stderr.write("Fatal error: a trap\\n")
          os._exit(3)
      """)
    let worker = answerer.worker()
    func run(_ seed: UInt64) throws -> CaseAnswer {
      try worker.run(Case(text: "name: x\n", settings: [], seed: seed))
    }
    #expect(try run(1).verdict == .passed)
    let crashed = try run(2)
    #expect(crashed.verdict == .crashed)
    #expect(crashed.broken?.invariant == "process_survives")
    #expect(crashed.broken?.facts.contains("a trap") == true, "\(crashed)")
    #expect(try run(3).verdict == .passed)
    worker.stop()
  }

  @Test func aCaseThatNeverEndsIsEnded() throws {
    let answerer = try Answerer("time.sleep(600)")
    let worker = answerer.worker(limit: 1)
    let answer = try worker.run(Case(text: "name: x\n", settings: [], seed: 1))
    #expect(answer.verdict == .crashed)
    #expect(answer.broken?.facts == "no answer within 1 s, so the process was ended")
  }

  @Test func aProcessThatClosesItsOutputAndGoesOnIsToldAsThat() throws {
    let answerer = try Answerer("os.close(1)\ntime.sleep(600)")
    let one = Case(text: "name: x\n", settings: [], seed: 1)
    let answer = try answerer.worker().run(one)
    let words = "the process closed its output and did not end, so it was killed"
    #expect(answer.verdict == .crashed)
    #expect(answer.broken?.facts == words)
    for (command, end) in [
      ("exec >&-; exec sleep 600", words), ("exit 7", "the process ended with status 7"),
    ] {
      #expect(throws: CampaignFailure("a worker gave no first line: \(end)")) {
        try CaseWorker(command: command).run(one)
      }
    }
  }

  @Test func aWorkerElsewhereThatSaysNothingIsLost() throws {
    let one = Case(text: "name: x\n", settings: [], seed: 1)
    let words = "it said nothing for 1 s, so the process was ended"
    #expect(throws: CampaignFailure("a worker gave no first line: \(words)")) {
      try CaseWorker(command: "exec sleep 600", silence: 1).run(one)
    }
    let endless = "the process wrote a line without an end, so it was killed"
    #expect(throws: CampaignFailure("a worker gave no first line: \(endless)")) {
      try CaseWorker(command: "exec cat /dev/zero").run(one)
    }
  }

  @Test func whoSaysSomethingInTimeIsNotEnded() throws {
    let process = try ChildProcess(["/bin/sleep", "600"])
    let guardian = ProcessGuardian(of: process, answers: 600, speaks: 2)
    for _ in 0..<12 {
      Thread.sleep(forTimeInterval: 0.25)
      guardian.hear()
    }
    #expect(kill(process.id, 0) == 0 && guardian.why == nil)
    let exit = process.wait()
    #expect(guardian.why == "it said nothing for 2 s, so the process was ended")
    #expect(exit.signal == SIGKILL)
  }

  @Test func aCampaignCountsWhatItFinds() throws {
    let answerer = try Answerer(
      """
      answer["faults"] = {"duplicated": 2}
      if case["seed"] in (7, 3):
          fail()
      if case["seed"] == 5:
          answer["verdict"], answer["refusal"] = "refused", "no scenario"
      """)
    let campaign = Campaign(
      sources: ["a.yaml", "b.yaml"].map { CampaignSource($0) }, settings: [], seeds: 1...10,
      varies: false, jobs: 3,
      budget: nil,
      worker: answerer.workers)
    let outcome = campaign.run { _, _, _ in true }
    let results = outcome.results
    #expect(outcome.planned == 20 && outcome.failure == nil)
    #expect(results.map(\.cases) == [10, 10])
    #expect(results.map(\.refused) == [1, 1])
    #expect(results.map(\.passed) == [7, 7])
    for result in results {
      #expect(result.found.count == 1)
      #expect(result.found[0].times == 2)
      #expect(result.found[0].first.seed == 3)
      #expect(result.faults["duplicated"] == 20)
      #expect(result.refusal == "no scenario")
    }
    let report = CampaignReport(outcome, programmes: [:], seconds: 1)
    #expect(report.broken == 2 && !report.passed)
    #expect(
      report.replays(results[0].found[0], of: results[0]).last?.contains("a.yaml --seed 3") == true)
    #expect(report.junit().contains("failures=\"2\""))
  }
}
