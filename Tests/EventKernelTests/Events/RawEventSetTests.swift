// Goal: the lazy radix wheel gives the same events in the same order as an array that is scanned.
// Method: the same random operations on both, over many seeds and distributions of increments;
// after each operation the earliest event, the count and the clock must agree.
import EventKernel
import Testing

/// A pending-event set that is obviously right: an unordered array, scanned for its minimum.
struct ScannedEvents {
  var events: [RawEvent] = []
  mutating func pop() -> RawEvent? {
    guard let earliest = events.min() else { return nil }
    let index = events.firstIndex(of: earliest)!
    events.swapAt(index, events.count - 1)
    return events.removeLast()
  }
}

/// How far ahead of now the next event is pushed.
enum Increments: UInt64, CaseIterable, Sendable {
  case uniform, fine, coarse, bimodal, heavyTailed, constant, whole, zero, enormous, sparse

  func draw(_ stream: inout RandomStream) -> UInt64 {
    let u = stream.uniform()
    return switch self {
    case .uniform: UInt64(u * 1e6)
    case .fine: UInt64(u * 20)
    case .coarse: UInt64(u * 1e15)
    case .bimodal: UInt64(u < 0.9 ? u * 100 : u * 1e9)
    case .heavyTailed: UInt64(min(1e17, 100 / (u * u * u)))
    case .constant: 1000
    case .whole: UInt64(u * 5) << 24
    case .zero: u < 0.8 ? 0 : 1
    case .enormous: u < 0.01 ? 1 << 60 : UInt64(u * 300)
    case .sparse: 1 << UInt64(u * 50)
    }
  }
}

@Suite struct RawEventSetTests {
  @Test(
    "The wheel pops what a scanned array pops", arguments: Increments.allCases, UInt64(0)..<12)
  func agreesWithScannedArray(increments: Increments, seed: UInt64) {
    let replay = "replay: increments \(increments), seed \(seed)"
    var stream = RandomStream(seed: seed, purpose: 77, entity: increments.rawValue)
    let start = seed % 3 == 0 ? UInt64(0) : 1 << 41 - 500
    var wheel = RawEventSet(start: start)
    var scanned = ScannedEvents()
    var now = start
    // Target sizes on both sides of every threshold: front split (80), sorting (64), chunk (127).
    let target = [3, 60, 90, 140, 700][Int(seed % 5)]
    let rightful: UInt64 = seed % 2 == 0 ? 4 : 1 << 40
    for step in 0..<1_500 {
      let grows = Double(wheel.count) < Double(target) * (step % 500 < 250 ? 1.0 : 0.3)
      switch stream.uniformIndex(below: 10) {
      case 0..<3:
        for _ in 0..<(grows ? 1 + stream.uniformIndex(below: 8) : 1) {
          let event = RawEvent(
            time: now + increments.draw(&stream),
            payload: stream.uniformIndex(below: rightful) &* 0x0101_0000_0001)
          wheel.push(event)
          scanned.events.append(event)
        }
      case 3:
        #expect(wheel.peek() == scanned.events.min(), "\(replay), step \(step)")
      case 4:
        let limit = now + increments.draw(&stream) / 2
        let expected = scanned.events.min().flatMap { $0.time <= limit ? $0 : nil }
        #expect(wheel.pop(through: limit) == expected, "\(replay), step \(step)")
        if expected != nil {
          now = scanned.pop()!.time
        } else {
          wheel.advance(to: limit)
          now = limit
        }
      default:
        if grows && step % 2 == 0 { continue }
        let popped = wheel.pop()
        let expected = scanned.pop()
        #expect(popped == expected, "\(replay), step \(step)")
        now = expected?.time ?? now
      }
      #expect(wheel.count == scanned.events.count, "\(replay), step \(step)")
      #expect(wheel.now == now, "\(replay), step \(step)")
    }
    let rest = scanned.events.sorted()
    var drained: [RawEvent] = []
    while let event = wheel.pop() { drained.append(event) }
    #expect(drained == rest, "\(replay), drain")
    #expect(wheel.isEmpty == true)
  }

  @Test("Large loads come out sorted", arguments: Increments.allCases)
  func largeLoad(increments: Increments) {
    var stream = RandomStream(seed: 5, purpose: 78, entity: increments.rawValue)
    var wheel = RawEventSet()
    var events: [RawEvent] = []
    for index in 0..<20_000 {
      let event = RawEvent(time: increments.draw(&stream), payload: UInt64(index) &* 7919 % 20_011)
      events.append(event)
      wheel.push(event)
    }
    events.sort()
    for (index, event) in events.enumerated() {
      let popped = wheel.pop()
      if popped != event {
        Issue.record("\(increments): pop \(index) gave \(String(describing: popped)), not \(event)")
        return
      }
    }
    #expect(wheel.pop() == nil)
  }

  @Test("Many events pushed into the gap before the next one come out in order")
  func gapBeforeTheFront() {
    var wheel = RawEventSet()
    var expected: [RawEvent] = []
    var stream = RandomStream(seed: 1, purpose: 79, entity: 0)
    for index in 0..<3_000 {
      let event = RawEvent(
        time: 1 << 40 + stream.uniformIndex(below: 1 << 30), payload: UInt64(index))
      wheel.push(event)
      expected.append(event)
    }
    for round in 0..<3 {
      // Peeking arranges the set up to its first event; all that follows lies before it.
      _ = wheel.peek()
      for index in 0..<1_000 {
        let event = RawEvent(
          time: stream.uniformIndex(below: 1 << (20 + UInt64(round) * 9)),
          payload: UInt64(index + 10_000))
        wheel.push(event)
        expected.append(event)
      }
    }
    expected.sort()
    var popped: [RawEvent] = []
    while let event = wheel.pop() { popped.append(event) }
    #expect(popped == expected)
  }

