/// A look at YAML text before it is parsed: finds anchors and aliases, which scenario files do
/// not have. Expanding aliases of aliases can take forever, so they are found before.
struct YAMLScan {
  /// Positions of `&name` and `*name` where a value or key begins, with the sign.
  private(set) var references: [(line: Int, column: Int, sign: Character)] = []

  init(_ text: String) {
    var line = 1
    var column = 0
    var quote: Unicode.Scalar?
    var atStart = true
    var afterSpace = true
    var comment = false
    // Whether a backslash stands before the scalar, within double quotes.
    var escaped = false
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      column += 1
      if scalar == "\n" {
        line += 1
        column = 0
        comment = false
        escaped = false
        if quote == nil { atStart = true }
        afterSpace = true
        continue
      }
      if comment { continue }
      if let open = quote {
        if scalar == open && !escaped { quote = nil }
        escaped = open == "\"" && scalar == "\\" && !escaped
        continue
      }
      switch scalar {
      case " ", "\t":
        afterSpace = true
        continue
      case "#" where afterSpace:
        comment = true
        continue
      case "\"" where atStart, "'" where atStart:
        quote = scalar
        atStart = false
      case "&" where atStart, "*" where atStart:
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        if next.properties.isAlphabetic || ("0"..."9").contains(next) || next == "_" {
          references.append((line, column, scalar == "&" ? "&" : "*"))
        }
        atStart = false
      case "[", "{", ",": atStart = true
      case ":", "-", "?":
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        if scalar == ":" || atStart { atStart = next == " " || next == "\n" || next == "\t" }
      default: atStart = false
      }
      afterSpace = false
    }
  }
}
