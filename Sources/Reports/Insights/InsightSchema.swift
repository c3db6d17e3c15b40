internal import BlakJaks
internal import Documents
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// The JSON Schema of the pages, as `pitboss schema insights` prints it.
package enum InsightSchema {
  /// JSON Schema, draft 2020-12, with a line end behind it. One definition a page stands under
  /// `$defs`; a document follows the one that its `page` names.
  package static let text: String = {
    let pages = InsightPageName.allCases.map { ($0.rawValue, page(blank($0))) }
    return JSONText.object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("title", .string("A page of Pitboss Insights")), ("description", .string(about)),
        ("oneOf", .array(pages.map { .object([("$ref", .string("#/$defs/\($0.0)"))]) })),
        ("$defs", .object(pages)),
      ]).rendered() + "\n"
  }()

  private static let about =
    "What `pitboss insights RUN PAGE --format json` prints, version 1. Amounts named _micro are "
    + "millionths of a USDT, shares named _bp hundredths of a percent, time spans named _us "
    + "microseconds. A figure is null when nothing has happened yet, or when the run does not "
    + "model it; then not_in_this_run names it, with the setting that would. Later versions only "
    + "append keys."

  /// A page of a run of one empty day: its blocks and units do not depend on the run.
  private static func blank(_ name: InsightPageName) -> InsightPage {
    var record = BlakJaksRecord()
    record.zone = "UTC"
    record.days = [BlakJaksRecord.DayRow(date: CivilDate(year: 2026, month: 1, day: 1))]
    guard let asOf = try? InsightsAsOf(record) else { fatalError("UTC is a zone") }
    return Insights.page(name, asOf)
  }

  private static func page(_ page: InsightPage) -> JSONText {
    let data = page.blocks.compactMap { block in schema(block.body).map { (block.key, $0) } }
    return object([
      ("schema_version", .object([("const", .number("\(Insights.schemaVersion)"))])),
      ("page", .object([("const", .string(page.name.rawValue))])), ("scenario", type("string")),
      ("fingerprint", type("string")),
      (
        "as_of",
        object([("date", type("string")), ("time", instant), ("zone", type("string"))])
      ), ("data", object(data)),
      (
        "not_in_this_run",
        list(object([("figure", type("string")), ("setting", nullable("string"))]))
      ),
    ])
  }

  private static func schema(_ body: InsightBlock.Body) -> JSONText? {
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
    case .heat:
      let hour = object([
        ("weekday", type("string")), ("days", type("integer")), ("scans", list(type("integer"))),
      ])
      return optional("array", [("items", hour)])
    case .gauge, .bars: return nil
    }
  }

  private static func schema(_ unit: InsightUnit, about: String) -> JSONText {
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
