/// Chunks, slabs and slots: where events wait.
///
/// A chunk is 2,048 bytes on a boundary of as many: two words, and 127 events. A slot is only the
/// address where its next event goes; only the last chunk of a slot is partly filled, and an address on
/// such a boundary says that it is full.
///
/// The chunks of a slot are a ring: word 0 links each to the next, and the last to the first. Word 1
/// is twice the number of chunks before it, plus 1 when all events before it, and its own first, are
/// in order: a slot's length, and whether it needs sorting, are known without looking at its events.
extension RawEventSet {
  /// Events of a full chunk.
  static var chunkEvents: Int { Int(chunkBytes / Layout.eventBytes) - 1 }

  /// Bytes of chunks and fixed tables; what was touched of it is resident.
  public var reservedBytes: Int {
    slabTotal + Layout.fixedBytes + (grownFront == nil ? 0 : frontCapacity * 16)
      + (sorter == nil ? 0 : Layout.sorterBytes)
  }

  /// Starts a chunk for a slot whose cursor is `cursor` (0, or one past a full chunk), and answers
  /// where its first event, which is to be `event`, goes.
  @usableFromInline
  @inline(never)
  mutating func openChunk(
    level: UInt, digit: UInt, after cursor: UInt, for event: RawEvent
  ) -> UInt {
    let chunk = takeChunk()
    let header = Self.words(chunk)
    if cursor == 0 {
      levels |= 1 &<< level
      Self.words(slots &+ UInt(Layout.bitmaps) &+ (level &<< 5) &+ ((digit &>> 6) &<< 3)).pointee |=
        1 &<< UInt64(digit & 63)
      header[0] = UInt64(chunk)
      header[1] = 1
    } else {
      let full = Self.words(cursor &- RawEventSet.chunkBytes)
      header[0] = full[0]
      full[0] = UInt64(chunk)
      var place = full[1] &+ 2
      if place & 1 != 0 {
        let isInOrder =
          !(event < Self.event(cursor &- 16))
          && Self.isInOrder(cursor &- RawEventSet.chunkBytes &+ 16, cursor)
        if !isInOrder { place &-= 1 }
      }
      header[1] = place
    }
    return chunk &+ Layout.eventBytes
  }

  /// Whether the events from `start` up to `end` are in order.
  static func isInOrder(_ start: UInt, _ end: UInt) -> Bool {
    var previous = event(start)
    var address = start &+ 16
    while address < end {
      let next = event(address)
      if next < previous { return false }
      previous = next
      address &+= 16
    }
    return true
  }

  @inline(__always)
  private mutating func takeChunk() -> UInt {
    if freeChunk != 0 {
      let chunk = freeChunk
      freeChunk = UInt(Self.words(chunk).pointee)
      return chunk
    }
    if bump == bumpEnd { addSlab() }
    let chunk = bump
    bump &+= RawEventSet.chunkBytes
    return chunk
  }

  @inline(never)
  private mutating func addSlab() {
    let slab = MappedMemory(bytes: slabBytes)
    slabs.append(slab)
    slabTotal += slabBytes
    bump = slab.address
    bumpEnd = bump + UInt(slabBytes)
    slabBytes = min(slabBytes * 2, Layout.slabBytesMaximum)
  }

  /// The chunks of one slot.
  struct Chain {
    /// First chunk, linked to the rest.
    var first: UInt
    /// Last chunk; only it is partly filled, and its link does not count.
    var last: UInt
    /// One past its last event.
    var end: UInt

    /// One past the last event of one of its chunks.
    @inline(__always)
    func end(of chunk: UInt) -> UInt { chunk == last ? end : chunk &+ RawEventSet.chunkBytes }

    /// The chunk after one of its chunks; 0 after the last.
    @inline(__always)
    func next(after chunk: UInt) -> UInt {
      chunk == last ? 0 : UInt(RawEventSet.words(chunk).pointee)
    }

    /// Number of events.
    @inline(__always)
    var length: Int {
      let before = RawEventSet.words(last)[1] &>> 1
      return Int(truncatingIfNeeded: before) &* RawEventSet.chunkEvents
        &+ Int(bitPattern: (end &- last) &>> 4) &- 1
    }

    /// Whether its events are in order.
    var isInOrder: Bool {
      RawEventSet.words(last)[1] & 1 != 0 && RawEventSet.isInOrder(last &+ 16, end)
    }
  }

  @inline(__always)
  static func chain(cursor: UInt) -> Chain {
    let last = (cursor &- 1) & ~(chunkBytes &- 1)
    return Chain(first: UInt(words(last).pointee), last: last, end: cursor)
  }

  /// The lowest occupied digit of a level.
  @inline(__always)
  func lowestDigit(level: UInt) -> UInt? {
    let bitmap = Self.words(slots &+ UInt(Layout.bitmaps) &+ (level &<< 5))
    var word = 0
    while word < 4 {
      let bits = bitmap[word]
      if bits != 0 { return UInt(word &<< 6 &+ bits.trailingZeroBitCount) }
      word &+= 1
    }
    return nil
  }

  @inline(__always)
  func chain(level: UInt, digit: UInt) -> Chain {
    Self.chain(cursor: UInt(Self.words(slots &+ (level &<< 11) &+ (digit &<< 3)).pointee))
  }

  /// Empties a slot and answers its chunks.
  @inline(__always)
  mutating func detach(level: UInt, digit: UInt) -> Chain {
    let slot = Self.words(slots &+ (level &<< 11) &+ (digit &<< 3))
    let chain = Self.chain(cursor: UInt(slot.pointee))
    slot.pointee = 0
    let bitmap = Self.words(slots &+ UInt(Layout.bitmaps) &+ (level &<< 5))
    bitmap[Int(digit &>> 6)] &= ~(1 &<< UInt64(digit & 63))
    if bitmap[0] | bitmap[1] | bitmap[2] | bitmap[3] == 0 { levels &= ~(1 &<< level) }
    return chain
  }

  /// Gives a chain's chunks back for reuse.
  mutating func release(_ chain: Chain) {
    Self.words(chain.last).pointee = UInt64(freeChunk)
    freeChunk = chain.first
  }

  @inline(__always)
  mutating func releaseChunk(_ chunk: UInt) {
    Self.words(chunk).pointee = UInt64(freeChunk)
    freeChunk = chunk
  }
}
