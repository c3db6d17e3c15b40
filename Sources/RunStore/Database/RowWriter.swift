package import GRDB
internal import GRDBSQLite
package import RewardModel

/// Inserts rows by one prepared statement, with values bound straight to SQLite.
///
/// A service writes several rows for each request, and a run many thousands at its end; going by
/// arrays of boxed arguments costs several times what SQLite does.
package struct RowWriter {
  private let statement: Statement
  private let handle: SQLiteStatement

  /// - Throws: Errors of GRDB for a statement that SQLite does not take.
  package init(_ database: Database, _ sql: String) throws {
    statement = try database.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - values: One for each mark of the statement after those before.
  ///   - first: The place of the first of them, from 1.
  /// - Throws: `DatabaseError` where SQLite refuses it.
  package func insert(_ values: [FieldValue], from first: Int32 = 1) throws {
    var place = first
    for value in values {
      bind(value, at: place)
      place += 1
    }
    try step()
  }

  /// Binds a value at a place, from 1.
  package func bind(_ value: FieldValue, at place: Int32) {
    switch value {
    case .absent: sqlite3_bind_null(handle, place)
    case .whole(let number): sqlite3_bind_int64(handle, place, number)
    case .real(let number): sqlite3_bind_double(handle, place, number)
    case .text(let text):
      // The pointer of an empty text is never nil, which would bind NULL.
      text.withCString {
        _ = sqlite3_bind_text(handle, place, $0, Int32(text.utf8.count), Self.transient)
      }
    }
  }

  /// Binds bytes at a place, from 1.
  package func bind(_ bytes: [UInt8], at place: Int32) {
    guard !bytes.isEmpty else {
      sqlite3_bind_zeroblob(handle, place, 0)
      return
    }
    bytes.withUnsafeBytes {
      _ = sqlite3_bind_blob(handle, place, $0.baseAddress, Int32($0.count), Self.transient)
    }
  }

  /// Inserts what is bound.
  ///
  /// - Throws: `DatabaseError` where SQLite refuses it.
  package func step() throws {
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else {
      let text = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: text)
    }
  }

  /// SQLite copies what is bound.
  static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

/// Looks for rows by one prepared statement, bound straight to SQLite.
package struct RowReader {
  private let handle: SQLiteStatement

  /// - Throws: Errors of GRDB for a statement that SQLite does not take.
  package init(_ database: Database, _ sql: String) throws {
    handle = try database.cachedStatement(sql: sql).sqliteStatement
  }

  /// Whether there is a row for a text.
  ///
  /// - Throws: `DatabaseError` where SQLite cannot read.
  package func finds(_ text: String) throws -> Bool {
    text.withCString {
      _ = sqlite3_bind_text(handle, 1, $0, Int32(text.utf8.count), RowWriter.transient)
    }
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    guard code == SQLITE_ROW || code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    return code == SQLITE_ROW
  }
}
