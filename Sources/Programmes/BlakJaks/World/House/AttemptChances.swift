internal import CKernel
internal import EventKernel
internal import Population

/// What chance decides about attempts to submit transactions, drawn for many of them at once.
///
/// An attempt's numbers are the first three of the stream (seed, `RandomPurpose.payout`, attempt), whatever is
/// drawn with it.
struct AttemptChances: Sendable {
  /// What decides how an attempt ends.
  struct Conclusion {
    /// It fails where this is below the probability: uniform on (0, 1).
    var failure: Double
    /// How long the network takes to confirm it, as a multiple of the mean.
    var confirmation: Double
    /// Its answer is lost where this is below the probability: uniform on (0, 1); 1 where that is not drawn.
    var loss: Double
  }

  /// Attempts drawn at once.
  private static let size = 64

  private let seed: UInt64
  /// 64-bit numbers of one attempt that are drawn: two for each block of its stream.
  private let numbers: Int
  /// The first attempt that is drawn.
  private var first: UInt64 = 0
  /// All attempts' first numbers, then all second ones, and so on; empty before the first is asked for.
  private var bits: [UInt64] = []
  /// The logarithms of the uniform numbers that the first and second ones are taken for.
  private var logs: [Double] = []

  /// - Parameters:
  ///   - seed: The run's.
  ///   - losesAnswers: Whether it matters which answers are lost.
  init(seed: UInt64, losesAnswers: Bool) {
    self.seed = seed
    numbers = losesAnswers ? 4 : 2
  }

  /// How long a worker takes to submit it, as a multiple of the mean: exponential with mean 1.
  mutating func service(of attempt: UInt64) -> Double { -logs[place(of: attempt)] }

  /// What decides how it ends.
  mutating func conclusion(of attempt: UInt64) -> Conclusion {
    let place = place(of: attempt)
    return Conclusion(
      failure: RandomStream.uniform(wide: bits[place]),
      confirmation: -logs[place + Self.size],
      loss: numbers > 2 ? RandomStream.uniform(wide: bits[place + 2 * Self.size]) : 1)
  }

  private mutating func place(of attempt: UInt64) -> Int {
    if bits.isEmpty || attempt &- first >= UInt64(Self.size) { draw(from: attempt) }
    return Int(attempt &- first)
  }

  private mutating func draw(from attempt: UInt64) {
    let size = Self.size
    first = attempt
    if bits.isEmpty {
      bits = Array(repeating: 0, count: numbers * size)
      logs = Array(repeating: 0, count: 2 * size)
    }
    if attempt <= UInt64(UInt32.max) - UInt64(size) {
      drawTogether(from: UInt32(attempt))
    } else {
      // Beyond the numbers that are drawn side by side.
      for place in 0..<size {
        var stream = RandomStream(
          seed: seed, purpose: RandomPurpose.payout.rawValue, entity: attempt &+ UInt64(place))
        for number in 0..<numbers { bits[place + number * size] = stream.nextUInt64() }
      }
    }
    ck_log_uniforms(&logs, bits, 2 * size)
  }

  private mutating func drawTogether(from attempt: UInt32) {
    let size = Self.size
    let entities = (0..<UInt32(size)).map { attempt + $0 }
    var words = Array(repeating: UInt32(0), count: 4 * size)
    for block in 0..<numbers / 2 {
      let counters = Array(repeating: UInt32(block), count: size)
      entities.withUnsafeBufferPointer { entities in
        counters.withUnsafeBufferPointer { counters in
          words.withUnsafeMutableBufferPointer {
            RandomStream.blocks(
              seed: seed, purpose: RandomPurpose.payout.rawValue, entities: entities,
              counters: counters, into: $0)
          }
        }
      }
      // A number is two words of a block, the first of them its lower half.
      words.withUnsafeBufferPointer { words in
        bits.withUnsafeMutableBufferPointer { bits in
          for half in 0..<2 {
            let low = UnsafeBufferPointer(rebasing: words[(2 * half * size)...].prefix(size))
            let high = UnsafeBufferPointer(rebasing: words[((2 * half + 1) * size)...].prefix(size))
            let own = bits[((2 * block + half) * size)...].prefix(size)
            for place in 0..<size {
              bits[own.startIndex + place] = UInt64(high[place]) << 32 | UInt64(low[place])
            }
          }
        }
      }
    }
  }
}
