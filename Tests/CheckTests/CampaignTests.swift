// Goal: a campaign says what it found and what it did not look at, whatever happens to its workers.
// Method: a process of our own answers cases as broken programs and failing machines would; reports are
// read back.
import BlakJaks
import Check
import Embera
import Foundation
import RewardModel
import Scenario
import Testing

@Suite struct CampaignTests {
  private func campaign(
    _ answerer: borrowing Answerer, _ sources: [CampaignSource] = [CampaignSource("a.yaml")],
    seeds: ClosedRange<UInt64> = 1...10, jobs: Int = 1, budget: Double? = nil
  ) -> Campaign {
    Campaign(
      sources: sources, settings: [], seeds: seeds, varies: false, jobs: jobs, budget: budget,
      worker: answerer.workers)
  }

  private func report(_ outcome: Campaign.Outcome) -> CampaignReport {
    CampaignReport(
      outcome, programmes: ["blakjaks": BlakJaksProgramme.self, "embera": EmberaProgramme.self],
      seconds: 1)
  }

  private func source(_ text: String, isReadOnce: Bool = false) throws -> CampaignSource {
    CampaignSource(
      "s.yaml", text: text, scenario: try Scenario.load(text: text, file: "s.yaml"),
      isReadOnce: isReadOnce)
  }

