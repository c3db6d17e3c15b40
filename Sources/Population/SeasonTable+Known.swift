public import Quantities
internal import Synchronization

extension SeasonTable {
  /// What a table depends on: the zone and the two instants make a calendar.
  private struct Source: Equatable {
    var settings: SeasonSettings
    var zone: String
    var start: Instant
    var end: Instant
  }

  /// What was worked out last: all replications of an experiment ask for the same, and for a run of a few
  /// members it is a part of its time that counts.
  private static let last = Mutex<(source: Source, table: SeasonTable)?>(nil)

  /// The table of a calendar, made once for all who ask one after the other. See `init`.
  public static func of(
    _ settings: SeasonSettings, calendar: ProgrammeCalendar
  ) -> SeasonTable {
    let source = Source(
      settings: settings, zone: calendar.zoneName, start: calendar.start, end: calendar.end)
    if let known = last.withLock({ $0 }), known.source == source { return known.table }
    let table = SeasonTable(settings, calendar: calendar)
    last.withLock { $0 = (source, table) }
    return table
  }
}
