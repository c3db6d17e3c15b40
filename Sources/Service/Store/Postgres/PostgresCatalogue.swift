internal import RewardModel
internal import RunStore

/// What a database has besides tables and rows: keys and indexes, and triggers, of which the service makes
/// none.
struct PostgresCatalogue {
  /// A key or an index.
  private struct Index: Hashable, Comparable {
    var table: String
    /// Their names in order, between commas.
    var columns: String
    var isUnique: Bool

    static func < (first: Index, second: Index) -> Bool {
      (first.table, first.columns) < (second.table, second.columns)
    }
  }

  private var tables: Set<String> = []
  private var indexes: Set<Index> = []
  private var triggers: [(table: String, name: String)] = []

  /// Reads it.
  ///
  /// - Throws: `PostgresError`.
  init(_ connection: PostgresConnection) throws {
    let names = try connection.query(
      """
      SELECT relname::text FROM pg_class
      WHERE relnamespace = 'pitboss'::regnamespace AND relkind IN ('r', 'p')
      """)
    tables = Set((0..<names.count).map { names.text($0, 0) })
    let found = try connection.query(
      """
      SELECT t.relname::text, i.indisunique::int::bigint,
        string_agg(a.attname::text, ',' ORDER BY k.place)
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
      WHERE t.relnamespace = 'pitboss'::regnamespace AND i.indisvalid AND i.indpred IS NULL
        AND i.indexprs IS NULL AND k.place <= i.indnkeyatts
      GROUP BY i.indexrelid, t.relname, i.indisunique
      """)
    for row in 0..<found.count {
      indexes.insert(
        Index(
          table: found.text(row, 0), columns: found.text(row, 2), isUnique: found.whole(row, 1) == 1
        ))
    }
    let strange = try connection.query(
      """
      SELECT t.relname::text, g.tgname::text FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
      WHERE t.relnamespace = 'pitboss'::regnamespace AND NOT g.tgisinternal ORDER BY 1, 2
      """)
    triggers = (0..<strange.count).map { (strange.text($0, 0), strange.text($0, 1)) }
  }

  /// What the service makes.
  private static func made(_ tables: [ServedTable]) -> [Index] {
    let common = [
      ("journal", "sequence"), ("journal", "key"), ("account", "member"), ("account", "email"),
      ("state", "sequence"), ("bits", "sequence,area,place"),
    ]
    var all = common.map { Index(table: $0.0, columns: $0.1, isUnique: true) }
    for table in tables {
      let shape = table.shape
      func stored(_ names: [String]) -> String {
        names.map { name in shape.columns.first { $0.name == name }?.storedName ?? name }
          .joined(separator: ",")
      }
      if case .columns(let names) = shape.key {
        all.append(Index(table: shape.name, columns: stored(names), isUnique: true))
      }
      for column in shape.columns where column.isUnique {
        all.append(Index(table: shape.name, columns: column.storedName, isUnique: true))
      }
      for columns in table.indexes {
        all.append(Index(table: shape.name, columns: stored(columns), isUnique: false))
      }
    }
    return all.sorted()
  }

  /// Refuses a database without one of its keys: the same thing could be kept twice.
  ///
  /// - Parameters:
  ///   - served: Tables of the program.
  ///   - name: Of the database.
  /// - Throws: `ServiceError.database`.
  func requireKeys(_ served: [ServedTable], of name: String) throws(ServiceError) {
    let lost = missing(served).filter(\.isUnique).map(Self.words)
    guard let first = lost.first else { return }
    let more = lost.count > 1 ? " (and \(lost.count - 1) more)" : ""
    throw .database(
      name: name,
      "\(first)\(more); without it the same thing could be kept twice: make it again, or bring back "
        + "a copy")
  }

  /// Whether a key is missing, so that something may be there twice.
  ///
  /// - Parameter served: Tables of the program.
  func lacksKeys(_ served: [ServedTable]) -> Bool { missing(served).contains(where: \.isUnique) }

  /// All that the service did not make, or that is missing of what it made, in words. Tables that are
  /// missing altogether are left out.
  ///
  /// - Parameter served: Tables of the program.
  func faults(_ served: [ServedTable]) -> [String] {
    missing(served).map(Self.words)
      + triggers.map {
        "the table \($0.table) has a trigger that the service did not make, \($0.name)"
      }
  }

  private func missing(_ served: [ServedTable]) -> [Index] {
    Self.made(served).filter { tables.contains($0.table) && !indexes.contains($0) }
  }

  private static func words(_ index: Index) -> String {
    "the table \(index.table) has lost its \(index.isUnique ? "key" : "index") over "
      + index.columns.replacing(",", with: ", ")
  }
}

/// A service that cannot be copied as it lost keys and has something twice.
package struct UncopiedService: Error {
  /// What is wrong, in words.
  package let faults: [String]
}
