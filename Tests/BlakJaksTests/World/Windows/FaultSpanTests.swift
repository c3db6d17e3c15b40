// Goal: outages and rings act in the part of a run that they overlap, from the local hour that they
// name.
// Method: spans around the ends of a run and around clock changes, worked out by hand.
import BlakJaks
import Quantities
import RewardModel
import TestSupport
import Testing

@Suite struct FaultSpanTests {
  /// The outages of a run of ten days in New York, as start and end.
  private func outages(_ date: String, _ hour: Int, _ lasts: String) throws -> [String] {
    let input = try WorldInput(
      try story(
        "payout-outage", "calendar.start=2026-03-05", "calendar.days=10",
        "population.members=10",
        "faults.payouts.outages=[{date: \(date), hour: \(hour), lasts: \(lasts), kind: halt}]"))
    #expect(input.calendar.zoneName == "America/New_York")
    return input.outages.flatMap { [$0.start.description, $0.end.description] }
  }

  @Test(
    "An outage begins at its local hour, also on a day of a clock change",
    arguments: [
      ("2026-03-07", 18, "2026-03-07T23:00:00.000000Z", "2026-03-08T00:00:00.000000Z"),
      ("2026-03-08", 1, "2026-03-08T06:00:00.000000Z", "2026-03-08T07:00:00.000000Z"),
      ("2026-03-08", 18, "2026-03-08T22:00:00.000000Z", "2026-03-08T23:00:00.000000Z"),
      // 02:00 is skipped; 03:00 is the first hour after it.
      ("2026-03-08", 2, "2026-03-08T07:00:00.000000Z", "2026-03-08T08:00:00.000000Z"),
    ])
  func localHour(date: String, hour: Int, start: String, end: String) throws {
    #expect(try outages(date, hour, "1 h") == [start, end])
  }

  @Test func anOutageThatBeganBeforeTheRunLastsIntoIt() throws {
    #expect(
      try outages("2026-03-03", 12, "48 h") == [
        "2026-03-03T17:00:00.000000Z", "2026-03-05T17:00:00.000000Z",
      ])
    // Its end, like the run's, is exclusive.
    #expect(try outages("2026-03-03", 0, "48 h") == [])
    #expect(try outages("2026-03-14", 23, "48 h").count == 2)
    #expect(try outages("2026-03-15", 0, "48 h") == [])
  }

  @Test(
    "A ring submits on those of its days that are days of the run",
    arguments: [
      ("2026-03-05", 3, 0..<3), ("2026-03-12", 7, 7..<10), ("2026-03-03", 4, 0..<2),
      ("2026-03-01", 30, 0..<10), ("2026-03-14", 1, 9..<10), ("2026-03-03", 2, nil),
      ("2026-03-15", 5, nil),
    ] as [(String, Int, Range<Int>?)])
  func ringDays(date: String, days: Int, rows: Range<Int>?) throws {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: try #require(CivilDate("2026-03-05")), days: 10)
    var ring = try WorldInput(try story("bot-ring")).population.mischief.rings[0]
    ring.date = try #require(CivilDate(date))
    ring.days = days
    #expect(ring.days(in: calendar) == rows)
  }
}
