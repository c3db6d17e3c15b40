package import Documents
internal import Quantities
package import RewardModel
internal import Scenario

/// The pages as JSON.
package enum PageJSON {
  /// Version of the JSON of the pages. Later versions only append keys.
  package static let schemaVersion = 1

  /// A page as JSON ending with a line feed.
  ///
  /// Keys keep their order. Amounts end with `_micro` (millionths of the page's currency), shares with `_bp`
  /// (hundredths of a percent), time spans with `_us` (microseconds); instants are ISO 8601 in UTC.
  /// What the run does not model, or the service does not know, is null and listed in
  /// `not_in_this_run`.
  package static func text(_ page: Page) -> String { document(page).rendered() + "\n" }

  /// What a page shows, by its blocks: the member `data` of its JSON.
  package static func data(_ page: Page) -> JSONText {
    .object(
      page.blocks.compactMap { block in
        value(block.body).map { (block.key, $0) }
      })
  }

  /// A page as JSON; see `text`.
  package static func document(_ page: Page) -> JSONText {
    .object([
      ("schema_version", .number("\(schemaVersion)")), ("page", .string(page.description.id)),
      ("scenario", .string(page.scenario)), ("fingerprint", .string(page.fingerprint)),
      (
        "as_of",
        .object([
          ("date", .string(page.date.description)), ("time", .string(page.instant.description)),
          ("zone", .string(page.zone)),
        ])
      ),
      ("data", data(page)),
      ("not_in_this_run", .array(page.blocks.flatMap(absences))),
    ])
  }

  /// Nil for pictures of what another block holds.
  static func value(_ body: PageBlock.Body) -> JSONText? {
    switch body {
    case .figures(let figures):
      .object(figures.map { ($0.key + $0.unit.suffix, value($0.value, $0.unit)) })
    case .table(let table): value(table)
    case .history(let history): value(history)
    case .heat(let heat): value(heat)
    case .gauge, .bars: nil
    }
  }

  static func value(_ value: PageValue, _ unit: MeasureUnit) -> JSONText {
    switch value {
    case .none, .notInRun, .unknownToService: .null
    case .text(let text), .verdict(let text, _): .string(text)
    case .number(let number), .worded(let number, _):
      switch unit {
      case .instant: .string(Instant(microseconds: number).description)
      case .flag: .bool(number != 0)
      default: .number("\(number)")
      }
    }
  }

  private static func value(_ table: PageTable) -> JSONText {
    guard table.absence == nil else { return .null }
    return .array(
      (table.rows + (table.total.map { [$0] } ?? [])).map { row in
        .object(
          zip(table.columns, row).map { ($0.key + $0.unit.suffix, value($1, $0.unit)) })
      })
  }

  private static func value(_ history: PageHistory) -> JSONText {
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

  private static func value(_ heat: PageHeat) -> JSONText {
    guard heat.absence == nil else { return .null }
    return .array(
      heat.counts.indices.map { day in
        .object([
          ("weekday", .string(PageWords.weekdays[day])),
          ("days", .number("\(heat.days[day])")),
          (heat.counted, .array(heat.counts[day].map { .number("\($0)") })),
        ])
      })
  }

  /// What the run does not model or the service does not know: the figure's place in `data`, the
  /// setting that would, and the reason.
  static func absences(_ block: PageBlock) -> [JSONText] {
    func row(_ figure: String, _ value: PageValue) -> JSONText? {
      guard let absence = value.absence else { return nil }
      return .object([
        ("figure", .string(figure)),
        ("setting", PageWords.setting(absence).map { .string($0) } ?? .null),
        ("reason", .string(PageWords.absence(absence))),
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
