internal import CKernel
public import Quantities

/// Events waiting for their instant, in the strict order (instant, priority, sequence).
///
/// A `RawEventSet` keeps the order; the elements themselves are in a table of records that is
/// reused. The 64-bit payload of a raw event is priority (8 bits), rank (28 bits, rising with each
/// scheduling) and record (28 bits). Canceling frees the record at once; the raw event is dropped
/// when it surfaces, because its record no longer has its rank. When the ranks run out, or there are more than
/// 1,024 raw events and two thirds of them are stale, the set is rebuilt with fresh ranks, which is amortized
/// over the schedulings that led there.
///
/// - Complexity: `schedule` and `cancel` O(1), `popNext` amortized O(1). A look at what comes next
///   (`nextInstant`) spreads the events of the first slot; where earlier ones are scheduled after it, they are
///   gathered again, so that look and schedulings together may cost O(pending).
/// - Note: At most 2^27 events may be pending at once; more stop the process.
public struct PendingEventSet<Element>: ~Copyable {
  /// An event taken out of the set.
  public struct Popped {
    /// Its place in the total order.
    public let key: EventKey
    /// What was scheduled.
    public let element: Element

    @inlinable
    init(key: EventKey, element: Element) {
      self.key = key
      self.element = element
    }
  }

  @usableFromInline var raw: RawEventSet
  @usableFromInline var records: EventRecords<Element>
  /// First free record, `noRecord` at the end of the list.
  @usableFromInline var firstFree: UInt32
  @usableFromInline var live: Int
  @usableFromInline var nextRank: UInt32
  @usableFromInline var nextSequence: UInt64
  @usableFromInline let rankLimit: UInt32

  @inlinable static var noRecord: UInt32 { .max }
  @inlinable static var recordMask: UInt64 { 1 &<< 28 &- 1 }

  /// Makes an empty set whose time starts at `start`.
  public init(start: Instant) { self.init(start: start, rankLimit: 1 << 28) }

  /// Makes a set that renumbers after `rankLimit` schedulings, so that tests can see it happen.
  package init(start: Instant, rankLimit: UInt32) {
    invariant(rankLimit > 0 && rankLimit <= 1 << 28, "rank limit \(rankLimit) leaves 28 bits")
    raw = RawEventSet(start: RawEvent.ticks(start.microseconds))
    records = EventRecords()
    firstFree = Self.noRecord
    live = 0
    nextRank = 0
    nextSequence = 0
    self.rankLimit = rankLimit
  }

  /// Number of pending events; canceled ones do not count.
  @inlinable public var count: Int { live }

  /// True when nothing is pending.
  @inlinable public var isEmpty: Bool { live == 0 }

  /// Instant of the last popped event, or where `advance(to:)` left it.
  @inlinable public var now: Instant { Self.instant(raw.now) }

  /// Events scheduled so far; the sequence number of the next.
  @inlinable public var scheduled: UInt64 { nextSequence }

  @inlinable
  @inline(__always)
  static func instant(_ ticks: UInt64) -> Instant {
    Instant(microseconds: Int64(bitPattern: ticks ^ (1 &<< 63)))
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - element: What is to happen.
  ///   - instant: When; not before `now`.
  ///   - priority: At one instant, lower numbers come first; equal ones first in, first out.
  /// - Returns: A handle to cancel it by.
  /// - Throws: `ScheduleError.inThePast`; the set is then unchanged.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func schedule(
    _ element: Element, at instant: Instant, priority: UInt8 = 128
  ) throws(ScheduleError) -> EventHandle {
    let ticks = RawEvent.ticks(instant.microseconds)
    guard ticks >= raw.now else { throw .inThePast(now: now, requested: instant) }
    if nextRank == rankLimit { rebuild() }
    let rank = nextRank
    nextRank &+= 1
    let index = firstFree
    let handle: EventHandle
    if index != Self.noRecord {
      let slot = Int(truncatingIfNeeded: index)
      firstFree = records[slot].pointee.rank
      records[slot].pointee.element = element
      records[slot].pointee.sequence = nextSequence
      records[slot].pointee.rank = rank
      handle = EventHandle(index: index, generation: records[slot].pointee.generation)
    } else {
      handle = addRecord(element, rank: rank)
    }
    nextSequence &+= 1
    live &+= 1
    let payload =
      UInt64(priority) &<< 56 | UInt64(rank) &<< 28 | UInt64(handle.index)
    raw.push(RawEvent(time: ticks, payload: payload))
    return handle
  }

  @inlinable
  @inline(never)
  mutating func addRecord(_ element: Element, rank: UInt32) -> EventHandle {
    invariant(records.count < 1 << 27, "more than 2^27 events are pending")
    records.append(
      EventRecord(element: element, sequence: nextSequence, rank: rank, generation: 0))
    return EventHandle(index: UInt32(records.count - 1), generation: 0)
  }

  /// Gives a record back. A record whose generations are used up is never used again.
  @inlinable
  @inline(__always)
  mutating func free(_ index: UInt32) {
    let slot = Int(truncatingIfNeeded: index)
    live &-= 1
    if records[slot].pointee.generation == .max {
      records[slot].pointee.rank = .max
      return
    }
    records[slot].pointee.generation &+= 1
    records[slot].pointee.rank = firstFree
    firstFree = index
  }

