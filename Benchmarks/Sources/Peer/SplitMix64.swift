/// The random numbers that both sides of every benchmark draw; see `Peers/random.h`.
///
/// Not the kernel's own streams: a benchmark of queues must not measure generators, so Swift and
/// C++ draw the same numbers at the same cost.
public struct SplitMix64 {
  @usableFromInline var state: UInt64

  @inlinable
  public init(seed: UInt64) { state = seed }

  @inlinable
  @inline(__always)
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }

  /// 52 bits on the open interval (0, 1).
  @inlinable
  @inline(__always)
  public mutating func uniform() -> Double {
    (Double(Int64(truncatingIfNeeded: next() &>> 12)) + 0.5) * 0x1p-52
  }
}
