// Goal: Scripts/check-seeds counts each seed once and keeps each scenario's seeds apart.
// Method: the script runs with a program of a few lines that answers for 'pitboss check', on scenarios
// outside the repository.
import Foundation
import TestSupport
import Testing

private let root = Checkout.root

@Suite struct CheckSeedsTests {
  /// Runs the script in a folder; all paths are from there.
  ///
  /// - Returns: What it prints.
  private func check(
    _ bench: Workbench, _ scenario: String, _ flags: String..., code: Int32 = 0
  ) throws -> String {
    let process = Process()
    process.executableURL = root.appending(path: "Scripts/check-seeds")
    process.arguments =
      [scenario, "--binary", "program", "--out", "out"] + flags
    process.currentDirectoryURL = bench.folder
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == code)
    return String(decoding: text, as: UTF8.self)
  }

  /// - Parameter more: Python that changes `step`, what is printed.
  private func bench(_ more: String = "pass") throws -> Workbench {
    let bench = try Workbench()
    // Each seed is a case of one event.
    try bench.write(
      "program",
      """
      #!/usr/bin/env python3
      import json, sys
      first, last = map(int, sys.argv[sys.argv.index("--seeds") + 1].split(".."))
      count = last - first + 1
      result = {"cases": count, "passed": count, "refused": 0, "events": count, "requests": 0,
                "faults": {"f": 1}, "found": []}
      step = {"seconds": 1, "missing_faults": [], "scenarios": [result], "cases": count,
              "planned_cases": count, "interrupted": False}
      \(more)
      print(json.dumps(step))
      """)
    let files = FileManager.default
    try files.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: bench.folder.appending(path: "program").path)
    for place in ["a", "b"] {
      try files.createDirectory(
        at: bench.folder.appending(path: place), withIntermediateDirectories: false)
      try bench.write("\(place)/s.yaml", "name: x\n")
    }
    return bench
  }

  @Test func aSeedOfSeveralRangesCountsOnce() throws {
    let bench = try bench()
    #expect(try check(bench, "a/s.yaml", "--seeds", "1..700").hasPrefix("700 cases, 700 ev"))
    #expect(try check(bench, "a/s.yaml", "--seeds", "400..1200").hasPrefix("1,200 cases, 1,2"))
    #expect(try check(bench, "a/s.yaml", "--seeds", "1..1200").hasPrefix("1,200 cases, 1,200"))
    // A step that an earlier script left.
    let out = "out/\(try #require(try bench.names("out").first))"
    try bench.write("\(out)/1-499.json", try bench.read("\(out)/1-500.json"))
    let total = try check(bench, "a/s.yaml", "--total")
    #expect(total.hasPrefix("1-499.json overlaps other steps and is not counted.\n1,200 cases"))
  }

  @Test func scenariosOfOneFileNameAreKeptApart() throws {
    let bench = try bench()
    #expect(try check(bench, "a/s.yaml", "--seeds", "1..10").hasPrefix("10 cases"))
    #expect(try check(bench, "b/s.yaml", "--seeds", "1..4").hasPrefix("4 cases"))
    #expect(try check(bench, "a/s.yaml", "--total").hasPrefix("10 cases"))
  }

  @Test(
    "A step that ended early is not done",
    arguments: [
      "step['cases'] -= 1", "step['failure'] = 'No space left on device'",
      "step['interrupted'] = True",
    ])
  func early(_ more: String) throws {
    let bench = try bench(more)
    #expect(try check(bench, "a/s.yaml", "--seeds", "1..10", code: 74) == "")
    #expect(try check(bench, "a/s.yaml", "--total").hasPrefix("nothing is done yet"))
  }

  @Test func whatWasFoundIsToldWhateverEndedTheStep() throws {
    let found = "{'invariant': 'made_up', 'times': 2, 'first': {'seed': 7}}"
    let bench = try bench("result['found'], step['failure'] = [\(found)], 'No space left'")
    let told = try check(bench, "a/s.yaml", "--seeds", "1..10", code: 111)
    #expect(told == "made_up broken 2 times, first with seed 7\n")
  }

  @Test func whereAllCasesAreRefusedNothingHolds() throws {
    let bench = try bench("result['refused'], result['passed'] = count, 0")
    let total = try check(bench, "a/s.yaml", "--seeds", "1..10", code: 111)
    #expect(total.contains("No case ran: all were refused.") && !total.contains("hold"))
  }
}
