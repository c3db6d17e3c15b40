// Goal: waiting times of many minutes at once are those of one after another.
// Method: both, on minutes of a random stream, few and many.
import EventKernel
import Quantities
import Testing

@testable import BlakJaks

@Suite struct WaitTimesTests {
  @Test(
    "Minutes entered at once are minutes entered one by one", arguments: [0, 1, 5, 16, 17, 100])
  func atOnce(minutes count: Int) {
    var stream = RandomStream(seed: 7, purpose: 906, entity: UInt64(count))
    let start = Instant(microseconds: 1_800_000_000_000_000)
    let end = start + .minutes(Int64(count) + 3)
    let minutes = (0..<count).map { minute in
      let awards = 1 + Int64(stream.uniformIndex(below: 40))
      return AwardMinute(
        start: start + .minutes(Int64(minute)), count: awards,
        offsets: awards * Int64(stream.uniformIndex(below: 60_000_000)))
    }
    var (together, single) = (WaitTimes(), WaitTimes())
    together.add(minutes, until: end)
    for minute in minutes { single.add(minute.count, total: minute.waited(until: end)) }
    #expect(together.count == single.count && together.mean == single.mean)
    #expect(together.count == minutes.reduce(0) { $0 + $1.count })
    for share in [0, 0.05, 0.5, 0.9, 0.95, 1] {
      #expect(together.quantile(share) == single.quantile(share), "\(share)")
    }
  }
}
