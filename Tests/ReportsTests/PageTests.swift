// Goal: the page holds the figures, escapes what people wrote, and says when plots are missing.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

/// A record whose every text tries to break out of the page or of a plot.
func hostileRecord(days: Int = 365) throws -> BlakJaksRecord {
  var record = try SampleRun.year(days: days)
  let attack =
    "</script><!--<script><img src=x onerror=\"document.documentElement.dataset.hacked=1\">'\"&"
    + "\u{2028}\u{2029}\u{202E}\u{1B}[31m%{x}@@bad<a href=\"javascript:alert(1)\">x</a>"
  record.scenario = attack
  record.scenarioDescription = attack
  for index in record.awards.indices {
    record.awards[index].member = attack
    if record.awards[index].kind == .trip { record.awards[index].prize = attack }
  }
  record.prizes[4].prize.name = attack
  record.payouts[4].type = attack
  record.outcomes[0].name = attack
  record.accounts[0].account = attack
  record.settings = [RunHeader.SettingRow(path: attack, value: attack, mark: attack)]
  return record
}

@Suite struct PageTests {
  private let source = PlotlySource(script: Data("var Plotly = 1; // </script>".utf8))

  private func page(_ record: BlakJaksRecord, _ mode: PlotlyMode = .directory) -> String {
    HTMLReport.page(
      BlakJaksProgramme.self, record, plotly: mode, source: source,
      links: ["run.sqlite", "a b.csv"])
  }

