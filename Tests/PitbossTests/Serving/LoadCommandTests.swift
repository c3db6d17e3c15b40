// Goal: 'pitboss stress' loads a real service, says what it would offer, and refuses what cannot be
// meant before anything is sent.
// Method: the real program twice, as a service and as its load, as processes in a folder of their own.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct LoadCommandTests {
  private static let scenario =
    "name: small\ncalendar: {days: 60}\npopulation: {members: 2000, wallet: {enabled: true}}\n"

  /// Serves a scenario for the time of a test.
  private final class Served {
    let process: Process
    let address: String

    init(_ bench: Workbench, data: String = "data", _ flags: [String] = []) throws {
      process = bench.process(
        ["serve", "small.yaml", "--data", data, "--port", "0", "--rate", "10000"] + flags)
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      var text = ""
      while !text.contains("Ctrl-C") {
        let more = errors.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += String(decoding: more, as: UTF8.self)
      }
      address = text.split(separator: " ").first { $0.hasPrefix("http") }.map(String.init) ?? text
    }

    func stop() {
      process.terminate()
      process.waitUntilExit()
    }

    deinit { stop() }
  }

  /// What the clients and the calendar asked of a service, in their order.
  private func journal(_ bench: Workbench, _ data: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import sqlite3, sys
      for key, request in sqlite3.connect(sys.argv[1]).execute(
          "SELECT key, request FROM journal ORDER BY sequence"):
          print("client" if key else request[1:].decode(errors="replace"))
      """, bench.folder.appending(path: "\(data)/service.sqlite").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }

  @Test("A service is loaded, nothing fails, and its folder is audited while it goes on")
  func load() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let service = try Served(bench)
    let run = try bench.run(
      [
        "stress", "small.yaml", "--target", service.address, "--data", "data", "--rate", "60",
        "--seconds", "2", "--journeys", "scan,wallet", "--threshold", "errors < 1%",
        "--threshold", "scan p(99) < 20s for 1s", "--drain", "20",
      ], environment: [:])
    // A busy machine may start late; what was acknowledged is audited all the same.
    #expect([0, 112].contains(run.code), "\(run.errors)\(run.output)")
    for words in [
      "sessions started: scan", "scan p(99) < 20s for 1s", "Each is there once", "µs a request",
    ] {
      #expect(run.output.contains(words), "\(words)\n\(run.output)")
    }
    let missed = try bench.run(
      [
        "stress", "small.yaml", "--target", service.address, "--data", "data", "--rate", "40",
        "--seconds", "4", "--threshold", "scan max < 1us for 1s", "--abort", "--drain", "20",
      ], environment: [:])
    #expect([99, 112].contains(missed.code), "\(missed.errors)\(missed.output)")
    #expect(missed.output.contains("missed after 1 s"), "\(missed.output)")
  }

  @Test("A service that is stopped in the middle answers what it took, and ends with 0")
  func gracefulStop() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let service = try Served(bench)
    let stop = Thread { [process = service.process] in
      Thread.sleep(forTimeInterval: 4)
      process.terminate()
    }
    stop.start()
    let run = try bench.run(
      [
        "stress", "small.yaml", "--target", service.address, "--data", "data", "--rate", "80",
        "--seconds", "8", "--journeys", "scan,wallet", "--drain", "1", "--back-off", "0.1",
        "--format", "json",
      ], environment: [:])
    service.process.waitUntilExit()
    #expect(service.process.terminationReason == .exit && service.process.terminationStatus == 0)
    // Nothing is answered any more for the rest of the load.
    #expect([74, 112].contains(run.code), "\(run.code) \(run.errors)")
    #expect(run.errors.contains("the service did not keep answering"), "\(run.errors)")
    let load = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let audit = try #require(load["audit"] as? [String: Any])
    #expect((audit["acknowledged"] as? Int ?? 0) > 10, "\(audit)")
    #expect((audit["problems"] as? [String]) == [] && audit["failure"] is NSNull)
    let verified = try bench.run("verify", "small.yaml", "--data", "data")
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    try stopVerifying(bench)
  }

  /// Whatever has been audited when somebody stops it, nothing is left.
  private func stopVerifying(_ bench: Workbench) throws {
    let place = bench.folder.appending(path: "scratch")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let process = bench.process(["verify", "small.yaml", "--data", "data"])
    process.environment?["TMPDIR"] = place.path
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, try bench.names("scratch").isEmpty { usleep(500) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && [0, 130].contains(process.terminationStatus))
    #expect(try bench.names("scratch").isEmpty)
  }

  @Test("A folder of other rules is refused before anything is sent, by every command alike")
  func otherSettings() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let service = try Served(bench)
    let other = ["--data", "data", "--set", "rules.scan_reward.base=0.5"]
    let run = try bench.run(
      ["stress", "small.yaml", "--target", service.address, "--rate", "5", "--seconds", "1"]
        + other,
      environment: [:])
    #expect(run.code == 65 && run.errors.contains("began with other settings"), "\(run.errors)")
    service.process.terminate()
    service.process.waitUntilExit()
    for command in ["serve", "verify"] {
      let run = try bench.run([command, "small.yaml"] + other, environment: [:])
      #expect(run.code == 65 && run.errors.contains("began with other settings"), "\(run.errors)")
    }
  }

  @Test("Members who join during a load sign up, log in and scan; the folder has their accounts")
  func joins() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let service = try Served(bench)
    let run = try bench.run(
      [
        "stress", "small.yaml", "--target", service.address, "--data", "data", "--rate", "3",
        "--seconds", "4", "--journeys", "join,scan", "--from", "2026-01-03", "--drain", "60",
        "--timeout", "60", "--arrivals", "even",
      ], environment: [:])
    #expect([0, 112].contains(run.code), "\(run.errors)\(run.output)")
    for words in ["sign_up", "log_in", "sessions started: join", "Each is there once"] {
      #expect(run.output.contains(words), "\(words)\n\(run.output)")
    }
    #expect(!run.output.contains("could not join"), "\(run.output)")
    try bench.write("own.yaml", "members: {file: a}\ncodes: {file: b}\nsteps: {scan: {get: /}}\n")
    let flags = [
      "stress", "small.yaml", "--target", service.address, "--api", "own.yaml", "--rate", "3",
      "--seconds", "4", "--dry-run",
    ]
    let own = try bench.run(flags, environment: [:])
    #expect(own.code == 0 && !own.output.contains("join"), "\(own.output)")
    #expect(
      own.errors.contains(
        "nobody joins during the load, as own.yaml does not say how 'sign_up' and 'log_in' are "
          + "called"), "\(own.errors)")
    let asked = try bench.run(flags + ["--journeys", "join"], environment: [:])
    #expect(asked.code == 64 && asked.errors.contains("--journeys join: own.yaml"))
  }

  @Test(
    "A quarter, its morning and its reconciliation fall into a load that is meant for them",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func quarterTurn() throws {
    let bench = try Workbench()
    try bench.write(
      "small.yaml", "name: small\ncalendar: {days: 100}\npopulation: {members: 1000}\n")
    // Twelve seconds to midnight and seventeen to the morning, with some for the preparations.
    let service = try Served(bench, ["--clock", "2026-03-31T12:00:00", "--speed", "3600"])
    let flags = [
      "--journeys", "scan", "--profile", "quarter-turn", "--arrivals", "even", "--drain", "20",
    ]
    let run = try bench.run(
      [
        "stress", "small.yaml", "--target", service.address, "--data", "data", "--rate", "5",
        "--seconds", "22",
      ] + flags, environment: [:])
    #expect([0, 112].contains(run.code), "\(run.errors)\(run.output)")
    #expect(!run.errors.contains("quarter's end"), "\(run.errors)")
    #expect(run.output.contains("Each is there once"), "\(run.output)")
    service.stop()
    let verified = try bench.run("verify", "small.yaml", "--data", "data")
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    let journal = try journal(bench, "data")
    let turn = try #require(journal.firstIndex { $0.contains("turnDay") })
    let opening = try #require(journal.firstIndex { $0.contains("openMorning") })
    let reading = try #require(journal.firstIndex { $0.contains("reconcile") })
    #expect(turn < opening && opening < reading)
    #expect(journal[..<turn].contains("client") && journal[reading...].contains("client"))

    let late = try bench.run(
      "serve", "small.yaml", "--data", "data", "--port", "0", "--clock", "2026-03-31T12:00:00")
    #expect(
      late.code == 65 && late.errors.contains("give a later time"), "\(late.code) \(late.errors)")
    let wrong = try bench.run("serve", "small.yaml", "--data", "data", "--clock", "noon")
    #expect(wrong.code == 64 && wrong.errors.contains("write a local time of"), "\(wrong.errors)")
    let early = try bench.run(
      "serve", "small.yaml", "--data", "data", "--clock", "1969-12-31T12:00")
    #expect(early.code == 64 && early.errors.contains("from 1970 to 2199"), "\(early.errors)")

    let nowhere = try bench.run("serve", "small.yaml", "--data", "small.yaml/data")
    #expect(
      nowhere.code == 74
        && nowhere.errors.hasSuffix(
          "small.yaml/data: Not a directory; a part of the path is a file; use another folder\n"),
      "\(nowhere.errors)")

    let noon = try Served(bench, data: "noon", ["--clock", "2026-05-05T12:00"])
    let told = try bench.run(
      [
        "stress", "small.yaml", "--target", noon.address, "--data", "noon", "--rate", "5",
        "--seconds", "1",
      ] + flags, environment: [:])
    #expect(
      told.errors.contains("reaches no quarter's end within the 1 s of this load; serve with")
        && told.errors.contains("--clock 2026-06-30T23:59:5"), "\(told.errors)")
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
    let knee = try bench.run(
      search + ["--data", "data", "--out", "knee", "--format", "json"], environment: [:])
    #expect(knee.code == 99, "\(knee.errors)\(knee.output)")
    let first = try #require(knee.output.firstMatch(of: /"start_delay": \{"count": ([0-9]+)/))
    #expect(first.1 == said.1)

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

  @Test("An audit says that the place for temporary files is of no use, not that nothing is there")
  func noScratch() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let service = try Served(bench)
    let nowhere = ["TMPDIR": bench.folder.appending(path: "gone").path]
    let run = try bench.run(
      [
        "stress", "small.yaml", "--target", service.address, "--data", "data", "--rate", "5",
        "--seconds", "1", "--journeys", "scan", "--plotly", "cdn",
      ], environment: nowhere)
    service.stop()
    let words = "/gone: No such file or directory; set TMPDIR to a folder with space"
    // Lines are as long as a terminal is wide.
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.code == 74 && text.contains(words), "\(run.code) \(run.output)")
    #expect(text.contains(" acknowledged requests It could not be made: "), "\(run.output)")
    let verified = try bench.run(
      ["verify", "small.yaml", "--data", "data"], environment: nowhere)
    #expect(verified.code == 74 && verified.errors.hasSuffix(words + "\n"), "\(verified.errors)")
  }

  /// Whether this process may mount a file system of its own.
  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "unshare -m mount -t tmpfs tmpfs /mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test("A place for temporary files without space is named", .enabled(if: canMount, "no mounts"))
  func fullScratch() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    try Served(bench).stop()
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "tiny"), withIntermediateDirectories: false)
    // Mounted for this process alone.
    let process = bench.process([])
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = [
      "-m", "sh", "-c",
      "mount -t tmpfs -o size=16k tmpfs tiny && TMPDIR=$PWD/tiny exec "
        + "'\(bench.programFolder)/pitboss' verify small.yaml --data data",
    ]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let (place, data) = (bench.folder.path + "/tiny", bench.folder.path + "/data")
    #expect(
      said
        == "pitboss: \(place): no space left to audit \(data); set TMPDIR to a folder with space\n")
    #expect(process.terminationStatus == 74)
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
        "holds no service"
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
