// Goal: quantile intervals take the right order statistics and say when there are too few.
// Method: ranks from a search through scipy's binomial (1.17.1), and a second search here that
// tries every pair of ranks; samples 1…n, whose order statistics are their ranks.
import CGSL
import EventKernel
import Experiments
import Testing

@Suite struct QuantileIntervalTests {
  static func ranks(_ count: Int) -> [Double] { (1...count).map { Double($0) } }

  struct Case: Sendable {
    let count: Int
    let probability: Double
    let low: Int?
    let high: Int?
    let coverage: Double
  }

  static let published = [
    Case(count: 100, probability: 0.5, low: 40, high: 61, coverage: 0.9647997997822952),
    Case(count: 100, probability: 0.95, low: 90, high: 100, coverage: 0.9826070607121812),
    Case(count: 200, probability: 0.9, low: 171, high: 189, coverage: 0.9668839008979295),
    Case(count: 71, probability: 0.95, low: 63, high: nil, coverage: 0.991205101618846),
    Case(count: 72, probability: 0.95, low: 64, high: 72, coverage: 0.9654900479083739),
    Case(count: 10, probability: 0.5, low: 2, high: 9, coverage: 0.978515625),
    Case(count: 6, probability: 0.5, low: 1, high: 6, coverage: 0.96875),
    Case(count: 5, probability: 0.5, low: nil, high: nil, coverage: 1),
  ]

  @Test("The ranks are those of the binomial distribution", arguments: published)
  func ranks(example: Case) throws {
    let quantile = try QuantileInterval(
      sample: Self.ranks(example.count).reversed(), probability: example.probability)
    #expect(quantile.lowRank == example.low)
    #expect(quantile.highRank == example.high)
    #expect(quantile.interval.low == example.low.map { Double($0) })
    #expect(quantile.interval.high == example.high.map { Double($0) })
    #expect(near(quantile.coverage, example.coverage, 1e-9))
  }

  @Test("No tighter pair of ranks leaves half of 1 − level on either side", arguments: 1..<60)
  func tightest(count: Int) throws {
    for probability in [0.05, 0.3, 0.5, 0.9] {
      let quantile = try QuantileInterval(
        sample: Self.ranks(count), probability: probability, level: 0.9)
      let tail = 0.05 * (1 + 1e-12)
      var low: Int?
      var high: Int?
      for rank in 1...count {
        if gsl_cdf_binomial_P(UInt32(rank - 1), probability, UInt32(count)) <= tail { low = rank }
        if high == nil,
          gsl_cdf_binomial_Q(UInt32(rank - 1), probability, UInt32(count)) <= tail
        {
          high = rank
        }
      }
      #expect(quantile.lowRank == low)
      #expect(quantile.highRank == high)
      #expect(quantile.coverage >= 0.9 - 1e-9)
    }
  }

  @Test("The estimate is the quantile of type 7")
  func estimate() throws {
    let quantile = try QuantileInterval(sample: [4, 1, 3, 2], probability: 0.5)
    #expect(quantile.interval.estimate == 2.5)
    #expect(!quantile.interval.isBounded)
    #expect(quantile.interval.halfWidth == nil)
    #expect(quantile.interval.contains(1e300))
  }

  @Test("The fewest observations are where the second end appears")
  func observationsNeeded() throws {
    for (probability, level, needed) in [
      (0.5, 0.95, 6), (0.95, 0.95, 72), (0.05, 0.95, 72), (0.99, 0.95, 368), (0.9, 0.9, 29),
      (0.5, 0.9375, 5),
    ] {
      let fewest = try QuantileInterval.observationsNeeded(probability: probability, level: level)
      #expect(fewest == needed)
      for (count, bounded) in [(needed - 1, false), (needed, true)] {
        let quantile = try QuantileInterval(
          sample: Self.ranks(count), probability: probability, level: level)
        #expect(quantile.interval.isBounded == bounded)
      }
    }
  }

  @Test("Empty samples, numbers that are not finite and bad shares are refused")
  func refusals() {
    #expect(throws: EstimatorError.tooFew(count: 0, needed: 1)) {
      try QuantileInterval(sample: [], probability: 0.5)
    }
    #expect(throws: EstimatorError.self) {
      try QuantileInterval(sample: [1, .nan], probability: 0.5)
    }
    for bad in [0, 1, -1, .nan] {
      #expect(throws: EstimatorError.self) {
        try QuantileInterval(sample: [1, 2], probability: bad)
      }
      #expect(throws: EstimatorError.self) {
        try QuantileInterval(sample: [1, 2], probability: 0.5, level: bad)
      }
      #expect(throws: EstimatorError.self) {
        try QuantileInterval.observationsNeeded(probability: bad)
      }
    }
  }
}
