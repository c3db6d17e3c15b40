import BlakJaks
// Goal: operational time maps to the clock and back, and demand follows the weights.
// Method: round trips, and counts of uniform operational times against the table of weights.
import EventKernel
import Population
import Quantities
import Testing

@Suite struct SeasonTests {
  private func table(_ edit: (inout SeasonSettings) -> Void = { _ in }) throws -> SeasonTable {
    var settings = SeasonSettings()
    edit(&settings)
    return SeasonTable(
      settings,
      calendar: try ProgrammeCalendar(
        zone: "America/New_York", firstDate: CivilDate("2026-01-05")!, days: 140))
  }

  @Test func mappingThereAndBackIsExactToAMicrosecond() throws {
    let table = try table()
    var hours = 0.0
    while hours < table.totalHours - 1 {
      let instant = table.instant(atOperationalHours: hours)
      let back = table.operationalHours(at: instant)
      #expect(abs(back - hours) < 1e-6, "\(hours)")
      hours += 0.37
    }
    #expect(table.instant(atOperationalHours: table.totalHours) == .distantFuture)
    #expect(table.instant(atOperationalHours: .infinity) == .distantFuture)
  }

  @Test(
    "A run of some hours and a half has the demand of them, and all of it before its end",
    arguments: [("2026-09-30", 10), ("2026-04-01", 10), ("2026-04-01", 300)])
  func halfHours(first: String, days: Int) throws {
    let calendar = try ProgrammeCalendar(
      zone: "Australia/Lord_Howe", firstDate: CivilDate(first)!, days: days)
    let clockHours = Double((calendar.end - calendar.start).inSeconds) / 3_600
    var flat = SeasonSettings()
    flat.hours = Array(repeating: 1, count: 24)
    flat.weekdays = Array(repeating: 1, count: 7)
    flat.holidays = []
    #expect(abs(SeasonTable(flat, calendar: calendar).totalHours - clockHours) < 1e-9)
    for settings in [flat, SeasonSettings()] {
      let table = SeasonTable(settings, calendar: calendar)
      let last = table.instant(atOperationalHours: table.totalHours.nextDown)
      #expect(last < calendar.end && calendar.end - last < .seconds(1))
      #expect(
        abs(table.operationalHours(at: calendar.end - TimeSpan(microseconds: 1)) - table.totalHours)
          < 1e-6)
    }
  }

  @Test("Many instants are mapped as one by one", arguments: [false, true])
  func lanes(isFlat: Bool) throws {
    let table = try table {
      $0.enabled = !isFlat
      // Hours and days without any demand, and much of it.
      $0.hours[3] = 0
      $0.hours[4] = 0
      $0.weekdays[2] = 0
      $0.weekdays[5] *= 40
    }
    var hours = stride(from: 0.0, to: table.totalHours + 2, by: 0.0371).map { $0 }
    hours += [0, table.totalHours, table.totalHours.nextDown, .infinity]
    let first = table.instant(atOperationalHours: 0).microseconds
    let earlier = hours.indices.map { first + Int64($0) * 3_000_000_000 }
    var found = [Int64](repeating: 0, count: hours.count)
    hours.withUnsafeBufferPointer { table.instants(of: $0, after: earlier, into: &found) }
    for place in hours.indices {
      let alone = table.instant(atOperationalHours: hours[place]).microseconds
      #expect(found[place] == max(alone, earlier[place] + 1), "hour \(hours[place])")
    }
    let start = table.instant(atOperationalHours: table.totalHours / 2)
    for length in [1, 59, 60, 61, 600] {
      let end = start + .minutes(Int64(length))
      let instants = stride(from: start.microseconds, to: end.microseconds, by: 7_000_003).map {
        $0
      }
      var hours = [Double](repeating: 0, count: instants.count)
      instants.withUnsafeBufferPointer {
        table.operationalHours(of: $0, from: start, until: end, into: &hours)
      }
      let alone = instants.map { table.operationalHours(at: Instant(microseconds: $0)) }
      #expect(hours == alone, "a window of \(length) minutes")
    }
  }

  @Test("A table that is kept is that of its settings and its calendar")
  func aKeptTableIsThatOfItsSettings() throws {
    var (flat, busy) = (SeasonSettings(), SeasonSettings())
    flat.hours = Array(repeating: 1, count: 24)
    busy.weekdays[5] *= 3
    for _ in 0..<2 {
      for (settings, zone, days) in [
        (flat, "America/New_York", 140), (busy, "America/New_York", 140),
        (busy, "America/Denver", 140), (busy, "America/Denver", 30),
      ] {
        let calendar = try ProgrammeCalendar(
          zone: zone, firstDate: CivilDate("2026-01-05")!, days: days)
        let kept = SeasonTable.of(settings, calendar: calendar)
        let made = SeasonTable(settings, calendar: calendar)
        #expect(kept.totalHours == made.totalHours)
        for hour in stride(from: 0.0, to: made.totalHours, by: 31) {
          #expect(
            kept.instant(atOperationalHours: hour) == made.instant(atOperationalHours: hour))
        }
      }
    }
  }

  @Test func anOrdinaryWeekLastsAWeekInOperationalTime() throws {
    let table = try table()
    let start = table.instant(atOperationalHours: 0)
    let hours = table.operationalHours(at: start + .weeks(3))
    #expect(abs(hours - 3 * 168) < 1e-6)
  }

  @Test func demandFollowsHoursAndWeekdays() throws {
    let table = try table {
      $0.holidays = [HolidayFactor(date: CivilDate("2026-02-14")!, factor: 0)]
    }
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-01-05")!, days: 140)
    var byHour = [Int](repeating: 0, count: 24)
    var byWeekday = [Int](repeating: 0, count: 7)
    var stream = RandomStream(seed: 5, purpose: 99, entity: 1)
    let count = 200_000
    for _ in 0..<count {
      let instant = table.instant(atOperationalHours: stream.uniform() * table.totalHours)
      let local = instant + .seconds(Int64(calendar.offsetSeconds(at: instant)))
      byHour[Int(local.microseconds / 3_600_000_000 % 24)] += 1
      let date = calendar.dates[calendar.dayIndex(of: instant)]
      #expect(date != CivilDate("2026-02-14")!)
      byWeekday[date.weekday] += 1
    }
    func expectShares(_ counts: [Int], _ weights: [Double], _ what: String) {
      let total = weights.reduce(0, +)
      for (place, weight) in weights.enumerated() {
        let share = weight / total
        let expected = share * Double(count)
        // Five standard deviations of a binomial count, and 0.5 % for the one skipped hour of
        // March.
        let bound = 5 * (expected * (1 - share)).squareRoot() + 0.005 * expected
        #expect(abs(Double(counts[place]) - expected) < bound, "\(what) \(place)")
      }
    }
    let settings = SeasonSettings()
    expectShares(byHour, settings.hours, "hour")
    // Twenty weeks, one of them without its Saturday.
    var weekdays = settings.weekdays.map { $0 * 20 }
    weekdays[5] -= settings.weekdays[5]
    expectShares(byWeekday, weekdays, "weekday")
    #expect(byHour.firstIndex(of: byHour.max()!) == 20)
    #expect((3...5).contains(byHour.firstIndex(of: byHour.min()!)!))
  }

  @Test func withoutSeasonOperationalTimeIsTheClock() throws {
    let table = try table { $0.enabled = false }
    let instant = table.instant(atOperationalHours: 100.5)
    #expect(instant - table.instant(atOperationalHours: 0) == .minutes(6_030))
  }
}
