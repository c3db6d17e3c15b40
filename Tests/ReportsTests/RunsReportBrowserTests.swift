// Goal: the page about runs works in a real browser, on the screen and on paper.
// Method: headless Chromium loads the page, once as people see it and once as it is printed, and
// makes the PDF, whose pages are counted. Skipped where no Chromium or no plotly.js is.

import BlakJaks
import Foundation
import Reports
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct RunsReportBrowserTests {
  private func page(_ count: Int, _ source: PlotlySource) throws -> String {
    let records = [
      try SampleRun.yearWithInsights(), try SampleRun.year(seed: 8), try SampleRun.year(days: 59),
    ]
    return runsPage(
      Array(zip(["a", "b", "c"], records).prefix(count)), source: source)
  }

  @Test(
    "Every plot is drawn on the screen and on paper", .needsBrowser, .needsPlotly,
    arguments: [(1, 15), (3, 6)])
  func plotsAreDrawn(runs: Int, plots: Int) throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let file = (name: "report.html", contents: Data(try page(runs, source).utf8))
    let screen = try chromium.document(of: [file])
    #expect(screen.count(of: "data-errors=\"\"") == 1)
    #expect(screen.count(of: "class=\"plot js-plotly-plot\"") == plots)
    #expect(screen.count(of: "<details class=\"print\" open=\"\">") == 0)
    let paper = try chromium.document(of: [file], fragment: "#print")
    #expect(paper.count(of: "data-errors=\"\"") == 1)
    #expect(paper.count(of: "class=\"plot js-plotly-plot\"") == plots)
    #expect(paper.count(of: "data-theme=\"light\"") == 1)
    // What stays folded on the screen is open, and the plots have the page's width.
    #expect(paper.count(of: "<details class=\"print\">") == 0)
    #expect(paper.count(of: "<details class=\"print\" open=\"\">") > 3)
    #expect(paper.count(of: "class=\"main-svg\"") >= plots)
    #expect(paper.count(of: "width=\"676\"") >= plots)
  }

  @Test(
    "Panels are one below the other on a phone, and side by side on a wide screen", .needsBrowser,
    .needsPlotly, arguments: [(390, 1), (1_280, 2)])
  func panels(width: Int, columns: Int) async throws {
    let source = try #require(plotlyOfCheckout())
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "panels-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "report.html")
    try Data(try page(3, source).utf8).write(to: file)
    let browser = try Chromium()
    let tab = try await browser.open(
      file.absoluteString, width: width, height: 900, dark: false)
    let layout = "document.getElementById('plot-runs-treasury')?._fullLayout"
    #expect(
      try await tab.wait(for: "\(columns)", "String(\(layout)?.grid?.columns)") == "\(columns)")
    // Panels lie apart, with room for what is written between them.
    let apart =
      "['yaxis', 'yaxis3'].map((name) => \(layout)[name]).reduce((above, below) => "
      + "(above.domain[0] - below.domain[1]) * \(layout).height)"
    #expect(try #require(Double(try await tab.text("String(\(apart))"))) > 40)
  }

  @Test(.needsBrowser, .needsPlotly) func hostileTextsRunNothing() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let record = try hostileRecord(days: 40)
    let page = runsPage(
      [(record.scenario, record), ("b", try hostileRecord(days: 30))], title: record.scenario,
      source: source)
    let document = try chromium.document(of: [("report.html", Data(page.utf8))])
    #expect(document.count(of: "data-hacked") == 0)
    #expect(document.count(of: "data-errors=\"\"") == 1)
    #expect(document.count(of: "class=\"plot js-plotly-plot\"") == 5)
  }

  @Test("The PDF has its pages", .needsBrowser, .needsPlotly, arguments: [1, 3])
  func printed(runs: Int) throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let document = try chromium.pdf(of: try page(runs, source))
    let text = String(decoding: document, as: UTF8.self)
    #expect(text.hasPrefix("%PDF-"))
    let pages = text.count(of: "/Type /Page") - text.count(of: "/Type /Pages")
    #expect(pages > 2)
    #expect(pages < 30)
  }
}

extension Browser {
  /// A page that needs nothing beside it, as PDF.
  func pdf(of page: String) throws -> Data {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("pitboss-pdf-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("page.html")
    try Data(page.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "90", program, "--headless", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--user-data-dir=\(folder.path)/profile", "--virtual-time-budget=5000",
      "--print-to-pdf=\(folder.path)/page.pdf", "--no-pdf-header-footer",
      file.absoluteString + "#print",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: folder.appendingPathComponent("page.pdf"))
  }
}
