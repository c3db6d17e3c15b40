// Goal: control variates and antithetic pairs give the textbook estimates, and say when they do
// not help.
// Method: numpy's least squares on a small sample; exact relations; models of known correlation.
import EventKernel
import Experiments
import Testing

@Suite struct VarianceReductionTests {
  typealias Control = ControlVariate.Control

  @Test("One control equals the regression worked out by numpy")
  func againstNumPy() throws {
    let result = try ControlVariate(
      output: [3.1, 4.9, 7.2, 8.8, 11.1, 12.7],
      controls: [Control(name: "x", values: [1, 2, 3, 4, 5, 6], expectation: 3.3)])
    #expect(near(result.adjusted.estimate, 7.57695238, 1e-8))
    #expect(near(result.coefficients[0], 1.94857143, 1e-8))
    #expect(near(result.adjusted.halfWidth, 0.21881155485661863))
    #expect(near(result.plain.halfWidth, 3.829888972464488))
    #expect(near(result.gain, 306.3598609352155))
    #expect(near(result.expectationScores[0], 0.26186146828319107))
    #expect(result.adjusted.count == 6)
    #expect(result.helps)
  }

  @Test("An output that is a straight line in its controls has no error left")
  func exactFit() throws {
    var stream = repetitionStream(0, purpose: 2)
    let x = (0..<30).map { _ in 1e6 + stream.normal() }
    let y = (0..<30).map { _ in stream.exponential(mean: 2) }
    let output = zip(x, y).map { 5 + 2 * $0 - 3 * $1 }
    let result = try ControlVariate(
      output: output,
      controls: [
        Control(name: "x", values: x, expectation: 1e6),
        Control(name: "y", values: y, expectation: 2),
      ])
    #expect(near(result.adjusted.estimate, 5 + 2e6 - 6, 1e-9))
    #expect(near(result.coefficients[0], 2, 1e-6))
    #expect(near(result.coefficients[1], -3, 1e-6))
    #expect(result.helps)
  }

