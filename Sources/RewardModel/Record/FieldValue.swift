package import Quantities

/// What a field of a table holds, as a database stores it.
package enum FieldValue: Sendable, Hashable {
  /// The value is not there.
  case absent
  case whole(Int64)
  case real(Double)
  case text(String)
}

/// What the values of a column mean. Every form of a table is made from it.
package enum FieldKind: Sendable, Equatable {
  /// A whole number.
  case whole
  /// A whole number of 64 bits without a sign. Databases hold it as text: it may exceed theirs.
  case unsigned
  case real
  /// Whole micro-USDT.
  case money
  /// Microseconds since 1970-01-01T00:00:00Z; ISO 8601 where people read it.
  case instant
  /// `YYYY-MM-DD`.
  case date
  case text
  /// One of these words.
  case choice([String])
  /// 0 or 1; `false` or `true` where people read it.
  case flag
}

/// A type whose values a column can hold.
package protocol FieldStorable: Sendable {
  static var kind: FieldKind { get }
  /// Whether a value may be absent.
  static var isOptional: Bool { get }
  /// The value as a database stores it.
  var stored: FieldValue { get }
  /// The value that was stored; nil when it is none of the type's.
  init?(stored: FieldValue)
  /// Appends the value as the fingerprint renders it.
  func digest(into bytes: inout DigestBytes)
  /// How the value is kept in memory, where the fingerprint can take it from there; nil where only
  /// `digest` renders it.
  static var layout: WordLayout? { get }
}

extension FieldStorable {
  package static var isOptional: Bool { false }
  package static var layout: WordLayout? { nil }
}

/// How a value that the fingerprint renders as eight bytes is kept in memory.
package enum WordLayout: Sendable {
  /// In 8 bytes, as an `Int64`, a type of one property that is one, or a number of 64 bits.
  case word
  /// As an `Int64?`, or as the optional of such a type: Swift keeps all of them alike.
  case optionalWord

  /// Bytes of a value.
  var size: Int {
    switch self {
    case .word: MemoryLayout<Int64>.size
    case .optionalWord: MemoryLayout<Int64?>.size
    }
  }
}

/// A value in a database that no record holds.
package struct FieldProblem: Error, CustomStringConvertible {
  package var description: String

  /// A problem in words.
  package init(description: String) { self.description = description }

  /// A value that is none of its column's.
  init(_ value: FieldValue, of column: ColumnShape) {
    let text = if case .text(let text) = value { text } else { "" }
    description =
      switch column.kind {
      case .unsigned: "\(column.name) is not a 64-bit whole number"
      case .date: "'\(text)' is not a date"
      case .choice: "\(column.name) is '\(text)', which is not one of its values"
      default: "\(column.name) has the wrong type"
      }
  }
}

/// A type with a few values, each with a word for it.
package protocol FieldChoice: FieldStorable, CaseIterable {
  /// Used in databases, exports and fingerprints.
  var word: String { get }
}

extension FieldChoice where Self: RawRepresentable<String> {
  package var word: String { rawValue }
}

extension FieldChoice {
  package static var kind: FieldKind { .choice(allCases.map(\.word)) }
  package var stored: FieldValue { .text(word) }

  /// The case whose word is stored; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .text(let text) = stored, let value = Self.allCases.first(where: { $0.word == text })
    else { return nil }
    self = value
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(word) }
}

extension Int64: FieldStorable {
  package static var kind: FieldKind { .whole }
  package var stored: FieldValue { .whole(self) }
  package static var layout: WordLayout? { .word }

  /// A whole number; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .whole(let number) = stored else { return nil }
    self = number
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(self) }
}

extension Int: FieldStorable {
  package static var kind: FieldKind { .whole }
  package var stored: FieldValue { .whole(Int64(self)) }
  package static var layout: WordLayout? { .word }

  /// A whole number; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .whole(let number) = stored else { return nil }
    self = Int(number)
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(Int64(self)) }
}

extension UInt64: FieldStorable {
  package static var kind: FieldKind { .unsigned }
  package var stored: FieldValue { .text(String(self)) }
  package static var layout: WordLayout? { .word }

  /// A text of digits, as it may exceed what a database holds; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .text(let text) = stored, let number = UInt64(text) else { return nil }
    self = number
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(Int64(bitPattern: self)) }
}

extension Double: FieldStorable {
  package static var kind: FieldKind { .real }
  package var stored: FieldValue { .real(self) }
  package static var layout: WordLayout? { .word }

  /// A real number; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .real(let number) = stored else { return nil }
    self = number
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(Int64(bitPattern: bitPattern)) }
}

extension Bool: FieldStorable {
  package static var kind: FieldKind { .flag }
  package var stored: FieldValue { .whole(self ? 1 : 0) }

  /// A flag, stored as 0 or 1; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .whole(let number) = stored else { return nil }
    self = number != 0
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(self ? 1 : 0) }
}

extension String: FieldStorable {
  package static var kind: FieldKind { .text }
  package var stored: FieldValue { .text(self) }

  /// A text; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .text(let text) = stored else { return nil }
    self = text
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(self) }
}

extension MicroUSDT: FieldStorable {
  package static var kind: FieldKind { .money }
  package var stored: FieldValue { .whole(microunits) }
  package static var layout: WordLayout? { .word }

  /// A whole number of micro-units; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .whole(let number) = stored else { return nil }
    self.init(microunits: number)
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(microunits) }
}

extension Instant: FieldStorable {
  package static var kind: FieldKind { .instant }
  package var stored: FieldValue { .whole(microseconds) }
  package static var layout: WordLayout? { .word }

  /// A whole number of microseconds; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .whole(let number) = stored else { return nil }
    self.init(microseconds: number)
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(microseconds) }
}

extension CivilDate: FieldStorable {
  package static var kind: FieldKind { .date }
  package var stored: FieldValue { .text(description) }

  /// A text like 2026-12-31; nil for any other value.
  package init?(stored: FieldValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(text)
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) { bytes.add(description) }
}

extension Optional: FieldStorable where Wrapped: FieldStorable {
  package static var kind: FieldKind { Wrapped.kind }
  package static var isOptional: Bool { true }
  package var stored: FieldValue { self?.stored ?? .absent }
  package static var layout: WordLayout? { Wrapped.layout == .word ? .optionalWord : nil }

  /// Nothing for an absent value; nil where the value is none of the wrapped type.
  package init?(stored: FieldValue) {
    if stored == .absent {
      self = Wrapped?.none
    } else {
      guard let value = Wrapped(stored: stored) else { return nil }
      self = value
    }
  }

  /// See `FieldStorable`.
  package func digest(into bytes: inout DigestBytes) {
    bytes.mark(self != nil)
    self?.digest(into: &bytes)
  }
}
