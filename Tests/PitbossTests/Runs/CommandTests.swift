// Goal: the command line does what its help says, with the promised exit codes, and leaves
// nothing half-written.
// Method: the real program, run as a process in a folder of its own.
import Foundation
import TestSupport
import Testing

/// One finished process.
struct Outcome {
  var code: Int32
  var output: String
  var errors: String
}

/// A folder of its own, removed at the end, with the program to run in it.
final class Workbench {
  let folder: URL
  private let program: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pitboss-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The tests' bundle lies beside the program that was built with them.
    program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("pitboss")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var values = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("PITBOSS_") && $0.key != "COLUMNS"
    }
    values.merge(environment) { $1 }
    process.environment = values
    return process
  }

  /// The folder that the program lies in.
  var programFolder: String { program.deletingLastPathComponent().path }

  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String]) throws -> Outcome {
    let process = process(arguments, environment: environment)
    let files = try ["out", "err"].map { name in
      let file = folder.appendingPathComponent(".\(name)-\(UUID().uuidString)")
      try Data().write(to: file)
      return (file, try FileHandle(forWritingTo: file))
    }
    process.standardOutput = files[0].1
    process.standardError = files[1].1
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus,
      output: try String(contentsOf: files[0].0, encoding: .utf8),
      errors: try String(contentsOf: files[1].0, encoding: .utf8))
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    return name
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  func names(_ place: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent(place).path
    ).filter { !$0.hasPrefix(".out-") && !$0.hasPrefix(".err-") }.sorted()
  }

  /// The folder in `Results` that was written last among those whose names begin so.
  func latest(_ start: String) throws -> String {
    let folders = try names("Results").filter { $0.hasPrefix(start) }.map { "Results/\($0)" }
    func date(_ path: String) -> Date {
      let url = folder.appendingPathComponent(path)
      let values = try? url.resourceValues(forKeys: [.contentModificationDateKey])
      return values?.contentModificationDate ?? .distantPast
    }
    return folders.max { date($0) < date($1) } ?? "Results/\(start)"
  }

  /// The files below a folder, by their paths on the bench.
  func files(below place: String) throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: folder.appendingPathComponent(place).path)
    return try paths.reduce(into: [:]) { files, path in
      let url = folder.appendingPathComponent("\(place)/\(path)")
      if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        files["\(place)/\(path)"] = try Data(contentsOf: url)
      }
    }
  }

  /// Puts files of another bench onto this one.
  func put(_ files: [String: Data]) throws {
    for (path, contents) in files {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.write(to: url)
    }
  }

  /// A small scenario.
  func small(_ more: String = "") throws -> String {
    try write("small.yaml", "name: small\npopulation:\n  members: 400\n\(more)")
  }
}

