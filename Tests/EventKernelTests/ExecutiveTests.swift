// Goal: the executive's clock, limits, stopping and errors; the queue resource's books.
// Method: small models whose every event is known.
import EventKernel
import Foundation
import Quantities
import Testing

/// Notes every event with its instant, and acts on some.
struct Recorder: EventHandler {
  enum Event: Equatable {
    case note(Int)
    case spawn(Int)
    case stop, fail
  }
  struct Broken: Error, Equatable { let at: Instant }
  var log: [String] = []

  mutating func handle(
    _ event: Event, _ executive: inout Executive<Event>
  ) throws(Broken) {
    log.append("\(executive.now.microseconds):\(event)")
    switch event {
    case .note: break
    case .spawn(let count):
      if count > 0 { executive.schedule(.spawn(count - 1), after: TimeSpan(microseconds: 10)) }
    case .stop: executive.stop()
    case .fail: throw Broken(at: executive.now)
    }
  }
}

@Suite struct ExecutiveTests {
  static func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

  @Test("An executive that is made of what another one had scheduled goes on as it does")
  func scheduled() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    for number in 0..<40 {
      try executive.schedule(
        .note(number), at: Self.at(Int64(number * 7 % 13) * 10), priority: UInt8(number % 3))
    }
    try executive.schedule(.spawn(5), at: Self.at(30))
    executive.cancel(try executive.schedule(.note(99), at: Self.at(70)))
    _ = try executive.run(until: Self.at(45), &recorder)
    let all = executive.scheduled()
    #expect(all.count == executive.pendingCount)
    let bytes = all.map { (instant: $0.instant, priority: $0.priority) }
    #expect(bytes.map(\.instant) == bytes.map(\.instant).sorted())
    var other = try Executive(now: executive.now, handled: executive.handled, all)
    var second = recorder
    #expect(other.now == Self.at(45) && other.handled == executive.handled)
    // Asking for what is scheduled changes nothing, either.
    try executive.schedule(.note(100), at: Self.at(70), priority: 1)
    try other.schedule(.note(100), at: Self.at(70), priority: 1)
    try executive.run(&recorder)
    try other.run(&second)
    #expect(recorder.log == second.log && recorder.log.count > 46)
    #expect(throws: ScheduleError.self) { _ = try Executive(now: Self.at(9_999), handled: 0, all) }
  }

  @Test("A queue that was saved has the same line, servers and statistics")
  func savedQueue() throws {
    var queue = QueueResource<Int>(servers: 2, lineMaximum: 40, start: Self.at(0))
    for number in 0..<50 { _ = queue.arrive(number, at: Self.at(Int64(number))) }
    for number in 0..<9 { _ = queue.finish(at: Self.at(60 + Int64(number))) }
    var other = try JSONDecoder().decode(
      QueueResource<Int>.self, from: try JSONEncoder().encode(queue))
    #expect(other.turnedAway == 8 && other.lineLength == queue.lineLength && other.busy == 2)
    while queue.busy > 0 {
      let (a, b) = (queue.finish(at: Self.at(100)), other.finish(at: Self.at(100)))
      #expect(a?.customer == b?.customer && a?.arrival == b?.arrival)
    }
    #expect(other.waits == queue.waits && other.lineStatistics == queue.lineStatistics)
    #expect(other.busyStatistics == queue.busyStatistics)
  }

  @Test("Events happen in order, and the clock shows their instant")
  func order() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    try executive.schedule(.note(2), at: Self.at(20))
    try executive.schedule(.note(1), at: Self.at(10))
    executive.schedule(.note(3), after: TimeSpan(microseconds: 20))
    #expect(try executive.run(&recorder) == 3)
    #expect(recorder.log == ["10:note(1)", "20:note(2)", "20:note(3)"])
    #expect(executive.now == Self.at(20))
    #expect(executive.handled == 3)
    #expect(executive.currentKey?.sequence == 2)
  }

  @Test("A run until an instant leaves that instant's events for the next run")
  func windows() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    try executive.schedule(.spawn(5), at: Self.at(0))
    #expect(try executive.run(until: Self.at(20), &recorder) == 2)
    #expect(executive.now == Self.at(20))
    #expect(try executive.run(until: Self.at(20), &recorder) == 0)
    #expect(try executive.run(until: Self.at(21), &recorder) == 1)
    #expect(executive.now == Self.at(21))
    #expect(try executive.run(until: Self.at(1_000), &recorder) == 3)
    #expect(executive.now == Self.at(1_000))
    #expect(executive.pendingCount == 0)
  }

  @Test("A handler can stop the run; the next run continues")
  func stopping() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    try executive.schedule(.stop, at: Self.at(5))
    try executive.schedule(.note(1), at: Self.at(6))
    #expect(try executive.run(until: Self.at(100), &recorder) == 1)
    #expect(executive.now == Self.at(5))
    #expect(try executive.run(until: Self.at(100), &recorder) == 1)
    #expect(executive.now == Self.at(100))
  }

  @Test("A run while a condition holds ends before the event that breaks it")
  func condition() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    executive.schedule(.spawn(100), after: TimeSpan(microseconds: 0))
    #expect(try executive.run(&recorder) { $0.log.count < 7 } == 7)
    #expect(executive.now == Self.at(60))
  }

  @Test("What a handler throws ends the run and reaches the caller")
  func failure() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    try executive.schedule(.fail, at: Self.at(4))
    try executive.schedule(.note(1), at: Self.at(5))
    var caught: Recorder.Broken?
    do { try executive.run(&recorder) } catch { caught = error }
    #expect(caught == Recorder.Broken(at: Self.at(4)))
    #expect(try executive.run(&recorder) == 1)
  }

  @Test("A canceled event does not happen")
  func cancelling() throws {
    var executive = Executive<Recorder.Event>(start: Self.at(0))
    var recorder = Recorder()
    let handle = executive.schedule(.note(1), after: TimeSpan(microseconds: 3))
    executive.schedule(.note(2), after: TimeSpan(microseconds: 3))
    #expect(executive.isPending(handle) == true)
    #expect(executive.cancel(handle) == .note(1))
    #expect(executive.cancel(handle) == nil)
    #expect(executive.nextInstant() == Self.at(3))
    try executive.run(&recorder)
    #expect(recorder.log == ["3:note(2)"])
  }

  @Test("A negative span stops the process; one beyond the last instant is cut off there")
  func spans() async {
    await #expect(processExitsWith: .failure) {
      var executive = Executive<Int>(start: Instant(microseconds: 0))
      executive.schedule(1, after: TimeSpan(microseconds: -1))
    }
    var executive = Executive<Int>(start: Instant(microseconds: 100))
    executive.schedule(1, after: TimeSpan(microseconds: .max))
    #expect(executive.nextInstant() == .distantFuture)
  }
}

