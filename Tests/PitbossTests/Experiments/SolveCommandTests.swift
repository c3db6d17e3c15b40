// Goal: 'pitboss solve' with several settings or an objective prints and writes what its help says,
// whatever the number of threads, and refuses with advice before anything runs.
// Method: the real program on a scenario of 40 members and 9 days, in which spend is the scans
// times the reward, so that the best settings are known.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SolveCommandTests {
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    try bench.write(
      "s.yaml", "name: small\npopulation: {members: 40}\ncalendar: {days: 9}\n")
    return bench
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Runs the program with arguments that are made at run time.
  private func run(_ bench: Workbench, _ arguments: [String]) throws -> Outcome {
    let process = bench.process(arguments)
    let pipes = [Pipe(), Pipe()]
    process.standardOutput = pipes[0]
    process.standardError = pipes[1]
    try process.run()
    let said = pipes.map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Outcome(code: process.terminationStatus, output: said[0], errors: said[1])
  }

  @Test("Two settings: the most generous point, the same for any number of threads")
  func mostGenerous() throws {
    let bench = try bench()
    // Scans cost what the reward says; the cap binds below the range's end, and sign-ups add to it.
    func solve(_ more: String...) throws -> Outcome {
      try run(
        bench,
        [
          "solve", "s.yaml", "--adjust", "rules.scan_reward.base=0.1..0.9", "--adjust",
          "population.tins.per_week=*0.5..*1", "--such-that",
          "mean(cost_per_scan.scan_reward) <= 0.5",
          "--points", "22", "--most", "10", "--tolerance", "0.2", "--plotly", "cdn", "--out", "out",
        ] + more)
    }
    let text = try solve("--threads", "1")
    #expect(text.code == 0 && text.errors.isEmpty, "\(text.output)\(text.errors)")
    for part in [
      "Most generous: highest payouts, with mean(cost_per_scan.scan_reward) <= 0.5",
      "Payouts of all",
      "holds", "by fresh seeds, intervals at 98.8 %", "Spent      ", "Folder     out",
    ] { #expect(text.output.contains(part), "\(part)\n\(text.output)") }
    #expect(try bench.names("out") == ["report.html", "solution.json"])
    let written = try bench.read("out/solution.json")
    let json = try solve("--threads", "2", "--format", "json")
    #expect(json.output == written)
    #expect(try bench.read("out/solution.json") == written)
    let solution = try object(written)
    #expect(
      solution.keys.sorted() == [
        "adjusted", "answer", "cache_hits", "conditions", "left_early", "objective", "outcome",
        "points", "present", "replications_spent", "schema_version", "set", "tightenings",
      ])
    #expect(solution["outcome"] as? String == "found")
    let goal = try #require(solution["objective"] as? [String: Any])
    #expect(goal["figure"] as? String == "payouts.total" && goal["assumed"] as? Bool == true)
    let adjusted = try #require(solution["adjusted"] as? [[String: Any]])
    // The more is bought, the more is paid; the reward stops at the condition.
    let reward = try #require(adjusted[0]["value"] as? Double)
    #expect((0.35...0.5).contains(reward), "\(reward)")
    #expect(adjusted[0]["at_end"] is NSNull && adjusted[0]["present"] as? String == "0.2")
    #expect(adjusted[1]["value"] as? Double == 1 && adjusted[1]["at_end"] as? String == "high")
    #expect(text.output.contains("at the high end of its range"))
    let points = try #require(solution["points"] as? [[String: Any]])
    let answer = try #require(solution["answer"] as? [String: Any])
    let number = try #require(answer["point"] as? Int)
    #expect(points.count <= 22 && points[number]["confirmation"] is [String: Any])
    // What was run, summed up: the scenario as it is, the points, and their confirmations.
    var spent = 10
    for point in points {
      for part in ["figures", "confirmation"] {
        let figures = (point[part] as? [String: Any])?["objective"] as? [String: Any]
        spent += figures?["count"] as? Int ?? 0
      }
    }
    #expect(solution["replications_spent"] as? Int == spent)
    // The lines that repeat it do: the same figure from the same seeds.
    let settings = try #require(answer["settings"] as? [String])
    var arguments = ["project", "s.yaml", "--replications", "10", "--plotly", "cdn", "--out", "p"]
    for setting in settings {
      #expect(text.output.contains("Set        --set '\(setting)'"))
      arguments += ["--set", setting]
    }
    #expect(try run(bench, arguments).code == 0)
    let lines = try bench.read("p/replications.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let column = try #require(lines[0].firstIndex(of: "payouts.total"))
    let payouts = lines.dropFirst().compactMap { Double($0[column]) }
    let figures = try #require(points[number]["figures"] as? [String: Any])
    let told = (figures["objective"] as? [String: Any])?["estimate"] as? Double
    let mean = try #require(told)
    let total: Double = payouts.reduce(0, +)
    #expect(abs(total / 10 - mean) < 1e-6)
  }

  @Test("One setting with an objective: the cheapest, and where nothing holds the least bad")
  func objectives() throws {
    let bench = try bench()
    func solve(_ bound: String, _ more: String...) throws -> Outcome {
      try run(
        bench,
        [
          "solve", "s.yaml", "--adjust", "rules.scan_reward.base=0.1..0.9", "--such-that",
          "mean(cost_per_scan.scan_reward) >= \(bound)", "--such-that", "P(tins.sold > 0) > 0.5",
          "--points", "12", "--most", "10", "--plotly", "cdn", "--set", "calendar.days=5",
        ] + more)
    }
    let cheapest = try solve("0.4", "--minimise", "budget.spend.year")
    #expect(cheapest.code == 0, "\(cheapest.output)\(cheapest.errors)")
    #expect(cheapest.output.contains("Lowest Spend, USDT, with mean(cost_per_scan.scan_reward)"))
    let found = try object(try bench.read(bench.latest("solve-small-") + "/solution.json"))
    let reward = (found["adjusted"] as? [[String: Any]])?.first?["value"] as? Double
    // The first tiers earn the base reward, some members more.
    #expect((0.3...0.43).contains(try #require(reward)), "\(String(describing: reward))")
    let nowhere = try solve("5", "--maximise", "scans.accepted")
    #expect(nowhere.code == 99, "\(nowhere.output)\(nowhere.errors)")
    for part in ["No point tried meets the conditions", "Least bad", "does not hold"] {
      #expect(nowhere.output.contains(part), "\(part)\n\(nowhere.output)")
    }
    let least = try object(try bench.read(bench.latest("solve-small-") + "/solution.json"))
    #expect(least["outcome"] as? String == "nowhere_feasible" && least["answer"] == nil)
    let ends = (least["adjusted"] as? [[String: Any]])?.first
    #expect(ends?["value"] as? Double == 0.9 && ends?["at_end"] as? String == "high")
  }

  @Test("A duration of whole days is solved for in whole days")
  func wholeDays() throws {
    let bench = try bench()
    let outcome = try run(
      bench,
      [
        "solve", "s.yaml", "--adjust", "rules.guarantee.after=5d..20d", "--such-that",
        "mean(payouts.total) >= 150", "--most", "10", "--plotly", "cdn", "--format", "json",
        "--set", "calendar.days=24", "--set", "population.members=20",
      ])
    #expect([0, 99].contains(outcome.code), "\(outcome.errors)")
    let solution = try object(outcome.output)
    #expect(solution["set"] as? [String] == ["calendar.days=24", "population.members=20"])
    let points = try #require(solution["points"] as? [[String: Any]])
    let values = try points.map { try #require($0["value"] as? Double) }
    #expect(values.count >= 4 && values.allSatisfy { $0 == $0.rounded() }, "\(values)")
  }

  private static let reward = ["--adjust", "rules.scan_reward.base=0.1..0.4"]
  private static let prizes = ["--adjust", "rules.prizes[*].every=*1..*2"]
  private static let days = ["--adjust", "calendar.days=1..9"]
  private static let february = [
    "--set", "calendar.start=2026-01-30", "--such-that", "P(critical@2026-02) <= 0.5",
  ]
  private static let rare = ["--such-that", "P(critical) <= 0.05"]

  @Test(
    "What cannot be searched is refused, and nothing is written",
    arguments: [
      (reward, 64, "--such-that"), (rare, 64, "--adjust"),
      (
        reward + rare + ["--maximize", "tins.sold", "--minimise", "tins.sold"], 64,
        "exclude each other; give one of them"
      ),
      (
        reward + rare + ["--maximise", "budget.spend"], 64,
        "--maximize: unknown figure 'budget.spend'; did you mean 'budget.spend.year'?"
      ),
      (
        reward + rare + ["--maximise", "series.trip_reserv"], 64, "did you mean 'trip_reserve'?"
      ),
      (
        reward + ["--such-that", "mean(peak.trip_reserv) < 1"], 64, "did you mean 'trip_reserve'?"
      ),
      (reward + rare + ["--minimise", "spend"], 64, "--minimize: unknown figure 'spend'"),
      (reward + reward + rare, 64, "rules.scan_reward.base is adjusted twice; leave one"),
      (
        prizes + ["--adjust", "rules.prizes.Casino.every=100..900"] + rare, 64,
        "every is adjusted twice"
      ),
      (
        reward + ["--adjust", "rules.comp_pool.recognition=accrual,cash"] + rare, 64,
        "takes a range here, not 'accrual,cash'"
      ),
      (reward + ["--adjust", "seed=1..50"] + rare, 64, "seed is not part of the model; adjust a"),
      (reward + ["--adjust", "name=1..2"] + rare, 64, "name is not part of the model"),
      (reward + ["--adjust", "description=1..2"] + rare, 64, "description is not part of"),
      (reward + ["--adjust", "rules.prizes"] + rare, 64, "has no '='"),
      (reward + ["--adjust", "no.such=*1..*2"] + rare, 64, "no setting is called no.such"),
      (reward + ["--adjust", "no.such=1..2"] + rare, 65, "no.such"),
      (
        prizes + ["--adjust", "rules.scan_reward.base=-1..1"] + rare, 65, "scan_reward"
      ),
      (reward + prizes + ["--such-that", "P(critical) <= 0"], 64, "bound"),
      (reward + prizes + ["--such-that", "P(critical@2031-01) <= 0.1"], 64, "is not in the run"),
      (
        days + rare + ["--set", "calendar.days=3"], 64,
        "--set: calendar.days has no effect where --adjust says its values; leave one of them out"
      ),
      (
        days + february, 64,
        "--such-that: 2026-02 is not in the run at calendar.days = 1; write 2026-01"
      ),
      (reward + days + february, 64, "2026-02 is not in the run at calendar.days = 1"),
      (reward + prizes + ["--such-that", "P(tight) <= 0.1"], 64, "is not an event"),
      (reward + prizes + rare + ["--points", "21"], 64, "write a number from 22 to 10000"),
      (
        (0..<9).flatMap { ["--adjust", "rules.prizes[\($0)].every=1..2"] } + rare, 64,
        "9 settings are too many to search; adjust at most 8"
      ),
      (
        reward + rare + ["--maximise", "series.payable.shop"], 65,
        "series.payable.shop has no value in the run of seed 1; choose a figure"
      ),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], code: Int32, message: String) throws {
    let bench = try bench()
    // What is adjusted is not set, too.
    let isAdjusted = arguments.contains("calendar.days=1..9")
    let outcome = try run(
      bench,
      ["solve", "s.yaml", "--most", "10"] + (isAdjusted ? [] : ["--set", "calendar.days=3"])
        + arguments)
    #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try bench.names() == ["s.yaml"])
  }
}
