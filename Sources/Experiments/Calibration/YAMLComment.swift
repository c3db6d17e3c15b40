/// Comments of the YAML that a calibration writes.
enum YAMLComment {
  /// Columns of a line at most.
  static let width = 100

  /// A comment as lines of at most `width` columns, each after `indent` blanks; a longer word has a
  /// line of its own.
  static func lines(_ text: String, indent: Int = 0) -> [String] {
    let start = String(repeating: " ", count: indent) + "#"
    var lines: [String] = []
    var line = start
    for word in text.split(whereSeparator: \.isWhitespace) {
      if line != start && line.count + 1 + word.count > width {
        lines.append(line)
        line = start
      }
      line += " " + word
    }
    return lines + [line]
  }
}
