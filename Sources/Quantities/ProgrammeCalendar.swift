internal import Foundation

/// The calendar of one run: every local boundary of its span, computed once from an IANA zone.
///
/// Days are local days of the zone, so they last 23, 24 or 25 hours around clock changes. Tables
/// hold one row per local day that the run touches, the first possibly entered late and the last
/// possibly left early.
public struct ProgrammeCalendar: Sendable {
  /// IANA name of the zone, for example `America/New_York`.
  public let zoneName: String
  /// First instant of the run.
  public let start: Instant
  /// End of the run, exclusive: nothing at or after it happens.
  public let end: Instant
  /// One row per local day.
  public let dates: [CivilDate]
  /// First instant of each local day, and, after the last row, the first of the day after.
  public let dayStarts: [Instant]
  /// Offsets from UTC in seconds, each from its instant on; the first covers the start.
  public let offsets: [(from: Instant, seconds: Int)]

  /// The number of local days touched.
  public var dayCount: Int { dates.count }

  /// A calendar of whole local days.
  ///
  /// - Parameters:
  ///   - zone: IANA name.
  ///   - firstDate: The first local day.
  ///   - days: How many local days, at least 1.
  /// - Throws: `CalendarError.unknownZone`.
  public init(zone: String, firstDate: CivilDate, days: Int) throws(CalendarError) {
    precondition(days >= 1, "a run must last at least a day")
    try self.init(zone: zone, firstDate: firstDate, days: days, start: nil, end: nil)
  }

  /// A calendar that covers recorded history: from the first local midnight at or before `first`
  /// to just after `last`, which itself still happens.
  ///
  /// - Throws: `CalendarError.unknownZone`.
  public init(zone: String, covering first: Instant, through last: Instant)
    throws(CalendarError)
  {
    precondition(first <= last, "a history must run forward")
    let zoneValue = try Self.zone(zone)
    let from = Self.day(of: first, in: zoneValue)
    let to = Self.day(of: last, in: zoneValue)
    try self.init(
      zone: zone, firstDate: from, days: to.dayNumber - from.dayNumber + 1, start: nil,
      end: last + TimeSpan(microseconds: 1))
  }

  private init(zone: String, firstDate: CivilDate, days: Int, start: Instant?, end: Instant?)
    throws(CalendarError)
  {
    let zoneValue = try Self.zone(zone)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zoneValue
    let around = Self.offsets(in: zoneValue, around: firstDate, days: days)
    var dates: [CivilDate] = []
    var starts: [Instant] = []
    for offset in 0...days {
      let date = firstDate.adding(days: offset)
      starts.append(
        Self.firstInstant(of: date, hour: 0, around)
          ?? Self.firstInstant(of: date, hour: 0, in: zoneValue, calendar))
      guard offset < days else { break }
      dates.append(date)
    }
    zoneName = zone
    self.dates = dates
    dayStarts = starts
    self.start = start ?? starts[0]
    self.end = end ?? starts[days]
    offsets = Self.offsets(in: zoneValue, from: starts[0], to: starts[days])
  }

  /// The first local day of a span that never was: a zone that moved across the date line leapt over
  /// it. Nil where there is none, or no such zone.
  ///
  /// - Complexity: O(clock changes), and O(days) where there is one.
  public static func missingDay(zone: String, from first: CivilDate, days: Int) -> CivilDate? {
    guard let value = try? Self.zone(zone) else { return nil }
    let around = offsets(in: value, around: first, days: days)
    let leaps = zip(around, around.dropFirst()).contains { $1.seconds - $0.seconds >= 43_200 }
    guard leaps, let calendar = try? ProgrammeCalendar(zone: zone, firstDate: first, days: days)
    else { return nil }
    let starts = calendar.dayStarts
    return calendar.dates.indices.first { starts[$0 + 1] <= starts[$0] }.map { calendar.dates[$0] }
  }

