// Goal: 'pitboss project' says which assumptions carry the cost, everywhere alike.
// Method: the real program on a small scenario.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct AssumptionCommandTests {
  @Test func theRankingStandsInTextPageAndJSON() throws {
    let bench = try Workbench()
    try bench.write("s.yaml", "name: s\ncalendar: {days: 30}\npopulation: {members: 60}\n")
    let plain = try bench.run(
      "project", "s.yaml", "--replications", "2", "--out", "out", "--plotly", "cdn",
      "--no-assumptions")
    #expect(plain.code == 0 && plain.output.contains("All settings are taken as certain"))
    #expect(!plain.output.contains("move the cost most"))
    let ranked = try bench.run(
      "project", "s.yaml", "--replications", "2", "--out", "out", "--plotly", "cdn")
    #expect(ranked.code == 0, "\(ranked.errors)")
    struct Answer: Decodable {
      struct Assumptions: Decodable {
        struct Row: Decodable {
          var path: String
          var figureLow: Double
          var figureHigh: Double
        }
        var standard: Double
        var carrying: [String]
        var settings: [Row]
      }
      var assumptions: Assumptions
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let answer = try decoder.decode(
      Answer.self, from: Data(bench.read("out/projection.json").utf8)
    ).assumptions
    #expect(answer.carrying.count == 3 && answer.settings.count == 10)
    #expect(answer.carrying == answer.settings.prefix(3).map(\.path))
    let scanned = try #require(
      answer.settings.first { $0.path == "population.tins.scanned" })
    #expect(scanned.figureLow < answer.standard && answer.standard < scanned.figureHigh)
    let page = try bench.read("out/report.html")
    for path in answer.carrying {
      #expect(ranked.output.contains(path) && page.contains(path))
    }
    #expect(page.contains("Three assumptions move the"))
  }

  @Test func aProjectionIsWrittenThoughAnAssumptionCannotBeRun() throws {
    let bench = try Workbench()
    // A tenth more tins, and their price leaves 64 bits.
    try bench.write(
      "s.yaml",
      """
      name: s
      calendar: {days: 30}
      population: {members: 940}
      economy: {price: 1000000000, gross_profit: 700000000}
      """)
    let outcome = try bench.run(
      "project", "s.yaml", "--replications", "2", "--out", "out", "--plotly", "cdn")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("money overflow") && outcome.errors.contains("replay: pitboss run"))
    #expect(outcome.errors.contains("the projection is complete, but assumptions are not ranked"))
    #expect(try bench.read("out/projection.json").contains("\"assumptions\": null"))
    #expect(try bench.read("out/replications.csv").split(separator: "\n").count == 3)
    #expect(outcome.output.contains("Projection of s.yaml"))
  }

  @Test func anEndOutOfRangeIsTheScenariosOwnValueThoughTheCallSetsIt() throws {
    let bench = try Workbench()
    try bench.write("s.yaml", "name: s\ncalendar: {days: 20}\npopulation: {members: 40}\n")
    let outcome = try bench.run(
      "project", "s.yaml", "--replications", "2", "--out", "out", "--plotly", "cdn", "--set",
      "population.tins.scanned=90%")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try bench.read("out/projection.json").contains("\"path\": \"population.tins.scanned\""))
  }

  @Test func theScenarioOfTheResultsRepeatsThem() throws {
    let bench = try Workbench()
    try bench.write("fit.csv", "population.tins.per_week,population.tins.shape\n2,1\n3,2\n")
    try bench.write(
      "u.yaml",
      """
      name: u
      calendar: {days: 20}
      population: {members: 40}
      uncertain:
        - population.tins.scanned ~ triangular(40 %, 60 %, 80 %)
        - economy.gross_profit ~ uniform(1.2, 2.8)
        - population.tins.per_week, population.tins.shape ~ rows(fit.csv)
      correlated:
        - population.tins.scanned and economy.gross_profit = 0.4
        - economy.gross_profit and population.tins.per_week = 0.2
      """)
    let first = try bench.run(
      "project", "u.yaml", "--replications", "4", "--out", "out", "--plotly", "cdn",
      "--no-assumptions", "--set", "population.tins.scanned=50%")
    #expect(first.code == 0, "\(first.errors)")
    let again = try bench.run(
      "project", "out/scenario.yaml", "--replications", "4", "--out", "again", "--plotly", "cdn",
      "--no-assumptions")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try bench.read("again/replications.csv") == bench.read("out/replications.csv"))
    let text = try bench.read("out/scenario.yaml")
    #expect(text.contains("rows(rows-1.csv)") && !text.contains("triangular"))
    #expect(try bench.read("out/rows-1.csv") == bench.read("fit.csv"))
    // The folder is known as a projection's, which a second one may replace.
    let replaced = try bench.run(
      "project", "u.yaml", "--replications", "4", "--out", "out", "--plotly", "cdn",
      "--no-assumptions")
    #expect(replaced.code == 0, "\(replaced.errors)")
  }

  @Test func whatIsUncertainStandsInTextPageAndFiles() throws {
    let bench = try Workbench()
    try bench.write(
      "u.yaml",
      """
      name: u
      calendar: {days: 30}
      population: {members: 60}
      uncertain:
        - population.tins.scanned ~ triangular(40 %, 60 %, 80 %)
        - economy.gross_profit ~ uniform(1.2, 2.8)
      correlated: ["population.tins.scanned and economy.gross_profit = 0.9"]
      """)
    let outcome = try bench.run(
      "project", "u.yaml", "--replications", "24", "--out", "out", "--plotly", "cdn")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("2 settings are uncertain"), "\(outcome.output)")
    #expect(outcome.output.contains("P95 of its distribution"))
    let together = "Settings that move together each count what they share: the shares of all can"
    #expect(outcome.output.replacing("\n", with: " ").contains(together), "\(outcome.output)")
    let rows = try bench.read("out/replications.csv").split(separator: "\n")
    #expect(rows.count == 25)
    #expect(rows[0].hasSuffix(",population.tins.scanned,economy.gross_profit"))
    let page = try bench.read("out/report.html")
    #expect(page.contains("How sure this is") && page.contains("<p>" + together))
    // Tables of the same columns say in sight what each is about.
    #expect(page.contains("<h3>What explains the spread of cost in all"))
    #expect(try bench.read("out/scenario.yaml").contains("triangular(40 %, 60 %, 80 %)"))
    struct Answer: Decodable {
      struct Uncertainty: Decodable {
        var settings: [String]
        var drawsRepeated: Int
        var sharesOverlap: Bool
      }
      struct Highest: Decodable {
        var seed: UInt64
        var utilisation: Double
        var drawn: [String]
      }
      var uncertainty: Uncertainty
      var highest: [Highest]
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let answer = try decoder.decode(
      Answer.self, from: Data(bench.read("out/projection.json").utf8))
    #expect(answer.uncertainty.settings.count == 2 && answer.uncertainty.drawsRepeated == 20)
    #expect(answer.uncertainty.sharesOverlap)
    // The line that replays the highest replication gives that replication.
    let highest = try #require(answer.highest.first)
    let line = try #require(
      outcome.output.split(separator: "\n").first { $0.hasPrefix("Highest    seed") })
    for setting in highest.drawn { #expect(line.contains(setting)) }
    let again = try bench.run(
      ["run", "u.yaml", "--seed", "\(highest.seed)", "--out", "again"]
        + highest.drawn.flatMap { ["--set", $0] }, environment: [:])
    #expect(again.code == 0, "\(again.errors)")
    let number = try #require(rows.first { $0.contains(",\(highest.seed),") })
    let fingerprint = number.split(separator: ",")[2]
    #expect(try bench.read("again/summary.json").contains(fingerprint))
  }
}
