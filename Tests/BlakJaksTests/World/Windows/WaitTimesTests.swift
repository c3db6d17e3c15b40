// Goal: waiting times that are entered many at once are those of one after another, whenever somebody looks.
// Method: a sketch to which each is added alone, on minutes of a random stream, few and many.
import EventKernel
import Foundation
import Quantities
import Testing

@testable import BlakJaks

@Suite struct WaitTimesTests {
  private static let shares = [0, 0.05, 0.5, 0.9, 0.95, 1]

  /// Minutes with awards, and an instant after them.
  private func minutes(_ count: Int) -> (minutes: [AwardMinute], end: Instant) {
    var stream = RandomStream(seed: 7, purpose: 906, entity: UInt64(count))
    let start = Instant(microseconds: 1_800_000_000_000_000)
    let minutes = (0..<count).map { minute in
      let awards = 1 + Int64(stream.uniformIndex(below: 40))
      return AwardMinute(
        start: start + .minutes(Int64(minute)), count: awards,
        offsets: awards * Int64(stream.uniformIndex(below: 60_000_000)))
    }
    return (minutes, start + .minutes(Int64(count) + 3))
  }

  @Test(
    "Minutes entered at once are minutes entered one by one",
    arguments: [0, 1, 5, 63, 64, 65, 100, 128, 1_000])
  func atOnce(minutes count: Int) throws {
    let (minutes, end) = minutes(count)
    var times = WaitTimes()
    times.add(minutes, until: end)
    var sketch = try QuantileSketch()
    var total = 0
    for minute in minutes {
      let waited = minute.waited(until: end)
      total += Int(waited)
      try sketch.add(Double(waited) / Double(minute.count) / 1e6, count: Int(minute.count))
    }
    #expect(times.count == sketch.count)
    #expect(times.mean?.microseconds == (count > 0 ? Int64(total / sketch.count) : nil))
    for share in Self.shares {
      let seconds = try sketch.quantile(share)
      #expect(
        times.quantile(share)?.microseconds == seconds.map { Int64($0 * 1e6) }, "\(share)")
    }
  }

  @Test(
    "What is looked at, or saved, between two minutes goes on as if it was not",
    arguments: [1, 63, 64, 65, 200])
  func between(minutes count: Int) throws {
    let (minutes, end) = minutes(count)
    var (whole, watched, saved) = (WaitTimes(), WaitTimes(), WaitTimes())
    whole.add(minutes, until: end)
    for minute in minutes {
      watched.add(minute.count, total: minute.waited(until: end))
      _ = watched.quantile(0.5)
      saved.add(minute.count, total: minute.waited(until: end))
      saved = try JSONDecoder().decode(WaitTimes.self, from: JSONEncoder().encode(saved))
    }
    for times in [watched, saved] {
      #expect(times.count == whole.count && times.mean == whole.mean)
      for share in Self.shares { #expect(times.quantile(share) == whole.quantile(share)) }
    }
  }
}
