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
    /// Its answer is lost where this is below the probability: uniform on (0, 1).
    var loss: Double
  }

  /// Attempts drawn at once.
  private static let size = 64
  /// 64-bit numbers of one attempt that are drawn: those of two blocks of its stream.
  private static let numbers = 4

  private let seed: UInt64
  /// The first attempt that is drawn.
  private var first: UInt64 = 0
  /// All attempts' first numbers, then all second ones, and so on; empty before the first is asked for.
  private var bits: [UInt64] = []
  /// The logarithms of the uniform numbers that the first and second ones are taken for.
  private var logs: [Double] = []

  /// - Parameter seed: The run's.
  init(seed: UInt64) { self.seed = seed }

  /// How long a worker takes to submit it, as a multiple of the mean: exponential with mean 1.
  mutating func service(of attempt: UInt64) -> Double { -logs[place(of: attempt)] }

  /// What decides how it ends.
  mutating func conclusion(of attempt: UInt64) -> Conclusion {
    let place = place(of: attempt)
    return Conclusion(
      failure: RandomStream.uniform(wide: bits[place]),
      confirmation: -logs[place + Self.size],
      loss: RandomStream.uniform(wide: bits[place + 2 * Self.size]))
  }

  private mutating func place(of attempt: UInt64) -> Int {
    if bits.isEmpty || attempt &- first >= UInt64(Self.size) { draw(from: attempt) }
    return Int(attempt &- first)
  }

  private mutating func draw(from attempt: UInt64) {
    let size = Self.size
    first = attempt
    if bits.isEmpty {
      bits = Array(repeating: 0, count: Self.numbers * size)
      logs = Array(repeating: 0, count: 2 * size)
    }
    if attempt <= UInt64(UInt32.max) - UInt64(size) {
      drawTogether(from: UInt32(attempt))
    } else {
      // Beyond the numbers that are drawn side by side.
      for place in 0..<size {
        var stream = RandomStream(
          seed: seed, purpose: RandomPurpose.payout.rawValue, entity: attempt &+ UInt64(place))
        for number in 0..<Self.numbers { bits[place + number * size] = stream.nextUInt64() }
      }
    }
    ck_log_uniforms(&logs, bits, 2 * size)
  }

  private mutating func drawTogether(from attempt: UInt32) {
    let size = Self.size
    let entities = (0..<UInt32(size)).map { attempt + $0 }
    var words = Array(repeating: UInt32(0), count: 4 * size)
    for block in 0..<Self.numbers / 2 {
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
      for half in 0..<2 {
        let (number, word) = (2 * block + half, 2 * half * size)
        for place in 0..<size {
          bits[number * size + place] =
            UInt64(words[word + size + place]) << 32 | UInt64(words[word + place])
        }
      }
    }
  }
}
