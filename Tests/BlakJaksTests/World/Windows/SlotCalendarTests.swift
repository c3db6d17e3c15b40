// Goal: a calendar of what is due gives each thing back in the window in which it is due, once.
// Method: a plain list beside it, over random windows: hours, and hours cut by boundaries; things due in the
// window that runs, within a year of 512 slots, and beyond it.
import EventKernel
import Quantities
import Testing

@testable import BlakJaks

/// Something due, and which one.
private struct Due: Timed, Hashable {
  var time: Instant
  var number: Int64

  static func < (a: Due, b: Due) -> Bool { (a.time, a.number) < (b.time, b.number) }
}

@Suite struct SlotCalendarTests {
  @Test("What is due comes in its window", arguments: UInt64(1)...8)
  func secondOpinion(seed: UInt64) {
    let origin = Instant(microseconds: 1_700_000_000_000_000)
    let clock = SlotClock(origin: origin, length: .hours(1))
    var calendar = SlotCalendar<Due>(clock: clock)
    var plain: Set<Due> = []
    var stream = RandomStream(seed: seed, purpose: 91, entity: 1)
    var (number, far, cut, long): (Int64, Int, Int, Int) = (0, 0, 0, 0)
    var start = origin
    for step in 0..<1_500 {
      // Half of the windows end within a slot, as calendar boundaries make them end.
      let hour = TimeSpan.hours(1).microseconds
      let left = hour - (start - origin).microseconds % hour
      let isCut = stream.uniform() < 0.5 && left > hour / 60
      let end = start + TimeSpan(microseconds: isCut ? left / 2 : left)
      cut += isCut ? 1 : 0
      var here: [Due] = []
      var taken: [Due] = []
      calendar.take(from: start, until: end, into: &taken)
      while !taken.isEmpty {
        here += taken
        // What comes of it is due in the same window, sometimes.
        for due in taken where stream.uniform() < 0.3 {
          number += 1
          let next = Due(time: due.time + TimeSpan(microseconds: 1), number: number)
          calendar.insert(next)
          plain.insert(next)
        }
        calendar.take(from: start, until: end, into: &taken)
      }
      let expected = plain.filter { $0.time < end }
      #expect(here.sorted() == expected.sorted(), "seed \(seed), step \(step)")
      long += here.count > 40 ? 1 : 0
      plain.subtract(expected)
      // A crowd in one hour takes several chunks of a day.
      let isCrowd = stream.uniform() < 0.01
      for _ in 0..<(isCrowd ? 60 : Int(stream.uniformIndex(below: 4))) {
        number += 1
        let hours = isCrowd ? 1 : stream.uniform() < 0.1 ? 2_000.0 : 30
        let ahead = TimeSpan(microseconds: Int64(stream.uniform() * hours * 3.6e9))
        far += ahead >= .hours(512) ? 1 : 0
        let next = Due(time: end + ahead, number: number)
        calendar.insert(next)
        plain.insert(next)
      }
      #expect(calendar.count == plain.count, "seed \(seed), step \(step)")
      #expect(calendar.isEmpty == plain.isEmpty, "seed \(seed), step \(step)")
      if step % 100 == 0 {
        #expect(Set(calendar.unordered) == plain, "seed \(seed), step \(step)")
        // What was saved goes on as before: filed anew, from the window that comes.
        var again = SlotCalendar<Due>(clock: clock)
        for due in calendar.unordered { again.insert(due) }
        calendar = again
      }
      start = end
    }
    #expect(long > 2, "sometimes: a day of several chunks")
    #expect(far > 50, "sometimes: due beyond the calendar's year")
    #expect(cut > 300, "sometimes: windows that end within a slot")
  }
}
