// Goal: 'pitboss check' runs campaigns in processes, finds what is broken, makes it small, and says
// how to see it again.
// Method: the real program checks scenarios in a folder of its own, in processes of its own.
import Foundation
import TestSupport
import Testing

private let scenarios = Checkout.scenarios

@Suite struct CheckCommandTests {
  private func path(_ name: String) -> String {
    scenarios.appendingPathComponent("\(name).yaml").path
  }

  @Test func aCleanCampaignEndsWithZeroAndSaysSo() throws {
    let bench = try Workbench()
    let outcome = try bench.run(
      "check", path("full-programme"), path("steady-state"), "--seeds", "1..6", "--junit", "c.xml")
    #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
    #expect(outcome.output.contains("All promises hold: 12 cases"), "\(outcome.output)")
    #expect(outcome.output.contains("payout_fails"))
    let xml = try String(
      contentsOf: bench.folder.appendingPathComponent("c.xml"), encoding: .utf8)
    #expect(xml.components(separatedBy: "<testcase ").count > 80)
    #expect(!xml.contains("<failure"))
  }

  @Test func resultsAreJSONForPrograms() throws {
    let outcome = try Workbench().run(
      "check", path("launch-year"), "--seeds", "3", "--format", "json", "--jobs", "1")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let fields = try #require(object as? [String: Any])
    #expect(fields["passed"] as? Bool == true)
    #expect(fields["schema_version"] as? Int == 1)
    let rows = try #require(fields["scenarios"] as? [[String: Any]])
    #expect(rows[0]["cases"] as? Int == 1)
    #expect(rows[0]["programme"] as? String == "blakjaks")
    let text = try Workbench().run("check", path("launch-year"), "--seeds", "3", "--jobs", "1")
    #expect(text.output.contains("All promises hold: 1 case, "), "\(text.output)")
    // A list of what is not seen yet is as long as there are kinds, and has lines.
    #expect(text.output.contains("Not seen yet in blakjaks's cases with 1 seed, "))
    let longest = text.output.split(separator: "\n").map(\.count).max() ?? 0
    #expect(longest <= 100, "\(text.output)")
  }

  @Test func theSameSeedGivesTheSameCase() throws {
    let bench = try Workbench()
    let first = try bench.run("replay", path("full-programme"), "--seed", "11")
    #expect(first.code == 0, "\(first.errors)")
    #expect(try bench.run("replay", path("full-programme"), "--seed", "11").output == first.output)
    let told = try bench.run("replay", path("full-programme"), "--seed", "11", "--trace")
    #expect(told.output.hasSuffix(first.output))
    #expect(told.output.contains("signs up"))
    let one = try bench.run(
      "replay", path("full-programme"), "--seed", "11", "--trace", "--members", "1")
    #expect(one.output.count < told.output.count)
    #expect(one.output.contains("member 1 "))
  }

  @Test(
    "A replay that would look at nothing is refused, and says what the case has",
    arguments: [
      (["--until", "2026-01-02T00:00:00Z"], "before it: the case runs from 2026-10-"),
      (["--trace", "--members", "1,9999999"], "and the story has members 1 to "),
      (["--trace", "--members", "0"], "--members is '0'; write numbers such as 3,17"),
    ])
  func nothingToReplay(_ flags: [String], _ words: String) throws {
    let replay = try Workbench().run(
      ["replay", path("launch-year"), "--seed", "3"] + flags, environment: [:])
    #expect(replay.code == 64, "\(replay.errors)")
    #expect(replay.errors.contains(words), "\(replay.errors)")
    #expect(!replay.output.contains("promises hold"))
  }