@Suite(.tags(.slow)) struct CommandTests {
  @Test func aRunWritesItsFolderAndPrintsASummary() throws {
    let bench = try Workbench()
    let run = try bench.run("run", try bench.small(), "--out", "out", "--plotly", "cdn")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty, "standard error is silent away from a terminal: \(run.errors)")
    for word in ["small", "Accepted scans", "Whale", "Total", "away", "Fingerprint", "scans/s"] {
      #expect(run.output.contains(word), "no '\(word)' in the summary")
    }
    #expect(
      try bench.names("out") == [
        "awards.csv", "daily.csv", "ledger.csv", "months.csv", "payouts.csv", "pools.csv",
        "reconciliations.csv", "report.html", "run.sqlite", "scenario.yaml", "series.csv",
        "summary.json", "tiers.csv",
      ])
    let again = try bench.run("show", "out")
    #expect(again.code == 0)
    #expect(again.output == run.output)
  }

  @Test func theResolvedScenarioOfARunRepeatsIt() throws {
    let bench = try Workbench()
    let first = try bench.run(
      "run", try bench.small(), "--out", "a", "--plotly", "cdn", "--seed", "77", "--set",
      "rules.scan_reward.base=0.3", "--threads", "1", "--format", "json")
    let second = try bench.run(
      "run", "a/scenario.yaml", "--out", "b", "--plotly", "cdn", "--threads", "8", "--format",
      "json")
    func fingerprint(_ text: String) throws -> String {
      let json = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(json["seed"] as? Int == 77)
      return try #require(json["fingerprint"] as? String)
    }
    #expect(try fingerprint(first.output) == fingerprint(second.output))
    for name in ["awards.csv", "daily.csv", "months.csv", "payouts.csv", "tiers.csv"] {
      #expect(try bench.read("a/\(name)") == bench.read("b/\(name)"))
    }
  }

  @Test func environmentStandsBetweenFileAndFlag() throws {
    let bench = try Workbench()
    let file = try bench.small("seed: 1\n")
    func seed(_ arguments: [String], _ environment: [String: String]) throws -> String {
      let process = bench.process(
        ["scenario", "show", file] + arguments, environment: environment)
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let line = text.split(separator: "\n").first { $0.hasPrefix("seed ") }
      return line?.split(separator: " ", omittingEmptySubsequences: true)[1].description ?? ""
    }
    #expect(try seed([], [:]) == "1")
    #expect(try seed([], ["PITBOSS_SEED": "2"]) == "2")
    #expect(try seed(["--set", "seed=3"], ["PITBOSS_SEED": "2"]) == "3")
  }

  @Test func badInputListsEveryFindingAndRunsNothing() throws {
    let bench = try Workbench()
    let file = try bench.write(
      "bad.yaml", "name: bad\npopulaton: {}\ncalendar:\n  days: 0\n  window: 5 kg\n")
    let run = try bench.run("run", file, "--out", "out")
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(run.errors)")
    #expect(lines[0].hasPrefix("bad.yaml:2:1: populaton: "))
    #expect(lines[0].contains("did you mean 'population'?"))
    #expect(lines[1].hasPrefix("bad.yaml:4:9: calendar.days: "))
    #expect(lines[2].hasPrefix("bad.yaml:5:11: calendar.window: "))
    #expect(try bench.names() == ["bad.yaml"])
  }

  @Test func wrongUsageIsRefusedWithCode64() throws {
    let bench = try Workbench()
    let file = try bench.small()
    #expect(try bench.run("run", file, "--thread", "2").code == 64)
    #expect(try bench.run("run", file, "--threads", "0").code == 64)
    #expect(try bench.run("run", file, "--format", "xml").code == 64)
    #expect(try bench.run("run").code == 64)
    #expect(try bench.run("run", file, environment: ["PITBOSS_FORMAT": "xml"]).code == 64)
    #expect(try bench.run("nonsense").code == 64)
  }

  @Test func missingFilesAndForeignFoldersAreInputOutputFailures() throws {
    let bench = try Workbench()
    let file = try bench.small()
    #expect(try bench.run("run", "nowhere.yaml").code == 74)
    #expect(try bench.run("backtest", file, "--history", "nowhere.csv").code == 74)
    #expect(try bench.run("show", "nowhere").code == 74)
    #expect(try bench.run("scenario", "list", "nowhere").code == 74)
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("mine"), withIntermediateDirectories: true)
    try bench.write("mine/thesis.txt", "years of work")
    // What is there and is not a run is bad input, to every command that reads runs.
    for command in ["show", "insights", "report"] {
      #expect(try bench.run(command, "mine").code == 65, "\(command)")
    }
    let run = try bench.run("run", file, "--out", "mine", "--progress", "always")
    #expect(run.code == 74)
    #expect(run.errors.hasPrefix("pitboss: mine: "), "it ran first: \(run.errors)")
    let backtest = try bench.run("backtest", file, "--history", "nowhere.csv", "--out", "mine")
    #expect(backtest.code == 74)
    #expect(backtest.errors.hasPrefix("pitboss: mine: "), "\(backtest.errors)")
    #expect(try bench.read("mine/thesis.txt") == "years of work")
    #expect(try bench.names("mine") == ["thesis.txt"])
    let full = try bench.run("run", file, "--out", "/dev/null/out", "--plotly", "cdn")
    #expect(full.code == 74)
  }

  @Test func aMissedThresholdIsCode99AndKeepsTheRun() throws {
    let bench = try Workbench()
    let file = try bench.small(
      "expect:\n  - members.total >= 400\n  - scans.accepted < 10\n"
        + "  - P(budget.utilisation.max > 0 %) <= 5 %\n")
    let run = try bench.run("run", file, "--out", "out", "--plotly", "cdn")
    #expect(run.code == 99)
    #expect(run.errors.contains("missed threshold: scans.accepted < 10; the run reached "))
    #expect(run.errors.contains("P(budget.utilisation.max > 0 %) <= 5 %; the run reached "))
    #expect(!run.errors.contains("members.total"))
    #expect(run.output.contains("2 of 3 thresholds are missed."))
    #expect(try bench.read("out/report.html").contains("2 of 3 thresholds are missed."))
    struct Summary: Decodable {
      struct Row: Decodable {
        var threshold: String
        var holds: Bool
        var figure: String?
        var reached: Double?
      }
      var thresholds: [Row]
      var acceptedScans: Double
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let summary = try decoder.decode(
      Summary.self, from: Data(try bench.read("out/summary.json").utf8))
    #expect(summary.thresholds.map(\.holds) == [true, false, false])
    #expect(summary.thresholds[0].reached == 400)
    #expect(summary.thresholds[1].reached == summary.acceptedScans)
    #expect(summary.thresholds[1].figure == "scans.accepted")
  }

  @Test func moneyThatOverflowsIsBadInput() throws {
    let bench = try Workbench()
    let file = try bench.small("economy:\n  price: 1000000000\n  gross_profit: 1000000000\n")
    let run = try bench.run("run", file, "--out", "out", "--plotly", "cdn")
    #expect(run.code == 65)
    #expect(run.errors.contains("money overflow"))
    #expect(try bench.names() == ["small.yaml"])
    try bench.write(
      "h.csv",
      "time,member,event,tins,other\n"
        + (0..<10).map { _ in "2026-01-01,a,purchase,1000,\n" }.joined())
    let replay = try bench.run("backtest", file, "--history", "h.csv", "--out", "out")
    #expect(replay.code == 65)
    #expect(replay.errors.contains("h.csv:11: money overflow"), "\(replay.errors)")
  }

  @Test func anInterruptKeepsWhatWasComputedAndMarksIt() throws {
    let bench = try Workbench()
    let file = try bench.write(
      "long.yaml",
      "name: long\ncalendar: {days: 3000}\npopulation: {members: 60000, adoption: {model: cohort}}\n"
    )
    let process = bench.process([
      "run", file, "--out", "out", "--plotly", "cdn", "--progress", "always",
    ])
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The first piece of the progress line comes when the signals are listened to.
    _ = errors.fileHandleForReading.availableData
    process.interrupt()
    _ = errors.fileHandleForReading.readDataToEndOfFile()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(text.contains("INTERRUPTED"))
    #expect(try bench.read("out/summary.json").contains("\"interrupted\": true"))
  }

  @Test func aKilledRunLeavesNothingThatLooksWhole() throws {
    let bench = try Workbench()
    let file = try bench.write(
      "long.yaml",
      "name: long\ncalendar: {days: 3000}\npopulation: {members: 60000, adoption: {model: cohort}}\n"
    )
    let process = bench.process(["run", file, "--out", "out", "--plotly", "cdn"])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    Thread.sleep(forTimeInterval: 1)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(try !bench.names().contains("out"))
  }

  @Test func scenariosAreListedValidatedAndDescribed() throws {
    let bench = try Workbench()
    let root = Checkout.root
    let folder = root.appendingPathComponent("Scenarios").path
    let list = try bench.run("scenario", "list", folder)
    #expect(list.code == 0)
    for name in ["launch-year", "steady-state", "trip-jackpot", "quarter-turn", "budget-crunch"] {
      #expect(list.output.contains(name))
      #expect(try bench.run("scenario", "validate", "\(folder)/\(name).yaml").code == 0)
    }
    let schema = try bench.run("scenario", "schema").output
    #expect(try JSONSerialization.jsonObject(with: Data(schema.utf8)) is [String: Any])
    let summary = try bench.run("schema").output
    #expect(try JSONSerialization.jsonObject(with: Data(summary.utf8)) is [String: Any])
  }
}
