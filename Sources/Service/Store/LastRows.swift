internal import RewardModel

/// Of several rows with one key the last: a member who scans often in one transaction is written once.
struct LastRows: Sendable {
  /// Of each table the places of the columns that are its key; none where it has another.
  private let keys: [[Int]]

  init(_ tables: [ServedTable]) {
    keys = tables.map { table in
      guard case .columns(let names) = table.shape.key else { return [] }
      return names.compactMap { name in table.shape.columns.firstIndex { $0.name == name } }
    }
  }

  /// The rows that no later one takes the place of, in their order.
  ///
  /// - Complexity: O(rows).
  func of(_ rows: [RowChanges.Row]) -> [RowChanges.Row] {
    var last: [RowChanges.Row] = []
    last.reserveCapacity(rows.count)
    var numbers = Array(repeating: Set<Int64>(), count: keys.count)
    var others = Array(repeating: Set<[FieldValue]>(), count: keys.count)
    for place in rows.indices.reversed() {
      let row = rows[place]
      let key = keys[row.table]
      let isLast =
        if key.count == 1, case .whole(let number) = row.values[key[0]] {
          numbers[row.table].insert(number).inserted
        } else {
          key.isEmpty || others[row.table].insert(key.map { row.values[$0] }).inserted
        }
      if isLast { last.append(row) }
    }
    last.reverse()
    return last
  }
}
