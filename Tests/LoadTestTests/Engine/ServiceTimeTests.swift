// Goal: a load that is meant for a quarter's end knows whether the service's clock reaches one.
// Method: readings whose next quarter is known, by zone, speed and length of the load.
import LoadTest
import Quantities
import Testing

@Suite struct ServiceTimeTests {
  private func time(_ text: String, speed: Double = 1) throws -> ServiceTime {
    ServiceTime(
      now: try #require(try ProgrammeCalendar.parseInstant(text, zone: "UTC")), speed: speed)
  }

  @Test(
    "The next quarter begins at the zone's midnight",
    arguments: [
      ("2026-03-31T23:59:30Z", "UTC", "2026-04-01T00:00:00Z"),
      ("2026-04-01T00:00:00Z", "UTC", "2026-07-01T00:00:00Z"),
      ("2026-04-01T03:59:59Z", "America/New_York", "2026-04-01T04:00:00Z"),
      ("2026-07-01T00:00:00Z", "UTC", "2026-10-01T00:00:00Z"),
      ("2026-12-31T12:00:00Z", "America/New_York", "2027-01-01T05:00:00Z"),
    ])
  func next(_ now: String, _ zone: String, _ quarter: String) throws {
    let quarter = try time(quarter).now
    #expect(try time(now).nextQuarter(zone: zone) == quarter)
  }

  @Test("A load reaches a quarter's end by the service's clock, not by the wall's")
  func within() throws {
    let late = try time("2026-03-31T23:59:30Z")
    #expect(try late.turnsQuarter(within: 31, zone: "UTC"))
    #expect(try !late.turnsQuarter(within: 30, zone: "UTC"))
    #expect(try !late.turnsQuarter(within: 3_600, zone: "America/New_York"))
    let fast = try time("2026-03-31T12:00:00Z", speed: 3_600)
    #expect(try fast.turnsQuarter(within: 13, zone: "UTC"))
    #expect(try !fast.turnsQuarter(within: 11, zone: "UTC"))
    let stopped = try time("2026-03-31T23:59:59Z", speed: 0)
    #expect(try !stopped.turnsQuarter(within: 3_600, zone: "UTC"))
  }

  @Test("What would do starts half a load before the quarter, in the zone's own time")
  func start() throws {
    let time = try time("2026-05-05T16:00:00Z")
    #expect(try time.start(forMiddleOf: 60, zone: "UTC") == "2026-06-30T23:59:30")
    #expect(try time.start(forMiddleOf: 60, zone: "America/New_York") == "2026-06-30T23:59:30")
    let fast = try self.time("2026-12-05T16:00:00Z", speed: 3_600)
    #expect(try fast.start(forMiddleOf: 20, zone: "America/New_York") == "2026-12-31T14:00:00")
  }
}
