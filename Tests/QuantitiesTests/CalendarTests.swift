// Goal: local boundaries are those of the zone, clock changes included.
// Method: instants computed by hand from the published rules of the zones.
import Quantities
import Testing

@Suite struct CalendarTests {
  @Test func newYorkDaysLast23And25HoursAroundClockChanges() throws {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-01-01")!, days: 365)
    #expect(calendar.start.description == "2026-01-01T05:00:00.000000Z")
    #expect(calendar.end.description == "2027-01-01T05:00:00.000000Z")
    func hours(_ date: String) -> Int64 {
      let row = calendar.dates.firstIndex(of: CivilDate(date)!)!
      return (calendar.dayStarts[row + 1] - calendar.dayStarts[row]).microseconds / 3_600_000_000
    }
    #expect(hours("2026-03-08") == 23)
    #expect(hours("2026-11-01") == 25)
    #expect(hours("2026-07-04") == 24)
    let march = calendar.dates.firstIndex(of: CivilDate("2026-03-08")!)!
    #expect(calendar.instants(atHour: 5)[march].description == "2026-03-08T09:00:00.000000Z")
    #expect(calendar.offsets.map(\.seconds) == [-18_000, -14_400, -18_000])
  }

  @Test(
    "A day that a zone leapt over is told, and no other",
    arguments: [
      ("Pacific/Apia", "2011-12-20", 20, "2011-12-30"),
      ("Pacific/Apia", "2011-12-30", 1, "2011-12-30"),
      ("Pacific/Apia", "2011-12-20", 11, "2011-12-30"), ("Pacific/Apia", "2011-12-20", 10, nil),
      ("Pacific/Apia", "2011-12-31", 365, nil),
      ("Pacific/Kwajalein", "1993-08-01", 60, "1993-08-21"),
      // Alaska had a day twice, and summer time leaps over an hour.
      ("America/New_York", "2000-01-01", 3_660, nil), ("UTC", "1970-01-01", 3_660, nil),
      ("Nowhere/At_All", "2011-12-20", 20, nil),
    ] as [(String, String, Int, String?)])
  func missingDays(zone: String, first: String, days: Int, missing: String?) throws {
    let day = ProgrammeCalendar.missingDay(
      zone: zone, from: try #require(CivilDate(first)), days: days)
    #expect(day == missing.flatMap { CivilDate($0) })
  }

  @Test(
    "The row of a day is that which a search through all days finds",
    arguments: [
      ("America/New_York", "2026-01-01", 365), ("Australia/Lord_Howe", "2025-09-01", 400),
      ("America/Sao_Paulo", "2018-10-01", 60), ("UTC", "2026-05-05", 1),
      // Samoa had no 30 December 2011.
      ("Pacific/Apia", "2011-12-20", 20), ("Pacific/Apia", "2011-12-30", 2),
    ])
  func dayIndexIsThatOfASearch(zone: String, first: String, days: Int) throws {
    let calendar = try ProgrammeCalendar(zone: zone, firstDate: CivilDate(first)!, days: days)
    func searched(_ instant: Instant) -> Int {
      (0..<calendar.dates.count).last { calendar.dayStarts[$0] <= instant } ?? 0
    }
    var instants: [Instant] = [.distantPast, .distantFuture, calendar.start, calendar.end]
    for start in calendar.dayStarts {
      for microseconds in [-3_600_000_000, -1, 0, 1, 43_200_000_000] {
        instants.append(start + TimeSpan(microseconds: Int64(microseconds)))
      }
    }
    for instant in instants {
      #expect(calendar.dayIndex(of: instant) == searched(instant), "\(instant)")
    }
  }

  @Test func aMidnightThatTheClockSkipsBecomesTheFirstInstantOfTheDay() throws {
    // Brazil's summer time began at 00:00 on 2018-11-04: the day started at 01:00 (-02:00).
    let calendar = try ProgrammeCalendar(
      zone: "America/Sao_Paulo", firstDate: CivilDate("2018-11-03")!, days: 3)
    #expect(calendar.dayStarts[1].description == "2018-11-04T03:00:00.000000Z")
    #expect(calendar.dayStarts[2].description == "2018-11-05T02:00:00.000000Z")
  }

  @Test(
    "Boundaries of many days are those that the zone gives one by one",
    arguments: [
      "America/New_York", "America/Sao_Paulo", "Europe/Berlin", "Australia/Lord_Howe",
      "Africa/Casablanca", "Asia/Tehran", "Pacific/Apia", "UTC",
    ])
  func boundaries(zone: String) throws {
    let calendar = try ProgrammeCalendar(
      zone: zone, firstDate: CivilDate("2011-03-02")!, days: 3_000)
    let mornings = calendar.instants(atHour: 5)
    // Reads a local time by asking the zone about that day alone.
    var parser = try InstantParser(zone: zone)
    for (row, date) in calendar.dates.enumerated() {
      #expect(calendar.dayStarts[row] == parser.midnight(of: date), "\(date)")
      #expect(mornings[row] == parser.parse("\(date)T05:00"), "\(date)")
    }
  }

  @Test func aHistoryEndsJustAfterItsLastInstant() throws {
    let first = Instant(microseconds: 852_100_000_000_000)
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", covering: first, through: first + .days(3))
    #expect(calendar.end - first == .days(3) + TimeSpan(microseconds: 1))
    #expect(calendar.start <= first)
    #expect(calendar.dayCount == 4)
  }

  @Test func datesCountDaysBothWays() {
    for day in stride(from: -200_000, through: 200_000, by: 37) {
      let date = CivilDate(dayNumber: day)
      #expect(date.dayNumber == day)
      #expect(CivilDate(date.description) == date)
    }
    #expect(CivilDate("2026-02-29") == nil)
    #expect(CivilDate("2024-02-29")!.weekday == 3)
    #expect(CivilDate("1970-01-01")!.weekday == 3)
  }

  @Test(
    "A text is a date where its day exists, from year 1 on",
    arguments: [
      ("0001-01-01", true), ("9999-12-31", true), ("2000-02-29", true), ("0000-02-29", false),
      ("0000-12-31", false), ("1900-02-29", false), ("2026-00-10", false), ("2026-13-10", false),
      ("2026-04-31", false), ("2026-04-00", false), ("-001-01-01", false), ("2026-1-01", false),
    ])
  func dates(text: String, exists: Bool) {
    #expect(CivilDate(text)?.description == (exists ? text : nil))
  }

  @Test(
    "An instant is read in every ISO 8601 spelling of the history format",
    arguments: [
      ("1997-01-01", "1997-01-01T05:00:00.000000Z"),
      ("1997-07-01T12:30:15.25", "1997-07-01T16:30:15.250000Z"),
      ("1997-01-01T00:00:00Z", "1997-01-01T00:00:00.000000Z"),
      ("1997-01-01 10:00+02:00", "1997-01-01T08:00:00.000000Z"),
    ])
  func spellings(text: String, expected: String) throws {
    #expect(
      try ProgrammeCalendar.parseInstant(text, zone: "America/New_York")?.description == expected)
  }

