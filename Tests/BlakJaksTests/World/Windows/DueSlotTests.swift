// Goal: members who are due are found, all of them and nobody else, and the slot of an instant is exact.
// Method: a plain array of slot numbers beside the blocks, and divisions beside the multiplication.
import EventKernel
import Quantities
import Testing

@testable import BlakJaks

@Suite struct DueSlotTests {
  @Test(
    "A slot is the whole part of a division",
    arguments: [2, 3, 7, 1_000_000, 4_194_304, 60_000_000, 3_600_000_000, 86_400_000_000])
  func slotsAreExact(length: Int64) {
    let origin = Instant(microseconds: 1_767_243_600_000_000)
    let clock = SlotClock(origin: origin, length: TimeSpan(microseconds: length))
    var stream = RandomStream(seed: 5, purpose: 1, entity: UInt64(length))
    var spans = [0, 1, length - 1, length, length + 1, Int64.max - origin.microseconds]
    for _ in 0..<2_000 {
      let shift = stream.uniformIndex(below: 55)
      let span = Int64(stream.nextUInt64() >> (9 + shift))
      spans += [span, span / length * length, max(span / length * length - 1, 0)]
    }
    for span in spans {
      #expect(clock.slot(of: origin + TimeSpan(microseconds: span)) == span / length, "\(span)")
    }
  }

  @Test(
    "Members are found in the window in which they are due", arguments: [1, 31, 32, 33, 700, 4_096])
  func everybodyIsFound(members: Int) {
    let origin = Instant(microseconds: 0)
    let clock = SlotClock(origin: origin, length: .hours(1))
    let memory = MemberMemory(
      members: members, size: CellSize(capacity: 4_096), hasExtras: false)
    var due = DueSlots(memory, members: members, clock: clock)
    let lines = [UInt8](repeating: 0, count: 64 * members)
    var places = [UInt16](repeating: 0, count: due.room)
    var stream = RandomStream(seed: 9, purpose: 2, entity: UInt64(members))
    var plain = [Int64](repeating: .max, count: members)
    let base: Int64 = 100_000
    due.begin(at: base)
    func set(_ place: Int, _ slot: Int64) {
      plain[place] = slot - base < 65_535 ? slot : .max
      let within = TimeSpan(microseconds: Int64(stream.uniformIndex(below: 3_600_000_000)))
      due.writer.set(place, at: origin + .hours(slot) + within)
    }
    for place in 0..<members { set(place, base + Int64(stream.uniformIndex(below: 300))) }
    var (first, found) = (base, 0)
    while first < base + 900 {
      // Mostly one slot, sometimes one that reaches into the next.
      let last = first + (stream.uniform() < 0.2 ? 1 : 0)
      let expected = plain.indices.filter { plain[$0] >= first && plain[$0] <= last }
      let count = due.take(from: first, through: last, into: &places, lines: lines, most: 16)
      #expect(places[..<count].map(Int.init) == expected, "\(members) members, slot \(first)")
      found += count
      // All that were found are due later, some never; others are put off or called earlier.
      for place in expected {
        set(
          place,
          stream.uniform() < 0.1 ? base + 90_000 : last + 1 + Int64(stream.uniformIndex(below: 80)))
      }
      for _ in 0..<3 where members > 1 {
        let place = Int(stream.uniformIndex(below: UInt64(members)))
        set(place, last + 1 + Int64(stream.uniformIndex(below: 200)))
      }
      first = last + 1
    }
    #expect(found > members, "sometimes: members come again")
  }
}
