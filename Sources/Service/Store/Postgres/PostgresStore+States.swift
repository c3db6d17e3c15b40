package import Foundation
package import Quantities
package import RewardModel
internal import RunStore

/// States are kept in the database, for whichever process starts next.
extension PostgresStore {
  /// A state has all its bits: the one before may be another process's.
  package var keepsAllBits: Bool { true }

  /// See `ServiceStore`.
  package func keep(
    _ saved: SavedMachine, changed: [BitChunk], sequence: Int64, time: Instant
  ) throws {
    try readers.read { connection in
      try connection.run("BEGIN")
      let state: [PostgresValue] = [
        .whole(sequence), .whole(time.microseconds), .bytes(Array(saved.state)),
        .bytes(saved.digest),
      ]
      try connection.copy([state], into: "state (sequence, time_us, bytes, digest)")
      let bits = saved.bits.lazy.map { chunk -> [PostgresValue] in
        [
          .whole(sequence), .whole(Int64(chunk.area)), .whole(Int64(chunk.place)),
          .bytes(chunk.bytes),
        ]
      }
      try connection.copy(bits, into: "bits (sequence, area, place, bytes)")
      try connection.run(
        """
        DELETE FROM state
        WHERE sequence NOT IN (SELECT sequence FROM state ORDER BY sequence DESC LIMIT 2);
        COMMIT
        """)
    }
  }

  /// See `ServiceStore`.
  package func keptStates() throws -> [KeptState] {
    let rows = try patiently {
      try readers.read {
        try $0.query(
          """
          SELECT sequence, time_us FROM state
          WHERE sequence <= (SELECT coalesce(max(sequence), 0) FROM journal)
          ORDER BY sequence DESC
          """)
      }
    }
    return (0..<rows.count).map {
      KeptState(sequence: rows.whole($0, 0), time: Instant(microseconds: rows.whole($0, 1)))
    }
  }

  /// See `ServiceStore`.
  package func saved(_ state: KeptState) throws -> SavedMachine {
    try patiently {
      try readers.read { connection in
        let rows = try connection.query(
          "SELECT bytes, digest FROM state WHERE sequence = $1", [.whole(state.sequence)])
        // Another process may have forgotten it meanwhile.
        guard rows.count == 1 else { throw LostTurn() }
        let saved = SavedMachine(
          state: Data(rows.bytes(0, 0)), bits: try Self.bits(state.sequence, connection))
        guard saved.digest == rows.bytes(0, 1) else {
          throw ServiceError.damaged(path: "the state of request \(state.sequence)")
        }
        return saved
      }
    }
  }

  private static func bits(
    _ sequence: Int64, _ connection: PostgresConnection
  ) throws -> [BitChunk] {
    let rows = try connection.query(
      "SELECT area, place, bytes FROM bits WHERE sequence = $1 ORDER BY area, place",
      [.whole(sequence)])
    return (0..<rows.count).map {
      BitChunk(
        area: UInt32(truncatingIfNeeded: rows.whole($0, 0)),
        place: UInt32(truncatingIfNeeded: rows.whole($0, 1)), bytes: rows.bytes($0, 2))
    }
  }

  /// No state builds on another one, and a process of another build may read what this one cannot.
  package func forgetStates(after sequence: Int64) throws {}

  // MARK: - A copy

  /// Copies the service as of one instant into an empty folder, where others may go on meanwhile.
  ///
  /// - Returns: What a copy does not show: keys and indexes that are missing, and triggers of others.
  /// - Throws: `UncopiedService` where a key is missing and rows cannot be copied, so that something is there
  ///   twice; `ServiceError`, and errors of the file system and GRDB.
  /// - Complexity: O(bytes).
  package func copy(in folder: URL, programme: String, settings: String) throws -> [String] {
    let copy = try SQLiteStore(
      folder: folder, programme: programme, settings: settings, tables: tables)
    return try readers.read { connection in
      // All that follows sees one instant.
      try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let catalogue = try PostgresCatalogue(connection)
      do { try self.copy(into: copy, connection) } catch {
        guard catalogue.lacksKeys(tables) else { throw error }
        throw UncopiedService(
          faults: catalogue.faults(tables) + ["rows cannot be copied: \(error)"])
      }
      return catalogue.faults(tables)
    }
  }

  private func copy(into copy: SQLiteStore, _ connection: PostgresConnection) throws {
    let start = try connection.query("SELECT started_us FROM service")
    if !start.isAbsent(0, 0) { _ = try copy.start(at: Instant(microseconds: start.whole(0, 0))) }
    try each("SELECT member, email, born, salt, hash FROM account", connection) { rows in
      try copy.append([], [], accounts: (0..<rows.count).map { Self.account(rows, $0) })
    }
    var missing: [TableShape] = []
    for (place, table) in tables.enumerated() {
      let columns = table.shape.columns
      let isThere = try connection.query(
        "SELECT to_regclass('pitboss.\(RunSchema.quoted(table.shape.name))') IS NOT NULL")
      guard isThere.whole(0, 0) != 0 else {
        missing.append(table.shape)
        continue
      }
      let text = PostgresSchema.select(table.shape)
      try each(text, connection) { rows in
        let all = (0..<rows.count).map { row in
          let values = columns.indices.map {
            PostgresSchema.value(rows, row, $0, columns[$0].kind)
          }
          return RowChanges.Row(table: place, values: values)
        }
        try copy.append([], all, accounts: [])
      }
    }
    try each("SELECT \(PostgresSchema.entry) ORDER BY sequence", connection) { rows in
      try copy.append(Self.entries(rows).map(\.entry), [], accounts: [])
    }
    let states = try connection.query(
      "SELECT sequence, time_us, bytes, digest FROM state ORDER BY 1")
    for row in 0..<states.count {
      let sequence = states.whole(row, 0)
      let saved = SavedMachine(
        state: Data(states.bytes(row, 2)), bits: try Self.bits(sequence, connection))
      // What is damaged stays so, for whoever audits the copy.
      try copy.keep(
        saved, changed: saved.bits, sequence: sequence,
        time: Instant(microseconds: states.whole(row, 1)),
        isWhole: saved.digest == states.bytes(row, 3))
    }
    try connection.run("COMMIT")
    // Last, as all that is written finds its tables.
    for table in missing { try copy.drop(table) }
  }

  /// Visits rows, some thousands at a time.
  private func each(
    _ query: String, _ connection: PostgresConnection, _ body: (PostgresRows) throws -> Void
  ) throws {
    try connection.run("DECLARE rows NO SCROLL CURSOR FOR \(query)")
    while true {
      let rows = try connection.query("FETCH \(Self.page) FROM rows")
      guard rows.count > 0 else { break }
      try body(rows)
    }
    try connection.run("CLOSE rows")
  }
}
