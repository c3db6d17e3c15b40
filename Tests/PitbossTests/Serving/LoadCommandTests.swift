// Goal: 'pitboss stress' loads a real service, and what the service took can be audited.
// Method: the real program twice, as a service and as its load, as processes in a folder of their own.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct LoadCommandTests {
  private static let scenario =
    "name: small\ncalendar: {days: 60}\npopulation: {members: 2000, wallet: {enabled: true}}\n"

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
    func stress(_ flags: String...) throws -> Outcome? {
      try loadInTime {
        try bench.run(
          ["stress", "small.yaml", "--target", service.address, "--data", "data"] + flags,
          environment: [:])
      }
    }
    let run = try #require(
      try stress(
        "--rate", "60", "--seconds", "2", "--journeys", "scan,wallet", "--threshold", "errors < 1%",
        "--threshold", "scan p(99) < 20s for 1s", "--drain", "20"))
    #expect(run.code == 0, "\(run.errors)\(run.output)")
    for words in [
      "sessions started: scan", "scan p(99) < 20s for 1s", "Each is there once", "µs a request",
    ] {
      #expect(run.output.contains(words), "\(words)\n\(run.output)")
    }
    let missed = try #require(
      try stress(
        "--rate", "40", "--seconds", "4", "--threshold", "scan max < 1us for 1s", "--abort",
        "--drain", "20"))
    #expect(missed.code == 99, "\(missed.errors)\(missed.output)")
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
}
