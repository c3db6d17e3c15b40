import EventKernel
import Experiments
// Goal: what a program adds and costs are means of paired differences with their intervals.
// Method: four pairs of a small world; means, deviations and Student's quantile by hand.
import Foundation
import RewardModel
import Scenario
import Testing

@Suite struct RewardWorthTests {
  /// Student's t at 97.5 % with 3 degrees of freedom, from tables.
  private let quantile = 3.182446

  private func interval(_ values: [Double]) -> (mean: Double, halfWidth: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(values.count - 1)).squareRoot()
    return (mean, quantile * deviation / Double(values.count).squareRoot())
  }

  @Test func monthsAndTheWholeRunAreThoseOfTheirReplications() throws {
    let response = "population.response.purchase=0.4"
    let scenario = try smallScenario(response)
    let removed = try #require(scenario.withoutRewards).settings.map { "\($0.path)=\($0.value)" }
    let plain = try Scenario.load(
      text: "name: small\nseed: 7\npopulation: {members: 120}\ncalendar: {days: 70}\n",
      file: "small.yaml", overrides: ([response] + removed).map { SettingOverride(argument: $0) })
    let with = try #require(try smallRunner(scenario).run(0..<4))
    let without = try #require(try smallRunner(plain).run(0..<4))
    #expect(with.map(\.seed) == without.map(\.seed))
    let worth = try RewardWorth(
      with: with, without: without, settings: ScenarioComparison.differences(scenario, plain))
    #expect(worth.pairs == 4)
    #expect(worth.months.map(\.label) == ["2026-01", "2026-02", "2026-03"])
    #expect(worth.settings.contains { $0.path == "rules.scan_reward.base" && $0.second == "0" })
    func profits(_ runs: [Replication], _ month: Int) -> [Double] {
      runs.map { $0.months[month].profit ?? .nan }
    }
    for month in 0..<3 {
      let added = zip(profits(with, month), profits(without, month)).map { $0 - $1 }
      let (mean, halfWidth) = interval(added)
      let row = worth.months[month]
      #expect(abs(row.profit.difference.mean - mean) < 1e-9)
      #expect(abs(row.profit.difference.halfWidth - halfWidth) < 1e-4 * max(1, halfWidth))
    }
    let costs = try with.figures("cost.total")
    let added = (0..<4).map { run in
      (0..<3).reduce(0) { $0 + profits(with, $1)[run] - profits(without, $1)[run] }
    }
    let net = interval(zip(added, costs).map { $0 - $1 })
    #expect(abs(worth.whole.cost.difference.mean - interval(costs).mean) < 1e-6)
    #expect(abs(worth.whole.net.difference.mean - net.mean) < 1e-6)
    #expect(abs(worth.whole.net.difference.halfWidth - net.halfWidth) < 1e-3)
    #expect(worth.whole.profit.difference.mean > 0)
  }
}
