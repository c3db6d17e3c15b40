package import Foundation

/// Text in comma-separated values after RFC 4180, with line feeds as line ends.
package struct CSVText {
  // Appending bytes to an array is several times as fast as to `Data`.
  private var bytes: [UInt8] = []
  private var atLineStart = true

  /// The text so far, in UTF-8.
  package var data: Data { Data(bytes) }

  /// How many bytes there are so far.
  package var count: Int { bytes.count }

  /// Hands over the text so far and goes on behind it, at the start of a line.
  package mutating func take<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes.withUnsafeBytes(body)
  }

  /// A line of fields, with its end.
  package static func line(_ fields: [String]) -> String {
    var csv = CSVText()
    for field in fields { csv.add(field) }
    csv.endLine()
    return String(decoding: csv.bytes, as: UTF8.self)
  }

  private init() {}

  /// Starts with the header line.
  package init(header: String) {
    bytes.append(contentsOf: header.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds a field, quoted where it holds a comma, a quote or a line end.
  ///
  /// A text that a spreadsheet would take for a formula, because it begins with `=`, `+`, `-` or
  /// `@` (or with a tab or line end before one) and is not a number, gets an apostrophe before it
  /// and quotes around it, so that it stays a text.
  package mutating func add(_ text: String) {
    separate()
    var text = text
    text.withUTF8 { characters in
      let isFormula = Self.isFormula(characters)
      guard isFormula || Self.mustBeQuoted(characters) else {
        return bytes.append(contentsOf: characters)
      }
      bytes.append(0x22)
      if isFormula { bytes.append(0x27) }
      for byte in characters {
        if byte == 0x22 { bytes.append(0x22) }
        bytes.append(byte)
      }
      bytes.append(0x22)
    }
  }

  /// Whether there is a comma, a quote or a line end: looked at without a branch for each byte, as most
  /// texts have none.
  private static func mustBeQuoted(_ characters: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    for byte in characters {
      found |= (byte == 0x2C ? 1 : 0) | (byte == 0x22 ? 1 : 0)
      found |= (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0)
    }
    return found != 0
  }

  private static func isFormula(_ characters: UnsafeBufferPointer<UInt8>) -> Bool {
    switch characters.first {
    case 0x3D, 0x40, 0x09, 0x0A, 0x0D: true
    case 0x2B, 0x2D: Double(String(decoding: characters, as: UTF8.self)) == nil
    default: false
    }
  }

  /// Adds a whole number.
  package mutating func add(_ number: Int64) {
    separate()
    // Digits from the last to the first; no number of 64 bits has more than 20 characters.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = 20
      var rest = number.magnitude
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        first -= 1
        digits[first] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: digits[first...])
    }
  }

  /// Ends the line.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    atLineStart = true
  }

  private mutating func separate() {
    if !atLineStart { bytes.append(0x2C) }
    atLineStart = false
  }
}
