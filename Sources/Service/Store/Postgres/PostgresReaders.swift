internal import Synchronization

/// Connections for whoever reads, each used by one thread at a time.
final class PostgresReaders: Sendable {
  /// Seconds for which they wait for a lock: less than a turn has, as the writer reads within its own.
  private static let lockSeconds = 10

  private let address: PostgresAddress
  private let idle = Mutex<[PostgresConnection]>([])

  init(_ address: PostgresAddress) { self.address = address }

  /// Reads with a connection of its own; once more with a new one, where an old one is gone. Who has
  /// waited for a lock or for a silent server does not wait once more.
  ///
  /// - Throws: `PostgresError`, and what `body` throws.
  func read<Answer>(_ body: (PostgresConnection) throws -> Answer) throws -> Answer {
    if let old = idle.withLock({ $0.popLast() }) {
      do { return try use(old, body) } catch PostgresError.lost where !old.hasWaited {}
    }
    return try use(PostgresConnection(address, lockSeconds: Self.lockSeconds), body)
  }

  private func use<Answer>(
    _ connection: PostgresConnection, _ body: (PostgresConnection) throws -> Answer
  ) throws -> Answer {
    let answer = try body(connection)
    // One in the middle of something is not used again.
    idle.withLock { $0.append(connection) }
    return answer
  }
}
