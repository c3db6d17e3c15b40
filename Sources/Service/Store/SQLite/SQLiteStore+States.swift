internal import Foundation
internal import GRDB
package import Quantities
package import RewardModel

extension SQLiteStore {
  /// Keeps a state in a file of its own and the bits that changed since the one before in the
  /// database, and forgets all but the two latest.
  ///
  /// The file is not in the database, so that requests need not wait for it.
  ///
  /// - Throws: Errors of the file system and of GRDB; the states before are then as they were.
  package func keep(
    _ saved: SavedMachine, changed: [BitChunk], sequence: Int64, time: Instant
  ) throws {
    try keep(saved, changed: changed, sequence: sequence, time: time, isWhole: true)
  }

  /// Keeps a state as above.
  ///
  /// - Parameter isWhole: False for a copy of what was damaged before: it gets a digest that it does
  ///   not have.
  func keep(
    _ saved: SavedMachine, changed: [BitChunk], sequence: Int64, time: Instant, isWhole: Bool
  ) throws {
    // Bits that belong to no state are passed over, so they come first.
    try pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        for chunk in changed {
          try database.execute(
            sql: "INSERT OR REPLACE INTO bits (area, place, sequence, bytes) VALUES (?, ?, ?, ?)",
            arguments: [chunk.area, chunk.place, sequence, Data(chunk.bytes)])
        }
        return .commit
      }
    }
    let digest = isWhole ? Self.name(saved) : String(repeating: "0", count: 64)
    let place = folder.appending(
      path: "state-\(sequence)-\(time.microseconds)-\(digest).json")
    let partial = folder.appending(path: ".\(place.lastPathComponent).partial")
    try saved.state.write(to: partial)
    let handle = try FileHandle(forUpdating: partial)
    try handle.synchronize()
    try handle.close()
    try FileManager.default.moveItem(at: partial, to: place)
    let kept = try files()
    for old in kept.dropLast(2) { try FileManager.default.removeItem(at: old.file) }
    guard let oldest = kept.suffix(2).first?.state.sequence else { return }
    try pool.write { database in
      try database.execute(
        sql: """
          DELETE FROM bits WHERE EXISTS (
            SELECT 1 FROM bits AS later WHERE later.area = bits.area AND later.place = bits.place
              AND later.sequence > bits.sequence AND later.sequence <= ?)
          """, arguments: [oldest])
    }
  }

  /// The files of states that were kept, the latest last: names tell the last request, its time and the
  /// digest of what was written.
  func files() throws -> [(state: KeptState, file: URL, digest: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
      // Those of earlier builds have no digest, or one without the bits, and are not taken for whole.
      guard let parts = name.wholeMatch(of: /state-(\d+)-(-?\d+)(?:-([0-9a-f]{64}))?\.json/),
        let sequence = Int64(parts.1), let time = Int64(parts.2)
      else { return nil }
      return (
        KeptState(sequence: sequence, time: Instant(microseconds: time)),
        folder.appending(path: name), parts.3.map(String.init) ?? ""
      )
    }.sorted { $0.state.sequence < $1.state.sequence }
  }

  /// The digest of a state and its bits as a file's name has it.
  private static func name(_ saved: SavedMachine) -> String {
    saved.digest.map { String(format: "%02x", $0) }.joined()
  }

  /// The states that were kept, the latest first, but for those of requests that the journal does
  /// not have.
  ///
  /// - Throws: Errors of the file system and of GRDB.
  package func keptStates() throws -> [KeptState] {
    let last = try pool.read { database in
      try Int64.fetchOne(database, sql: "SELECT max(sequence) FROM journal") ?? 0
    }
    return try files().map(\.state).filter { $0.sequence <= last }.reversed()
  }

  /// A state with its bits.
  ///
  /// - Throws: `ServiceError.damaged` where the file or the bits are not what was written; errors of the
  ///   file system and of GRDB.
  package func saved(_ state: KeptState) throws -> SavedMachine {
    guard let found = try files().last(where: { $0.state == state }) else {
      throw ServiceError.damaged(path: folder.path)
    }
    let saved = SavedMachine(
      state: try Data(contentsOf: found.file), bits: try bits(at: state.sequence))
    guard Self.name(saved) == found.digest else {
      throw ServiceError.damaged(path: found.file.path)
    }
    return saved
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
      return try rows.map { row in
        let bytes: Data = try row.decode(forColumn: "bytes")
        return BitChunk(
          area: try row.decode(forColumn: "area"), place: try row.decode(forColumn: "place"),
          bytes: Array(bytes))
      }
    }
  }

  /// Forgets states of later requests, which could not be restored, with their bits: a state whose
  /// bits are gone must not be found again; and states that a kill left half written.
  ///
  /// - Throws: Errors of the file system and of GRDB.
  package func forgetStates(after sequence: Int64) throws {
    for kept in try files() where kept.state.sequence > sequence {
      try FileManager.default.removeItem(at: kept.file)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix(".state-") && name.hasSuffix(".partial") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    try pool.write { database in
      try database.execute(sql: "DELETE FROM bits WHERE sequence > ?", arguments: [sequence])
    }
  }
}
