// Goal: value at risk and expected shortfall are those of the definition, for the upper tail.
// Method: small samples by hand; a second computation that averages the worst observations; flat
// and small tails, which have no honest interval. Coverage is in CoverageTests.
import EventKernel
import Experiments
import Testing

@Suite struct TailRiskTests {
  @Test("VaR 95 of 1…100 is 95, and CVaR the mean of the five worst")
  func hundred() throws {
    let risk = try TailRisk(losses: (1...100).map { Double($0) }, probability: 0.95)
    #expect(risk.valueAtRisk.estimate == 95)
    #expect(near(risk.expectedShortfall.estimate, 98))
    #expect(risk.valueAtRisk.low == 90)
    #expect(risk.valueAtRisk.high == 100)
    #expect(risk.expectedShortfall.low == nil, "five in the tail are too few")
    #expect(risk.expectedShortfall.high == nil)
  }

  @Test("VaR is NumPy's inverted_cdf, and a percentile of the same runs NumPy's default")
  func ruleOfEither() throws {
    // numpy.quantile([n * n for n in 1…40], p, method="inverted_cdf"), and method="linear".
    let squares = try SampleQuantiles((1...40).map { Double($0 * $0) })
    for (p, observed, between) in [
      (0.05, 4, 8.75), (0.5, 400, 420.5), (0.95, 1_444, 1_447.85), (0.99, 1_600, 1_569.19),
    ] as [(Double, Double, Double)] {
      #expect(try TailRisk(squares, probability: p).valueAtRisk.estimate == observed)
      #expect(near(try QuantileInterval(squares, probability: p).interval.estimate, between))
    }
  }

  @Test("A boundary observation counts with the share that lies in the tail")
  func fraction() throws {
    // Ten observations, p = 0.85: one and a half in the tail.
    let risk = try TailRisk(losses: (1...10).map { Double($0) }, probability: 0.85)
    #expect(risk.valueAtRisk.estimate == 9)
    #expect(near(risk.expectedShortfall.estimate, (10 + 0.5 * 9) / 1.5))
  }

  @Test("CVaR is the mean of the worst share", arguments: UInt64(0)..<20)
  func secondComputation(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, purpose: 9_100, entity: 0)
    let losses = (0..<400).map { _ in stream.lognormal(mu: 0, sigma: 1) }
    for (probability, worst) in [(0.95, 20), (0.99, 4), (0.5, 200)] {
      let risk = try TailRisk(losses: losses, probability: probability, resamples: 100)
      let tail = losses.sorted().suffix(worst)
      #expect(near(risk.expectedShortfall.estimate, tail.reduce(0, +) / Double(worst)))
      #expect(risk.valueAtRisk.estimate == losses.sorted()[400 - worst - 1])
      if let low = risk.expectedShortfall.low, let high = risk.expectedShortfall.high {
        #expect(low < risk.expectedShortfall.estimate)
        #expect(risk.expectedShortfall.estimate < high)
      } else {
        #expect(worst == 4)
      }
    }
  }

  @Test("Ten in the tail give an interval, nine do not")
  func tailNeeded() throws {
    func losses(_ count: Int) -> [Double] { (0..<count).map { Double($0) } }
    #expect(try TailRisk(losses: losses(200), probability: 0.95).expectedShortfall.isBounded)
    #expect(try !TailRisk(losses: losses(199), probability: 0.95).expectedShortfall.isBounded)
    #expect(try TailRisk(losses: losses(1_000), probability: 0.99).expectedShortfall.isBounded)
    #expect(try !TailRisk(losses: losses(999), probability: 0.99).expectedShortfall.isBounded)
  }

  @Test("The same seed gives the same interval, another one nearly the same")
  func seeds() throws {
    var stream = RandomStream(seed: 3, purpose: 9_100, entity: 0)
    let losses = (0..<400).map { _ in stream.exponential(mean: 1) }
    let one = try TailRisk(losses: losses, probability: 0.95, seed: 1)
    #expect(one == (try TailRisk(losses: losses, probability: 0.95, seed: 1)))
    let other = try TailRisk(losses: losses, probability: 0.95, seed: 2)
    #expect(one != other)
    let width = one.expectedShortfall.halfWidth ?? 0
    #expect(near(other.expectedShortfall.low, one.expectedShortfall.low ?? 0, 0.2 * width))
  }

  @Test("Constant losses have an interval of no width; a two-valued tail is left open or bounded")
  func flatTails() throws {
    let flat = try TailRisk(losses: [Double](repeating: 7, count: 300), probability: 0.95)
    #expect(flat.expectedShortfall.low == 7)
    #expect(flat.expectedShortfall.high == 7)
    // One great loss: more than a third of the resamples miss it and have a flat tail.
    let spike = try TailRisk(
      losses: [Double](repeating: 0, count: 299) + [1_000], probability: 0.95)
    #expect(!spike.expectedShortfall.isBounded)
    #expect(near(spike.expectedShortfall.estimate, 1_000 / 15.0))
  }

  @Test("Empty samples, bad shares and too few resamples are refused")
  func refusals() {
    #expect(throws: EstimatorError.self) { try TailRisk(losses: [], probability: 0.95) }
    #expect(throws: EstimatorError.self) { try TailRisk(losses: [.infinity], probability: 0.95) }
    for bad in [0, 1, .nan] {
      #expect(throws: EstimatorError.self) { try TailRisk(losses: [1, 2], probability: bad) }
    }
    #expect(throws: EstimatorError.badParameter(name: "resamples", value: 99)) {
      try TailRisk(losses: [1, 2], probability: 0.5, resamples: 99)
    }
  }
}
