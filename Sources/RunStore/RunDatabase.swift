internal import BlakJaks
internal import Foundation
internal import GRDB

/// The SQLite file of a run: its schema, and how it is opened and closed.
enum RunDatabase {
  /// `PBSS` in ASCII: marks a SQLite file as a run of Pitboss (`PRAGMA application_id`).
  static let applicationID: UInt32 = 0x5042_5353
  /// The version of the schema that this code writes. Version 1, which it reads as well, lacks the
  /// tables of `seriesSchema`.
  static let schemaVersion = 2

  /// Makes the file with all rows of the record, as a single file without a log beside it.
  ///
  /// - Throws: Errors of GRDB.
  static func create(_ path: String, _ record: BlakJaksRecord) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    do {
      try queue.write { database in
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(schemaVersion)")
        try database.execute(sql: schema + seriesSchema)
        try insert(record, into: database)
      }
      // Leaving the log mode folds the log into the file and removes it.
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
      }
    } catch {
      try? queue.close()
      throw error
    }
    try queue.close()
  }

  /// Reads the record back, with the version of the schema that it was written in.
  ///
  /// - Throws: `RunStoreError`, or errors of GRDB.
  static func read(_ path: String) throws -> (record: BlakJaksRecord, version: Int) {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { database in
      let version = try Int.fetchOne(database, sql: "SELECT version FROM schema_version")
      guard let version, (1...schemaVersion).contains(version) else {
        throw RunStoreError(
          kind: .damaged, path: path,
          problem: "has schema version \(version.map(String.init) ?? "none"), "
            + "not 1 to \(schemaVersion)",
          advice: "read it with the version of pitboss that wrote it")
      }
      var record = try record(from: database)
      if version >= 2 { try readDailyFigures(&record, from: database) }
      return (record, version)
    }
  }

  /// Whether the file's header says that it is a SQLite file that Pitboss has written.
  static func isRun(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 100), header.count == 100 else { return false }
    let bytes = [UInt8](header)
    let mark = bytes[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return bytes.starts(with: "SQLite format 3\0".utf8) && mark == applicationID
  }

  /// An error of the database in a few words, without statements.
  static func words(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    return error.message ?? "\(error.resultCode)"
  }

  /// All amounts are micro-USDT in columns named `_micro`, all instants microseconds since
  /// 1970-01-01T00:00:00Z in columns named `_us`. `position` keeps the order of the exports.
  static let schema = """
    CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT;
    INSERT INTO schema_version (version) VALUES (\(schemaVersion));
    CREATE TABLE run (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      scenario TEXT NOT NULL,
      description TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('simulation', 'history')),
      seed TEXT NOT NULL, -- a whole number up to 2^64 - 1, too large for INTEGER
      zone TEXT NOT NULL,
      start_us INTEGER NOT NULL,
      end_us INTEGER NOT NULL, -- exclusive
      interrupted INTEGER NOT NULL CHECK (interrupted IN (0, 1)),
      fingerprint TEXT NOT NULL,
      members INTEGER NOT NULL,
      refused_under_age INTEGER NOT NULL,
      accepted_scans INTEGER NOT NULL,
      tins_sold INTEGER NOT NULL,
      tins_sold_in_shop INTEGER NOT NULL,
      events INTEGER NOT NULL,
      standard INTEGER NOT NULL,
      vip INTEGER NOT NULL,
      high_roller INTEGER NOT NULL,
      whale INTEGER NOT NULL,
      wall_seconds REAL NOT NULL,
      threads INTEGER NOT NULL,
      peak_memory_bytes INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE setting (
      position INTEGER NOT NULL PRIMARY KEY,
      path TEXT NOT NULL,
      value TEXT NOT NULL,
      mark TEXT NOT NULL -- given, sourced, assumed or set
    ) STRICT;
    CREATE TABLE day (
      position INTEGER NOT NULL PRIMARY KEY,
      date TEXT NOT NULL UNIQUE,
      signups INTEGER NOT NULL,
      members INTEGER NOT NULL,
      purchases INTEGER NOT NULL,
      tins_sold INTEGER NOT NULL,
      submitted INTEGER NOT NULL,
      accepted_scans INTEGER NOT NULL,
      standard INTEGER NOT NULL,
      vip INTEGER NOT NULL,
      high_roller INTEGER NOT NULL,
      whale INTEGER NOT NULL,
      gross_profit_micro INTEGER NOT NULL,
      spend_cash_micro INTEGER NOT NULL,
      spend_accrual_micro INTEGER NOT NULL,
      projected_bp INTEGER,
      status TEXT CHECK (status IN ('Normal', 'Warning', 'Critical'))
    ) STRICT;
    CREATE TABLE month (
      position INTEGER NOT NULL PRIMARY KEY,
      month TEXT NOT NULL UNIQUE,
      tins_sold INTEGER NOT NULL,
      accepted_scans INTEGER NOT NULL,
      gross_profit_micro INTEGER NOT NULL,
      budget_micro INTEGER NOT NULL,
      spend_cash_micro INTEGER NOT NULL,
      spend_accrual_micro INTEGER NOT NULL,
      utilisation_bp INTEGER,
      status TEXT CHECK (status IN ('Normal', 'Warning', 'Critical'))
    ) STRICT;
    CREATE TABLE quarter (
      position INTEGER NOT NULL PRIMARY KEY,
      quarter TEXT NOT NULL UNIQUE,
      standard INTEGER NOT NULL,
      vip INTEGER NOT NULL,
      high_roller INTEGER NOT NULL,
      whale INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE prize (
      position INTEGER NOT NULL PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('crypto', 'casino', 'trip')),
      amount_micro INTEGER NOT NULL,
      every INTEGER NOT NULL,
      required_tier TEXT NOT NULL,
      allocation TEXT NOT NULL CHECK (allocation IN ('roll_forward', 'draw')),
      awarded INTEGER NOT NULL,
      waiting INTEGER NOT NULL,
      next_due INTEGER NOT NULL,
      away INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE award (
      award INTEGER NOT NULL PRIMARY KEY,
      prize TEXT NOT NULL REFERENCES prize (name),
      kind TEXT NOT NULL CHECK (kind IN ('crypto', 'casino', 'trip')),
      amount_micro INTEGER NOT NULL,
      due_scan INTEGER NOT NULL,
      won_scan INTEGER NOT NULL,
      time_us INTEGER NOT NULL,
      member TEXT NOT NULL
    ) STRICT;
    CREATE TABLE payout (
      position INTEGER NOT NULL PRIMARY KEY,
      type TEXT NOT NULL UNIQUE,
      count INTEGER NOT NULL,
      total_micro INTEGER NOT NULL,
      share_bp INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pool (
      position INTEGER NOT NULL PRIMARY KEY,
      time_us INTEGER NOT NULL UNIQUE,
      pool_micro INTEGER NOT NULL,
      chips INTEGER NOT NULL,
      holders INTEGER NOT NULL,
      paid_micro INTEGER NOT NULL,
      carry_micro INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE account (
      position INTEGER NOT NULL PRIMARY KEY,
      account TEXT NOT NULL UNIQUE,
      balance_micro INTEGER NOT NULL, -- credits are positive
      postings INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE outcome (
      position INTEGER NOT NULL PRIMARY KEY,
      outcome TEXT NOT NULL UNIQUE,
      count INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE affiliate (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      active INTEGER NOT NULL,
      referred INTEGER NOT NULL,
      chips_issued INTEGER NOT NULL,
      chips_unexpired INTEGER NOT NULL,
      match_paid_micro INTEGER NOT NULL,
      pool_paid_micro INTEGER NOT NULL,
      floor_standard INTEGER NOT NULL,
      floor_vip INTEGER NOT NULL,
      floor_high_roller INTEGER NOT NULL,
      floor_whale INTEGER NOT NULL
    ) STRICT;
    """
}
