package import NIOCore
internal import Quantities
package import RewardModel

/// Checks what a client sent against the fields that an endpoint takes.
package enum CallParser {
  /// The values of a JSON object.
  ///
  /// - Throws: 400 for what is no JSON object, 422 for values that do not fit, all of them named.
  package static func values(
    _ body: ByteBuffer, _ fields: [ServedField]
  ) throws(ServedRefusal) -> [String: FieldValue] {
    guard body.readableBytes > 0 else { return try values([:], fields) }
    let read: Result<[String: JSONReader.Value], JSONReader.Refusal> =
      body.withUnsafeReadableBytes { bytes in
        Result { () throws(JSONReader.Refusal) in try JSONReader.object(bytes) }
      }
    switch read {
    case .success(let members): return try values(members, fields)
    case .failure(let refusal):
      throw ServedRefusal(400, "not JSON", "the body \(words(refusal))")
    }
  }

  /// The values of a query, each of which comes once.
  ///
  /// - Throws: 422 for values that do not fit, all of them named.
  package static func values(
    query: [(String, String)], _ fields: [ServedField]
  ) throws(ServedRefusal) -> [String: FieldValue] {
    var members: [String: JSONReader.Value] = [:]
    for (name, text) in query {
      let kind = fields.first { $0.name == name }?.kind
      let value = JSONReader.Value(text, kind)
      guard members.updateValue(value, forKey: name) == nil else {
        throw ServedRefusal(422, "wrong values", "\(shown(name)) comes twice")
      }
    }
    return try values(members, fields)
  }

  private static func values(
    _ members: [String: JSONReader.Value], _ fields: [ServedField]
  ) throws(ServedRefusal) -> [String: FieldValue] {
    var problems: [String] = []
    var values: [String: FieldValue] = [:]
    for field in fields {
      guard let value = members[field.name] else {
        if !field.isOptional { problems.append("\(field.name) is missing") }
        continue
      }
      guard let fit = fit(value, field.kind) else {
        problems.append("\(field.name) has to be \(words(field.kind))")
        continue
      }
      values[field.name] = fit
    }
    if members.count > values.count {
      let others = members.keys.filter { name in !fields.contains { $0.name == name } }
      for name in others.sorted().prefix(3) {
        problems.append("\(shown(name)) is not taken here")
      }
    }
    guard problems.isEmpty else {
      throw ServedRefusal(422, "wrong values", problems.joined(separator: "; "))
    }
    return values
  }

  private static func fit(
    _ value: JSONReader.Value, _ kind: ServedField.Kind
  ) -> FieldValue? {
    switch (kind, value) {
    case (.text(let least, let most), .text(let text)):
      (least...most).contains(text.unicodeScalars.count) && !text.utf8.contains(0)
        ? .text(text) : nil
    case (.email, .text(let text)): isEmail(text) ? .text(text) : nil
    case (.date, .text(let text)): CivilDate(text).map { _ in .text(text) }
    case (.whole(let range), .number(let number)):
      number.scaled().flatMap { range.contains($0) ? .whole($0) : nil }
    case (.money(let most), .number(let number)):
      number.scaled(byPowerOfTen: 6).flatMap {
        $0 > 0 && $0 <= most.microunits ? .whole($0) : nil
      }
    default: nil
    }
  }

  /// The beginning of a client's name for something, without control characters.
  private static func shown(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { $0.value >= 0x20 }))
  }

  /// Whether a text is an address that is taken.
  static func isEmail(_ text: String) -> Bool {
    guard text.utf8.count <= 254, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return false
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
  }

  private static func words(_ refusal: JSONReader.Refusal) -> String {
    switch refusal {
    case .notJSON, .notObject: "is not a JSON object"
    case .notUTF8: "is not UTF-8, or has half of a pair of \\u escapes"
    case .tooDeep: "is nested deeper than \(JSONReader.depth) levels"
    case .duplicate(let name): "has \(shown(name)) twice"
    case .tooMany: "has more than \(JSONReader.members) members"
    }
  }

  private static func words(_ kind: ServedField.Kind) -> String {
    switch kind {
    case .text(let least, let most):
      "a text of \(least == 0 ? "at most" : "\(least) to") \(most) characters, none of them NUL"
    case .email: "an email address"
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .money(let most):
      "an amount above 0 and at most \(most.microunits / 1_000_000), with at most 6 decimals"
    case .date: "a date like 1990-12-31"
    }
  }
}

extension JSONReader.Value {
  /// A value of a query: a number where one is asked for.
  fileprivate init(_ text: String, _ kind: ServedField.Kind?) {
    switch kind {
    case .whole, .money: self = DecimalText(text.utf8).map { .number($0) } ?? .text(text)
    default: self = .text(text)
    }
  }
}
