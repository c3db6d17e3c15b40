internal import CKernel

/// How the front is refilled from slots, and split when it grows.
extension RawEventSet {
  /// All ones below digit `level` of a 64-bit word.
  @inline(__always)
  static func below(_ level: UInt) -> UInt64 { (1 &<< UInt64(level &<< 3)) &- 1 }

  /// The highest 8-bit digit that is not zero in a difference.
  @inline(__always)
  static func topDigit(_ difference: UInt64) -> UInt {
    (63 &- UInt(difference.leadingZeroBitCount)) &>> 3
  }

  /// Fills the empty front with the earliest events.
  ///
  /// - Parameter limit: Slots that begin after it, and a run that does, are left alone.
  /// - Returns: Whether the front holds an event now. It may be after `limit`.
  @usableFromInline
  @inline(never)
  mutating func refill(limit: UInt64) -> Bool {
    head = frontBase
    end = frontBase
    while levels != 0 {
      let level = UInt(levels.trailingZeroBitCount)
      guard let digit = lowestDigit(level: level) else { fatalError("level \(level) has no slot") }
      let slot = bounds(level: level, digit: digit)
      if !run.isEmpty && Self.event(run.head) < slot.first {
        if Self.event(run.head).time > limit { return end != frontBase }
        drawRun(before: slot.first)
        if isFrontFilled { return true }
      }
      if slot.first.time > limit { return end != frontBase }
      let room = Layout.sortMaximum &- Int(bitPattern: (end &- frontBase) &>> 4)
      let length = chain(level: level, digit: digit).length
      let overlap = run.isEmpty ? 0 : runLength(through: slot.last, limit: room &- length)
      if length &+ overlap > room {
        if end != frontBase { return true }
        if !run.isEmpty || !startRun(level: level, digit: digit) {
          spread(level: level, digit: digit)
          if end != frontBase { return true }
        }
        continue
      }
      gather(detach(level: level, digit: digit), length: length, overlap: overlap)
      boundTime = slot.last.time
      boundPayload = slot.last.payload
      if isFrontFilled { break }
    }
    if levels == 0 {
      if !run.isEmpty {
        if isFrontFilled || Self.event(run.head).time > limit { return end != frontBase }
        drawRun(before: nil)
      } else {
        boundTime = .max
        boundPayload = .max
      }
    }
    return end != frontBase
  }

  /// Whether the front holds so many events that no more are gathered.
  @inline(__always)
  private var isFrontFilled: Bool { end &- frontBase >= UInt(Layout.gatherTarget) &* 16 }

  /// The first and the last key that belong to a slot.
  ///
  /// A slot begins at the bound's digits above its level, then its own digit, then zeros.
  @inline(__always)
  private func bounds(level: UInt, digit: UInt) -> (first: RawEvent, last: RawEvent) {
    if level >= 8 {
      let start = Self.slotStart(boundTime, level &- 8, digit)
      return (
        RawEvent(time: start, payload: 0),
        RawEvent(time: start | Self.below(level &- 8), payload: .max)
      )
    }
    let start = Self.slotStart(boundPayload, level, digit)
    return (
      RawEvent(time: boundTime, payload: start),
      RawEvent(time: boundTime, payload: start | Self.below(level))
    )
  }

  @inline(__always)
  static func slotStart(_ bound: UInt64, _ level: UInt, _ digit: UInt) -> UInt64 {
    let shift = UInt64(level &<< 3)
    return (bound &>> shift & ~255 | UInt64(digit)) &<< shift
  }

  /// Copies a chain and the run's next `overlap` events to after the front's end, frees the chain,
  /// and sorts the copy.
  @inline(__always)
  private mutating func gather(_ chain: Chain, length: Int, overlap: Int) {
    let segment = end
    var chunk = chain.first
    while chunk != 0 {
      let next = chain.next(after: chunk)
      if next != 0 { Self.prefetchChunk(next) }
      copyToFront(chunk &+ 16, chain.end(of: chunk))
      releaseChunk(chunk)
      chunk = next
    }
    if overlap > 0 { draw(overlap) }
    sort(segment, length &+ overlap)
  }

  /// Copies the events from `start` up to `stop`, of which there is one, to after the front's end.
  @inline(__always)
  mutating func copyToFront(_ start: UInt, _ stop: UInt) {
    if stop &- start > 128 {
      let bytes = stop &- start
      Self.words(end).update(from: Self.words(start), count: Int(bitPattern: bytes &>> 3))
      end &+= bytes
      return
    }
    // So few events are copied sooner than a function that copies is called.
    var address = start
    repeat {
      Self.put(Self.event(address), end)
      address &+= 16
      end &+= 16
    } while address < stop
  }

