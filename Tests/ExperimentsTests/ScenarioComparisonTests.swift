// Goal: two scenarios differ where their rules do and nowhere else.
// Method: replications of small worlds that share their seeds; one rule changed at a time.
import EventKernel
import Experiments
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ScenarioComparisonTests {
  private func compare(
    _ a: Scenario, _ b: Scenario, pairs: Int = 6
  ) throws -> ScenarioComparison {
    let runs = try [a, b].map { scenario in
      try #require(try smallRunner(scenario).seeded(a.seed).run(0..<pairs))
    }
    return try ScenarioComparison(
      runs[0], runs[1], measured: measured,
      settings: ScenarioComparison.differences(a, b))
  }

  @Test("A scenario does not differ from itself, whatever seed the second one names")
  func identity() throws {
    let comparison = try compare(try smallScenario(), try smallScenario("seed=99"))
    #expect(comparison.pairs == 6)
    #expect(comparison.rows.count > 20)
    for row in comparison.rows {
      #expect(row.verdict == .identical, "\(row.name)")
      #expect(row.pair.difference.mean == 0 && row.halfWidth == 0)
      #expect(row.pair.varianceReduction == nil)
    }
    #expect(comparison.settings.isEmpty, "the first one's seed is taken: \(comparison.settings)")
  }

  @Test("A lower reward spends less, precisely, and sells as much")
  func lower() throws {
    let comparison = try compare(
      try smallScenario(), try smallScenario("rules.scan_reward.base=0.15"))
    let spend = try #require(comparison.rows.first { $0.name == "budget.spend.year" })
    #expect(spend.verdict == .lower && spend.figure.unit == .money)
    #expect(spend.pair.decreases == 6)
    #expect(try #require(spend.pair.varianceReduction) > 1)
    #expect(spend.halfWidth > spend.pair.difference.halfWidth, "widened for the family")
    let scans = try #require(comparison.rows.first { $0.name == "scans.accepted" })
    #expect(scans.verdict == .identical)
    #expect(comparison.settings.map(\.path) == ["rules.scan_reward.base"])
    #expect(comparison.settings.first?.first == "0.2")
    #expect(comparison.settings.first?.second == "0.15")
  }

  @Test("Settings that only one side has are named, names and seeds are not")
  func differences() throws {
    let a = try smallScenario()
    let b = try smallScenario(
      "name=other", "seed=9",
      "rules.prizes=[{name: One, kind: trip, amount: 5, every: 10}]")
    let differences = ScenarioComparison.differences(a, b)
    #expect(!differences.contains { ["name", "seed"].contains($0.path) })
    let gone = try #require(differences.first { $0.path == "rules.prizes[4].every" })
    #expect(gone.second == "–" && gone.first != "–")
    let back = ScenarioComparison.differences(b, a)
    #expect(back.count == differences.count)
    #expect(try #require(back.first { $0.path == "rules.prizes[4].every" }).first == "–")
  }

  @Test("What a side draws is told by its distribution, and not by the value that it leaves out")
  func drawn() throws {
    let text = """
      name: open
      population: {members: 120}
      uncertain:
        - rules.guarantee.amount ~ uniform(0, 40)
        - population.tins.per_week ~ * uniform(0.5, 2)
      """
    func scenario(_ more: String...) throws -> Scenario {
      try Scenario.load(
        text: text, file: "open.yaml", overrides: more.map { SettingOverride(argument: $0) })
    }
    let open = try scenario()
    #expect(ScenarioComparison.differences(open, open).isEmpty)
    let rows = ScenarioComparison.differences(
      open, try scenario("rules.guarantee.amount=20", "population.tins.per_week=3"))
    let told = Dictionary(uniqueKeysWithValues: rows.map { ($0.path, [$0.first, $0.second]) })
    #expect(told["rules.guarantee.amount"] == ["uniform(0, 40)", "20"])
    let own = try #require(open.settings.first { $0.path == "population.tins.per_week" }).valueText
    #expect(told["population.tins.per_week"]?.first == "\(own) * uniform(0.5, 2)")
    #expect(told["population.tins.per_week"]?.last != own)
  }

  @Test("Fewer than two pairs compare nothing")
  func tooFew() throws {
    #expect(throws: StatisticsError.self) {
      try self.compare(try smallScenario(), try smallScenario(), pairs: 1)
    }
  }
}
