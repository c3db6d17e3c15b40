import BlakJaks
// Goal: the record has a row for each live stream, whether or not it was over at the run's end.
// Method: a small world whose streams last beyond midnight, stopped while one is on, run to an end
// at which one is on, and run beyond it.
import Population
import Quantities
import RewardModel
import Testing

@Suite struct StreamRowTests {
  /// Streams from eleven at night to two on the Fridays of January 2, 9 and 16.
  private func input(days: Int, ramp: TimeSpan) throws -> WorldInput {
    try smallWorld(seed: 7, members: 60, days: days, window: .days(1)) { input in
      input.population.adoption.model = .cohort
      input.population.chat.enabled = true
      input.population.chat.sampled = 0
      input.population.chat.streams.hour = 23
      input.population.chat.streams.length = .hours(3)
      input.population.chat.streams.viewersShare = 0.5
      input.population.chat.streams.ramp = ramp
    }
  }

  private func check(_ record: BlakJaksRecord) {
    let counted = record.series.first { $0.key == "social.streams" }?.values.last.flatMap { $0 }
    #expect(Int64(record.streams.count) == counted && record.streams.count == 3)
    for row in record.streams {
      #expect(row.end == row.start + .hours(3) && row.uniqueViewers >= row.peakViewers)
    }
    #expect(record.streams.map(\.start) == record.streams.map(\.start).sorted())
  }

  @Test(
    "A stream that is on at the run's end has a row with what it came to so far",
    arguments: [(TimeSpan.minutes(15), Int64(1)), (.hours(2), 2)])
  func onAtTheEnd(ramp: TimeSpan, part: Int64) throws {
    let input = try input(days: 20, ramp: ramp)
    var world = try World(input, threads: 1)
    let whole = try world.run()
    check(whole)
    var stopped = try World(input, threads: 1)
    _ = try stopped.advance(until: input.calendar.dayStarts[16])
    let record = try stopped.close()
    check(record)
    #expect(record.interrupted && record.streams.prefix(2) == whole.streams.prefix(2))
    let (open, over) = (record.streams[2], whole.streams[2])
    #expect(open.start + .hours(1) == record.end && open.end == over.end)
    // After an hour half of an audience that gathers in two is there, and all of one that is faster.
    #expect(open.peakViewers == over.peakViewers / part && open.peakViewers > 0)
    #expect(open.messages > 0 && open.messages < over.messages)
  }

  @Test func aRunThatEndsAsPlannedHasItToo() throws {
    var world = try World(input(days: 16, ramp: .minutes(15)), threads: 1)
    let record = try world.run()
    check(record)
    #expect(!record.interrupted && record.streams[2].end > record.end)
    #expect(record.streams[1].end <= record.end)
  }
}