  @inline(__always)
  static func prefetchChunk(_ chunk: UInt) {
    var line: UInt = 0
    while line < chunkBytes {
      ck_prefetch_far(UnsafeRawPointer(bitPattern: chunk &+ line))
      line &+= 64
    }
  }

  /// Prefetches the chunk after `next`, which was prefetched a chunk ago itself: one chunk is read
  /// sooner than the next one comes from memory.
  @inline(__always)
  static func prefetchAhead(of next: UInt, in chain: Chain) {
    if next == 0 { return }
    let ahead = chain.next(after: next)
    if ahead != 0 { prefetchChunk(ahead) }
  }

  /// OR of the differences of all times, and of all payloads, from the first event's.
  static func differences(_ chain: Chain, firstChunkOnly: Bool) -> RawEvent {
    let reference = event(chain.first &+ 16)
    var times: UInt64 = 0
    var payloads: UInt64 = 0
    var chunk = chain.first
    while chunk != 0 {
      let next = chain.next(after: chunk)
      if next != 0 && !firstChunkOnly { prefetchChunk(next) }
      let chunkEnd = chain.end(of: chunk)
      var address = chunk &+ 16
      while address < chunkEnd {
        let other = event(address)
        times |= other.time ^ reference.time
        payloads |= other.payload ^ reference.payload
        address &+= 16
      }
      if firstChunkOnly { break }
      chunk = next
    }
    return RawEvent(time: times, payload: payloads)
  }

  /// Spreads the lowest slot over lower levels and moves the bound to where its events begin.
  ///
  /// The events go to the highest digit in which they differ, so a long run of equal times does
  /// not sink level by level.
  @inline(never)
  private mutating func spread(level: UInt, digit: UInt) {
    let chain = detach(level: level, digit: digit)
    var difference = Self.differences(chain, firstChunkOnly: true)
    let isFine = level > 8 && difference.time > Self.below(level &- 9)
    if !isFine { difference = Self.differences(chain, firstChunkOnly: false) }
    let reference = Self.event(chain.first &+ 16)
    var bound = reference
    if difference.time != 0 {
      let top = isFine ? level &- 9 : Self.topDigit(difference.time)
      bound = RawEvent(time: reference.time & ~Self.upTo(top), payload: 0)
    } else if difference.payload != 0 {
      bound.payload &= ~Self.upTo(Self.topDigit(difference.payload))
    }
    // The bound must not pass the run either.
    if !run.isEmpty { bound = min(bound, Self.event(run.head)) }
    boundTime = bound.time
    boundPayload = bound.payload
    if bound == reference && difference.time | difference.payload == 0 {
      gatherEqual(chain, reference)
    } else {
      redistribute(chain)
    }
  }

  /// All ones in digit `level` of a 64-bit word and below it.
  @inline(__always)
  static func upTo(_ level: UInt) -> UInt64 { level == 7 ? .max : below(level &+ 1) }

  /// Puts each event of a chain into the slot that the bound gives it, and frees the chain.
  private mutating func redistribute(_ chain: Chain) {
    var chunk = chain.first
    while chunk != 0 {
      let next = chain.next(after: chunk)
      Self.prefetchAhead(of: next, in: chain)
      let chunkEnd = chain.end(of: chunk)
      var address = chunk &+ 16
      while address < chunkEnd {
        place(Self.event(address))
        address &+= 16
      }
      releaseChunk(chunk)
      chunk = next
    }
  }

  /// Puts an event that is not before the bound into its slot.
  @inline(__always)
  mutating func place(_ event: RawEvent) {
    let time = event.time ^ boundTime
    if time != 0 {
      let level = Self.topDigit(time)
      let digit = UInt(truncatingIfNeeded: event.time &>> UInt64(level &<< 3)) & 255
      append(event, level: level &+ 8, digit: digit)
    } else {
      // The bound itself may be pending: it belongs to the lowest slot of all.
      let level = Self.topDigit((event.payload ^ boundPayload) | 1)
      let digit = UInt(truncatingIfNeeded: event.payload &>> UInt64(level &<< 3)) & 255
      append(event, level: level, digit: digit)
    }
  }

  /// Takes a slot of nothing but equal events, which are at the bound, into the front, however many
  /// they are.
  private mutating func gatherEqual(_ chain: Chain, _ event: RawEvent) {
    // Equals in the run may come later: nobody can tell them apart.
    let length = chain.length
    reserveFront(length)
    end = frontBase &+ UInt(bitPattern: length) &* 16
    var address = frontBase
    while address < end {
      Self.put(event, address)
      address &+= 16
    }
    release(chain)
  }

