// Goal: 'pitboss solve' of one setting finds where a condition ends, and says where it does nowhere.
// Method: the real program on small scenarios; the answer against projections of its own.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SolveOneSettingTests: ExperimentCommandSuite {
  @Test("solve finds where a condition ends, and fresh replications agree")
  func solve() throws {
    let bench = try bench()
    try bench.write(
      "short.yaml", "name: short\npopulation: {members: 60}\ncalendar: {days: 45}\n")
    func mean(_ base: String) throws -> Double {
      let outcome = try bench.run(
        "project", "short.yaml", "--replications", "12", "--seed", "77", "--plotly", "cdn", "--out",
        "p", "--set", "rules.scan_reward.base=\(base)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let spend = try rows(bench, "p/replications.csv").compactMap {
        $0["budget.spend.year"].flatMap(Double.init)
      }
      return spend.reduce(0, +) / Double(spend.count)
    }
    let (low, high) = (try mean("0.1"), try mean("0.4"))
    let bound = ((low + high) / 2).rounded()
    let outcome = try bench.run(
      "solve", "short.yaml", "--adjust", "rules.scan_reward.base=0.1..0.4", "--such-that",
      "mean(budget.spend.year) <= \(bound)", "--most", "20", "--tolerance", "0.1", "--plotly",
      "cdn")
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("by fresh seeds"))
    let object = try json(try bench.read(bench.latest("solve-short-") + "/solution.json"))
    let answer = try #require(object["answer"] as? [String: Any])
    #expect(answer["confirmed"] as? Bool == true)
    let settings = try #require(answer["settings"] as? [String])
    #expect(settings.count == 1)
    #expect(outcome.output.contains("--set '\(settings[0])'"))
    let value = try #require(settings[0].split(separator: "=").last.map(String.init))
    // Spend is linear in the reward: half of the rise is half of the range, less what chance and
    // the tolerance take.
    let solved = try #require(Double(value))
    #expect((0.17...0.28).contains(solved), "\(solved)")
    #expect(try mean(value) <= bound * 1.05)
    #expect(try bench.names(bench.latest("solve-short-")) == ["report.html", "solution.json"])
  }

  @Test("solve says where a condition holds nowhere, 99, or at all values tried, which is success")
  func nothingToSolve() throws {
    let bench = try bench()
    for (bound, words, code) in [
      ("<= 1", "holds at none of the ", 99), ("<= 1000000", "holds at all ", 0),
    ] as [(String, String, Int32)] {
      let outcome = try bench.run(
        "solve", "tiny.yaml", "--adjust", "rules.scan_reward.base=0.1..0.4", "--such-that",
        "mean(budget.spend.year) \(bound)", "--most", "10", "--plotly", "cdn", "--set",
        "calendar.days=10")
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect(outcome.output.contains(words), "\(outcome.output)")
      let object = try json(try bench.read(bench.latest("solve-tiny-") + "/solution.json"))
      #expect(object["answer"] is NSNull)
    }
  }
}
