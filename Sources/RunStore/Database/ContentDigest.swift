internal import Crypto
internal import Foundation
internal import GRDB
internal import RewardModel

/// The digests of everything that a run's database holds: every row of every table, as it is
/// stored, and the tables' definitions.
///
/// The fingerprint says whether two runs are the same run, and leaves out what depends on the
/// machine. These digests say whether one file is as it was written, and leave out nothing. Each
/// batch of up to 1,000 rows of a table has one, in the table `batch`, so that damage has a place;
/// the one row of the table `content` is the digest of them all.
enum ContentDigest {
  /// The version of the schema that brought a digest of the whole, and that which brought batches.
  static let since = 4
  static let batchesSince = 6

  /// What one batch is called, and what it came to.
  struct Batch: Equatable {
    var table: String
    /// From 0 on.
    var number: Int
    var rows: Int
    /// Lower-case hexadecimal.
    var sha256: String

    /// Where the batch is, for people.
    var place: String {
      table == definitions
        ? "the tables' definitions"
        : "rows \(number * batchRows + 1) to \(number * batchRows + rows) of table '\(table)'"
    }
  }

  /// What a look at a database found.
  struct Finding {
    var batches = 0
    var rows = 0
    /// In words, each with its place; empty where all is as it was written.
    var problems: [String] = []
  }

  private static let batchRows = 1_000
  /// The batch of the tables' definitions is named after where SQLite keeps them.
  private static let definitions = "sqlite_schema"
  private static let own: Set = ["batch", "content"]

  /// Computes the digests of a database without any and stores them.
  ///
  /// - Parameter written: The batches of tables that were gathered while they were written, by
  ///   name; the others are read back.
  /// - Complexity: O(rows).
  static func store(in database: Database, written: [String: [Batch]] = [:]) throws {
    try database.execute(
      sql: """
        CREATE TABLE batch ("table" TEXT NOT NULL, number INTEGER NOT NULL, \
        rows INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY ("table", number)) \
        STRICT, WITHOUT ROWID;
        CREATE TABLE content (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), \
        sha256 TEXT NOT NULL) STRICT;
        """)
    let batches = try batches(of: database, written: written)
    let statement = try database.makeStatement(
      sql: "INSERT INTO batch (\"table\", number, rows, sha256) VALUES (?, ?, ?, ?)")
    for batch in batches {
      try statement.execute(arguments: [batch.table, batch.number, batch.rows, batch.sha256])
    }
    try database.execute(
      sql: "INSERT INTO content (id, sha256) VALUES (1, ?)", arguments: [root(batches)])
  }

  /// Holds a database against its digests; those of the first versions have none and are taken as
  /// they are.
  ///
  /// - Complexity: O(rows).
  static func check(_ database: Database, version: Int) throws -> Finding {
    var finding = Finding()
    if try version < since && !database.tableExists("content") { return finding }
    let stored = try String.fetchAll(database, sql: "SELECT sha256 FROM content")
    guard version >= batchesSince else {
      if try stored != [whole(database)] {
        finding.problems.append("its content does not match its digest")
      }
      return finding
    }
    let listed = try Row.fetchAll(
      database, sql: "SELECT \"table\", number, rows, sha256 FROM batch"
    ).map { row in
      let batch = Batch(
        table: try row.decode(atIndex: 0), number: try row.decode(atIndex: 1),
        rows: try row.decode(atIndex: 2), sha256: try row.decode(atIndex: 3))
      guard (0..<1 << 40).contains(batch.number), (0...Int(Int32.max)).contains(batch.rows) else {
        throw FieldProblem(description: "a digest is of rows that no table holds")
      }
      return batch
    }
    if stored != [root(listed)] { finding.problems.append("its list of digests was changed") }
    var left = Dictionary(
      listed.map { (Place(table: $0.table, number: $0.number), $0) }
    ) { first, _ in first }
    for batch in try batches(of: database) {
      finding.batches += 1
      finding.rows += batch.rows
      if left.removeValue(forKey: Place(table: batch.table, number: batch.number)) != batch {
        finding.problems.append("\(batch.place) do not match their digest")
      }
    }
    for batch in left.values.sorted(by: precedes) {
      finding.problems.append("\(batch.place) are missing")
    }
    return finding
  }

