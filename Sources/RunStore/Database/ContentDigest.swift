internal import Crypto
internal import Foundation
internal import GRDB
internal import RewardModel

/// The digest of everything that a run's database holds: every row of every table, as it is stored,
/// and the tables' definitions.
///
/// The fingerprint says whether two runs are the same run, and leaves out what depends on the
/// machine. This digest says whether one file is as it was written, and leaves out nothing. It is
/// the one row of the table `content`.
enum ContentDigest {
  /// The version of the schema that brought it.
  static let since = 4

  /// Computes the digest of a database without one and stores it.
  ///
  /// - Complexity: O(rows).
  static func store(in database: Database) throws {
    try database.execute(
      sql: "CREATE TABLE content (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), "
        + "sha256 TEXT NOT NULL) STRICT")
    try database.execute(
      sql: "INSERT INTO content (id, sha256) VALUES (1, ?)", arguments: [try of(database)])
  }

  /// Whether a database is as it was written; those of earlier versions have no digest and are
  /// taken as they are.
  ///
  /// - Complexity: O(rows).
  static func holds(in database: Database, version: Int) throws -> Bool {
    if try version < since && !database.tableExists("content") { return true }
    return try String.fetchAll(database, sql: "SELECT sha256 FROM content") == [try of(database)]
  }

  /// SHA-256 in lower-case hexadecimal over all tables but `content`, by name: the definition, then
  /// the rows by key. Each field is one byte for its type and the value; lengths stand before
  /// texts.
  private static func of(_ database: Database) throws -> String {
    var hash = SHA256()
    var bytes = DigestBytes()
    func drain() {
      hash.update(data: bytes.bytes)
      bytes.removeAll()
    }
    let definitions = try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
    for definition in definitions {
      let name: String = definition[0]
      let sql: String = definition[1]
      bytes.add(name)
      bytes.add(sql)
      guard name != "content" else { continue }
      let keys = try String.fetchAll(
        database, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
        arguments: [name])
      guard !keys.isEmpty else { continue }
      let order = keys.map(RunSchema.quoted).joined(separator: ", ")
      let rows = try Row.fetchCursor(
        database, sql: "SELECT * FROM \(RunSchema.quoted(name)) ORDER BY \(order)")
      var count: Int64 = 0
      while let row = try rows.next() {
        for column in 0..<row.count { add(row[column], to: &bytes) }
        count += 1
        if bytes.isFull { drain() }
      }
      bytes.add(count)
    }
    drain()
    return RunFingerprint.hexadecimal(hash.finalize())
  }

  private static func add(_ value: DatabaseValue, to bytes: inout DigestBytes) {
    switch value.storage {
    case .null: bytes.add(Int64(0))
    case .int64(let number):
      bytes.add(Int64(1))
      bytes.add(number)
    case .double(let number):
      bytes.add(Int64(2))
      bytes.add(Int64(bitPattern: number.bitPattern))
    case .string(let text):
      bytes.add(Int64(3))
      bytes.add(text)
    case .blob(let data):
      bytes.add(Int64(4))
      bytes.add(data.base64EncodedString())
    }
  }
}
