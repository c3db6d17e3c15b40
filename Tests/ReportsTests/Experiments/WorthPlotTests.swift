import BlakJaks
// Goal: what a plot says of a member is the group's sum over its mean number of members, and no
// percentile is told of runs that are too few for it.
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
    let worth = try worth(pairs: 4)
    let page = page(worth)
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

  @Test("What covers 95 of 100 runs is told of twenty runs and more", arguments: [2, 20])
  func cash(pairs: Int) throws {
    let worth = try worth(pairs: pairs)
    let few = "cover what is owed and its network fees in each of the 2 runs, which are too few"
    let many = "cover what is owed and its network fees in 95 of 100 runs"
    for text in [
      page(worth), WorthText.text(worth, nil, words, folder: "f", colour: false),
    ] {
      let text = text.replacing("\n", with: " ")
      #expect(text.contains(few) == (pairs == 2) && text.contains(many) == (pairs == 20))
      #expect(text.contains("does not fall below 0 again until the run"))
      // Members do the same without rewards, so that nothing is added in any pair.
      #expect(text.contains("in every pair: the difference is the same in all pairs"))
      #expect(!text.contains(" 0.00  0.00 "))
      #expect(text.contains("(P95)") == (pairs == 20) && text.contains("(P5)") == (pairs == 20))
    }
    let most = pairs == 2 ? "84.2 %" : "16.8 %"
    let cash = try #require(worth.cash.first { $0.short.estimate == 0 })
    #expect(page(worth).contains("none of \(pairs) runs (up to \(most))"), "\(cash.title)")
    let json = WorthFiles.json(worth, nil, words)
    #expect(json.contains("\"short_share_high\": 0.\(pairs == 2 ? "84" : "16")"))
    #expect(json.contains("\"cash_percentile\": \(pairs == 2 ? "null" : "95")"))
  }

  private let words = WorthText.Words(scenario: "s", response: "r", currency: "USDT")

  private func page(_ worth: RewardWorth) -> String {
    WorthPage.html(worth, nil, words, plotly: .cdn, source: nil)
  }

  private func worth(pairs count: Int) throws -> RewardWorth {
    let with = try scenario([])
    let without = try scenario(try #require(with.withoutRewards).settings)
    let runners = (
      ReplicationRunner(try with.plan(), threads: 1),
      ReplicationRunner(try without.plan(), threads: 1)
    )
    let pairs = try #require(
      try WorthRunner(with: runners.0, without: runners.1, keepsMembers: true).run(0..<count))
    return try RewardWorth(
      pairs, dates: runners.0.plan.frame.calendar.dates.map(\.description), settings: [])
  }

  private func scenario(_ overrides: [(path: String, value: String)]) throws -> Scenario {
    try Scenario.load(
      text: "name: few\nseed: 7\npopulation: {members: 12}\ncalendar: {days: 40}\n",
      file: "few.yaml",
      overrides: overrides.map { SettingOverride(argument: "\($0.path)=\($0.value)") })
  }
}