  /// Removes a pending event in constant time.
  ///
  /// - Returns: What was scheduled; nil when it has already happened or been canceled.
  @inlinable
  @discardableResult
  public mutating func cancel(_ handle: EventHandle) -> Element? {
    let slot = Int(truncatingIfNeeded: handle.index)
    guard slot < records.count, records[slot].pointee.generation == handle.generation,
      let element = records[slot].pointee.element.take()
    else { return nil }
    free(handle.index)
    if raw.count > 1_024 && raw.count > 3 &* live { rebuild() }
    return element
  }

  /// True while the event is pending.
  public func isPending(_ handle: EventHandle) -> Bool {
    let slot = Int(handle.index)
    return slot < records.count && records[slot].pointee.generation == handle.generation
      && records[slot].pointee.element != nil
  }

  /// Removes and returns the earliest event; nil when nothing is pending.
  @inlinable
  public mutating func popNext() -> Popped? { popNext(through: .distantFuture) }

  /// Removes and returns the earliest event if it is due at `limit` or before.
  ///
  /// `now` moves to the event's instant; it stays where it is when nil is returned.
  @inlinable
  @inline(__always)
  public mutating func popNext(through limit: Instant) -> Popped? {
    let ticks = RawEvent.ticks(limit.microseconds)
    dropStale(through: ticks)
    guard let event = raw.pop(through: ticks) else { return nil }
    let index = UInt32(truncatingIfNeeded: event.payload & Self.recordMask)
    let slot = Int(truncatingIfNeeded: index)
    guard let element = records[slot].pointee.element.take() else {
      fatalError("a live event has no element")
    }
    let key = EventKey(
      instant: Self.instant(event.time),
      priority: UInt8(truncatingIfNeeded: event.payload &>> 56),
      sequence: records[slot].pointee.sequence)
    free(index)
    return Popped(key: key, element: element)
  }

  /// True when a raw event's record is no longer its own.
  @inlinable
  @inline(__always)
  func isStale(_ event: RawEvent) -> Bool {
    let slot = Int(truncatingIfNeeded: event.payload & Self.recordMask)
    let rank = UInt32(truncatingIfNeeded: event.payload &>> 28 & Self.recordMask)
    return records[slot].pointee.element == nil || records[slot].pointee.rank != rank
  }

  /// Removes canceled events that have come to the front, without moving `now`.
  @inlinable
  @inline(__always)
  mutating func dropStale(through limit: UInt64) {
    if raw.count == live { return }
    dropStaleSlowly(through: limit)
  }

  @inlinable
  @inline(never)
  mutating func dropStaleSlowly(through limit: UInt64) {
    while let event = raw.peek(through: limit), isStale(event) { raw.dropFirst() }
  }

  /// Instant of the earliest pending event; nil when nothing is pending.
  ///
  /// A loop up to a limit is better served by `popNext(through:)`, which leaves what is beyond
  /// the limit as it is.
  ///
  /// - Complexity: As the set's.
  @inlinable
  public mutating func nextInstant() -> Instant? {
    dropStale(through: .max)
    return raw.peek().map { Self.instant($0.time) }
  }

  /// What will probably be popped `distance` events from now, for prefetching its state only: nil
  /// says nothing, and what is shown may yet be canceled or overtaken.
  @inlinable
  public func upcoming(_ distance: Int) -> Element? {
    guard let event = raw.peek(ahead: distance), !isStale(event) else { return nil }
    return records[Int(truncatingIfNeeded: event.payload & Self.recordMask)].pointee.element
  }

  /// Moves `now` forward without popping.
  ///
  /// - Parameter instant: Not before `now`, and with no pending event before it; else the process
  ///   stops.
  public mutating func advance(to instant: Instant) {
    let ticks = RawEvent.ticks(instant.microseconds)
    if ticks > raw.now { dropStale(through: ticks - 1) }
    raw.advance(to: ticks)
  }

  /// All pending events in their order, none of which is taken out.
  ///
  /// - Complexity: O(n log n).
  public mutating func all() -> [Popped] {
    rebuild().map { event in
      let record = records[Int(truncatingIfNeeded: event.payload & Self.recordMask)].pointee
      guard let element = record.element else { fatalError("a live event has no element") }
      let key = EventKey(
        instant: Self.instant(event.time),
        priority: UInt8(truncatingIfNeeded: event.payload &>> 56), sequence: record.sequence)
      return Popped(key: key, element: element)
    }
  }

  /// Drops stale raw events and gives the live ones ranks 0, 1, … in their order, which it returns.
  @usableFromInline
  @inline(never)
  @discardableResult
  mutating func rebuild() -> [RawEvent] {
    let clock = raw.now
    var events: [RawEvent] = []
    events.reserveCapacity(live)
    while let event = raw.pop() {
      if !isStale(event) { events.append(event) }
    }
    invariant(events.count == live, "\(live) live events, but \(events.count) were found")
    invariant(live < rankLimit, "more than \(rankLimit) events are pending")
    raw.removeAll(start: clock)
    nextRank = 0
    for event in events {
      let index = event.payload & Self.recordMask
      records[Int(index)].pointee.rank = nextRank
      let payload = event.payload & (255 &<< 56) | UInt64(nextRank) &<< 28 | index
      raw.push(RawEvent(time: event.time, payload: payload))
      nextRank += 1
    }
    return events
  }
}

extension PendingEventSet: Sendable where Element: Sendable {}
extension PendingEventSet.Popped: Sendable where Element: Sendable {}
