internal import GRDB
package import RewardModel
internal import RunStore

extension SQLiteStore {
  /// The newest rows of a list, `RowList.columns` of each.
  ///
  /// - Parameters:
  ///   - owner: Whose rows, where the list has a column for it.
  ///   - before: Rows below this value of the list's order; nil for the newest.
  ///   - most: How many.
  /// - Throws: Errors of GRDB.
  package func rows(
    of list: RowList, owner: FieldValue?, before: Int64?, most: Int
  ) throws -> (rows: [[FieldValue]], next: Int64?) {
    let query = ListQuery(
      list, tables[list.table].shape, mark: "?", owner: owner, before: before, most: most)
    let arguments = StatementArguments(query.arguments.map(Self.value))
    return try pool.read { database in
      var rows: [[FieldValue]] = []
      var next: Int64?
      let found = try Row.fetchAll(database, sql: query.text, arguments: arguments)
      for row in found.prefix(most) {
        next = row[0]
        rows.append((0..<list.columns.count).map { Self.field(row[$0 + 1]) })
      }
      return (rows, found.count > most ? next : nil)
    }
  }

  /// A count of rows of a table, or a sum over them.
  ///
  /// - Throws: Errors of GRDB.
  func value(of sum: TableSum) throws -> Int64 {
    let shape = tables.first { $0.shape.name == sum.table }?.shape
    func stored(_ name: String) -> String {
      RunSchema.quoted(shape?.columns.first { $0.name == name }?.storedName ?? name)
    }
    let what = sum.column.map { "coalesce(sum(\(stored($0))), 0)" } ?? "count(*)"
    let filter = sum.only.map { " WHERE \(stored($0.column)) = ?" } ?? ""
    let arguments: StatementArguments = sum.only.map { [$0.text] } ?? []
    return try pool.read { database in
      try Int64.fetchOne(
        database, sql: "SELECT \(what) FROM \(RunSchema.quoted(sum.table))\(filter)",
        arguments: arguments) ?? 0
    }
  }

  private static func value(_ field: FieldValue) -> DatabaseValue {
    switch field {
    case .absent: .null
    case .whole(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    }
  }

  private static func field(_ value: DatabaseValue) -> FieldValue {
    switch value.storage {
    case .int64(let number): .whole(number)
    case .double(let number): .real(number)
    case .string(let text): .text(text)
    case .null, .blob: .absent
    }
  }
}
