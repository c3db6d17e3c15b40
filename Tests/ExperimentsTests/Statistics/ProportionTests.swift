// Goal: intervals of a proportion are the published ones and refuse what is no proportion.
// Method: values of scipy.stats.binomtest (1.17.1); the exact interval against the binomial sums
// that define it.
import CGSL
import EventKernel
import Experiments
import Testing

@Suite struct ProportionTests {
  struct Case: Sendable {
    let successes: Int
    let trials: Int
    let wilson: (Double, Double)
    let exact: (Double, Double)
  }

  static let published = [
    Case(
      successes: 0, trials: 10, wilson: (0, 0.27753279986288926), exact: (0, 0.30849710781876294)),
    Case(
      successes: 10, trials: 10, wilson: (0.7224672001371109, 1), exact: (0.6915028921812371, 1)),
    Case(
      successes: 5, trials: 100, wilson: (0.021543679154367973, 0.11175046923191914),
      exact: (0.016431879181728278, 0.11283491110546288)),
    Case(
      successes: 13, trials: 200, wilson: (0.03837635464915297, 0.10801907929906894),
      exact: (0.03506070865698193, 0.10858723650381787)),
    Case(
      successes: 1, trials: 3, wilson: (0.06149194472039626, 0.7923403991979523),
      exact: (0.008403758659612647, 0.9057006759492866)),
    Case(
      successes: 250, trials: 10_000, wilson: (0.02211756158552442, 0.02824723686661834),
      exact: (0.022028967353280905, 0.028251857385923163)),
  ]

  @Test("Wilson's and the exact interval equal scipy's", arguments: published)
  func againstSciPy(example: Case) throws {
    let proportion = try Proportion(successes: example.successes, trials: example.trials)
    let wilson = try proportion.wilson()
    #expect(near(wilson.low, example.wilson.0))
    #expect(near(wilson.high, example.wilson.1))
    let exact = try proportion.exact()
    #expect(near(exact.low, example.exact.0, 1e-8))
    #expect(near(exact.high, example.exact.1, 1e-8))
    #expect(wilson.estimate == proportion.share)
    #expect(wilson.count == example.trials)
  }

  @Test("At the exact ends the binomial tails are half of 1 − level", arguments: 1..<40)
  func exactByDefinition(successes: Int) throws {
    let exact = try Proportion(successes: successes, trials: 40).exact(level: 0.9)
    let k = UInt32(successes)
    #expect(near(gsl_cdf_binomial_Q(k - 1, exact.low ?? 0, 40), 0.05, 1e-6))
    #expect(near(gsl_cdf_binomial_P(k, exact.high ?? 0, 40), 0.05, 1e-6))
  }

  @Test("The exact interval has a root for every count and size")
  func exactAlwaysAnswers() throws {
    for trials in [1, 2, 7, 50, 200, 1_000, 20_000, 1_000_000] {
      for successes in stride(from: 0, through: trials, by: max(1, trials / 40)) {
        for level in [0.5, 0.95, 0.999] {
          let interval = try Proportion(successes: successes, trials: trials).exact(level: level)
          let wilson = try Proportion(successes: successes, trials: trials).wilson(level: level)
          #expect(interval.contains(interval.estimate))
          // Two intervals of the same thing overlap, and agree when there are many trials.
          let width = (wilson.halfWidth ?? 0) + 4 / Double(trials)
          #expect(abs((interval.low ?? -1) - (wilson.low ?? 2)) < width)
          #expect(abs((interval.high ?? -1) - (wilson.high ?? 2)) < width)
        }
      }
    }
  }

  @Test("Outcomes are counted")
  func counting() throws {
    let proportion = try Proportion([true, false, false, true])
    #expect(proportion == (try Proportion(successes: 2, trials: 4)))
  }

  @Test("No trials, too many successes and a level out of range are refused")
  func refusals() throws {
    #expect(throws: EstimatorError.tooFew(count: 0, needed: 1)) { try Proportion([]) }
    #expect(throws: EstimatorError.badParameter(name: "successes", value: 5)) {
      try Proportion(successes: 5, trials: 4)
    }
    #expect(throws: EstimatorError.badParameter(name: "successes", value: -1)) {
      try Proportion(successes: -1, trials: 4)
    }
    let proportion = try Proportion(successes: 1, trials: 4)
    for level in [0, 1, -0.1, 1.5, .nan] {
      #expect(throws: EstimatorError.self) { try proportion.wilson(level: level) }
      #expect(throws: EstimatorError.self) { try proportion.exact(level: level) }
    }
  }
}
