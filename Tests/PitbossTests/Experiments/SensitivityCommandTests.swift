// Goal: 'pitboss sensitivity' and 'pitboss choose' print and write what their help says, and
// refuse with advice.
// Method: the real program on a scenario of 150 members and 120 days.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SensitivityCommandTests {
  private func scenario(_ bench: Workbench) throws -> String {
    try bench.write(
      "s.yaml", "name: small\npopulation:\n  members: 150\ncalendar:\n  days: 120\n")
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func sensitivityRanksSettings() throws {
    let bench = try Workbench()
    let file = try scenario(bench)
    func run(_ threads: String, _ format: String) throws -> Outcome {
      try bench.run(
        "sensitivity", file, "--vary", "rules.guarantee.amount=*0.5..*1.5", "--vary",
        "rules.scan_reward.base=0.1..0.3", "--figure", "cost_per_scan.scan_reward",
        "--trajectories", "2", "--base", "8", "--out", "out", "--plotly", "cdn", "--threads",
        threads, "--format", format, environment: ["COLUMNS": "60"])
    }
    let text = try run("1", "text")
    #expect(text.code == 0 && text.errors.isEmpty, "\(text.errors)")
    // Only the tables are wider than the terminal.
    let tables = ["Setting ", "rules."]
    for line in text.output.split(separator: "\n") where !tables.contains(where: line.hasPrefix) {
      #expect(line.count <= 60, "\(line)")
    }
    for part in ["Sensitivity of small", "μ*", "Verdict", "no effect", "Total", "Folder     out"] {
      #expect(text.output.contains(part), "\(part)\n\(text.output)")
    }
    let json = try run("2", "json")
    #expect(try bench.names("out") == ["report.html", "sensitivity.json"])
    #expect(try bench.read("out/sensitivity.json") == json.output)
    let page = try bench.read("out/report.html")
    for part in ["plot-tornado", "plot-effects", "plot-spread", "rules.scan_reward.base"] {
      #expect(page.contains(part), "\(part)")
    }
    let answer = try object(json.output)
    #expect(
      answer.keys.sorted() == [
        "base", "figure", "mean", "points", "replications", "scenario", "schema_version", "seed",
        "set", "settings", "standard", "trajectories", "variance",
      ])
    // 1 as it is, 2 × 3 of the screening, 8 × 3 of the one setting that does anything.
    #expect(answer["points"] as? Int == 31)
    let rows = try #require(answer["settings"] as? [[String: Any]])
    #expect(
      rows.map { $0["path"] as? String } == ["rules.scan_reward.base", "rules.guarantee.amount"])
    #expect(rows.map { $0["verdict"] as? String } == ["steady", "no_effect"])
    let total = try #require(rows[0]["total"] as? [String: Any])
    #expect(abs(try #require(total["estimate"] as? Double) - 1) < 0.35)
    #expect(rows[1]["total"] is NSNull)
  }

  @Test func withoutVaryTheStandardSettingsAreVaried() throws {
    let bench = try Workbench()
    let outcome = try bench.run(
      "sensitivity", try scenario(bench), "--trajectories", "2", "--keep", "0", "--plotly", "cdn",
      "--format", "json")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let rows = try #require(try object(outcome.output)["settings"] as? [[String: Any]])
    #expect(rows.count == 8)
    #expect(rows.allSatisfy { $0["total"] is NSNull })
    #expect(
      try bench.names(bench.latest("sensitivity-small-")) == ["report.html", "sensitivity.json"])
  }

  @Test func chooseNamesTheCheapest() throws {
    let bench = try Workbench()
    let file = try scenario(bench)
    func run(_ threads: String, _ format: String, _ more: String...) throws -> Outcome {
      let process = [
        "choose", file, "--with", "rules.scan_reward.base=0.1", "--with",
        "rules.scan_reward.base=0.4; rules.guarantee.enabled=false", "--figure",
        "cost_per_scan.scan_reward", "--indifference", "0.02", "--first", "5", "--out", "out",
        "--threads", threads, "--format", format,
      ]
      let task = bench.process(process + more)
      let pipes = [Pipe(), Pipe()]
      task.standardOutput = pipes[0]
      task.standardError = pipes[1]
      try task.run()
      let said = pipes.map {
        String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }
      task.waitUntilExit()
      return Outcome(code: task.terminationStatus, output: said[0], errors: said[1])
    }
    let text = try run("1", "text")
    #expect(text.code == 0 && text.errors.isEmpty, "\(text.errors)")
    for part in [
      "Chosen     with rules.scan_reward.base=0.1", "95.0 % or more", "Dropped after",
      "with rules.scan_reward.base=0.4, rules.guarantee.enabled=false", "Folder     out",
    ] { #expect(text.output.contains(part), "\(part)\n\(text.output)") }
    let json = try run("2", "json")
    #expect(try bench.read("out/choice.json") == json.output)
    #expect(try bench.names("out") == ["choice.csv", "choice.json", "report.html"])
    let answer = try object(json.output)
    #expect(answer["chosen"] as? String == "with rules.scan_reward.base=0.1")
    #expect(answer["guaranteed"] as? Bool == true)
    #expect(answer["goal"] as? String == "least")
    let rows = try #require(answer["candidates"] as? [[String: Any]])
    #expect(rows.map { $0["name"] as? String }.first == "small")
    // The same scans, each paid half and twice as much.
    let means = try rows.map { try #require($0["mean"] as? Double) }
    for (mean, share) in zip(means, [1, 0.5, 2]) {
      #expect(abs(mean / means[0] - share) < 1e-3)
    }
    let most = try run("2", "json", "--most")
    #expect((try object(most.output)["chosen"] as? String)?.contains("=0.4") == true)
  }

  @Test func aChoiceThatCannotBeSureSaysSo() throws {
    let bench = try Workbench()
    let outcome = try bench.run(
      "choose", try scenario(bench), "--with", "rules.scan_reward.base=0.2001", "--figure",
      "budget.spend.year", "--indifference", "1e-6", "--first", "5", "--limit", "10")
    #expect(outcome.code == 99, "\(outcome.errors)")
    #expect(outcome.output.contains("Unsure") && outcome.output.contains("--limit"))
  }

  @Test(
    "Wrong options are usage, wrong settings bad input",
    arguments: [
      (["sensitivity", "s.yaml", "--figure", "budget.utilization"], 64, "unknown figure"),
      (["sensitivity", "s.yaml", "--vary", "rules.scan_reward.base"], 64, "has no '='"),
      (["sensitivity", "s.yaml", "--vary", "rules.scan_reward.base=1,2"], 64, "takes a range"),
      (
        [
          "sensitivity", "s.yaml", "--vary", "rules.prizes[*].every=*1..*2", "--vary",
          "rules.prizes.Casino.every=100..900",
        ], 64, "every is varied twice"
      ),
      (["sensitivity", "s.yaml", "--vary", "no.such=*1..*2"], 64, "no setting is called"),
      (["sensitivity", "s.yaml", "--vary", "no.such=1..2"], 65, "no.such"),
      (["sensitivity", "s.yaml", "--vary", "rules.scan_reward.base=-1..1"], 65, "scan_reward"),
      (
        [
          "sensitivity", "s.yaml", "--vary", "rules.scan_reward.base=0.1..0.2", "--figure",
          "series.payable.shop",
        ], 64, "has no series.payable.shop"
      ),
      (
        [
          "sensitivity", "s.yaml", "--vary", "rules.scan_reward.base=0.1..0.2", "--set",
          "rules.comp_pool.share=0",
        ], 64, "Error: a run of small has no budget.utilisation.year; give another figure with"
      ),
      (["sensitivity", "s.yaml", "--trajectories", "1"], 64, "--trajectories is 1"),
      (["sensitivity", "s.yaml", "--base", "7"], 64, "--base is 7"),
      (["sensitivity", "s.yaml", "--base", "12"], 64, "a power of two, such as 8 or 16"),
      (["sensitivity", "s.yaml", "--keep", "21"], 64, "--keep is 21"),
      (["choose", "s.yaml", "--figure", "tins.sold", "--indifference", "1"], 64, "one candidate"),
      (
        ["choose", "s.yaml", "s.yaml", "--figure", "tins.sold", "--indifference", "0"], 64,
        "--indifference is '0'"
      ),
      (
        [
          "choose", "s.yaml", "s.yaml", "--figure", "tins.sold", "--indifference", "1",
          "--probability", "0.5",
        ], 64, "--probability is 0.5"
      ),
      (
        [
          "choose", "s.yaml", "--with", "no.such=1", "--figure", "tins.sold", "--indifference", "1",
        ],
        65, "no.such"
      ),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], code: Int32, message: String) throws {
    let bench = try Workbench()
    _ = try scenario(bench)
    let process = bench.process(arguments + ["--out", "none"])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = Pipe()
    try process.run()
    let said = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == code, "\(said)")
    #expect(said.contains(message), "\(said)")
    #expect(try bench.names() == ["s.yaml"])
  }
}
