internal import GRDB
internal import RewardModel

/// Inserts the rows of one table, many by one statement: beginning and ending a statement takes
/// several times as long as storing a row.
struct RowBlocks {
  /// Rows of a statement. The first so many go one by one, so that small tables, which most are,
  /// need no long statement.
  private static let blockRows = 64

  private let database: Database
  private let head: String
  private let marks: String
  /// Values of a row, its position among them.
  private let width: Int
  private let single: RowWriter
  private var block: RowWriter?
  /// Values of rows that wait to be stored, one row after another.
  private var waiting: [FieldValue] = []
  /// The next row's position, where the table keeps it.
  private var position: Int64?
  private var count = 0
  /// Places of the columns by which the table is ordered, where it does not keep positions.
  private let keys: [Int]
  private var lastKey: [Int64] = []
  /// Whether the table gives back what it was given, value by value and in that order.
  private(set) var isFaithful: Bool

  /// - Throws: Errors of GRDB where the database does not have the table.
  init(_ shape: TableShape, in database: Database) throws {
    self.database = database
    let key = RunSchema.keyColumn(shape)
    let names = (key.map { [$0] } ?? []) + shape.columns.map(\.storedName)
    width = names.count
    head =
      "INSERT INTO \(RunSchema.quoted(shape.name)) "
      + "(\(names.map(RunSchema.quoted).joined(separator: ", "))) VALUES "
    marks = "(\(Array(repeating: "?", count: width).joined(separator: ", ")))"
    single = try RowWriter(database, head + marks)
    // SQLite has no NaN and one zero.
    isFaithful = !shape.columns.contains { $0.kind == .real }
    switch shape.key {
    case .position: (position, keys) = (0, [])
    case .single: (position, keys) = (1, [])
    case .columns(let columns):
      let stored = shape.columns.map(\.storedName)
      keys = columns.compactMap { stored.firstIndex(of: $0) }
    }
  }

  /// Adds a row.
  ///
  /// - Parameter digest: Gets it as well.
  /// - Throws: `DatabaseError` where SQLite refuses a row.
  mutating func add(_ row: [FieldValue], _ digest: inout ContentDigest.Gathering) throws {
    if let number = position {
      waiting.append(.whole(number))
      digest.bytes.add(stored: .whole(number))
      position = number + 1
    } else if isFaithful {
      isFaithful = follows(row)
    }
    waiting.append(contentsOf: row)
    digest.bytes.add(stored: row)
    digest.endRow()
    count += 1
    if count <= Self.blockRows {
      try insertWaiting()
    } else if waiting.count == Self.blockRows * width {
      try insertBlock()
    }
  }

  /// Stores what waits.
  ///
  /// - Throws: `DatabaseError` where SQLite refuses a row.
  mutating func finish() throws { try insertWaiting() }

  /// Whether a row's key is whole numbers behind those of the row before it.
  private mutating func follows(_ row: [FieldValue]) -> Bool {
    var isBehind = lastKey.isEmpty
    if isBehind { lastKey = Array(repeating: 0, count: keys.count) }
    for (place, column) in keys.enumerated() {
      guard case .whole(let number) = row[column] else { return false }
      if !isBehind, number < lastKey[place] { return false }
      isBehind = isBehind || number > lastKey[place]
      lastKey[place] = number
    }
    return isBehind
  }

  private mutating func insertBlock() throws {
    let writer: RowWriter
    if let block {
      writer = block
    } else {
      let all = Array(repeating: marks, count: Self.blockRows).joined(separator: ", ")
      writer = try RowWriter(database, head + all)
      block = writer
    }
    try writer.insert(waiting)
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func insertWaiting() throws {
    for first in stride(from: 0, to: waiting.count, by: width) {
      for place in 0..<width { single.bind(waiting[first + place], at: Int32(place + 1)) }
      try single.step()
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
