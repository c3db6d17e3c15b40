// Goal: project, compare and sweep do what their help says, with the promised exit codes and files.
// Method: the real program on small scenarios; figures of one command against another's.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ExperimentCommandTests: ExperimentCommandSuite {
  @Test("project prints the projection and writes its files, the same for any number of threads")
  func project() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "project", "tiny.yaml", "--replications", "4", "--threads", "1", "--plotly", "cdn", "--set",
      "rules.scan_reward.base=0.3")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for part in [
      "Projection of tiny.yaml  4 replications, seed 1", "Any month closes Critical",
      "Utilization of the whole run", "2026-03", "Folder     Results/project-tiny",
      "--set 'rules.scan_reward.base=0.3'",
    ] { #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)") }
    let folder = "Results/project-tiny"
    #expect(
      try bench.names(folder) == [
        "projection.json", "replications.csv", "report.html", "scenario.yaml",
      ])
    let first = try bench.read("\(folder)/replications.csv")
    let rows = try rows(bench, "\(folder)/replications.csv")
    #expect(rows.map { $0["replication"] } == ["0", "1", "2", "3"])
    #expect(rows[0]["seed"] == "1" && Set(rows.map { $0["fingerprint"] }).count == 4)
    let text = try bench.read("\(folder)/projection.json")
    let object = try json(text)
    #expect(object["replications"] as? Int == 4 && object["scenario"] as? String == "tiny")
    #expect((object["days"] as? [Any])?.count == 62)
    let page = try bench.read("\(folder)/report.html")
    for id in ["plot-fan", "plot-breach"] {
      #expect(page.contains("<div class=\"plot\" id=\"\(id)\""))
    }
    // What was written may be replaced, and JSON is the file.
    let again = try bench.run(
      "project", "tiny.yaml", "--replications", "4", "--threads", "2", "--plotly", "cdn", "--set",
      "rules.scan_reward.base=0.3", "--format", "json")
    #expect(again.code == 0 && again.output == text)
    #expect(try bench.read("\(folder)/replications.csv") == first)
    // The line that replays the highest replication gives its run.
    let hint = try #require(
      outcome.output.split(separator: "\n").first { $0.hasPrefix("Highest    seed") }?
        .split(separator: " ").map(String.init))
    let seed = hint[try #require(hint.firstIndex(of: "--seed")) + 1]
    let run = try bench.run(
      "run", "tiny.yaml", "--seed", seed, "--set", "rules.scan_reward.base=0.3", "--out", "one",
      "--plotly", "cdn")
    #expect(run.code == 0, "\(run.errors)")
    let row = try #require(rows.first { $0["seed"] == seed })
    let fingerprint = try #require(row["fingerprint"])
    #expect(fingerprint.count == 64 && run.output.contains(fingerprint.prefix(12)))
  }

  @Test("project says what controls and pairs gained, and a mirrored seed replays its replication")
  func varianceReduction() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "project", "tiny.yaml", "--replications", "80", "--plotly", "cdn", "--set",
      "calendar.window=24h", "--set", "calendar.days=20")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for part in ["Controls (purchases and tins", "Antithetic pairs, tried on 20"] {
      #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)")
    }
    // Without a wide terminal the tables have no gains and no cash, and no words about them.
    #expect(!outcome.output.contains("Gain") && !outcome.output.contains("Cash"))
    let object = try json(try bench.read("Results/project-tiny/projection.json"))
    let pairs = try #require(object["antithetic"] as? [String: Any])
    let verdict = try #require(pairs["verdict"] as? String)
    #expect(["helped", "not_shown", "hurt"].contains(verdict))
    // Where pairs surely hurt a figure, no more of them are run.
    #expect((verdict == "hurt") == (pairs["to"] as? Int == 40))
    #expect(pairs["from"] as? Int == 0 && (pairs["to"] as? Int ?? 0) >= 40)
    let figures = try #require(object["figures"] as? [[String: Any]])
    let tins = try #require(figures.first { $0["name"] as? String == "tins.sold" })
    #expect(tins["controls_used"] as? Bool == true)
    let width = try #require(tins["half_width"] as? Double)
    let plain = try #require(tins["plain_half_width"] as? Double)
    #expect(width < plain)
    #expect(
      try bench.read("Results/project-tiny/report.html")
        .contains("means more precise. Each is adjusted by itself: parts and months may not add up")
    )
    // The second replication is a run of its own.
    let row = try rows(bench, "Results/project-tiny/replications.csv")[1]
    let seed = try #require(row["seed"])
    #expect(try #require(UInt64(seed)) > UInt64.max / 2)
    let run = try bench.run(
      "run", "tiny.yaml", "--seed", seed, "--set", "calendar.window=24h", "--set",
      "calendar.days=20", "--plotly", "cdn")
    #expect(run.output.contains(try #require(row["fingerprint"])), "\(run.output)")
    let without = try bench.run(
      "project", "tiny.yaml", "--replications", "12", "--no-controls", "--antithetic", "off",
      "--plotly", "cdn", "--set", "calendar.window=24h", "--set", "calendar.days=20")
    #expect(!without.output.contains("Controls (") && !without.output.contains("Antithetic"))
  }

  @Test(
    "Bad options are usage, a bad scenario is bad input",
    arguments: [
      (["project", "tiny.yaml", "--replications", "0"], 64, "--replications is 0"),
      (["project", "tiny.yaml", "--precision", "1"], 64, "--precision is 1"),
      (
        ["project", "tiny.yaml", "--antithetic", "on", "--replications", "7"], 64,
        "write an even number"
      ),
      (["project", "tiny.yaml", "--antithetic", "often"], 64, "auto"),
      (["project", "tiny.yaml", "--threads", "0"], 64, "--threads is 0"),
      (["project", "tiny.yaml", "--set", "population.member=3"], 65, "did you mean 'members'"),
      (["project", "none.yaml"], 74, "none.yaml"),
      (["compare", "tiny.yaml"], 64, "second"),
      (["compare", "tiny.yaml", "tiny.yaml", "--replications", "1"], 64, "from 2 to"),
      (["compare", "tiny.yaml", "tiny.yaml", "--with", "x=1"], 65, "--with"),
      (["compare", "tiny.yaml", "tiny.yaml", "--figure", "spend"], 64, "unknown figure 'spend'"),
      (
        ["compare", "tiny.yaml", "tiny.yaml", "--with", "programme=embera"], 64,
        "give scenarios of one program"
      ),
      (
        [
          "choose", "tiny.yaml", "--with", "programme=embera", "--figure", "members.total",
          "--indifference", "5",
        ], 64, "give scenarios of one program"
      ),
      (
        [
          "choose", "tiny.yaml", "--with", "rules.scan_reward.base=0.3", "--figure", "cost.total",
          "--indifference", "1%",
        ], 64, "'1%', a share, and cost.total is in USDT"
      ),
      (["sweep", "tiny.yaml", "--vary", "programme=blakjaks,embera"], 64, "cannot be varied"),
      (["sweep", "tiny.yaml"], 64, "--vary"),
      (["sweep", "tiny.yaml", "--vary", "population.members=2..1"], 64, "is not a rising range"),
      (["sweep", "tiny.yaml", "--vary", "a=1,2", "--vary", "a=1,2"], 64, "--vary: "),
      (["sweep", "tiny.yaml", "--vary", "a=1,2", "--figure", "x"], 64, "unknown figure 'x'"),
      (
        [
          "sweep", "tiny.yaml", "--vary", "rules.prizes[*].every=*1..*2", "--vary",
          "rules.prizes[0].every=5,9",
        ], 64, "rules.prizes[0].every is varied twice"
      ),
      (
        [
          "sweep", "tiny.yaml", "--vary", "rules.prizes[*].every=*1..*2", "--vary",
          "rules.prizes[0].every=5",
        ], 64, "rules.prizes[0].every is varied twice"
      ),
      (
        [
          "sweep", "tiny.yaml", "--vary", "rules.prizes[*].every=5,9,5", "--vary",
          "rules.prizes[0].every=7",
        ], 64, "rules.prizes[0].every is varied twice"
      ),
      (
        [
          "sweep", "tiny.yaml", "--vary", "population.members=2,3", "--set",
          "population.members=4",
        ], 64, "--set: population.members has no effect where --vary says its values"
      ),
      (
        ["sweep", "tiny.yaml", "--vary", "a=1,2", "--figure", "peak.payouts.queu"], 64,
        "did you mean 'payouts.queue'?"
      ),
      (["sweep", "tiny.yaml", "--vary", "population.membrs=1,2"], 65, "membrs"),
      (["sweep", "tiny.yaml", "--vary", "name=*1..*2"], 64, "cannot be multiplied by a factor"),
      (["solve", "tiny.yaml", "--adjust", "a=1..2"], 64, "--such-that"),
      (
        ["solve", "tiny.yaml", "--adjust", "a=1..2", "--such-that", "P(bad) < 1"], 64,
        "'bad' is not an event"
      ),
      (
        ["solve", "tiny.yaml", "--adjust", "a=1,2", "--such-that", "P(critical) < 0.1"], 64,
        "a takes a range here, not '1,2'; write path=lo..hi or path=*lo..*hi"
      ),
      (
        ["solve", "tiny.yaml", "--adjust", "a=1..2", "--such-that", "P(critical) <= 0"], 64,
        "--such-that 'P(critical) <= 0': no number of replications shows"
      ),
      (
        [
          "solve", "tiny.yaml", "--adjust", "a=1..2", "--such-that", "P(critical@1999-01) < 0.1",
        ], 64, "1999-01 is not in the run"
      ),
      (
        ["solve", "tiny.yaml", "--adjust", "a=1..2", "--such-that", "P(critical) < 0.1"], 65,
        "--adjust"
      ),
      (
        [
          "solve", "tiny.yaml", "--adjust", "rules.scan_reward.base=0.1..0.2", "--such-that",
          "mean(series.payable.shop) < 1", "--most", "10",
        ], 65, "series.payable.shop has no value"
      ),
      (
        ["solve", "tiny.yaml", "--adjust", "seed=1..50", "--such-that", "P(critical) < 0.1"], 64,
        "--adjust: seed is not a setting of the model"
      ),
      (
        [
          "solve", "tiny.yaml", "--adjust", "rules.scan_reward.base=0.1..0.2", "--such-that",
          "P(critical) < 0.1", "--most", "20",
        ], 64, "--most must be at least "
      ),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], code: Int32, message: String) throws {
    let bench = try bench()
    let process = bench.process(arguments + ["--out", "none"])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == code, "\(said)")
    #expect(said.contains(message), "\(said)")
    #expect(try bench.names() == ["tiny.yaml"])
  }

  @Test("Folders of others are not replaced, even where an experiment's file lies in them")
  func foreignFolders() throws {
    let bench = try bench()
    for (folder, files, words) in [
      ("mine", ["thesis.txt"], "already exists and is not an experiment's folder"),
      ("mixed", ["sweep.csv", "thesis.txt"], "holds sweep.csv, but also 'thesis.txt'"),
      ("nested", ["projection.json", "deep/thesis.txt"], "holds projection.json, but also 'deep'"),
    ] {
      for file in files {
        let place = bench.folder.appendingPathComponent("\(folder)/\(file)")
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bench.write("\(folder)/\(file)", "years of work")
      }
      let outcome = try bench.run(
        "project", "tiny.yaml", "--replications", "1", "--plotly", "cdn", "--out", folder, "--set",
        "calendar.days=3")
      #expect(outcome.code == 74, "\(folder): \(outcome.errors)")
      #expect(outcome.errors.contains("\(folder): \(words)"), "\(outcome.errors)")
      for file in files { #expect(try bench.read("\(folder)/\(file)") == "years of work") }
    }
    let file = try bench.run(
      "project", "tiny.yaml", "--replications", "1", "--plotly", "cdn", "--out", "tiny.yaml",
      "--set", "calendar.days=3")
    #expect(file.code == 74 && file.errors.contains("already exists and is not a folder"))
    #expect(try bench.names() == ["mine", "mixed", "nested", "tiny.yaml"])
  }

  @Test("An interrupted projection keeps the replications that ended, or leaves nothing behind")
  func interrupted() throws {
    let bench = try bench()
    let process = bench.process([
      "project", "tiny.yaml", "--replications", "100000", "--plotly", "cdn", "--threads", "2",
    ])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // Once the folder around its own is there, it listens.
    while process.isRunning, try bench.names().count == 1 { usleep(10_000) }
    process.interrupt()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130, "\(said)")
    if said.contains("interrupted; nothing was written") {
      #expect(try bench.names() == ["tiny.yaml"])
    } else {
      #expect(said.contains("-interrupted/replications.csv"), "\(said)")
      let folders = try bench.names("Results")
      #expect(folders.count == 1 && folders[0].hasSuffix("-interrupted"), "\(folders)")
      #expect(try bench.names("Results/\(folders[0])") == ["replications.csv"])
    }
  }

  /// A limit on the size of files stands in for a full disk: 512 bytes stop `replications.csv`,
  /// 8 KiB only what is written in the end.
  @Test("A projection that cannot be written leaves what stood there", arguments: [1, 16])
  func fullDisk(blocks: Int) throws {
    let bench = try bench()
    let arguments = [
      "project", "tiny.yaml", "--replications", "3", "--plotly", "cdn", "--set",
      "calendar.days=5", "--out", "deep/p",
    ]
    func run() throws -> (code: Int32, said: String) {
      let process = bench.process([])
      let program = try #require(process.executableURL).path
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -f \(blocks); trap '' XFSZ; exec \"$0\" \"$@\"", program] + arguments
      let errors = Pipe()
      process.standardError = errors
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let said = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, said)
    }
    let file = blocks == 1 ? "replications.csv" : ""
    let first = try run()
    #expect(first.code == 74 && first.said.contains("cannot write \(file)"), "\(first.said)")
    #expect(try bench.names() == ["tiny.yaml"])
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("deep/p"), withIntermediateDirectories: true)
    try bench.write("deep/p/projection.json", "{}")
    #expect(try run().code == 74)
    #expect(try bench.read("deep/p/projection.json") == "{}")
    #expect(try bench.names("deep") == ["p"])
  }

  @Test("A replication that fails says how to replay it, and leaves nothing behind")
  func failedReplication() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "project", "tiny.yaml", "--replications", "3", "--plotly", "cdn", "--set",
      "rules.scan_reward.base=1000000000", "--set", "population.members=3000", "--set",
      "calendar.days=40")
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("replay: pitboss run tiny.yaml --seed 1"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try bench.names() == ["tiny.yaml"])
  }

  @Test("compare shows what one rule costs, with its settings")
  func compare() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "compare", "tiny.yaml", "tiny.yaml", "--with", "rules.scan_reward.base=0.1",
      "--replications", "5", "--figure", "series.trip_reserve")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("tiny with overrides against tiny  5 pairs"))
    #expect(outcome.output.contains("rules.scan_reward.base"))
    let object = try json(try bench.read("Results/compare-tiny-tiny/comparison.json"))
    let figures = try #require(object["figures"] as? [[String: Any]])
    func verdict(_ name: String) -> String? {
      figures.first { $0["name"] as? String == name }?["verdict"] as? String
    }
    #expect(verdict("budget.spend.year") == "lower")
    #expect(verdict("scans.accepted") == "identical")
    #expect(verdict("series.trip_reserve") == "identical")
    #expect((object["settings"] as? [[String: Any]])?.count == 1)
    try bench.write(
      "other.yaml", "name: tiny\npopulation: {members: 90}\ncalendar: {days: 20}\n")
    let files = try bench.run(
      "compare", "tiny.yaml", "other.yaml", "--replications", "2", "--out", "y")
    #expect(files.output.contains("other.yaml against tiny.yaml"), "\(files.output)")
    // Both run with one seed, and whoever gave another one is told.
    #expect(files.errors.isEmpty && object["seed"] as? Int == 1, "\(files.errors)")
    try bench.write(
      "seeded.yaml", "name: b\nseed: 9\npopulation: {members: 90}\ncalendar: {days: 20}\n")
    let seeded = try bench.run(
      "compare", "seeded.yaml", "other.yaml", "--replications", "2", "--out", "z")
    #expect(
      seeded.errors.contains(
        "other.yaml has the seed 1, which is not used: both run with 9, that of seeded.yaml"),
      "\(seeded.errors)")
    #expect(try json(bench.read("z/comparison.json"))["seed"] as? Int == 9)
    let same = try bench.run(
      "compare", "tiny.yaml", "tiny.yaml", "--replications", "2", "--out", "x", "--format", "json")
    #expect(try same.output == bench.read("x/comparison.json"))
    #expect(!same.output.contains("\"higher\"") && !same.output.contains("\"lower\""))
  }

  @Test("sweep measures every combination of two settings")
  func sweep() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "sweep", "tiny.yaml", "--vary", "rules.scan_reward.base=0.1..0.3:3", "--vary",
      "population.members=60,100", "--replications", "2", "--plotly", "cdn", "--out", "s",
      "--figure", "budget.spend.year")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("Sweep of tiny  6 points"))
    #expect(outcome.output.contains("Spend, USDT"))
    let rows = try rows(bench, "s/sweep.csv").filter { $0["figure"] == "budget.spend.year" }
    #expect(rows.map { $0["point"] } == ["0", "1", "2", "3", "4", "5"])
    #expect(
      rows.map { $0["rules.scan_reward.base"] } == ["0.1", "0.1", "0.2", "0.2", "0.3", "0.3"])
    #expect(
      rows.map { $0["population.members"] } == ["60", "100", "60", "100", "60", "100"])
    #expect(rows.allSatisfy { $0["count"] == "2" })
    let means = rows.compactMap { $0["mean"].flatMap(Double.init) }
    #expect(means[0] < means[2] && means[2] < means[4] && means[0] < means[1])
    // A point is the projection of its scenario.
    let point = try bench.run(
      "project", "tiny.yaml", "--replications", "2", "--plotly", "cdn", "--out", "p", "--set",
      "rules.scan_reward.base=0.3", "--set", "population.members=60")
    #expect(point.code == 0)
    let spend = try self.rows(bench, "p/replications.csv").compactMap {
      $0["budget.spend.year"].flatMap(Double.init)
    }
    #expect(abs(spend.reduce(0, +) / 2 - means[4]) < 1e-6)
    let page = try bench.read("s/report.html")
    #expect(["0-0", "0-1"].allSatisfy { page.contains("id=\"plot-\($0)\"") })
    // Other designs have as many points as asked for.
    for design in ["latin_hypercube", "sobol"] {
      let outcome = try bench.run(
        "sweep", "tiny.yaml", "--vary", "rules.comp_pool.share=20%..60%", "--design", design,
        "--points", "3", "--replications", "1", "--plotly", "cdn", "--out", design, "--set",
        "calendar.days=5", "--format", "json")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect((try json(outcome.output)["points"] as? [Any])?.count == 3)
    }
  }

  @Test("Points of a design that set the same are run once")
  func repeatedPoints() throws {
    let bench = try bench()
    // Shares of an axis with two values are two points.
    let outcome = try bench.run(
      "sweep", "tiny.yaml", "--vary", "calendar.days=4,5", "--design", "sobol", "--points", "6",
      "--replications", "1", "--plotly", "cdn", "--out", "two", "--format", "json")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect((try json(outcome.output)["points"] as? [Any])?.count == 2)
    #expect(
      outcome.errors.contains(
        "of 6 points only 2 differ; each is run once"), "\(outcome.errors)")
  }
}
