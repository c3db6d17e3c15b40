/// A table of a record: declared once, it serves SQL, CSV, `summary.json` and its schema, the
/// fingerprint and reading back.
///
/// `Table` is what most are; `ListTable` has a list of numbers in every row.
package protocol RecordTable<Record>: Sendable {
  associatedtype Record

  /// In the plural, as `summary.json` and the fingerprint name it.
  var name: String { get }
  /// What a row says.
  var note: String? { get }
  /// The version of the schema that brought the table.
  var since: Int { get }
  /// Whether the fingerprint covers it.
  var isDigested: Bool { get }
  /// The name of its CSV file; nil when it has none.
  var file: String? { get }
  /// How `summary.json` shows it.
  var summary: SummaryForm { get }
  /// The key in `summary.json` of a row that sums the others up; nil when there is none.
  var totalKey: String? { get }
  /// The table of the database that holds it.
  var stored: TableShape { get }
  /// The view of the database with a row for each number in the last column of `stored`, which are lists:
  /// the row's position, the place in the list from 0, the number. Nil where there are no lists.
  var cells: TableShape? { get }

  /// Its rows in a record.
  func count(in record: Record) -> Int

  /// The columns of a form for people: CSV or summary.
  func columns(in form: TableForms) -> [ColumnShape]

  /// Hands out the rows of a form for people, the total row not among them.
  func rows(of record: Record, in form: TableForms, _ body: ([FieldValue]) -> Void)

  /// The row that sums the others up.
  func total(of record: Record, in form: TableForms) -> [FieldValue]?

  /// Hands out the rows of the stored table, in order, without their position.
  ///
  /// - Parameters:
  ///   - record: Whose rows they are.
  ///   - body: Takes a row.
  func store(_ record: Record, _ body: ([FieldValue]) throws -> Void) throws

  /// Hands out the rows of `cells`, in order; none where that is nil.
  func visitCells(_ record: Record, _ body: ([FieldValue]) -> Void)

  /// Gives a record the rows that were stored.
  ///
  /// - Parameters:
  ///   - record: Gets the rows.
  ///   - version: Of the schema that they were stored in.
  ///   - read: Hands out the rows of a table or view in order.
  /// - Throws: `FieldProblem` for a value that no record holds, and what `read` throws.
  func restore(
    _ record: inout Record, version: Int,
    _ read: (TableShape, ([FieldValue]) throws -> Void) throws -> Void
  ) throws

  /// Appends all rows as the fingerprint renders them.
  ///
  /// - Parameters:
  ///   - record: Whose rows they are.
  ///   - version: Of the schema: columns that came later are left out.
  ///   - bytes: Where they are appended.
  ///   - hash: Takes what waits, now and then.
  /// - Complexity: O(rows × columns).
  func digest(
    _ record: Record, version: Int, into bytes: inout DigestBytes,
    _ hash: (inout DigestBytes) -> Void)
}

extension RecordTable {
  package var summary: SummaryForm { .none }
  package var totalKey: String? { nil }
  package var cells: TableShape? { nil }

  /// Nothing.
  package func visitCells(_ record: Record, _ body: ([FieldValue]) -> Void) {}

  /// No total.
  package func total(of record: Record, in form: TableForms) -> [FieldValue]? { nil }
}

/// How `summary.json` shows a table.
package enum SummaryForm: Sendable {
  /// Not at all.
  case none
  /// Its one row is part of the summary itself.
  case members
  /// Its one row is an object.
  case object
  /// A list with an object for each row.
  case rows
  /// An object: the first column names, the second counts.
  case counts
  /// The number of its rows.
  case number
}

/// A table of a database.
package struct TableShape: Sendable {
  /// What tells its rows apart.
  package enum Key: Sendable {
    /// Their position, counted from 0.
    case position
    /// There is one row.
    case single
    /// These columns, by which they are ordered as well.
    case columns([String])
  }

  package var name: String
  package var key: Key
  package var columns: [ColumnShape]

  /// A table of a database; see the properties.
  package init(_ name: String, key: Key, columns: [ColumnShape]) {
    self.name = name
    self.key = key
    self.columns = columns
  }
}
