package import Quantities

/// What a service says of its clock.
package struct ServiceTime: Sendable, Equatable {
  package var now: Instant
  /// Its seconds a second of the wall clock, 0 or more.
  package var speed: Double

  /// A reading; see the properties.
  package init(now: Instant, speed: Double) {
    self.now = now
    self.speed = speed
  }

  /// Reads what a service answered; nil where that is no clock.
  ///
  /// - Parameters:
  ///   - now: ISO 8601 with a zone or `Z`.
  ///   - speed: 1 where nothing is said.
  init?(now: String?, speed: String?) {
    guard let now, let time = try? ProgrammeCalendar.parseInstant(now, zone: "UTC") else {
      return nil
    }
    let factor = speed.map { Double($0) } ?? 1
    guard let factor, factor >= 0, factor.isFinite else { return nil }
    self.init(now: time, speed: factor)
  }

  /// The first instant of the quarter that comes next by the days of a zone.
  package func nextQuarter(zone: String) throws(CalendarError) -> Instant {
    let days = try ProgrammeCalendar(zone: zone, covering: now, through: now + .days(93))
    let row = (1..<days.dayCount).first { days.startsQuarter($0) }
    guard let row else { fatalError("of 94 days in a row one begins a quarter") }
    return days.dayStarts[row]
  }

  /// Whether a quarter begins within so many seconds of the wall clock.
  package func turnsQuarter(within seconds: Double, zone: String) throws(CalendarError) -> Bool {
    let wait = (try nextQuarter(zone: zone) - now).inSeconds
    return wait < seconds * speed
  }

  /// When the clock would have to start for the next quarter to begin in the middle of a load: local
  /// time, to the second.
  package func start(forMiddleOf seconds: Double, zone: String) throws(CalendarError) -> String {
    let quarter = try nextQuarter(zone: zone)
    let lead = TimeSpan.seconds(Int64((seconds * max(speed, 1) / 2).rounded()))
    let start = quarter - lead
    let days = try ProgrammeCalendar(zone: zone, covering: start, through: quarter)
    let local = start + .seconds(Int64(days.offsetSeconds(at: start)))
    return String(local.description.prefix(19))
  }
}
