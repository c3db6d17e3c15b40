/// A JSON value whose keys keep their order.
package indirect enum JSONText {
  case object([(String, JSONText)])
  case array([JSONText])
  case string(String)
  /// A number as it is written.
  case number(String)
  case bool(Bool)
  case null

  /// The value over several lines, indented by two spaces a level.
  package func rendered(indent: Int = 0) -> String {
    let pad = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map {
        "\(pad)\(Self.quoted($0.0)): \($0.1.rendered(indent: indent + 2))"
      }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    case .array(let values):
      let isFlat = values.allSatisfy { if case .object = $0 { false } else { true } }
      if isFlat { return "[" + values.map { $0.rendered() }.joined(separator: ", ") + "]" }
      let lines = values.map { pad + $0.rendered(indent: indent + 2) }
      return "[\n" + lines.joined(separator: ",\n") + end + "]"
    case .string(let text): return Self.quoted(text)
    case .number(let digits): return digits
    case .bool(let flag): return flag ? "true" : "false"
    case .null: return "null"
    }
  }

  /// Text in double quotes, as JSON and YAML read it.
  package static func quoted(_ text: String) -> String {
    var answer = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": answer += "\\\""
      case "\\": answer += "\\\\"
      case "\n": answer += "\\n"
      case "\r": answer += "\\r"
      case "\t": answer += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
        || scalar.value == 0x2028 || scalar.value == 0x2029 || scalar.value == 0xFEFF:
        let digits = String(scalar.value, radix: 16)
        answer += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: answer.unicodeScalars.append(scalar)
      }
    }
    return answer + "\""
  }
}
