// Goal: 'pitboss calibrate' prints and writes what its help says, and refuses with advice.
// Method: the real program on a history of sixty customers.
import Foundation
import TestSupport
import Testing

@Suite struct CalibrateCommandTests {
  /// Purchases from 1 January 2026 on, days as numbers of January and, above 31, of February.
  private func history(_ bench: Workbench, customers: Int = 60) throws {
    var lines = ["time,member,event,tins,other"]
    for member in 0..<customers {
      for index in 0..<(1 + member * 5 % 9) {
        let day = 1 + member % 9 + index * (2 + member * member % 11)
        guard day <= 59 else { continue }
        let date = day <= 31 ? "2026-01-\(padded(day))" : "2026-02-\(padded(day - 31))"
        lines.append("\(date),m\(member),purchase,1,")
      }
    }
    try bench.write("h.csv", lines.joined(separator: "\n") + "\n")
  }

  private func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  @Test func tablesAndTheBlockArePrinted() throws {
    let bench = try Workbench()
    try history(bench)
    let outcome = try bench.run("calibrate", "h.csv", "--until", "2026-02-10")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    for part in [
      "Calibration of h.csv", "2026-01-01 to 2026-02-10, holdout to", "Log-likelihood", "BG/NBD",
      "Pareto/NBD", "population:\n  purchase:\n",
    ] {
      #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)")
    }
  }

  @Test func filesHoldTheSameFigures() throws {
    let bench = try Workbench()
    try history(bench)
    let outcome = try bench.run(
      "calibrate", "h.csv", "--model", "mbg_nbd", "--format", "json", "--out", "deep/fit",
      "--plotly", "cdn")
    #expect(outcome.code == 0)
    let folder = bench.folder.appendingPathComponent("deep/fit")
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    #expect(try text("calibration.json") == outcome.output)
    #expect(try text("purchase.yaml").contains("    model: mbg_nbd\n    r: "))
    #expect(try text("calibration.html").contains("cdn.plot.ly"))
    let again = try bench.run("calibrate", "h.csv", "--model", "mbg_nbd", "--format", "json")
    #expect(again.output == outcome.output)
    // The block stands alone as a part of a scenario.
    try bench.write("s.yaml", "name: fitted\n" + text("purchase.yaml"))
    #expect(try bench.run("scenario", "validate", "s.yaml").code == 0)
    #expect(try bench.run("scenario", "validate", "deep/fit/scenario.yaml").code == 0)
  }

