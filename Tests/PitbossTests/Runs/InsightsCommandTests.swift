// Goal: `pitboss insights` shows any day of a finished run from its folder alone, and refuses what
// it cannot show with the promised exit codes.
// Method: the real program on a scenario of the repository at reduced size; figures against the
// run's own exports.

import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct InsightsCommandTests {
  private static let pages = ["overview", "treasury", "systems", "comps", "partners", "feed"]

  /// The files of a run of 100 days; every test has them on a bench of its own.
  private static let launch = Result {
    let root = Checkout.root
    let bench = try Workbench()
    let run = try bench.run(
      "run", root.appendingPathComponent("Scenarios/launch-year.yaml").path, "--set",
      "population.members=1500", "--set", "calendar.days=100", "--out", "Results/launch",
      "--plotly", "cdn")
    #expect(run.code == 0 || run.code == 99, "\(run.errors)")
    return try bench.files(below: "Results/launch")
  }

  /// A bench with that run in Results/launch.
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.put(Self.launch.get())
    return bench
  }

  private func data(_ text: String) throws -> (page: [String: Any], data: [String: Any]) {
    let page = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    return (page, try #require(page["data"] as? [String: Any]))
  }

  @Test func everyPageIsShownForPeopleAndForPrograms() throws {
    let bench = try bench()
    for page in Self.pages {
      let text = try bench.run("insights", "Results/launch", page, "--at", "2026-03-01")
      #expect(text.code == 0, "\(text.errors)")
      #expect(text.errors.isEmpty)
      #expect(text.output.contains("of launch-year\nas of the end of 2026-03-01"))
      #expect(!text.output.contains("\u{1B}"))
      let json = try bench.run("insights", "launch", page, "--format", "json")
      #expect(json.code == 0)
      let document = try data(json.output).page
      #expect(document["page"] as? String == page)
      #expect((document["as_of"] as? [String: Any])?["date"] as? String == "2026-04-10")
    }
    let first = try bench.run("insights", "launch", "--at", "2026-03-01")
    let named = try bench.run("insights", "launch", "overview", "--at", "2026-03-01T12:00:00")
    #expect(first.output == named.output)
  }

  @Test("Figures of a day are those of the run's exports up to it")
  func figuresAgreeWithTheExports() throws {
    let bench = try bench()
    let days = try bench.read("Results/launch/daily.csv").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let awards = try bench.read("Results/launch/awards.csv").split(separator: "\n").dropFirst()
    for day in [0, 31, 58, 99] {
      let date = days[day][0]
      let scans = days[...day].reduce(0) { $0 + (Int($1[6]) ?? 0) }
      let overview = try data(
        try bench.run("insights", "launch", "--at", date, "--format", "json").output
      ).data
      let figures = try #require(overview["programme"] as? [String: Any])
      #expect(figures["global_scans"] as? Int == scans)
      #expect(figures["scans_today"] as? Int == Int(days[day][6]))
      let comps = try data(
        try bench.run("insights", "launch", "comps", "--at", date, "--format", "json").output
      ).data
      let prizes = try #require(comps["prizes"] as? [[String: Any]])
      // New York is five hours behind until 8 March and four hours from then on.
      let end = day + 1 < 100 ? days[day + 1][0] + (day < 66 ? "T05" : "T04") : "9999"
      let won = awards.count { row in
        row.split(separator: ",")[1] == "Crypto $100" && row.split(separator: ",")[6] < end
      }
      #expect(prizes[0]["awarded"] as? Int == won)
    }
  }

  @Test func whatCannotBeShownIsRefused() throws {
    let bench = try bench()
    let outside = try bench.run("insights", "launch", "--at", "2026-04-11")
    #expect(outside.code == 65)
    #expect(outside.output.isEmpty)
    #expect(
      outside.errors.contains(
        "launch: 2026-04-11 is outside the run, which covers 2026-01-01 to 2026-04-10"),
      "\(outside.errors)")
    let malformed = try bench.run("insights", "launch", "--at", "tomorrow")
    #expect(malformed.code == 64)
    #expect(malformed.errors.contains("'tomorrow' is neither a date nor a time"))
    #expect(try bench.run("insights", "launch", "casino").code == 64)
    #expect(try bench.run("insights").code == 64)
    #expect(try bench.run("insights", "launch", "--format", "xml").code == 64)
    let missing = try bench.run("insights", "nowhere")
    #expect(missing.code == 74)
    #expect(missing.errors.contains("nowhere: no such folder; give a run folder"))
  }

  @Test func environmentChoosesTheFormatAndAFlagOverridesIt() throws {
    let bench = try bench()
    let json = try bench.run("insights", "launch", environment: ["PITBOSS_FORMAT": "json"])
    #expect(json.output.hasPrefix("{"))
    let text = try bench.run(
      "insights", "launch", "--format", "text", environment: ["PITBOSS_FORMAT": "json"])
    #expect(text.output.hasPrefix("Overview of launch-year"))
    #expect(try bench.run("insights", "launch", environment: ["PITBOSS_FORMAT": "x"]).code == 64)
  }

  @Test func schemaDescribesThePages() throws {
    let bench = try Workbench()
    let schema = try bench.run("schema", "insights")
    #expect(schema.code == 0)
    let value = try JSONSerialization.jsonObject(with: Data(schema.output.utf8))
    let pages = try #require((value as? [String: Any])?["$defs"] as? [String: Any])
    #expect(pages.keys.sorted() == Self.pages.sorted())
    let summary = try bench.run("schema", "summary")
    #expect(summary.output == (try bench.run("schema").output))
    #expect(try bench.run("schema", "weather").code == 64)
  }
}
