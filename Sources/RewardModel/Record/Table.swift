/// A table whose rows are typed values: a list of them in the record, or a single one.
package struct Table<Record, Row: Sendable>: RecordTable {
  private enum Place: Sendable {
    case list(any WritableKeyPath<Record, [Row]> & Sendable)
    case single(any WritableKeyPath<Record, Row> & Sendable)
  }

  package let name: String
  package var note: String?
  package var since = 1
  package var isDigested = true
  package var file: String?
  package var summary: SummaryForm
  package var totalKey: String?
  /// Makes the row that sums the others up; it ends the CSV file.
  package var total: (@Sendable (Record) -> Row)?
  private let place: Place
  private let blank: Row
  private let columns: [Column<Row>]
  private let shape: TableShape

  /// A table of a list of rows.
  ///
  /// - Parameters:
  ///   - name: In the plural, as `summary.json` and the fingerprint name it.
  ///   - sql: As the database names it.
  ///   - key: What tells the rows apart.
  ///   - file: The CSV file; nil without one.
  ///   - summary: How `summary.json` shows it.
  ///   - rows: The rows.
  ///   - blank: A row to be filled when it is read back.
  ///   - columns: Of a row.
  ///   - describe: Sets what the parameters leave open.
  package init(
    _ name: String, sql: String, key: TableShape.Key = .position, file: String? = nil,
    summary: SummaryForm = .none, rows: any WritableKeyPath<Record, [Row]> & Sendable, blank: Row,
    columns: [Column<Row>], _ describe: (inout Table) -> Void = { _ in }
  ) {
    self.name = name
    self.file = file
    self.summary = summary
    place = .list(rows)
    self.blank = blank
    self.columns = columns
    shape = TableShape(
      sql, key: key,
      columns: columns.map(\.shape).filter { $0.forms.contains(.sql) })
    describe(&self)
  }

  /// A table of one row; the fingerprint does not cover it unless that is said.
  package init(
    _ name: String, sql: String, summary: SummaryForm = .object,
    row: any WritableKeyPath<Record, Row> & Sendable, blank: Row, columns: [Column<Row>],
    _ describe: (inout Table) -> Void = { _ in }
  ) {
    self.name = name
    self.summary = summary
    isDigested = false
    place = .single(row)
    self.blank = blank
    self.columns = columns
    shape = TableShape(
      sql, key: .single, columns: columns.map(\.shape).filter { $0.forms.contains(.sql) })
    describe(&self)
  }

  package var stored: TableShape { shape }

  private func rows(of record: Record) -> [Row] {
    switch place {
    case .list(let path): record[keyPath: path]
    case .single(let path): [record[keyPath: path]]
    }
  }

  private func columnsInForm(_ form: TableForms, version: Int = .max) -> [Column<Row>] {
    columns.filter {
      $0.shape.forms.isSuperset(of: form) && $0.shape.since <= version
        && (form != .digest || version < $0.shape.undigestedSince)
    }
  }

  /// The number of rows.
  package func count(in record: Record) -> Int { rows(of: record).count }

  /// The columns of a form.
  package func columns(in form: TableForms) -> [ColumnShape] { columnsInForm(form).map(\.shape) }

  /// Visits the rows of a form, in order.
  package func rows(of record: Record, in form: TableForms, _ body: ([FieldValue]) -> Void) {
    visit(record, columnsInForm(form), body)
  }

  /// The row that sums the others up; nil without one.
  package func total(of record: Record, in form: TableForms) -> [FieldValue]? {
    total.map { total in
      let row = total(record)
      return columnsInForm(form).map { $0.value(row) }
    }
  }

  /// Visits what the database stores.
  package func store(_ record: Record, _ body: ([FieldValue]) throws -> Void) throws {
    try visit(record, columnsInForm(.sql), body)
  }

  /// Hands out some columns of all rows, each row in the same memory.
  private func visit<Failure>(
    _ record: Record, _ columns: [Column<Row>], _ body: ([FieldValue]) throws(Failure) -> Void
  ) throws(Failure) {
    let values = columns.map(\.value)
    var fields = Array(repeating: FieldValue.absent, count: values.count)
    for row in rows(of: record) {
      for place in values.indices { fields[place] = values[place](row) }
      try body(fields)
    }
  }

  /// Reads the rows back from the database.
  package func restore(
    _ record: inout Record, version: Int,
    _ read: (TableShape, ([FieldValue]) throws -> Void) throws -> Void
  ) throws {
    let columns = columnsInForm(.sql, version: version)
    var shape = shape
    shape.columns = columns.map(\.shape)
    // What an earlier version did not store stays as it is in a single row.
    var blank = blank
    if case .single(let path) = place { blank = record[keyPath: path] }
    var rows: [Row] = []
    try read(shape) { values in
      var row = blank
      for (column, value) in zip(columns, values) { try column.restore(&row, value) }
      rows.append(row)
    }
    switch place {
    case .list(let path): record[keyPath: path] = rows
    case .single(let path):
      guard rows.count == 1 else {
        throw FieldProblem(description: "\(shape.name) has \(rows.count) rows, not one")
      }
      record[keyPath: path] = rows[0]
    }
  }

  /// Adds the rows to the fingerprint.
  package func digest(
    _ record: Record, version: Int, into bytes: inout DigestBytes,
    _ hash: (inout DigestBytes) -> Void
  ) {
    let rows = rows(of: record)
    bytes.add(name)
    bytes.add(Int64(rows.count))
    let parts = DigestPart.of(columnsInForm(.digest, version: version))
    rows.withUnsafeBufferPointer { rows in
      let memory = UnsafeRawBufferPointer(rows)
      for place in rows.indices {
        for part in parts {
          switch part {
          case .words(let words):
            bytes.add(words, of: memory, at: place * MemoryLayout<Row>.stride)
          case .rendered(let digest): digest(rows[place], &bytes)
          }
        }
        if bytes.isFull { hash(&bytes) }
      }
    }
  }
}

/// Columns that follow each other, as the fingerprint reads them.
private enum DigestPart<Row> {
  /// Values that are taken out of the row's memory.
  case words([PlacedWord])
  /// A value that has to be rendered.
  case rendered(@Sendable (Row, inout DigestBytes) -> Void)

  static func of(_ columns: [Column<Row>]) -> [DigestPart] {
    var parts: [DigestPart] = []
    for column in columns {
      guard let word = column.word else {
        parts.append(.rendered(column.digest))
        continue
      }
      if case .words(let words) = parts.last {
        parts[parts.count - 1] = .words(words + [word])
      } else {
        parts.append(.words([word]))
      }
    }
    return parts
  }
}