  @Test(
    "A local time on a day of a clock change is the first instant at which the wall shows it",
    arguments: [
      // Half an hour is skipped and half an hour comes twice.
      ("Australia/Lord_Howe", "2025-10-05T01:59:59.5", "2025-10-04T15:29:59.500000Z"),
      ("Australia/Lord_Howe", "2025-10-05T02:30", "2025-10-04T15:30:00.000000Z"),
      ("Australia/Lord_Howe", "2025-10-05T02:45", "2025-10-04T15:45:00.000000Z"),
      ("Australia/Lord_Howe", "2025-10-05T03:00", "2025-10-04T16:00:00.000000Z"),
      ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00.000000Z"),
      ("Australia/Lord_Howe", "2026-04-05T02:00", "2026-04-04T15:30:00.000000Z"),
      ("America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000000Z"),
      ("America/New_York", "2026-11-01T02:00", "2026-11-01T07:00:00.000000Z"),
      // A time that is skipped is read as if the clock were changed at its full hour.
      ("America/New_York", "2026-03-08T02:45", "2026-03-08T07:45:00.000000Z"),
      ("Australia/Lord_Howe", "2025-10-05T02:15", "2025-10-04T15:45:00.000000Z"),
    ])
  func timesOnDaysOfClockChanges(zone: String, text: String, expected: String) throws {
    #expect(try ProgrammeCalendar.parseInstant(text, zone: zone)?.description == expected)
  }

  @Test(
    "Text that is no instant is refused",
    arguments: [
      "", "1997", "1997-13-01", "1997-02-30", "1997-01-01T24:00", "1997-01-01T10", "1997-01-01x",
      "1997-01-01T10:00:00.", "1997-01-01T10:00:00+2", "0001-01-01", "1997-01-01T10:00Zjunk",
    ])
  func refusals(text: String) throws {
    #expect(try ProgrammeCalendar.parseInstant(text, zone: "UTC") == nil)
  }

  @Test func anUnknownZoneIsRefusedByName() {
    #expect(throws: CalendarError.unknownZone("Mars/Olympus")) {
      try ProgrammeCalendar(zone: "Mars/Olympus", firstDate: CivilDate("2026-01-01")!, days: 1)
    }
  }
}

@Suite struct FallBackTests {
  @Test(
    "Where a clock is put back across midnight, the repeated hour is of the day that has begun",
    arguments: [
      ("America/St_Johns", "2010-11-07T02:45:00Z", "2010-11-07"),
      ("Antarctica/Casey", "2010-03-04T15:30:00Z", "2010-03-05"),
    ])
  func repeatedHour(zone: String, time: String, date: String) throws {
    let instant = try #require(try ProgrammeCalendar.parseInstant(time, zone: zone))
    let calendar = try ProgrammeCalendar(zone: zone, covering: instant, through: instant)
    #expect(calendar.dates == [CivilDate(date)!])
    #expect(calendar.dayStarts[0] <= instant && instant < calendar.dayStarts[1])
  }
}
