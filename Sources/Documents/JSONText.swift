/// A JSON value whose keys keep their order and whose numbers are as they are written.
package indirect enum JSONText: Sendable {
  /// A member a line.
  case object([(key: String, value: JSONText)])
  /// An object on one line, with all that is in it.
  case line([(key: String, value: JSONText)])
  /// On one line unless there are objects in it; else an element a line.
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
        "\(pad)\(Self.quoted($0.key)): \($0.value.rendered(indent: indent + 2))"
      }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    case .line: return flat
    case .array(let values):
      guard values.contains(where: \.isObject) else { return flat }
      let lines = values.map { pad + $0.rendered(indent: indent + 2) }
      return "[\n" + lines.joined(separator: ",\n") + end + "]"
    case .string(let text): return Self.quoted(text)
    case .number(let digits): return digits
    case .bool(let flag): return flag ? "true" : "false"
    case .null: return "null"
    }
  }

  /// The value on one line.
  package var flat: String {
    switch self {
    case .object(let members), .line(let members):
      "{" + members.map { "\(Self.quoted($0.key)): \($0.value.flat)" }.joined(separator: ", ") + "}"
    case .array(let values): "[" + values.map(\.flat).joined(separator: ", ") + "]"
    default: rendered()
    }
  }

  private var isObject: Bool {
    switch self {
    case .object, .line: true
    default: false
    }
  }

  /// A whole number.
  package static func integer(_ number: some BinaryInteger) -> JSONText {
    .number(String(number))
  }

  /// A number rounded to so many decimals; `null` when it is not finite.
  package static func real(_ value: Double, decimals: Int) -> JSONText {
    guard value.isFinite else { return .null }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    return .number(scaled.magnitude < 9e15 ? "\(scaled / scale)" : "\(value)")
  }

  /// Text in double quotes, as JSON and YAML read it.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"" + text + "\"" }
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
