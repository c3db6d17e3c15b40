/// A look at YAML text before it is parsed: finds anchors and aliases, which scenario files do
/// not have. Expanding aliases of aliases can take forever, so they are found before.
///
/// Where values begin is found without all of YAML's rules: behind a tag, or a line of block text with one
/// quote, an anchor is not seen there. So names that look like both an anchor and an alias, wherever they are
/// in the text, are found as well; whether they are, or text in quotes, the parser tells of a text without the
/// aliases.
struct YAMLScan {
  /// `&name` or `*name` anywhere in the text, where the same name comes with the other sign, too.
  struct Pair {
    let line: Int
    let column: Int
    let sign: Character
    let name: String
    /// Among the text's scalars.
    let place: Int
  }

  /// Positions of `&name` and `*name` where a value or key begins, with the sign.
  private(set) var references: [(line: Int, column: Int, sign: Character)] = []

  /// What may be anchors with their aliases.
  let pairs: [Pair]

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
    pairs = Self.pairs(scalars)
  }

  /// The text with a letter in place of the sign of each alias of `pairs`: it has the same anchors, and
  /// nothing in it is expanded.
  func withoutAliases(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    for pair in pairs where pair.sign == "*" { scalars[pair.place] = "x" }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func pairs(_ scalars: [Unicode.Scalar]) -> [Pair] {
    var names: [Character: Set<String>] = ["&": [], "*": []]
    var found: [Pair] = []
    var (line, start) = (1, 0)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\n" { (line, start) = (line + 1, index + 1) }
      guard scalar == "&" || scalar == "*" else { continue }
      // The characters of an anchor's name, as libyaml takes them.
      let letters = scalars[(index + 1)...].prefix { letter in
        switch letter {
        case "0"..."9", "A"..."Z", "a"..."z", "_", "-": true
        default: false
        }
      }
      guard !letters.isEmpty else { continue }
      let (sign, name) = (Character(scalar), String(String.UnicodeScalarView(letters)))
      names[sign]?.insert(name)
      found.append(
        Pair(line: line, column: index + 1 - start, sign: sign, name: name, place: index))
    }
    let both = names["&", default: []].intersection(names["*", default: []])
    return found.filter { both.contains($0.name) }
  }
}
