package import Quantities

/// Why a page cannot be shown as of an instant.
package enum PageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not a date or an instant.
  case malformed(String)
  /// Not in the run, which covers the range in the text.
  case outside(String, range: String)
  /// The run was stopped before its first day began.
  case noDays
  case unknownZone(String)
  /// The program has no page of this id.
  case unknownPage(String, known: [String])

  package var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is neither a date nor a time; write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ssZ"
    case .outside(let text, let range):
      "\(text) is outside the run, which covers \(range); choose a day in it"
    case .noDays: "the run has no days; run the scenario again"
    case .unknownZone(let name): "the run's time zone '\(name)' is not known on this machine"
    case .unknownPage(let id, let known):
      "'\(id)' is not a page; the pages are \(known.joined(separator: ", "))"
    }
  }
}

/// A local day of a run, at whose end a page shows it: daily figures exist for days' ends only.
package struct PageDay: Sendable {
  /// The day's row among the run's days.
  package let row: Int
  package let date: CivilDate
  /// Start of the day: the run's start for a day that it began within.
  package let start: Instant
  /// End of the day, exclusive: the run's end for a day that was not run to its end.
  package let instant: Instant
  /// Whether the run ends within the day.
  package let isCut: Bool

  /// - Parameters:
  ///   - header: Of the run.
  ///   - days: The run's local days, in order.
  ///   - text: A local date `YYYY-MM-DD`, or an instant after ISO 8601, which selects the local
  ///     day that contains it (the run's end for its last day); nil for the last day.
  /// - Throws: `PageError`.
  /// - Complexity: O(days).
  package init(
    _ header: RunHeader, days: [CivilDate], at text: String? = nil
  ) throws(PageError) {
    guard let first = days.first, let last = days.last else { throw .noDays }
    guard var parser = try? InstantParser(zone: header.zone) else {
      throw .unknownZone(header.zone)
    }
    let range = "\(first) to \(last) (\(header.zone); \(header.start) to \(header.end))"
    date =
      try text.map { text throws(PageError) in
        try Self.date(text, header, last: last, range: range, &parser)
      } ?? last
    guard let row = days.lastIndex(of: date) else {
      throw .outside(text ?? "\(date)", range: range)
    }
    self.row = row
    start = max(parser.midnight(of: date), header.start)
    let midnight = parser.midnight(of: date.adding(days: 1))
    instant = min(midnight, header.end)
    isCut = header.end < midnight
  }

  /// Those of a run's local days in which a local hour comes twice, as clocks go back.
  ///
  /// - Complexity: O(days).
  package static func withRepeatedHour(_ days: [CivilDate], _ header: RunHeader) -> [CivilDate] {
    guard let parser = try? InstantParser(zone: header.zone) else { return [] }
    return days.filter { date in
      let end = min(parser.midnight(of: date.adding(days: 1)), header.end)
      return end - max(parser.midnight(of: date), header.start) > .hours(24)
    }
  }

  /// Those of a run's whole local days that lack a local hour, as clocks go forward.
  ///
  /// - Complexity: O(days).
  package static func withoutOneHour(_ days: [CivilDate], _ header: RunHeader) -> [CivilDate] {
    guard let parser = try? InstantParser(zone: header.zone) else { return [] }
    return days.filter { date in
      let end = parser.midnight(of: date.adding(days: 1))
      return end <= header.end && end - parser.midnight(of: date) < .hours(24)
    }
  }

  private static func date(
    _ text: String, _ header: RunHeader, last: CivilDate, range: String,
    _ parser: inout InstantParser
  ) throws(PageError) -> CivilDate {
    guard let instant = parser.parse(text) else { throw .malformed(text) }
    if text.utf8.count == 10, let date = CivilDate(text) { return date }
    guard instant >= header.start, instant <= header.end else {
      throw .outside(text, range: range)
    }
    if instant == header.end { return last }
    let date = parser.localDate(of: instant)
    // Where clocks fall back across midnight, a date's first hour reads like the day before.
    let next = date.adding(days: 1)
    return instant >= parser.midnight(of: next) ? next : date
  }
}