  @Test func whatWasFoundBeforeAWorkerFailsIsReported() throws {
    let answerer = try Answerer(
      """
      if case["seed"] == 2:
          fail()
      if case["seed"] == 5:
          answer["verdict"], answer["refusal"] = "failed", "No space left on device"
      """)
    let outcome = campaign(answerer).run { _, _, _ in true }
    #expect(outcome.failure?.description == "cannot run cases: No space left on device")
    #expect(outcome.results[0].cases == 4)
    #expect(outcome.results[0].found.map(\.first.seed) == [2])
    let report = report(outcome)
    #expect(!report.passed)
    #expect(
      report.junit().contains("<error message=\"cannot run cases: No space left on device\"/>"))
    #expect(report.junit().contains("--seed 2"))
    #expect(try report.json().contains("\"failure\""))
  }

  @Test(
    "A scenario of which no case ran does not pass",
    arguments: [nil, "answer['verdict'], answer['refusal'] = 'refused', 'no such file'"])
  func idle(_ rule: String?) throws {
    let answerer = try Answerer(rule ?? "pass")
    let outcome = campaign(answerer, budget: rule == nil ? 1e-9 : nil).run { _, _, _ in true }
    let report = report(outcome)
    #expect(report.broken == 0 && !report.passed)
    #expect(report.idle.map(\.scenario) == ["a.yaml"])
    let xml = report.junit()
    #expect(xml.contains("errors=\"1\"") && xml.contains("no case ran"), "\(xml)")
    #expect(xml.components(separatedBy: "<testcase ").count == 2, "no promise counts as kept")
    #expect(try report.json().contains("\"passed\" : false"))
  }

  @Test func oneCaseThatRanIsEnough() throws {
    let answerer = try Answerer(
      "if case['seed'] > 1: answer['verdict'], answer['refusal'] = 'refused', 'money overflow'")
    #expect(report(campaign(answerer).run { _, _, _ in true }).passed)
  }

  @Test func aCampaignThatIsCutSaysHowManyCasesWereAskedFor() throws {
    let answerer = try Answerer("pass")
    let outcome = campaign(answerer, seeds: 1...20_000).run { done, _, _ in done < 3 }
    let report = report(outcome)
    #expect(report.cases == 3 && report.planned == 20_000)
    let json = try report.json()
    #expect(json.contains("\"cases\" : 3") && json.contains("\"planned_cases\" : 20000"), "\(json)")
  }

  @Test("A campaign that is interrupted before its end does not pass, and is marked as such")
  func interrupted() throws {
    let answerer = try Answerer("if case['seed'] == 2: fail()")
    let cut = report(campaign(answerer, seeds: 3...4_002).run { done, _, _ in done < 5 })
    #expect(cut.interrupted && !cut.passed && cut.broken == 0)
    #expect(cut.verdict.hasPrefix("Interrupted: 5 of 4,000 cases ran, and all promises held ("))
    let xml = cut.junit()
    #expect(xml.contains("errors=\"1\""), "\(xml)")
    #expect(xml.contains("<error message=\"it was interrupted after 5 of 4,000 cases\"/>"))
    let json = try cut.json()
    #expect(json.contains("\"interrupted\" : true") && json.contains("\"passed\" : false"))
    let broken = report(campaign(answerer).run { done, _, _ in done < 5 })
    #expect(broken.verdict.hasPrefix("Interrupted, and 1 broken promise: 5 of 10 cases, "))
    // Who interrupts with the last case interrupts nothing.
    let whole = report(campaign(answerer, seeds: 3...7).run { done, _, _ in done < 5 })
    #expect(whole.passed && !whole.interrupted)
    #expect(whole.verdict.hasPrefix("All promises hold: 5 cases, 5 events in "))
    #expect(try whole.json().contains("\"interrupted\" : false"))
  }

  @Test func whoeverInterruptsIsNotToldOfAWorkerThatDidNotAnswer() throws {
    let silent = Campaign(
      sources: [CampaignSource("a.yaml")], settings: [], seeds: 1...10, varies: false, jobs: 1,
      budget: nil, worker: { CaseWorker(command: "exec sleep 600", silence: 1) })
    let stopped = silent.run { _, _, _ in false }
    #expect(stopped.interrupted && stopped.failure == nil)
    let failed = silent.run { _, _, _ in true }
    #expect(!failed.interrupted && failed.failure?.description.contains("cannot run cases") == true)
  }

  @Test func workersGetTheTextThatTheCampaignBeganWith() throws {
    let answerer = try Answerer("if case.get('text') != 'name: x\\n': fail()")
    let outcome = campaign(answerer, [try source("name: x\n")], seeds: 1...3).run { _, _, _ in true
    }
    #expect(outcome.results[0].passed == 3, "\(outcome.results)")
    let other = campaign(answerer, [try source("name: y\n", isReadOnce: true)], seeds: 1...3)
      .run { _, _, _ in true }
    #expect(other.results[0].found.count == 1)
    // A finding does not carry the whole scenario, and its line names no pipe.
    #expect(other.results[0].found[0].first.text == nil)
    let line = try #require(
      report(other).replays(other.results[0].found[0], of: other.results[0]).last)
    #expect(
      line.hasPrefix("pitboss replay SCENARIO.yaml --seed 1 --trace  # save what s.yaml gave"))
  }

  @Test func aFindingThatCouldNotBeMadeSmallerKeepsItsReplayLine() throws {
    let answerer = try Answerer("fail()")
    var outcome = campaign(answerer).run { _, _, _ in true }
    outcome.results[0].found[0].notSmaller = "the disk is full"
    let xml = report(outcome).junit()
    let lines = xml.split(separator: "\n")
    #expect(lines.contains("no smaller case: the disk is full"), "\(xml)")
    #expect(lines.contains("pitboss replay a.yaml --seed 1 --trace</failure>"))
    #expect(try report(outcome).json().contains("\"pitboss replay a.yaml --seed 1 --trace\""))
  }

  @Test func aFileThatBeginsWithADashIsReplayedAsAFile() throws {
    let answerer = try Answerer("fail()")
    let outcome = campaign(answerer, [CampaignSource("-a.yaml")]).run { _, _, _ in true }
    let (report, result) = (report(outcome), outcome.results[0])
    #expect(
      report.replays(result.found[0], of: result) == ["pitboss replay ./-a.yaml --seed 1 --trace"])
  }

  // MARK: - Faults that have to happen

  @Test func aKindOfFaultThatNeverHappensFailsACampaign() throws {
    let answerer = try Answerer("pass")
    func report(_ seeds: ClosedRange<UInt64>) -> CampaignReport {
      self.report(campaign(answerer, seeds: seeds, jobs: 2).run { _, _, _ in true })
    }
    let short = report(1...99)
    #expect(short.passed && short.junit().contains("failures=\"0\""))
    #expect(short.junit().contains("skipped=\"\(short.notYetSeen.count)\""))
    #expect(
      short.junit().contains("<skipped message=\"not seen yet, and expected within 100 seeds\"/>"))
    let long = report(1...100)
    #expect(long.junit().contains("failures=\"\(long.missing.count)\""))
    #expect(long.junit().contains("it never happened"))
    let kinds = CheckedKinds.faults(BlakJaksProgramme.self).map(\.id)
    #expect(long.missing.map(\.kind.id) == kinds.filter { $0 != "long_run" })
    #expect(!long.passed)
    // It is drawn for 6 % of the seeds: 0.94 to the power of 149 is the first below 1 in 10,000.
    #expect(long.notYetSeen.map(\.kind.id) == ["long_run"] && long.notYetSeen[0].expected == 149)
    #expect(report(1...148).notYetSeen.map(\.kind.id) == ["long_run"])
    #expect(report(1...149).missing.map(\.kind.id) == kinds)
  }

  @Test("Scenarios share their seeds' draws: many of them with few seeds need not show every fault")
  func fewSeeds() throws {
    let answerer = try Answerer("answer['faults'] = {'duplicated': 1}")
    func report(_ seeds: ClosedRange<UInt64>) throws -> CampaignReport {
      let sources = Array(repeating: try source("name: x\n"), count: 12)
      return self.report(campaign(answerer, sources, seeds: seeds, jobs: 2).run { _, _, _ in true })
    }
    let few = try report(1...10)
    #expect(few.passed && few.missing.isEmpty)
    let replayed = try #require(few.notYetSeen.first { $0.kind.id == "replayed" })
    #expect(replayed.seeds == 10 && replayed.expected == 19)
    // A retry is drawn for 9 of 10 cases with kills, which are 12 of 100.
    #expect(few.notYetSeen.first { $0.kind.id == "key_reused" }?.expected == 81)
    #expect(!few.notYetSeen.contains { $0.kind.id == "duplicated" })
    // Each kind has a test case, whatever became of it.
    let head = "<testcase classname=\"faults of blakjaks\" name="
    #expect(few.junit().contains("\(head)\"duplicated\"/>"))
    #expect(few.junit().contains("\(head)\"replayed\">"))
    #expect(try few.json().contains("\"blakjaks.replayed\" : 19"))
    let enough = try report(1...19)
    #expect(!enough.passed && enough.missing.contains { $0.kind.id == "replayed" })
  }

  @Test func scenariosAsWrittenAreNotAskedForFaultsThatAreDrawn() throws {
    let answerer = try Answerer("pass")
    let written = "name: x\ncheck:\n  as_written: true\n  faults: [\"duplicated 0.1\"]\n"
    let one = report(
      campaign(answerer, [try source(written)], seeds: 1...100, jobs: 2).run { _, _, _ in true })
    #expect(one.passed && one.missing.isEmpty)
    // Nor do its cases make up a hundred with those of another.
    let two = report(
      campaign(answerer, [try source(written), try source("name: y\n")], seeds: 1...60, jobs: 2)
        .run { _, _, _ in true })
    #expect(two.passed, "\(two.missing.map(\.kind.id))")
  }

  @Test("A fault of a scenario as written is none that the drawn cases of another have had")
  func writtenFaults() throws {
    let answerer = try Answerer(
      "if 'as_written' in (case.get('text') or ''): answer['faults'] = {'duplicated': 1}")
    let written = "name: x\ncheck:\n  as_written: true\n  faults: [\"duplicated 0.1\"]\n"
    let outcome = campaign(
      answerer, [try source(written), try source("name: y\n")], seeds: 1...100, jobs: 2
    ).run { _, _, _ in true }
    #expect(outcome.results.map { $0.faults["duplicated", default: 0] } == [100, 0])
    #expect(report(outcome).missing.contains { $0.kind.id == "duplicated" })
  }

  @Test(
    "Faults that a case as written cannot have are told, and one that is there twice is refused")
  func idleFaults() throws {
    func scenario(_ faults: String, _ more: String = "") throws -> Scenario {
      try Scenario.load(
        text: "name: x\ncheck: {as_written: true, faults: [\(faults)]}\n\(more)", file: "x")
    }
    func told(_ faults: String, _ more: String = "") throws -> [String] {
      CheckedKinds.idle(in: try scenario(faults, more)).map { "\($0.path), \($0.reason)" }
    }
    let needsKills = "check.faults: retried_with_key, check.faults has no killed"
    #expect(try told("retried_with_key 1") == [needsKills])
    #expect(try told("killed 0, retried_with_key 1") == [needsKills])
    #expect(try told("killed 0.5, retried_with_key 1, duplicated 0.1") == [])
    #expect(try told("retried_with_key 0") == [])
    let embera = "programme: embera\ncalendar: {days: 9, zone: UTC}\n"
    #expect(
      try told("clock_change 1, delivery_at_boundary 1", embera) == [
        "check.faults: clock_change, the clocks of calendar.zone do not change"
      ])
    let error = try #require(throws: InputErrors.self) {
      try CheckedKinds.requireFaults(of: try scenario("duplicated 0.9, duplicated 0"))
    }
    #expect(error.description.contains("'duplicated' is there twice; leave one of them out"))
    #expect(throws: Never.self) { try CheckedKinds.requireFaults(of: try scenario("duplicated 1")) }
  }

  @Test("JUnit tells the facts of the case that its first command replays")
  func smallestFacts() throws {
    let answerer = try Answerer("fail()")
    var outcome = campaign(answerer).run { _, _, _ in true }
    var broken = try #require(outcome.results[0].found[0].answer.broken)
    let first = broken.facts
    broken.facts = "facts of the smallest case"
    outcome.results[0].found[0].smallest = Campaign.Smallest(
      file: "small.yaml", seed: 1, until: nil, broken: broken, attempts: 3)
    let xml = report(outcome).junit()
    #expect(xml.contains("message=\"facts of the smallest case\"") && !first.isEmpty)
    #expect(!xml.contains("message=\"\(first)\""))
  }

  @Test(
    "Faults that a scenario cannot have are not asked for",
    arguments: [
      ("programme: embera\ncalendar: {zone: UTC}\n", ["clock_change"]),
      ("programme: embera\ncalendar: {zone: America/Phoenix}\n", ["clock_change"]),
      ("programme: embera\ncalendar: {zone: Europe/Berlin}\n", []),
      ("programme: blakjaks\nrules: {states: []}\n", ["banned_vaults", "bans"]),
      ("programme: blakjaks\n", []),
      ("programme: embera\ncalendar: {days: 35}\n", []),
      (
        "programme: embera\ncalendar: {days: 30}\n",
        ["conflicts", "early_estimate", "early_expiry"]
      ),
      (
        "programme: embera\ncalendar: {days: 7}\n",
        ["conflicts", "delivery_at_boundary", "early_estimate", "early_expiry", "subscribers"]
      ),
    ] as [(String, [String])])
  func impossible(_ text: String, _ kinds: [String]) throws {
    let scenario = try Scenario.load(text: "name: x\n\(text)", file: "x")
    #expect(CheckedKinds.impossible(in: scenario) == kinds)
    let answerer = try Answerer("answer['programme'] = '\(scenario.programme.id)'")
    let report = report(
      campaign(answerer, [try source("name: x\n\(text)")], seeds: 1...100, jobs: 2)
        .run { _, _, _ in true })
    let missing = Set(report.missing.map(\.kind.id))
    #expect(missing.isDisjoint(with: kinds) && !missing.isEmpty)
  }

  @Test(
    "Worlds of few members or a single day have few occasions, and need more seeds for each fault")
  func tinyWorlds() throws {
    let answerer = try Answerer("answer['programme'] = 'embera'")
    func report(_ text: String) throws -> CampaignReport {
      let own = try source("name: x\nprogramme: embera\n\(text)\n")
      return self.report(
        campaign(answerer, [own], seeds: 1...150, jobs: 2).run { _, _, _ in true })
    }
    for (text, seeds) in [
      ("population: {members: 1}", 3_000), ("population: {members: 3}", 1_000),
      ("calendar: {days: 1}", 700),
    ] as [(String, Int64)] {
      let tiny = try report(text)
      #expect(tiny.passed && tiny.isOfTinyWorlds, "\(text): \(tiny.missing.map(\.kind.id))")
      let late = try #require(tiny.notYetSeen.first { $0.kind.id == "clock_change" })
      #expect(late.expected == seeds, "\(text)")
    }
    #expect(try !report("calendar: {days: 1}").notYetSeen.contains { $0.kind.id == "long_offline" })
    let usual = try report("population: {members: 30}\ncalendar: {days: 7}")
    #expect(!usual.isOfTinyWorlds && usual.missing.contains { $0.kind.id == "clock_change" })
  }
}
