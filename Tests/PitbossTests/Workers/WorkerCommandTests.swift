// Goal: an experiment gives the same bytes whoever computes its replications, whatever becomes of
// the workers; what they do wrong is said, and leaves nothing half-written.
// Method: the real program with itself as worker, behind shell scripts that kill, delay or change.
import Foundation
import TestSupport
import Testing

@Suite struct WorkerCommandTests {
  /// A scenario with uncertain settings, so that what is drawn travels, and one without.
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    let head = "population: {members: 60}\ncalendar: {days: 40}\n"
    try bench.write("plain.yaml", "name: plain\n" + head)
    try bench.write(
      "tiny.yaml",
      "name: tiny\n" + head + "uncertain:\n  - population.members ~ uniform(40, 80)\n"
    )
    // What the first worker does, and what all others do.
    try bench.write(
      "first.sh", "if mkdir first 2>/dev/null; then eval \"$1\"; else eval \"$2\"; fi\n")
    return bench
  }

  private func worker(_ bench: Workbench) -> String { "'\(bench.programFolder)/pitboss' worker" }

  /// A command whose first start does one thing, and later ones another.
  private func first(_ bench: Workbench, _ one: String, then others: String? = nil) -> String {
    let parts = [one, others ?? worker(bench)].map { $0.replacing("'", with: "'\\''") }
    return "sh first.sh '\(parts[0])' '\(parts[1])'"
  }

  /// Every file of a folder, by name.
  private func files(_ bench: Workbench, _ folder: String) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try bench.names(folder).map { ($0, try bench.read("\(folder)/\($0)")) })
  }

  /// Runs an experiment and takes everything that it wrote.
  private func results(
    _ bench: Workbench, _ arguments: [String], _ flags: [String]
  ) throws -> (run: Outcome, files: [String: String]) {
    try? FileManager.default.removeItem(at: bench.folder.appendingPathComponent("out"))
    let run = try bench.run(
      arguments + ["--format", "json", "--plotly", "cdn", "--out", "out"] + flags, environment: [:])
    let isThere = try bench.names().contains("out")
    return (run, isThere ? try files(bench, "out") : [:])
  }

  private static let project = [
    "project", "tiny.yaml", "--replications", "24", "--antithetic", "on",
  ]

  @Test(
    "An experiment has the same bytes with 1 worker, with 3 and with threads",
    arguments: [
      project, ["project", "plain.yaml", "--precision", "0.03"],
      ["compare", "plain.yaml", "tiny.yaml", "--replications", "6", "--figure", "scans.accepted"],
      ["sweep", "plain.yaml", "--vary", "population.members=40,80", "--replications", "3"],
      [
        "solve", "plain.yaml", "--adjust", "population.members=20..200", "--such-that",
        "mean(scans.accepted) <= 500", "--most", "20",
      ],
      [
        "sensitivity", "plain.yaml", "--vary", "population.members=40..80", "--vary",
        "population.under_age=0..0.5", "--trajectories", "2", "--keep", "1", "--base", "8",
      ],
      [
        "choose", "plain.yaml", "--with", "population.members=30", "--figure", "scans.accepted",
        "--indifference", "50", "--limit",
        "20",
      ],
      ["worth", "plain.yaml", "--replications", "3"],
    ])
  func sameBytes(_ arguments: [String]) throws {
    let bench = try bench()
    let own = try results(bench, arguments, [])
    #expect([0, 99].contains(own.run.code), "\(own.run.errors)")
    #expect(!own.files.isEmpty)
    for jobs in ["1", "3"] {
      let other = try results(bench, arguments, ["--workers", worker(bench), "--jobs", jobs])
      #expect(other.run.code == own.run.code, "\(other.run.errors)")
      #expect(other.run.output == own.run.output)
      #expect(other.files == own.files)
    }
  }

  @Test func aKilledWorkersReplicationsAreDoneAgain() throws {
    let bench = try bench()
    let own = try results(bench, Self.project, [])
    // Kills itself and all that it started after its hello and four answers.
    let killed = first(bench, "\(worker(bench)) | { sed -u 5q; kill -9 0; }")
    let other = try results(bench, Self.project, ["--workers", killed, "--jobs", "2"])
    #expect(other.run.code == 0, "\(other.run.errors)")
    #expect(other.run.errors.contains("ended with signal 9; what it had is done again"))
    #expect(other.run.output == own.run.output)
    #expect(other.files == own.files)
  }

  @Test(
    "A worker that answers for a request that it does not have is lost, and its work done again")
  func otherNumber() throws {
    let bench = try bench()
    let own = try results(bench, Self.project, [])
    // The third answer is for a number that nobody asked for.
    let other = "\(worker(bench)) | sed -u '4s/\"id\":[0-9]*/\"id\":987654/'"
    let run = try results(bench, Self.project, ["--workers", first(bench, other), "--jobs", "1"])
    #expect(run.run.code == 0, "\(run.run.errors)")
    #expect(run.run.errors.contains("which is not an answer"), "\(run.run.errors)")
    #expect(run.run.output == own.run.output)
    #expect(run.files == own.files)
  }

  @Test(
    "A worker that is silent is lost, and what it says late is compared", arguments: [false, true])
  func silence(isChanged: Bool) throws {
    let bench = try bench()
    let own = try results(bench, Self.project, [])
    // Another fingerprint: three of its digits.
    let changed = #"sed -u "s/\(\"answer\":\"............\)..../\1MDAw/""#
    let change = isChanged ? changed : "cat"
    // Says hello, and the rest after 4 s, outside of the group that is killed after 2.
    let late = "\(worker(bench)) | setsid sh -c 'sed -u 1q; sleep 4; \(change)'"
    let slow = "\(worker(bench)) | while read -r line; do echo \"$line\"; sleep 0.2; done"
    let other = try results(
      bench, Self.project,
      ["--workers", first(bench, late, then: slow), "--jobs", "1", "--worker-limit", "2"])
    #expect(other.run.errors.contains("worker 1 has said nothing for 2 s"), "\(other.run.errors)")
    if isChanged {
      #expect(other.run.code == 111)
      #expect(other.run.errors.contains("two workers answered the replication of seed "))
      #expect(other.files.isEmpty)
    } else {
      #expect(other.run.output == own.run.output)
      #expect(other.files == own.files)
    }
  }

  @Test(
    "Where no worker is left the experiment ends, says why and leaves nothing",
    arguments: [
      ("no-such-program worker", "'no-such-program worker' ended with status 127"),
      (
        "echo '{\"hello\":{\"protocol\":1,\"build\":\"0123\"}}'; cat", "is of another build (0123, "
      ),
      ("echo welcome; cat", "wrote 'welcome', which is not an answer"),
    ])
  func nobodyLeft(_ command: String, _ words: String) throws {
    let bench = try bench()
    let run = try results(bench, Self.project, ["--workers", command, "--jobs", "2"]).run
    #expect(run.code == 74)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("pitboss: no worker is left: '"), "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try bench.names() == ["first.sh", "plain.yaml", "tiny.yaml"])
  }

  @Test func oneForeignWorkerDoesNotStopTheOthers() throws {
    let bench = try bench()
    let own = try results(bench, Self.project, [])
    let foreign = "echo \"{\\\"hello\\\":{\\\"protocol\\\":1,\\\"build\\\":\\\"9\\\"}}\"; cat"
    let other = try results(
      bench, Self.project, ["--workers", first(bench, foreign), "--jobs", "2"])
    #expect(other.run.code == 0, "\(other.run.errors)")
    #expect(other.run.errors.contains("is of another build (9, "))
    #expect(other.files == own.files)
  }

  @Test func aCalibrationIsTheSame() throws {
    let bench = try bench()
    var lines = ["time,member,event,tins,other"]
    for member in 0..<60 {
      for purchase in 0..<(1 + member * 5 % 9) {
        let day = 1 + member % 9 + purchase * (1 + member * member % 7)
        if day <= 31 { lines.append("2026-01-\(day < 10 ? "0" : "")\(day),m\(member),purchase,1,") }
      }
    }
    try bench.write("h.csv", lines.joined(separator: "\n") + "\n")
    let arguments = ["calibrate", "h.csv", "--model", "mbg_nbd"]
    let own = try results(bench, arguments, [])
    #expect(own.run.code == 0, "\(own.run.errors)")
    let other = try results(bench, arguments, ["--workers", worker(bench), "--jobs", "2"])
    #expect(other.run.code == 0, "\(other.run.errors)")
    #expect(other.run.output == own.run.output)
    #expect(other.files == own.files)
    let lost = try results(bench, arguments, ["--workers", "no-such-program"])
    #expect(lost.run.code == 74)
    #expect(lost.files.isEmpty)
  }

  @Test func aCampaignIsTheSame() throws {
    let bench = try bench()
    func check(_ flags: String...) throws -> (Outcome, [Substring]) {
      let run = try bench.run(
        ["check", "plain.yaml", "--seeds", "1..8", "--format", "json", "--jobs", "2"] + flags,
        environment: [:])
      return (run, run.output.split(separator: "\n").filter { !$0.contains("\"seconds\"") })
    }
    let (own, lines) = try check()
    #expect(own.code == 0, "\(own.errors)")
    // The first worker is killed with the third line that it writes, its second answer at the latest.
    let killed = first(bench, "\(worker(bench)) | { sed -u 2q; kill -9 0; }")
    for command in [worker(bench), killed] {
      let (other, others) = try check("--workers", command)
      #expect(other.code == 0, "\(other.errors)")
      #expect(others == lines)
    }
    let (none, _) = try check("--workers", "echo welcome; cat")
    #expect(none.code == 74)
    #expect(
      none.errors.contains("a worker wrote 'welcome', which is not an answer"), "\(none.errors)")
  }

  @Test func anAnswerThatCannotBeReadIsThatOfALostWorker() throws {
    let bench = try bench()
    let own = try results(bench, Self.project, [])
    let garbled = first(bench, "\(worker(bench)) | sed -u 's/\"answer\":\"..../\"answer\":\"/'")
    let other = try results(
      bench, Self.project, ["--workers", garbled, "--jobs", "2"])
    #expect(other.run.code == 0, "\(other.run.errors)")
    #expect(other.run.errors.contains("which is not an answer"), "\(other.run.errors)")
    #expect(other.files == own.files)
  }

  @Test func aReplicationThatFailsIsTheSameMessage() throws {
    let bench = try bench()
    let arguments = [
      "solve", "plain.yaml", "--adjust", "population.members=20..200", "--such-that",
      "mean(series.payable.shop) <= 70",
    ]
    let own = try results(bench, arguments, []).run
    let other = try results(bench, arguments, ["--workers", worker(bench), "--jobs", "2"]).run
    #expect(own.code == 65, "\(own.errors)")
    #expect(other.code == own.code)
    #expect(other.errors == own.errors)
  }

  @Test func aBadLineIsAnsweredWithWhatIsWrongWhere() throws {
    let bench = try bench()
    let lines = [
      "nonsense", "[1]", "{}", #"{"request":{"id":1}}"#, #"{"request":{"id":"one"}}"#,
      #"{"scenario":{"digest":"0","file":"a","text":"b"}}"#,
      #"{"request":{"id":1,"scenario":"0","overrides":[],"seed":1,"asked":[],"controls":false,"members":false}}"#,
    ]
    try bench.write("lines", lines.map { $0 + "\n" }.joined())
    let shell = bench.process([])
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "\(worker(bench)) < lines > answers"]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    let answers = try bench.read("answers").split(separator: "\n")
    #expect(answers.first?.hasPrefix(#"{"hello":{"build":""#) == true)
    let wanted = [
      "line 1: is not JSON", "line 2: is not a JSON object", "line 3: is not a message",
      "line 4: request.scenario is missing", "line 5: request.id is of another type",
      "line 6: scenario.digest is not that of its file and text",
      "line 7: request.scenario: no scenario of digest '0' was handed over",
    ]
    #expect(answers.count == wanted.count + 1)
    for (answer, words) in zip(answers.dropFirst(), wanted) {
      #expect(answer.contains(words), "\(answer)")
    }
  }

  @Test func anInterruptEndsTheWorkers() throws {
    let bench = try bench()
    let command = "echo $$ >> pids; exec \(worker(bench))"
    let run = bench.process([
      "project", "plain.yaml", "--replications", "100000", "--out", "out", "--workers", command,
      "--jobs", "2",
    ])
    run.standardOutput = FileHandle.nullDevice
    run.standardError = FileHandle.nullDevice
    try run.run()
    func pids() -> [pid_t] {
      ((try? bench.read("pids")) ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }
    let end = Date(timeIntervalSinceNow: 60)
    while pids().count < 2, Date() < end { Thread.sleep(forTimeInterval: 0.05) }
    run.interrupt()
    run.waitUntilExit()
    #expect(run.terminationStatus == 130)
    #expect(pids().count == 2)
    while pids().contains(where: { kill($0, 0) == 0 }), Date() < end {
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(pids().allSatisfy { kill($0, 0) != 0 })
  }

  @Test(
    "Flags that do not go together are refused",
    arguments: [
      (["--jobs", "2"], "--jobs counts the workers of --workers"),
      (["--workers", "a", "--threads", "2"], "--threads is of this process"),
      (["--workers", " "], "--workers is empty"),
      (["--workers", "a", "--jobs", "0"], "--jobs is 0"),
      (["--workers", "a", "--worker-limit", "1"], "--worker-limit is 1"),
    ])
  func flags(_ flags: [String], _ words: String) throws {
    let run = try bench().run(Self.project + flags, environment: [:])
    #expect(run.code == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