  /// The first instant of each local day at which the wall clock shows at least `hour`, one row a
  /// local day.
  ///
  /// - Parameter hour: 0 to 23, local time.
  /// - Complexity: O(days).
  public func instants(atHour hour: Int) -> [Instant] {
    guard let zone = TimeZone(identifier: zoneName) else {
      fatalError("the zone \(zoneName) was known when the calendar was made")
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let around = Self.offsets(in: zone, around: dates[0], days: dates.count)
    return dates.map { date in
      Self.firstInstant(of: date, hour: hour, around)
        ?? Self.firstInstant(of: date, hour: hour, in: zone, calendar)
    }
  }

  /// The row of the local day that contains `instant`; clamped to the first and last row.
  ///
  /// - Complexity: O(1) where a local day has about 24 hours.
  public func dayIndex(of instant: Instant) -> Int {
    guard dates.count > 1, instant >= dayStarts[0] else { return 0 }
    guard instant < dayStarts[dates.count - 1] else { return dates.count - 1 }
    // Near it: clock changes move a midnight by an hour or two.
    var row = Int((instant - dayStarts[0]).microseconds / 86_400_000_000)
    row = min(row, dates.count - 1)
    while dayStarts[row] > instant { row -= 1 }
    while dayStarts[row + 1] <= instant { row += 1 }
    return row
  }

  /// Whether the local day of a row is the first of its month.
  public func startsMonth(_ row: Int) -> Bool { dates[row].day == 1 }

  /// Whether the local day of a row is the first of its quarter.
  public func startsQuarter(_ row: Int) -> Bool {
    dates[row].day == 1 && dates[row].month % 3 == 1
  }

  /// Seconds to add to UTC for local time at `instant`.
  public func offsetSeconds(at instant: Instant) -> Int {
    var answer = offsets[0].seconds
    for change in offsets where change.from <= instant { answer = change.seconds }
    return answer
  }

  /// Reads an instant: ISO 8601 with zone or `Z`, or local time of `zone` without one, or a bare
  /// date, which is 00:00 local. Nil when the text is none of these.
  public static func parseInstant(_ text: String, zone: String) throws(CalendarError) -> Instant? {
    var parser = try InstantParser(zone: zone)
    return parser.parse(text)
  }

  /// The local day that contains an instant. Where a clock is put back across midnight, the wall
  /// shows the old date once more; the repeated hour belongs to the day that has begun.
  private static func day(of instant: Instant, in zone: TimeZone) -> CivilDate {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = localDate(of: instant, in: zone)
    let next = date.adding(days: 1)
    return instant >= firstInstant(of: next, hour: 0, in: zone, calendar) ? next : date
  }

  static func zone(_ name: String) throws(CalendarError) -> TimeZone {
    guard name.contains("/") || name == "UTC", let zone = TimeZone(identifier: name) else {
      throw .unknownZone(name)
    }
    return zone
  }

  static func localDate(of instant: Instant, in zone: TimeZone) -> CivilDate {
    let seconds = (Double(instant.microseconds) / 1e6).rounded(.down)
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    return CivilDate(dayNumber: Int(((seconds + Double(offset)) / 86_400).rounded(.down)))
  }

  /// The first instant at which the wall clock shows at least `hour` on `date`, by offsets from UTC
  /// that hold a day before and after it; nil where a clock changes so near.
  private static func firstInstant(
    of date: CivilDate, hour: Int, _ offsets: [(from: Instant, seconds: Int)]
  ) -> Instant? {
    let wall = Int64(date.dayNumber) * 86_400 + Int64(hour) * 3_600
    for row in offsets.indices.reversed() {
      let guess = Instant(microseconds: (wall - Int64(offsets[row].seconds)) * 1_000_000)
      guard guess - .days(1) >= offsets[row].from else { continue }
      let isLast = row + 1 == offsets.count
      return isLast || guess + .days(1) < offsets[row + 1].from ? guess : nil
    }
    return nil
  }

  /// Offsets from UTC from some days before a span of local days to some days after it.
  private static func offsets(
    in zone: TimeZone, around firstDate: CivilDate, days: Int
  ) -> [(from: Instant, seconds: Int)] {
    func instant(_ day: Int) -> Instant { Instant(microseconds: Int64(day) * 86_400_000_000) }
    let first = firstDate.dayNumber
    return offsets(in: zone, from: instant(first - 4), to: instant(first + days + 4))
  }

  /// The first instant at which the wall clock shows at least `hour` on `date`, by the zone itself.
  static func firstInstant(
    of date: CivilDate, hour: Int, in zone: TimeZone, _ calendar: Calendar
  ) -> Instant {
    let wall = Int64(date.dayNumber) * 86_400 + Int64(hour) * 3_600
    // Two rounds settle every offset that holds on both sides; a skipped hour needs the calendar.
    var guess = wall
    for _ in 0..<3 {
      let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(guess)))
      let next = wall - Int64(offset)
      if next == guess { break }
      guess = next
    }
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(guess)))
    let before = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(guess) - 7_200))
    if Int64(offset) + guess == wall && offset == before {
      return Instant(microseconds: guess * 1_000_000)
    }
    let parts = DateComponents(
      year: date.year, month: date.month, day: date.day, hour: hour == 0 ? 12 : hour)
    guard let found = calendar.date(from: parts) else {
      return Instant(microseconds: guess * 1_000_000)
    }
    let first = hour == 0 ? calendar.startOfDay(for: found) : found
    return Instant(microseconds: Int64(first.timeIntervalSince1970) * 1_000_000)
  }

  private static func offsets(in zone: TimeZone, from: Instant, to: Instant)
    -> [(from: Instant, seconds: Int)]
  {
    var date = Date(timeIntervalSince1970: Double(from.microseconds) / 1e6)
    let last = Date(timeIntervalSince1970: Double(to.microseconds) / 1e6)
    var rows = [(from: from, seconds: zone.secondsFromGMT(for: date))]
    while let change = zone.nextDaylightSavingTimeTransition(after: date), change < last {
      rows.append(
        (
          from: Instant(microseconds: Int64(change.timeIntervalSince1970) * 1_000_000),
          seconds: zone.secondsFromGMT(for: change)
        ))
      date = change
    }
    return rows
  }
}

