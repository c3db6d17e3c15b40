internal import Foundation
internal import GRDB
internal import RewardModel

extension RunDatabase {
  /// A text that the database cannot hold.
  struct Unstorable: Error {
    var text: String
  }

  /// Inserts all rows. The tables are empty.
  ///
  /// - Returns: The digests of the tables that hold their rows exactly as they were given and in
  ///   that order; see `ContentDigest`.
  /// - Throws: `Unstorable` for a text with a NUL, which SQLite would cut there; errors of GRDB.
  static func insert<Record: ProgrammeRecord>(
    _ record: Record, into database: Database
  ) throws -> [String: [ContentDigest.Batch]] {
    var written: [String: [ContentDigest.Batch]] = [:]
    var digest = ContentDigest.Gathering()
    for table in Record.allTables {
      let name = table.stored.name
      var rows = try RowBlocks(table.stored, in: database)
      try table.store(record) { row in
        try row.forEach(check)
        try rows.add(row, &digest)
      }
      try rows.finish()
      let batches = digest.end(name)
      if rows.isFaithful { written[name] = batches }
    }
    return written
  }

  private static func check(_ field: FieldValue) throws {
    guard case .text(var text) = field, !text.isEmpty else { return }
    let isCut = text.withUTF8 { memchr($0.baseAddress!, 0, $0.count) != nil }
    if isCut { throw Unstorable(text: text) }
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
