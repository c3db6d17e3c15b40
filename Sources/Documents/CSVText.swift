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
  package mutating func take() -> Data {
    defer { bytes.removeAll(keepingCapacity: true) }
    return data
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
    let isFormula = Self.isFormula(text)
    let mustQuote =
      isFormula || text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
    guard mustQuote else { return bytes.append(contentsOf: text.utf8) }
    bytes.append(0x22)
    if isFormula { bytes.append(0x27) }
    for byte in text.utf8 {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }

  private static func isFormula(_ text: String) -> Bool {
    switch text.utf8.first {
    case 0x3D, 0x40, 0x09, 0x0D: true
    case 0x2B, 0x2D: Double(text) == nil
    default: false
    }
  }

  /// Adds a whole number.
  package mutating func add(_ number: Int64) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
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