/// Why a calendar could not be made.
public enum CalendarError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name is not an IANA zone known on this machine.
  case unknownZone(String)

  public var description: String {
    switch self {
    case .unknownZone(let name):
      "unknown time zone '\(name)'; write an IANA name such as America/New_York or UTC"
    }
  }
}

/// Reads instants in one zone; keeps the last local date, since histories repeat it.
public struct InstantParser {
  private let zone: TimeZone
  private let calendar: Calendar
  private var lastDate: CivilDate?
  private var lastMidnight = Instant(microseconds: 0)
  private var lastDayIsUniform = false
  /// Seconds to add to UTC just before the last local date and at its end.
  private var lastOffsets = (before: Int64(0), after: Int64(0))

  /// The years whose times are read.
  public static let years = 1900...2200

  /// - Throws: `CalendarError.unknownZone`.
  public init(zone name: String) throws(CalendarError) {
    zone = try ProgrammeCalendar.zone(name)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  /// The local date of an instant.
  public func localDate(of instant: Instant) -> CivilDate {
    ProgrammeCalendar.localDate(of: instant, in: zone)
  }

  /// The first instant of a local date.
  public func midnight(of date: CivilDate) -> Instant {
    ProgrammeCalendar.firstInstant(of: date, hour: 0, in: zone, calendar)
  }

  /// Reads `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm[:ss[.ffffff]]` with `Z`, `z`, `±hh:mm`, `±hhmm` or, for local
  /// time, nothing after it. A space may replace the `T`, and what is below a microsecond is cut off. Nil for
  /// anything else, for dates that do not exist, and outside the years 1900 to 2200.
  public mutating func parse(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes.count <= 40,
      let date = CivilDate(String(decoding: bytes[0..<10], as: UTF8.self)),
      Self.years.contains(date.year)
    else { return nil }
    if bytes.count == 10 { return cachedMidnight(of: date) }
    guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
    var cursor = 11
    func digits(_ count: Int) -> Int64? {
      guard cursor + count <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[cursor..<cursor + count] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      cursor += count
      return value
    }
    func take(_ character: Unicode.Scalar) -> Bool {
      guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: character) else { return false }
      cursor += 1
      return true
    }
    guard let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60
    else { return nil }
    var second: Int64 = 0
    var micros: Int64 = 0
    if take(":") {
      guard let value = digits(2), value < 60 else { return nil }
      second = value
      if take(".") {
        var scale: Int64 = 100_000
        var any = false
        while cursor < bytes.count, bytes[cursor] >= 48, bytes[cursor] <= 57 {
          micros += Int64(bytes[cursor] - 48) * scale
          scale /= 10
          cursor += 1
          any = true
        }
        guard any else { return nil }
      }
    }
    let ofDay = (hour * 3_600 + minute * 60 + second) * 1_000_000 + micros
    let utcDay = Int64(date.dayNumber) * 86_400_000_000
    if cursor == bytes.count {
      let midnight = cachedMidnight(of: date)
      if ofDay == 0 || lastDayIsUniform { return midnight + TimeSpan(microseconds: ofDay) }
      return firstInstant(on: date, showing: ofDay)
    }
    if take("Z") || take("z") {
      return cursor == bytes.count ? Instant(microseconds: utcDay + ofDay) : nil
    }
    let sign: Int64
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let offsetHours = digits(2), offsetHours < 24 else { return nil }
    _ = take(":")
    guard let offsetMinutes = digits(2), offsetMinutes < 60, cursor == bytes.count else {
      return nil
    }
    let offset = sign * (offsetHours * 3_600 + offsetMinutes * 60) * 1_000_000
    return Instant(microseconds: utcDay + ofDay - offset)
  }

