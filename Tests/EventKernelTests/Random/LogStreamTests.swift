// Goal: a stream that works out logarithms ahead gives what the stream of the same name gives, and
// logarithms that are as good as the C library's.
// Method: both, number by number, to beyond what was drawn at once; the C library beside our logarithm, where
// its results crowd (close to 1, at the square roots of powers of 2, at the ends of the range), and the same
// numbers one by one and many at once.
import CKernel
import EventKernel
import Foundation
import Testing

@Suite struct LogStreamTests {
  /// Both are off by less than one unit in the last place.
  private func isClose(_ ours: Double, _ other: Double) -> Bool {
    abs(ours - other) <= 2 * max(other.ulp, .leastNormalMagnitude)
  }

  @Test(
    "Numbers are those of the stream, and their logarithms belong to them",
    arguments: [0, 7, RandomStream.mirrored(7), .max] as [UInt64],
    [0, 29_600_000, .max] as [UInt64])
  func numbers(seed: UInt64, entity: UInt64) {
    var one = LogStream(seed: seed, purpose: 31, entity: entity)
    var other = RandomStream(seed: seed, purpose: 31, entity: entity)
    var choice = RandomStream(seed: seed, purpose: 32, entity: entity)
    for draw in 0..<300 {
      if choice.uniform() < 0.3 {
        #expect(one.nextUInt64() == other.nextUInt64(), "draw \(draw)")
      } else {
        let (ours, exact) = (one.logUniform(), Foundation.log(other.uniform()))
        #expect(ours < 0 && isClose(ours, exact), "draw \(draw): \(ours) for \(exact)")
      }
    }
    #expect(one.gamma(shape: 3, scale: 2) == other.gamma(shape: 3, scale: 2))
  }

  /// Numbers around which a logarithm by parts may go wrong.
  private var hard: [Double] {
    let around: [Double] = [
      1, 0.5, 2, 0.5.squareRoot(), 2.0.squareRoot(), 1e-12, 0x1p-53, 10, 0x1p-1022,
      .greatestFiniteMagnitude,
    ]
    var numbers = around.flatMap { [$0.nextDown, $0, $0.nextUp] }.filter { $0.isNormal }
    var stream = RandomStream(seed: 5, purpose: 1, entity: 2)
    for _ in 0..<20_000 {
      numbers.append(1 + (stream.uniform() - 0.5) * pow(2, -50 * stream.uniform()))
      numbers.append(pow(2, 2_000 * stream.uniform() - 1_000))
    }
    return numbers
  }

  @Test func aLogarithmIsAsGoodAsTheCLibrarys() {
    #expect(ck_log(1) == 0)
    for number in hard {
      let (ours, exact) = (ck_log(number), Foundation.log(number))
      #expect(isClose(ours, exact), "of \(number): \(ours) for \(exact)")
    }
  }

  @Test func manyLogarithmsHaveTheBitsOfOneByOne() {
    let numbers = hard
    for count in [0, 1, 7, 8, 63, numbers.count] {
      var logs = [Double](repeating: .nan, count: count)
      ck_logs(&logs, numbers, count)
      #expect(logs.map(\.bitPattern) == numbers.prefix(count).map { ck_log($0).bitPattern })
    }
  }

  @Test func logarithmsOfUniformNumbersAreThoseOfTheNumbers() {
    var stream = RandomStream(seed: 8, purpose: 3, entity: 4)
    let bits = [0, .max, 0xFFF, 1 << 63] + (0..<1_000).map { _ in stream.nextUInt64() }
    var logs = [Double](repeating: .nan, count: bits.count)
    ck_log_uniforms(&logs, bits, bits.count)
    #expect(
      logs.map(\.bitPattern)
        == bits.map { ck_log(RandomStream.uniform(wide: $0)).bitPattern })
  }
}
