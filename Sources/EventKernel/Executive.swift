public import Quantities

/// What happens at events: the model's side of an `Executive`.
///
/// A handler is a value that the caller owns and passes to `run`; the executive calls it through
/// generics, so the call is direct and may be inlined.
public protocol EventHandler<Event> {
  /// What is scheduled: an enumeration of the model's kinds of event, say.
  associatedtype Event
  /// What a handler may throw to end the run; `Never` by default.
  associatedtype Failure: Error = Never

  /// Lets one event happen.
  ///
  /// - Parameters:
  ///   - event: What was scheduled.
  ///   - executive: Its `now` is the event's instant; schedule and cancel here.
  /// - Throws: `Failure`, to end the run; the event counts as handled.
  mutating func handle(
    _ event: Event, _ executive: inout Executive<Event>
  ) throws(Failure)
}

/// The classical event-driven executive: a clock, and a pending-event set that drives it.
///
/// Time moves from event to event. Events of one instant happen in the order of their priority,
/// then of their scheduling. The domain is a generic `EventHandler`.
///
/// ```swift
/// struct Ticker: EventHandler {
///   var ticks = 0
///   mutating func handle(_ event: Int, _ executive: inout Executive<Int>) {
///     ticks += 1
///     executive.schedule(event, after: .seconds(1))
///   }
/// }
/// ```
public struct Executive<Event>: ~Copyable {
  /// Events that wait; `now` is the clock.
  @usableFromInline var pending: PendingEventSet<Event>
  @usableFromInline var handledCount: UInt64
  @usableFromInline var lastKey: EventKey?
  @usableFromInline var stopRequested: Bool

  /// Makes an executive whose clock shows `start`.
  public init(start: Instant) {
    pending = PendingEventSet(start: start)
    handledCount = 0
    lastKey = nil
    stopRequested = false
  }

  /// An executive that goes on where another one was.
  ///
  /// - Parameters:
  ///   - now: What its clock shows.
  ///   - handled: Events that have happened.
  ///   - scheduled: Those to come, in the order of `scheduled()`; none before `now`.
  /// - Throws: `ScheduleError.inThePast`.
  public init(
    now: Instant, handled: UInt64, _ scheduled: [ScheduledEvent<Event>]
  ) throws(ScheduleError) {
    self.init(start: now)
    handledCount = handled
    for event in scheduled {
      try schedule(event.event, at: event.instant, priority: event.priority)
    }
  }

  /// All that is pending, in the order in which it would happen.
  ///
  /// - Complexity: O(n log n).
  public mutating func scheduled() -> [ScheduledEvent<Event>] {
    pending.all().map {
      ScheduledEvent(event: $0.element, instant: $0.key.instant, priority: $0.key.priority)
    }
  }

  /// The simulated time.
  @inlinable public var now: Instant { pending.now }
  /// Number of pending events.
  @inlinable public var pendingCount: Int { pending.count }
  /// Events handled since the executive was made.
  @inlinable public var handled: UInt64 { handledCount }
  /// The event that happens now, or happened last: name it in every message about a broken rule.
  @inlinable public var currentKey: EventKey? { lastKey }

