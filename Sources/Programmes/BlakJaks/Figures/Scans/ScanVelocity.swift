internal import EventKernel
internal import Quantities
internal import RewardModel

/// How fast scans come, minute by minute of the clock, and how long the workers take for them.
struct ScanVelocity: Sendable, Codable {
  private static let minuteMicros: Int64 = 60_000_000
  /// Scans of the last 60 minutes, each at the place of its number modulo 60.
  private var counts: [Int64] = Array(repeating: 0, count: 60)
  /// The minute that was entered or reached last, counted from 1970.
  private var latest: Int64 = 0
  /// The most scans in one minute since `closeDay`.
  private(set) var peak: Int64 = 0
  /// Scans since `closeDay` in hours that the clock shows a second time, by local hour.
  private var repeated: [Int64] = Array(repeating: 0, count: 24)
  private let rules: ScanningRules
  /// The workers' line.
  private var queue: ScanQueue
  /// The last minute that the line has seen.
  private var queued: Int64 = 0

  /// No scans, and nobody waits.
  ///
  /// - Parameter seed: The run's.
  init(_ rules: ScanningRules, seed: UInt64) {
    self.rules = rules
    queue = ScanQueue(rules, seed: seed)
  }

  /// Scans of the last minute that was reached.
  var perMinute: Int64 { counts[place(latest)] }

  /// Scans of the hour that ends with it.
  var lastHour: Int64 { counts.reduce(0, +) }

  /// Enters the scans of a window, minute by minute.
  ///
  /// - Parameter hours: The day's scans by local hour, which these are added to.
  mutating func enter(
    _ scans: ScansByMinute, _ window: Window, _ calendar: ProgrammeCalendar,
    hours: inout [Int64]
  ) {
    let first = AwardMinute.minute(of: window.start)
    let last = window.end - TimeSpan(microseconds: 1)
    let offset = calendar.offsetSeconds(at: first)
    // Looked up once, unless the clocks change in between.
    let isSteady = offset == calendar.offsetSeconds(at: last)
    // The clock may show an hour of it for the second time, and then not to its end.
    let mayRepeat = !isSteady || calendar.offsetSeconds(at: first - .hours(1)) > offset
    let minute = first.microseconds / ScanVelocity.minuteMicros
    // The local hour of the rows before `nextHour`, and whether it is shown for the second time.
    var (hour, nextHour, isRepeated) = (0, 0, false)
    for row in scans.busy {
      let count = Int64(scans.minutes[row].scans)
      enter(count, minute: minute + Int64(row))
      if row >= nextHour {
        let time = first + .minutes(Int64(row))
        let local = isSteady ? offset : calendar.offsetSeconds(at: time)
        hour = ScanVelocity.hour(of: time, offset: local)
        let left = ScanVelocity.minutesLeft(ofHourAt: time, offset: local)
        nextHour = row + (mayRepeat ? 1 : left)
        isRepeated = mayRepeat && ScanVelocity.isRepeated(time, offset: local, calendar)
      }
      hours[hour] += count
      if isRepeated { repeated[hour] += count }
    }
    reach(last)
  }

  /// Enters accepted scans of one instant; times never fall.
  ///
  /// - Parameter hours: The day's scans by local hour, which these are added to.
  mutating func enter(
    _ scans: Int64, at time: Instant, _ calendar: ProgrammeCalendar, hours: inout [Int64]
  ) {
    guard scans > 0 else { return }
    enter(scans, at: time)
    let offset = calendar.offsetSeconds(at: time)
    let hour = ScanVelocity.hour(of: time, offset: offset)
    hours[hour] += scans
    if ScanVelocity.isRepeated(time, offset: offset, calendar) { repeated[hour] += scans }
  }

  /// Whether the clock shows a time's hour for the second time, as it does where it was put back.
  static func isRepeated(_ time: Instant, offset: Int, _ calendar: ProgrammeCalendar) -> Bool {
    let earlier = time - .hours(1)
    let before = calendar.offsetSeconds(at: earlier)
    return before > offset && hour(of: earlier, offset: before) == hour(of: time, offset: offset)
  }

