package import Foundation
internal import GRDB
package import Quantities
package import RewardModel
internal import RunStore

/// A service's store in a folder that belongs to one process.
///
/// One SQLite file with a write-ahead log; a transaction is on the disk when `append` returns.
package final class SQLiteStore: ServiceStore {
  /// The version of the file's form.
  package static let version = 2

  /// KiB of the file's pages that the connections keep, each for itself.
  static let writerCache = 32_768
  static let readerCache = 2_048

  let pool: DatabasePool
  private let checkpoints: Checkpoints
  let tables: [ServedTable]
  let folder: URL
  private let lastRows: LastRows

  /// Opens a service's file, or makes a new one.
  ///
  /// - Parameters:
  ///   - folder: Exists, and belongs to this process alone.
  ///   - programme: Its id.
  ///   - settings: What the rules depend on; a file goes on with those that it began with.
  ///   - tables: Of its machine.
  ///   - makes: Whether a service is made where there is none.
  /// - Throws: `ServiceError` for a file of another program or version, for states that were kept of a
  ///   service that is not there any more, and for no service; errors of GRDB.
  package init(
    folder: URL, programme: String, settings: String, tables: [ServedTable], makes: Bool = true
  ) throws {
    self.tables = tables
    self.folder = folder
    lastRows = LastRows(tables)
    var configuration = Configuration()
    configuration.maximumReaderCount = 4
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { database in
      // Else each replaced row opens a file for what undoes its statement alone.
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      // `Checkpoints` come before; this one keeps the log short where they never get to its end.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 80000")
      // In KiB: the pages that the writer comes back to. Readers have connections of their own.
      let cache = database.configuration.readonly ? Self.readerCache : Self.writerCache
      try database.execute(sql: "PRAGMA cache_size = -\(cache)")
    }
    let path = folder.appending(path: "service.sqlite").path
    pool = try DatabasePool(path: path, configuration: configuration)
    // A pool sets NORMAL once its connection is prepared, which may lose the last transactions with the power.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    checkpoints = try Checkpoints(path: path)
    try pool.write { database in
      guard try database.tableExists("service") else {
        // Whoever kept a state had a journal, without which every tin would be unclaimed again.
        guard try files().isEmpty else { throw ServiceError.damaged(path: path) }
        guard makes else { throw ServiceError.missing(path: folder.path) }
        return try Self.make(tables, programme, settings, database)
      }
      try Self.check(path, programme, settings, database)
    }
  }

  /// Whether a transaction is on the disk before it is told: 2 is FULL.
  package func isDurable() throws -> Bool {
    try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") == 2 }
  }

  /// Checks whose file it is.
  ///
  /// - Throws: `ServiceError` where it is another's; errors of GRDB.
  static func check(
    _ path: String, _ programme: String, _ settings: String, _ database: Database
  ) throws {
    let row = try Row.fetchOne(database, sql: "SELECT version, programme, settings FROM service")
    let found: (Int, String) = (row?["version"] ?? 0, row?["programme"] ?? "")
    guard found == (version, programme) else {
      throw ServiceError.otherFile(path: path, found: "\(found.1), version \(found.0)")
    }
    let before: String = row?["settings"] ?? ""
    guard before == settings else {
      throw ServiceError.otherSettings(path: path, was: before, now: settings)
    }
  }

  private static func make(
    _ tables: [ServedTable], _ programme: String, _ settings: String, _ database: Database
  ) throws {
    try database.execute(
      sql: """
        CREATE TABLE service (
          version INTEGER NOT NULL, programme TEXT NOT NULL, settings TEXT NOT NULL,
          started_us INTEGER
        ) STRICT;
        CREATE TABLE journal (
          sequence INTEGER NOT NULL PRIMARY KEY,
          time_us INTEGER NOT NULL,
          key TEXT,
          digest INTEGER NOT NULL,
          request BLOB NOT NULL,
          status INTEGER NOT NULL,
          problem INTEGER NOT NULL,
          reply BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX journal_key ON journal (key) WHERE key IS NOT NULL;
        CREATE TABLE account (
          member INTEGER NOT NULL PRIMARY KEY,
          email TEXT NOT NULL UNIQUE,
          born TEXT NOT NULL,
          salt BLOB NOT NULL,
          hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE bits (
          area INTEGER NOT NULL,
          place INTEGER NOT NULL,
          sequence INTEGER NOT NULL,
          bytes BLOB NOT NULL,
          PRIMARY KEY (area, place, sequence)
        ) STRICT, WITHOUT ROWID;
        """)
    try database.execute(
      sql: "INSERT INTO service (version, programme, settings) VALUES (?, ?, ?)",
      arguments: [version, programme, settings])
    for table in tables {
      try database.execute(sql: RunSchema.text(table.shape))
      for columns in table.indexes {
        let names = columns.map { name in
          RunSchema.quoted(
            table.shape.columns.first { $0.name == name }?.storedName ?? name)
        }
        try database.execute(
          sql:
            "CREATE INDEX \(RunSchema.quoted(([table.shape.name] + columns).joined(separator: "_")))"
            + " ON \(RunSchema.quoted(table.shape.name)) (\(names.joined(separator: ", ")))")
      }
    }
  }

  // MARK: - Writing

  package var isShared: Bool { false }
  package var keepsAllBits: Bool { false }

  /// The file is this process's alone: it is always its turn.
  package func takeTurn(after sequence: Int64) throws -> StoreTurn { StoreTurn() }

  /// See `ServiceStore`.
  package func giveBackTurn() {}

  /// See `ServiceStore`.
  package func leave() {}

  /// See `ServiceStore`.
  package func news(after sequence: Int64) throws -> [ServiceEntry] { [] }

  /// Writes requests, the rows that they changed, and accounts that they opened, all or nothing.
  ///
  /// - Throws: Errors of GRDB; nothing is then written.
  package func append(
    _ entries: [ServiceEntry], _ rows: [RowChanges.Row], accounts: [ServiceAccount] = []
  ) throws {
    try pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        let journal = try RowWriter(
          database,
          """
          INSERT INTO journal (sequence, time_us, key, digest, request, status, problem, reply)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """)
        for entry in entries { try journal.insert(entry) }
        try write(rows, database)
        for account in accounts {
          try database.execute(
            sql: "INSERT INTO account (member, email, born, salt, hash) VALUES (?, ?, ?, ?, ?)",
            arguments: [account.member, account.email, account.born, account.salt, account.hash])
        }
        return .commit
      }
    }
    checkpoints.note()
  }

  private func write(_ rows: [RowChanges.Row], _ database: Database) throws {
    let writers = try tables.map { table in
      let marks = Array(repeating: "?", count: table.shape.columns.count)
      return try RowWriter(
        database,
        "INSERT OR REPLACE INTO \(RunSchema.quoted(table.shape.name)) VALUES ("
          + marks.joined(separator: ", ") + ")")
    }
    for row in lastRows.of(rows) { try writers[row.table].insert(row.values) }
  }

  // MARK: - Comparing

  /// Takes a table away.
  ///
  /// - Throws: Errors of GRDB.
  func drop(_ table: TableShape) throws {
    try pool.write { database in try database.drop(table: table.name) }
  }

  /// How many rows of each table another store has otherwise, or not at all; nil of a table that is
  /// missing here.
  ///
  /// - Throws: Errors of GRDB.
  package func differences(from other: SQLiteStore) throws -> [(table: String, rows: Int64?)] {
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "ATTACH DATABASE ? AS other", arguments: [other.pool.path])
      defer { try? database.execute(sql: "DETACH DATABASE other") }
      return try tables.map { table in
        guard try database.tableExists(table.shape.name, in: "main") else {
          return (table.shape.name, nil)
        }
        let name = RunSchema.quoted(table.shape.name)
        // A row that was changed is otherwise on both sides, and one row by its key.
        let key = RunSchema.keyColumns(table.shape).map { RunSchema.quoted($0) }
          .joined(separator: ", ")
        let count = try Int64.fetchOne(
          database,
          sql: """
            SELECT count(*) FROM (
              SELECT \(key) FROM (SELECT * FROM main.\(name) EXCEPT SELECT * FROM other.\(name))
              UNION
              SELECT \(key) FROM (SELECT * FROM other.\(name) EXCEPT SELECT * FROM main.\(name)))
            """)
        return (table.shape.name, count ?? 0)
      }
    }
  }

  // MARK: - Reading

  /// When the service was started first; nil before that.
  ///
  /// - Throws: Errors of GRDB.
  package func started() throws -> Instant? {
    try pool.read { database in
      try Int64.fetchOne(database, sql: "SELECT started_us FROM service")
        .map { Instant(microseconds: $0) }
    }
  }

  /// When the service was started first: now, where it never was.
  ///
  /// - Throws: Errors of GRDB.
  package func start(at now: Instant) throws -> Instant {
    if let started = try started() { return started }
    try pool.write { database in
      try database.execute(
        sql: "UPDATE service SET started_us = ?", arguments: [now.microseconds])
    }
    return now
  }

  /// The instant of the last request; nil before the first.
  ///
  /// - Throws: Errors of GRDB.
  package func lastTime() throws -> Instant? {
    try pool.read { database in
      try Int64.fetchOne(
        database, sql: "SELECT time_us FROM journal ORDER BY sequence DESC LIMIT 1"
      ).map { Instant(microseconds: $0) }
    }
  }

  /// Visits the journal behind an entry, in order.
  ///
  /// - Throws: `ServiceError.unreadable`, errors of GRDB, and what `body` throws.
  package func forEach(after sequence: Int64, _ body: (ServiceEntry) throws -> Void) throws {
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT sequence, time_us, key, digest, request, status, problem, reply FROM journal
          WHERE sequence > ? ORDER BY sequence
          """, arguments: [sequence])
      var last = sequence
      while let row = try rows.next() {
        guard let entry = try? Self.entry(row) else {
          throw ServiceError.unreadable(sequence: last + 1)
        }
        last = entry.sequence
        try body(entry)
      }
    }
  }

  /// What SQLite finds wrong with the file itself, in its words, and which kept states are not what was
  /// written; at most twenty of the first.
  ///
  /// - Throws: Errors of the file system and of GRDB.
  /// - Complexity: O(bytes of the file · log rows).
  package func faults() throws -> [String] {
    let found = try pool.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
    }
    var faults = found.filter { $0 != "ok" }.map { "service.sqlite: \($0)" }
    for state in try keptStates() where (try? saved(state)) == nil {
      faults.append("the state that was kept at request \(state.sequence) is damaged")
    }
    return faults
  }

  /// Indexes that a new store has and this one lacks, and triggers, of which a service makes none; in words.
  ///
  /// - Throws: Errors of GRDB.
  package func faults(beside new: SQLiteStore) throws -> [String] {
    let (tables, triggers) = try pool.read { database in
      (
        try String.fetchSet(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"),
        try Row.fetchAll(
          database,
          sql: "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger' ORDER BY 1, 2")
      )
    }
    let own = try Set(indexes().map(\.definition))
    let lost = try new.indexes().filter {
      tables.contains($0.table) && !own.contains($0.definition)
    }
    return lost.map { "service.sqlite: the table \($0.words)" }
      + triggers.map { row in
        "service.sqlite: the table \(row[0] as String) has a trigger that the service did not make, "
          + (row[1] as String)
      }
  }

  /// Each index: its table, what it is made of, and words for where it is missing.
  private func indexes() throws -> [(table: String, definition: [String], words: String)] {
    let rows = try pool.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT m.name, l.name, i.name, l."unique", l.partial FROM sqlite_master m,
            pragma_index_list(m.name) l, pragma_index_info(l.name) i
          WHERE m.type = 'table' ORDER BY 1, 2, i.seqno
          """)
    }
    let byIndex = Dictionary(grouping: rows) { "\($0[0] as String) \($0[1] as String)" }
    return byIndex.sorted { $0.key < $1.key }.map { _, rows in
      let columns = rows.map { $0[2] as String? ?? "" }.joined(separator: ", ")
      let table: String = rows[0][0]
      let kind = (rows[0][3] as Int) == 1 ? "key" : "index"
      return (
        table, [table, columns, kind, "\(rows[0][4] as Int)"],
        "\(table) has lost its \(kind) over \(columns)"
      )
    }
  }

  /// The keys among some that the journal has.
  ///
  /// - Throws: Errors of GRDB.
  package func recorded(_ keys: [String]) throws -> Set<String> {
    try pool.writeWithoutTransaction { database in
      // One transaction: else SQLite takes and leaves its locks for each key.
      var found: Set<String> = []
      try database.inTransaction(.deferred) {
        let look = try RowReader(database, "SELECT 1 FROM journal WHERE key = ?")
        for key in keys where try look.finds(key) { found.insert(key) }
        return .commit
      }
      return found
    }
  }

  /// The entry that a client's key names.
  ///
  /// - Throws: Errors of GRDB.
  package func entry(key: String) throws -> ServiceEntry? {
    try pool.writeWithoutTransaction { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT sequence, time_us, key, digest, request, status, problem, reply FROM journal
          WHERE key = ?
          """)
      return try Row.fetchOne(statement, arguments: [key]).map(Self.entry)
    }
  }

  /// A row of the journal in the order of its columns.
  ///
  /// - Throws: Errors of GRDB where a damaged file holds something else.
  private static func entry(_ row: Row) throws -> ServiceEntry {
    let request: Data = try row.decode(atIndex: 4)
    let reply: Data = try row.decode(atIndex: 7)
    return ServiceEntry(
      sequence: try row.decode(atIndex: 0),
      time: Instant(microseconds: try row.decode(atIndex: 1)), key: try row.decode(atIndex: 2),
      digest: try row.decode(atIndex: 3), request: Array(request),
      reply: ServedReply(
        status: try row.decode(atIndex: 5), body: Array(reply),
        isProblem: try row.decode(atIndex: 6)))
  }

  /// Keeps the log of the file short.
  package func tidy() { checkpoints.endLog(pool) }

  /// Moves all of the log into the file, and leaves it empty: a copy of the file alone is then a copy of the
  /// service. Where it cannot, the next start reads the log.
  package func finish() { checkpoints.emptyLog(pool) }
}
