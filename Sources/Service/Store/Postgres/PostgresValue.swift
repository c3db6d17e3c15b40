/// A value or a list of values for PostgreSQL, in the binary form of its protocol.
enum PostgresValue: Sendable {
  case whole(Int64)
  case text(String)
  case bytes([UInt8])
  case wholes([Int64?])
  case reals([Double?])
  case texts([String?])
  case blobs([[UInt8]?])

  /// The number of its type in PostgreSQL's catalog, which never changes (pg_type.dat).
  var type: UInt32 {
    switch self {
    case .whole: 20
    case .text: 25
    case .bytes: 17
    case .wholes: 1_016
    case .reals: 1_022
    case .texts: 1_009
    case .blobs: 1_001
    }
  }

  /// Adds it to a message.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .whole(let value): Self.write(UInt64(bitPattern: value), to: &bytes)
    case .text(let value): bytes.append(contentsOf: value.utf8)
    case .bytes(let value): bytes.append(contentsOf: value)
    case .wholes(let values):
      Self.write(values, of: 20, to: &bytes) { Self.write(UInt64(bitPattern: $0), to: &$1) }
    case .reals(let values):
      Self.write(values, of: 701, to: &bytes) { Self.write($0.bitPattern, to: &$1) }
    case .texts(let values):
      Self.write(values, of: 25, to: &bytes) { $1.append(contentsOf: $0.utf8) }
    case .blobs(let values):
      Self.write(values, of: 17, to: &bytes) { $1.append(contentsOf: $0) }
    }
  }

  /// Adds it to a message, with its length before it.
  func writeWithLength(to bytes: inout [UInt8]) { Self.writeWithLength(to: &bytes, write(to:)) }

  /// A list of one dimension, as `array_recv` reads it.
  private static func write<Value>(
    _ values: [Value?], of type: UInt32, to bytes: inout [UInt8],
    _ one: (Value, inout [UInt8]) -> Void
  ) {
    // Dimensions, whether there may be nulls, type, length, first place.
    for word in [values.isEmpty ? 0 : 1, 1, type] { write(word, to: &bytes) }
    guard !values.isEmpty else { return }
    write(UInt32(values.count), to: &bytes)
    write(1 as UInt32, to: &bytes)
    for value in values {
      guard let value else {
        write(UInt32.max, to: &bytes)
        continue
      }
      writeWithLength(to: &bytes) { one(value, &$0) }
    }
  }

  private static func writeWithLength(
    to bytes: inout [UInt8], _ write: (inout [UInt8]) -> Void
  ) {
    let place = bytes.count
    Self.write(0 as UInt32, to: &bytes)
    write(&bytes)
    let length = UInt32(bytes.count - place - 4)
    for number in 0..<4 {
      bytes[place + number] = UInt8(truncatingIfNeeded: length >> (24 - 8 * number))
    }
  }

  private static func write<Word: FixedWidthInteger>(_ word: Word, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
