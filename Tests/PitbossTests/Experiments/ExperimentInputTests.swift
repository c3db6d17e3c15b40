// Goal: experiments say all that is wrong before anything runs, write nowhere but where they
// should, and leave nothing when they are interrupted.
// Method: the real program; a progress line that is always shown betrays a replication.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ExperimentInputTests {
  private func bench(name: String = "tiny") throws -> Workbench {
    let bench = try Workbench()
    try bench.write(
      "tiny.yaml", "name: \"\(name)\"\npopulation: {members: 60}\ncalendar: {days: 40}\n")
    return bench
  }

  @Test("sweep says everything that is wrong with any point before the first replication")
  func everyPoint() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "sweep", "tiny.yaml", "--vary", "calendar.days=30,0", "--vary",
      "rules.guarantee.amount=10,-5,oops", "--vary", "rules.tiers.vip=5,16", "--progress", "always")
    #expect(outcome.code == 65)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 4, "\(outcome.errors)")
    for part in [
      "--vary calendar.days: 0 is out of range", "--vary rules.guarantee.amount: -5",
      "--vary rules.guarantee.amount: 'oops'", "it must stay below rules.tiers.high_roller",
    ] { #expect(lines.count { $0.contains(part) } == 1, "\(part)\n\(outcome.errors)") }
    #expect(try bench.names() == ["tiny.yaml"])
  }

  @Test(
    "What is wrong with several scenarios is said of all",
    arguments: [
      ["choose", "tiny.yaml", "--with", "a=1", "--with", "b=2", "--figure", "tins.sold"]
        + ["--indifference", "1"],
      ["sensitivity", "tiny.yaml", "--vary", "a=1..2", "--vary", "b=1..2"],
      ["compare", "a.yaml", "b.yaml"],
    ])
  func everyScenario(arguments: [String]) throws {
    let bench = try bench()
    for name in ["a", "b"] { try bench.write("\(name).yaml", "name: \(name)\n\(name): 1\n") }
    let outcome = try bench.run(arguments + ["--progress", "always"], environment: [:])
    #expect(outcome.code == 65)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome.errors)")
    #expect(lines.allSatisfy { $0.contains("unknown key") })
  }

  private static let commands = [
    ["compare", "tiny.yaml", "tiny.yaml", "--replications", "2"],
    ["sweep", "tiny.yaml", "--vary", "population.members=30,60", "--replications", "2"]
      + ["--plotly", "cdn"],
    ["sensitivity", "tiny.yaml", "--vary", "rules.scan_reward.base=0.1..0.3", "--keep", "0"]
      + ["--trajectories", "2", "--plotly", "cdn"],
    ["choose", "tiny.yaml", "--with", "population.members=30", "--figure", "tins.sold"]
      + ["--indifference", "100", "--first", "5"],
  ]

  @Test("A place that cannot take the results is refused before the first replication")
  func places() throws {
    let bench = try bench()
    try bench.write("file", "mine")
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("theirs"), withIntermediateDirectories: true)
    try bench.write("theirs/thesis.txt", "years of work")
    for command in Self.commands {
      for (place, words) in [
        ("file", "already exists and is not a folder"),
        ("file/below/it", "a part of the path is a file"),
        ("theirs", "is not an experiment's folder"), ("", "--out is empty"),
      ] {
        let outcome = try bench.run(
          command + ["--out", place, "--progress", "always"], environment: [:])
        let code: Int32 = place.isEmpty ? 64 : 74
        #expect(outcome.code == code, "\(command[0]) \(place): \(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(command[0]) \(place): \(outcome.errors)")
        #expect(!outcome.errors.contains("replications"), "\(command[0]) ran")
      }
    }
    #expect(try bench.names() == ["file", "theirs", "tiny.yaml"])
    #expect(try bench.names("theirs") == ["thesis.txt"])
  }

  @Test("A scenario's name leads to no other folder", arguments: commands)
  func hostileNames(command: [String]) throws {
    let bench = try bench(name: "../../<i>'evil")
    let outcome = try bench.run(command, environment: [:])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try bench.names() == ["Results", "tiny.yaml"])
    let folders = try bench.names("Results")
    #expect(folders.count == 1 && folders[0].hasPrefix("\(command[0])--.-..-<i>'evil"))
    #expect(try !bench.names("Results/\(folders[0])").isEmpty)
  }

  @Test(
    "Ctrl-C ends an experiment with 130, says so at once, and keeps only what ended",
    arguments: commands)
  func interrupts(command: [String]) throws {
    let bench = try bench()
    let more =
      switch command[0] {
      case "choose": ["--indifference", "1e-4", "--limit", "1000000"]
      default: ["--replications", "10000"]
      }
    let process = bench.process(command + more + ["--progress", "always"])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // The first piece of the progress line comes when the signals are listened to.
    var said = errors.fileHandleForReading.availableData
    process.interrupt()
    // A signal that is passed on as well, as 'timeout' does, is no second request.
    Thread.sleep(forTimeInterval: 0.02)
    process.interrupt()
    said += errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: said, as: UTF8.self)
    #expect(process.terminationStatus == 130, "\(text)")
    let notice = "pitboss: stopping; the replications under way are finished first\n"
    #expect(text.components(separatedBy: notice).count == 2, "\(text)")
    if text.hasSuffix("\npitboss: interrupted; nothing was written\n") {
      #expect(try bench.names() == ["tiny.yaml"])
    } else {
      #expect(text.hasSuffix("-interrupted/replications.csv\n"), "\(text)")
      #expect(text.contains("\npitboss: interrupted; "), "\(text)")
      #expect(try bench.names("Results").allSatisfy { $0.hasSuffix("-interrupted") })
    }
  }

  @Test(
    "Ctrl-C ends a command that has nothing to keep with 130 and a message",
    arguments: [
      ["project", "pipe"], ["solve", "pipe", "--adjust", "a=1..2", "--such-that", "b < 1"],
      ["run", "pipe"], ["check", "pipe"], ["calibrate", "pipe"],
    ])
  func interruptsEarly(command: [String]) throws {
    let bench = try Workbench()
    let pipe = bench.folder.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = bench.process(command)
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // The pipe can be opened once the command waits for what comes out of it.
    var writer: Int32 = -1
    while writer < 0, process.isRunning {
      usleep(10_000)
      writer = open(pipe, O_WRONLY | O_NONBLOCK)
    }
    process.interrupt()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    close(writer)
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(said == "pitboss: interrupted; nothing was written\n")
    #expect(try bench.names() == ["pipe"])
  }

  @Test(
    "A flag that would have no effect is refused, and the message says with what it has one",
    arguments: [
      ("project tiny.yaml --replications 3 --precision 0.1", "--precision", "--replications"),
      ("worth tiny.yaml --most 50", "--most", "--break-even"),
      ("worth tiny.yaml --tolerance 0.1", "--tolerance", "--break-even"),
      (
        "sweep tiny.yaml --vary seed=1..2 --points 3", "--points",
        "--design latin_hypercube or sobol"
      ),
      ("sensitivity tiny.yaml --keep 0 --base 64", "--base", "--keep 0"),
      ("solve tiny.yaml --adjust a=1..2 --such-that b --points 30", "--points", "--such-that"),
      ("replay tiny.yaml --seed 1 --members 3", "--members", "--trace"),
      (
        "backtest tiny.yaml --history h.csv --set population.members=5", "--set population.members",
        "run"
      ),
      (
        "backtest tiny.yaml --history h.csv --set population={members:5}", "--set population", "run"
      ),
    ])
  func flagsWithoutEffect(command: String, flag: String, words: String) throws {
    let bench = try bench()
    let outcome = try bench.run(command.split(separator: " ").map(String.init), environment: [:])
    #expect(outcome.code == 64)
    let said = try #require(outcome.errors.split(separator: "\n").first)
    #expect(said.hasPrefix("Error: \(flag) has ") && said.contains(words), "\(outcome.errors)")
    #expect(try bench.names() == ["tiny.yaml"])
  }

  @Test("What the environment sets of the population is refused by a backtest like a flag")
  func environmentWithoutEffect() throws {
    let bench = try bench()
    let settings = ["PITBOSS_SET": "economy.price=5; population.members=5"]
    let outcome = try bench.run(
      ["backtest", "tiny.yaml", "--history", "h.csv"], environment: settings)
    #expect(outcome.code == 64)
    #expect(
      outcome.errors.hasPrefix("Error: PITBOSS_SET population.members has no effect"),
      "\(outcome.errors)")
    #expect(try bench.names() == ["tiny.yaml"])
  }

  @Test(
    "A seed cannot be varied, as everything runs with the same random numbers",
    arguments: [
      "compare tiny.yaml tiny.yaml --with seed=9", "sweep tiny.yaml --vary seed=1,2",
      "choose tiny.yaml --with seed=9 --figure tins.sold --indifference 1",
      "sensitivity tiny.yaml --vary seed=1..9", "worth tiny.yaml --break-even seed=1..9",
    ])
  func variedSeeds(command: String) throws {
    let bench = try bench()
    let words = command.split(separator: " ").map(String.init)
    let outcome = try bench.run(words, environment: [:])
    #expect(outcome.code == 64)
    let flag = try #require(words.dropFirst().first { $0.hasPrefix("--") })
    #expect(outcome.errors.contains("Error: \(flag): seed cannot be varied"), "\(outcome.errors)")
    #expect(outcome.errors.contains("give --seed"))
    #expect(try bench.names() == ["tiny.yaml"])
  }
}
