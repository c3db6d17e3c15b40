// Goal: the interval of a mean holds for skewed values too, and is there whatever they look like.
// Method: factors by scipy's skew(bias=False) and t.ppf (1.17.1); coverage of known means by samples
// of a lognormal distribution and of a mixture with a rare event, as `cost_per_scan.total` has one.
import EventKernel
import Experiments
import Foundation
import Testing

@Suite struct SkewedMeanTests {
  @Test(
    "Student's interval is widened by skewness and by nothing else",
    arguments: [
      ([1, 1, 9], 3, 2.472953369856522), ([0, 0, 0, 0, 1], 5, 1.985510501277256),
      ([1, 1, 1, 1], 4, 1), ([1, 2, 3, 4], 4, 1), ([1, 9], 2, 1), ([5], 1, 1), ([], 0, 1),
    ] as [([Double], Int, Double)])
  func widening(values: [Double], observations: Int, expected: Double) {
    #expect(near(SkewedMean.widening(values, observations: observations), expected, 1e-8))
    let mirrored = values.map { 1e200 * (3 - $0) }
    #expect(near(SkewedMean.widening(mirrored, observations: observations), expected, 1e-8))
  }

  @Test("A pair counts as one observation, and one observation has no interval to widen")
  func pairs() {
    let values = (0..<20).map { $0 < 4 ? 1.0 : 0 }
    #expect(near(SkewedMean.widening(values, observations: 20), 1.2823492352128139, 1e-8))
    #expect(near(SkewedMean.widening(values, observations: 10), 1.3006653622595756, 1e-8))
    #expect(SkewedMean.widening(values, observations: 1) == 1)
  }

  @Test("Two values or more have an interval, however skewed, and a few that are skewed a wide one")
  func always() throws {
    let skewed = (0..<20).map { $0 == 19 ? 100 : Double($0 % 3) }
    let estimate = try #require(Estimate(skewed))
    #expect(try #require(estimate.halfWidth) > estimate.mean)
    let even = try #require(Estimate((0..<20).map { Double($0) }))
    #expect(even.halfWidth != nil && even.widening < 1 + 1e-9)
    #expect(try #require(Estimate([1, 9])).halfWidth != nil)
    #expect(try #require(Estimate([1])).halfWidth == nil)
  }

  /// Where an interval depends on how skewed the sample looks, those of 20 lognormal values cover
  /// 72 %, and those of 30 that have a rare event with a chance of 10 %, 46 %.
  @Test(
    "Intervals of skewed figures cover the mean about as often as they say",
    arguments: [(20, 0.0, 0.885), (50, 0.1, 0.95), (30, 0.15, 0.95), (100, 0.05, 0.95)])
  func coverage(count: Int, rare: Double, least: Double) throws {
    let mean = rare > 0 ? rare + 0.01 : exp(0.5)
    var coverage = CoverageCount()
    for repetition in 0..<1_000 {
      var stream = repetitionStream(repetition, purpose: 40)
      let values = (0..<count).map { _ in
        rare > 0
          ? (stream.bernoulli(rare) ? 1 : 0) + 0.02 * stream.uniform()
          : stream.lognormal(mu: 0, sigma: 1)
      }
      // Of what no replication had, no interval knows.
      if rare > 0, values.allSatisfy({ $0 < 1 }) { continue }
      var tally = Tally()
      for value in values { try tally.add(value) }
      let interval = try tally.interval()
      let half = interval.halfWidth * SkewedMean.widening(values, observations: count)
      coverage.count(abs(interval.mean - mean) <= half)
    }
    #expect(coverage.repetitions > 950 && coverage.share >= least, "\(coverage.share)")
  }
}
