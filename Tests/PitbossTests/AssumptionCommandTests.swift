// Goal: 'pitboss project --assumptions' says which assumptions carry the cost, everywhere alike, and
// a projection without it says what to run.
// Method: the real program on a small scenario.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct AssumptionCommandTests {
  @Test func theRankingStandsInTextPageAndJSON() throws {
    let bench = try Workbench()
    try bench.write("s.yaml", "name: s\ncalendar: {days: 30}\npopulation: {members: 60}\n")
    let plain = try bench.run(
      "project", "s.yaml", "--replications", "2", "--out", "out", "--plotly", "cdn")
    #expect(plain.code == 0 && plain.output.contains("run the projection with --assumptions"))
    let ranked = try bench.run(
      "project", "s.yaml", "--replications", "2", "--out", "out", "--plotly", "cdn",
      "--assumptions")
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
    #expect(page.contains("Three assumptions carry the answer"))
  }
}
