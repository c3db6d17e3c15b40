/// Splits the bytes of a CSV file into records of fields, as RFC 4180 has them.
///
/// Records end with LF or CRLF. A field in quotes may hold commas, line ends and doubled quotes.
struct CSVScanner {
  /// One field: a range of the bytes without its quotes.
  struct Field {
    var start: Int
    var end: Int
    /// Whether it contains doubled quotes.
    var hasQuotes = false
  }

  enum Outcome: Equatable {
    /// `fields` hold a record.
    case record
    /// The record that begins on `line` is broken; the next one can be read.
    case broken(String)
    case end
  }

  let bytes: [UInt8]
  /// Fields of the last record; a blank line has a single empty one.
  private(set) var fields: [Field] = []
  /// Line on which the last record began, from 1.
  private(set) var line = 0
  private var cursor: Int
  private var nextLine = 1

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Parameter bytes: UTF-8; a byte order mark in front is skipped.
  init(bytes: [UInt8]) {
    self.bytes = bytes
    cursor = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    fields.reserveCapacity(8)
  }

  /// Whether the last record is a blank line.
  var isBlank: Bool { fields.count == 1 && fields[0].start == fields[0].end }

  /// Moves to the next record.
  mutating func next() -> Outcome {
    fields.removeAll(keepingCapacity: true)
    guard cursor < bytes.count else { return .end }
    line = nextLine
    while true {
      if cursor < bytes.count, bytes[cursor] == Self.quote {
        if let wrong = quotedField() { return .broken(wrong) }
      } else if let wrong = plainField() {
        return .broken(wrong)
      }
      guard cursor < bytes.count else { return .record }
      let byte = bytes[cursor]
      cursor += 1
      if byte == Self.comma { continue }
      // A line feed, or a carriage return with its line feed.
      if byte == Self.carriageReturn { cursor = min(cursor + 1, bytes.count) }
      nextLine += 1
      return .record
    }
  }

  private mutating func plainField() -> String? {
    let start = cursor
    while cursor < bytes.count, bytes[cursor] != Self.comma, !isLineEnd {
      if bytes[cursor] == Self.quote {
        skipLine()
        return "there is a quote inside a field; put the whole field in quotes and double the quote"
      }
      cursor += 1
    }
    fields.append(Field(start: start, end: cursor))
    return nil
  }

  private mutating func quotedField() -> String? {
    cursor += 1
    var field = Field(start: cursor, end: cursor)
    while cursor < bytes.count {
      if bytes[cursor] == Self.lineFeed { nextLine += 1 }
      guard bytes[cursor] == Self.quote else {
        cursor += 1
        continue
      }
      if cursor + 1 < bytes.count, bytes[cursor + 1] == Self.quote {
        field.hasQuotes = true
        cursor += 2
        continue
      }
      field.end = cursor
      fields.append(field)
      cursor += 1
      if cursor < bytes.count, bytes[cursor] != Self.comma, !isLineEnd {
        skipLine()
        return "there is text after a closing quote; double the quotes that belong to the field"
      }
      return nil
    }
    return "a quote is opened and never closed; close it"
  }

  /// Whether a line feed is next, or a carriage return with its line feed or at the very end.
  private var isLineEnd: Bool {
    let byte = bytes[cursor]
    if byte == Self.lineFeed { return true }
    guard byte == Self.carriageReturn else { return false }
    return cursor + 1 == bytes.count || bytes[cursor + 1] == Self.lineFeed
  }

  private mutating func skipLine() {
    while cursor < bytes.count, bytes[cursor] != Self.lineFeed { cursor += 1 }
    cursor = min(cursor + 1, bytes.count)
    nextLine += 1
  }

  /// The text of a field of the last record.
  func text(_ index: Int) -> String {
    let field = fields[index]
    let text = String(decoding: bytes[field.start..<field.end], as: UTF8.self)
    return field.hasQuotes ? text.replacing("\"\"", with: "\"") : text
  }

  func isEmpty(_ index: Int) -> Bool { fields[index].start == fields[index].end }

  /// Whether a field is exactly these bytes.
  func equals(_ index: Int, _ wanted: [UInt8]) -> Bool {
    bytes[fields[index].start..<fields[index].end].elementsEqual(wanted)
  }

  /// Whether two ranges of the bytes hold the same.
  func same(_ a: Field, _ b: Field) -> Bool {
    guard a.end - a.start == b.end - b.start, a.hasQuotes == b.hasQuotes else { return false }
    for offset in 0..<(a.end - a.start) where bytes[a.start + offset] != bytes[b.start + offset] {
      return false
    }
    return true
  }
}
