internal import Documents
internal import Quantities
internal import RewardModel
internal import Scenario

extension Insights {
  /// Version of the JSON of the pages. Later versions only append keys.
  package static let schemaVersion = 1

  /// A page as JSON with a line end behind it.
  ///
  /// Keys keep their order. Amounts end with `_micro` (millionths of a USDT), shares with `_bp`
  /// (hundredths of a percent), time spans with `_us` (microseconds); instants are ISO 8601 in UTC.
  /// What the run does not model is null and listed in `not_in_this_run`.
  package static func json(_ page: InsightPage) -> String {
    let data = page.blocks.compactMap { block in
      InsightJSON.value(block.body).map { (block.key, $0) }
    }
    let document = JSONText.object([
      ("schema_version", .number("\(schemaVersion)")), ("page", .string(page.name.rawValue)),
      ("scenario", .string(page.scenario)), ("fingerprint", .string(page.fingerprint)),
      (
        "as_of",
        .object([
          ("date", .string(page.date.description)), ("time", .string(page.instant.description)),
          ("zone", .string(page.zone)),
        ])
      ),
      ("data", .object(data)),
      ("not_in_this_run", .array(page.blocks.flatMap(InsightJSON.absences))),
    ])
    return document.rendered() + "\n"
  }
}

/// The blocks of a page as JSON.
enum InsightJSON {
  /// Nil for pictures of what another block holds.
  static func value(_ body: InsightBlock.Body) -> JSONText? {
    switch body {
    case .figures(let figures):
      .object(figures.map { ($0.key + $0.unit.suffix, value($0.value, $0.unit)) })
    case .table(let table): value(table)
    case .history(let history): value(history)
    case .heat(let heat): value(heat)
    case .gauge, .bars: nil
    }
  }

  static func value(_ value: InsightValue, _ unit: InsightUnit) -> JSONText {
    switch value {
    case .none, .notInRun: .null
    case .text(let text): .string(text)
    case .number(let number):
      switch unit {
      case .instant: .string(Instant(microseconds: number).description)
      case .flag: .bool(number != 0)
      default: .number("\(number)")
      }
    }
  }

  private static func value(_ table: InsightTable) -> JSONText {
    guard table.absence == nil else { return .null }
    return .array(
      (table.rows + (table.total.map { [$0] } ?? [])).map { row in
        .object(
          zip(table.columns, row).map { ($0.key + $0.unit.suffix, value($1, $0.unit)) })
      })
  }

  private static func value(_ history: InsightHistory) -> JSONText {
    guard history.absence == nil else { return .null }
    return .object(
      [("dates", .array(history.dates.map { .string($0.description) }))]
        + history.lines.map { line in
          (
            line.key + line.unit.suffix,
            .array(line.values.map { $0.map { .number("\($0)") } ?? .null })
          )
        })
  }

  private static func value(_ heat: InsightHeat) -> JSONText {
    guard heat.absence == nil else { return .null }
    return .array(
      heat.scans.indices.map { day in
        .object([
          ("weekday", .string(InsightWords.weekdays[day])),
          ("days", .number("\(heat.days[day])")),
          ("scans", .array(heat.scans[day].map { .number("\($0)") })),
        ])
      })
  }

  /// What the run does not model: the figure's place in `data`, and the setting that would.
  static func absences(_ block: InsightBlock) -> [JSONText] {
    func row(_ figure: String, _ value: InsightValue) -> JSONText? {
      guard case .notInRun(let setting) = value else { return nil }
      return .object([
        ("figure", .string(figure)), ("setting", setting.map { .string($0) } ?? .null),
      ])
    }
    switch block.body {
    case .figures(let figures):
      return figures.compactMap { row("\(block.key).\($0.key)\($0.unit.suffix)", $0.value) }
    case .table(let table): return [table.absence.flatMap { row(block.key, $0) }].compactMap { $0 }
    case .history(let history):
      return [history.absence.flatMap { row(block.key, $0) }].compactMap { $0 }
    case .heat(let heat): return [heat.absence.flatMap { row(block.key, $0) }].compactMap { $0 }
    case .gauge, .bars: return []
    }
  }
}
