import BlakJaks
// Goal: a live stream starts by the wall clock, and its audience follows its curve.
// Method: start instants around clock changes by hand; the curve's integral against summing small
// steps; the schedule against asking window by window.
import Foundation
import Population
import Quantities
import Testing

@Suite struct StreamTests {
  private func starts(
    weekday: Int, hour: Int, from: String, days: Int, zone: String = "America/New_York"
  ) throws -> [String] {
    var settings = StreamSettings()
    settings.weekday = weekday
    settings.hour = hour
    let calendar = try ProgrammeCalendar(
      zone: zone, firstDate: try #require(CivilDate(from)), days: days)
    let schedule = StreamSchedule(settings, calendar: calendar)
    var found: [String] = []
    var start = calendar.start
    while start < calendar.end {
      let end = min(start + .hours(1), calendar.end)
      if let instant = schedule.firstStart(from: start, before: end) {
        #expect(instant >= start && instant < end)
        found.append(instant.description)
      }
      start = end
    }
    return found
  }

  @Test func streamsStartFridaysAt20LocalTimeInWinterAndSummer() throws {
    let found = try starts(weekday: 4, hour: 20, from: "2026-02-23", days: 21)
    #expect(
      found == [
        "2026-02-28T01:00:00.000000Z", "2026-03-07T01:00:00.000000Z",
        "2026-03-14T00:00:00.000000Z",
      ])
  }

  @Test(
    "On the day of a clock change the hour is the first that the wall shows",
    arguments: [
      // Spring: 02:00 is skipped, so 03:00 summer time is the first 'two or later'.
      ("2026-03-08", 1, "2026-03-08T06:00:00.000000Z"),
      ("2026-03-08", 2, "2026-03-08T07:00:00.000000Z"),
      ("2026-03-08", 3, "2026-03-08T07:00:00.000000Z"),
      ("2026-03-08", 20, "2026-03-09T00:00:00.000000Z"),
      // Autumn: 01:00 comes twice; the first counts.
      ("2026-11-01", 0, "2026-11-01T04:00:00.000000Z"),
      ("2026-11-01", 1, "2026-11-01T05:00:00.000000Z"),
      ("2026-11-01", 2, "2026-11-01T07:00:00.000000Z"),
      ("2026-11-01", 20, "2026-11-02T01:00:00.000000Z"),
    ])
  func clockChange(date: String, hour: Int, expected: String) throws {
    #expect(try starts(weekday: 6, hour: hour, from: date, days: 1) == [expected])
  }

  @Test func aMidnightClockChangeStartsTheDayLate() throws {
    // Havana skips 00:00 on 2026-03-08, a Sunday.
    let found = try starts(
      weekday: 6, hour: 0, from: "2026-03-08", days: 1, zone: "America/Havana")
    #expect(found == ["2026-03-08T05:00:00.000000Z"])
  }

  @Test func aSpanFindsItsFirstStartOnly() throws {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate("2026-01-01")!, days: 60)
    let schedule = StreamSchedule(StreamSettings(), calendar: calendar)
    let first = try #require(schedule.firstStart(from: calendar.start, before: calendar.end))
    #expect(first.description == "2026-01-02T20:00:00.000000Z")
    #expect(schedule.firstStart(from: calendar.start, before: first) == nil)
    #expect(schedule.firstStart(from: first, before: first) == nil)
    let next = schedule.firstStart(
      from: first + TimeSpan(microseconds: 1), before: calendar.end)
    #expect(next == first + .weeks(1))
  }

  private func settings(ramp: TimeSpan) -> StreamSettings {
    var settings = StreamSettings()
    settings.ramp = ramp
    return settings
  }

  @Test(
    "The viewer-hours are the area under the curve",
    arguments: [0, 15, 60, 120, 500].map { TimeSpan.minutes($0) })
  func area(ramp: TimeSpan) {
    let curve = ViewerCurve(settings(ramp: ramp))
    #expect(curve.lengthHours == 2)
    let steps = 200_000
    var area = 0.0
    for step in 0..<steps {
      let middle = (Double(step) + 0.5) / Double(steps) * 2
      area += curve.share(atHours: middle) * 2 / Double(steps)
      if step == steps / 3 {
        let end = Double(step + 1) / Double(steps) * 2
        #expect(abs(curve.viewerHours(toHours: end) - area) < 1e-8)
      }
    }
    #expect(abs(curve.viewerHours(toHours: 2) - area) < 1e-8)
    #expect(curve.viewerHours(toHours: 9) == curve.viewerHours(toHours: 2))
    #expect(curve.viewerHours(toHours: -1) == 0)
  }

  @Test func theAudienceGathersToThePeakAndThenHalvesEachHalfLife() {
    let curve = ViewerCurve(settings(ramp: .minutes(15)))
    #expect(curve.share(atHours: -0.1) == 0 && curve.share(atHours: 0) == 0)
    #expect(curve.share(atHours: 0.125) == 0.5)
    #expect(abs(curve.share(atHours: 0.25) - 1) < 1e-12)
    #expect(abs(curve.share(atHours: 1.75) - 0.5) < 1e-12)
    #expect(curve.share(atHours: 2) == 0)
  }

  @Test(
    "All who come are those who take the places of leavers and those by whom the audience grows",
    arguments: [2, 10, 27, 28, 40, 90, 400].map { TimeSpan.minutes($0) })
  func differentViewers(halfLife: TimeSpan) {
    var settings = StreamSettings()
    settings.halfLife = halfLife
    let curve = ViewerCurve(settings)
    let stay = 40.0 / 60
    let steps = 20_000
    let step = curve.lengthHours / Double(steps)
    var come = 0.0
    for row in 0..<steps {
      let start = Double(row) * step
      let end = min(start + step, curve.lengthHours.nextDown)
      let left = curve.share(atHours: start + step / 2) * step / stay
      come += max(0, curve.share(atHours: end) - curve.share(atHours: start) + left)
    }
    #expect(abs(curve.reach - come) < 1e-3, "\(curve.reach) \(come)")
  }

  @Test func moreDifferentViewersComeTheShorterEachStays() {
    var settings = StreamSettings()
    var last = 0.0
    for minutes in [300, 60, 40, 20] {
      settings.stay = .minutes(Int64(minutes))
      let reach = ViewerCurve(settings).reach
      #expect(reach >= max(1, last))
      last = reach
    }
    // Viewers that stay 40 minutes: the last audience and viewer-hours ÷ ⅔ hour.
    settings.stay = .minutes(40)
    let curve = ViewerCurve(settings)
    let expected = pow(0.5, 105.0 / 90) + curve.viewerHours(toHours: 2) * 1.5
    #expect(abs(curve.reach - expected) < 1e-9)
  }
}
