// Goal: what ends a process for cases is a finding only where the case did it, and no process keeps a campaign
// from its end.
// Method: programs in Python and shell that end in every way, and one that does not.
import Foundation
import Testing

@testable import Check

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
      failure.description == "cannot run cases: memory was refused at the limit of 185 MiB")
    let report = CampaignReport(outcome, programmes: [:], seconds: 1)
    #expect(report.memoryWasRefused && report.broken == 0 && !report.passed)
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
