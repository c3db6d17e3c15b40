internal import Foundation

/// A row that is saved as whole numbers, one after the other.
package protocol PackedRow {
  /// Writes all of it.
  func pack(_ writer: inout PackedWriter)
  /// Reads what `pack` wrote.
  ///
  /// - Throws: `PackedError`, and what a row says of numbers that none can have.
  init(packed reader: inout PackedReader) throws
}

/// What is wrong with packed rows.
package enum PackedError: Error, Equatable, CustomStringConvertible {
  /// A row goes on behind the last byte.
  case ended
  /// A number that its place cannot hold, of so many bytes before it.
  case outOfRange(offset: Int)
  /// Bytes behind the last row.
  case leftOver(bytes: Int)

  package var description: String {
    switch self {
    case .ended: "packed rows end in the middle of one"
    case .outOfRange(let offset): "packed rows have an impossible number at byte \(offset)"
    case .leftOver(let bytes): "packed rows have \(bytes) bytes too many"
    }
  }
}

/// Writes whole numbers as bytes, seven bits in each, the low ones first; small numbers of either
/// sign take one byte. Source of the form: the variable-width, zigzag integers of Protocol Buffers.
package struct PackedWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  /// Nothing is written yet.
  package init() {}

  /// Writes a number.
  ///
  /// - Parameter value: Within the range of `Int64`.
  @inline(__always)
  package mutating func append(_ value: some FixedWidthInteger) {
    let signed = Int64(value)
    var rest = UInt64(bitPattern: signed << 1 ^ signed >> 63)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads what a `PackedWriter` wrote.
package struct PackedReader {
  private let bytes: [UInt8]
  /// Bytes that were read.
  package private(set) var offset = 0

  /// Begins at the first byte.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bytes that are not read yet.
  package var left: Int { bytes.count - offset }

  /// The next number.
  ///
  /// - Throws: `PackedError.ended`; `.outOfRange` where it is none of the type.
  @inline(__always)
  package mutating func next<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws -> Value {
    let start = offset
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < bytes.count else { throw PackedError.ended }
      let byte = bytes[offset]
      offset += 1
      // The tenth byte has the one bit that is left.
      guard shift < 63 || byte < 2 else { throw PackedError.outOfRange(offset: start) }
      bits |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    let signed = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    guard let value = Value(exactly: signed) else { throw PackedError.outOfRange(offset: start) }
    return value
  }
}

/// Rows that are saved as bytes: a tenth of what they take as JSON, and of the time.
@propertyWrapper
package struct Packed<Row: PackedRow & Sendable>: Codable, Sendable {
  package var wrappedValue: [Row]

  /// Some rows.
  package init(wrappedValue: [Row]) { self.wrappedValue = wrappedValue }

  /// - Throws: `PackedError` and what rows throw; errors of the decoder.
  package init(from decoder: any Decoder) throws {
    var reader = PackedReader([UInt8](try decoder.singleValueContainer().decode(Data.self)))
    wrappedValue = []
    let count = try reader.next(Int.self)
    guard count >= 0 else { throw PackedError.outOfRange(offset: 0) }
    // A row may take no byte, but no file makes us believe in more rows than bytes.
    wrappedValue.reserveCapacity(min(count, reader.left))
    for _ in 0..<count { wrappedValue.append(try Row(packed: &reader)) }
    guard reader.left == 0 else { throw PackedError.leftOver(bytes: reader.left) }
  }

  /// - Throws: Errors of the encoder.
  package func encode(to encoder: any Encoder) throws {
    var writer = PackedWriter()
    writer.append(wrappedValue.count)
    for row in wrappedValue { row.pack(&writer) }
    var container = encoder.singleValueContainer()
    try container.encode(Data(writer.bytes))
  }
}

extension Packed: Equatable where Row: Equatable {}

extension PackedRow where Self: FixedWidthInteger {
  /// The number itself.
  package func pack(_ writer: inout PackedWriter) { writer.append(self) }
  /// The number itself.
  package init(packed reader: inout PackedReader) throws { self = try reader.next() }
}

extension Int32: PackedRow {}
extension Int64: PackedRow {}
extension UInt32: PackedRow {}

extension UInt8: PackedRow {}

extension Optional: PackedRow where Wrapped: PackedRow {
  /// 1 and the value; 0 where there is none.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(self == nil ? 0 : 1 as Int64)
    self?.pack(&writer)
  }
  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    self = try reader.next(UInt8.self) == 0 ? nil : try Wrapped(packed: &reader)
  }
}

extension Array: PackedRow where Element: PackedRow {
  /// Their number, and each.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(count)
    for element in self { element.pack(&writer) }
  }
  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    let start = reader.offset
    let count = try reader.next(Int.self)
    // An element takes a byte at least.
    guard count >= 0, count <= reader.left else { throw PackedError.outOfRange(offset: start) }
    self = []
    reserveCapacity(count)
    for _ in 0..<count { append(try Element(packed: &reader)) }
  }
}