  /// The first instant at which the wall clock shows a time of the last local date, on which the
  /// clocks change. A time that they skip is read as if they were changed at its full hour.
  ///
  /// - Parameter ofDay: Microseconds after 00:00 on the wall clock.
  private func firstInstant(on date: CivilDate, showing ofDay: Int64) -> Instant {
    let wall = Int64(date.dayNumber) * 86_400 + ofDay / 1_000_000
    // The larger offset gives the earlier instant.
    let (one, other) = lastOffsets
    for seconds in [max(one, other), min(one, other)] where offset(at: wall - seconds) == seconds {
      return Instant(microseconds: (wall - seconds) * 1_000_000 + ofDay % 1_000_000)
    }
    let whole = ofDay / 3_600_000_000
    let local = ProgrammeCalendar.firstInstant(of: date, hour: Int(whole), in: zone, calendar)
    return local + TimeSpan(microseconds: ofDay - whole * 3_600_000_000)
  }

  /// Seconds to add to UTC at an instant, in seconds since 1970.
  private func offset(at seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }

  private mutating func cachedMidnight(of date: CivilDate) -> Instant {
    if let lastDate, lastDate == date { return lastMidnight }
    lastDate = date
    lastMidnight = midnight(of: date)
    let next = midnight(of: date.adding(days: 1))
    // A day of 24 hours has no clock change: no zone has ever made two that cancel in one day.
    lastDayIsUniform = next - lastMidnight == .hours(24)
    guard !lastDayIsUniform else { return lastMidnight }
    lastOffsets = (
      before: offset(at: lastMidnight.microseconds / 1_000_000 - 1),
      after: offset(at: next.microseconds / 1_000_000 - 1)
    )
    return lastMidnight
  }
}