  private struct Place: Hashable {
    var table: String
    var number: Int
  }

  private static func precedes(_ a: Batch, _ b: Batch) -> Bool {
    (a.table, a.number) < (b.table, b.number)
  }

  /// The digest of all batches' digests.
  private static func root(_ batches: [Batch]) -> String {
    var bytes = DigestBytes()
    for batch in batches.sorted(by: precedes) {
      bytes.add(batch.table)
      bytes.add(Int64(batch.number))
      bytes.add(Int64(batch.rows))
      bytes.add(batch.sha256)
    }
    return RunFingerprint.hexadecimal(SHA256.hash(data: bytes.bytes))
  }

  /// Rows on their way into batches, one table after another. Each field is one number for its
  /// type and the value; lengths are before texts.
  struct Gathering {
    /// Where the fields of a row go.
    var bytes = DigestBytes()
    private var batches: [Batch] = []
    private var rows = 0

    /// Says that the row is complete.
    mutating func endRow() {
      rows += 1
      if rows == batchRows { endBatch() }
    }

    /// Ends a table.
    ///
    /// - Returns: Its batches.
    mutating func end(_ table: String) -> [Batch] {
      if rows > 0 { endBatch() }
      defer { batches = [] }
      return batches.map { batch in
        var batch = batch
        batch.table = table
        return batch
      }
    }

    private mutating func endBatch() {
      batches.append(
        Batch(
          table: "", number: batches.count, rows: rows,
          sha256: RunFingerprint.hexadecimal(SHA256.hash(data: bytes.bytes))))
      bytes.removeAll()
      rows = 0
    }
  }

  /// The digests of all batches.
  private static func batches(
    of database: Database, written: [String: [Batch]] = [:]
  ) throws -> [Batch] {
    var gathering = Gathering()
    let all = try definitions(of: database)
    for (name, sql) in all {
      gathering.bytes.add(name)
      gathering.bytes.add(sql)
      gathering.endRow()
    }
    var batches = gathering.end(definitions)
    for (name, _) in all where !own.contains(name) {
      if let known = written[name] {
        batches += known
        continue
      }
      guard let stored = try self.rows(of: name, in: database) else { continue }
      while try stored.next() {
        for column in 0..<stored.columns { stored.add(column, to: &gathering.bytes) }
        gathering.endRow()
      }
      batches += gathering.end(name)
    }
    return batches
  }

  /// The digest of versions 4 and 5, over all tables but `content`, by name: the definition, then
  /// the rows by key.
  private static func whole(_ database: Database) throws -> String {
    var hash = SHA256()
    var bytes = DigestBytes()
    func drain() {
      hash.update(data: bytes.bytes)
      bytes.removeAll()
    }
    for (name, sql) in try definitions(of: database) {
      bytes.add(name)
      bytes.add(sql)
      guard name != "content", let stored = try rows(of: name, in: database) else { continue }
      var count: Int64 = 0
      while try stored.next() {
        for column in 0..<stored.columns { stored.add(column, to: &bytes) }
        count += 1
        if bytes.isFull { drain() }
      }
      bytes.add(count)
    }
    drain()
    return RunFingerprint.hexadecimal(hash.finalize())
  }

  private static func definitions(of database: Database) throws -> [(name: String, sql: String)] {
    try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
    ).map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }
  }

  /// A table's rows by key; nil of what has no key, such as an index.
  private static func rows(of table: String, in database: Database) throws -> StoredRows? {
    let keys = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
      arguments: [table])
    guard !keys.isEmpty else { return nil }
    let order = keys.map(RunSchema.quoted).joined(separator: ", ")
    return try StoredRows(
      database, "SELECT * FROM \(RunSchema.quoted(table)) ORDER BY \(order)")
  }
}
