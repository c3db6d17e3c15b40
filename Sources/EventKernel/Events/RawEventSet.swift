public import Quantities

/// The pending-event set: a lazy radix wheel over 16-byte events, ordered by (time, payload).
///
/// Time is a whole number and pops never go back, so no comparison tree is needed. Seen as a
/// 128-bit key, an event has sixteen 8-bit digits: eight of the time, eight of the payload. The
/// set keeps a *front*, a small sorted array of the earliest events, and its upper bound. Every
/// later event is in slot (level, digit): `level` is the highest digit in which its key differs
/// from the bound, `digit` its value there. A slot is a list of chunks of 127 events,
/// unsorted, appended to in constant time; a bitmap per level finds the next occupied slot.
///
/// When the front runs out, the next slots are copied into it and sorted. A slot of more than 64
/// events that are in order, or of moderate length, becomes the *run* first: a sorted sequence from
/// which the front is refilled piece by piece, together with what was pushed in between. Any
/// other is spread over lower levels. Long runs of one and the same time are spread by the payload's
/// digits, so they cost no more than others. Nothing is tuned to the increments. Memory is taken
/// in slabs, reused, and given back when the set is dropped.
///
/// Because the next events are sorted and next to each other, `peek(ahead:)` shows events before
/// they are due, so that an executive can prefetch the state that they will touch.
///
/// The set owns its memory alone and cannot be copied; it may move between threads.
///
/// - Complexity: `push` O(1); `pop` amortized O(1) for keys of fixed width: an event is moved at
///   most once a digit, two or three times in practice.
public struct RawEventSet: ~Copyable, Sendable {
  // Addresses are kept as numbers: the memory at them belongs to `fixed`, `slabs`, `sorter` and
  // `grownFront` below, and to no other set, since a set cannot be copied.
  /// The next event of the front, and one past its last.
  @usableFromInline var head: UInt
  @usableFromInline var end: UInt
  /// The front holds exactly the pending events up to this key.
  @usableFromInline var boundTime: UInt64
  @usableFromInline var boundPayload: UInt64
  /// Slot (level, digit) is word level × 256 + digit: where its next event goes; 0 is empty.
  @usableFromInline let slots: UInt
  /// Bit l says that level l has an occupied slot. Levels 0–7 are of the payload, 8–15 of time.
  @usableFromInline var levels: UInt
  @usableFromInline var pending: Int
  @usableFromInline var clock: UInt64
  var frontBase: UInt
  /// One past the front's memory.
  @usableFromInline var frontLimit: UInt
  /// What the front is refilled from besides the slots.
  var run: Run
  var sorter: MappedMemory?
  var freeChunk: UInt
  var bump: UInt
  var bumpEnd: UInt
  var slabBytes: Int
  let fixed: MappedMemory
  var grownFront: MappedMemory?
  var slabs: [MappedMemory]
  var slabTotal: Int

  /// Makes an empty set whose time starts at `start`.
  public init(start: UInt64 = 0) {
    fixed = MappedMemory(bytes: Layout.fixedBytes)
    grownFront = nil
    slabs = []
    slabTotal = 0
    slots = fixed.address
    frontBase = fixed.address + UInt(Layout.front)
    frontLimit = frontBase + UInt(Layout.frontCapacity) * Layout.eventBytes
    run = Run()
    sorter = nil
    head = frontBase
    end = frontBase
    boundTime = .max
    boundPayload = .max
    levels = 0
    pending = 0
    clock = start
    freeChunk = 0
    bump = 0
    bumpEnd = 0
    slabBytes = 64 << 10
  }

  /// Bytes of a chunk; a power of two. Of a slot's chunks only the next one's place is known, so it is
  /// asked for while one is read: so long a chunk takes about as long as memory needs.
  @inlinable
  @inline(__always)
  static var chunkBytes: UInt { 2_048 }

