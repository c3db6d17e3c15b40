internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Reports
internal import RunStore
internal import Scenario

/// Exit codes besides 0 and those of the command-line parser (64).
enum ExitStatus {
  static let badInput = ExitCode(65)
  static let memoryRefused = ExitCode(71)
  static let ioFailed = ExitCode(74)
  static let thresholdMissed = ExitCode(99)
  static let invariantViolated = ExitCode(111)
  static let rateNotOffered = ExitCode(112)
  static let interrupted = ExitCode(130)

  /// The exit of a load whose audit could not be made: somebody asked twice to stop, or it failed.
  static var notAudited: ExitCode { Interrupts.isUrgent ? interrupted : ioFailed }

  /// The exit of an experiment that was stopped, after what it computed was written and the
  /// message that says so.
  static func stopped() -> ExitCode {
    do {
      let kept = try ComputedReplications.write()
      complain("pitboss: interrupted; \(kept ?? "nothing was written")")
      return interrupted
    } catch {
      return error as? ExitCode ?? ioFailed
    }
  }
}

/// Diagnostics on standard error; `PITBOSS_LOG` sets the level, warnings by default.
enum Log {
  /// The program's logger.
  static let pitboss: Logger = {
    var logger = Logger(label: "pitboss") { StreamLogHandler.standardError(label: $0) }
    let wanted = ProcessInfo.processInfo.environment["PITBOSS_LOG"] ?? ""
    logger.logLevel = Logger.Level(rawValue: wanted) ?? .warning
    return logger
  }()
}

/// Writes to standard error, below no progress line.
func complain(_ text: String) {
  ProgressLine.remove()
  StandardStreams.complain(text + "\n")
}

/// Writes results to standard output.
///
/// - Throws: `ExitStatus.ioFailed` when it is closed or full.
func printResult(_ text: String) throws {
  guard let problem = StandardStreams.answer(text) else { return }
  complain("pitboss: cannot write to standard output: \(problem)")
  throw ExitStatus.ioFailed
}

/// Writes results to standard output; those of an interrupted command are kept in its files, so that it
/// ends as interrupted where they cannot be printed, say on a terminal that is closed.
///
/// - Throws: `ExitStatus.ioFailed` when it is closed or full and nothing was interrupted.
func printResult(_ text: String, interrupted: Bool) throws {
  do {
    try printResult(text)
  } catch {
    // It was said.
    if !interrupted { throw error }
  }
}

/// Runs a piece of a command; what people did wrong becomes a message and its exit code.
func reportingFailures<Answer>(_ body: () throws -> Answer) throws -> Answer {
  do {
    return try body()
  } catch let errors as InputErrors {
    complain(errors.description)
    throw ExitCode(errors.exitCode)
  } catch let error as RunStoreError {
    complain("pitboss: \(error)")
    throw ExitStatus.ioFailed
  }
}