  @Test("The gain is 1 / (1 − ρ²) for a control of correlation ρ, and below 1 for noise")
  func gains() throws {
    for (rho, expected) in [(0.9, 5.26), (0.0, 1.0)] {
      var gains = Tally()
      var helped = 0
      for repetition in 0..<200 {
        var stream = repetitionStream(repetition, purpose: 3)
        var x: [Double] = []
        var y: [Double] = []
        for _ in 0..<100 {
          let common = stream.normal()
          x.append(common)
          y.append(rho * common + (1 - rho * rho).squareRoot() * stream.normal())
        }
        let result = try ControlVariate(
          output: y, controls: [Control(name: "x", values: x, expectation: 0)])
        try gains.add(result.gain ?? 0)
        if result.helps { helped += 1 }
      }
      #expect(abs((gains.mean ?? 0) - expected) < 0.06 * expected)
      if rho == 0 { #expect(helped < 100, "noise must seem to help in fewer than half the cases") }
    }
  }

  @Test("A wrong expectation shows in its score")
  func wrongExpectation() throws {
    var stream = repetitionStream(0, purpose: 4)
    let x = (0..<100).map { _ in stream.normal() }
    let result = try ControlVariate(
      output: x.map { $0 + 1 }, controls: [Control(name: "x", values: x, expectation: 5)])
    #expect(abs(result.expectationScores[0]) > 40)
  }

  @Test("Controls that are constant, alike, too many or of another length are refused")
  func controlRefusals() {
    let y = [1.0, 2, 4, 3, 5]
    let x = [1.0, 3, 2, 5, 4]
    func control(_ values: [Double], _ expectation: Double = 3) -> Control {
      Control(name: "x", values: values, expectation: expectation)
    }
    #expect(throws: StatisticsError.noVariation(name: "x")) {
      try ControlVariate(output: y, controls: [control([2, 2, 2, 2, 2])])
    }
    #expect(throws: StatisticsError.collinearControls) {
      try ControlVariate(output: y, controls: [control(x), control(x.map { 2 * $0 })])
    }
    #expect(throws: StatisticsError.lengths(name: "x", count: 1, needed: 5)) {
      try ControlVariate(output: y, controls: [control([1])])
    }
    #expect(throws: StatisticsError.estimator(.tooFew(count: 3, needed: 4))) {
      try ControlVariate(output: [1, 2, 3], controls: [control([1, 3, 2])])
    }
    #expect(throws: StatisticsError.self) { try ControlVariate(output: y, controls: []) }
    #expect(throws: StatisticsError.self) {
      try ControlVariate(output: y, controls: [control(x, .infinity)])
    }
    #expect(throws: StatisticsError.self) {
      try ControlVariate(output: [1, 2, .nan, 3, 5], controls: [control(x)])
    }
    #expect(throws: StatisticsError.self) {
      try ControlVariate(output: y, controls: [control(x)], level: 1)
    }
  }

  @Test("Antithetic pairs equal the t interval of the pair means; gain = 1 / (1 + ρ)")
  func antitheticAlgebra() throws {
    let pairs = try AntitheticPairs(first: [1, 2, 4, 7], second: [6, 5, 2, 1])
    var means = Tally()
    for mean in [3.5, 3.5, 3.0, 4.0] { try means.add(mean) }
    #expect(pairs.interval == (try means.interval()))
    #expect(pairs.helps)
    #expect((pairs.correlation ?? 0) < -0.9)
    // With equal variances the two formulas of the gain agree exactly.
    let even = try AntitheticPairs(first: [1, 2, 3, 4], second: [4, 2, 3, 1])
    #expect(near(even.gain, 1 / (1 + (even.correlation ?? 0))))
  }

  @Test("Pairs help a monotone model and harm a symmetric one")
  func antitheticModels() throws {
    var first: [[Double]] = [[], []]
    var second = first
    var stream = repetitionStream(0, purpose: 5)
    for _ in 0..<2_000 {
      let u = stream.uniform()
      let v = 1 - u
      first[0].append(u * u * u)
      second[0].append(v * v * v)
      first[1].append((u - 0.5) * (u - 0.5))
      second[1].append((v - 0.5) * (v - 0.5))
    }
    let monotone = try AntitheticPairs(first: first[0], second: second[0])
    #expect(monotone.helps)
    #expect(monotone.interval.contains(0.25))
    // Cov(u³, (1 − u)³) = B(4, 4) − 1/16 = 1/140 − 1/16; Var u³ = 1/7 − 1/16.
    let rho = (1.0 / 140 - 1.0 / 16) / (1.0 / 7 - 1.0 / 16)
    #expect(near(monotone.gain, 1 / (1 + rho), 0.1))
    let symmetric = try AntitheticPairs(first: first[1], second: second[1])
    #expect(!symmetric.helps)
    #expect(near(symmetric.gain, 0.5, 1e-9))
  }

  @Test("A straight line leaves nothing to chance; constants gain nothing")
  func antitheticDegenerate() throws {
    let line = try AntitheticPairs(first: [0.25, 0.5], second: [0.75, 0.5])
    #expect(line.interval.halfWidth == 0)
    #expect(line.gain == nil)
    #expect(line.helps)
    let constant = try AntitheticPairs(first: [3, 3], second: [3, 3])
    #expect(!constant.helps)
  }

  @Test("Pairs of unequal number, single pairs and values that are not finite are refused")
  func antitheticRefusals() {
    #expect(throws: StatisticsError.lengths(name: "second", count: 1, needed: 2)) {
      try AntitheticPairs(first: [1, 2], second: [1])
    }
    #expect(throws: StatisticsError.self) { try AntitheticPairs(first: [1], second: [1]) }
    #expect(throws: StatisticsError.self) {
      try AntitheticPairs(first: [1, .nan], second: [1, 2])
    }
  }
}
