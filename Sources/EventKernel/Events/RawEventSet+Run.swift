/// The run: a long slot's events in order, from which the front is refilled piece by piece.
///
/// A slot whose events are in order already becomes the run as it is, chunk by chunk; one of
/// moderate length is sorted into memory of its own. Either way the front stays short, so that a
/// push into it moves few events. All events of the run are after the bound; pushes after the bound
/// go to slots as ever, and a refill takes what comes first of both.
extension RawEventSet {
  /// Where the run's events are.
  struct Run: BitwiseCopyable {
    /// The next event, and one past the last in the same piece of memory; equal when the run is
    /// empty.
    var head: UInt = 0
    var end: UInt = 0
    /// The chunk that holds them; 0 for a run that was sorted into the sorter.
    var chunk: UInt = 0
    /// The run's last chunk, and one past its last event.
    var last: UInt = 0
    var lastEnd: UInt = 0

    @inline(__always)
    var isEmpty: Bool { head == end }

    /// The chunks that are not read to their end.
    var rest: Chain { Chain(first: chunk, last: last, end: lastEnd) }

    /// Passes the events before `address`; answers a chunk that is done with, else 0.
    @inline(__always)
    mutating func pass(to address: UInt) -> UInt {
      head = address
      if head != end || chunk == 0 { return 0 }
      let done = chunk
      chunk = rest.next(after: done)
      if chunk == 0 {
        self = Run()
      } else {
        head = chunk &+ 16
        end = rest.end(of: chunk)
      }
      return done
    }
  }

  /// Moves the run's next `count` events to after the front's end.
  ///
  /// - Precondition: The run holds so many, and the front has room for them.
  @inline(__always)
  mutating func draw(_ count: Int) {
    var bytes = UInt(bitPattern: count) &* 16
    while bytes > 0 {
      let piece = min(bytes, run.end &- run.head)
      copyToFront(run.head, run.head &+ piece)
      bytes &-= piece
      passRun(to: run.head &+ piece)
    }
  }

  @inline(__always)
  private mutating func passRun(to address: UInt) {
    let done = run.pass(to: address)
    if done == 0 { return }
    releaseChunk(done)
    let next = run.chunk == 0 ? 0 : run.rest.next(after: run.chunk)
    if next != 0 { Self.prefetchChunk(next) }
  }

  /// Moves events of the run to after the front's end, up to the front's measure, and raises the
  /// bound as far as it may.
  ///
  /// - Parameter stop: Only events before it are taken, of which there is one; nil takes them all.
  mutating func drawRun(before stop: RawEvent?) {
    let full = frontBase &+ UInt(Layout.sortMaximum) &* 16
    while end < full && !run.isEmpty {
      let piece = min(full &- end, run.end &- run.head)
      var pieceEnd = run.head &+ piece
      if let stop, !(Self.event(pieceEnd &- 16) < stop) {
        pieceEnd = run.head
        while Self.event(pieceEnd) < stop { pieceEnd &+= 16 }
        if pieceEnd == run.head { break }
      }
      draw(Int(bitPattern: (pieceEnd &- run.head) &>> 4))
    }
    var next = stop
    if !run.isEmpty {
      let first = Self.event(run.head)
      next = min(first, stop ?? first)
    }
    let bound = Self.bound(from: Self.event(end &- 16), before: next)
    boundTime = bound.time
    boundPayload = bound.payload
  }

  /// A key from `last` on, before `next` unless that equals it, with as many low digits of ones as
  /// possible: the fewer the digits in which later events differ from the bound, the better.
  private static func bound(from last: RawEvent, before next: RawEvent?) -> RawEvent {
    guard let next else { return RawEvent(time: .max, payload: .max) }
    if last.time != next.time {
      let free = below(topDigit(last.time ^ next.time))
      return RawEvent(time: last.time | free, payload: .max)
    }
    if last.payload != next.payload {
      let free = below(topDigit(last.payload ^ next.payload))
      return RawEvent(time: last.time, payload: last.payload | free)
    }
    return last
  }

  /// Number of the run's events up to `key`, counted no further than one beyond `limit`.
  @inline(__always)
  func runLength(through key: RawEvent, limit: Int) -> Int {
    if key < Self.event(run.head) { return 0 }
    var rest = run
    var length = 0
    while length <= limit && !rest.isEmpty && !(key < Self.event(rest.head)) {
      length &+= 1
      _ = rest.pass(to: rest.head &+ 16)
    }
    return length
  }

