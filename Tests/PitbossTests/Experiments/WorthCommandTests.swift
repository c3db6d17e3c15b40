// Goal: worth says what a program adds and costs, with whom it pays, and where it breaks even.
// Method: the real program on small scenarios; figures of one command against another's.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct WorthCommandTests: ExperimentCommandSuite {
  @Test(
    "Rewards that are uncertain are drawn on the side that has them",
    arguments: ["[*].every ~ * uniform(1, 4)", "[0].every ~ uniform(50, 99)"])
  func uncertainRewards(entry: String) throws {
    let bench = try bench()
    try bench.write(
      "u.yaml",
      "name: u\npopulation: {members: 40}\ncalendar: {days: 20}\nuncertain:\n"
        + "  - rules.prizes\(entry)\n")
    let outcome = try bench.run(
      "worth", "u.yaml", "--replications", "2", "--plotly", "cdn", "--out", "w")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test("worth says what the program adds and what it costs, by month and as a whole")
  func worth() throws {
    let bench = try bench()
    func worth(_ out: String, _ more: String...) throws -> [String: Any] {
      let outcome = try bench.run(
        [
          "worth", "tiny.yaml", "--replications", "4", "--plotly", "cdn", "--out", out, "--format",
          "json",
        ] + more,
        environment: [:])
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(try bench.read("\(out)/worth.json") == outcome.output)
      return try json(outcome.output)
    }
    func amount(_ row: Any?, _ what: String, _ side: String) throws -> Double {
      let row = try #require(row as? [String: Any])
      return try #require((row[what] as? [String: Any])?[side] as? Double)
    }
    let free = try worth("a")
    // The cost is what project finds with the same seeds.
    let project = try bench.run(
      "project", "tiny.yaml", "--replications", "4", "--plotly", "cdn", "--out", "p")
    #expect(project.code == 0)
    let costs = try rows(bench, "p/replications.csv").compactMap { Double($0["cost.total"] ?? "") }
    let mean = costs.reduce(0, +) / 4
    #expect(costs.count == 4 && mean > 0)
    #expect(abs(try amount(free["whole"], "cost", "added") - mean) < 1e-6)
    #expect(try amount(free["whole"], "cost", "without") == 0)
    // Nobody responds: all that it costs is lost.
    #expect(try amount(free["whole"], "gross_profit", "added") == 0)
    #expect(abs(try amount(free["whole"], "net", "added") + mean) < 1e-6)
    // What is the same in every pair has no half-width: it is not known to be exact in others.
    let profit = (free["whole"] as? [String: Any])?["gross_profit"] as? [String: Any]
    #expect(profit?["half_width"] is NSNull && free["cash_percentile"] is NSNull)
    // Members who buy half as often without rewards.
    let paid = try worth("b", "--set", "population.response.purchase=1")
    let added = try amount(paid["whole"], "gross_profit", "added")
    #expect(added > 0)
    let months = try #require(paid["months"] as? [Any])
    #expect(months.count == 3)
    let sum = try months.reduce(0) { $0 + (try amount($1, "gross_profit", "added")) }
    #expect(abs(sum - added) < 1e-6)
    let cost = try amount(paid["whole"], "cost", "added")
    #expect(abs(try amount(paid["whole"], "net", "added") - (added - cost)) < 1e-6)
    let paidProfit = (paid["whole"] as? [String: Any])?["gross_profit"] as? [String: Any]
    #expect((paidProfit?["half_width"] as? Double ?? 0) > 0)
    let table = try rows(bench, "b/worth.csv")
    #expect(table.map { $0["period"] } == ["2026-01", "2026-02", "2026-03", "whole run"])
    #expect(Double(table[3]["gross_profit_added"] ?? "") == added)
    let text = try bench.run("worth", "tiny.yaml", "--replications", "2", "--out", "c")
    for part in [
      "Is tiny worth it?", "whole run", "No: the program costs ",
      "population.response", "Folder     c",
    ] { #expect(text.output.contains(part), "\(part)\n\(text.output)") }
    let yes = try bench.run(
      "worth", "tiny.yaml", "--replications", "3", "--out", "d", "--set",
      "population.response.purchase=5", "--set", "population.response.least=0.01")
    #expect(yes.output.contains("Yes: the program adds"), "\(yes.output)")
    let set = "population.response.purchase=5, population.response.least=0.01"
    #expect(yes.output.contains("Set here   \(set)"), "\(yes.output)")
    #expect(try bench.read("d/report.html").contains("Set here: \(set)"))
    let groups = try rows(bench, "b/groups.csv")
    #expect(Set(groups.compactMap { $0["by"] }).count == 4)
    let cohorts = try rows(bench, "b/cohorts.csv")
    #expect(cohorts.count == 6 && cohorts.allSatisfy { $0["added_value"] != nil })
    #expect(try rows(bench, "b/cash.csv").count == 6 * 3)
    let page = try bench.read("b/report.html")
    for part in [
      "plot-months", "plot-groups", "plot-cohort-added", "plot-cash", "Is tiny worth it?",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    try bench.write("embera.yaml", "name: e\nprogramme: embera\n")
    let other = try bench.run("worth", "embera.yaml")
    #expect(other.code == 64 && other.errors.contains("without rewards"), "\(other.errors)")
  }

  @Test("worth finds how much members may buy without rewards for the program to break even")
  func breakEven() throws {
    let bench = try bench()
    let response = ["--set", "population.response.purchase=1", "--set"]
    let outcome = try bench.run(
      [
        "worth", "tiny.yaml", "--replications", "3", "--most", "20", "--plotly", "cdn", "--out",
        "w",
        "--break-even", "population.response.least=0.01..1",
      ] + response.dropLast(), environment: [:])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      outcome.output.contains("Breaks even at population.response.least="), "\(outcome.output)")
    let answer = try #require(try json(bench.read("w/worth.json"))["break_even"] as? [String: Any])
    #expect(answer["outcome"] as? String == "found")
    #expect(["interval", "estimate"].contains(answer["confirmed_by"] as? String))
    let value = try #require(answer["value"] as? Double)
    let uplift = try #require(answer["uplift"] as? Double)
    #expect(value > 0.01 && value < 1 && uplift > 0)
    #expect(try bench.read("w/report.html").contains("plot-break-even"))
    // On either side of it the program pays, or does not.
    for (factor, isWorth) in [(0.5, true), (1.5, false)] {
      let at = try bench.run(
        [
          "worth", "tiny.yaml", "--replications", "20", "--plotly", "cdn", "--out", "x", "--format",
          "json",
        ]
          + response + ["population.response.least=\(value * factor)"], environment: [:])
      let whole = try #require(try json(at.output)["whole"] as? [String: Any])
      let net = try #require((whole["net"] as? [String: Any])?["added"] as? Double)
      #expect((net > 0) == isWorth, "\(factor): \(net)")
    }
    // Factors stay factors, beside what they come to; and what does nothing is said.
    let factor = try bench.run(
      [
        "worth", "tiny.yaml", "--replications", "2", "--plotly", "cdn", "--out", "f",
        "--break-even", "population.response.least=*0.02..*2",
      ] + response.dropLast(), environment: [:])
    #expect(
      factor.output.contains(/Breaks even at × [0-9.]+ \(population\.response\.least=/),
      "\(factor.output)\(factor.errors)")
    let same = try #require(try json(bench.read("f/worth.json"))["break_even"] as? [String: Any])
    #expect(same["is_factor"] as? Bool == true && answer["is_factor"] as? Bool == false)
    let other = try #require(same["value"] as? Double)
    #expect(abs(other * 0.5 - value) < 0.1 * value, "\(other) of 0.5 and \(value)")
    let idle = try bench.run(
      "worth", "tiny.yaml", "--replications", "2", "--most", "10", "--plotly", "cdn", "--out", "i",
      "--break-even", "population.response.least=0.01..1")
    #expect(idle.errors.contains("population.response.least does nothing while"), "\(idle.errors)")
    for (asked, code, words) in [
      ("rules.scan_reward.base=0..1", 64, "one of the rewards"),
      ("population.response.least", 64, "lo..hi"),
      ("population.nothing=0..1", 65, "population.nothing"),
    ] {
      let refused = try bench.run("worth", "tiny.yaml", "--break-even", asked, "--out", "r")
      #expect(refused.code == code && refused.errors.contains(words), "\(refused.errors)")
    }
  }
}
