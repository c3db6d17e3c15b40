package import Quantities

/// When the weekly live stream starts, by the wall clock of the program's zone.
package struct StreamSchedule: Sendable {
  private let calendar: ProgrammeCalendar
  private let weekday: Int
  private let hour: Int

  /// - Parameters:
  ///   - settings: Weekday 0...6 and hour 0...23.
  ///   - calendar: The run's local days and clock changes.
  package init(_ settings: StreamSettings, calendar: ProgrammeCalendar) {
    invariant((0..<7).contains(settings.weekday), "a weekday lies from 0 to 6")
    invariant((0..<24).contains(settings.hour), "an hour lies from 0 to 23")
    self.calendar = calendar
    weekday = settings.weekday
    hour = settings.hour
  }

  /// The first start at or after `from` and before `to`; nil when there is none.
  ///
  /// - Complexity: O(log days + local days between the two).
  package func firstStart(from: Instant, before to: Instant) -> Instant? {
    guard from < to else { return nil }
    let last = calendar.dayIndex(of: to - TimeSpan(microseconds: 1))
    for row in calendar.dayIndex(of: from)...last
    where calendar.dates[row].weekday == weekday {
      let start = start(onDay: row)
      if start >= from && start < to { return start }
    }
    return nil
  }

  /// The first instant at which the wall clock of a local day shows the hour or later.
  ///
  /// With the offset before and after a clock change there are two candidates; the right one is
  /// the earliest at which the clock has come so far.
  private func start(onDay row: Int) -> Instant {
    let wall = Int64(calendar.dates[row].dayNumber) * 86_400 + Int64(hour) * 3_600
    let dayStart = calendar.dayStarts[row]
    let dayEnd = calendar.dayStarts[row + 1]
    let offsets = [dayStart, dayEnd - TimeSpan(microseconds: 1)].map(calendar.offsetSeconds(at:))
    let candidates = offsets.map { offset in
      max(dayStart, Instant(microseconds: (wall - Int64(offset)) * 1_000_000))
    }
    let early = min(candidates[0], candidates[1])
    let late = max(candidates[0], candidates[1])
    let shown = early.microseconds / 1_000_000 + Int64(calendar.offsetSeconds(at: early))
    return shown >= wall ? early : late
  }
}
