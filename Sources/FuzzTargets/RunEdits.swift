internal import Foundation
internal import GRDB
internal import RunStore

/// Takes numbers and texts from bytes as long as there are some.
struct EditReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// So many bytes as a number, the greatest first; those that are missing are 0.
  mutating func number(_ count: Int) -> UInt64 {
    var number: UInt64 = 0
    for _ in 0..<count { number = number << 8 | UInt64(rest.popFirst() ?? 0) }
    return number
  }

  /// A byte that says how many follow, and those.
  mutating func piece() -> [UInt8] {
    let count = Int(number(1))
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// One of so many, 1 or more.
  mutating func place(of count: Int) -> Int { Int(number(1)) % count }
}

/// Changes of a file: four bytes each, of which three say where and one what is there then. Three
/// bytes at the end say where the file is cut.
enum ByteEdits {
  static func made(_ edits: UnsafeRawBufferPointer, of whole: [UInt8]) -> [UInt8] {
    var bytes = whole
    var reader = EditReader(edits)
    for _ in 0..<edits.count / 4 {
      bytes[Int(reader.number(3)) % whole.count] = UInt8(reader.number(1))
    }
    if edits.count % 4 == 3 { bytes.removeLast(Int(reader.number(3)) % whole.count) }
    return bytes
  }
}

/// Changes of what a database holds: table, what is done, and where it is done, a byte each, then a
/// value.
enum CellEdits {
  private struct Table {
    var name: String
    var columns: [String]
  }

  /// Makes at most 64 changes. The tables lose their constraints first, so that any value fits.
  static func make(_ edits: UnsafeRawBufferPointer, in path: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      // A table that a view is of may have another name for a while.
      try database.execute(
        sql: """
          PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA legacy_alter_table = ON
          """)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    try queue.write { database in
      var reader = EditReader(edits)
      var tables = try tables(database)
      var loose: Set<String> = []
      for _ in 0..<64 where !reader.isEmpty && !tables.isEmpty {
        let place = reader.place(of: tables.count)
        let table = tables[place]
        if loose.insert(table.name).inserted { try loosen(table, database) }
        switch reader.place(of: 16) {
        case 0:
          try database.execute(sql: "DROP TABLE \(RunSchema.quoted(table.name))")
          tables.remove(at: place)
        case 1:
          try database.execute(
            sql: "DELETE FROM \(RunSchema.quoted(table.name)) WHERE rowid = ?",
            arguments: [reader.number(1)])
        case 2:
          let name = RunSchema.quoted(table.name)
          try database.execute(
            sql: "INSERT INTO \(name) SELECT * FROM \(name) WHERE rowid = ?",
            arguments: [reader.number(1)])
        case let kind:
          let column = table.columns[reader.place(of: table.columns.count)]
          let row = reader.number(1)
          // A row that is not there is every row.
          try database.execute(
            sql: "UPDATE \(RunSchema.quoted(table.name)) SET \(RunSchema.quoted(column)) = ? "
              + "WHERE rowid = ? OR ? = 0",
            arguments: [value(kind, &reader), row, row])
        }
      }
    }
  }

  private static func tables(_ database: Database) throws -> [Table] {
    try String.fetchAll(
      database,
      sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        + "ORDER BY name"
    ).map { name in
      Table(
        name: name,
        columns: try String.fetchAll(
          database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name]))
    }
  }

  /// Gives a table columns that take anything.
  private static func loosen(_ table: Table, _ database: Database) throws {
    let name = RunSchema.quoted(table.name)
    let columns = table.columns.map(RunSchema.quoted).joined(separator: ", ")
    try database.execute(
      sql: """
        CREATE TABLE loose (\(columns)); INSERT INTO loose SELECT * FROM \(name);
        DROP TABLE \(name); ALTER TABLE loose RENAME TO \(name)
        """)
  }

  private static func value(_ kind: Int, _ reader: inout EditReader) -> DatabaseValue {
    switch kind % 6 {
    case 0: .null
    case 1: Int64(bitPattern: reader.number(8)).databaseValue
    case 2: Double(bitPattern: reader.number(8)).databaseValue
    case 3: Int64(reader.number(1)).databaseValue
    case 4: String(decoding: reader.piece(), as: UTF8.self).databaseValue
    default: Data(reader.piece()).databaseValue
    }
  }
}
