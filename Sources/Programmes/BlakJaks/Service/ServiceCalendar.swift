internal import Quantities

/// The local days of a service, which has no last one.
struct ServiceCalendar: Sendable, Codable {
  let zone: String
  /// From which batches of payouts are counted.
  let origin: Instant
  /// The first instant after today.
  private(set) var midnight: Instant
  /// Today's morning.
  private(set) var morning: Instant
  /// Whether the morning has begun.
  var hasOpened: Bool
  /// Whether the chain is still to be read this morning.
  var mayReconcile = false
  /// Today's first instant.
  private var dayStart: Instant
  /// The local hour that each hour of today begins in: not 24 where clocks change.
  private var localHours: [Int]

  /// - Parameter start: Of the service; a morning before it has begun without it.
  /// - Throws: `CalendarError.unknownZone`.
  init(zone: String, date: CivilDate, start: Instant) throws(CalendarError) {
    self.zone = zone
    let calendar = try ProgrammeCalendar(zone: zone, firstDate: date, days: 1)
    origin = calendar.dayStarts[0]
    dayStart = origin
    localHours = Self.localHours(calendar)
    midnight = calendar.dayStarts[1]
    morning = ProgrammeRules.mornings(calendar)[0]
    hasOpened = start > morning
  }

  /// The local hour at an instant of today.
  func localHour(at time: Instant) -> LocalHour {
    let hours = (time - dayStart).microseconds / TimeSpan.hours(1).microseconds
    let place = min(max(Int(hours), 0), localHours.count - 1)
    // A day begins with an hour other than 0 where the clock was put back across midnight. It does so, too,
    // where the clock is put forward at midnight: that hour comes once, and alone as a repeated one.
    let before = place == 0 ? (localHours[0] == 0 ? -1 : localHours[0]) : localHours[place - 1]
    return LocalHour(number: localHours[place], isRepeated: localHours[place] == before)
  }

  private static func localHours(_ calendar: ProgrammeCalendar) -> [Int] {
    let (start, end) = (calendar.dayStarts[0], calendar.dayStarts[1])
    let hours = ((end - start).microseconds + 3_599_999_999) / 3_600_000_000
    return (0..<hours).map { hour in
      let time = start + .hours(hour)
      return ScanVelocity.hour(of: time, offset: calendar.offsetSeconds(at: time))
    }
  }

  /// Enters a local day.
  mutating func turn(to date: CivilDate) {
    do throws(CalendarError) {
      let calendar = try ProgrammeCalendar(zone: zone, firstDate: date, days: 1)
      dayStart = calendar.dayStarts[0]
      localHours = Self.localHours(calendar)
      midnight = calendar.dayStarts[1]
      morning = ProgrammeRules.mornings(calendar)[0]
      hasOpened = false
    } catch { fatalError("the zone \(zone) was known before: \(error)") }
  }
}

/// An hour of the clock.
struct LocalHour: Sendable, Equatable {
  /// 0 to 23.
  var number: Int
  /// Whether the clock shows it for the second time, as it was put back.
  var isRepeated = false
}
