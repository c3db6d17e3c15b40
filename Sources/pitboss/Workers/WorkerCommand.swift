internal import ArgumentParser
internal import Check
internal import Foundation
internal import RunStore
internal import Workers

/// `pitboss worker`.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Computes replications for a command that was started with --workers.",
    discussion: """
      Reads requests as lines of JSON from standard input and writes a line for each answer, until \
      its input ends. An experiment or 'check' starts it and ends it:

      pitboss project SCENARIO --workers 'ssh HOST pitboss worker' --jobs 8

      The other machine needs this very build of pitboss, and no files.
      """)

  func run() throws {
    // Whoever reads the answers may be gone.
    signal(SIGPIPE, SIG_IGN)
    WorkerServer(fingerprint: { RunFingerprint.of($0) }, check: CaseWorker.answer).serve()
  }
}
