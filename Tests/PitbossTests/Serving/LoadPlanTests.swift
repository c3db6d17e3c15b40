// Goal: a load says what it would offer without sending anything, searches as it says, and refuses
// what cannot be meant before anything is sent.
// Method: the real program as a process, beside a service of it where one is needed.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct LoadPlanTests {
  private static let scenario =
    "name: small\ncalendar: {days: 60}\npopulation: {members: 2000, wallet: {enabled: true}}\n"

  @Test(
    "What can be refused before members are made is refused then, as many of them take a while",
    arguments: [
      ("--rate 1", "the administrator of a service of pitboss makes"),
      ("--rate 1 --speed 2", "--rate and --speed exclude each other"),
      ("--rate 1 --from 2031-01-01", "'2031-01-01' is not a date of the scenario"),
      ("--rate 1 --baseline nofile", "--baseline nofile: does not exist"),
      ("--rate 1 --out /proc/x", "/proc/x: cannot make the folder"),
      ("--rate 1 --junit /proc/x/y", "/proc/x/y: cannot be written"),
      ("--rate 1 --find-knee bogus", "--find-knee: 'bogus'"),
      ("--speed 2 --find-knee p99<1s", "--find-knee takes --rate"),
      ("--rate 1 --find-knee p99<1s", "the administrator of a service of pitboss makes"),
      ("--rate 1 --find-knee p99<1s --out /proc/x", "/proc/x: cannot make the folder"),
    ])
  func early(flags: String, words: String) throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let making = "working out what will be offered"
    func errors(_ flags: String) throws -> String {
      let line = ["stress", "small.yaml", "--target", "http://127.0.0.1:1", "--progress", "always"]
      return try bench.run(line + flags.split(separator: " ").map(String.init), environment: [:])
        .errors
    }
    let refusal = try errors(flags)
    #expect(refusal.contains(words) && !refusal.contains(making), "\(refusal)")
    #expect(try errors("--rate 1 --dry-run").contains(making))
    #expect(try bench.names() == ["small.yaml"])
  }

  @Test("A dry run tells sessions and requests, and sends nothing")
  func dryRun() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let run = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "50", "--seconds", "4",
      "--arrivals", "even", "--dry-run")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("nothing was sent") && run.output.contains("scan"))
    #expect(try bench.names() == ["small.yaml"])
    let search = [
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "5", "--dry-run",
    ]
    let first = try bench.run(search + ["--find-knee", "p99 < 50ms"], environment: [:])
    #expect(first.code == 0 && first.output.contains("the first window of --find-knee"))
    let rate = try bench.run(search + ["--find-knee", "rate > 1000"], environment: [:])
    #expect(rate.code == 64 && rate.errors.contains("so it has no knee"), "\(rate.errors)")
    let abort = try bench.run(search + ["--find-knee", "p99 < 1s", "--abort"], environment: [:])
    #expect(abort.code == 64 && abort.errors.contains("--abort is for one load"))
    let wrong = try bench.run(search + ["--find-knee", "bogus < 3"], environment: [:])
    #expect(wrong.code == 64 && wrong.output.isEmpty, "\(wrong.output)\(wrong.errors)")
    let nothing = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "5", "--journeys", "ring",
      "--dry-run")
    #expect(nothing.code == 65 && nothing.errors.contains("other --journeys"), "\(nothing.errors)")
    // Nor is a journey left out in silence because others are there.
    let some = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "5", "--journeys",
      "scan,ring", "--dry-run")
    #expect(some.code == 65, "\(some.errors)")
    #expect(some.errors.contains("its settings have no 'ring'"), "\(some.errors)")
    #expect(some.errors.contains("other --journeys: join,scan,"), "\(some.errors)")
    let fast = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--speed", "86400", "--seconds",
      "4",
      "--from", "2026-02-10", "--dry-run")
    #expect(
      fast.code == 0 && fast.output.contains("86,400 times as fast"), "\(fast.output)\(fast.errors)"
    )
    #expect(fast.output.contains("up to 2026-02-14"), "\(fast.output)")
    let joins = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "5", "--seconds", "2",
      "--arrivals", "even", "--journeys", "join", "--from", "2026-01-01", "--dry-run")
    #expect(
      joins.code == 0 && joins.output.contains("are there beforehand, 10 join; they use up 0"))
    let short = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "5000", "--seconds", "60",
      "--dry-run")
    #expect(short.code == 65 && short.errors.contains("give it more members"), "\(short.errors)")
    func turn(_ days: Int) throws -> Outcome {
      try bench.run(
        "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "50", "--seconds", "4",
        "--profile", "quarter-turn", "--dry-run", "--set", "calendar.days=\(days)")
    }
    let early = try turn(60)
    #expect(early.code == 65 && early.errors.contains("no quarter ends in it"), "\(early.errors)")
    let turned = try turn(100)
    #expect(
      turned.code == 0 && turned.output.contains("quarter-turn"), "\(turned.output)\(turned.errors)"
    )
  }

  @Test("A search for the knee begins as its dry run says, and shows what it cannot write")
  func kneeWindow() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let service = try Served(bench, ["--host", "[::1]"])
    #expect(service.address.hasPrefix("http://[::1]:"))
    let search = [
      "stress", "small.yaml", "--target", service.address, "--journeys", "scan", "--rate", "20",
      "--seconds", "2", "--find-knee", "p99 < 1us",
    ]
    let dry = try bench.run(search + ["--dry-run"], environment: [:])
    let said = try #require(dry.output.firstMatch(of: #/\nscan +([0-9]+) /#), "\(dry.output)")
    let knee = try loadInTime {
      try bench.run(
        search + ["--data", "data", "--out", "knee", "--format", "json"], environment: [:])
    }
    if let knee {
      #expect(knee.code == 99, "\(knee.errors)\(knee.output)")
      let first = try #require(knee.output.firstMatch(of: /"start_delay": \{"count": ([0-9]+)/))
      #expect(first.1 == said.1)
    }

    let process = bench.process([])
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let words = search.map { "'\($0)'" }.joined(separator: " ")
    process.arguments = [
      "-c", "ulimit -f 20; exec '\(bench.programFolder)/pitboss' \(words) --data data --out full",
    ]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let shown = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74 && complaint.contains("cannot write"), "\(complaint)")
    // A machine that is busy with other tests may not have sent that rate in time.
    #expect(
      shown.contains("Not even the lowest rate")
        || shown.contains("could not offer the first rate"),
      "\(shown)")
    #expect(!shown.contains("\nFolder"), "\(shown)")
    #expect(try !bench.names().contains("full"))
  }

  @Test("The folder of another service has a token that is refused, and the message asks about it")
  func otherToken() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    try Served(bench, data: "other").stop()
    let service = try Served(bench)
    let load = try bench.run(
      "stress", "small.yaml", "--target", service.address, "--data", "other", "--rate", "20",
      "--seconds", "1")
    #expect(load.code == 74, "\(load.output)")
    #expect(
      load.errors.contains("; is its token (--data, or a --var) one of this service?")
        && !load.errors.contains("{"), "\(load.errors)")
  }

  @Test("A service's administrator is asked for before anything is sent")
  func administrator() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let run = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "5", "--seconds", "1")
    #expect(run.code == 64 && run.errors.contains("give --data"), "\(run.code) \(run.errors)")
  }

  @Test("Nobody there is told at once where members and codes come from files, too")
  func nobodyThere() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    try bench.write("own.yaml", "members: {file: a}\ncodes: {file: b}\nsteps: {scan: {get: /}}\n")
    for file in ["a", "b"] { try bench.write(file, (1...500).map { "\(file)\($0)\n" }.joined()) }
    let run = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--api", "own.yaml", "--rate", "5",
      "--seconds", "1", "--journeys", "scan")
    #expect(
      run.code == 74 && run.errors == "pitboss: 127.0.0.1:1 gives no answer (no_connection)\n",
      "\(run.code) \(run.errors)")
    #expect(run.output.isEmpty)
    #expect(try bench.names() == ["a", "b", "own.yaml", "small.yaml"])
  }

  @Test(
    "Nobody there, wrong flags and hosts of others are said in words",
    arguments: [
      (["--target", "http://127.0.0.1:1", "--rate", "5"], 74, "gives no answer"),
      (["--target", "http://127.0.0.1:1"], 64, "takes one --rate"),
      (["--target", "http://example.com", "--rate", "5"], 64, "--allow-host example.com"),
      (["--target", "ftp://127.0.0.1", "--rate", "5"], 64, "write http:// or https://"),
      (["--target", "https://example.com", "--rate", "5"], 64, "--allow-host example.com"),
      (
        ["--target", "https://127.0.0.1:1", "--rate", "5", "--var", "administrator=x"], 74,
        "gives no answer"
      ),
      (
        [
          "--target", "http://nowhere.invalid", "--rate", "5", "--allow-host", "nowhere.invalid",
          "--var", "administrator=x",
        ], 74, "nowhere.invalid has no address"
      ),
      (
        ["--target", "https://127.0.0.1:1", "--rate", "5", "--ca-file", "none.pem"], 74,
        "--ca-file: none.pem: cannot be read; give a file of certificates in PEM"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--skip-certificate-check"], 64,
        "write https:// or leave the flag out"
      ),
      (
        [
          "--target", "https://example.com", "--rate", "5", "--allow-host", "example.com",
          "--skip-certificate-check",
        ], 64, "is always checked"
      ),
      (["--target", "engine", "--ca-file", "x.pem"], 64, "--ca-file is for a service"),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--speed", "9"], 64, "exclude each other"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--speed", "9", "--profile", "quarter-turn"], 64,
        "--profile changes --rate over time"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--threshold", "quick"], 64,
        "write one like"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--journeys", "fly"], 64,
        "'fly' is none of"
      ),
      (
        [
          "--target", "http://127.0.0.1:1", "--rate", "5", "--journeys", "shared,insights", "--set",
          "population.mischief.shared=5 %", "--dry-run",
        ], 64, "'shared' takes place only where 'scan' does; add 'scan'"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--from", "1999-01-01"], 64,
        "is not a date of the"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--data", "nowhere"], 65,
        "nowhere: no such folder"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--api", "none.yaml"], 74,
        "cannot be read"
      ),
      (["--target", "http://127.0.0.1:1", "--rate", "5", "--rounds", "3"], 64, "--target engine"),
      (
        ["--target", "http://127.0.0.1:1", "--rate", "5", "--find-knee", "p99 < 1s for 2s"], 64,
        "leave"
      ),
      (
        [
          "--target", "http://127.0.0.1:1", "--rate", "5", "--find-knee", "p99 < 1s",
          "--threshold", "errors < 1%",
        ], 64, "--threshold is for one load"
      ),
      (["--target", "engine", "--think", "3"], 64, "--think is for a service"),
    ])
  func refusals(_ flags: [String], _ code: Int32, _ words: String) throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let run = try bench.run(
      ["stress", "small.yaml", "--seconds", "1", "--var", "administrator=x"] + flags,
      environment: [:])
    #expect(run.code == code && run.errors.contains(words), "\(run.code) \(run.errors)")
    #expect(try bench.names() == ["small.yaml"])
  }
}
