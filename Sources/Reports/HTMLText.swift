internal import Foundation

/// Building blocks of the page. All text that comes from elsewhere passes through `escaped`.
package enum HTMLText {
  /// Text as content of an element or of a quoted attribute.
  package static func escaped(_ text: String) -> String {
    // Most texts are plain, and looking at their bytes takes a fraction of making them anew.
    if text.utf8.allSatisfy(isPlain) { return text }
    var out = ""
    out.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      // These are not allowed in a page; and marks that reverse the direction of text would
      // mislead.
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": out += "·"
      case _ where (0x7F...0x9F).contains(scalar.value): out += "·"
      case _ where (0x2028...0x202E).contains(scalar.value): out += "·"
      case _ where (0x2066...0x2069).contains(scalar.value): out += "·"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Whether a byte is itself wherever it is in a text. Those that begin the characters which a
  /// page must not have do not count.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      false
    case 0x20..<0x7F, UInt8(ascii: "\n"), UInt8(ascii: "\t"): true
    // U+0080 to U+009F begin with C2, U+2028 to U+202E and U+2066 to U+2069 with E2.
    default: byte >= 0x80 && byte != 0xC2 && byte != 0xE2
    }
  }

  /// Text that may break after each dot and underscore, as a path of names may.
  static func breakable(_ text: String) -> String {
    let text = escaped(text)
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return text.replacing(".", with: ".<wbr>").replacing("_", with: "_<wbr>")
    }
    // The same byte by byte, which takes a fraction of the time.
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") { bytes += "<wbr>".utf8 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A value as JSON that is safe inside a script element.
  ///
  /// `<`, `>` and `&` occur in strings only and are written as escapes, so that no `</script>` or
  /// `<!--` can end or change the element; so are the line separators of Unicode.
  static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers are finite and keys are texts, so that nothing here can fail.
    guard let data = try? encoder.encode(value) else { return "[]" }
    // One pass over the bytes: a run's plots hold a hundred thousand numbers.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + data.count / 16)
    var isSeparator = 0
    for byte in data {
      switch (isSeparator, byte) {
      case (_, UInt8(ascii: "<")): bytes += "\\u003c".utf8
      case (_, UInt8(ascii: ">")): bytes += "\\u003e".utf8
      case (_, UInt8(ascii: "&")): bytes += "\\u0026".utf8
      case (2, 0xA8), (2, 0xA9):
        bytes.removeLast(2)
        bytes += (byte == 0xA8 ? "\\u2028" : "\\u2029").utf8
      default: bytes.append(byte)
      }
      // Bytes of U+2028 and U+2029 so far: E2 80, then A8 or A9.
      isSeparator = byte == 0xE2 ? 1 : isSeparator == 1 && byte == 0x80 ? 2 : 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A part that is folded away until it is asked for.
  ///
  /// - Parameter printed: Whether it is unfolded on paper.
  package static func details(_ summary: String, _ content: String, printed: Bool = false) -> String
  {
    "<details\(printed ? " class=\"print\"" : "")><summary>\(escaped(summary))</summary>\n\(content)</details>\n"
  }
}

/// A table of the page. The first cell of a row is its heading.
package struct HTMLTable {
  /// A cell whose text is escaped, with a class of the style sheet at will.
  package struct Cell: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    var text: String
    var style: String
    /// Percent of the cell's width that a bar under the text takes.
    var bar: Double?
    /// A few words below the text; may be empty.
    var note: String

    /// A cell; see the properties.
    package init(_ text: String, style: String = "", bar: Double? = nil, note: String = "") {
      self.text = text
      self.style = style
      self.bar = bar
      self.note = note
    }

    /// A cell of that text alone.
    package init(stringLiteral text: String) { self.init(text) }

    /// Appends the cell as an element: piece by piece, as a page has thousands.
    func append(to out: inout String, _ tag: String, scope: String, isNumber: Bool) {
      out += "<"
      out += tag
      out += scope
      if isNumber || !style.isEmpty {
        out += " class=\""
        if isNumber { out += style.isEmpty ? "n" : "n " }
        out += style
        out += "\""
      }
      if let bar {
        let width = (min(max(bar, 0), 100) * 10).rounded() / 10
        out += " style=\"--bar:\(width)%\""
      }
      out += ">"
      // A setting's path breaks at its dots and underscores where a phone has no room for it.
      let bytes = text.utf8
      let isPath =
        tag == "th" && bytes.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
        && !bytes.contains(UInt8(ascii: " "))
      out += isPath ? HTMLText.breakable(text) : HTMLText.escaped(text)
      if !note.isEmpty { out += "<small>\(HTMLText.escaped(note))</small>" }
      out += "</"
      out += tag
      out += ">"
    }
  }

  private let caption: String
  private let columns: [(title: String, isNumber: Bool)]
  private var rows = ""
  private var foot = ""

  /// - Parameters:
  ///   - caption: Read out by screen readers, not shown.
  ///   - columns: Headings; one that begins with `#` is of numbers, which are aligned right. Where all
  ///     are empty, as each row says what it is, the table has no head.
  package init(_ caption: String, _ columns: [String]) {
    self.caption = caption
    self.columns = columns.map {
      $0.hasPrefix("#") ? (String($0.dropFirst()), true) : ($0, false)
    }
  }

  /// Adds a row.
  package mutating func add(_ cells: [Cell]) { append(cells, to: &rows) }

  /// A heading over the rows that follow.
  package mutating func addGroup(_ title: String) {
    rows += "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"\(columns.count)\">"
    rows += "\(HTMLText.escaped(title))</th></tr>\n"
  }

  /// Sets the row at the foot.
  package mutating func setTotal(_ cells: [Cell]) {
    foot = ""
    append(cells, to: &foot)
  }

  /// The table in a box that scrolls where it is too large.
  package func rendered(tall: Bool = false) -> String {
    var head = ""
    for column in columns {
      HTMLTable.Cell(column.title)
        .append(to: &head, "th", scope: " scope=\"col\"", isNumber: column.isNumber)
    }
    var out = "<div class=\"table\(tall ? " tall" : "")\" tabindex=\"0\" role=\"region\""
    out += " aria-label=\"\(HTMLText.escaped(caption))\"><table>\n"
    out += "<caption>\(HTMLText.escaped(caption))</caption>\n"
    if columns.contains(where: { !$0.title.isEmpty }) {
      out += "<thead><tr>\(head)</tr></thead>\n"
    }
    out += "<tbody>\n\(rows)</tbody>\n"
    if !foot.isEmpty { out += "<tfoot>\n\(foot)</tfoot>\n" }
    return out + "</table></div>\n"
  }

  private func append(_ cells: [Cell], to out: inout String) {
    out += "<tr>"
    var isFirst = true
    for (column, cell) in zip(columns, cells) {
      cell.append(
        to: &out, isFirst ? "th" : "td", scope: isFirst ? " scope=\"row\"" : "",
        isNumber: column.isNumber)
      isFirst = false
    }
    out += "</tr>\n"
  }
}
