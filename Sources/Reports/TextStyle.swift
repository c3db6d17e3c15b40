internal import RewardModel

/// How a piece of terminal text looks, as far as the terminal knows colors.
package enum TextStyle: String, Sendable {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case good = "32"
  case caution = "33"
  case bad = "31"

  /// The look of a tone.
  init(_ tone: PageTone) {
    self =
      switch tone {
      case .plain, .code: .plain
      case .strong: .bold
      case .soft: .dim
      case .good: .good
      case .caution: .caution
      case .bad: .bad
      }
  }

  /// The text between escape sequences, or as it is.
  package func applied(to text: String, colour: Bool) -> String {
    colour && self != .plain && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// Text that is safe to show in a terminal and whose width is known.
package enum DisplayText {
  /// Control characters, among them escapes and line ends, become `·`; so do the marks that turn
  /// the direction of writing.
  package static func safe(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let value = scalar.value
      let unsafe =
        value < 0x20 || (0x7F...0x9F).contains(value) || (0x2028...0x202E).contains(value)
        || (0x2066...0x2069).contains(value)
      out.append(unsafe ? "·" : scalar)
    }
    return String(out)
  }

  /// Columns that the text takes: two for wide East Asian letters and pictures, none for marks
  /// that combine.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// Breaks text at blanks into lines of at most `width` columns; longer words get a line of their
  /// own.
  package static func wrapped(_ text: String, width limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in safe(text).split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if width(line) + 1 + width(String(word)) <= limit {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Columns of a paragraph in a terminal of so many: few enough to be read with ease.
  static func room(_ width: Int) -> Int { max(40, min(width, 96)) }

  /// The same behind a label, with as much room before the lines that follow the first.
  package static func wrapped(_ text: String, width limit: Int, after label: String) -> [String] {
    let room = width(label)
    let lines = wrapped(text, width: max(20, limit - room))
    return lines.enumerated().map { place, line in
      (place == 0 ? label : String(repeating: " ", count: room)) + line
    }
  }

  /// A title with what it is about on its line, or below it where a line has no room for both.
  static func headed(_ title: String, _ about: String, width limit: Int, colour: Bool) -> [String] {
    let title = safe(title)
    let head = TextStyle.bold.applied(to: title, colour: colour)
    guard width(title) + 2 + width(about) > limit else { return [head + "  " + about] }
    return [head] + wrapped(about, width: limit)
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      return first.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }
}
