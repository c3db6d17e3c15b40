internal import CKernel

/// A random stream that draws four blocks at a time, side by side, which takes as long as one and a half.
///
/// It gives what `RandomStream` gives, word by word: for those who take more than two blocks of a
/// stream, and few streams at once. `DrawnStreams` draws many streams at once.
public struct BlockStream: RandomSource, Sendable, BitwiseCopyable {
  /// Blocks drawn at once.
  private static var blocks: UInt64 { 4 }

  private let seed: UInt64
  private let entity: UInt64
  private let purpose: UInt32
  /// Words of `pairs` that are taken.
  private var taken: UInt32 = 0
  /// The next block to be drawn.
  private var counter: UInt64
  private var pairs = InlineArray<8, UInt64>(repeating: 0)

  /// The stream (seed, purpose, entity), from whole block `counter` on.
  ///
  /// As a stream has 2^32 blocks, drawing more than whole fours of those from `counter` on stops the process.
  public init(seed: UInt64, purpose: UInt32, entity: UInt64, counter: UInt32 = 0) {
    self.seed = seed
    self.purpose = purpose
    self.entity = entity
    self.counter = UInt64(counter)
    draw()
  }

  private mutating func draw() {
    precondition(counter + Self.blocks <= 1 << 32, "a random stream has ended")
    let (first, purpose, entity, seed) = (UInt32(counter), purpose, entity, seed)
    counter += Self.blocks
    withUnsafeMutableBytes(of: &pairs) { pairs in
      ck_philox_ahead(
        pairs.baseAddress?.assumingMemoryBound(to: UInt64.self), first, purpose, entity, seed)
    }
    taken = 0
  }

  /// The next 32 random bits; see `RandomStream.nextUInt32`.
  public mutating func nextUInt32() -> UInt32 {
    if taken == 4 * UInt32(Self.blocks) { draw() }
    let pair = pairs[Int(taken &>> 1)]
    let word = taken & 1 == 0 ? pair : pair &>> 32
    taken &+= 1
    return UInt32(truncatingIfNeeded: word)
  }

  /// The next 64 random bits, an aligned pair of words; see `RandomStream.nextUInt64`.
  public mutating func nextUInt64() -> UInt64 {
    let place = Int((taken &+ 1) &>> 1)
    guard place < 2 * Int(Self.blocks) else {
      draw()
      taken = 2
      return pairs[0]
    }
    taken = UInt32(truncatingIfNeeded: 2 &* place &+ 2)
    return pairs[place]
  }
}
