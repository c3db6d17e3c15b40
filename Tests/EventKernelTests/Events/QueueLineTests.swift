// Goal: a line of plain values and a line of objects are the same line, and objects that have left
// it are released.
// Method: the same random arrivals and departures on both; who starts, and all statistics, must
// agree at each step.
import EventKernel
import Quantities
import Testing

@Suite struct QueueLineTests {
  final class Guest {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test("Plain customers and objects wait in the same line", arguments: UInt64(0)..<8)
  func plainAndObjects(seed: UInt64) {
    let start = Instant(microseconds: 0)
    var stream = RandomStream(seed: seed, purpose: 82, entity: 0)
    var plain = QueueResource<Int>(servers: 2, lineMaximum: 60, start: start)
    var objects = QueueResource<Guest>(servers: 2, lineMaximum: 60, start: start)
    var line: [Int] = []
    var longest = 0
    for step in 0..<5_000 {
      let replay = "replay: seed \(seed), step \(step)"
      let now = Instant(microseconds: Int64(step) * 1_000)
      // Lines grow beyond the ring's first size and run empty again.
      if stream.uniform() < (step / 500 % 2 == 0 ? 0.6 : 0.4) {
        let arrival = plain.arrive(step, at: now)
        #expect("\(objects.arrive(Guest(step), at: now))" == "\(arrival)", "\(replay)")
        if arrival == .waits { line.append(step) }
      } else if plain.busy > 0 {
        let next = plain.finish(at: now)
        let same = objects.finish(at: now)
        let expected = line.isEmpty ? nil : line.removeFirst()
        #expect(next?.customer == expected, "\(replay)")
        #expect(same?.customer.number == expected, "\(replay)")
        #expect(next?.arrival == same?.arrival, "\(replay)")
      }
      longest = max(longest, line.count)
      #expect(plain.lineLength == line.count, "\(replay)")
      #expect(plain.waits == objects.waits, "\(replay)")
      #expect(plain.lineStatistics == objects.lineStatistics, "\(replay)")
      #expect(plain.busyStatistics == objects.busyStatistics, "\(replay)")
      #expect(plain.turnedAway == objects.turnedAway, "\(replay)")
    }
    #expect(longest > 16)
  }

  @Test("A copy of a resource goes on by itself")
  func copies() {
    var first = QueueResource<Int>(servers: 1, start: Instant(microseconds: 0))
    for customer in 0..<5 { _ = first.arrive(customer, at: Instant(microseconds: 1)) }
    var second = first
    #expect(first.finish(at: Instant(microseconds: 2))?.customer == 1)
    _ = first.arrive(9, at: Instant(microseconds: 3))
    #expect(second.finish(at: Instant(microseconds: 4))?.customer == 1)
    _ = second.arrive(8, at: Instant(microseconds: 5))
    for customer in [2, 3, 4, 9] {
      #expect(first.finish(at: Instant(microseconds: 6))?.customer == customer)
    }
    for customer in [2, 3, 4, 8] {
      #expect(second.finish(at: Instant(microseconds: 6))?.customer == customer)
    }
    #expect(first.finish(at: Instant(microseconds: 7)) == nil)
  }

  @Test("An object that has left the line is released")
  func objectsAreReleased() {
    var line = QueueResource<Guest>(servers: 1, start: Instant(microseconds: 0))
    weak var waited: Guest?
    do {
      let guest = Guest(1)
      waited = guest
      _ = line.arrive(Guest(0), at: Instant(microseconds: 1))
      _ = line.arrive(guest, at: Instant(microseconds: 1))
    }
    #expect(waited != nil)
    _ = line.finish(at: Instant(microseconds: 2))
    #expect(waited == nil)
    #expect(line.busy == 1)
  }
}
