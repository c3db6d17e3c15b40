/// A JSON value whose keys keep their order and whose numbers are exact.
indirect enum OrderedJSON {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  /// Rounded to so many decimals; `null` when not finite.
  case real(Double, decimals: Int)
  case text(String)
  /// One element a line.
  case list([OrderedJSON])
  /// Written on one line when `inline`, else one key a line.
  case object([(key: String, value: OrderedJSON)], inline: Bool)

  static func optional(_ number: Int64?) -> OrderedJSON {
    number.map { .integer($0) } ?? .null
  }

  static func optional(_ text: String?) -> OrderedJSON { text.map { .text($0) } ?? .null }

  /// The value as text, indented by two spaces a level, without a line end behind it.
  func rendered(indent: String = "") -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .unsigned(let value): return String(value)
    case .real(let value, let decimals): return Self.number(value, decimals: decimals)
    case .text(let value): return Self.quoted(value)
    case .list(let values):
      guard !values.isEmpty else { return "[]" }
      let inner = indent + "  "
      let lines = values.map { inner + $0.rendered(indent: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
    case .object(let members, let inline):
      guard !members.isEmpty else { return "{}" }
      let inner = indent + "  "
      let lines = members.map { "\(Self.quoted($0.key)): \($0.value.rendered(indent: inner))" }
      if inline { return "{" + lines.joined(separator: ", ") + "}" }
      return "{\n" + lines.map { inner + $0 }.joined(separator: ",\n") + "\n" + indent + "}"
    }
  }

  private static func number(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard value.isFinite else { return "null" }
    guard scaled.magnitude < 9e15 else { return "\(value)" }
    return "\(scaled / scale)"
  }

  /// A JSON string after RFC 8259; control characters are escaped.
  private static func quoted(_ text: String) -> String {
    let digits = Array("0123456789abcdef")
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        out += "\\u00"
        out.append(digits[Int(scalar.value >> 4)])
        out.append(digits[Int(scalar.value & 15)])
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
