internal import Quantities

/// The first blocks of many streams of one purpose, drawn side by side, of entities that are numbered
/// one after another.
///
/// Each stream then gives what `RandomStream` gives, word by word.
public struct DrawnStreams: ~Copyable {
  /// Streams at most.
  public static var capacity: Int { 64 }

  private let seed: UInt64
  private let purpose: UInt32
  private let blocks: Int
  private let words: UnsafeMutablePointer<UInt32>
  private let entities: UnsafeMutablePointer<UInt32>
  private let counters: UnsafeMutablePointer<UInt32>

  /// Room for `capacity` streams.
  ///
  /// - Parameter blocks: How many of each are drawn side by side, 1 or more; more are drawn when somebody
  ///   asks for them.
  public init(seed: UInt64, purpose: UInt32, blocks: Int) {
    invariant(blocks > 0, "DrawnStreams needs at least one block of each stream")
    self.seed = seed
    self.purpose = purpose
    self.blocks = blocks
    words = .allocate(capacity: 4 * blocks * Self.capacity)
    entities = .allocate(capacity: Self.capacity)
    counters = .allocate(capacity: Self.capacity)
  }

  deinit {
    words.deallocate()
    entities.deallocate()
    counters.deallocate()
  }

  /// Draws the streams of `capacity` entities, in place of those before.
  ///
  /// - Parameter first: The first of them; numbers wrap beyond 2^32.
  public func draw(from first: UInt32) {
    for place in 0..<Self.capacity {
      entities[place] = first &+ UInt32(truncatingIfNeeded: place)
    }
    for block in 0..<blocks {
      counters.update(repeating: UInt32(block), count: Self.capacity)
      RandomStream.blocks(
        seed: seed, purpose: purpose,
        entities: UnsafeBufferPointer(start: entities, count: Self.capacity),
        counters: UnsafeBufferPointer(start: counters, count: Self.capacity),
        into: UnsafeMutableBufferPointer(
          start: words + 4 * block * Self.capacity, count: 4 * Self.capacity))
    }
  }

  /// One of the streams, as long as nothing else is drawn and this is kept.
  ///
  /// - Parameter place: Counted from the first entity, below `capacity`.
  public func stream(_ place: Int) -> Stream {
    invariant(
      place >= 0 && place < Self.capacity,
      "streams go from 0 to \(Self.capacity - 1), not to \(place)")
    return Stream(
      words: words + place, pairs: UInt32(2 * blocks),
      rest: RandomStream(
        seed: seed, purpose: purpose, entity: UInt64(entities[place]), counter: UInt32(blocks)))
  }

  /// A stream whose first blocks have been drawn.
  public struct Stream: RandomSource {
    private let words: UnsafePointer<UInt32>
    private let pairs: UInt32
    private var taken: UInt32 = 0
    private var rest: RandomStream

    fileprivate init(words: UnsafePointer<UInt32>, pairs: UInt32, rest: RandomStream) {
      self.words = words
      self.pairs = pairs
      self.rest = rest
    }

    /// The next 64 random bits; see `RandomStream.nextUInt64`.
    public mutating func nextUInt64() -> UInt64 {
      guard taken < pairs else { return rest.nextUInt64() }
      let pair = words + 2 * Int(taken) * DrawnStreams.capacity
      taken += 1
      return UInt64(pair[DrawnStreams.capacity]) << 32 | UInt64(pair[0])
    }
  }
}
