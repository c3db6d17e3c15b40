/// Chunks, slabs and slots: where events wait.
///
/// A chunk is 512 bytes on a 512-byte boundary: one word that links to the next chunk of the same
/// slot, one unused, and 31 events. A slot is only the address where its next event goes; only the
/// first chunk of a slot is partly filled, and an address on a 512-byte boundary says it is full.
extension RawEventSet {
  /// Bytes of chunks and fixed tables; what was touched of it is resident.
  public var reservedBytes: Int {
    slabTotal + Layout.fixedBytes + (grownFront == nil ? 0 : frontCapacity * 16)
  }

  /// Starts a chunk for a slot whose cursor is `cursor` (0, or one past a full chunk), and answers
  /// where its first event goes.
  @usableFromInline
  @inline(never)
  mutating func openChunk(level: UInt, digit: UInt, after cursor: UInt) -> UInt {
    if cursor == 0 {
      levels |= 1 &<< level
      Self.words(slots &+ UInt(Layout.bitmaps) &+ (level &<< 5) &+ ((digit &>> 6) &<< 3)).pointee |=
        1 &<< UInt64(digit & 63)
    }
    let chunk = takeChunk()
    Self.words(chunk).pointee = UInt64(cursor == 0 ? 0 : cursor &- Layout.chunkBytes)
    return chunk &+ Layout.eventBytes
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
    bump &+= Layout.chunkBytes
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

  /// The chunks of one slot, taken out of it.
  struct Chain {
    /// First chunk, linked to the rest; only it is partly filled.
    var first: UInt
    /// One past its last event.
    var end: UInt
  }

  @inline(__always)
  static func chain(cursor: UInt) -> Chain {
    Chain(first: (cursor &- 1) & ~511, end: cursor)
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
    var chunk = chain.first
    while chunk != 0 {
      let next = UInt(Self.words(chunk).pointee)
      releaseChunk(chunk)
      chunk = next
    }
  }

  @inline(__always)
  mutating func releaseChunk(_ chunk: UInt) {
    Self.words(chunk).pointee = UInt64(freeChunk)
    freeChunk = chunk
  }

  /// Number of events in a chain, counted no further than one chunk beyond `limit`.
  @inline(__always)
  static func length(_ chain: Chain, limit: Int) -> Int {
    var length = Int(bitPattern: (chain.end &- chain.first) &>> 4) &- 1
    var chunk = UInt(words(chain.first).pointee)
    while chunk != 0 && length <= limit {
      length &+= 31
      chunk = UInt(words(chunk).pointee)
    }
    return length
  }
}
