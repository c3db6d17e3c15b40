import BlakJaks
// Goal: the page of a projection draws its plots in a real browser.
// Method: as `BrowserTests`, on a projection of two small runs.
import Experiments
import Foundation
import Quantities
import Reports
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ProjectionBrowserTests {
  @Test(
    "Every plot of a projection is drawn, and nothing is logged as an error", .needsBrowser,
    .needsPlotly)
  func plots() throws {
    let chromium = try #require(Browser.find())
    let source = try #require(plotlyOfCheckout())
    let scenario = try Scenario.load(
      text: "name: small\npopulation: {members: 150}\ncalendar: {days: 70}\n", file: "small.yaml")
    let runner = ReplicationRunner(
      try scenario.plan(), threads: 2)
    let fold = try #require(
      try Projector(runner, target: .replications(2)).run { _, _ in true })
    let projection = Projection(
      fold, seed: 1, dates: runner.plan.frame.calendar.dates.map(\.description))
    let html = ProjectionPage.html(
      projection, scenario: "<b>small</b>", description: "", settings: runner.plan.frame.settings,
      plotly: .inline, source: source)
    #expect(html.contains("Projection of &lt;b&gt;small&lt;/b&gt;"))
    let boxes = html.count(of: "<div class=\"plot\" id=\"plot-")
    #expect(boxes == 7, "a waterfall of one bar is not drawn")
    let page = try chromium.document(of: [(name: "report.html", contents: Data(html.utf8))])
    #expect(page.count(of: "data-errors=\"\"") == 1)
    #expect(page.count(of: "class=\"plot js-plotly-plot\"") == boxes)
    for id in [
      "fan", "projected", "breach", "exceedance", "events", "retention", "heat",
    ].map({ "plot-\($0)" }) {
      #expect(page.contains("<div class=\"plot js-plotly-plot\" id=\"\(id)\""), "\(id)")
    }
  }
}
