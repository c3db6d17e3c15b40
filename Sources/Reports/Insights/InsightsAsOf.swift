package import BlakJaks
internal import Foundation
package import Quantities
internal import RewardModel

/// Why a page cannot be shown as of an instant.
package enum InsightsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not a date or an instant.
  case malformed(String)
  /// Not in the run, which covers the range in the text.
  case outside(String, range: String)
  /// The run was stopped before its first day began.
  case noDays
  case unknownZone(String)

  package var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is no date and no instant; write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ"
    case .outside(let text, let range):
      "\(text) is outside the run, which covers \(range); choose a day in it"
    case .noDays: "the run has no day; run the scenario again"
    case .unknownZone(let name): "the run's time zone '\(name)' is not known here"
    }
  }
}

/// A run as it stood at the end of one of its local days: where the pages look figures up.
///
/// Daily figures exist for days' ends only, so everything on a page, the feed included, stands at
/// that one instant.
package struct InsightsAsOf: Sendable {
  package let record: BlakJaksRecord
  /// Row of the day in the record's days.
  package let row: Int
  /// End of the day, exclusive.
  package let instant: Instant
  /// Accepted scans from the run's start to `instant`.
  package let scans: Int64
  let figures: RunFigures
  private let places: [String: Int]
  private let settings: [String: String]

  /// - Parameter text: A local date `YYYY-MM-DD`, or an instant after ISO 8601, which stands for
  ///   the local day that contains it (the run's end for its last day); nil for the last day.
  /// - Throws: `InsightsError`.
  /// - Complexity: O(days + series + settings).
  package init(_ record: BlakJaksRecord, at text: String? = nil) throws(InsightsError) {
    guard let last = record.days.last else { throw .noDays }
    guard var parser = try? InstantParser(zone: record.zone) else {
      throw .unknownZone(record.zone)
    }
    let date: CivilDate
    if let text {
      date = try Self.date(text, record, &parser)
    } else {
      date = last.date
    }
    guard let row = record.days.lastIndex(where: { $0.date == date }) else {
      throw .outside(text ?? "\(date)", range: Self.range(record))
    }
    self.record = record
    self.row = row
    instant = min(parser.midnight(of: date.adding(days: 1)), record.end)
    scans = record.days[...row].reduce(0) { $0 + $1.acceptedScans }
    figures = RunFigures(record)
    places = Dictionary(
      record.series.enumerated().map { ($0.element.key, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    settings = Dictionary(
      record.settings.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
  }

  private static func date(
    _ text: String, _ record: BlakJaksRecord, _ parser: inout InstantParser
  ) throws(InsightsError) -> CivilDate {
    guard let instant = parser.parse(text) else { throw .malformed(text) }
    if text.utf8.count == 10, let date = CivilDate(text) { return date }
    guard instant >= record.start, instant <= record.end else {
      throw .outside(text, range: range(record))
    }
    if instant == record.end { return record.days[record.days.count - 1].date }
    let date = parser.localDate(of: instant)
    // Where clocks fall back across midnight, a date's first hour reads like the day before.
    let next = date.adding(days: 1)
    return instant >= parser.midnight(of: next) ? next : date
  }

  private static func range(_ record: BlakJaksRecord) -> String {
    guard let first = record.days.first?.date, let last = record.days.last?.date else { return "" }
    return "\(first) to \(last) (\(record.zone); \(record.start) to \(record.end))"
  }

  /// The day itself.
  package var day: BlakJaksRecord.DayRow { record.days[row] }

  /// Whether the run ends with this day, so that figures of the run's end hold.
  var isLast: Bool { row == record.days.count - 1 }

  /// Rows of the last so many days, this one included.
  func rows(last count: Int) -> Range<Int> { max(0, row + 1 - count)..<(row + 1) }

  /// A setting's value as text.
  func setting(_ path: String) -> String? { settings[path] }

  /// A share of the settings in basis points, read exactly; nil when it is not there.
  func share(_ path: String) -> BasisPoints? {
    guard let text = settings[path], text.hasSuffix("%") else { return nil }
    let parts = text.dropLast().split(separator: " ").joined()
      .split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ Int64($0) }), whole >= 0, parts.count <= 2 else {
      return nil
    }
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    guard decimals.utf8.count <= 2, decimals.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    let padded = Int64(decimals + String(repeating: "0", count: 2 - decimals.utf8.count)) ?? 0
    return BasisPoints(whole * 100 + padded)
  }

  // MARK: - Series

  /// Whether the run holds a series.
  func has(_ key: String) -> Bool { places[key] != nil }

  /// A series' value at the day's end; nil when it is not defined or not in the run.
  package func number(_ key: String) -> Int64? { number(key, row: row) }

  /// The same for another day.
  func number(_ key: String, row: Int) -> Int64? {
    guard let place = places[key], row < record.series[place].values.count else { return nil }
    return record.series[place].values[row]
  }

  /// A series' value, or why there is none.
  func value(_ key: String) -> InsightValue {
    guard has(key) else { return .notInRun(setting: InsightSettings.path(of: key)) }
    return number(key).map { .number($0) } ?? .none
  }

  /// A figure from a series.
  func figure(
    _ key: String, _ label: String, _ unit: InsightUnit, _ series: String, note: String = ""
  ) -> InsightFigure {
    InsightFigure(key, label, unit, value(series), note: note)
  }

  /// A figure from a series, or else from what the record says in another way.
  func figure(
    _ key: String, _ label: String, _ unit: InsightUnit, _ series: String, else other: Int64?,
    note: String = ""
  ) -> InsightFigure {
    let value = has(series) ? value(series) : other.map { .number($0) } ?? value(series)
    return InsightFigure(key, label, unit, value, note: note)
  }

  /// The last 90 days of several series.
  func history(
    _ unit: InsightUnit, _ lines: [(key: String, label: String, series: String)]
  ) -> InsightHistory {
    let rows = rows(last: 90)
    let known = lines.filter { has($0.series) }
    return InsightHistory(
      dates: rows.map { record.days[$0].date },
      lines: lines.map { line in
        InsightHistory.Line(
          key: line.key, label: line.label, unit: unit,
          values: rows.map { number(line.series, row: $0) })
      },
      absence: known.isEmpty ? lines.first.map { value($0.series) } : nil)
  }

  /// The frame of a page.
  func page(_ name: InsightPageName, _ blocks: [InsightBlock]) -> InsightPage {
    InsightPage(
      name: name, scenario: record.scenario, fingerprint: record.fingerprint, zone: record.zone,
      date: day.date, instant: instant, blocks: blocks)
  }
}

/// Which setting makes a run model a series.
enum InsightSettings {
  /// Beginnings of keys.
  private static let paths: [(prefix: String, path: String)] = [
    ("chips.", "rules.chips.enabled"), ("sunset.", "rules.sunset.enabled"),
    ("wholesale.", "rules.wholesale.accounts"), ("wallet.", "population.wallet.enabled"),
    ("shop.", "rules.shop.enabled"), ("sales_tax", "rules.shop.enabled"),
    ("social.", "population.chat.enabled"),
  ]

  /// Nil for what no setting switches: runs lack it that an earlier version recorded.
  static func path(of key: String) -> String? {
    paths.first { key.hasPrefix($0.prefix) }?.path
  }
}
