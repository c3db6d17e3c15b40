/// The counter-based generator Philox 4x32 with ten rounds.
///
/// A block is a pure function of a 128-bit counter and a 64-bit key: nothing is carried from one
/// draw to the next, so any draw of any stream can be made at any time, on any thread.
///
/// Source: Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405. Checked against the
/// known-answer vectors of the Random123 distribution.
public enum Philox {
  /// The 128 random bits that belong to `counter` under `key`.
  ///
  /// - Complexity: twenty 32 × 32 → 64-bit multiplications, about 8 ns.
  @inlinable
  public static func block(counter: SIMD4<UInt32>, key: SIMD2<UInt32>) -> SIMD4<UInt32> {
    let (first, second) = words(
      counter.x, counter.y, counter.z, counter.w, keyLow: key.x, keyHigh: key.y)
    return SIMD4(
      UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: first &>> 32),
      UInt32(truncatingIfNeeded: second), UInt32(truncatingIfNeeded: second &>> 32))
  }

  /// The same block as two 64-bit words; word 0 of the block is the low half of the first.
  @inlinable
  @inline(__always)
  public static func words(
    _ counter0: UInt32, _ counter1: UInt32, _ counter2: UInt32, _ counter3: UInt32,
    keyLow: UInt32, keyHigh: UInt32
  ) -> (UInt64, UInt64) {
    var x0 = counter0
    var x1 = counter1
    var x2 = counter2
    var x3 = counter3
    var k0 = keyLow
    var k1 = keyHigh
    var round = 0
    while round < 10 {
      let p0 = UInt64(truncatingIfNeeded: x0) &* 0xD251_1F53
      let p1 = UInt64(truncatingIfNeeded: x2) &* 0xCD9E_8D57
      x0 = UInt32(truncatingIfNeeded: p1 &>> 32) ^ x1 ^ k0
      x1 = UInt32(truncatingIfNeeded: p1)
      x2 = UInt32(truncatingIfNeeded: p0 &>> 32) ^ x3 ^ k1
      x3 = UInt32(truncatingIfNeeded: p0)
      k0 = k0 &+ 0x9E37_79B9
      k1 = k1 &+ 0xBB67_AE85
      round &+= 1
    }
    return (
      UInt64(truncatingIfNeeded: x1) &<< 32 | UInt64(truncatingIfNeeded: x0),
      UInt64(truncatingIfNeeded: x3) &<< 32 | UInt64(truncatingIfNeeded: x2)
    )
  }
}
