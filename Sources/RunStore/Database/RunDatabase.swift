internal import Foundation
internal import GRDB
internal import RewardModel

/// The SQLite file of a run: its schema, and how it is opened and closed.
enum RunDatabase {
  /// `PBSS` in ASCII: marks a SQLite file as a run of Pitboss (`PRAGMA application_id`).
  static let applicationID: UInt32 = 0x5042_5353
  /// The version of the schema that this code writes; it reads the earlier ones as well. Tables and
  /// columns say which version brought them. Version 3 brought the name of the program, version 4
  /// the digest of the file's whole content and the data quality of histories; from it on the
  /// fingerprint leaves out how often the ledger was posted to. Version 6 brought the digests of
  /// batches of rows, version 7 what had happened before the days of a replay; version 8 keeps the
  /// numbers of a list in one row.
  static let schemaVersion = 8

  /// Makes the file with all rows of the record.
  ///
  /// It is written without a log: after a kill or with a full disk the file is useless. The caller
  /// flushes it and gives its folder a name afterwards, so that nobody takes it for a run before.
  ///
  /// - Throws: Errors of GRDB.
  static func create<Record: ProgrammeRecord>(_ path: String, _ record: Record) throws {
    var configuration = Configuration()
    // References are looked up once, when all rows are there: row by row it takes several times
    // as long.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE
          """)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    do {
      try queue.write { database in
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(schemaVersion)")
        try database.execute(sql: RunSchema.text(Record.self, version: schemaVersion))
        let written = try insert(record, into: database)
        try checkReferences(of: database)
        try ContentDigest.store(in: database, written: written)
      }
    } catch {
      try? queue.close()
      throw error
    }
    try queue.close()
  }

  /// - Throws: `DatabaseError` where a row refers to one that is not there, as SQLite has it.
  private static func checkReferences(of database: Database) throws {
    if try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") != nil {
      throw DatabaseError(
        resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "FOREIGN KEY constraint failed")
    }
  }

  /// Reads the record back, with the version of the schema that it was written in and what its
  /// digests say.
  ///
  /// - Parameter programmes: Those that the run may be of. Versions before 3 do not say which:
  ///   their runs are of the first.
  /// - Throws: `RunStoreError`, or errors of GRDB.
  static func read(
    _ path: String, of programmes: [any RewardProgramme.Type]
  ) throws -> (record: any ProgrammeRecord, version: Int, finding: ContentDigest.Finding) {
    try open(path) { database, version in
      let programme = try programme(of: database, version: version, path: path, programmes)
      return (
        try record(of: programme, version: version, from: database), version,
        try ContentDigest.check(database, version: version)
      )
    }
  }

  /// Holds the file against its digests without making a record of it, which damage may prevent.
  ///
  /// - Throws: `RunStoreError`, or errors of GRDB.
  static func check(_ path: String) throws -> ContentDigest.Finding {
    try open(path) { database, version in try ContentDigest.check(database, version: version) }
  }

  private static func open<Answer>(
    _ path: String, _ body: (Database, _ version: Int) throws -> Answer
  ) throws -> Answer {
    var configuration = Configuration()
    configuration.readonly = true
    // SQLite takes a name that begins so for more than a name.
    let isAddress = path.lowercased().hasPrefix("file:")
    let queue = try DatabaseQueue(
      path: isAddress ? "./\(path)" : path, configuration: configuration)
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
      return try body(database, version)
    }
  }

  private static func programme(
    of database: Database, version: Int, path: String, _ programmes: [any RewardProgramme.Type]
  ) throws -> any RewardProgramme.Type {
    let column = version < 3 ? "NULL" : "programme"
    guard let run = try Row.fetchOne(database, sql: "SELECT \(column) FROM run") else {
      throw FieldProblem(description: "the run's header is missing")
    }
    let id: String?
    switch try field(run[0]) {
    case .absent: id = nil
    case .text(let text): id = text
    default: throw FieldProblem(description: "the program's name is not text")
    }
    guard let programme = programmes.first(where: { id == nil || $0.id == id }) else {
      throw RunStoreError(
        kind: .damaged, path: path,
        problem: "is a run of '\(id ?? "")', which is not a known program",
        advice: "read it with a version of pitboss that has the program")
    }
    return programme
  }

  /// Whether the file's header says that it is a SQLite file that Pitboss has written.
  static func isRun(_ path: String) -> Bool {
    var status = stat()
    // Whoever opens a pipe waits for somebody at its other end.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: path)
    else { return false }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 100), header.count == 100 else { return false }
    let bytes = [UInt8](header)
    let mark = bytes[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return bytes.starts(with: "SQLite format 3\0".utf8) && mark == applicationID
  }

  /// Why a run's database was not read: another program has it locked, which passes, or it is damaged.
  static func failure(_ error: any Error, _ path: String) -> RunStoreError {
    if (error as? DatabaseError)?.resultCode == .SQLITE_BUSY {
      return RunStoreError(
        kind: .system, path: path, problem: "is locked by another program",
        advice: "let that program finish or close the file there, and try again")
    }
    return RunStoreError(
      kind: .damaged, path: path, problem: "cannot be read: \(words(error))",
      advice: "run the scenario again; the same seed gives the same run")
  }

  /// An error of the database in a few words, without statements.
  static func words(_ error: any Error) -> String {
    if error is RowDecodingError { return "a value is not what it should be" }
    guard let error = error as? DatabaseError else { return "\(error)" }
    return error.message ?? "\(error.resultCode)"
  }
}
