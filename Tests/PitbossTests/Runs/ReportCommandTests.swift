// Goal: `pitboss report` makes a page and a PDF of finished runs, refuses what are no runs with the
// promised exit codes, and writes over nothing of others.
// Method: the real program on small runs in a folder of its own.

import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ReportCommandTests {
  /// The files of two runs that differ in one setting; every test has them on a bench of its own.
  private static let runs = Result {
    let bench = try Workbench()
    let file = try bench.small("calendar: {days: 70}\n")
    for (name, base) in [("one", "0.2"), ("two", "0.3")] {
      let run = try bench.run(
        "run", file, "--out", "Results/\(name)", "--set", "rules.scan_reward.base=\(base)",
        "--plotly", "cdn")
      #expect(run.code == 0, "\(run.errors)")
    }
    return try bench.files(below: "Results")
  }

  /// A bench with these runs in Results/.
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    _ = try bench.small("calendar: {days: 70}\n")
    try bench.put(Self.runs.get())
    return bench
  }

  @Test func oneRunAndSeveralBecomeAPage() throws {
    let bench = try bench()
    let one = try bench.run("report", "one", "--plotly", "cdn")
    #expect(one.code == 0, "\(one.errors)")
    #expect(one.output == "Report  Results/report.html\n")
    #expect(one.errors.isEmpty)
    let page = try bench.read("Results/report.html")
    #expect(page.contains("<section id=\"summary\""))
    let months = try bench.read("Results/one/months.csv").split(separator: "\n").dropFirst()
    let spend = months.reduce(Int64(0)) { $0 + (Int64($1.split(separator: ",")[6]) ?? 0) }
    #expect(spend > 0)
    let cents = (spend + 5_000) / 10_000
    let fraction = cents % 100 < 10 ? "0\(cents % 100)" : "\(cents % 100)"
    #expect(
      page.replacing(",", with: "").contains(
        "The comp pool carries \(cents / 100).\(fraction) of it by"))
    // The page stands where it was; a page of ours may be replaced.
    let two = try bench.run(
      "report", "Results/one", "two/", "Results/two", "--plotly", "cdn", "--title", "One & two")
    #expect(two.code == 74, "a bare name has no slash: \(two.errors)")
    #expect(try bench.read("Results/report.html") == page)
    let both = try bench.run(
      "report", "Results/one/", "two", "--plotly", "cdn", "--title", "One & two")
    #expect(both.code == 0, "\(both.errors)")
    let pair = try bench.read("Results/report.html")
    #expect(pair.contains("<h1>One &amp; two</h1>"))
    #expect(pair.contains("rules.scan_reward.base"))
    #expect(pair.contains("A one") && pair.contains("B two"))
    #expect(try bench.run("report", "one", "--out", "new/deep/x.html", "--plotly", "cdn").code == 0)
    #expect(try bench.names("new/deep") == ["x.html"])
  }

  @Test func whatIsNoRunIsRefusedAndEveryFaultIsNamed() throws {
    let bench = try bench()
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("mine"), withIntermediateDirectories: true)
    try bench.write("mine/run.sqlite", "years of work")
    try bench.write("thesis.txt", "years of work")
    for foreign in ["mine", "thesis.txt", "Results"] {
      let outcome = try bench.run("report", "one", foreign, "--plotly", "cdn")
      #expect(outcome.code == 65, "\(foreign): \(outcome.errors)")
      #expect(outcome.errors.contains(foreign))
      #expect(outcome.output.isEmpty)
    }
    #expect(try bench.run("report", "nowhere").code == 74)
    let all = try bench.run("report", "nowhere", "mine", "one", "thesis.txt")
    #expect(all.code == 74, "the first fault gives the code")
    #expect(all.errors.split(separator: "\n").count == 3)
    #expect(try bench.run("report", "mine", "nowhere").code == 65)
    // A run that was changed is a run, but a damaged one.
    let file = bench.folder.appendingPathComponent("Results/two/run.sqlite")
    var bytes = try Data(contentsOf: file)
    for index in 4_096..<bytes.count { bytes[index] ^= 0x55 }
    try bytes.write(to: file)
    #expect(try bench.run("report", "one", "two").code == 74)
    #expect(try bench.names("Results") == ["one", "two"])
  }

  @Test func filesOfOthersAreNotReplaced() throws {
    let bench = try bench()
    try bench.write("thesis.html", "<!DOCTYPE html>\n<title>years of work</title>\n")
    try bench.write("thesis.pdf", "years of work")
    func refused(_ arguments: String...) throws {
      let process = bench.process(["report", "one", "--plotly", "cdn"] + arguments)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 74, "\(arguments)")
    }
    try refused("--out", "thesis.html")
    try refused("--out", "x.html", "--pdf", "thesis.pdf")
    try refused("--out", "Results")
    // The files of a run folder belong together: its summary lists them.
    try refused("--out", "Results/one/report.html")
    try refused("--out", "Results/one/more.html")
    try refused("--out", "/dev/null/x.html")
    #expect(try bench.read("thesis.pdf") == "years of work")
    #expect(try bench.read("thesis.html").contains("years of work"))
    #expect(try bench.names() == ["Results", "small.yaml", "thesis.html", "thesis.pdf"])
    #expect(try bench.names("Results") == ["one", "two"])
  }

  @Test func wrongUsageIsRefused() throws {
    let bench = try Workbench()
    #expect(try bench.run("report").code == 64)
    #expect(try bench.run("report", "a", "--plotly", "sometimes").code == 64)
    #expect(try bench.run("report", "a", "--paper", "a3").code == 64)
    #expect(try bench.run("report", "a", "--out", "").code == 64)
    #expect(try bench.run("report", "a", "--out", "x", "--pdf", "x").code == 64)
    #expect(try bench.run("report", "a", environment: ["PITBOSS_PLOTLY": "no"]).code == 64)
    let many = bench.process(["report"] + Array(repeating: "a", count: 13))
    many.standardError = FileHandle.nullDevice
    many.standardOutput = FileHandle.nullDevice
    try many.run()
    many.waitUntilExit()
    #expect(many.terminationStatus == 64)
  }

  @Test func withoutABrowserThePDFIsRefusedBeforeAnythingIsWritten() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "report", "one", "--pdf", "x.pdf", "--plotly", "cdn",
      environment: ["PATH": bench.folder.path])
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("--pdf needs Chromium"))
    #expect(outcome.errors.contains("apt-get install chromium"))
    #expect(try bench.names("Results") == ["one", "two"])
    // A browser that gives nothing leaves nothing.
    try bench.write("chromium", "#!/bin/sh\nexit 3\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: bench.folder.appendingPathComponent("chromium").path
    )
    let broken = try bench.run(
      "report", "one", "--pdf", "x.pdf", "--plotly", "cdn",
      environment: ["PATH": bench.folder.path])
    #expect(broken.code == 74)
    #expect(broken.errors.contains("exited with code 3 without writing a PDF"))
    #expect(try !bench.names().contains("x.pdf"))
  }

  @Test(.needsBrowser) func aPDFOfSeveralRunsHasItsPages() throws {
    let bench = try bench()
    let outcome = try bench.run(
      "report", "one", "two", "--out", "x.html", "--pdf", "x.pdf", "--plotly", "cdn", "--paper",
      "letter")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "Report  x.html\nPDF     x.pdf\n")
    let text = String(
      decoding: try Data(contentsOf: bench.folder.appendingPathComponent("x.pdf")), as: UTF8.self)
    #expect(text.count(of: "/Type /Page") - text.count(of: "/Type /Pages") > 2)
    #expect(text.contains("/MediaBox [0 0 612 792]"))
    // A PDF may be replaced.
    #expect(
      try bench.run("report", "one", "--out", "x.html", "--pdf", "x.pdf", "--plotly", "cdn").code
        == 0)
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
