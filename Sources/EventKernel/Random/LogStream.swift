internal import CKernel
internal import Quantities

/// A random stream that works out the logarithms of its uniform numbers, 64 at once: for whoever takes
/// many exponential variates of one stream.
///
/// It gives the numbers that `RandomStream` gives, one by one.
public struct LogStream: RandomSource, Sendable, BitwiseCopyable {
  /// Blocks drawn at once, of two numbers each.
  private static var blocks: UInt64 { 32 }

  private let seed: UInt64
  private let entity: UInt64
  private let purpose: UInt32
  /// The next block to be drawn.
  private var counter: UInt64 = 0
  /// Numbers that are taken.
  private var taken = 0
  private var pairs = InlineArray<64, UInt64>(repeating: 0)
  /// Of the numbers' uniform ones.
  private var logs = InlineArray<64, Double>(repeating: 0)

  /// The stream (seed, purpose, entity).
  ///
  /// As a stream has 2^32 blocks, drawing more stops the process.
  public init(seed: UInt64, purpose: UInt32, entity: UInt64) {
    self.seed = seed
    self.purpose = purpose
    self.entity = entity
    draw()
  }

  private mutating func draw() {
    precondition(counter + Self.blocks <= 1 << 32, "a random stream has ended")
    let (first, purpose, entity, seed) = (UInt32(counter), purpose, entity, seed)
    counter += Self.blocks
    taken = 0
    withUnsafeMutableBytes(of: &pairs) { pairs in
      guard let pairs = pairs.baseAddress?.assumingMemoryBound(to: UInt64.self) else { return }
      for block in stride(from: 0, to: Int(Self.blocks), by: 4) {
        ck_philox_ahead(pairs + 2 * block, first + UInt32(block), purpose, entity, seed)
      }
      withUnsafeMutableBytes(of: &logs) { logs in
        ck_log_uniforms(
          logs.baseAddress?.assumingMemoryBound(to: Double.self), pairs, 2 * Int(Self.blocks))
      }
    }
  }

  /// The place of the next number.
  @inline(__always)
  private mutating func take() -> Int {
    if taken == 2 * Int(Self.blocks) { draw() }
    taken &+= 1
    return taken &- 1
  }

  /// The next 64 random bits; see `RandomStream.nextUInt64`.
  public mutating func nextUInt64() -> UInt64 { pairs[take()] }

  /// The logarithm of the next number uniform on (0, 1), within one unit in the last place: below 0.
  ///
  /// Minus as much is exponential with mean 1.
  public mutating func logUniform() -> Double { logs[take()] }
}
