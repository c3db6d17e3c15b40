internal import GRDB
internal import RewardModel

extension RunDatabase {
  /// A text that the database cannot hold.
  struct Unstorable: Error {
    var text: String
  }

  /// Inserts all rows. The tables are empty.
  ///
  /// - Throws: `Unstorable` for a text with a NUL, which SQLite would cut there; errors of GRDB.
  static func insert<Record: ProgrammeRecord>(_ record: Record, into database: Database) throws {
    // Tables are in the order of the fingerprint, not in that of their references.
    try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
    for table in Record.allTables {
      for (place, shape) in table.stored.enumerated() {
        try insert(table, place, shape, of: record, into: database)
      }
    }
  }

  private static func insert<Record: ProgrammeRecord>(
    _ table: some RecordTable<Record>, _ place: Int, _ shape: TableShape, of record: Record,
    into database: Database
  ) throws {
    let key = RunSchema.keyColumn(shape)
    let names = (key.map { [$0] } ?? []) + shape.columns.map(\.storedName)
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let writer = try RowWriter(
      database,
      "INSERT INTO \(RunSchema.quoted(shape.name)) "
        + "(\(names.map(RunSchema.quoted).joined(separator: ", "))) VALUES (\(marks))")
    var position: Int64 = if case .single = shape.key { 1 } else { 0 }
    try table.store(record, place) { row in
      try row.forEach(check)
      if key != nil { writer.bind(.whole(position), at: 1) }
      position += 1
      try writer.insert(row, from: key == nil ? 1 : 2)
    }
  }

  private static func check(_ field: FieldValue) throws {
    guard case .text(let text) = field, text.utf8.contains(0) else { return }
    throw Unstorable(text: text)
  }

  /// Reads all rows that a version of the schema has.
  ///
  /// - Throws: `FieldProblem` for a value that no run holds, or errors of GRDB.
  static func record<Programme: RewardProgramme>(
    of programme: Programme.Type, version: Int, from database: Database
  ) throws -> Programme.Record {
    var record = Programme.Record(header: RunHeader(programme: Programme.id))
    for table in Programme.Record.allTables where table.since <= version {
      try table.restore(&record, version: version) { try read($0, from: database, $1) }
    }
    return record
  }

  /// Hands out the rows of a table in order.
  private static func read(
    _ shape: TableShape, from database: Database, _ body: ([FieldValue]) throws -> Void
  ) throws {
    let order =
      if case .columns(let names) = shape.key {
        names.map(RunSchema.quoted).joined(separator: ", ")
      } else { RunSchema.keyColumn(shape) ?? "" }
    let names = shape.columns.map { RunSchema.quoted($0.storedName) }.joined(separator: ", ")
    let rows = try StoredRows(
      database, "SELECT \(names) FROM \(RunSchema.quoted(shape.name)) ORDER BY \(order)")
    while try rows.next() { try body((0..<rows.columns).map { try rows.field($0) }) }
  }

  /// What a database holds in a place; rows of a damaged file may have any type.
  static func field(_ value: DatabaseValue) throws -> FieldValue {
    switch value.storage {
    case .null: .absent
    case .int64(let number): .whole(number)
    case .double(let number): .real(number)
    case .string(let text): .text(text)
    case .blob: throw FieldProblem(description: "a field holds bytes")
    }
  }
}
