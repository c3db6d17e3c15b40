import BlakJaks
// Goal: the day of the first trip is the one on which the scan that won it was accepted.
// Method: the day on which the daily counts of accepted scans first reach the winning scan's number.
import Quantities
import Scenario
import TestSupport
import Testing

@Suite struct TripDayTests {
  private func record(_ every: Int) throws -> BlakJaksRecord {
    try told(
      try story(
        "full-programme", "population.members=150", "calendar.days=100",
        "rules.prizes[4].every=\(every)", "rules.prizes[4].tier=standard"))
  }

  @Test func aRarerTripIsWonLater() throws {
    var days: [Double] = []
    for every in [50, 200, 800] {
      let record = try record(every)
      let trip = try #require(record.awards.first { $0.kind == .trip })
      var scans: Int64 = 0
      let day = try #require(
        record.days.firstIndex { day in
          scans += day.acceptedScans
          return scans >= trip.wonScan
        })
      let figure = try #require(record.figure("trips.first_day"))
      #expect(figure == Double(day + 1), "every \(every) scans")
      days.append(figure)
    }
    #expect(days == days.sorted() && Set(days).count == 3, "\(days)")
    #expect(try record(900_000).figure("trips.first_day") == nil)
  }
}
