// Goal: what people meet first: a scenario to begin with, lists of what can be named, variables
// and mistakes answered with what would do, the quality of a history.
// Method: the real program, run as a process in a folder of its own.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct EverydayCommandTests {
  @Test(
    "A new scenario loads, for each program, and is never written over",
    arguments: [
      "blakjaks", "embera",
    ])
  func scenarioInit(programme: String) throws {
    let bench = try Workbench()
    let made = try bench.run("scenario", "init", "first", "--programme", programme)
    #expect(made.code == 0 && made.output.hasPrefix("first.yaml\n"), "\(made.errors)")
    let valid = try bench.run("scenario", "validate", "first.yaml", "--format", "json")
    #expect(valid.code == 0 && valid.output.contains("\"valid\": true"), "\(valid.output)")
    #expect(try bench.read("first.yaml").contains("programme: \(programme)"))
    #expect(try bench.run("scenario", "init", "first").code == 74)
    #expect(try bench.run("scenario", "init", "../x").code == 64)
    // A scenario of such a name would not load.
    for name in [" ", String(repeating: "a", count: 121)] {
      let refused = try bench.run("scenario", "init", name)
      #expect(refused.code == 64 && refused.errors.contains("write 1 to 120 characters"))
    }
  }

  @Test("Every figure is listed with its unit and meaning")
  func figures() throws {
    let bench = try Workbench()
    let text = try bench.run("figures")
    #expect(text.code == 0 && text.output.contains("budget.utilisation.year"))
    let json = try bench.run("figures", "--programme", "embera", "--format", "json")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(rows.allSatisfy { ($0["meaning"] as? String)?.isEmpty == false })
  }

  @Test("Variables: empty is unset, unknown ones and levels are told")
  func variables() throws {
    let bench = try Workbench()
    let file = try bench.small()
    let empty = try bench.run(
      ["scenario", "validate", file],
      environment: ["PITBOSS_SEED": "", "PITBOSS_FORMAT": "", "PITBOSS_SET": "", "PITBOSS_LOG": ""])
    #expect(empty.code == 0 && empty.errors.isEmpty, "\(empty.errors)")
    let wrong = try bench.run(
      ["scenario", "validate", file],
      environment: ["PITBOSS_SEEED": "1", "PITBOSS_LOG": "loud"])
    #expect(wrong.code == 0)
    #expect(wrong.errors.contains("PITBOSS_SEEED is not read; did you mean PITBOSS_SEED?"))
    #expect(wrong.errors.contains("PITBOSS_LOG is 'loud'"))
  }

  @Test(
    "What the environment says of formats, progress and plots is looked at before anything runs",
    arguments: ["FORMAT", "PROGRESS", "PLOTLY"])
  func earlyVariables(_ name: String) throws {
    let bench = try Workbench()
    let file = try bench.small()
    // Years of many members: a run of them would take minutes.
    let long = ["--set", "population.members=3000000", "--quiet"]
    var commands = [
      ["run", file], ["run", file, "--checkpoint", "every=30d"],
      ["project", file, "--replications", "2"],
      ["sweep", file, "--vary", "population.tins.shape=2,3"], ["compare", file, file],
      [
        "stress", file, "--target", "http://127.0.0.1:1", "--rate", "1", "--var", "administrator=x",
      ],
    ]
    if name != "PLOTLY" { commands.append(["stress", file]) }
    for command in commands {
      let outcome = try bench.run(command + long, environment: ["PITBOSS_\(name)": "zzz"])
      #expect(outcome.code == 64, "\(command)")
      #expect(
        outcome.errors.contains("PITBOSS_\(name) is 'zzz'; write one of"), "\(outcome.errors)")
    }
    #expect(try bench.names() == [file])
  }

  @Test(
    "A misspelled command, scenario or option is answered with what was meant",
    arguments: [
      ("runn", 64, "'runn' is not a command; did you mean 'run'?"),
      ("help projct", 64, "'projct' is not a command; did you mean 'project'?"),
      ("scenario shwo small", 64, "'shwo' is not a command; did you mean 'show'?"),
      ("scenario shwo small", 64, "See 'pitboss scenario --help'"),
      (
        "scenario check small", 64,
        "'check' is not a command; write one of init, validate, show, list"
      ),
      (
        "help scenario check", 64,
        "'check' is not a command; write one of init, validate, show, list"
      ),
      ("show-me-the-money", 64, "Unexpected argument 'show-me-the-money'"),
      ("run smal", 74, "smal: no such file; did you mean 'small.yaml'?"),
      ("check ./smal.yaml", 74, "./smal.yaml: no such file; did you mean './small.yaml'?"),
      ("run launch-yaer", 74, "launch-yaer: no such file; did you mean 'launch-year'?"),
      ("sweep small --over a=1", 64, "Unknown option '--over'"),
      ("sweep small", 64, "nothing is varied; give --vary path=lo..hi:n"),
      ("solve small --ajust a=1..2", 64, "Did you mean '--adjust'?"),
      ("backtest small --historry a.csv", 64, "'--historry'. Did you mean '--history'?"),
      ("backtest small --jurnal=a", 64, "'--jurnal'. Did you mean '--journal'?"),
      ("choose small --wiht b=2", 64, "'--wiht'. Did you mean '--with'?"),
      ("backtest small", 64, "give either --history"),
      ("scenario show small --yml", 64, "'--yml'. Did you mean '--yaml'?"),
      ("scenario show small --yml", 64, "See 'pitboss scenario show --help'"),
      ("run small --sede 1", 64, "See 'pitboss run --help'"),
      ("--yml", 64, "Unknown option '--yml'"),
      (
        "run small --set population.members 10", 64,
        "--set population.members has no '='; write --set 'population.members=10'"
      ),
      (
        "run small --set seed=3 calendar.days=3", 64,
        "'calendar.days=3' has no --set; each setting needs its own: --set 'calendar.days=3'"
      ),
      ("solve small --adjust a=1..2", 64, "nothing has to hold; give --such-that"),
      ("solve small --tolerance 200%", 64, "--tolerance is 2.0; write a share above 0 and below 1"),
      ("solve small --tolerance much", 64, "write a share such as 0.02 or 2%"),
      ("run small --seed 18446744073709551616", 64, "--seed: 18446744073709551616 is out of range"),
    ])
  func misspelled(line: String, code: Int32, words: String) throws {
    let bench = try Workbench()
    _ = try bench.small()
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "Scenarios"), withIntermediateDirectories: false)
    try bench.write("Scenarios/launch-year.yaml", "name: launch-year\n")
    let outcome = try bench.run(line.split(separator: " ").map(String.init), environment: [:])
    #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test(
    "What is not there is named by what would do",
    arguments: [
      (["scenario", "list"], "there is no Scenarios/ here; give a folder of scenario files"),
      (["scenario", "list", "none"], "none: cannot be read; give a folder of scenario files"),
      (["run", ""], "the scenario's name is empty; give a file, or the name of one in Scenarios/"),
    ])
  func nothingThere(line: [String], words: String) throws {
    let outcome = try Workbench().run(line, environment: [:])
    #expect(outcome.code == 74 && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("An override of all entries, a quiet run, a bare name, and JSON of a run")
  func overrides() throws {
    let bench = try Workbench()
    let file = try bench.small("calendar: {days: 5}\n")
    let run = try bench.run(
      "run", file, "--plotly", "cdn", "--quiet", "--set", "rules.prizes[*].every=77")
    #expect(run.code == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    let shown = try bench.run("show", "small", "--format", "json")
    let summary = try bench.read("Results/small/summary.json")
    #expect(shown.code == 0 && shown.output == summary)
    // What became of the files is for 'verify' to say.
    try bench.write("Results/small/months.csv", "x")
    try bench.write("Results/small/notes.txt", "x")
    try FileManager.default.createDirectory(
      at: bench.folder.appending(path: "Results/small/sub"), withIntermediateDirectories: false)
    #expect(try bench.run("show", "small", "--format", "json").output == summary)
    let inside = try bench.run("run", file, "--out", "Results/small/inner")
    #expect(
      inside.code == 74 && inside.errors.contains("is in a run folder, whose files belong together")
    )
    #expect(try bench.read("Results/small/scenario.yaml").contains("every: 77"))
    let none = try bench.run(
      "scenario", "show", file, "--set", "population.mischief.rings[*].days=3")
    #expect(none.code == 65 && none.errors.contains("has 0 entries"), "\(none.errors)")
    let page = try bench.run("insights", "small", "nope")
    #expect(page.code == 64 && page.errors.contains("Usage: pitboss insights"), "\(page.errors)")
  }

  /// Under a name that leads to no folder with plotly.js.
  @Test(
    "A quiet command does not say that its page has no plots",
    arguments: ["run", "project --no-assumptions --replications 1"])
  func quiet(command: String) throws {
    let bench = try Workbench()
    _ = try bench.small("calendar: {days: 5}\n")
    func errors(_ more: String) throws -> String {
      let process = bench.process([
        "-c", "exec -a pitboss \"$0\" \(command) small.yaml --plotly inline \(more)",
        bench.programFolder + "/pitboss",
      ])
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      let pipe = Pipe()
      process.standardError = pipe
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(text)")
      return text
    }
    #expect(try errors("").contains("report.html has no plots"))
    #expect(try errors("--quiet") == "")
  }

  @Test("What cannot be drawn is said by whatever reads the scenario, at its line")
  func uncertain() throws {
    let bench = try Workbench()
    try bench.write(
      "u.yaml", "name: u\nuncertain:\n  - economy.gross_profit ~ normal(-5, 1)\n")
    for command in [["scenario", "validate"], ["scenario", "show"], ["run"]] {
      let outcome = try bench.run(command + ["u.yaml"], environment: [:])
      #expect(outcome.code == 65 && outcome.errors.hasPrefix("u.yaml:3:5: uncertain[0]: only"))
    }
    try bench.write(
      "f.yaml", "name: f\nuncertain:\n  - population.tins.per_week ~ rows(nowhere.csv)\n")
    let missing = try bench.run("scenario", "validate", "f.yaml")
    #expect(missing.code == 74 && missing.errors.hasPrefix("nowhere.csv: no such file"))
    #expect(try bench.names() == ["f.yaml", "u.yaml"])
  }

  @Test("Problems beyond 200 are counted where they are not listed")
  func manyProblems() throws {
    let bench = try Workbench()
    try bench.write("many.yaml", "name: m\n" + (0..<250).map { "zebra\($0): 1\n" }.joined())
    try bench.write("few.yaml", "name: f\nzebra: 1\n")
    let outcome = try bench.run("scenario", "validate", "many.yaml", "few.yaml", "--format", "json")
    #expect(outcome.code == 65 && outcome.errors.isEmpty, "\(outcome.errors)")
    let files = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(files.map { ($0["problems"] as? [Any])?.count } == [200, 1])
    #expect(files.map { $0["omitted"] as? Int } == [50, 0])
  }

  @Test("A folder hides no scenario of its name")
  func folders() throws {
    let bench = try Workbench()
    for folder in ["launch", "Scenarios"] {
      try FileManager.default.createDirectory(
        at: bench.folder.appending(path: folder), withIntermediateDirectories: false)
    }
    try bench.write("Scenarios/launch.yaml", "name: launch\n")
    let found = try bench.run("scenario", "validate", "launch")
    #expect(found.code == 0 && found.output.hasPrefix("launch: valid"), "\(found.errors)")
    let none = try bench.run("scenario", "validate", "Scenarios")
    #expect(none.code == 74 && none.errors == "Scenarios: is a directory; name a file\n")
  }

  @Test("Progress away from a terminal is whole lines")
  func progress() throws {
    let bench = try Workbench()
    let file = try bench.small("calendar: {days: 5}\n")
    let run = try bench.run("run", file, "--plotly", "cdn", "--progress", "always")
    #expect(run.code == 0)
    #expect(run.errors.hasSuffix("\n") && !run.errors.contains("\u{1B}"), "\(run.errors)")
    #expect(run.errors.contains(" %  "))
  }

  @Test("A history's contradictions are counted, named, and refused under --strict")
  func quality() throws {
    let bench = try Workbench()
    let file = try bench.small()
    let rows = [
      "time,member,event,tins,other", "2026-01-01,a,purchase,2,", "2026-01-01,a,purchase,2,",
      "2026-01-02,a,signup,,", "2026-01-02,a,scan,5,", "2026-01-02,b,signup,,",
      "2026-01-03,a,refer,,b", "2026-01-03,b,refer,,a", "2026-01-03,c,refer,,zz",
    ]
    try bench.write("h.csv", rows.joined(separator: "\n") + "\n")
    let lines = [
      "Repeated rows: 1 purchase row, on line 3",
      "More used than the member had bought: 1 scan row, on line 5",
      "Before the member's sign-up: 2 purchase rows, the first on line 2",
      "Members who never sign up: 1 refer row, on line 9",
      "Referrers without a row: 1 refer row, on line 9",
      "Referrals that close a circle: 1 refer row, on line 8",
    ]
    let taken = try bench.run(
      "backtest", file, "--history", "h.csv", "--plotly", "cdn", "--out", "out")
    #expect(taken.code == 0, "\(taken.errors)")
    for line in lines { #expect(taken.output.contains(line), "\(line)\n\(taken.output)") }
    #expect(try bench.run("show", "out").output.contains(lines[0]))
    #expect(try bench.read("out/summary.json").contains("\"fault\": \"referral_cycle\""))
    #expect(try bench.read("out/report.html").contains(lines[1].replacing("'", with: "&#39;")))
    let strict = try bench.run("backtest", file, "--history", "h.csv", "--strict", "--out", "no")
    #expect(strict.code == 65)
    for line in lines { #expect(strict.errors.contains("h.csv: \(line)"), "\(strict.errors)") }
    #expect(try bench.names() == ["h.csv", "out", "small.yaml"])

    try bench.write("gap.csv", (rows + ["1970-01-01,x,signup,,"]).joined(separator: "\n") + "\n")
    let gap = try bench.run("backtest", file, "--history", "gap.csv", "--out", "no")
    #expect(gap.code == 65 && gap.errors.contains("gap.csv:10: 20,454 days without a row follow"))
    let part = try bench.run(
      "backtest", file, "--history", "gap.csv", "--from", "2026-01-01", "--to", "2026-01-02",
      "--plotly", "cdn", "--out", "part")
    #expect(part.code == 0 && part.output.contains("2026-01-01 to 2026-01-02"), "\(part.errors)")
    #expect(
      part.output.contains("Before the first day, not in the figures: 1 signup row, on line 10"))
  }

  @Test func aThresholdOnAMonthThatAHistoryDoesNotHaveIsRefused() throws {
    let bench = try Workbench()
    try bench.write("h.csv", "time,member,event,tins,other\n2025-03-01,a,signup,,\n")
    try bench.write(
      "s.yaml",
      "name: s\ncalendar: {start: 2025-01-01, days: 120}\nexpect: ['P(critical@2025-02) <= 0']\n")
    let other = try bench.run("backtest", "s.yaml", "--history", "h.csv", "--out", "no")
    #expect(other.code == 65)
    #expect(other.errors.contains("2025-02 is not among the days of h.csv"), "\(other.errors)")
    try bench.write(
      "long.csv", "time,member,event,tins,other\n2025-02-01,a,signup,,\n2025-03-01,b,signup,,\n")
    let later = try bench.run(
      "backtest", "s.yaml", "--history", "long.csv", "--from", "2025-03-01", "--out", "no")
    #expect(later.code == 65)
    #expect(later.errors.contains("2025-02 is not among the days of long.csv"), "\(later.errors)")
    let own = try bench.run(
      "backtest", "s.yaml", "--history", "h.csv", "--set",
      "expect=['P(critical@2025-03) <= 0']", "--plotly", "cdn", "--out", "own")
    #expect(own.code == 0, "\(own.errors)")
    #expect(try bench.names() == ["h.csv", "long.csv", "own", "s.yaml"])
  }
}
