extension ProgrammeRecord {
  /// Where another run's record first differs, in its facts and in the tables that fingerprints cover; nil
  /// where both are the same run.
  ///
  /// - Returns: Words like `day 12, tins_sold: 7 and 8`, this record's value first.
  /// - Complexity: O(rows × columns).
  package func difference(from other: Self) -> String? {
    for fact in Self.facts {
      let (mine, its) = (fact.value(self), fact.value(other))
      if mine != its { return "\(fact.shape.storedName): \(mine.words) and \(its.words)" }
    }
    for table in Self.tables where table.isDigested {
      if let words = Self.difference(table, self, other) { return words }
    }
    return nil
  }

  private static func difference(
    _ table: some RecordTable<Self>, _ one: Self, _ other: Self
  ) -> String? {
    let counts = (table.count(in: one), table.count(in: other))
    guard counts.0 == counts.1 else { return "\(table.name): \(counts.0) and \(counts.1) rows" }
    // Lists are compared number by number first, so that one number is named and not a whole list.
    if let cells = table.cells {
      var numbers: ([[FieldValue]], [[FieldValue]]) = ([], [])
      table.visitCells(one) { numbers.0.append($0) }
      table.visitCells(other) { numbers.1.append($0) }
      if let words = difference(cells, numbers.0, numbers.1) { return words }
    }
    return difference(table.stored, rows(table, one), rows(table, other))
  }

  private static func difference(
    _ shape: TableShape, _ mine: [[FieldValue]], _ its: [[FieldValue]]
  ) -> String? {
    guard mine.count == its.count else {
      return "\(shape.name): \(mine.count) and \(its.count) rows"
    }
    for (row, (fields, others)) in zip(mine, its).enumerated() where fields != others {
      for (column, (value, another)) in zip(shape.columns, zip(fields, others))
      where value != another && column.saysWhatCame {
        return "\(shape.name) \(row), \(column.storedName): \(value.words) and \(another.words)"
      }
    }
    return nil
  }

  private static func rows(_ table: some RecordTable<Self>, _ record: Self) -> [[FieldValue]] {
    var rows: [[FieldValue]] = []
    do { try table.store(record) { rows.append($0) } } catch {
      preconditionFailure("nothing is thrown where rows are collected: \(error)")
    }
    return rows
  }
}

extension ColumnShape {
  /// Whether it says what came of a run, and not how it was computed.
  fileprivate var saysWhatCame: Bool { forms.contains(.digest) && undigestedSince == .max }
}

extension FieldValue {
  /// As it is read in a message.
  fileprivate var words: String {
    switch self {
    case .absent: "nothing"
    case .whole(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    }
  }
}
