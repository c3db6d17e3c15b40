internal import Foundation
internal import Quantities
internal import RewardModel

/// Checks what a client sent against the fields that an endpoint takes.
enum CallParser {
  /// A JSON value, with numbers as they are written as far as a decimal holds them.
  private enum Value: Decodable {
    case null
    case flag(Bool)
    case number(Decimal)
    case text(String)
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Decimal.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    }
  }

  /// The values of a JSON object.
  ///
  /// - Throws: 400 for what is no JSON object, 422 for values that do not fit, all of them named.
  static func values(
    _ body: Data, _ fields: [ServedField]
  ) throws(ServedRefusal) -> [String: FieldValue] {
    let members: [String: Value]
    do {
      members = body.isEmpty ? [:] : try JSONDecoder().decode([String: Value].self, from: body)
    } catch {
      throw ServedRefusal(400, "not JSON", "the body is not a JSON object")
    }
    return try values(members, fields) { $0 }
  }

  /// The values of a query.
  ///
  /// - Throws: 422 for values that do not fit, all of them named.
  static func values(
    query: [(String, String)], _ fields: [ServedField]
  ) throws(ServedRefusal) -> [String: FieldValue] {
    let members = Dictionary(query.map { ($0.0, $0.1) }) { _, last in last }
    return try values(members, fields) { Decimal(string: $0).map(Value.number) ?? .text($0) }
  }

  private static func values<Raw>(
    _ members: [String: Raw], _ fields: [ServedField], _ value: (Raw) -> Value
  ) throws(ServedRefusal) -> [String: FieldValue] {
    var problems: [String] = []
    var values: [String: FieldValue] = [:]
    for field in fields {
      guard let raw = members[field.name] else {
        if !field.isOptional { problems.append("\(field.name) is missing") }
        continue
      }
      let value = value(raw)
      if case .null = value, field.isOptional { continue }
      guard let fit = fit(value, field.kind) else {
        problems.append("\(field.name) has to be \(words(field.kind))")
        continue
      }
      values[field.name] = fit
    }
    let known = Set(fields.map(\.name))
    for name in members.keys.filter({ !known.contains($0) }).sorted().prefix(3) {
      problems.append("\(name.prefix(40)) is not taken here")
    }
    guard problems.isEmpty else {
      throw ServedRefusal(422, "wrong values", problems.joined(separator: "; "))
    }
    return values
  }

  private static func fit(_ value: Value, _ kind: ServedField.Kind) -> FieldValue? {
    switch (kind, value) {
    case (.text(let most), .text(let text)):
      text.utf8.count <= most && !text.utf8.contains(0) ? .text(text) : nil
    case (.date, .text(let text)): CivilDate(text).map { _ in .text(text) }
    case (.whole(let range), .number(let number)):
      whole(number).flatMap { range.contains($0) ? .whole($0) : nil }
    case (.money(let most), .number(let number)):
      whole(number * 1_000_000).flatMap { $0 > 0 && $0 <= most.microunits ? .whole($0) : nil }
    default: nil
    }
  }

  /// A number without a fraction that 64 bits hold.
  private static func whole(_ number: Decimal) -> Int64? {
    Int64("\(number)")
  }

  private static func words(_ kind: ServedField.Kind) -> String {
    switch kind {
    case .text(let most): "a text of at most \(most) bytes"
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .money(let most):
      "an amount above 0 and at most \(most.microunits / 1_000_000), with at most 6 decimals"
    case .date: "a date like 1990-12-31"
    }
  }
}