  /// Events that the front's memory can hold.
  var frontCapacity: Int { Int(bitPattern: (frontLimit &- frontBase) &>> 4) }

  /// Makes room for `capacity` events in the front, which is moved to the beginning.
  private mutating func reserveFront(_ capacity: Int) {
    if capacity <= frontCapacity { return }
    let size = max(capacity, frontCapacity * 2)
    let memory = MappedMemory(bytes: size * 16)
    let bytes = end &- head
    Self.words(memory.address).update(from: Self.words(head), count: Int(bytes &>> 3))
    frontBase = memory.address
    head = frontBase
    end = frontBase &+ bytes
    frontLimit = frontBase &+ UInt(bitPattern: size) &* 16
    grownFront = memory
  }

  /// Adds an event whose time is not beyond the bound's.
  @usableFromInline
  @inline(never)
  mutating func pushNear(_ event: RawEvent) {
    if event.time == boundTime && event.payload > boundPayload {
      place(event)
      return
    }
    if end &- head >= UInt(Layout.splitAt) &* 16 {
      split()
      if event.time > boundTime || (event.time == boundTime && event.payload > boundPayload) {
        place(event)
        return
      }
    }
    insert(event)
  }

  /// Inserts into the sorted front, after its equals, moving the shorter side.
  @inline(__always)
  private mutating func insert(_ event: RawEvent) {
    if end &- head <= 8 &* 16 && end < frontLimit {
      // So short a front is searched and moved in one go from its end.
      var hole = end
      end &+= 16
      while hole > head {
        let previous = Self.event(hole &- 16)
        if !(event < previous) { break }
        Self.put(previous, hole)
        hole &-= 16
      }
      Self.put(event, hole)
      return
    }
    var low = head
    var span = (end &- head) &>> 4
    while span > 1 {
      let half = span &>> 1
      low &+= (0 &- Self.isNotAfter(low &+ (half &- 1) &* 16, event)) & (half &<< 4)
      span &-= half
    }
    if span == 1 { low &+= Self.isNotAfter(low, event) &<< 4 }
    let before = low &- head
    let after = end &- low
    if before < after && head > frontBase {
      Self.words(head &- 16).update(from: Self.words(head), count: Int(before &>> 3))
      head &-= 16
      Self.put(event, low &- 16)
      return
    }
    if end == frontLimit {
      let offset = low &- head
      makeRoom()
      low = head &+ offset
    }
    Self.words(low &+ 16).update(from: Self.words(low), count: Int(after &>> 3))
    end &+= 16
    Self.put(event, low)
  }

  @inline(never)
  private mutating func makeRoom() {
    if head > frontBase {
      let bytes = end &- head
      Self.words(frontBase).update(from: Self.words(head), count: Int(bytes &>> 3))
      head = frontBase
      end = frontBase &+ bytes
    } else {
      reserveFront(frontCapacity + 1)
    }
  }

  /// Lowers the bound so that the later part of the front goes back to slots.
  @inline(never)
  private mutating func split() {
    let first = Self.event(head)
    let last = Self.event(end &- 16)
    let oldTime = boundTime
    let oldPayload = boundPayload
    if first.time != last.time {
      boundTime = first.time | Self.below(Self.topDigit(first.time ^ last.time))
      boundPayload = .max
    } else if first.payload != last.payload {
      boundTime = first.time
      boundPayload =
        first.payload | Self.below(Self.topDigit(first.payload ^ last.payload))
    } else {
      return
    }
    raiseSlots(oldTime, oldPayload)
    let oldEnd = end
    var cut = end
    let bound = RawEvent(time: boundTime, payload: boundPayload)
    while cut > head && bound < Self.event(cut &- 16) { cut &-= 16 }
    end = cut
    while cut < oldEnd {
      place(Self.event(cut))
      cut &+= 16
    }
  }

  /// Restores the rule 'level is the highest digit that differs from the bound' for events that
  /// wait below the digit in which the bound has just changed.
  ///
  /// This happens only when many events are pushed into a gap before the slot that the front was
  /// last filled from.
  private mutating func raiseSlots(_ oldTime: UInt64, _ oldPayload: UInt64) {
    let changed: UInt
    if oldTime != boundTime {
      changed = Self.topDigit(oldTime ^ boundTime) &+ 8
    } else if oldPayload != boundPayload {
      changed = Self.topDigit(oldPayload ^ boundPayload)
    } else {
      return
    }
    var low = levels & ((1 &<< changed) &- 1)
    while low != 0 {
      let level = UInt(low.trailingZeroBitCount)
      while let digit = lowestDigit(level: level) {
        redistribute(detach(level: level, digit: digit))
      }
      low &= low &- 1
    }
  }
}
