internal import Foundation
internal import Synchronization

/// One started command that answers requests, with the group of all processes that it starts.
final class WorkerProcess: Sendable {
  private let child: ChildProcess
  /// What is still to be written, in its order.
  private let outbox = Mutex(Data())
  private let writing = Mutex(false)

  /// Starts a command by the shell.
  init(_ command: String) throws(ChildProcess.Failure) {
    child = try ChildProcess(["/bin/sh", "-c", command])
  }

  /// What it writes.
  func lines() -> LineReader { LineReader(child.output, limit: 1 << 30) }

  /// Appends to what is to be written; `flush` writes it.
  func post(_ bytes: Data) { outbox.withLock { $0 += bytes } }

  /// Writes what was posted, in its order. A process that takes nothing is noticed by whoever reads
  /// its answers.
  func flush() {
    writing.withLock { isBroken in
      while true {
        let bytes = outbox.withLock { bytes in
          defer { bytes = Data() }
          return bytes
        }
        if bytes.isEmpty { return }
        if !isBroken { isBroken = !child.write(bytes) }
      }
    }
  }

  /// Ends it and all that it started.
  func kill(_ signal: Int32 = SIGKILL) { child.kill(signal) }

  /// Waits for its end, and kills it with all that it started where that takes too long.
  ///
  /// - Parameter seconds: How long one whose output has ended may take; nil where it need not be killed.
  /// - Returns: How it ended, for people.
  func end(within seconds: Double? = nil) -> String {
    let (exit, wasKilled) = seconds.map { child.end(within: $0) } ?? (child.wait(), false)
    if wasKilled { return "closed its output and did not end, so it was killed" }
    return exit.signal.map { "ended with signal \($0)" } ?? "ended with status \(exit.status)"
  }
}