  @Test("Rows that contradict others are counted, up to the end of the calibration")
  func dataQuality() throws {
    let bench = try Workbench()
    try history(bench)
    let clean = try bench.run("calibrate", "h.csv", "--model", "mbg_nbd")
    #expect(clean.output.contains("Data quality\nThe history's rows do not contradict each other."))
    let path = bench.folder.appendingPathComponent("h.csv")
    var text = try String(contentsOf: path, encoding: .utf8)
    // Three rows twice, one of them in the holdout; a scan of more than was bought.
    text += "2026-01-01,m0,purchase,1,\n2026-01-02,m1,purchase,1,\n2026-02-25,m59,purchase,1,\n"
    text += "2026-02-25,m59,purchase,1,\n2026-01-01,m0,scan,40,\n"
    try bench.write("h.csv", text)
    let arguments = ["calibrate", "h.csv", "--model", "mbg_nbd", "--until", "2026-02-10"]
    let outcome = try bench.run(arguments + ["--out", "fit", "--plotly", "cdn"], environment: [:])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("contradict others. They were fitted as they are."))
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("Repeated rows: 2 purchase rows, the first on line ") })
    #expect(lines.contains { $0.contains(": 1 scan row, on line ") }, "\(outcome.output)")
    let json = try bench.run(arguments + ["--format", "json"], environment: [:])
    #expect(json.output.contains("\"fault\": \"repeated_row\""), "\(json.output)")
    let page = try String(
      contentsOf: bench.folder.appendingPathComponent("fit/calibration.html"), encoding: .utf8)
    #expect(page.contains("id=\"data-quality\"") && page.contains("<li>Repeated rows: 2 "))
  }

  private static let cdnow = Checkout.cdnow.path

  @Test(
    "What a fit leaves uncertain is drawn by a projection of the scenario that calibrate writes",
    .enabled(if: FileManager.default.fileExists(atPath: cdnow), "run Scripts/fetch-cdnow"))
  func travels() throws {
    let bench = try Workbench()
    let outcome = try bench.run(
      "calibrate", Self.cdnow, "--until", "1997-09-30", "--out", "fit", "--plotly", "cdn")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("forecasts the holdout best"))
    #expect(try bench.read("fit/purchase-draws.csv").split(separator: "\n").count == 1_001)
    let projected = try bench.run(
      "project", "fit/scenario.yaml", "--replications", "4", "--set", "population.members=40",
      "--set", "calendar.days=60", "--plotly", "cdn", "--out", "p", "--no-assumptions")
    #expect(projected.code == 0, "\(projected.errors)")
    // Purchases, tins per purchase; scans are at once there, so that their share is taken as it is.
    #expect(projected.output.contains("5 settings are uncertain"), "\(projected.output)")
    let shown = try bench.run("scenario", "show", "fit/scenario.yaml")
    #expect(shown.output.contains("From cdnow-sample.csv, 1997-01-01 to 1997-09-30"))
  }

  @Test(
    "A simulated history gives back what the world had, as a scenario with sources that is projected"
  )
  func wholeScenario() throws {
    let bench = try Workbench()
    try bench.write(
      "world.yaml",
      """
      name: world
      seed: 77
      calendar: { days: 150 }
      population:
        members: 600
        adoption: { model: bass, p: 0.5, q: 12, market: 600 }
        tins: { per_purchase: 3, scanned: 50 % }
      """)
    #expect(try bench.run("run", "world.yaml", "--history", "h.csv", "--out", "r").code == 0)
    let outcome = try bench.run(
      "calibrate", "h.csv", "--model", "mbg_nbd", "--erlang", "2", "--out", "fit", "--plotly", "cdn"
    )
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    for part in [
      "Sign-ups\n", "Tins per purchase\n", "Tins with a scan\n", "Purchases by hour\n",
      "Purchases by weekday\n", "Referrals\n", "Members by level\n", "2026-Q2  High Roller",
    ] {
      #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)")
    }
    let page = try bench.read("fit/calibration.html")
    for plot in [
      "adoption", "amounts", "uses", "hours", "hours-grid", "weekdays", "referral", "levels",
    ] {
      #expect(page.contains("id=\"plot-\(plot)\""), "\(plot)")
    }
    let shown = try bench.run("scenario", "show", "fit/scenario.yaml")
    #expect(shown.code == 0, "\(shown.errors)")
    for path in [
      "population.tins.per_purchase", "population.tins.scanned", "population.adoption.market",
      "population.season.hours", "population.referral.referred", "calendar.start",
    ] {
      let line = shown.output.split(separator: "\n").first { $0.hasPrefix("\(path) ") }
      #expect(line?.contains(" sourced ") == true, "\(path): \(line ?? "")")
    }
    let projected = try bench.run(
      "project", "fit/scenario.yaml", "--replications", "3", "--plotly", "cdn", "--out", "p",
      "--no-assumptions")
    #expect(projected.code == 0, "\(projected.errors)")
    #expect(projected.output.contains("12 settings are uncertain"), "\(projected.output)")
    let quick = try bench.run("calibrate", "h.csv", "--model", "mbg_nbd", "--no-simulation")
    #expect(quick.code == 0 && quick.output.contains("Nothing was simulated"))
    #expect(!quick.output.contains("Members by level"))
    let run = try bench.run("run", "fit/scenario.yaml", "--out", "again")
    #expect(run.code == 0 && !run.output.contains("Set here: sources"), "\(run.output)")
  }

  @Test("A folder of others is not written to, and one of calibrate's own is replaced")
  func folders() throws {
    let bench = try Workbench()
    try history(bench)
    let arguments = ["calibrate", "h.csv", "--model", "mbg_nbd", "--plotly", "cdn", "--out"]
    for _ in 0..<2 {
      #expect(try bench.run(arguments + ["fit"], environment: [:]).code == 0)
      #expect(
        try bench.names("fit").filter { !$0.hasSuffix("-draws.csv") } == [
          "calibration.html", "calibration.json", "purchase.yaml", "scenario.yaml",
        ])
    }
    let refused = try bench.run(arguments + ["."], environment: [:])
    #expect(refused.code == 74)
    #expect(refused.errors.contains("already exists and is not an experiment's folder"))
    #expect(try bench.names() == ["fit", "h.csv"])
  }

  @Test(
    "Wrong options are usage, and data that cannot be fitted are bad input",
    arguments: [
      (["h.csv", "--until", "tomorrow"], 64, "'tomorrow' is not a date"),
      (["h.csv", "--zone", "Mars/Olympus"], 64, "unknown time zone"),
      (["h.csv", "--model", "nbd"], 64, "--model"),
      (["h.csv", "--until", "2025-01-01"], 65, "h.csv: the end of calibration 2025-01-01"),
      (
        ["h.csv", "--until", "2026-02-10", "--holdout", "2026-02-01"], 65,
        "h.csv: the end of the holdout 2026-02-01"
      ),
      (["h.csv", "--until", "2026-01-01"], 65, "h.csv: none of the"),
      (["broken.csv"], 65, "broken.csv:2: "), (["missing.csv"], 74, "missing.csv: no such file"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], code: Int32, message: String) throws {
    let bench = try Workbench()
    try history(bench)
    try bench.write("broken.csv", "time,member,event,tins,other\nnever,a,purchase,1,\n")
    let process = bench.process(["calibrate"] + arguments + ["--out", "none"])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = Pipe()
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == code)
    #expect(String(decoding: said, as: UTF8.self).contains(message))
    #expect(
      !FileManager.default.fileExists(atPath: bench.folder.appendingPathComponent("none").path))
  }
}
