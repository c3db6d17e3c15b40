internal import Dispatch
internal import GRDB
internal import Synchronization

/// Moves what SQLite's log of a file holds into the file, on a thread of its own, so that the writer
/// need not wait for it.
final class Checkpoints: Sendable {
  private struct State {
    /// Rows since the last checkpoint began.
    var rows = 0
    var isRunning = false
  }

  /// Some ten thousand pages. A checkpoint holds the disk for some ten milliseconds, more in a large
  /// file, so that they should be few; many rows share pages, which are then moved once.
  private static let rowsBetween = 40_000

  private let database: DatabaseQueue
  private let thread = DispatchQueue(label: "pitboss.checkpoints", qos: .utility)
  private let state = Mutex(State())

  /// - Throws: Errors of GRDB.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    database = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Notes what was written; begins a checkpoint where it is time.
  func note(rows: Int) {
    let begins = state.withLock { state in
      state.rows += rows
      guard state.rows >= Self.rowsBetween, !state.isRunning else { return false }
      state.rows = 0
      state.isRunning = true
      return true
    }
    guard begins else { return }
    thread.async { [self] in
      // Passive: it waits for nobody, and nobody for it. What it cannot move the next one does; a
      // disk that takes no more is the writer's to say.
      try? database.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
      state.withLock { $0.isRunning = false }
    }
  }
}
