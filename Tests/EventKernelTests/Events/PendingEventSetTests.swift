// Goal: scheduling, cancelling and popping keep the strict order (instant, priority, sequence).
// Method: random operations beside an array that is scanned, with ties, stale handles and forced
// renumbering; sometimes-checks that each rare branch was taken.
import EventKernel
import Quantities
import Testing

@Suite struct PendingEventSetTests {
  struct Entry {
    let key: EventKey
    let element: Int
    let handle: EventHandle
  }

  @Test("The set pops what a scanned array pops, with cancellation", arguments: UInt64(0)..<48)
  func agreesWithScannedArray(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, purpose: 90, entity: 0)
    // Small rank limits force renumbering many times in a run.
    let rankLimit: UInt32 = seed % 3 == 0 ? 1 << 28 : 1_000
    let origin = Instant(microseconds: seed % 2 == 0 ? -5_000 : 1_790_000_000_000_000)
    var set = PendingEventSet<Int>(start: origin, rankLimit: rankLimit)
    var model: [Entry] = []
    var dead: [EventHandle] = []
    var now = origin
    var scheduled: UInt64 = 0
    var cancelled = 0
    let spread: UInt64 = [1, 5, 300, 1_000_000][Int(seed % 4)]
    let target = [10, 300, 600][Int(seed / 4 % 3)]

    func earliest() -> Entry? { model.min { $0.key < $1.key } }
    for step in 0..<2_000 {
      let replay = Comment(rawValue: "replay: seed \(seed), step \(step)")
      switch stream.uniformIndex(below: 8) {
      case 0..<(model.count < target ? 5 : 3):
        let ahead = TimeSpan(microseconds: Int64(stream.uniformIndex(below: spread)))
        let priority = UInt8(stream.uniformIndex(below: 3))
        let key = EventKey(instant: now + ahead, priority: priority, sequence: scheduled)
        let handle = try set.schedule(step, at: now + ahead, priority: priority)
        model.append(Entry(key: key, element: step, handle: handle))
        scheduled += 1
      case 5 where !model.isEmpty:
        let index = Int(stream.uniformIndex(below: UInt64(model.count)))
        let entry = model.remove(at: index)
        #expect(set.isPending(entry.handle) == true, replay)
        #expect(set.cancel(entry.handle) == entry.element, replay)
        dead.append(entry.handle)
        cancelled += 1
      case 6 where !dead.isEmpty:
        let handle = dead[Int(stream.uniformIndex(below: UInt64(dead.count)))]
        #expect(set.cancel(handle) == nil, replay)
        #expect(set.isPending(handle) == false, replay)
      case 7 where step % 4 == 0:
        #expect(set.nextInstant() == earliest()?.key.instant, replay)
      case 7 where step % 4 == 1:
        let limit = now + TimeSpan(microseconds: Int64(stream.uniformIndex(below: spread)))
        let expected = earliest().flatMap { $0.key.instant <= limit ? $0 : nil }
        let popped = set.popNext(through: limit)
        #expect(popped?.key == expected?.key, replay)
        if let expected {
          model.removeAll { $0.key == expected.key }
          dead.append(expected.handle)
          now = expected.key.instant
        } else {
          set.advance(to: limit)
          now = limit
        }
      default:
        let popped = set.popNext()
        let expected = earliest()
        #expect(popped?.key == expected?.key, replay)
        #expect(popped?.element == expected?.element, replay)
        if let expected {
          model.removeAll { $0.key == expected.key }
          dead.append(expected.handle)
          now = expected.key.instant
        }
      }
      #expect(set.count == model.count, replay)
      #expect(set.now == now, replay)
    }
    #expect(cancelled > 50, "too few cancellations to prove anything")
    for entry in model.sorted(by: { $0.key < $1.key }) {
      #expect(set.popNext()?.key == entry.key, "seed \(seed), drain")
    }
    #expect(set.popNext() == nil)
  }

  @Test("At one instant: priority first, then first in, first out")
  func ties() throws {
    var set = PendingEventSet<String>(start: Instant(microseconds: 0))
    let noon = Instant(microseconds: 43_200_000_000)
    for (name, priority) in [("c", 128), ("e", 200), ("d", 128), ("a", 0), ("b", 1)] {
      try set.schedule(name, at: noon, priority: UInt8(priority))
    }
    var order = ""
    while let next = set.popNext() { order += next.element }
    #expect(order == "abcde")
  }

  @Test("An event in the past is refused, and nothing changes")
  func pastIsRefused() throws {
    var set = PendingEventSet<Int>(start: Instant(microseconds: 100))
    let error = ScheduleError.inThePast(
      now: Instant(microseconds: 100), requested: Instant(microseconds: 99))
    var caught: ScheduleError?
    do { try set.schedule(1, at: Instant(microseconds: 99)) } catch { caught = error }
    #expect(caught == error)
    #expect(
      error.description
        == "an event at 99 us cannot be scheduled at 100 us: it must not be in the past")
    #expect(set.count == 0)
    #expect(set.scheduled == 0)
    try set.schedule(1, at: Instant(microseconds: 100))
    #expect(set.count == 1)
  }

  @Test("Mass cancellation gives the memory of stale events back")
  func massCancellation() throws {
    var set = PendingEventSet<Int>(start: Instant(microseconds: 0))
    for round in 0..<30 {
      var handles: [EventHandle] = []
      for index in 0..<2_000 {
        let instant = Instant(microseconds: Int64(1_000_000 + (index * 7_919 + round) % 500_000))
        handles.append(try set.schedule(index, at: instant))
      }
      for handle in handles { #expect(set.cancel(handle) != nil) }
      #expect(set.count == 0)
    }
    #expect(set.popNext() == nil)
    #expect(set.now == Instant(microseconds: 0))
  }

  @Test("Elements that are objects are released when popped, canceled or dropped")
  func elementsAreReleased() throws {
    final class Token {}
    weak var popped: Token?
    weak var cancelled: Token?
    weak var dropped: Token?
    do {
      var set = PendingEventSet<Token>(start: Instant(microseconds: 0))
      func add(_ microseconds: Int64) throws -> (Token, EventHandle) {
        let token = Token()
        return (token, try set.schedule(token, at: Instant(microseconds: microseconds)))
      }
      do {
        let first = try add(1)
        popped = first.0
        let second = try add(2)
        cancelled = second.0
        let third = try add(3)
        dropped = third.0
        _ = set.popNext()
        set.cancel(second.1)
      }
      #expect(popped == nil)
      #expect(cancelled == nil)
      #expect(dropped != nil)
    }
    #expect(dropped == nil)
  }

  @Test("The clock cannot pass a pending event, but can pass a canceled one")
  func advancing() async throws {
    var set = PendingEventSet<Int>(start: Instant(microseconds: 0))
    let handle = try set.schedule(1, at: Instant(microseconds: 10))
    set.advance(to: Instant(microseconds: 10))
    set.cancel(handle)
    set.advance(to: Instant(microseconds: 11))
    #expect(set.now == Instant(microseconds: 11))
    await #expect(processExitsWith: .failure) {
      var set = PendingEventSet<Int>(start: Instant(microseconds: 0))
      try set.schedule(1, at: Instant(microseconds: 10))
      set.advance(to: Instant(microseconds: 11))
    }
  }
}