  /// Makes a long slot the run, if its events are in order or can be sorted as a whole.
  ///
  /// - Precondition: There is no run.
  /// - Returns: Whether it was done; if not, nothing has changed.
  mutating func startRun(level: UInt, digit: UInt) -> Bool {
    let chain = chain(level: level, digit: digit)
    if chain.isInOrder {
      _ = detach(level: level, digit: digit)
      run = Run(
        head: chain.first &+ 16, end: chain.end(of: chain.first), chunk: chain.first,
        last: chain.last, lastEnd: chain.end)
      return true
    }
    let length = chain.length
    if length > Layout.runMaximum { return false }
    let difference = spreadOf(chain, level: level)
    // A slot of a large share of all events is as wide as many increments: a good part of the next
    // pushes would come between its events, and each would interrupt the run. The fewer events there
    // are in each slot below, the sooner it is better to spread them. One time has no width.
    let share = difference.time == 0 ? 0 : length < 256 ? 5 : 2
    if length > pending &>> share || !sortRun(chain, length, difference) { return false }
    release(detach(level: level, digit: digit))
    return true
  }

  /// OR of the differences of all times, and of all payloads, from the first event's; or more, but
  /// no more than one bit more in times.
  ///
  /// Where a slot's first events differ in one of the two highest bits that can differ, the others
  /// need not be read.
  private func spreadOf(_ chain: Chain, level: UInt) -> RawEvent {
    if level > 8 {
      let bits = Self.below(level &- 8)
      let first = Self.differences(chain, firstChunkOnly: true)
      if first.time > bits &>> 2 { return RawEvent(time: bits, payload: .max) }
    }
    return Self.differences(chain, firstChunkOnly: false)
  }

  /// Sorts a copy of a chain's events, whose keys differ in the bits of `difference` only: one pass
  /// of distribution by the highest of these, and sorting within.
  ///
  /// - Returns: False when too many events agree in those bits; nothing has changed then.
  private mutating func sortRun(_ chain: Chain, _ length: Int, _ difference: RawEvent) -> Bool {
    if sorter == nil { sorter = MappedMemory(bytes: Layout.sorterBytes) }
    guard let sorter else { return false }
    // Word 0 of an event is its time, word 1 its payload.
    let word = difference.time != 0 ? 0 : 1
    let bits = 64 &- (word == 0 ? difference.time : difference.payload).leadingZeroBitCount
    // Two to four times as many buckets as events, so that few share one.
    let wanted = min(
      Layout.runCounters.trailingZeroBitCount, Int.bitWidth &- length.leadingZeroBitCount &+ 1)
    let shift = UInt64(max(0, bits &- wanted))
    let buckets = 1 &<< min(bits, wanted)
    let mask = UInt64(buckets &- 1)
    let counts = UnsafeMutablePointer<UInt16>(bitPattern: sorter.address).unsafelyUnwrapped
    let base = sorter.address &+ UInt(Layout.runCounters &* 2)
    counts.update(repeating: 0, count: buckets)
    var fullest: UInt16 = 0
    var chunk = chain.first
    while chunk != 0 {
      let next = chain.next(after: chunk)
      Self.prefetchAhead(of: next, in: chain)
      let chunkEnd = chain.end(of: chunk)
      var address = chunk &+ 16
      while address < chunkEnd {
        let bucket = Int(truncatingIfNeeded: Self.words(address)[word] &>> shift & mask)
        counts[bucket] &+= 1
        fullest = max(fullest, counts[bucket])
        address &+= 16
      }
      chunk = next
    }
    if fullest > Layout.bucketMaximum { return false }
    var total: UInt16 = 0
    for bucket in 0..<buckets {
      let size = counts[bucket]
      counts[bucket] = total
      total &+= size
    }
    chunk = chain.first
    while chunk != 0 {
      let chunkEnd = chain.end(of: chunk)
      var address = chunk &+ 16
      while address < chunkEnd {
        let event = Self.event(address)
        let bucket = Int(
          truncatingIfNeeded: (word == 0 ? event.time : event.payload) &>> shift & mask)
        Self.put(event, base &+ UInt(counts[bucket]) &* 16)
        counts[bucket] &+= 1
        address &+= 16
      }
      chunk = chain.next(after: chunk)
    }
    if fullest <= 24 {
      insertionSort(base, length)
    } else {
      sortBuckets(base, length, word, shift)
    }
    run = Run(head: base, end: base &+ UInt(bitPattern: length) &* 16)
    return true
  }
}
