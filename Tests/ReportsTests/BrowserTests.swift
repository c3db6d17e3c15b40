// Goal: the page works in a real browser: every plot is drawn and nothing is logged as an error.
// Method: headless Chromium loads the files from disk and prints the document it ended with. A
// script put before the page's own collects what goes wrong. Skipped where no Chromium is, or
// where the script plotly.js was not fetched.

import BlakJaks
import Foundation
import Reports
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct BrowserTests {
  @Test(.needsBrowser, .needsPlotly) func plotsOfAYearAreDrawn() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let page = try chromium.document(
      of: try SampleRun.yearWithInsights(), plotly: .directory, source: source)
    #expect(page.count(of: "class=\"main-svg\"") >= 14)
    // Five of the run, nine of the pages of Insights.
    #expect(page.count(of: "class=\"plot js-plotly-plot\"") == 14)
    #expect(page.count(of: "class=\"plot\"") == 0)
    #expect(page.count(of: "data-errors=\"\"") == 1)
    // 12 months of three lines, and a bar a month.
    #expect(page.count(of: "class=\"point\"") > 12 * 4)
    // The page's own script names it once, to switch it off; no button does.
    #expect(page.count(of: "data-attr=\"sendChartToCloud\"") == 0)
  }

  /// The script stands in the page, and every text tries to break out of it.
  @Test(.needsBrowser, .needsPlotly) func hostileNamesRunNothing() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let page = try chromium.document(
      of: try hostileRecord(days: 40), plotly: .inline, source: source)
    #expect(page.count(of: "data-hacked") == 0)
    #expect(page.count(of: "data-errors=\"\"") == 1)
    #expect(page.count(of: "class=\"plot js-plotly-plot\"") == 5 + 5)
  }

  @Test(.needsBrowser) func missingScriptOpensTheTables() throws {
    let chromium = try #require(Browser.find())
    let lost = PlotlySource(script: Data("/* lost */".utf8))
    let page = try chromium.document(
      of: try SampleRun.year(days: 40), plotly: .directory, source: lost)
    #expect(page.count(of: "The plot needs plotly.js, which could not be loaded.") >= 5)
    #expect(page.count(of: "<details class=\"print\" open=\"\">") == 3)
  }

  @Test(.needsBrowser, .needsPlotly, arguments: [0, 1])
  func shortRunsHaveAPage(days: Int) throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let record = days == 0 ? BlakJaksRecord() : try SampleRun.year(days: days)
    let page = try chromium.document(of: record, plotly: .directory, source: source)
    #expect(page.count(of: "data-errors=\"\"") == 1)
    // The first day has no award, so no timeline. Insights show scans, payouts, the gauge, tiers
    // and milestones of any run.
    let plots = days == 0 ? 0 : (record.awards.isEmpty ? 4 : 5) + 5
    #expect(page.count(of: "class=\"plot js-plotly-plot\"") == plots)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where no Chromium is.
  static var needsBrowser: Self {
    .enabled(if: Browser.find() != nil, "no Chromium on this machine")
  }

  /// Skips a test where plotly.js was not fetched.
  static var needsPlotly: Self {
    .enabled(if: plotlyOfCheckout() != nil, "no plotly.js; run Scripts/fetch-plotly")
  }
}

/// The script that `Scripts/fetch-plotly` brings; nil where it was not run.
func plotlyOfCheckout() -> PlotlySource? {
  let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
  return PlotlySource.find(from: [here, FileManager.default.currentDirectoryPath])
}

/// A Chromium of this machine.
struct Browser {
  let program: String

  /// Nil where there is none.
  static func find() -> Browser? {
    for name in ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    where FileManager.default.isExecutableFile(atPath: name) {
      return Browser(program: name)
    }
    return nil
  }

  /// The document of a run's own report as it stands after its scripts ran.
  func document(
    of record: BlakJaksRecord, plotly: PlotlyMode, source: PlotlySource?
  ) throws -> String {
    let files = HTMLReport.files(BlakJaksProgramme.self, record, plotly: plotly, source: source)
    return try document(of: files.map { ($0.name, $0.contents) })
  }

  /// The document as it stands after its scripts ran.
  ///
  /// - Parameters:
  ///   - files: The page and what stands beside it; the page is named `report.html`.
  ///   - fragment: Stands behind the page's address.
  func document(of files: [(name: String, contents: Data)], fragment: String = "") throws -> String
  {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("pitboss-page-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files {
      try file.contents.write(to: folder.appendingPathComponent(file.name))
    }
    let page = folder.appendingPathComponent(HTMLReport.pageName)
    let spy = """
      <head><script>
      (function () {
        var root = document.documentElement, errors = [];
        root.dataset.errors = '';
        function note(text) { errors.push(text); root.dataset.errors = errors.join(' | '); }
        addEventListener('error', function (e) { note(e.message || 'load'); }, true);
        addEventListener('unhandledrejection', function (e) { note(String(e.reason)); });
        console.error = function (text) { note(String(text)); };
      })();
      </script>
      """
    let text = try String(contentsOf: page, encoding: .utf8)
    let head = try #require(text.firstRange(of: "<head>"))
    try text.replacingCharacters(in: head, with: spy)
      .write(to: page, atomically: true, encoding: .utf8)
    return try dump(
      page.absoluteString + fragment, profile: folder.appendingPathComponent("profile").path)
  }

  private func dump(_ address: String, profile: String) throws -> String {
    let output = NSTemporaryDirectory() + "pitboss-dom-" + UUID().uuidString
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    defer { try? FileManager.default.removeItem(atPath: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "60", program, "--headless=new", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--user-data-dir=\(profile)", "--window-size=1400,3000", "--virtual-time-budget=3000",
      "--dump-dom", address,
    ]
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "Chromium ended badly")
    return try String(contentsOfFile: output, encoding: .utf8)
  }
}

extension String {
  /// How often a text occurs.
  func count(of part: String) -> Int { ranges(of: part).count }
}
