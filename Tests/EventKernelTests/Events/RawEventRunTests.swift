// Goal: long slots, taken as they are or sorted as a whole, give the same order as a sorted array.
// Method: loads that make a run (in order; out of order and of moderate length; with one key too
// often to be sorted as a whole), then pops mixed with pushes before, into and after it, next to a
// sorted array; the earliest event, the count and the clock must agree after each operation.
import Testing

@testable import EventKernel

/// A pending-event set that is obviously right: a sorted array, its next event last.
private struct SortedEvents {
  var descending: [RawEvent] = []
  mutating func push(_ event: RawEvent) {
    var low = 0
    var high = descending.count
    while low < high {
      let middle = (low + high) / 2
      if event < descending[middle] { low = middle + 1 } else { high = middle }
    }
    descending.insert(event, at: low)
  }
}

/// What a run is made of.
enum RunLoad: UInt64, CaseIterable, Sendable {
  case ordered, oneTime, oneTimeMixed, equal, moderate, crowded, fewTimes, long, steps
  case almostOrdered

  /// The `index`-th of `count` events to be pushed.
  func event(_ index: UInt64, of count: UInt64, _ stream: inout RandomStream) -> RawEvent {
    let base: UInt64 = 1 << 40
    return switch self {
    case .ordered: RawEvent(time: base + index * 3, payload: index % 7)
    case .oneTime: RawEvent(time: base, payload: index * 5)
    case .oneTimeMixed: RawEvent(time: base, payload: index ^ 0x155)
    case .equal: RawEvent(time: base, payload: 12)
    case .moderate:
      RawEvent(time: base + stream.uniformIndex(below: 1 << 24), payload: index)
    case .crowded:
      RawEvent(
        time: base + (index % 3 == 0 ? stream.uniformIndex(below: 1 << 24) : index % 2),
        payload: stream.uniformIndex(below: 1 << 40))
    case .fewTimes:
      RawEvent(time: base + stream.uniformIndex(below: 40) << 16, payload: index ^ 0x155)
    case .long: RawEvent(time: base + stream.uniformIndex(below: 1 << 30), payload: index)
    case .steps: RawEvent(time: base + index % 64 << 12, payload: index)
    case .almostOrdered:
      RawEvent(time: base + (index == count - 1 ? 0 : 1 + index * 3), payload: index)
    }
  }
}

@Suite struct RawEventRunTests {
  /// A set whose front ends long before the events to come, so that these share one slot.
  private func earlySet() -> RawEventSet {
    var wheel = RawEventSet()
    fill(&wheel)
    return wheel
  }

  /// Puts so many events at time 0 and one far later into a set that its bound is between them,
  /// and takes out the former.
  private func fill(_ wheel: inout RawEventSet) {
    for payload in UInt64(0)..<100 { wheel.push(RawEvent(time: 0, payload: payload)) }
    wheel.push(RawEvent(time: 1 << 62, payload: 0))
    // Nothing after the limit is arranged, so the bound stays.
    for payload in UInt64(0)..<100 {
      #expect(wheel.pop(through: 0) == RawEvent(time: 0, payload: payload))
    }
  }

  private let farthest = RawEvent(time: 1 << 62, payload: 0)

  @Test(
    "A long slot comes out in order, whatever is pushed meanwhile", arguments: RunLoad.allCases,
    UInt64(0)..<8)
  func agreesWithSortedArray(load: RunLoad, seed: UInt64) {
    let replay = "replay: load \(load), seed \(seed)"
    var stream = RandomStream(seed: seed, purpose: 81, entity: load.rawValue)
    // Lengths on both sides of a front (64), a chunk (127) and the longest run that is sorted.
    let count = [UInt64(63), 9_000, 381, 12_000, 300, 65, 2_600, 1_500][Int(seed)]
    var wheel = earlySet()
    var sorted = SortedEvents(descending: [farthest])
    for index in 0..<count {
      let event = load.event(index, of: count, &stream)
      wheel.push(event)
      sorted.descending.append(event)
    }
    // Far events make a slot a small share of all: only then is it sorted as a whole.
    for index in 0..<(seed % 2 == 0 ? (count < 256 ? 40 : 4) * count : 3) {
      let event = RawEvent(time: 1 << 50 + index << 20, payload: index)
      wheel.push(event)
      sorted.descending.append(event)
    }
    sorted.descending.sort(by: >)
    var step = 0
    while wheel.count > 0 && step < 20_000 {
      step += 1
      // Pushes are rare, then frequent and close, so that fronts are split next to a run.
      let pushes = step % 1_000 < 700 ? 17 : 2
      if stream.uniformIndex(below: UInt64(pushes)) == 0 && step < 15_000 {
        let width = UInt64(1) << (4 + stream.uniformIndex(below: 30))
        let now = max(wheel.now, 1 << 40 - 50)
        let next = sorted.descending.last?.time ?? now
        let event = RawEvent(
          time: step % 3 == 0 ? next : now + stream.uniformIndex(below: width),
          payload: stream.uniformIndex(below: step % 5 == 0 ? 20 : 1 << 40))
        wheel.push(event)
        sorted.push(event)
      }
      if !agrees(&wheel, &sorted, step, &stream) {
        Issue.record("\(replay), step \(step)")
        return
      }
    }
    while let event = sorted.descending.popLast() {
      if wheel.pop() != event {
        Issue.record("\(replay), \(sorted.descending.count) left")
        return
      }
    }
    #expect(wheel.pop() == nil, "\(replay)")
  }