  @Test("A front that runs dry at the end of its memory takes the next event")
  func frontAtTheEndOfItsMemory() {
    // With one or two events pending, the front wanders through all of its memory many times.
    var wheel = RawEventSet()
    for time in UInt64(0)..<5_000 {
      wheel.push(RawEvent(time: time, payload: time))
      if time % 7 == 0 { wheel.push(RawEvent(time: time, payload: time + 1)) }
      #expect(wheel.pop() == RawEvent(time: time, payload: time))
      if time % 7 == 0 { #expect(wheel.pop() == RawEvent(time: time, payload: time + 1)) }
    }
    #expect(wheel.count == 0)
  }

  @Test("Few events come out in order, in whatever order they are pushed", arguments: 1...5)
  func fewEvents(count: Int) {
    // All sequences of `count` keys out of six, two of which are equal; one set takes them all, so
    // that its front is met at every place of its memory.
    let keys = [(0, 1), (0, 2), (1, 0), (1, 0), (2, 0), (2, UInt64.max)]
    var wheel = RawEventSet()
    var sequences = 1
    for _ in 0..<count { sequences *= keys.count }
    for sequence in 0..<sequences {
      var rest = sequence
      var events: [RawEvent] = []
      for _ in 0..<count {
        let key = keys[rest % keys.count]
        rest /= keys.count
        let event = RawEvent(time: UInt64(sequence * 3 + key.0), payload: key.1)
        events.append(event)
        wheel.push(event)
      }
      var popped: [RawEvent] = []
      while let event = wheel.pop() { popped.append(event) }
      if popped != events.sorted() || wheel.count != 0 {
        Issue.record("sequence \(sequence): \(events) came out as \(popped)")
        return
      }
    }
  }

  @Test("Equal events come out as often as they were pushed")
  func equalEvents() {
    var wheel = RawEventSet()
    for _ in 0..<2_000 { wheel.push(RawEvent(time: 9, payload: 4)) }
    wheel.push(RawEvent(time: 9, payload: 3))
    wheel.push(RawEvent(time: 8, payload: 5))
    for _ in 0..<2_000 { wheel.push(RawEvent(time: 10, payload: 0)) }
    #expect(wheel.pop() == RawEvent(time: 8, payload: 5))
    #expect(wheel.pop() == RawEvent(time: 9, payload: 3))
    for _ in 0..<2_000 { #expect(wheel.pop() == RawEvent(time: 9, payload: 4)) }
    for _ in 0..<2_000 { #expect(wheel.pop() == RawEvent(time: 10, payload: 0)) }
    #expect(wheel.pop() == nil)
  }

  @Test("The last representable time and payload are ordinary events")
  func extremes() {
    var wheel = RawEventSet()
    let events = [
      RawEvent(time: 0, payload: 0), RawEvent(time: 0, payload: .max),
      RawEvent(time: .max, payload: 0), RawEvent(time: .max, payload: .max),
    ]
    for event in events.reversed() { wheel.push(event) }
    for event in events { #expect(wheel.pop() == event) }
    #expect(wheel.now == .max)
  }

  @Test("A signed time keeps its order as ticks")
  func signedTimes() {
    let times: [Int64] = [.min, -1, 0, 1, .max]
    for (earlier, later) in zip(times, times.dropFirst()) {
      #expect(RawEvent(at: earlier, payload: 0) < RawEvent(at: later, payload: 0))
    }
    for time in times { #expect(RawEvent(at: time, payload: 0).signedTime == time) }
  }

  @Test("Memory is reused: a steady load does not grow the set")
  func memoryIsReused() {
    var stream = RandomStream(seed: 3, purpose: 80, entity: 0)
    var wheel = RawEventSet()
    for index in UInt64(0)..<5_000 {
      wheel.push(RawEvent(time: stream.uniformIndex(below: 1 << 20), payload: index))
    }
    func churn(_ count: Int) {
      for _ in 0..<count {
        guard let event = wheel.pop() else { return }
        wheel.push(
          RawEvent(
            time: event.time + stream.uniformIndex(below: 1 << 20), payload: event.payload))
      }
    }
    churn(20_000)
    let before = wheel.reservedBytes
    churn(50_000)
    #expect(wheel.reservedBytes == before)
    wheel.removeAll()
    #expect(wheel.count == 0)
    #expect(wheel.pop() == nil)
    wheel.push(RawEvent(time: 1, payload: 1))
    #expect(wheel.pop() == RawEvent(time: 1, payload: 1))
  }

  @Test("The front shows later events only once they are sorted")
  func peekAhead() {
    var wheel = RawEventSet()
    #expect(wheel.peek(ahead: 0) == nil)
    for time in UInt64(1)...40 { wheel.push(RawEvent(time: time, payload: time)) }
    for ahead in 0..<40 {
      let event = RawEvent(time: UInt64(ahead) + 1, payload: UInt64(ahead) + 1)
      #expect(wheel.peek(ahead: ahead) == event)
    }
    #expect(wheel.peek(ahead: 40) == nil)
  }

  @Test("Pushing before now, or passing a pending event, stops the process")
  func timeNeverGoesBack() async {
    await #expect(processExitsWith: .failure) {
      var wheel = RawEventSet(start: 10)
      wheel.push(RawEvent(time: 9, payload: 0))
    }
    await #expect(processExitsWith: .failure) {
      var wheel = RawEventSet(start: 10)
      wheel.push(RawEvent(time: 12, payload: 0))
      wheel.advance(to: 13)
    }
    await #expect(processExitsWith: .failure) {
      var wheel = RawEventSet(start: 10)
      wheel.advance(to: 9)
    }
  }
}