  /// Sizes in bytes of what else the set holds, and where in the fixed block it is.
  enum Layout {
    static let eventBytes: UInt = 16
    static let slotsBytes = 16 * 256 * 8
    static let bitmaps = slotsBytes
    static let counts = bitmaps + 16 * 4 * 8
    static let scratch = counts + 512
    static let front = scratch + 256 * 16
    static let frontCapacity = 512
    static let fixedBytes = front + frontCapacity * 16
    /// Slots of more events do not go to the front at once.
    static let sortMaximum = 64
    /// Slots of more events that are not in order are spread before they are sorted.
    static let runMaximum = 8_192
    /// Counters for sorting a run: at least twice `runMaximum`.
    static let runCounters = 16_384
    /// A run is not sorted as a whole when more of its events share a bucket.
    static let bucketMaximum = 256
    static let sorterBytes = runCounters * 2 + runMaximum * 16
    /// Slots are gathered until the front holds so many events.
    static let gatherTarget = 32
    /// The front is split when it holds so many events.
    static let splitAt = 80
    static let slabBytesMaximum = 64 << 20
  }

  /// Number of pending events.
  @inlinable public var count: Int { pending }

  /// True when nothing is pending.
  @inlinable public var isEmpty: Bool { pending == 0 }

  /// Time of the last popped event, or where `advance(to:)` left it; nothing earlier may be pushed.
  @inlinable public var now: UInt64 { clock }

