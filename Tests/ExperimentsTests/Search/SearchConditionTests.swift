import BlakJaks
// Goal: how far a condition is missed has the sign of the verdict, and is the order statistic that
// it is said to be.
// Method: every small sample against counting; the margins of statuses and figures on replications
// written by hand; grains by hand.
import EventKernel
import Experiments
import Quantities
import RewardModel
import Scenario
import Testing

@Suite struct SearchConditionTests {
  @Test(
    "The order statistic stands on the side that counting says",
    arguments: [Objective.Comparison.less, .lessOrEqual, .more, .moreOrEqual])
  func sides(comparison: Objective.Comparison) {
    var stream = repetitionStream(0, purpose: 61)
    var met = 0
    var missed = 0
    for round in 0..<600 {
      let count = 1 + round % 23
      let bound = [0.05, 0.1, 0.25, 0.5, 0.9][round % 5]
      let condition = SearchCondition(
        figure: .probability, comparison: comparison, bound: bound)
      let shift = Double(round % 7) - 3
      let samples = (0..<count).map { _ in
        let margin = stream.normal() + shift / 2
        return ConditionSample(value: margin > 0 ? 1 : 0, margin: margin)
      }
      let excess = condition.excess(samples)
      let events = samples.count { $0.margin > 0 }
      let holds = comparison.holds(Double(events) / Double(count), bound)
      #expect((excess <= 0) == holds, "\(samples) \(bound)")
      #expect(samples.contains { abs($0.margin) == abs(excess) }, "a margin of the sample")
      if holds { met += 1 } else { missed += 1 }
    }
    #expect(met > 50 && missed > 50)
  }

  @Test("Of twenty, one may exceed: the second largest margin says how far there is to go")
  func orderStatistic() {
    let condition = SearchCondition(
      figure: .probability, comparison: .lessOrEqual, bound: 0.05)
    func samples(_ margins: [Double]) -> [ConditionSample] {
      margins.map { ConditionSample(value: $0 > 0 ? 1 : 0, margin: $0) }
    }
    let low = Array(repeating: -3.0, count: 18)
    #expect(condition.excess(samples(low + [9, -0.5])) == -0.5)
    #expect(condition.excess(samples(low + [9, 0.25])) == 0.25)
    let often = SearchCondition(figure: .probability, comparison: .moreOrEqual, bound: 0.1)
    #expect(often.excess(samples(low + [9, -0.5])) == 0.5)
    #expect(often.excess(samples(low + [9, 0.25])) == -0.25)
    // Where the margin disagrees with the event, the event decides and nothing is far.
    let odd = low.map { ConditionSample(value: 1, margin: $0) }
    #expect(condition.excess(odd) == 0)
  }

  @Test("A mean is missed by what it lacks")
  func means() {
    let samples = [1.0, 2, 6].map { ConditionSample(value: $0, margin: 99) }
    for (comparison, bound, excess) in [
      (.lessOrEqual, 2, 1), (.lessOrEqual, 5, -2), (.moreOrEqual, 5, 2), (.moreOrEqual, 1, -2),
      (.less, 3, 0), (.lessOrEqual, 3, 0),
    ] as [(Objective.Comparison, Double, Double)] {
      let condition = SearchCondition(figure: .mean, comparison: comparison, bound: bound)
      #expect(condition.excess(samples) == excess)
    }
  }

  @Test("The margin of a status is the utilization less the bound, and agrees with the event")
  func statuses() throws {
    let health = BudgetHealthRules()
    func sample(_ text: String, _ run: HandmadeRun) throws -> ConditionSample? {
      try readObjective(text).sample(run.replication(), measured)
    }
    func status(_ spend: Int64) -> BudgetStatus? {
      BudgetHealth.status(
        spend: MicroUSDT(microunits: spend), budget: MicroUSDT(microunits: 100), rules: health)
    }
    for spend in [0, 40, 84, 85, 86, 99, 100, 101, 160] as [Int64] {
      let run = HandmadeRun(spend: [40, spend], status: [status(40), status(spend)])
      let share = Double(spend) / 100
      let critical = try #require(try sample("P(critical) <= 0.1", run))
      #expect(near(critical.margin, max(0.4, share) - 1))
      // From 'exceeds' on Critical, from 'reaches' on Warning.
      #expect((critical.value == 1) == (spend > 100) && (critical.margin > 0) == (spend > 100))
      let warning = try #require(try sample("P(warning@2027-01) <= 0.1", run))
      #expect(near(warning.margin, share - 0.85))
      #expect((warning.value == 1) == (spend >= 85))
      if spend != 85 { #expect((warning.margin > 0) == (spend > 85)) }
      let december = try #require(try sample("P(critical@2026-12) <= 0.1", run))
      #expect(near(december.margin, -0.6) && december.value == 0)
    }
    let idle = HandmadeRun(spend: [0, 0], budget: [0, 0], status: [nil, nil])
    #expect(try sample("P(critical) <= 0.1", idle) == ConditionSample(value: 0, margin: -1))
    var strict = health
    strict.critical = BasisPoints(5_000)
    var half = HandmadeRun(spend: [40, 60], status: [.normal, .critical])
    half.health = strict
    let moved = try readObjective("P(critical) <= 0.1").sample(half.replication(), measured)
    #expect(near(moved?.margin, 0.1), "the bound is the scenario's")
  }

  @Test("The margin of a comparison is the distance from its bound, in its direction")
  func comparisons() throws {
    func sample(_ text: String) throws -> ConditionSample? {
      try readObjective(text).sample(HandmadeRun().replication(), measured)
    }
    #expect(
      try sample("P(budget.spend.year > 90) <= 0.1") == ConditionSample(value: 1, margin: 10))
    #expect(
      try sample("P(budget.spend.year < 90) <= 0.1") == ConditionSample(value: 0, margin: -10))
    #expect(
      try sample("p95(budget.spend.year) <= 130") == ConditionSample(value: 0, margin: -30))
    #expect(
      try sample("P(series.payable.shop > 5) <= 0.1") == ConditionSample(value: 0, margin: -5))
    #expect(
      try sample("mean(budget.spend.year) <= 130") == ConditionSample(value: 100, margin: 0))
    #expect(try sample("mean(series.payable.shop) <= 130") == nil)
    #expect(try sample("p95(series.payable.shop) <= 130") == nil)
  }
}