  /// One operation that looks or removes, on both; whether they agree.
  private func agrees(
    _ wheel: inout RawEventSet, _ sorted: inout SortedEvents, _ step: Int,
    _ stream: inout RandomStream
  ) -> Bool {
    let earliest = sorted.descending.last
    switch stream.uniformIndex(below: 12) {
    case 0:
      return wheel.peek() == earliest
    case 1:
      let limit = wheel.now + stream.uniformIndex(below: 1 << 20)
      let isDue = earliest.map { $0.time <= limit } ?? false
      guard wheel.peek(through: limit) == (isDue ? earliest : nil) else { return false }
      if !isDue && step % 7 == 0 {
        wheel.advance(to: limit)
        return wheel.now == limit
      }
      guard wheel.pop(through: limit) == (isDue ? earliest : nil) else { return false }
      if isDue { sorted.descending.removeLast() }
    case 2:
      for ahead in [0, 1, 20] {
        // What is shown need not be all that is known, but never out of order.
        guard let shown = wheel.peek(ahead: ahead) else { continue }
        if shown != sorted.descending[sorted.descending.count - 1 - ahead] { return false }
      }
    case 3:
      let now = wheel.now
      wheel.dropFirst()
      _ = sorted.descending.popLast()
      if wheel.now != now { return false }
    default:
      if wheel.pop() != sorted.descending.popLast() { return false }
    }
    return wheel.count == sorted.descending.count
  }

  @Test("A limit in the middle of a run leaves what is after it", arguments: [true, false])
  func limits(isOrdered: Bool) {
    var wheel = earlySet()
    let far: UInt64 = 1 << 40
    for index in UInt64(0)..<1_000 {
      let place = isOrdered ? index : index &* 389 % 1_000
      wheel.push(RawEvent(time: far + place * 10, payload: place))
    }
    for index in UInt64(0)..<4_000 { wheel.push(RawEvent(time: far << 4, payload: index ^ 3)) }
    #expect(wheel.peek(through: far - 1) == nil)
    for place in UInt64(0)..<1_000 {
      #expect(wheel.pop(through: far + place * 10 - 1) == nil)
      wheel.advance(to: far + place * 10 - 1)
      let event = RawEvent(time: far + place * 10, payload: place)
      #expect(wheel.pop(through: far + place * 10) == event)
      if place % 100 == 7 {
        let late = RawEvent(time: far + place * 10 + 1, payload: 0)
        wheel.push(late)
        #expect(wheel.pop() == late)
      }
    }
    for index in UInt64(0)..<4_000 {
      #expect(wheel.pop() == RawEvent(time: far << 4, payload: index))
    }
    #expect(wheel.pop() == farthest)
    #expect(wheel.isEmpty == true)
  }

  @Test("Dropping all events gives a run's memory back, too", arguments: [true, false])
  func removeAll(isOrdered: Bool) {
    var wheel = RawEventSet()
    var reserved = 0
    for round in 0..<80 {
      fill(&wheel)
      for index in UInt64(0)..<4_000 {
        let place = isOrdered ? index : index &* 1_389 % 4_000
        wheel.push(RawEvent(time: 1 << 40 + place << 8, payload: place))
        if isOrdered { continue }
        for late in UInt64(0)..<4 { wheel.push(RawEvent(time: 1 << 50, payload: index * 4 + late)) }
      }
      for _ in 0..<100 { _ = wheel.pop() }
      #expect(wheel.pop() == RawEvent(time: 1 << 40 + 100 << 8, payload: 100))
      wheel.removeAll()
      #expect(wheel.count == 0)
      #expect(wheel.pop() == nil)
      if round == 0 { reserved = wheel.reservedBytes }
      #expect(wheel.reservedBytes == reserved)
    }
  }

  @Test("Constant increments reuse the memory of chunks that were read")
  func steadyRun() {
    var wheel = RawEventSet()
    for index in UInt64(0)..<5_000 { wheel.push(RawEvent(time: 1 << 32, payload: index)) }
    var reserved = 0
    for step in UInt64(0)..<60_000 {
      guard let event = wheel.pop() else { return #expect(Bool(false), "step \(step)") }
      #expect(event == RawEvent(time: (step / 5_000 + 1) << 32, payload: step % 5_000))
      wheel.push(RawEvent(time: event.time + 1 << 32, payload: event.payload))
      if step == 20_000 { reserved = wheel.reservedBytes }
    }
    #expect(wheel.reservedBytes == reserved)
  }

  @Test("An event pushed among a run's later ones takes its place", arguments: [10_440, 19_998])
  func amongTheLaterOnes(place: UInt64) {
    var wheel = earlySet()
    for index in UInt64(0)..<20_000 { wheel.push(RawEvent(time: 1 << 32 + index, payload: index)) }
    #expect(wheel.pop() == RawEvent(time: 1 << 32, payload: 0))
    let late = RawEvent(time: 1 << 32 + place, payload: 7)
    wheel.push(late)
    for index in UInt64(1)..<20_000 {
      if index == place { #expect(wheel.pop() == late) }
      let popped = wheel.pop()
      if popped != RawEvent(time: 1 << 32 + index, payload: index) {
        Issue.record("\(String(describing: popped)) came as number \(index)")
        return
      }
    }
    #expect(wheel.pop() == farthest)
  }

  @Test("A slot is not in order because each of its chunks is", arguments: [2, 3, 40])
  func chunksOutOfOrder(chunks: UInt64) {
    var wheel = earlySet()
    let each = UInt64(RawEventSet.chunkEvents)
    for chunk in 0..<chunks {
      for index in 0..<each {
        wheel.push(RawEvent(time: 1 << 40, payload: (chunks - 1 - chunk) * each + index))
      }
    }
    for payload in 0..<chunks * each {
      #expect(wheel.pop() == RawEvent(time: 1 << 40, payload: payload))
    }
    #expect(wheel.pop() == farthest)
  }
}