  @inlinable
  @inline(__always)
  static func words(_ address: UInt) -> UnsafeMutablePointer<UInt64> {
    UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  @inlinable
  @inline(__always)
  static func event(_ address: UInt) -> RawEvent {
    let pointer = words(address)
    return RawEvent(time: pointer[0], payload: pointer[1])
  }

  @inlinable
  @inline(__always)
  static func put(_ event: RawEvent, _ address: UInt) {
    let pointer = words(address)
    pointer[0] = event.time
    pointer[1] = event.payload
  }

  /// Adds an event.
  ///
  /// - Parameter event: Its time must not be before `now`; an earlier one is a bug and stops the
  ///   process. Equal events are allowed and come out together.
  /// - Complexity: O(1), apart from a short move when the event belongs to the front.
  @inlinable
  @inline(__always)
  public mutating func push(_ event: RawEvent) {
    invariant(event.time >= clock, "an event at \(event.time) was pushed at \(clock)")
    pending &+= 1
    if event.time > boundTime {
      let level = (63 &- UInt((event.time ^ boundTime).leadingZeroBitCount)) &>> 3
      let digit = UInt(truncatingIfNeeded: event.time &>> UInt64(level &<< 3)) & 255
      append(event, level: level &+ 8, digit: digit)
    } else if event.time < boundTime && end &- head <= 2 &* 16 && end < frontLimit {
      insertAmongFew(event)
    } else {
      pushNear(event)
    }
  }

  /// Inserts into a front of so few events that passing all of them takes less than guessing wrongly where the
  /// event belongs.
  @inlinable
  @inline(__always)
  mutating func insertAmongFew(_ event: RawEvent) {
    var earlier = event
    var address = end
    while address > head {
      address &-= 16
      let other = Self.event(address)
      let isNotAfter = 0 &- UInt64(truncatingIfNeeded: Self.isNotAfter(address, earlier))
      let time = (other.time ^ earlier.time) & isNotAfter
      let payload = (other.payload ^ earlier.payload) & isNotAfter
      Self.put(
        RawEvent(time: other.time ^ time, payload: other.payload ^ payload), address &+ 16)
      earlier = RawEvent(time: earlier.time ^ time, payload: earlier.payload ^ payload)
    }
    Self.put(earlier, head)
    end &+= 16
  }

  /// 1 when the event at `address` comes before `event` or equals it, else 0: a number for arithmetic, since a
  /// branch on it could not be predicted.
  @inlinable
  @inline(__always)
  static func isNotAfter(_ address: UInt, _ event: RawEvent) -> UInt {
    // One comparison of 128 bits takes fewer instructions than time first and payload then.
    let other = Self.event(address)
    return wide(other) <= wide(event) ? 1 : 0
  }

  /// An event as one number, in the order of events: its time above its payload.
  @inlinable
  @inline(__always)
  static func wide(_ event: RawEvent) -> UInt128 {
    UInt128(truncatingIfNeeded: event.time) &<< 64 | UInt128(truncatingIfNeeded: event.payload)
  }

  /// Puts an event into its slot.
  @inlinable
  @inline(__always)
  mutating func append(_ event: RawEvent, level: UInt, digit: UInt) {
    let slot = Self.words(slots &+ (level &<< 11) &+ (digit &<< 3))
    var cursor = UInt(truncatingIfNeeded: slot.pointee)
    if cursor & (Self.chunkBytes &- 1) == 0 {
      cursor = openChunk(level: level, digit: digit, after: cursor, for: event)
    }
    Self.put(event, cursor)
    slot.pointee = UInt64(truncatingIfNeeded: cursor &+ 16)
  }

  /// Removes and returns the earliest event; nil when nothing is pending.
  @inlinable
  @inline(__always)
  public mutating func pop() -> RawEvent? { pop(through: .max) }

  /// Removes and returns the earliest event if its time is `limit` or before.
  ///
  /// Looking for events up to a limit only arranges the set up to there; prefer it to peeking.
  @inlinable
  @inline(__always)
  public mutating func pop(through limit: UInt64) -> RawEvent? {
    if head == end {
      guard refill(limit: limit) else { return nil }
    }
    let event = Self.event(head)
    guard event.time <= limit else { return nil }
    head &+= 16
    pending &-= 1
    clock = event.time
    return event
  }

  /// The earliest event without removing it; nil when nothing is pending.
  @inlinable
  public mutating func peek() -> RawEvent? {
    if head == end {
      guard refill(limit: .max) else { return nil }
    }
    return Self.event(head)
  }

  /// The earliest event if its time is `limit` or before, without removing it.
  @inlinable
  @inline(__always)
  public mutating func peek(through limit: UInt64) -> RawEvent? {
    if head == end {
      guard refill(limit: limit) else { return nil }
    }
    let event = Self.event(head)
    return event.time <= limit ? event : nil
  }

  /// Removes the earliest event **without moving `now`**: for events that were canceled.
  @inlinable
  public mutating func dropFirst() {
    if head == end {
      guard refill(limit: .max) else { return }
    }
    head &+= 16
    pending &-= 1
  }

  /// The event `distance` places after the earliest, if it is already sorted into the front.
  ///
  /// For prefetching only: nil says nothing about what is pending, and later pushes may come
  /// before the event shown.
  @inlinable
  @inline(__always)
  public func peek(ahead distance: Int) -> RawEvent? {
    let address = head &+ UInt(bitPattern: distance) &* 16
    return address < end ? Self.event(address) : nil
  }

  /// Moves `now` forward to `time` without popping.
  ///
  /// - Parameter time: Not before `now`, and no pending event may be before it; else the process
  ///   stops.
  public mutating func advance(to time: UInt64) {
    invariant(time >= clock, "time cannot go back from \(clock) to \(time)")
    if time == clock { return }
    let passed = peek(through: time - 1)
    invariant(passed == nil, "time cannot pass a pending event on its way to \(time)")
    clock = time
  }

  /// Drops all events, keeps the memory, and starts again at `start`.
  public mutating func removeAll(start: UInt64 = 0) {
    while levels != 0 {
      let level = UInt(levels.trailingZeroBitCount)
      while let digit = lowestDigit(level: level) { release(detach(level: level, digit: digit)) }
    }
    if run.chunk != 0 { release(run.rest) }
    run = Run()
    head = frontBase
    end = frontBase
    boundTime = .max
    boundPayload = .max
    pending = 0
    clock = start
  }
}
