internal import ArgumentParser
internal import EventKernel
internal import Experiments
internal import Foundation
internal import Synchronization
internal import Workers

/// Who computes the replications of an experiment, if not this process.
struct WorkerOptions: ParsableArguments {
  @Option(
    name: .customLong("workers"),
    help: ArgumentHelp(
      "Starts workers by this command of the shell, such as 'ssh HOST pitboss worker'; results do not depend on it. This process's threads by default.",
      valueName: "command"))
  var command: String?

  @Option(help: "How many workers are started; as many as this machine has processors by default.")
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "A worker that is silent this long is treated as lost.", valueName: "seconds"))
  var workerLimit = 60.0

  func validate() throws {
    if let command, command.allSatisfy(\.isWhitespace) {
      throw ValidationError("--workers is empty; write a command, such as 'pitboss worker'")
    }
    if let jobs, !(1...1_024).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); write a number from 1 to 1024")
    }
    if jobs != nil, command == nil {
      throw ValidationError("--jobs counts the workers of --workers; give both, or neither")
    }
    try Self.check(limit: workerLimit)
  }

  /// Refuses what is no number of seconds after which a worker is lost.
  static func check(limit: Double) throws {
    guard (2...86_400).contains(limit) else {
      throw ValidationError(
        "--worker-limit is \(limit); write seconds from 2 to 86400: a worker says every second "
          + "that it is there")
    }
  }

  /// Says why workers cannot answer any more.
  static func exit(_ lost: WorkersFailure) -> ExitCode {
    complain("pitboss: \(lost)")
    return lost.isUnequal ? ExitStatus.invariantViolated : ExitStatus.ioFailed
  }

  private var count: Int { jobs ?? Processors.usable }

  /// Requests that workers have at a time; nil without workers.
  var requests: Int? { command == nil ? nil : count * WorkerPool.ahead }

  private static let pool = Mutex<WorkerPool?>(nil)
  /// Answers that are there already, in place of all workers.
  private static let parts = Mutex<PartMaker?>(nil)

  /// From here on nothing is computed.
  static func answer(by parts: PartMaker) { Self.parts.withLock { $0 = parts } }

  /// The workers of this process's experiment; nil without any.
  var maker: (any ReplicationMaker)? {
    if let parts = Self.parts.withLock({ $0 }) { return parts }
    guard let command else { return nil }
    return Self.pool.withLock { pool in
      if let pool { return pool }
      var settings = WorkerPool.Settings(command: command, count: count, silence: workerLimit)
      settings.isStopped = { Interrupts.requested }
      settings.warn = { complain("pitboss: \($0)") }
      // Whoever is lost is noticed by the answer that does not come.
      signal(SIGPIPE, SIG_IGN)
      atexit { WorkerOptions.pool.withLock { $0?.stop() } }
      let made = WorkerPool(settings)
      pool = made
      return made
    }
  }
}
