package import Foundation
internal import GRDB
package import Quantities
package import RewardModel

extension SQLiteStore {
  /// Keeps a state in a file of its own and the bits that changed since the one before in the
  /// database, and forgets all but the two latest.
  ///
  /// The file is not in the database, so that requests need not wait for it.
  ///
  /// - Parameter bits: Those that changed since the state before that was kept.
  /// - Throws: Errors of the file system and of GRDB; the states before are then as they were.
  package func keep(
    _ state: Data, bits: [BitChunk], sequence: Int64, time: Instant
  ) throws {
    // Bits that belong to no state are passed over, so they come first.
    try pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        for chunk in bits {
          try database.execute(
            sql: "INSERT OR REPLACE INTO bits (area, place, sequence, bytes) VALUES (?, ?, ?, ?)",
            arguments: [chunk.area, chunk.place, sequence, Data(chunk.bytes)])
        }
        return .commit
      }
    }
    let place = file(of: KeptState(sequence: sequence, time: time))
    let partial = folder.appending(path: ".\(place.lastPathComponent).partial")
    try state.write(to: partial)
    let handle = try FileHandle(forUpdating: partial)
    try handle.synchronize()
    try handle.close()
    try FileManager.default.moveItem(at: partial, to: place)
    let kept = try states()
    for old in kept.dropLast(2) { try FileManager.default.removeItem(at: file(of: old)) }
    guard let oldest = kept.suffix(2).first?.sequence else { return }
    try pool.write { database in
      try database.execute(
        sql: """
          DELETE FROM bits WHERE EXISTS (
            SELECT 1 FROM bits AS later WHERE later.area = bits.area AND later.place = bits.place
              AND later.sequence > bits.sequence AND later.sequence <= ?)
          """, arguments: [oldest])
    }
  }

  private func file(of state: KeptState) -> URL {
    folder.appending(path: "state-\(state.sequence)-\(state.time.microseconds).json")
  }

  /// The states that were kept, the latest last.
  private func states() throws -> [KeptState] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
      guard let parts = name.wholeMatch(of: /state-(\d+)-(-?\d+)\.json/),
        let sequence = Int64(parts.1), let time = Int64(parts.2)
      else { return nil }
      return KeptState(sequence: sequence, time: Instant(microseconds: time))
    }.sorted { $0.sequence < $1.sequence }
  }

  /// The states that were kept, the latest first, but for those of requests that the journal does
  /// not have.
  ///
  /// - Throws: Errors of the file system and of GRDB.
  package func keptStates() throws -> [KeptState] {
    let last = try pool.read { database in
      try Int64.fetchOne(database, sql: "SELECT max(sequence) FROM journal") ?? 0
    }
    return try states().filter { $0.sequence <= last }.reversed()
  }

  /// A state with its bits.
  ///
  /// - Throws: Errors of the file system and of GRDB.
  package func saved(_ state: KeptState) throws -> SavedMachine {
    SavedMachine(
      state: try Data(contentsOf: file(of: state)), bits: try bits(at: state.sequence))
  }

  /// The bits of a state, in order.
  ///
  /// - Parameter sequence: Of the state.
  /// - Throws: Errors of GRDB.
  package func bits(at sequence: Int64) throws -> [BitChunk] {
    try pool.read { database in
      // SQLite takes the other columns from the row with the greatest sequence.
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT area, place, max(sequence), bytes FROM bits WHERE sequence <= ?
          GROUP BY area, place ORDER BY area, place
          """, arguments: [sequence])
      return rows.map { row in
        let bytes: Data = row["bytes"]
        return BitChunk(area: row["area"], place: row["place"], bytes: Array(bytes))
      }
    }
  }

  /// Forgets states of later requests, which could not be restored, with their bits: a state whose
  /// bits are gone must not be found again.
  ///
  /// - Throws: Errors of the file system and of GRDB.
  package func forgetStates(after sequence: Int64) throws {
    for state in try states() where state.sequence > sequence {
      try FileManager.default.removeItem(at: file(of: state))
    }
    try pool.write { database in
      try database.execute(sql: "DELETE FROM bits WHERE sequence > ?", arguments: [sequence])
    }
  }
}
