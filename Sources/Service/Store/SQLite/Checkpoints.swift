internal import Dispatch
internal import GRDB
internal import Synchronization

/// Moves what SQLite's log of a file holds into the file, on a thread of its own, so that the writer
/// need not wait for it.
///
/// What one checkpoint moves goes to the disk at once, and whoever writes meanwhile waits behind it. So
/// they come often and move little.
final class Checkpoints: Sendable {
  private struct State {
    /// When the last one began.
    var began = ContinuousClock.now
    var isRunning = false
    /// Whether the log has become so long that the writer should end it.
    var isLong = false
  }

  private let between: Duration
  private let longLog: Int
  private let database: DatabaseQueue
  private let thread = DispatchQueue(label: "pitboss.checkpoints", qos: .utility)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - between: The least time from one to the next. Measured after a million scans, with 4,000 and
  ///     6,000 more a second, p99 of a scan: 15 and 32 ms with a quarter of a second, 10 and 16 with 30
  ///     ms; 47 and 52 with a second.
  ///   - longLog: Pages of the log after which it should begin anew; 160 MB. To end it takes the writer
  ///     some twenty milliseconds; SQLite ends it by itself at twice as many, and takes a hundred.
  /// - Throws: Errors of GRDB.
  init(path: String, between: Duration = .milliseconds(30), longLog: Int = 40_000) throws {
    self.between = between
    self.longLog = longLog
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    database = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Notes that something was written; begins a checkpoint where it is time.
  func note() {
    let now = ContinuousClock.now
    let begins = state.withLock { state in
      // A long log is the writer's to end, and no checkpoint may be in its way.
      guard !state.isRunning, !state.isLong, now - state.began >= between else { return false }
      state.began = now
      state.isRunning = true
      return true
    }
    guard begins else { return }
    thread.async { [self] in
      let pages = try? database.inDatabase { try Self.checkpoint($0) }
      state.withLock {
        $0.isRunning = false
        $0.isLong = (pages ?? 0) >= longLog
      }
    }
  }

  /// Passive: it waits for nobody, and nobody for it. What it cannot move the next one does; a disk
  /// that takes no more is the writer's to say.
  ///
  /// - Returns: Pages of the log.
  @discardableResult
  private static func checkpoint(_ database: Database) throws -> Int {
    try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")?[1] ?? 0
  }

  /// Moves what is left of the log, and empties its file. Nobody writes any more.
  func emptyLog(_ pool: DatabasePool) {
    thread.sync {}
    _ = try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// Moves the little that is left of a long log, so that the next transaction begins it anew: no
  /// checkpoint beside a writer who goes on ever reaches its end. Called by the writer.
  func endLog(_ pool: DatabasePool) {
    let ends = state.withLock { state in
      guard state.isLong, !state.isRunning else { return false }
      state.isLong = false
      return true
    }
    if ends { _ = try? pool.writeWithoutTransaction { try Self.checkpoint($0) } }
  }
}
