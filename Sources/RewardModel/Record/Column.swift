/// Forms of a table that a column takes part in.
package struct TableForms: OptionSet, Sendable {
  package let rawValue: UInt8

  /// The forms of these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let sql = TableForms(rawValue: 1)
  package static let csv = TableForms(rawValue: 2)
  package static let summary = TableForms(rawValue: 4)
  package static let digest = TableForms(rawValue: 8)
  package static let all: TableForms = [.sql, .csv, .summary, .digest]
}

/// What is known of a column besides its values.
package struct ColumnShape: Sendable {
  /// A column that is inside an object of its own in `summary.json`.
  package struct Group: Sendable, Equatable {
    /// The object's key.
    package var key: String
    /// Begins the column's name, and is not repeated inside the object.
    package var prefix: String
    /// What the object says, where its key does not.
    package var note: String?

    /// A group under a key; columns in it lose the prefix of their names.
    package init(key: String, prefix: String = "", note: String? = nil) {
      self.key = key
      self.prefix = prefix
      self.note = note
    }
  }

  /// A column of another table that must hold each value of this one.
  package struct Reference: Sendable {
    package var table: String
    package var column: String

    /// A reference to a column of another table.
    package init(_ table: String, _ column: String = "position") {
      self.table = table
      self.column = column
    }
  }

  /// Without the ending for the unit.
  package var name: String
  package var kind: FieldKind
  package var isOptional = false
  package var forms = TableForms.all
  /// No two rows have the same value.
  package var isUnique = false
  package var reference: Reference?
  /// The least and the greatest value of a whole number, where they are bounded.
  package var least: Int64?
  package var most: Int64?
  /// A regular expression that every text matches.
  package var pattern: String?
  package var group: Group?
  /// The key under which `summary.json` says how many of these the run did in a second.
  package var rate: String?
  /// The version of the schema that brought the column.
  package var since = 1
  /// The version of the schema from which on the fingerprint leaves the column out, because it
  /// says how a run was computed and not what came of it.
  package var undigestedSince = Int.max
  /// What the values say, where the name does not.
  package var note: String?

  /// A column that takes part in every form.
  package init(_ name: String, _ kind: FieldKind) {
    self.name = name
    self.kind = kind
  }

  /// As databases name it: amounts end in `_micro`, instants in `_us`.
  package var storedName: String {
    switch kind {
    case .money: name + "_micro"
    case .instant: name + "_us"
    default: name
    }
  }

  /// As exports name it: amounts end in `_micro`.
  package var exportedName: String { kind == .money ? storedName : name }
}

/// A column of a table: declared once, it serves every form of the table and reading back.
package struct Column<Row>: Sendable {
  package let shape: ColumnShape
  /// The value of a row.
  package let value: @Sendable (Row) -> FieldValue
  /// Gives a row the value that was stored.
  let restore: @Sendable (inout Row, FieldValue) throws -> Void
  /// Appends the value of a row as the fingerprint renders it.
  let digest: @Sendable (Row, inout DigestBytes) -> Void
  /// Where in a row the same bytes are, if they need no rendering.
  let word: PlacedWord?

  /// A column of a property.
  ///
  /// - Parameters:
  ///   - name: Without the ending for the unit; see `ColumnShape`.
  ///   - path: The property.
  ///   - describe: Says what else there is to know.
  package init<Value: FieldStorable>(
    _ name: String, _ path: any WritableKeyPath<Row, Value> & Sendable,
    _ describe: (inout ColumnShape) -> Void = { _ in }
  ) {
    self.init(
      name, at: MemoryLayout<Row>.offset(of: path), get: Self.getter(path),
      set: { $0[keyPath: path] = $1 }, describe)
  }

  /// Reads a property; from its place in the row where it has one, which is several times as fast
  /// as through the path.
  private static func getter<Value: FieldStorable>(
    _ path: any KeyPath<Row, Value> & Sendable
  ) -> @Sendable (Row) -> Value {
    guard let offset = MemoryLayout<Row>.offset(of: path) else { return { $0[keyPath: path] } }
    return { row in
      withUnsafeBytes(of: row) { $0.load(fromByteOffset: offset, as: Value.self) }
    }
  }

  /// A column of what no single property holds.
  ///
  /// - Parameter offset: Where in the memory of a row the value is kept nevertheless, in bytes.
  package init<Value: FieldStorable>(
    _ name: String, at offset: Int? = nil, get: @escaping @Sendable (Row) -> Value,
    set: @escaping @Sendable (inout Row, Value) -> Void,
    _ describe: (inout ColumnShape) -> Void = { _ in }
  ) {
    var shape = ColumnShape(name, Value.kind)
    shape.isOptional = Value.isOptional
    describe(&shape)
    let described = shape
    self.shape = described
    value = { get($0).stored }
    restore = { row, stored in
      guard let value = Value(stored: stored) else {
        throw FieldProblem(stored, of: described)
      }
      set(&row, value)
    }
    digest = { get($0).digest(into: &$1) }
    word = offset.flatMap { place in
      Value.layout.map { layout in
        // Its neighbours would be read with a smaller value.
        precondition(
          MemoryLayout<Value>.size == layout.size,
          "\(name): a \(Value.self) is not kept as a word, which its `layout` says")
        return PlacedWord(offset: place, layout: layout)
      }
    }
  }

  /// A column of a count: a whole number that is never negative.
  package static func count(
    _ name: String, _ path: any WritableKeyPath<Row, Int64> & Sendable,
    _ describe: (inout ColumnShape) -> Void = { _ in }
  ) -> Column {
    Column(name, path) {
      $0.least = 0
      describe(&$0)
    }
  }
}

/// A value in the memory of a row that the fingerprint takes as it is.
struct PlacedWord: Sendable {
  /// In bytes from the row's beginning.
  let offset: Int
  let layout: WordLayout
}
