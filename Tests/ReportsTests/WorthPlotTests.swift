import BlakJaks
// Goal: what a plot says of a member is the group's sum over its mean number of members.
// Method: the page of a small world, whose rarest groups are not in every pair.
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import Scenario
import Testing

@Suite struct WorthPlotTests {
  @Test("A group that is not in every pair is not taken for one member")
  func rareGroups() throws {
    let with = try scenario([])
    let without = try scenario(try #require(with.withoutRewards).settings)
    let runners = (
      ReplicationRunner(try with.plan(), threads: 1),
      ReplicationRunner(try without.plan(), threads: 1)
    )
    let pairs = try #require(
      try WorthRunner(with: runners.0, without: runners.1, keepsMembers: true).run(0..<4))
    let worth = try RewardWorth(
      pairs, dates: runners.0.plan.frame.calendar.dates.map(\.description), settings: [])
    let page = WorthPage.html(
      worth, nil, WorthText.Words(scenario: "s", response: "r", currency: "USDT"), plotly: .cdn,
      source: nil)
    let rows = worth.groupings.dropLast().flatMap(\.rows)
    let rare = rows.filter {
      ($0.members ?? 1) < 1 && $0.net.variantMean != $0.net.baselineMean
    }
    #expect(!rare.isEmpty)
    let numbers = page.matches(of: #/-?\d+\.\d+/#).compactMap { Double($0.0) }
    for row in rare {
      let each = (row.net.variantMean - row.net.baselineMean) / (row.members ?? 1)
      #expect(numbers.contains { abs($0 - each) < 1e-9 * abs(each) }, "\(row.label): \(each)")
    }
  }

  private func scenario(_ overrides: [(path: String, value: String)]) throws -> Scenario {
    try Scenario.load(
      text: "name: few\nseed: 7\npopulation: {members: 12}\ncalendar: {days: 40}\n",
      file: "few.yaml",
      overrides: overrides.map { SettingOverride(argument: "\($0.path)=\($0.value)") })
  }
}
