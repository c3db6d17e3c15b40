/// What samplers draw from: words of random bits, one after another.
public protocol RandomSource {
  /// The next 64 random bits.
  mutating func nextUInt64() -> UInt64
}
