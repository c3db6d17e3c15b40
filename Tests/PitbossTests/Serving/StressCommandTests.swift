// Goal: 'pitboss stress' measures a scenario, says when a rate was not offered, and refuses what
// cannot be measured.
// Method: the real program, run as a process in a folder of its own.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct StressCommandTests {
  private func stress(_ bench: Workbench, _ more: String...) throws -> Outcome {
    try bench.run(
      ["stress", "small.yaml", "--rounds", "2", "--seconds", "0.1"] + more, environment: [:])
  }

  @Test(
    "A small scenario is measured, and stress.json follows the published schema",
    arguments: ["blakjaks", "embera"])
  func measures(_ programme: String) throws {
    let bench = try Workbench()
    try bench.write(
      "small.yaml",
      "name: small\nprogramme: \(programme)\ncalendar: {days: 20}\npopulation: {members: 200}\n")
    let run = try stress(
      bench, "--target", "engine", "--rate", "500,1000", "--arrivals", "even", "--threads", "2")
    // A machine that is busy with other tests may start late; what was measured is there either way.
    #expect([0, 112].contains(run.code), "\(run.errors)")
    for words in ["As fast as it goes", "At given rates", "House's share", "Results/stress-small"] {
      #expect(run.output.contains(words), "\(words)\n\(run.output)")
    }
    let json = try bench.read("Results/stress-small/stress.json")
    let schema = try bench.run("schema", "stress")
    #expect(schema.code == 0)
    #expect(try MiniSchema(schema.output).problems(in: json) == [])
    #expect(json.contains("\"target\": \"engine\""))

    let again = try stress(bench, "--format", "json", "--threads", "1")
    #expect(again.code == 0 && again.errors.isEmpty, "\(again.errors)")
    #expect(again.output == (try bench.read("Results/stress-small/stress.json")))
    let quiet = try stress(bench, "--quiet", "--threads", "1", "--out", "other")
    #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
    #expect(try bench.names("other") == ["stress.json"])
  }

  @Test func aRateThatCannotBeOfferedEndsWith112() throws {
    let bench = try Workbench()
    _ = try bench.small("calendar: {days: 20}\n")
    let run = try bench.run(
      "stress", "small.yaml", "--rounds", "2", "--seconds", "0.5", "--rate", "10000000",
      "--threads", "1")
    #expect(run.code == 112, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("not offered"), "\(run.errors)")
    #expect(run.errors.contains("10,000,000 a second"))
    #expect(try bench.read("Results/stress-small/stress.json").contains("\"offered\": false"))
  }

  @Test(
    "What cannot be meant is refused before anything runs",
    arguments: [
      (["--rate", "0"], "--rate: '0' is not a rate"), (["--rate", "fast"], "'fast' is not a rate"),
      (["--rate", "100,"], "'' is not a rate"), (["--rate", "nan"], "'nan' is not a rate"),
      (["--rate", "1e9"], "'1e9' is not a rate"),
      (["--rate", "10000000", "--seconds", "2"], "more than 10,000,000 requests"),
      (["--seconds", "0"], "--seconds is 0.0"), (["--seconds", "nan"], "--seconds is nan"),
      (["--rounds", "1"], "--rounds is 1"), (["--requests", "0"], "--requests is 0"),
      (["--threads", "0"], "--threads is 0"), (["--threads", "257"], "--threads is 257"),
      (["--target", "moon"], "moon"), (["--arrivals", "late"], "late"),
      (["--find-knee", "p99 < 1s"], "--find-knee is for a service under load"),
      (["--dry-run"], "--dry-run is for a service"),
    ])
  func refusals(_ flags: [String], _ words: String) throws {
    let bench = try Workbench()
    _ = try bench.small()
    let run = try bench.run(["stress", "small.yaml"] + flags, environment: [:])
    #expect(run.code == 64 && run.errors.contains(words), "\(run.code) \(run.errors)")
    #expect(try bench.names() == ["small.yaml"])
  }

  @Test func aBrokenScenarioAndAFolderOfSomethingElseAreRefused() throws {
    let bench = try Workbench()
    _ = try bench.small()
    #expect(try bench.run("stress", "nowhere.yaml").code == 74)
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("mine"), withIntermediateDirectories: true)
    try bench.write("mine/letter.txt", "kept")
    let run = try bench.run("stress", "small.yaml", "--out", "mine")
    #expect(run.code == 74, "\(run.errors)")
    #expect(try bench.names("mine") == ["letter.txt"])
  }
}