  @Test func settingsOfTheEnvironmentHoldForCases() throws {
    let bench = try Workbench()
    func members(_ environment: [String: String], _ flags: String...) throws -> String {
      let outcome = try bench.run(
        ["replay", path("launch-year"), "--seed", "1"] + flags, environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
      // What comes from elsewhere than the line itself is said.
      #expect(
        outcome.errors.contains("PITBOSS_SET sets population.members=5; population.mischief")
          == (environment != [:] && flags.isEmpty), "\(outcome.errors)")
      return outcome.output
    }
    let set = ["PITBOSS_SET": "population.members=5; population.mischief.malformed=0"]
    let few = try members(set)
    #expect(try few != members([:]))
    #expect(
      try few
        == members(
          [:], "--set", "population.members=5", "--set", "population.mischief.malformed=0"))
    let refused = try bench.run(
      ["check", path("launch-year"), "--seeds", "1"], environment: ["PITBOSS_SET": "nothing=1"])
    #expect(refused.code == 65)
    #expect(refused.errors.contains("PITBOSS_SET"), "\(refused.errors)")
  }

  @Test("A stored case is replayed as it is stored, whatever the environment sets")
  func storedCases() throws {
    let bench = try Workbench()
    try bench.write(
      "case.yaml",
      "name: x\npopulation: {members: 20}\ncalendar: {days: 9}\ncheck: {as_written: true}\n")
    let replay = ["replay", "case.yaml", "--seed", "1"]
    let set = ["PITBOSS_SET": "population.members=5"]
    let (plain, stored) = (
      try bench.run(replay, environment: [:]), try bench.run(replay, environment: set)
    )
    #expect(plain.code == 0 && plain.errors.isEmpty, "\(plain.errors)")
    #expect(stored.code == 0 && stored.output == plain.output)
    #expect(stored.errors.contains("case.yaml is checked as written, without the settings of PITB"))
    let other = try bench.run(replay + ["--set", "population.members=5"], environment: [:])
    #expect(other.code == 0 && other.output != plain.output)
  }

  @Test func aBudgetEndsACampaign() throws {
    let outcome = try Workbench().run(
      "check", path("steady-state"), "--seeds", "1..1000000", "--budget", "2s")
    #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
    let words = try #require(outcome.output.firstMatch(of: /([0-9,]+) of 1,000,000 cases/))
    let count = try #require(Int(words.output.1.replacing(",", with: "")))
    #expect((1..<1_000_000).contains(count), "\(outcome.output)")
  }

  @Test(
    "What cannot be done is refused before anything runs",
    arguments: [
      (["--seeds", "5..1"], 64, "--seeds is '5..1', which ends before it begins; write 1..5"),
      (["--seeds", "x"], 64, "--seeds is 'x'"), (["--seeds", "1...3"], 64, "write first..last"),
      (["--seeds", "1..2000000000"], 64, "1,000,000,000 seeds or fewer"),
      (["--out", "x", "--no-shrink"], 64, "leave it out, or --no-shrink"),
      (["--junit", ""], 64, "--junit is empty"),
      (["--vary", "--set", "check.as_written=true"], 64, "--vary draws nothing"),
      (["--budget", "10"], 64, "--budget is '10'"), (["--jobs", "0"], 64, "--jobs is 0"),
      (["--budget", "1e30s"], 64, "--budget is '1e30s'; keep it at"),
      (["--set", "check.kept=1;2"], 65, "'1;2' is not a list of places; write 0-12,40"),
      (["--set", "check.kept=5-1"], 65, "check.kept"),
      (["--set", "check.kept=1,,2"], 65, "check.kept"),
      (["--set", "population.members=x"], 65, "population.members"),
    ] as [([String], Int32, String)])
  func refused(_ flags: [String], _ code: Int32, _ words: String) throws {
    let outcome = try Workbench().run(["check", path("launch-year")] + flags, environment: [:])
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("Cases are not written into a run folder, and what does nothing for a case is said")
  func places() throws {
    let bench = try Workbench()
    try bench.write("s.yaml", "name: s\npopulation: {members: 5}\ncalendar: {days: 3}\n")
    #expect(try bench.run("run", "s.yaml", "--out", "r", "--quiet").code == 0)
    let before = try bench.names("r")
    let refused = try bench.run("check", "s.yaml", "--seeds", "1", "--out", "r")
    #expect(refused.code == 74 && refused.errors.contains("r is a run folder, whose files belong"))
    #expect(try bench.names("r") == before)
    for set in ["check.kept=1-2", "check.faults=[duplicated 0.5]"] {
      let outcome = try bench.run("check", "s.yaml", "--seeds", "1", "--set", set, "--no-shrink")
      #expect(
        outcome.errors.contains(
          "\(set.prefix { $0 != "=" }) does nothing while check.as_written is false"),
        "\(outcome.errors)")
      let written = try bench.run(
        "check", "s.yaml", "--seeds", "1", "--set", set, "--set", "check.as_written=true",
        "--no-shrink")
      #expect(!written.errors.contains("does nothing"), "\(written.errors)")
    }
  }

  @Test func aMissingScenarioIsNamed() throws {
    let outcome = try Workbench().run("check", "nowhere.yaml", "--seeds", "1")
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains("nowhere.yaml"))
    let replay = try Workbench().run(
      "replay", path("launch-year"), "--seed", "1", "--until", "tomorrow")
    #expect(replay.code == 64)
    #expect(replay.errors.contains("--until is 'tomorrow'"))
  }

  @Test("The environment chooses what is printed and shown, as for every other command")
  func environment() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let check = ["check", "small.yaml", "--seeds", "1..1", "--jobs", "1"]
    let json = try bench.run(
      check, environment: ["PITBOSS_FORMAT": "json", "PITBOSS_PROGRESS": "always"])
    #expect(json.output.hasPrefix("{") && !json.errors.isEmpty, "\(json.output)\(json.errors)")
    let text = try bench.run(
      check + ["--format", "text", "--progress", "never"],
      environment: ["PITBOSS_FORMAT": "json", "PITBOSS_PROGRESS": "always"])
    #expect(!text.output.hasPrefix("{") && text.errors.isEmpty, "\(text.output)\(text.errors)")
    for name in ["FORMAT", "PROGRESS"] {
      let wrong = try bench.run(check, environment: ["PITBOSS_\(name)": "zzz"])
      #expect(wrong.code == 64 && wrong.errors.contains("PITBOSS_\(name) is 'zzz'; write one of"))
    }
  }

  @Test(
    "A fault that is misspelled is found by every command, and one that does nothing by validate")
  func faultsInFiles() throws {
    let bench = try Workbench()
    try bench.write("a.yaml", "name: a\ncheck:\n  faults: [duplicatd 0.1]\n")
    for command in [["scenario", "validate", "a.yaml"], ["run", "a.yaml"], ["check", "a.yaml"]] {
      let wrong = try bench.run(command, environment: [:])
      #expect(wrong.code == 65, "\(command)")
      #expect(wrong.errors.contains("a.yaml:3:12: check.faults[0]: 'duplicatd' is not a fault"))
    }
    try bench.write("b.yaml", "name: b\ncheck:\n  faults: [duplicated 0.1]\n")
    let idle = try bench.run("scenario", "validate", "b.yaml")
    #expect(idle.code == 0)
    #expect(
      idle.output.contains(
        "  check.faults does nothing while check.as_written is false"))
    let json = try bench.run("scenario", "validate", "b.yaml", "--format", "json")
    #expect(json.output.contains("\"check.faults\""), "\(json.output)")
  }
}