@Suite struct QueueResourceTests {
  static func at(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

  @Test("Customers are served in order of arrival, and the books add up")
  func books() throws {
    var queue = QueueResource<String>(servers: 2, lineMaximum: 2, start: Self.at(0))
    #expect(queue.arrive("a", at: Self.at(0)) == .startsNow)
    #expect(queue.arrive("b", at: Self.at(1)) == .startsNow)
    #expect(queue.arrive("c", at: Self.at(2)) == .waits)
    #expect(queue.arrive("d", at: Self.at(2)) == .waits)
    #expect(queue.arrive("e", at: Self.at(3)) == .turnedAway)
    #expect(queue.lineLength == 2)
    #expect(queue.busy == 2)
    let next = queue.finish(at: Self.at(4))
    #expect(next?.customer == "c")
    #expect(next?.arrival == Self.at(2))
    #expect(queue.finish(at: Self.at(6))?.customer == "d")
    #expect(queue.finish(at: Self.at(7))?.customer == nil)
    #expect(queue.finish(at: Self.at(8))?.customer == nil)
    #expect(queue.busy == 0)
    #expect(queue.turnedAway == 1)
    // Waits 0, 0, 2, 4; line 2 customers over 2 … 4, one over 4 … 6; busy 1, 2 × 6, 1.
    #expect(queue.waits.count == 4)
    #expect(queue.waits.mean == 1.5)
    #expect(try queue.lineStatistics.mean(at: Self.at(10)) == 0.6)
    #expect(try queue.busyStatistics.mean(at: Self.at(10)) == 1.4)
    #expect(queue.lineStatistics.maximum == 2)
    queue.restartStatistics(at: Self.at(10))
    #expect(queue.waits.count == 0)
    #expect(queue.turnedAway == 0)
  }

  @Test("A line that grows while it wraps keeps its order", arguments: [0, 5, 13, 16, 31])
  func ring(turns: Int) {
    var queue = QueueResource<Int>(servers: 1, start: Self.at(0))
    _ = queue.arrive(-1, at: Self.at(0))
    for turn in 0..<turns {
      _ = queue.arrive(-2, at: Self.at(0))
      #expect(queue.finish(at: Self.at(0))?.customer == -2, "turn \(turn)")
    }
    for customer in 0..<100 { _ = queue.arrive(customer, at: Self.at(1)) }
    for customer in 0..<100 { #expect(queue.finish(at: Self.at(2))?.customer == customer) }
    #expect(queue.finish(at: Self.at(2))?.customer == nil)
  }

  @Test("A service that ends where none runs stops the process")
  func idleFinish() async {
    await #expect(processExitsWith: .failure) {
      var queue = QueueResource<Int>(servers: 1, start: Instant(microseconds: 0))
      _ = queue.finish(at: Instant(microseconds: 0))
    }
  }
}
