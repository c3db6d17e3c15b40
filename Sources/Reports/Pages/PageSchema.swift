internal import Documents
internal import Foundation
package import RewardModel
internal import Scenario

/// The JSON Schema of a program's pages, as `pitboss schema insights` prints it.
package enum PageSchema {
  /// JSON Schema, draft 2020-12, ending with a line feed. There is one definition per page, under
  /// `$defs`; a document follows the one that its `page` names.
  package static func text<P: RewardProgramme>(of programme: P.Type) -> String {
    let specimen = programme.specimen
    let pages = programme.pages.map { description in
      guard let page = try? programme.page(description.id, of: specimen, at: nil) else {
        fatalError("the specimen of '\(programme.id)' has no page '\(description.id)'")
      }
      return (description.id, self.page(page))
    }
    return JSONText.object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("title", .string("A page of Pitboss Insights")),
        ("description", .string(about(programme.figures.currency))),
        ("oneOf", .array(pages.map { .object([("$ref", .string("#/$defs/\($0.0)"))]) })),
        ("$defs", .object(pages)),
      ]).rendered() + "\n"
  }

  private static func about(_ currency: Currency) -> String {
    "What `pitboss insights RUN PAGE --format json` prints, version 1. Amounts named _micro are "
      + "millionths of a \(currency.code), shares named _bp hundredths of a percent, time spans named "
      + "_us microseconds. A figure is null when nothing has happened yet, or when the run does not "
      + "model it or a service does not know it; then not_in_this_run names it, with the setting that "
      + "would and the reason. Later versions only append keys."
  }

  private static func page(_ page: Page) -> JSONText {
    let data = page.blocks.compactMap { block in schema(block.body).map { (block.key, $0) } }
    return object([
      ("schema_version", .object([("const", .number("\(PageJSON.schemaVersion)"))])),
      ("page", .object([("const", .string(page.description.id))])), ("scenario", type("string")),
      ("fingerprint", type("string")),
      (
        "as_of",
        object([("date", type("string")), ("time", instant), ("zone", type("string"))])
      ), ("data", object(data)),
      (
        "not_in_this_run",
        list(
          object([
            ("figure", type("string")), ("setting", nullable("string")), ("reason", type("string")),
          ]))
      ),
    ])
  }

  private static func schema(_ body: PageBlock.Body) -> JSONText? {
    switch body {
    case .figures(let figures):
      return object(figures.map { ($0.key + $0.unit.suffix, schema($0.unit, about: $0.label)) })
    case .table(let table):
      return optional(
        "array",
        [
          (
            "items",
            object(
              table.columns.map { ($0.key + $0.unit.suffix, schema($0.unit, about: $0.title)) })
          )
        ])
    case .history(let history):
      let lines = history.lines.map { line in
        (line.key + line.unit.suffix, list(schema(line.unit, about: line.label)))
      }
      let all = [("dates", list(type("string")))] + lines
      return optional("object", members(all))
    case .heat(let heat):
      let hour = object([
        ("weekday", type("string")), ("days", type("integer")),
        (heat.counted, list(type("integer"))),
      ])
      return optional("array", [("items", hour)])
    case .gauge, .bars: return nil
    }
  }

  private static func schema(_ unit: MeasureUnit, about: String) -> JSONText {
    let kind =
      switch unit {
      case .count, .money, .share, .duration, .days: "integer"
      case .instant, .text, .hash: "string"
      case .flag: "boolean"
      }
    return .object([("description", .string(about)), ("type", types(kind))])
  }

  private static func types(_ kind: String) -> JSONText {
    .array([.string(kind), .string("null")])
  }

  private static func type(_ kind: String) -> JSONText { .object([("type", .string(kind))]) }

  private static func nullable(_ kind: String) -> JSONText { .object([("type", types(kind))]) }

  private static let instant = JSONText.object([
    ("description", .string("ISO 8601, UTC, microseconds.")), ("type", .string("string")),
  ])

  private static func list(_ items: JSONText) -> JSONText {
    .object([("type", .string("array")), ("items", items)])
  }

  private static func optional(_ kind: String, _ more: [(String, JSONText)]) -> JSONText {
    .object([("type", types(kind))] + more)
  }

  private static func members(_ properties: [(String, JSONText)]) -> [(String, JSONText)] {
    [
      ("required", .array(properties.map { .string($0.0) })), ("properties", .object(properties)),
    ]
  }

  private static func object(_ properties: [(String, JSONText)]) -> JSONText {
    .object([("type", .string("object"))] + members(properties))
  }
}