  /// The hours of a day, those apart that its clock showed twice.
  static func hoursApart(_ hours: [Int64], repeated: [Int64]) -> [Int64] {
    zip(hours, repeated).flatMap { all, second in [all - second, second] }
  }

  /// The local hour of the day.
  static func hour(of time: Instant, offset: Int) -> Int {
    let local = time + .seconds(Int64(offset))
    return Int((local.microseconds / 3_600_000_000 % 24 + 24) % 24)
  }

  /// Minutes from one that begins in a local hour to the first that does not.
  private static func minutesLeft(ofHourAt time: Instant, offset: Int) -> Int {
    let hour: Int64 = 3_600_000_000
    let late = (time + .seconds(Int64(offset))).microseconds % hour
    let left = late < 0 ? -late : hour - late
    return Int((left + minuteMicros - 1) / minuteMicros)
  }

  private mutating func enter(_ scans: Int64, at time: Instant) {
    enter(scans, minute: time.microseconds / ScanVelocity.minuteMicros)
  }

  private mutating func enter(_ scans: Int64, minute: Int64) {
    reach(minute: minute)
    let place = place(latest)
    counts[place] += scans
    peak = max(peak, counts[place])
  }

  /// Moves on to an instant, past minutes without scans. O(minutes, at most 60).
  private mutating func reach(_ time: Instant) {
    reach(minute: time.microseconds / ScanVelocity.minuteMicros)
  }

  private mutating func reach(minute: Int64) {
    guard minute > latest else { return }
    advanceQueue(to: minute - 1)
    // The places after that of `latest`, around to that of `minute`.
    let (first, passed) = (place(latest) + 1, Int(min(minute - latest, 60)))
    counts.withUnsafeMutableBufferPointer { counts in
      for place in first..<min(first + passed, 60) { counts[place] = 0 }
      for place in 0..<max(first + passed - 60, 0) { counts[place] = 0 }
    }
    latest = minute
  }

  /// Plays the line up to the end of a minute all of whose scans have been entered: first
  /// `latest`, then minutes without scans for as long as somebody waits.
  private mutating func advanceQueue(to minute: Int64) {
    if queued < latest, latest <= minute {
      let scans = perMinute
      queue.advance(minute: latest, scans: scans)
      queued = latest
    }
    while queued < minute, !queue.isEmpty {
      queued += 1
      queue.advance(minute: queued, scans: 0)
    }
    queued = max(queued, minute)
  }

  /// Ends a day of which all scans are entered: writes its figures and begins the next.
  ///
  /// - Parameters:
  ///   - end: Of the day, exclusive; nil ends it where it is.
  ///   - hours: The day's scans by local hour.
  mutating func closeDay(
    before end: Instant? = nil, submitted: Int64, hours: [Int64], into table: inout SeriesTable
  ) {
    if let end { reach(end - TimeSpan(microseconds: 1)) }
    enterMinutes(submitted: submitted, into: &table)
    let capacity = Int128(rules.workers) * 3_600_000_000
    let service = Int128(rules.service.microseconds)
    let apart = ScanVelocity.hoursApart(hours, repeated: repeated)
    for hour in repeated.indices { repeated[hour] = 0 }
    table.set("day.scans.peak_per_hour", apart.max())
    table.set(
      "day.scans.hours_over_capacity", Int64(apart.count { Int128($0) * service > capacity }))
    table.set("scans.workers", Int64(rules.workers))
  }

  private mutating func enterMinutes(submitted: Int64, into table: inout SeriesTable) {
    table.set("day.scans.peak_per_minute", peak)
    table.set("scans.per_minute_now", perMinute)
    table.set("scans.last_hour", lastHour)
    table.set("day.scans.submitted", submitted)
    peak = 0
    advanceQueue(to: latest)
    let day = queue.closeDay()
    table.set("scans.processing_now", day.now.microseconds)
    table.set("scans.processing_mean", day.mean?.microseconds)
    table.set("scans.processing_p95", day.p95?.microseconds)
    table.set("day.scans.processing_peak", day.peak?.microseconds)
    table.set("scans.backlog", day.backlog)
    table.set("day.scans.backlog_peak", day.backlogPeak)
  }

  private func place(_ minute: Int64) -> Int {
    let place = Int(minute % 60)
    return place < 0 ? place + 60 : place
  }
}
