package import RewardModel

/// The SQL that makes the tables of a run, out of their descriptions.
///
/// All amounts are micro-USDT in columns named `_micro`, all instants microseconds since
/// 1970-01-01T00:00:00Z in columns named `_us`. `position` keeps the order of the exports.
package enum RunSchema {
  /// Makes every table of a record, and the views of numbers in lists.
  static func text<Record: ProgrammeRecord>(_ record: Record.Type, version: Int) -> String {
    let version = """
      CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT;
      INSERT INTO schema_version (version) VALUES (\(version));

      """
    let tables = Record.allTables.flatMap { table in
      [text(table.stored)] + [table.cells.map { view(table.stored, $0) }].compactMap(\.self)
    }
    return version + tables.joined(separator: "\n")
  }

  /// Makes the view of the numbers that the last column of a table has in lists.
  ///
  /// - Parameters:
  ///   - table: Has the lists, and its rows' positions.
  ///   - cells: The view: the row's position, the place in the list, the number.
  private static func view(_ table: TableShape, _ cells: TableShape) -> String {
    let lists = quoted(table.columns[table.columns.count - 1].storedName)
    let sources = ["position", "json_each.key", "json_each.value"]
    let lines = zip(sources, cells.columns).enumerated().map { place, line in
      let (source, column) = line
      return "  \(source) AS \(quoted(column.storedName))\(place < sources.count - 1 ? "," : "")"
        + (column.note.map { " -- \($0)" } ?? "")
    }
    return
      (["CREATE VIEW \(quoted(cells.name)) AS SELECT"] + lines
      + ["FROM \(quoted(table.name)), json_each(\(lists));"]).joined(separator: "\n")
  }

  /// A name quoted for SQL, so that it may be a keyword.
  package static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// The columns that tell rows of a table apart.
  package static func keyColumns(_ table: TableShape) -> [String] {
    guard case .columns(let names) = table.key else { return [keyColumn(table)].compactMap(\.self) }
    return names.map { name in
      table.columns.first { $0.name == name }?.storedName ?? name
    }
  }

  /// The column that tells rows apart where no column of the table does; nil where one does.
  static func keyColumn(_ table: TableShape) -> String? {
    switch table.key {
    case .position: "position"
    case .single: "id"
    case .columns: nil
    }
  }

  /// Makes one table.
  package static func text(_ table: TableShape) -> String {
    var lines = table.columns.map { (text: text($0), note: $0.note) }
    var ending = "STRICT"
    switch table.key {
    case .position: lines.insert(("position INTEGER NOT NULL PRIMARY KEY", nil), at: 0)
    case .single: lines.insert(("id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1)", nil), at: 0)
    case .columns(let names):
      lines.append(("PRIMARY KEY (\(names.map(quoted).joined(separator: ", ")))", nil))
      if names.count > 1 { ending += ", WITHOUT ROWID" }
    }
    let last = lines.count - 1
    let body = lines.enumerated().map { place, line in
      "  \(line.text)\(place < last ? "," : "")\(line.note.map { " -- \($0)" } ?? "")"
    }
    return (["CREATE TABLE \(quoted(table.name)) ("] + body + [") \(ending);"])
      .joined(separator: "\n")
  }

  private static func text(_ column: ColumnShape) -> String {
    let name = quoted(column.storedName)
    var words = [name, type(column.kind)]
    if !column.isOptional { words.append("NOT NULL") }
    if column.isUnique { words.append("UNIQUE") }
    if let other = column.reference {
      words.append("REFERENCES \(quoted(other.table)) (\(quoted(other.column)))")
    }
    switch column.kind {
    case .choice(let choices):
      let list = choices.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
      words.append("CHECK (\(name) IN (\(list)))")
    case .flag: words.append("CHECK (\(name) IN (0, 1))")
    default:
      if let least = column.least, let most = column.most {
        words.append("CHECK (\(name) BETWEEN \(least) AND \(most))")
      }
    }
    return words.joined(separator: " ")
  }

  private static func type(_ kind: FieldKind) -> String {
    switch kind {
    case .whole, .money, .instant, .flag: "INTEGER"
    case .real: "REAL"
    case .unsigned, .date, .text, .choice: "TEXT"
    }
  }
}
