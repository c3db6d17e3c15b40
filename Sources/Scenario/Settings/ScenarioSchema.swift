internal import Documents
internal import Programmes
internal import Quantities
package import RewardModel

/// The JSON Schema (draft 2020-12) of the scenario files of one program.
package struct ScenarioSchema {
  private let catalog: SettingCatalog

  /// The schema of the scenarios of a program.
  package init(_ programme: any RewardProgramme.Type) { catalog = SettingCatalog.of(programme) }

  /// The schema as JSON text.
  package var text: String {
    var members: [(String, JSONText)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("Pitboss scenario")),
    ]
    members += group(catalog.tree)
    return JSONText.object(members).rendered() + "\n"
  }

  private func schema(_ tree: SettingTree) -> JSONText {
    guard let row = tree.row else { return .object(group(tree)) }
    let setting = catalog.rows[row]
    if case .offSwitch = setting.shape {
      return .object([
        ("description", .string(setting.doc)),
        ("anyOf", .array([.object([("const", .string("none"))]), .object(group(tree))])),
      ])
    }
    var members: [(String, JSONText)] = [("description", .string(describe(setting)))]
    members += Self.fragment(setting.path == "programme" ? own : setting.shape)
    if !isRequired(setting) {
      members.append(("default", Self.json(setting.standard, setting.shape)))
    }
    members.append(("x-mark", .string(setting.mark.rawValue)))
    if !setting.unit.isEmpty { members.append(("x-unit", .string(setting.unit))) }
    return .object(members)
  }

  /// The one program that these scenarios name.
  private var own: SettingShape { .choice([catalog.programme.id]) }

  /// A scenario of any program but the first has to name it.
  private func isRequired(_ setting: SettingDescription) -> Bool {
    setting.required
      || setting.path == "programme" && catalog.programme.id != Programmes.ids.first
  }

  private func describe(_ setting: SettingDescription) -> String {
    setting.unit.isEmpty ? setting.doc : "\(setting.doc) \(setting.unitSentence)"
  }

  private func group(_ tree: SettingTree) -> [(String, JSONText)] {
    let required = tree.children.filter { $0.row.map { isRequired(catalog.rows[$0]) } ?? false }
    var members: [(String, JSONText)] = [
      ("description", .string(tree.doc)), ("type", .string("object")),
      ("additionalProperties", .bool(false)),
    ]
    if !required.isEmpty { members.append(("required", .array(required.map { .string($0.key) }))) }
    members.append(("properties", .object(tree.children.map { ($0.key, schema($0)) })))
    return members
  }

  private static func fragment(_ shape: SettingShape) -> [(String, JSONText)] {
    switch shape {
    case .integer(let range):
      return [
        ("type", .string("integer")), ("minimum", .number(String(range.lowerBound))),
        ("maximum", .number(String(range.upperBound))),
      ]
    case .decimal(let range):
      return number(
        range.lower, range.upper, lowerKey: range.lowerIncluded ? "minimum" : "exclusiveMinimum")
    case .money(let range, let currency):
      return either(
        number(Double(range.lowerBound) / 1e6, Double(range.upperBound) / 1e6),
        #"^[0-9]+(\.[0-9]{1,6})?( ?\#(currency.code))?$"#)
    case .share(let most):
      return either(number(0, Double(most) / 10_000), #"^[0-9]+(\.[0-9]+)?( ?%)?$"#)
    case .rate(let most):
      return either(number(0, Double(most) / 100_000), #"^[0-9]+(\.[0-9]+)?( ?%)?$"#)
    case .fraction(let most): return either(number(0, most), #"^[0-9]+(\.[0-9]+)?( ?%)?$"#)
    case .multiplier(let most): return number(0, Double(most) / 10_000)
    case .duration(let range, let step):
      // A pattern has no bounds, so that they are told next to it.
      func text(_ span: TimeSpan) -> JSONText { .string(SettingValue.duration(span).text) }
      return string(#"^[0-9]+(\.[0-9]+)? *(us|ms|s|min|h|d|w)$"#) + [
        ("x-minimum", text(range.lowerBound)), ("x-maximum", text(range.upperBound)),
        ("x-step", text(step)),
      ]
    case .date:
      return string(#"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"#) + [("format", .string("date"))]
    case .zone: return string(#"^(UTC|[A-Za-z_]+/[A-Za-z0-9_+/-]+)$"#)
    case .flag: return [("type", .string("boolean"))]
    case .choice(let words): return [("enum", .array(words.map { .string($0) }))]
    case .text(let most):
      return [
        ("type", .string("string")), ("minLength", .number("1")),
        ("maxLength", .number(String(most))),
      ]
    case .form(let form): return string(form.pattern)
    case .list(let element, let count):
      return array(.object(fragment(element)), count)
    case .records(let fields, let count): return array(.object(record(fields)), count)
    case .optional(let inner):
      let none = inner.leavesNone ? [JSONText.object([("const", .string("none"))])] : []
      return [
        (
          "anyOf",
          .array([.object(fragment(inner)), .object([("type", .string("null"))])] + none)
        )
      ]
    case .offSwitch: return []
    }
  }

  private static func number(_ lower: Double, _ upper: Double, lowerKey: String = "minimum")
    -> [(String, JSONText)]
  {
    [
      ("type", .string("number")), (lowerKey, .number(ExactDecimal(shortest: lower).plain)),
      ("maximum", .number(ExactDecimal(shortest: upper).plain)),
    ]
  }

  private static func string(_ pattern: String) -> [(String, JSONText)] {
    [("type", .string("string")), ("pattern", .string(pattern))]
  }

  private static func either(_ number: [(String, JSONText)], _ pattern: String)
    -> [(String, JSONText)]
  {
    [("anyOf", .array([.object(number), .object(string(pattern))]))]
  }

  private static func array(_ items: JSONText, _ count: ClosedRange<Int>) -> [(String, JSONText)] {
    [
      ("type", .string("array")), ("minItems", .number(String(count.lowerBound))),
      ("maxItems", .number(String(count.upperBound))), ("items", items),
    ]
  }

  private static func record(_ fields: [SettingDescription]) -> [(String, JSONText)] {
    let properties = fields.map { field -> (String, JSONText) in
      var members: [(String, JSONText)] = [("description", .string(field.doc))]
      members += fragment(field.shape)
      if !field.required { members.append(("default", json(field.standard, field.shape))) }
      return (field.path, .object(members))
    }
    let required = fields.filter(\.required).map { JSONText.string($0.path) }
    return [
      ("type", .string("object")), ("additionalProperties", .bool(false)),
      ("required", .array(required)), ("properties", .object(properties)),
    ]
  }

  private static func json(_ value: SettingValue, _ shape: SettingShape) -> JSONText {
    switch (value, shape) {
    case (.none, _): return .null
    case (.integer, _), (.decimal, _), (.money, _), (.multiplier, _): return .number(value.text)
    case (.flag(let flag), _): return .bool(flag)
    case (.list(let rows), .records(let fields, _)):
      return .array(
        rows.map { row in
          guard case .record(let values) = row else { return .null }
          return .object(zip(fields, values).map { ($0.path, json($1, $0.shape)) })
        })
    case (.list(let values), .list(let element, _)):
      return .array(values.map { json($0, element) })
    default: return .string(value.text)
    }
  }
}
