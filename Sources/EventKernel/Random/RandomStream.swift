internal import CKernel
public import Quantities

/// One stream of random numbers, named by (seed, purpose, entity).
///
/// The stream is counter-based: block `counter` is `Philox.block` of (counter, purpose, entity)
/// under the key `seed`. Streams of different purpose or entity never share a block, so a draw
/// added for one purpose shifts no number of another, and an entity gets the same numbers in two
/// runs that differ elsewhere (common random numbers).
///
/// A block is four 32-bit words. `nextUInt32()` takes the next word; `nextUInt64()` and
/// everything built on it take the next aligned pair and skip an odd word. What is left of a block
/// is kept for the next draw, but is not part of the saved state: **a stream made again with a
/// saved `counter` continues at the next whole block.** For a saved stream to go on as the one that it was
/// saved from, call `dropPartialBlock()` at every save.
///
/// One stream gives 2^32 − 1 blocks; drawing more stops the process.
///
/// **The highest bit of a seed mirrors it**: streams of the seeds s and s + 2^63 have opposite bits,
/// so that one's uniform numbers are 1 less the other's, and runs of the two are antithetic
/// (Hammersley and Morton 1956, doi:10.1017/S0305004100031455). The key is the seed without it.
public struct RandomStream: RandomSource, Sendable, BitwiseCopyable {
  @usableFromInline var blocks: UInt32
  @usableFromInline let purpose: UInt32
  @usableFromInline let entityLow: UInt32
  @usableFromInline let entityHigh: UInt32
  @usableFromInline let keyLow: UInt32
  @usableFromInline let keyHigh: UInt32
  @usableFromInline var wordsLeft: UInt32
  @usableFromInline var firstPair: UInt64
  @usableFromInline var secondPair: UInt64

  /// Makes the stream (seed, purpose, entity), to continue at whole block `counter`.
  @inlinable
  public init(seed: UInt64, purpose: UInt32, entity: UInt64, counter: UInt32 = 0) {
    blocks = counter
    self.purpose = purpose
    entityLow = UInt32(truncatingIfNeeded: entity)
    entityHigh = UInt32(truncatingIfNeeded: entity &>> 32)
    keyLow = UInt32(truncatingIfNeeded: seed)
    keyHigh = UInt32(truncatingIfNeeded: seed &>> 32)
    wordsLeft = 0
    firstPair = 0
    secondPair = 0
  }

  /// The seed whose streams have the opposite bits.
  @inlinable
  public static func mirrored(_ seed: UInt64) -> UInt64 { seed ^ (1 << 63) }

  /// Blocks drawn so far; the index of the next whole block.
  @inlinable public var counter: UInt32 { blocks }

  @inlinable
  @inline(__always)
  mutating func drawPairs() -> (UInt64, UInt64) {
    let pairs = Philox.words(
      blocks, purpose, entityLow, entityHigh, keyLow: keyLow, keyHigh: keyHigh & 0x7FFF_FFFF)
    blocks += 1
    let mirror = 0 &- UInt64(keyHigh &>> 31)
    return (pairs.0 ^ mirror, pairs.1 ^ mirror)
  }

  /// The next whole block of four words. Words kept from an earlier block stay for later draws.
  @inlinable
  public mutating func nextBlock() -> SIMD4<UInt32> {
    let (first, second) = drawPairs()
    return SIMD4(
      UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: first &>> 32),
      UInt32(truncatingIfNeeded: second), UInt32(truncatingIfNeeded: second &>> 32))
  }

  /// Forgets what is left of the current block, as making the stream again from `counter` would.
  @inlinable
  public mutating func dropPartialBlock() { wordsLeft = 0 }

  /// The next 32 random bits.
  @inlinable
  public mutating func nextUInt32() -> UInt32 {
    if wordsLeft == 0 {
      (firstPair, secondPair) = drawPairs()
      wordsLeft = 4
    }
    let pair = wordsLeft > 2 ? firstPair : secondPair
    let word = wordsLeft & 1 == 0 ? pair : pair &>> 32
    wordsLeft &-= 1
    return UInt32(truncatingIfNeeded: word)
  }

  /// The next 64 random bits: an aligned pair of words.
  @inlinable
  public mutating func nextUInt64() -> UInt64 {
    if wordsLeft > 1 {
      // With three words left the odd one is skipped and the second pair is used.
      let pair = wordsLeft == 4 ? firstPair : secondPair
      wordsLeft = wordsLeft == 4 ? 2 : 0
      return pair
    }
    let pairs = drawPairs()
    secondPair = pairs.1
    wordsLeft = 2
    return pairs.0
  }

  /// 32 random bits as a number on the open interval (0, 1): an odd multiple of 2^-33.
  @inlinable
  @inline(__always)
  public static func uniform(_ bits: UInt32) -> Double { (Double(bits) + 0.5) * 0x1p-32 }

  /// The upper 52 of 64 random bits as a number on the open interval (0, 1).
  @inlinable
  @inline(__always)
  public static func uniform(wide bits: UInt64) -> Double {
    (Double(Int64(truncatingIfNeeded: bits &>> 12)) + 0.5) * 0x1p-52
  }
}

extension RandomSource {
  /// A whole number uniform on 0 ..< `bound`, without bias.
  ///
  /// - Parameter bound: At least 1.
  /// - Complexity: one 64-bit draw, rarely more. Source: Lemire 2019, doi:10.1145/3230636
  @inlinable
  public mutating func uniformIndex(below bound: UInt64) -> UInt64 {
    invariant(bound > 0, "uniformIndex needs a bound of at least 1")
    var product = nextUInt64().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold {
        product = nextUInt64().multipliedFullWidth(by: bound)
      }
    }
    return product.high
  }
}

extension RandomStream {
  /// One block of each of many streams of a purpose: what `nextBlock()` of the stream
  /// (seed, purpose, entities[i]) answers at `counters[i]`, several at a time.
  ///
  /// - Parameters:
  ///   - entities: Below 2^32.
  ///   - counters: One for each entity.
  ///   - words: Receives word w of entity i at w · entities.count + i.
  public static func blocks(
    seed: UInt64, purpose: UInt32, entities: UnsafeBufferPointer<UInt32>,
    counters: UnsafeBufferPointer<UInt32>, into words: UnsafeMutableBufferPointer<UInt32>
  ) {
    precondition(counters.count == entities.count && words.count >= 4 * entities.count)
    guard let first = words.baseAddress else { return }
    ck_philox_blocks(
      first, entities.count, counters.baseAddress, entities.baseAddress, purpose, seed)
  }
}
