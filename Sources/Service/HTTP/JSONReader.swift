/// Reads one JSON object that a client sent (RFC 8259), strictly: names come once, text is UTF-8
/// without lone surrogates, and nothing is nested deeper than a limit.
///
/// Values within values are checked and not kept: no request has any.
struct JSONReader {
  /// A value of the object.
  enum Value: Equatable {
    case null
    case flag(Bool)
    /// As it is written.
    case number(DecimalText)
    case text(String)
    /// An array or an object.
    case other
  }

  /// Why the bytes are refused.
  enum Refusal: Error, Equatable {
    case notJSON
    case notUTF8
    case notObject
    case tooDeep
    case duplicate(String)
    case tooMany
  }

  /// Levels of arrays and objects, the outermost included.
  static let depth = 16
  /// Members of the object.
  static let members = 64

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The members of an object, by name.
  ///
  /// - Throws: `Refusal`.
  /// - Complexity: O(bytes).
  static func object(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> [String: Value] {
    var reader = JSONReader(bytes)
    reader.skipSpace()
    guard reader.peek == UInt8(ascii: "{") else {
      try reader.skipValue(depth: 1)
      throw .notObject
    }
    var members: [String: Value] = [:]
    try reader.object(depth: 1) { (reader, name) throws(Refusal) in
      let value = try reader.value(depth: 2)
      guard members.updateValue(value, forKey: name) == nil else {
        throw .duplicate(name)
      }
      guard members.count <= Self.members else { throw .tooMany }
    }
    reader.skipSpace()
    guard reader.place == bytes.count else { throw .notJSON }
    return members
  }

  // MARK: - Values

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private mutating func take(_ byte: UInt8) throws(Refusal) {
    guard peek == byte else { throw .notJSON }
    place += 1
  }

  private mutating func value(depth: Int) throws(Refusal) -> Value {
    skipSpace()
    switch peek {
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skipValue(depth: depth)
      return .other
    default: return .number(try number())
    }
  }

  private mutating func skipValue(depth: Int) throws(Refusal) {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"):
      try object(depth: depth) { (reader, _) throws(Refusal) in
        try reader.skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "["): try array(depth: depth)
    default: _ = try value(depth: depth)
    }
  }

  private mutating func object(
    depth: Int, _ member: (inout JSONReader, String) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard depth <= Self.depth else { throw .tooDeep }
    try take(UInt8(ascii: "{"))
    skipSpace()
    if peek == UInt8(ascii: "}") {
      place += 1
      return
    }
    while true {
      skipSpace()
      let name = try text()
      skipSpace()
      try take(UInt8(ascii: ":"))
      try member(&self, name)
      skipSpace()
      guard peek == UInt8(ascii: ",") else { break }
      place += 1
    }
    try take(UInt8(ascii: "}"))
  }

  private mutating func array(depth: Int) throws(Refusal) {
    guard depth <= Self.depth else { throw .tooDeep }
    try take(UInt8(ascii: "["))
    skipSpace()
    if peek == UInt8(ascii: "]") {
      place += 1
      return
    }
    while true {
      try skipValue(depth: depth + 1)
      skipSpace()
      guard peek == UInt8(ascii: ",") else { break }
      place += 1
    }
    try take(UInt8(ascii: "]"))
  }

  private mutating func word(_ word: StaticString, _ value: Value) throws(Refusal) -> Value {
    for place in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[place]) }
    return value
  }

  private mutating func number() throws(Refusal) -> DecimalText {
    let first = place
    while let byte = peek,
      (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    {
      place += 1
    }
    guard let number = DecimalText(bytes[first..<place]) else { throw .notJSON }
    return number
  }

  // MARK: - Text

  private mutating func text() throws(Refusal) -> String {
    try take(UInt8(ascii: "\""))
    let first = place
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      guard byte >= 0x20 else { throw .notJSON }
      place += 1
    }
    guard var text = String(validating: bytes[first..<place], as: UTF8.self) else {
      throw .notUTF8
    }
    while peek == UInt8(ascii: "\\") {
      place += 1
      text.unicodeScalars.append(try escaped())
      let next = place
      while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        guard byte >= 0x20 else { throw .notJSON }
        place += 1
      }
      guard let more = String(validating: bytes[next..<place], as: UTF8.self) else {
        throw .notUTF8
      }
      text += more
    }
    try take(UInt8(ascii: "\""))
    return text
  }

  private mutating func escaped() throws(Refusal) -> Unicode.Scalar {
    guard let byte = peek else { throw .notJSON }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let high = try hex()
      guard (0xD800..<0xDC00).contains(high) else {
        // A low surrogate alone is no scalar.
        guard let scalar = Unicode.Scalar(high) else { throw .notUTF8 }
        return scalar
      }
      guard peek == UInt8(ascii: "\\") else { throw .notUTF8 }
      place += 1
      guard peek == UInt8(ascii: "u") else { throw .notUTF8 }
      place += 1
      let low = try hex()
      guard (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      else { throw .notUTF8 }
      return scalar
    default: throw .notJSON
    }
  }

  private mutating func hex() throws(Refusal) -> UInt32 {
    guard place + 4 <= bytes.count else { throw .notJSON }
    var value: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x61 + 10)
      default: throw .notJSON
      }
    }
    place += 4
    return value
  }
}
