/// A table whose rows each have a list of numbers, one for every day, say, or for every hour.
///
/// The database holds the numbers of a row in one column, as a JSON array, since a row for each number
/// would be most of what a small run writes. A view shows them one by one.
package struct ListTable<Record, Row: Sendable>: RecordTable {
  /// A CSV file with a line for each place of the lists and each row.
  package struct Lines: Sendable {
    let name: String
    let place: ColumnShape
    let label: @Sendable (Record, Int) -> FieldValue

    /// - Parameters:
    ///   - name: Of the file.
    ///   - place: The column that says what a place of the lists is about.
    ///   - label: Its value; called for the places 0 ..< the record's count of them.
    package init(
      _ name: String, place: ColumnShape,
      label: @escaping @Sendable (Record, Int) -> FieldValue
    ) {
      self.name = name
      self.place = place
      self.label = label
    }
  }

  package let name: String
  package var note: String?
  package var since = 1
  package var isDigested = true
  /// Whether the fingerprint covers a row of it.
  package var isRowDigested: @Sendable (Row) -> Bool = { _ in true }
  /// The CSV file; nil when there is none.
  package var lines: Lines?
  private let path: any WritableKeyPath<Record, [Row]> & Sendable
  private let blank: Row
  private let columns: [Column<Row>]
  private let list: any WritableKeyPath<Row, [Int64?]> & Sendable
  /// How many numbers each list has; where it is nil, the fingerprint says it.
  private let length: Int?
  package let stored: TableShape
  private let cellShape: TableShape

  /// - Parameters:
  ///   - name: In the plural, as `summary.json` and the fingerprint name it.
  ///   - sql: The database's name of the table of the rows.
  ///   - rows: The rows.
  ///   - blank: A row to be filled when it is read back.
  ///   - columns: Of a row, without its list.
  ///   - list: The numbers of a row.
  ///   - column: The database's name of the column of the lists.
  ///   - length: How many numbers each list has; nil when that differs.
  ///   - cells: The database's view of the numbers: the row, the place in its list, the number.
  ///   - describe: Sets what the parameters leave open.
  package init(
    _ name: String, sql: String, rows: any WritableKeyPath<Record, [Row]> & Sendable, blank: Row,
    columns: [Column<Row>] = [], list: any WritableKeyPath<Row, [Int64?]> & Sendable,
    column: String, length: Int? = nil, cells: TableShape,
    _ describe: (inout ListTable) -> Void = { _ in }
  ) {
    self.name = name
    path = rows
    self.blank = blank
    self.columns = columns
    self.list = list
    self.length = length
    var numbers = ColumnShape(column, .text)
    numbers.note = "A JSON array; see the view '\(cells.name)'."
    stored = TableShape(sql, key: .position, columns: columns.map(\.shape) + [numbers])
    cellShape = cells
    describe(&self)
  }

  package var file: String? { lines?.name }
  package var cells: TableShape? { cellShape }

  private var value: ColumnShape { cellShape.columns[2] }

  /// The number of rows.
  package func count(in record: Record) -> Int { record[keyPath: path].count }

  /// The columns of a form.
  package func columns(in form: TableForms) -> [ColumnShape] {
    (lines.map { [$0.place] } ?? []) + columns.map(\.shape) + [value]
  }

  /// Visits the rows of a form, in order.
  package func rows(of record: Record, in form: TableForms, _ body: ([FieldValue]) -> Void) {
    guard let lines else { return }
    // A line for each row, in the same memory for all places.
    var rows = record[keyPath: path].map { row in
      (fields: [.absent] + columns.map { $0.value(row) } + [.absent], list: row[keyPath: list])
    }
    let last = columns.count + 1
    for place in 0..<(rows.map(\.list.count).max() ?? 0) {
      let label = lines.label(record, place)
      for row in rows.indices where place < rows[row].list.count {
        rows[row].fields[0] = label
        rows[row].fields[last] = rows[row].list[place].stored
        body(rows[row].fields)
      }
    }
  }

  /// Visits what the database stores.
  package func store(_ record: Record, _ body: ([FieldValue]) throws -> Void) throws {
    for row in record[keyPath: path] {
      try body(columns.map { $0.value(row) } + [.text(JSONNumbers.text(row[keyPath: list]))])
    }
  }

  /// Visits what the view of the numbers shows.
  package func visitCells(_ record: Record, _ body: ([FieldValue]) -> Void) {
    var cell = Array(repeating: FieldValue.absent, count: 3)
    for (number, row) in record[keyPath: path].enumerated() {
      cell[0] = .whole(Int64(number))
      for (place, value) in row[keyPath: list].enumerated() {
        cell[1] = .whole(Int64(place))
        cell[2] = value.stored
        body(cell)
      }
    }
  }

  /// Reads the rows back from the database. Numbers come from the view, which was a table of the same
  /// columns until version 7.
  package func restore(
    _ record: inout Record, version: Int,
    _ read: (TableShape, ([FieldValue]) throws -> Void) throws -> Void
  ) throws {
    var rows: [Row] = []
    if !columns.isEmpty {
      let shape = TableShape(stored.name, key: stored.key, columns: columns.map(\.shape))
      try read(shape) { values in
        var row = blank
        for (column, value) in zip(columns, values) { try column.restore(&row, value) }
        rows.append(row)
      }
    }
    let cells = cellShape
    let growing = columns.isEmpty
    // The numbers of one row are gathered before they go to where they belong.
    var (open, values): (Int, [Int64?]) = (-1, [])
    func close() {
      if open >= 0 { rows[open][keyPath: list] = values }
      values.removeAll(keepingCapacity: true)
    }
    try read(cells) { fields in
      guard let number = Int(stored: fields[0]), let place = Int(stored: fields[1]),
        let value = Int64?(stored: fields[2])
      else {
        throw FieldProblem(description: "\(cells.name) holds something that is not a whole number")
      }
      if number > open {
        close()
        if growing, number == rows.count { rows.append(blank) }
        open = number
      }
      guard number == open, rows.indices.contains(number), values.count == place else {
        let (row, column) = (cells.columns[0].name, cells.columns[1].name)
        throw FieldProblem(
          description: "\(row) \(number) has no \(column) before \(column) \(place)")
      }
      values.append(value)
    }
    close()
    record[keyPath: path] = rows
  }

  /// Adds the rows to the fingerprint.
  package func digest(
    _ record: Record, version: Int, into bytes: inout DigestBytes,
    _ hash: (inout DigestBytes) -> Void
  ) {
    let rows = record[keyPath: path]
    let digested = rows.indices.filter { isRowDigested(rows[$0]) }
    let mayBeAbsent = value.isOptional
    bytes.add(name)
    bytes.add(Int64(digested.count))
    for place in digested {
      for column in columns { column.digest(rows[place], &bytes) }
      let values = rows[place][keyPath: list]
      if length == nil { bytes.add(Int64(values.count)) }
      bytes.add(values, marked: mayBeAbsent)
      if bytes.isFull { hash(&bytes) }
    }
  }
}