  /// Schedules an event at an instant.
  ///
  /// - Parameters:
  ///   - event: What is handed to the handler when it happens.
  ///   - instant: Not before `now`.
  ///   - priority: At one instant, lower numbers come first.
  /// - Throws: `ScheduleError.inThePast`; nothing has changed then.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func schedule(
    _ event: Event, at instant: Instant, priority: UInt8 = 128
  ) throws(ScheduleError) -> EventHandle {
    try pending.schedule(event, at: instant, priority: priority)
  }

  /// Schedules an event a span from now.
  ///
  /// - Parameters:
  ///   - event: What is handed to the handler when it happens.
  ///   - span: At least zero; a negative one is a bug in the model and stops the process. A sum
  ///     beyond the last instant is cut off there.
  ///   - priority: At one instant, lower numbers come first.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func schedule(
    _ event: Event, after span: TimeSpan, priority: UInt8 = 128
  ) -> EventHandle {
    invariant(span.microseconds >= 0, "an event cannot be scheduled \(span.microseconds) us ahead")
    let (sum, overflow) = now.microseconds.addingReportingOverflow(span.microseconds)
    let instant = Instant(microseconds: overflow ? .max : sum)
    do {
      return try pending.schedule(event, at: instant, priority: priority)
    } catch {
      fatalError("a span of at least zero leads into the past: \(error)")
    }
  }

  /// Cancels a pending event in constant time.
  ///
  /// - Returns: What was scheduled; nil when it has already happened or been canceled.
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Event? { pending.cancel(handle) }

  /// True while the event is pending.
  public func isPending(_ handle: EventHandle) -> Bool { pending.isPending(handle) }

  /// Instant of the next event; nil when nothing is pending.
  ///
  /// - Complexity: As that of `PendingEventSet.nextInstant`: looking far ahead again and again and scheduling
  ///   earlier events in between may cost O(pending) each time.
  public mutating func nextInstant() -> Instant? { pending.nextInstant() }

  /// What will probably happen `distance` events from now, for prefetching its state only.
  @inlinable
  public func upcoming(_ distance: Int) -> Event? { pending.upcoming(distance) }

  /// Ends the current `run` once the current event has been handled.
  @inlinable
  public mutating func stop() { stopRequested = true }

  /// Lets the next event happen if it is due at `limit` or before.
  ///
  /// - Returns: Whether there was one.
  @inlinable
  public mutating func step<Handler: EventHandler>(
    _ handler: inout Handler, through limit: Instant = .distantFuture
  ) throws(Handler.Failure) -> Bool where Handler.Event == Event {
    guard let next = pending.popNext(through: limit) else { return false }
    handledCount &+= 1
    lastKey = next.key
    try handler.handle(next.element, &self)
    return true
  }

  /// Runs until nothing is pending or a handler calls `stop()`.
  ///
  /// - Returns: Events handled by this call.
  @inlinable
  @discardableResult
  public mutating func run<Handler: EventHandler>(
    _ handler: inout Handler
  ) throws(Handler.Failure) -> UInt64 where Handler.Event == Event {
    try run(&handler) { _ in true }
  }

  /// Runs all events **before** `end`, then sets the clock to `end`.
  ///
  /// Events at `end` itself stay pending, so runs from window to window leave out nothing and
  /// repeat nothing. After `stop()` the clock stays at the last event.
  ///
  /// - Parameters:
  ///   - end: Not before `now`; else the process stops.
  ///   - handler: The model.
  /// - Returns: Events handled by this call.
  @inlinable
  @discardableResult
  public mutating func run<Handler: EventHandler>(
    until end: Instant, _ handler: inout Handler
  ) throws(Handler.Failure) -> UInt64 where Handler.Event == Event {
    invariant(end >= now, "a run cannot end before it begins")
    let before = handledCount
    stopRequested = false
    if end > .distantPast {
      let last = Instant(microseconds: end.microseconds &- 1)
      while !stopRequested, try step(&handler, through: last) {}
    }
    if !stopRequested { pending.advance(to: end) }
    return handledCount &- before
  }

  /// Runs while `condition` of the handler holds before each event.
  ///
  /// - Returns: Events handled by this call.
  @inlinable
  @discardableResult
  public mutating func run<Handler: EventHandler>(
    _ handler: inout Handler, while condition: (borrowing Handler) -> Bool
  ) throws(Handler.Failure) -> UInt64 where Handler.Event == Event {
    let before = handledCount
    stopRequested = false
    while !stopRequested, condition(handler), try step(&handler) {}
    return handledCount &- before
  }
}

extension Executive: Sendable where Event: Sendable {}

/// An event that waits, as it is saved: its place among others of its instant and priority is that
/// in their list.
public struct ScheduledEvent<Event> {
  /// What is to happen.
  public var event: Event
  /// When.
  public var instant: Instant
  /// At one instant, lower numbers come first.
  public var priority: UInt8
}

extension ScheduledEvent: Codable where Event: Codable {}
extension ScheduledEvent: Sendable where Event: Sendable {}
