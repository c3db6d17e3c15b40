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

  @Test(
    "Of names of points that would cover each other only the first is shown", .needsBrowser,
    .needsPlotly)
  func names() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let page = """
      <!DOCTYPE html><html><head><meta charset="utf-8"></head><body>
      <div id="plot" style="width: 600px"></div><script src="plotly.min.js"></script><script>
      \(PageScript.drawing)
      const box = document.getElementById('plot');
      drawPlot(box, { layout: { height: 300 }, data: [{
        mode: 'markers+text', x: [0, 0.01, 1], y: [0, 0, 1], text: ['one', 'two', 'three'],
        textposition: 'top left',
      }] }).then(() => {
        const names = [...box.querySelectorAll('.textpoint text')];
        document.body.dataset.shown = names.filter((name) => name.style.visibility !== 'hidden')
          .map((name) => name.textContent).join(' ');
      });
      </script></body></html>
      """
    let document = try chromium.document(of: [
      ("report.html", Data(page.utf8)), ("plotly.min.js", source.script),
    ])
    #expect(document.contains("data-shown=\"one three\""))
    #expect(document.count(of: "data-errors=\"\"") == 1)
  }

  @Test(
    "Buttons that would cover the legend of a narrow plot are left out", .needsBrowser, .needsPlotly
  )
  func buttons() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let page = """
      <!DOCTYPE html><html><head><meta charset="utf-8"></head><body>
      <div id="narrow" style="width: 360px"></div><div id="wide" style="width: 800px"></div>
      <script src="plotly.min.js"></script><script>
      \(PageScript.drawing)
      const spec = { layout: { height: 300 }, data: [{ name: 'a', y: [0] }, { name: 'b', y: [1] }] };
      const boxes = ['narrow', 'wide'].map((id) => document.getElementById(id));
      Promise.all(boxes.map((box) => drawPlot(box, spec))).then(() => {
        document.body.dataset.buttons = boxes.map(
          (box) => box.id + ' ' + (box.querySelectorAll('.modebar-btn').length > 0)).join(', ');
      });
      </script></body></html>
      """
    let document = try chromium.document(of: [
      ("report.html", Data(page.utf8)), ("plotly.min.js", source.script),
    ])
    #expect(document.contains("data-buttons=\"narrow false, wide true\""))
    #expect(document.count(of: "data-errors=\"\"") == 1)
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

extension Browser {
  /// The document of a run's own report as it stands after its scripts ran.
  func document(
    of record: BlakJaksRecord, plotly: PlotlyMode, source: PlotlySource?
  ) throws -> String {
    let files = HTMLReport.files(BlakJaksProgramme.self, record, plotly: plotly, source: source)
    return try document(of: files.map { ($0.name, $0.contents) })
  }
}
