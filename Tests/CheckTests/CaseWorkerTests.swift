// Goal: what ends a process for cases is a finding only where the case did it, and no process keeps a campaign
// from its end.
// Method: programs in Python and shell that end in every way, and one that does not.
import Foundation
import Testing

@testable import Check
@testable import Workers

@Suite struct CaseWorkerTests {
  private let one = Case(text: "name: x\n", settings: [], seed: 1)

  @Test("A process that goes on without its input is ended, and its answers stay")
  func lingering() throws {
    let answerer = try Answerer("pass")
    let script = answerer.folder.appending(path: "answer.py").path
    let worker = CaseWorker(
      program: URL(fileURLWithPath: "/bin/sh"),
      arguments: ["-c", "python3 '\(script)'; sleep 6000"])
    #expect(try worker.run(one).verdict == .passed)
    worker.stop()
    // A further case begins another one.
    #expect(try worker.run(one).verdict == .passed)
  }

  @Test("A process that somebody asks to end is no finding", arguments: [SIGHUP, SIGINT, SIGTERM])
  func asked(signal: Int32) throws {
    let answerer = try Answerer(
      "import signal\nsignal.signal(\(signal), signal.SIG_DFL)\nos.kill(os.getpid(), \(signal))")
    #expect(throws: CampaignFailure("a process for cases was ended by signal \(signal)")) {
      try answerer.worker().run(one)
    }
  }

  @Test("A case that kills its process, or ends it, is a finding")
  func killed() throws {
    for (rule, words) in [
      ("os.kill(os.getpid(), 9)", "the process ended with signal 9"),
      ("os.kill(os.getpid(), 6)", "the process ended with signal 6"),
      ("os._exit(3)", "the process ended with status 3"),
    ] {
      let answerer = try Answerer(rule)
      let answer = try answerer.worker().run(one)
      #expect(answer.verdict == .crashed)
      #expect(answer.broken?.facts == words)
    }
  }

  @Test("Memory that the machine refuses is no finding, and ends the campaign as that")
  func memory() throws {
    let answerer = try Answerer(
      "if case['seed'] == 3:\n"
        + "    sys.stderr.write('pitboss: memory was refused at the limit of 185 MiB\\n')\n"
        + "    sys.stderr.flush()\n    os._exit(71)")
    let campaign = Campaign(
      sources: [CampaignSource("a.yaml")], settings: [], seeds: 1...5, varies: false, jobs: 1,
      budget: nil, worker: answerer.workers)
    let outcome = campaign.run { _, _, _ in true }
    let failure = try #require(outcome.failure)
    #expect(failure.isOfMemory && outcome.results[0].passed == 2)
    #expect(
      failure.description == "seed 3 of a.yaml: memory was refused at the limit of 185 MiB")
    let report = CampaignReport(outcome, programmes: [:], seconds: 1)
    #expect(report.memoryWasRefused && report.broken == 0 && !report.passed)
  }

  @Test("A trap near a limit of memory that says what it is is a finding")
  func trap() throws {
    let answerer = try Answerer(
      "sys.stderr.write('Fatal error: invariant broken: x\\npitboss: memory was refused\\n')\n"
        + "sys.stderr.flush()\nos._exit(71)")
    let answer = try answerer.worker().run(one)
    #expect(answer.verdict == .crashed)
    #expect(answer.broken?.facts == "Fatal error: invariant broken: x")
  }

  @Test(
    "A worker elsewhere that is asked to end loses a case once",
    arguments: ["kill -15 $$; sleep 60", "exit 143"])
  func preempted(_ end: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "preempted-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ message: WorkerOutput, _ name: String) throws {
      try WorkerLines.line(message).write(to: folder.appending(path: name))
    }
    try write(
      WorkerOutput(hello: .init(version: WorkerLines.version, build: Digest.build)), "hello")
    let passed = try JSONEncoder().encode(CaseAnswer(.passed))
    try write(WorkerOutput(checked: String(decoding: passed, as: UTF8.self)), "answer")
    let begin = "cd '\(folder.path)'; cat hello; read line; "
    let once = "if [ -e again ]; then cat answer; cat >/dev/null; else touch again; \(end); fi"
    #expect(try CaseWorker(command: begin + once).run(one).verdict == .passed)
    #expect(throws: CampaignFailure("a process for cases was ended by signal 15")) {
      try CaseWorker(command: begin + end).run(one)
    }
  }

  @Test("A program that is not there is named")
  func missing() throws {
    let worker = CaseWorker(program: URL(fileURLWithPath: "/no/such/program"), arguments: [])
    #expect {
      try worker.run(one)
    } throws: { error in
      "\(error)".hasPrefix("a process for cases cannot be started: No such file")
    }
  }
}
