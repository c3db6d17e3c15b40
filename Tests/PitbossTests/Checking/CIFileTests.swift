// Goal: the files that a team copies into its CI do what they say.
// Method: the shell script runs with the real program on scenarios of its own; the workflow is read as
// YAML, and runs that script. GitHub's own steps cannot run here.
import Foundation
import TestSupport
import Testing
import Yams

private let root = Checkout.root

@Suite struct CIFileTests {
  private func ci(
    _ scenarios: [String: String], in given: Workbench? = nil, files: String = "*.yaml",
    program: String? = nil
  ) throws -> Int32 {
    let bench = try given ?? Workbench()
    for (name, text) in scenarios { try bench.write("\(name).yaml", text) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [root.appendingPathComponent("Documentation/ci/pitboss-ci").path]
    process.currentDirectoryURL = bench.folder
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "PITBOSS": program ?? bench.programFolder + "/pitboss", "SCENARIOS": files,
      "SEEDS": "1..3", "OUT": "out",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let found = bench.folder.appendingPathComponent("out/check.xml")
    if process.terminationStatus != 65 {
      #expect(FileManager.default.fileExists(atPath: found.path))
    }
    return process.terminationStatus
  }

  private static let small = "name: small\npopulation:\n  members: 30\ncalendar:\n  days: 20\n"

  @Test func promisesThatHoldEndWithZero() throws {
    #expect(try ci(["small": Self.small]) == 0)
  }

  @Test func aMissedThresholdEndsWith99AndTheRestIsStillChecked() throws {
    let missed = Self.small + "expect:\n  - scans.accepted > 1000000\n"
    #expect(try ci(["a": missed, "b": Self.small]) == 99)
  }

  @Test func aScenarioThatCannotBeReadIsGraverThanAMissedThreshold() throws {
    #expect(try ci(["a": "name: a\nunknown: 1\n"]) == 65)
  }

  @Test func scenariosOfOneNameHaveAFolderEach() throws {
    let bench = try Workbench()
    // A program that writes what it was asked to run into the folder, and an empty check.
    try bench.write(
      "program",
      """
      #!/bin/sh
      case $1 in
        run) mkdir -p "$4" && echo "$2" >> "$4/ran" ;;
        check) touch out/check.xml ;;
      esac
      """)
    let program = bench.folder.appendingPathComponent("program").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let files = "a/night.yaml b/night.yaml c/night.yaml a/check.yaml a/night-2.yaml"
    #expect(try ci([:], in: bench, files: files, program: program) == 0)
    let folders = ["night", "night-2", "night-3", "check-2", "night-2-2"]
    for (folder, file) in zip(folders, files.split(separator: " ")) {
      let ran = bench.folder.appendingPathComponent("out/\(folder)/ran")
      #expect(try String(contentsOf: ran, encoding: .utf8) == "\(file)\n")
    }
  }

  @Test func theWorkflowRunsTheScript() throws {
    let file = root.appendingPathComponent("Documentation/ci/github-workflow.yml")
    let document = try #require(
      try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? [String: Any])
    let jobs = try #require(document["jobs"] as? [String: [String: Any]])
    let steps = try #require(jobs["check"]?["steps"] as? [[String: Any]])
    #expect(steps.contains { $0["run"] as? String == "pitboss/Documentation/ci/pitboss-ci" })
    #expect(steps.contains { ($0["run"] as? String)?.contains("--product pitboss") == true })
  }
}
