// Goal: 'pitboss run --checkpoint' survives interrupts and kills: 'pitboss resume' comes to the run
// that nobody stopped, and 'pitboss verify' says what is whole.
// Method: the real program is stopped with SIGINT and SIGKILL in the middle of its work; bits of its
// files are flipped.
import Foundation
import TestSupport
import Testing

private let scenarios = Checkout.scenarios

@Suite(.tags(.slow)) struct ResumeCommandTests {
  private struct World {
    var scenario: String
    var settings: [String]
    var every: Int

    func arguments(_ out: String, checkpoints: Bool = true) -> [String] {
      var words = ["run", scenarios.appendingPathComponent("\(scenario).yaml").path]
      for setting in settings { words += ["--set", setting] }
      words += ["--out", out, "--plotly", "cdn", "--members"]
      if checkpoints { words += ["--checkpoint", "every=\(every)d"] }
      return words
    }
  }

  private static let worlds = [
    World(
      scenario: "full-programme", settings: ["population.members=1500", "calendar.days=200"],
      every: 2),
    World(
      scenario: "embera-first-year", settings: ["population.members=4000", "calendar.days=300"],
      every: 3),
  ]

  private func fingerprint(_ bench: Workbench, _ folder: String) throws -> String {
    let summary =
      try JSONSerialization.jsonObject(with: Data(try bench.read("\(folder)/summary.json").utf8))
      as? [String: Any]
    return try #require(summary?["fingerprint"] as? String)
  }

  /// Starts a run and stops it by a signal once it has written a few checkpoints.
  private func stop(
    _ bench: Workbench, _ world: World, by signal: Int32, after checkpoints: Int
  ) throws -> Int32 {
    let process = bench.process(world.arguments("run"))
    let errors = bench.folder.appendingPathComponent("errors.txt")
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let end = Date(timeIntervalSinceNow: 120)
    func last() -> Int {
      let names = (try? bench.names("run.checkpoints")) ?? []
      return names.compactMap { Int($0.dropFirst("checkpoint-".count)) }.max() ?? 0
    }
    while last() < checkpoints, process.isRunning, Date() < end { usleep(2_000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    try #require(last() >= checkpoints)
    return process.terminationStatus
  }

  @Test(
    "A killed run goes on to the fingerprint and members of the run without", arguments: [0, 1])
  func killed(row: Int) throws {
    let bench = try Workbench()
    let world = Self.worlds[row]
    let whole = try bench.run(world.arguments("whole", checkpoints: false), environment: [:])
    #expect([0, 99].contains(whole.code), "\(whole.errors)")
    _ = try stop(bench, world, by: SIGKILL, after: 4)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.path + "/run"))
    let verified = try bench.run("verify", "run")
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(verified.output.contains("'pitboss resume run' goes on from 20"))
    let resumed = try bench.run("resume", "run", "--plotly", "cdn", "--threads", "1")
    #expect(resumed.code == whole.code, "\(resumed.errors)")
    #expect(resumed.errors.contains("pitboss: going on from 20"))
    #expect(try fingerprint(bench, "run") == fingerprint(bench, "whole"))
    #expect(try bench.read("run/members.csv") == bench.read("whole/members.csv"))
    #expect(try bench.read("run/daily.csv") == bench.read("whole/daily.csv"))
    #expect(try !bench.names().contains { $0.contains("checkpoints") })
    #expect(try bench.run("verify", "run").code == 0)
  }

  @Test("An interrupted run goes on from the window in which it stopped")
  func interrupted() throws {
    let bench = try Workbench()
    let world = Self.worlds[0]
    _ = try bench.run(world.arguments("whole", checkpoints: false), environment: [:])
    #expect(try stop(bench, world, by: SIGINT, after: 3) == 130)
    let errors = try bench.read("errors.txt")
    #expect(errors.contains("'pitboss resume run' goes on from there"), "\(errors)")
    // By the name of its checkpoints, too.
    for name in ["run", "run.checkpoints"] {
      let verified = try bench.run("verify", name)
      #expect(verified.code == 0 && verified.output.contains("batches"), "\(verified.errors)")
    }
    // The part that was run is there to look at.
    let end = try #require(errors.firstMatch(of: /holds the run up to (\S+)/)?.1)
    let again = try bench.run("resume", "run", "--plotly", "cdn")
    #expect(again.errors.contains("going on from \(end)"), "\(again.errors)")
    #expect(try fingerprint(bench, "run") == fingerprint(bench, "whole"))
  }

  @Test("A damaged checkpoint is passed over, and where none is left the run is plainly of no use")
  func damaged() throws {
    let bench = try Workbench()
    let world = Self.worlds[0]
    _ = try bench.run(world.arguments("whole", checkpoints: false), environment: [:])
    _ = try stop(bench, world, by: SIGKILL, after: 4)
    func flip(_ name: String) throws {
      let url = bench.folder.appendingPathComponent("run.checkpoints/\(name)")
      var data = try Data(contentsOf: url)
      data[data.count / 2] ^= 4
      try data.write(to: url)
    }
    let names = try bench.names("run.checkpoints").filter { $0.hasPrefix("checkpoint-") }
    try flip(names[names.count - 1])
    let verified = try bench.run("verify", "run")
    #expect(verified.code == 111)
    #expect(verified.errors.contains("\(names[names.count - 1]) is damaged"))
    let copy = try bench.files(below: "run.checkpoints")
    let resumed = try bench.run("resume", "run", "--plotly", "cdn")
    let taken = "\(names[names.count - 1]) is damaged; \(names[names.count - 2]) is taken"
    #expect(resumed.errors.contains(taken), "\(resumed.errors)")
    #expect(try fingerprint(bench, "run") == fingerprint(bench, "whole"))
    let other = try Workbench()
    try other.put(copy)
    for name in names.dropLast() {
      try Data("x".utf8).write(
        to: other.folder.appendingPathComponent("run.checkpoints/\(name)"))
    }
    let refused = try other.run("resume", "run")
    #expect(refused.code == 74)
    #expect(refused.errors.contains("remove the folder and run the scenario again"))
    #expect(try other.run("verify", "run").output.contains("the run cannot go on"))
  }

  @Test("What does not go together is refused before anything runs")
  func refusals() throws {
    let bench = try Workbench()
    let small = World(
      scenario: "launch-year", settings: ["population.members=50", "calendar.days=10"], every: 2)
    for value in ["30d", "every=0d", "every=3w", "every=", "every=1d=2"] {
      let run = try bench.run("run", "x.yaml", "--checkpoint", value)
      #expect(run.code == 64 && run.errors.contains("invalid for '--checkpoint"), "\(run.errors)")
      #expect(run.errors.contains("write every=30d"), "\(run.errors)")
    }
    for place in ["run.checkpoints", "./run.checkpoints/"] {
      let run = try bench.run("run", "x.yaml", "--out", place)
      #expect(run.code == 64 && run.errors.contains("--out ends with .checkpoints"))
    }
    for flag in ["--journal", "--history"] {
      let run = try bench.run(small.arguments("run") + [flag, "file"], environment: [:])
      #expect(run.code == 64 && run.errors.contains("--checkpoint does not go with"))
    }
    let nothing = try bench.run("resume", "run")
    #expect(nothing.code == 74)
    #expect(nothing.errors.contains("run: has no checkpoints to go on from"))
    // A folder whose process was killed before it had written a checkpoint.
    let folder = bench.folder.appendingPathComponent("run.checkpoints")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try bench.write("run.checkpoints/lock", "")
    let early = try bench.run("resume", "run")
    #expect(early.code == 74)
    #expect(
      early.errors.contains("stopped before its first checkpoint was written; run the scenario"))
    #expect(try bench.names() == ["run.checkpoints"])
    // It is begun again, and so is one that holds nothing at all.
    #expect(try bench.run(small.arguments("run"), environment: [:]).code == 0)
    #expect(try bench.names() == ["run"])
    for checkpoints in [true, false] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try bench.write("run.checkpoints/.checkpoint-000001.partial", "half")
      #expect(
        try bench.run(small.arguments("run", checkpoints: checkpoints), environment: [:]).code == 0)
      #expect(try bench.names() == ["run"])
    }
    // What somebody else put there is left alone.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try bench.write("run.checkpoints/thesis.txt", "years")
    for checkpoints in [true, false] {
      let taken = try bench.run(small.arguments("run", checkpoints: checkpoints), environment: [:])
      #expect(taken.code == 74)
      #expect(taken.errors.contains("has the name of a run's checkpoints, and holds none; move it"))
    }
    #expect(try bench.names("run.checkpoints") == ["thesis.txt"])
  }

  @Test("A backtest to the place of a run that has not ended is refused")
  func backtestBeside() throws {
    let bench = try Workbench()
    _ = try bench.small()
    try bench.write("h.csv", "time,member,event,tins,other\n2026-01-05T10:00,a,purchase,2,\n")
    let folder = bench.folder.appendingPathComponent("rs.checkpoints")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try bench.write("rs.checkpoints/checkpoint-000001", "of a run")
    let run = try bench.run("backtest", "small.yaml", "--history", "h.csv", "--out", "rs")
    #expect(run.code == 74 && run.errors.contains("holds a run that has not ended"), "\(run)")
    #expect(try bench.names().contains("rs") == false)
  }

  @Test("Names that a library or a shell takes for more are names, and a pipe is no run")
  func oddNames() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let home = ["HOME": bench.folder.path + "/home"]
    for (out, seed) in [("--out=~/x", "7"), ("--out=file:x", "8"), ("--out=x", "9")] {
      let run = try bench.run(
        ["run", "small.yaml", "--seed", seed, "--plotly", "cdn", "--quiet", out], environment: home)
      #expect(run.code == 0, "\(run.errors)")
    }
    #expect(try bench.names("home") == ["x"])
    for (place, seed) in [("home/x", "7"), ("file:x", "8"), ("x", "9")] {
      #expect(try bench.run("show", place).output.contains("seed \(seed),"), "\(place)")
      #expect(try bench.run("verify", place).code == 0)
    }
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("pipe"), withIntermediateDirectories: false)
    #expect(mkfifo(bench.folder.path + "/pipe/run.sqlite", 0o600) == 0)
    #expect(try bench.run("show", "pipe").code == 65)
  }

  @Test("verify audits a run folder, and says where a bit was flipped")
  func verify() throws {
    let bench = try Workbench()
    let small = World(
      scenario: "launch-year", settings: ["population.members=50", "calendar.days=10"], every: 2)
    #expect([0, 99].contains(try bench.run(small.arguments("Results/a"), environment: [:]).code))
    let whole = try bench.run("verify", "a")
    #expect(whole.code == 0, "\(whole.errors)")
    #expect(whole.output.contains("Audit      every byte is as it was written"))
    let url = bench.folder.appendingPathComponent("Results/a/daily.csv")
    var data = try Data(contentsOf: url)
    data[data.count / 3] ^= 1
    try data.write(to: url)
    #expect(!whole.output.contains("Others"))
    try bench.write("Results/a/notes.txt", "")
    let flipped = try bench.run("verify", "a")
    #expect(flipped.code == 111)
    #expect(
      flipped.output.contains(
        "rows\nOthers     not of this run, and not checked: notes.txt\nAudit"))
    #expect(
      flipped.errors.contains(
        "pitboss: Results/a/daily.csv: does not match its digest in summary.json"))
    let scenario = scenarios.appendingPathComponent("launch-year.yaml").path
    let foreign = try bench.run("verify", scenario)
    #expect(foreign.code == 65 && foreign.errors.contains("is not a run folder"))
    let settings = try bench.run("verify", "a", "--seed", "1")
    #expect(settings.code == 64 && settings.errors.contains("leave --seed out"))
  }
}
