internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import RewardModel

/// The rows of a query, one after another, read straight from SQLite: values that may be of any type
/// cost several times as much where GRDB decodes them.
struct StoredRows {
  private let statement: Statement
  private let handle: SQLiteStatement
  /// Columns of each row.
  let columns: Int32

  /// - Throws: Errors of GRDB for a query that SQLite does not take.
  init(_ database: Database, _ sql: String) throws {
    statement = try database.makeStatement(sql: sql)
    handle = statement.sqliteStatement
    columns = sqlite3_column_count(handle)
  }

  /// Goes on to the next row.
  ///
  /// - Returns: False where there is none.
  /// - Throws: `DatabaseError` where SQLite cannot read.
  func next() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let text = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: text)
    }
  }

  /// What the row has in a column, from 0; a damaged file may have anything there.
  ///
  /// - Throws: `FieldProblem` for bytes, which no field holds.
  func field(_ column: Int32) throws -> FieldValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .absent
    case SQLITE_INTEGER: .whole(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(text(column))
    default: throw FieldProblem(description: "a field holds bytes")
    }
  }

  /// Appends what the row has in a column: one number for its type, and the value.
  func add(_ column: Int32, to bytes: inout DigestBytes) {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: bytes.add(Int64(0))
    case SQLITE_INTEGER:
      bytes.add(Int64(1))
      bytes.add(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT:
      bytes.add(Int64(2))
      bytes.add(Int64(bitPattern: sqlite3_column_double(handle, column).bitPattern))
    case SQLITE_TEXT:
      bytes.add(Int64(3))
      bytes.add(text(column))
    default:
      bytes.add(Int64(4))
      bytes.add(Data(content(column, sqlite3_column_blob(handle, column))).base64EncodedString())
    }
  }

  private func text(_ column: Int32) -> String {
    String(decoding: content(column, sqlite3_column_text(handle, column)), as: UTF8.self)
  }

  /// The bytes at a place that SQLite gave for a column.
  private func content(_ column: Int32, _ place: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: place, count: place == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}
