public import Quantities

extension SeasonTable {
  /// What a table depends on: the zone and the two instants make a calendar.
  private struct Source: Equatable {
    var settings: SeasonSettings
    var zone: String
    var start: Instant
    var end: Instant
  }

  private static let last = LastAnswer<Source, SeasonTable>()

  /// The table of a calendar, made once for all who ask one after the other. See `init`.
  public static func of(_ settings: SeasonSettings, calendar: ProgrammeCalendar) -> SeasonTable {
    let source = Source(
      settings: settings, zone: calendar.zoneName, start: calendar.start, end: calendar.end)
    return last.of(source) { SeasonTable(settings, calendar: calendar) }
  }
}
