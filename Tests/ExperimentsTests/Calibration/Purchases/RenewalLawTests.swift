import BlakJaks
// Goal: the expected purchases behind the control variates are those of the models and of the
// world.
// Method: the published means where gaps are exponential; for regular gaps a second computation
// that counts Poisson events in groups of k; and worlds, whose surplus has mean 0.
import EventKernel
import Experiments
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct RenewalLawTests {
  static let laws = [
    PurchaseLaw(model: .bgNbd, r: 0.243, alpha: 4.414, first: 0.793, second: 2.426),
    PurchaseLaw(model: .mbgNbd, r: 1.2, alpha: 2, first: 0.4, second: 16),
    PurchaseLaw(model: .paretoNbd, r: 0.553, alpha: 10.578, first: 0.606, second: 11.669),
  ]

  private func table(
    _ law: PurchaseLaw, shape: Int, factor: Double = 1, weeks: Double = 104
  ) throws -> PurchaseExpectation {
    let nodes = try #require(
      RenewalLaw(law, shape: shape, dropoutFactor: factor).nodes(weeks: weeks))
    return PurchaseExpectation(weeks: weeks, alone: nodes, referred: nodes)
  }

  @Test("With exponential gaps they are the published means", arguments: laws)
  func published(law: PurchaseLaw) throws {
    let table = try table(law, shape: 1)
    for time in [0, 0.001, 0.4, 3, 10, 39, 77.7, 104] {
      let mean = law.mean(time)
      #expect(abs(table.repeats(weeks: time, referred: false) - mean) < 1e-7 * max(mean, 1))
    }
  }

  /// Of a member with rate λ, Poisson events of rate kλ in groups of k are the purchases. N events
  /// in t weeks are negative binomial over members; of the floor(N/k) purchases each counts with
  /// the share that is still there. Without any formula for sums of gaps.
  private func counted(_ law: PurchaseLaw, shape: Int, factor: Double, _ time: Double) -> Double {
    let mixing = (0..<4_000).map { place in
      // Quantiles of Beta by bisection are slow and plain: the midpoint rule over p itself.
      (Double(place) + 0.5) / 4_000
    }
    let logs = mixing.map { (law.first - 1) * log($0) + (law.second - 1) * log1p(-$0) }
    let weight = logs.reduce(0) { $0 + exp($1) }
    func stays(_ chances: Int) -> Double {
      zip(mixing, logs).reduce(0) {
        $0 + exp($1.1) * pow(max(0, 1 - factor * $1.0), Double(chances))
      } / weight
    }
    let odds = Double(shape) * time / law.alpha
    var probability = pow(1 + odds, -law.r)
    var reached = 1.0
    var mean = 0.0
    for event in 0..<2_000 {
      if event > 0, event % shape == 0 {
        let purchase = event / shape
        mean += reached * stays(law.model == .mbgNbd ? purchase : purchase - 1)
      }
      reached -= probability
      probability *= (law.r + Double(event)) / Double(event + 1) * odds / (1 + odds)
      if reached < 1e-9 { break }
    }
    return mean
  }

  @Test(
    "With regular gaps they are those of Poisson events in groups", arguments: [2, 5], [1.0, 0.82])
  func regular(shape: Int, factor: Double) throws {
    // Shapes of Beta above 1, where the plain rule holds.
    for model in [PurchaseModel.bgNbd, .mbgNbd] {
      let law = PurchaseLaw(model: model, r: 1.2, alpha: 2, first: 1.6, second: 9)
      let table = try table(law, shape: shape, factor: factor)
      for time in [0.7, 12] {
        let mean = counted(law, shape: shape, factor: factor, time)
        let got = table.repeats(weeks: time, referred: true)
        #expect(abs(got - mean) < 1e-5 * max(mean, 1), "\(model) t = \(time)")
      }
    }
  }

  /// Lifetimes that end by the clock: with ever more regular gaps a member with rate λ buys at
  /// 1/λ, 2/λ, …; with a shape of 1 at the rate λ throughout. In between, values lie between.
  @Test("Members who leave by the clock buy less the more regular they are")
  func clocked() throws {
    let law = Self.laws[2]
    let means = try [1, 2, 10, 60].map {
      try table(law, shape: $0, factor: 0.9).repeats(weeks: 39, referred: true)
    }
    #expect(means == means.sorted(by: >) && means[3] > 0.5)
    // Mean of floor-counted purchases with fixed gaps, by plain simulation.
    var tally = Tally()
    for entity in 0..<30_000 {
      var stream = RandomStream(seed: 5, purpose: 9_100, entity: UInt64(entity))
      let gap = 1 / stream.gamma(shape: law.r, scale: 1 / law.alpha)
      let rate = 0.9 * stream.gamma(shape: law.first, scale: 1 / law.second)
      let life = stream.standardExponential() / rate
      var now = 0.0
      var bought = 0.0
      while true {
        now += stream.gamma(shape: 2, scale: gap / 2)
        if now > min(life, 39) { break }
        bought += 1
      }
      try tally.add(bought)
    }
    let spread = try #require(tally.standardDeviation) / 30_000.squareRoot()
    let score = (means[1] - (tally.mean ?? 0)) / spread
    #expect(abs(score) < 4, "\(score)")
  }

  @Test("Where sums would be too long, or a spread is beyond GSL, there is no table")
  func refusals() {
    let fast = PurchaseLaw(model: .mbgNbd, r: 1, alpha: 1e-4, first: 1, second: 5)
    #expect(RenewalLaw(fast, shape: 2).nodes(weeks: 52) == nil)
    #expect(RenewalLaw(Self.laws[0], shape: 2).nodes(weeks: 0) == nil)
    let alike = PurchaseLaw(model: .bgNbd, r: 2_000, alpha: 10, first: 1, second: 5)
    #expect(RenewalLaw(alike, shape: 1).nodes(weeks: 52) == nil)
  }

  @Test(
    "A world's purchases and tins lie around their expectation",
    arguments: [
      "population.purchase.erlang=1", "population.purchase.model=pareto_nbd",
      "population.referral.referred=90%", "population.season=none",
    ])
  func worlds(setting: String) throws {
    let scenario = try smallScenario(
      setting, "population.referral.dropout_factor=0.3", "population.purchase.b=3",
      "calendar.window=24h", "calendar.days=21", "population.members=400",
      "population.adoption.model=cohort")
    let runner = try smallRunner(scenario).withControls()
    let done = try #require(try runner.run(0..<24))
    for control in 0..<2 {
      var tally = Tally()
      for replication in done { try tally.add(replication.controls[control]) }
      let spread = try #require(tally.standardDeviation)
      #expect(spread > 1)
      let score = (tally.mean ?? 0) / spread * Double(done.count).squareRoot()
      #expect(abs(score) < 4, "control \(control) of \(setting): \(score)")
    }
    #expect(try smallRunner(scenario).run(0..<1)?.first?.controls == [])
  }
}
