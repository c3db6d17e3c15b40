// Goal: the assumptions that carry an answer are those that move it most, and only what can be varied
// is varied.
// Method: rows made up by hand; candidates of real scenarios.
import BlakJaks
import Experiments
import RewardModel
import Scenario
import Testing

@Suite struct AssumptionRankingTests {
  private let figure = FigureDescription("cost", "Cost", "What it costs.", .money)

  private func row(_ path: String, _ low: Double, _ high: Double) -> AssumptionRanking.Row {
    AssumptionRanking.Row(range: AssumptionRange(path, 0.5, 1.5, ""), low: low, high: high)
  }

  @Test func theThreeThatMoveTheFigureMostCarryIt() {
    let ranking = AssumptionRanking(
      figure: figure, standard: 100, replications: 3,
      rows: [
        row("little", 99, 101), row("down", 60, 90), row("both", 80, 130), row("none", 100, 100),
        row("up", 100, 140),
      ])
    // By the distance from the least to the greatest, the scenario's own included.
    #expect(ranking.rows.map(\.path) == ["both", "down", "up", "little", "none"])
    #expect(ranking.carrying.map(\.path) == ["both", "down", "up"])
    let one = AssumptionRanking(
      figure: figure, standard: 100, replications: 3,
      rows: [row("none", 100, 100), row("up", 100, 140)])
    #expect(one.carrying.map(\.path) == ["up"])
  }

  private func candidates(_ text: String) throws -> [AssumptionRanking.Candidate] {
    let scenario = try Scenario.load(text: text, file: "s.yaml")
    return AssumptionRanking.candidates(scenario.assumptions, scenario) { more in
      (try? Scenario.load(text: text, file: "s.yaml", overrides: more)) != nil
    }
  }

  @Test("Every assumption that a program declares can be varied where it is not 0")
  func defaults() throws {
    let own = try candidates("name: a\n")
    // How members respond is one only where they do.
    let all = BlakJaksProgramme.assumptions
    let responses = all.filter { $0.path.hasPrefix("population.response.") }
    #expect(own.map(\.range) + responses == all && responses.count == 5)
    let responding = try candidates(
      "name: a\npopulation: {response: {purchase: 0.3, scan: 0.1, adoption: 0.2, "
        + "win: {uplift: 0.2}, lapse: 0.1}}\n")
    #expect(responding.map(\.range) == all)
    let purchase = try #require(
      responding.first { $0.range.path == "population.response.purchase" })
    #expect(purchase.ends.map { $0.map { Double($0.value) } } == [[0], [0.6]])
    let tins = try #require(own.first { $0.range.path == "population.tins.per_week" })
    #expect(tins.ends.map { $0.map(\.value) } == [["2.3"], ["2.8"]])
    let embera = try candidates("name: a\nprogramme: embera\n")
    let declared = try Scenario.load(text: "name: a\nprogramme: embera\n", file: "s.yaml")
      .assumptions
    #expect(declared.count > 3 && embera.map(\.range) == declared)
  }

  @Test("A range ends where the setting's bounds do, and says so; no range is no candidate")
  func limits() throws {
    for (value, high) in [("1", 1.0), ("0.8", 1.25), ("0.9", 1.11)] {
      let all = try candidates("name: a\npopulation: {tins: {scanned: \(value)}}\n")
      let scanned = try #require(all.first { $0.range.path == "population.tins.scanned" })
      #expect(scanned.range.low == 0.67 && scanned.range.high == high, "\(scanned.range)")
      let end = try #require(scanned.ends[1].first.flatMap { Double($0.value.dropLast()) })
      #expect(99 < end && end <= 100, "\(end) %")
    }
    let lapsing = try candidates("name: a\npopulation: {response: {lapse: 0.6}}\n")
    let lapse = try #require(lapsing.first { $0.range.path == "population.response.lapse" })
    #expect(lapse.range.low == 0 && lapse.range.high == 1.66)
    let none = try candidates("name: a\npopulation: {referral: {referred: 0}}\n")
    #expect(!none.contains { $0.range.path == "population.referral.referred" })
  }
}
