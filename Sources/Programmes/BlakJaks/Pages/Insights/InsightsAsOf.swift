package import Quantities
package import RewardModel

/// A run as of the end of one of its local days: where the pages look figures up.
///
/// Daily figures exist for days' ends only, so everything on a page, the feed included, is as of
/// that one instant.
package struct InsightsAsOf: Sendable {
  package let record: BlakJaksRecord
  /// The day, its row and its end.
  package let at: PageDay
  /// Accepted scans from the program's start to `instant`.
  package let scans: Int64
  let rules: ProgrammeRules
  /// Whether it is a service's program, now.
  let isLive: Bool
  private let places: [String: Int]

  /// - Parameters:
  ///   - record: The run.
  ///   - text: As for `PageDay`.
  /// - Throws: `PageError`.
  /// - Complexity: O(days + series + settings).
  package init(_ record: BlakJaksRecord, at text: String? = nil) throws(PageError) {
    at = try PageDay(record.header, days: record.days.map(\.date), at: text)
    self.record = record
    scans = record.days[...at.row].reduce(record.opening.acceptedScans) { $0 + $1.acceptedScans }
    rules = record.rulesInForce
    isLive = false
    places = Self.places(record)
  }

  /// A service's program as of the end of the record, within its last day.
  ///
  /// - Parameters:
  ///   - record: Its days are the last ones of a program that may have had more.
  ///   - rules: In force.
  ///   - scans: Accepted scans since the program's start.
  /// - Throws: `PageError`.
  init(
    live record: BlakJaksRecord, _ rules: ProgrammeRules, scans: Int64
  ) throws(PageError) {
    at = try PageDay(record.header, days: record.days.map(\.date))
    self.record = record
    self.scans = scans
    self.rules = rules
    isLive = true
    places = Self.places(record)
  }

  private static func places(_ record: BlakJaksRecord) -> [String: Int] {
    Dictionary(
      record.series.enumerated().map { ($0.element.key, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Row of the day in the record's days.
  package var row: Int { at.row }

  /// End of the day, exclusive.
  package var instant: Instant { at.instant }

  /// The day itself.
  package var day: BlakJaksRecord.DayRow { record.days[row] }

  /// Whether the run ends with this day, so that figures of the run's end hold.
  var isLast: Bool { row == record.days.count - 1 }

  /// What is said of figures of 24 hours, which a run has for its local days, where the day is longer
  /// or shorter: clocks were changed, or the run did not have all of it.
  var dayNote: String {
    let length = at.instant - at.start
    guard !isLive, length != .hours(24) else { return "" }
    // A replay may end with a bare date, as its day begins.
    guard length >= .seconds(1) else { return "the day had only begun" }
    return "in the \(PageWords.duration(length.microseconds)) of the local day"
  }

  /// What is said of counts by local hour on days on which clocks go back: both times of the hour that
  /// comes twice are counted as one.
  func hourNote(of rows: Range<Int>) -> String {
    let dates = PageDay.withRepeatedHour(rows.map { record.days[$0].date }, record.header)
    guard !dates.isEmpty else { return "" }
    return "clocks went back on \(dates.map(\.description).joined(separator: " and ")); "
      + "the hour that came twice counts as one"
  }

  /// What is said of means by local hour: which days lack an hour, and which have one twice.
  func meanNote(of rows: Range<Int>) -> String {
    let dates = PageDay.withoutOneHour(rows.map { record.days[$0].date }, record.header)
    let skipped =
      dates.isEmpty
      ? ""
      : "clocks went forward on \(dates.map(\.description).joined(separator: " and ")); the skipped "
        + "hour counts as an hour without scans"
    return [skipped, hourNote(of: rows)].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// What is said of sums that begin with the record's days, where the program began before them.
  var sinceOpening: String {
    record.opening.acceptedScans > 0 ? "since \(record.days[0].date)" : ""
  }

  /// Since when sums of the record's days add up, in words.
  var since: String {
    record.opening.acceptedScans > 0 ? record.days[0].date.description : "the start"
  }

  /// The title of what adds up, with since when it does where the program began before.
  func title(_ title: String, _ what: String = "") -> String {
    sinceOpening.isEmpty ? title : "\(title), \(what)\(sinceOpening)"
  }

  /// Rows of the last so many days, this one included.
  func rows(last count: Int) -> Range<Int> { max(0, row + 1 - count)..<(row + 1) }

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
  func value(_ key: String) -> PageValue {
    guard has(key) else {
      let setting = BlakJaksSeries.catalog.declaration(of: key)?.setting
      return isLive && !isOff(setting) ? .unknownToService : .notInRun(setting: setting)
    }
    return .known(number(key))
  }

  /// Whether a setting keeps a service from having a series; how members behave, and whether there is
  /// a shop, changes none of a service's series.
  private func isOff(_ setting: String?) -> Bool {
    switch setting {
    case "rules.affiliates.weekly_pool": !rules.affiliates.weeklyPool
    case "rules.chips.enabled": !rules.chips.enabled
    case "rules.prizes": rules.prizes.isEmpty
    case "rules.sunset.enabled": !rules.sunset.enabled
    case "rules.wholesale.accounts": rules.wholesale.accounts == 0
    default: false
    }
  }

  /// A figure from a series; without another note, one that adds up says since when it does.
  func figure(
    _ key: String, _ label: String, _ unit: MeasureUnit, _ series: String, note: String = ""
  ) -> PageFigure {
    figure(key, label, unit, series, else: nil, note: note)
  }

  /// A figure from a series, or else from what the record says in another way; its note is as above.
  func figure(
    _ key: String, _ label: String, _ unit: MeasureUnit, _ series: String, else other: Int64?,
    note: String = ""
  ) -> PageFigure {
    let value = has(series) ? value(series) : other.map { .number($0) } ?? value(series)
    let since = note.isEmpty && BlakJaksSeries.addsUp(series) ? sinceOpening : ""
    return PageFigure(key, label, unit, value, note: note + since)
  }

  /// The last 90 days of several series.
  func history(
    _ unit: MeasureUnit, _ lines: [(key: String, label: String, series: String)]
  ) -> PageHistory {
    let rows = rows(last: 90)
    let known = lines.filter { has($0.series) }
    return PageHistory(
      dates: rows.map { record.days[$0].date },
      lines: lines.map { line in
        PageHistory.Line(
          key: line.key, label: line.label, unit: unit,
          values: rows.map { number(line.series, row: $0) })
      },
      absence: known.isEmpty ? lines.first.map { value($0.series) } : nil)
  }

  /// The frame of a page.
  func page(_ name: InsightPage, _ blocks: [PageBlock]) -> Page {
    Page(name.description, of: record.header, in: .usdt, at: at, blocks)
  }
}
