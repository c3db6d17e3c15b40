// Goal: words name a setting as what explains the spread only where it stands out from luck.
// Method: projections with one uncertain setting that does nothing to the cost, and with one that makes it.
import BlakJaks
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import Scenario
import Testing

@Suite struct UncertaintyTextTests {
  private func projection(_ entry: String, _ replications: Int = 12) throws -> Projection {
    let scenario = try Scenario.load(
      text: "name: unsure\npopulation: {members: 80}\ncalendar: {days: 40}\n"
        + "uncertain: [\"\(entry)\"]\n", file: "u.yaml")
    var runner = ReplicationRunner(try scenario.plan(), threads: 2)
    runner.inputs = try UncertainInputs(scenario)
    let fold = try #require(
      try Projector(runner, target: .replications(replications)).run { _, _ in true })
    return Projection(fold, seed: 1, dates: runner.plan.frame.calendar.dates.map(\.description))
  }

  private func text(_ projection: Projection) -> String {
    ProjectionText.text(
      projection, scenario: "unsure", overrides: "", folder: nil, colour: false)
  }

  @Test("A setting that explains nothing is not said to explain the most")
  func nothing() throws {
    let idle = try projection("population.shop.abandoned ~ uniform(10 %, 90 %)")
    let influence = try #require(idle.spreads.first?.influences.first)
    #expect(influence.share.low == 0 && influence.share.estimate > 0)
    let words = text(idle)
    #expect(words.contains("No setting alone stands out from luck."), "\(words)")
    #expect(!words.contains("What explains most"))
    let page = ProjectionPage.html(
      idle, scenario: "unsure", description: "", settings: [], plotly: .cdn, source: nil)
    let count = influence.share.count
    let luck = String(Int((100 / Double(count - 1)).rounded()))
    #expect(page.contains("In \(count) draws a setting that explains nothing still shows about"))
    #expect(page.contains("about \(luck)\u{A0}%, so shares may add up to more than 100\u{A0}%."))
  }

  @Test("What was drawn for a replication stands beside its seed, as flags that replay it")
  func replays() throws {
    let projection = try projection("population.tins.scanned ~ uniform(5 %, 95 %)")
    let worst = try #require(projection.highest.first)
    let flags = ShellText.flags(worst.drawn)
    #expect(flags.contains("population.tins.scanned="))
    let page = ProjectionPage.html(
      projection, scenario: "unsure", description: "", settings: [], plotly: .cdn, source: nil)
    let table = try PageTable("Replications", in: page)
    #expect(
      table.rows.first == ["Replication", "Seed", "Utilized", "Drawn, as flags of pitboss run"])
    #expect(
      table.rows.dropFirst().map { $0[3] }
        == projection.highest.map { ShellText.flags($0.drawn).trimmingCharacters(in: .whitespaces) }
    )
    let words = ProjectionText.text(
      projection, scenario: "our plans/unsure.yaml", overrides: " --set seed=3", folder: nil,
      colour: false)
    let replay = "pitboss run 'our plans/unsure.yaml' --seed \(worst.seed)\(flags) --set seed=3"
    #expect(words.contains(replay), "\(words)")
  }

  @Test("A setting that makes the spread is named with its share")
  func most() throws {
    let words = text(try projection("population.tins.scanned ~ uniform(5 %, 95 %)"))
    #expect(words.contains("What explains most: population.tins.scanned ("), "\(words)")
    #expect(!words.contains("No setting alone"))
  }

  @Test("A share above that of all settings together has its interval beside it, others have none")
  func moreThanAll() throws {
    for replications in [8, 24] {
      let projection = try projection(
        "population.tins.scanned ~ uniform(5 %, 95 %)", replications)
      let spread = try #require(projection.spreads.first)
      let share = try #require(spread.influences.first?.share)
      let isMore = share.estimate > spread.parts.share.estimate
      let words = text(projection).replacing("\u{A0}", with: " ").replacing("\n", with: " ")
      guard words.contains("What explains most: population.tins.scanned (") else { continue }
      let interval = words.contains(#/scanned \([0-9.>]+ %, [0-9.]+ % to [0-9.>]+ %\)/#)
      #expect(interval == isMore, "\(replications): \(words)")
    }
  }
}