  @Test func aTableHasHeadingsOrNoHead() throws {
    var record = try SampleRun.year(days: 3)
    record.header.thresholds = [
      RunHeader.ThresholdRow(
        threshold: "tins.sold > 0", holds: true, figure: "tins.sold", reached: 5)
    ]
    let page = page(record)
    #expect(
      try PageTable("Thresholds", in: page).rows.first == ["Threshold", "Verdict", "Reached"])
    #expect(page.contains("<caption>How this was run</caption>\n<tbody>"))
  }

  @Test func plotsAreWrittenAsFoundationWritesThem() throws {
    let numbers: [Double] = [
      0, -0.0, 1, -17, 0.1, 1.5e-7, 0.001, 0.0011, 123_456.789, -2.5, 1e12, 1.5e12, 1e15, 1e16,
      -2.5e20, .pi, 999_999_999_999_999, 9_007_199_254_740_992, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude,
    ]
    let texts = [
      "", "plain", "</script>&", "\"\\/", "\u{1}\n\t\u{7F}", "é – \u{2028}\u{2029}", "@@main",
    ]
    let plot = PlotSpec(
      id: "plot-<a>", data: [.null, true, false, .numbers(numbers), .texts(texts)],
      layout: ["b": .object([:]), "a": .list([]), "yaxis10": 1, "yaxis2": ["x": "y"], "é": .null])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var coded = String(decoding: try encoder.encode([plot, plot]), as: UTF8.self)
    for (mark, escape) in [
      ("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u{2028}", "\\u2028"),
      ("\u{2029}", "\\u2029"),
    ] { coded = coded.replacing(mark, with: escape) }
    #expect(PlotJSON.text([plot, plot]) == coded)
  }

  @Test func figuresStandOnThePage() throws {
    let record = try SampleRun.year()
    let page = page(record)
    let figures = RunFigures(record)
    for text in [
      record.acceptedScans.grouped, record.members.grouped, figures.grossProfit.cents,
      figures.budget.cents, figures.spendCash.cents, figures.spendAccrual.cents,
      record.payoutTotal.total.cents, "takes the largest part of the budget", "Spend, accrual",
      "Spend, cash", "\(record.prizes[4].away.grouped)", "Trip $200K", "Dec 2026",
      "<a href=\"./run.sqlite\">run.sqlite</a>", "<a href=\"./a%20b.csv\">a b.csv</a>",
      "assumed; the scenario can say otherwise",
    ] {
      #expect(page.count(of: text) > 0, "\(text)")
    }
    #expect(page.count(of: "interrupted") == 0)
  }

  @Test func interruptedRunIsMarked() throws {
    var record = try SampleRun.year(days: 45)
    record.interrupted = true
    let page = page(record)
    #expect(page.count(of: "This run was interrupted.") == 1)
    #expect(page.count(of: "Feb 2026*") > 0)
    #expect(page.count(of: "Jan 2026*") == 0)
  }

  @Test func hostileTextStaysText() throws {
    let page = page(try hostileRecord())
    #expect(page.count(of: "<img") == 0)
    #expect(page.count(of: "<!--") == 0)
    #expect(page.count(of: "<a href=\"javascript") == 0)
    let unsafe = page.unicodeScalars.count { [0x2028, 0x202E, 0x1B].contains($0.value) }
    #expect(unsafe == 0)
    // Plots, plotly.js, the page's own script: nothing else opens or ends a script.
    #expect(page.count(of: "<script") == 3)
    #expect(page.count(of: "</script") == 3)
    #expect(page.count(of: "\\u0026lt;") > 0)
  }

  @Test func modesReferToTheScriptAsPlotlyUsersKnow() throws {
    let record = try SampleRun.year(days: 3)
    let directory = HTMLReport.files(
      BlakJaksProgramme.self, record, plotly: .directory, source: source)
    #expect(directory.map(\.name) == ["report.html", "plotly.min.js"])
    #expect(directory[1].contents == source.script)
    #expect(page(record, .directory).count(of: "src=\"plotly.min.js\"") == 1)
    let inline = HTMLReport.files(BlakJaksProgramme.self, record, plotly: .inline, source: source)
    #expect(inline.map(\.name) == ["report.html"])
    #expect(page(record, .inline).count(of: "<script>var Plotly = 1; // <\\/script></script>") == 1)
    let cdn = HTMLReport.files(BlakJaksProgramme.self, record, plotly: .cdn, source: nil)
    #expect(cdn.map(\.name) == ["report.html"])
    // The address and the digest that plotly.py 7.1.0 writes with include_plotlyjs="cdn".
    #expect(
      page(record, .cdn).count(
        of: "<script charset=\"utf-8\" src=\"https://cdn.plot.ly/plotly-4.1.1.min.js\" "
          + "integrity=\"sha256-O24V1F27f8pb0glCkelh3cVHLNiHAJ5gCaVtq2aNch8=\" "
          + "crossorigin=\"anonymous\"></script>") == 1)
  }

  @Test("Without the script the page says so and keeps its tables", arguments: PlotlyMode.allCases)
  func missingScript(mode: PlotlyMode) throws {
    let record = try SampleRun.year(days: 40)
    let files = HTMLReport.files(BlakJaksProgramme.self, record, plotly: mode, source: nil)
    #expect(files.count == 1)
    let page = String(decoding: files[0].contents, as: UTF8.self)
    let says = "run Scripts/fetch-plotly, or choose --plotly cdn"
    #expect(page.count(of: says) == (mode != .cdn ? 1 : 0))
    #expect((page.count(of: "<script") > 0) == (mode == .cdn))
    #expect(page.count(of: "Budget and spend by month in USDT") > 0)
  }

  @Test func emptyRunHasAPage() {
    let page = page(BlakJaksRecord())
    #expect(page.count(of: "No day was run.") > 0)
    #expect(page.suffix(8) == "</html>\n")
  }

  @Test func sourceIsFoundAboveAFolder() throws {
    let root = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("pitboss-vendor-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let deep = root.appendingPathComponent("a/b/c")
    try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    let vendor = root.appendingPathComponent(".vendor/plotly")
    try FileManager.default.createDirectory(at: vendor, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: vendor.appendingPathComponent("plotly.min.js"))
    #expect(PlotlySource.find(from: ["/nowhere", deep.path])?.script == Data("x".utf8))
    #expect(PlotlySource.find(from: ["/nowhere"]) == nil)
  }
}
