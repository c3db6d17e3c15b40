// Goal: what a plot of an experiment's page shows can be read without it, and the page says where.
// Method: plots of each kind with numbers made by hand, and a page whose script cannot be loaded.
import Foundation
import Reports
import TestSupport
import Testing

@Suite struct PlotTableTests {
  /// The rows of the tables of a page with one plot.
  private func rows(_ data: [PlotValue], _ layout: PlotValue) -> [String] {
    let page = ExperimentPage(
      title: "t", heading: "t",
      sections: [
        ExperimentPage.Section(
          id: "s", title: "Spend", plots: [PlotSpec(id: "plot-s", data: data, layout: layout)])
      ])
    return page.rendered(.cdn, nil).split(separator: "\n").filter { $0.contains("<tr>") }.map {
      String($0).replacing("<wbr>", with: "").replacing(#/<[^>]*>/#, with: "|")
        .replacing(#/\|+/#, with: "|")
    }
  }

  @Test("An area has its two edges, a line its name, and a line that is no result no column")
  func lines() {
    let dates: PlotValue = ["2026-01-01", "2026-01-02"]
    let rows = rows(
      [
        [
          "type": "scatter", "x": dates, "y": [1, .null], "hoverinfo": "skip", "showlegend": false,
        ],
        [
          "type": "scatter", "x": dates, "y": [12_345.6, .null], "hoverinfo": "skip",
          "name": "P5 to P95", "fill": "tonexty",
        ],
        ["type": "scatter", "x": dates, "y": [7.25, -0.001], "name": "Median"],
        [
          "type": "scatter", "x": dates, "y": [100, 100], "hoverinfo": "skip", "name": "Budget",
        ],
      ], ["xaxis": ["type": "date"], "yaxis": ["title": ["text": "USDT"]]])
    #expect(
      rows == [
        "|Day|P5 to P95, USDT, low|P5 to P95, USDT, high|Median, USDT|",
        "|2026-01-01|1|12,346|7.25|",
        "|2026-01-02|-0.0010|",
      ])
  }

  @Test("Bars have their intervals, their units, and the names that a plot breaks into lines")
  func bars() {
    let rows = rows(
      [
        [
          "type": "bar", "orientation": "h", "x": [20, -4.96],
          "y": ["population.<br>tins", "a &lt; b"],
          "customdata": [9, 9], "hovertemplate": "%{x} of %{customdata}",
          "error_x": ["array": [1, 0.5]],
        ],
        [
          "type": "scatter", "x": [1, 3], "y": [0.5, 2], "hovertext": ["one", "two"],
          "error_y": ["symmetric": false, "array": [1, 1], "arrayminus": [0.5, 0]], "name": "σ",
        ],
      ], ["xaxis": ["ticksuffix": " %", "title": ["text": "Share"]]])
    #expect(
      rows == [
        "|Share|±|", "|population.tins|20.0 %|1.0 %|", "|a &lt; b|-5.0 %|0.5 %|",
        "|σ|Share|σ, low|σ, high|", "|one|0.50|1 %|0|1.50|", "|two|2|3 %|2|3|",
      ])
  }

  @Test("A sum of steps has the sum, and points on a scale of their own the names of their places")
  func steps() {
    let sum = rows(
      [
        [
          "type": "waterfall", "x": ["Given", "Expired", "Owed"], "y": [483, -192, 0],
          "measure": ["relative", "relative", "total"],
        ]
      ], ["yaxis": ["title": ["text": "USD"]]])
    #expect(sum == ["|USD|", "|Given|483|", "|Expired|-192|", "|Owed|291|"])
    let scale = rows(
      [
        [
          "type": "scatter", "name": "Latency", "x": [2, 100], "y": [1.5, 30],
          "text": ["p50", "p99"],
        ]
      ],
      [
        "xaxis": [
          "title": ["text": "percentile"], "tickvals": [2, 100], "ticktext": ["50", "99"],
        ],
        "yaxis": ["title": ["text": "ms"]],
      ])
    #expect(scale == ["|percentile|Latency, ms|", "|p50|1.50|", "|p99|30|"])
  }

  @Test("Settings that are close together are told apart")
  func close() {
    let rows = rows(
      [["type": "scatter", "x": [1.001, 1.002], "y": [10, 20], "name": "Mean"]],
      ["xaxis": ["title": ["text": "items"], "ticksuffix": " a day"]])
    #expect(rows == ["|items|Mean|", "|1.001 a day|10|", "|1.002 a day|20|"])
    let amounts = self.rows(
      [["type": "scatter", "x": [15_749.9, 17_000], "y": [10, 20], "name": "Mean"]], [:])
    #expect(amounts == ["|Mean|", "|15,749.90|10|", "|17,000.00|20|"])
  }

  @Test("What is drawn on an axis of powers of ten is told as it is")
  func places() {
    let rows = rows(
      [
        [
          "type": "scatter", "x": ["2026-01"], "y": [4.2], "customdata": [15_800], "name": "Comps",
          "hovertemplate": "%{customdata:,.2f}",
        ]
      ], [:])
    #expect(rows.last == "|2026-01|15,800|")
  }

  @Test("A map of few columns is a table of them, one of days has a row each day, or each second")
  func maps() {
    let small = rows(
      [
        [
          "type": "heatmap", "x": [0, 1], "y": ["Mon", "Tue"], "z": [[1, 2], [3, .null]],
          "colorbar": ["ticksuffix": " %"],
        ]
      ], ["xaxis": ["title": ["text": "Hour"]]])
    #expect(small == ["|by hour|0|1|", "|Mon|1.0 %|2.0 %|", "|Tue|3.0 %|"])
    let days = (0..<500).map { PlotValue.text("day \($0)") }
    let numbers = PlotValue.numbers((0..<500).map { Double($0) })
    let large = rows(
      [["type": "heatmap", "x": .list(days), "y": ["Warning<br>or worse"], "z": [numbers]]],
      ["xaxis": ["type": "date"]])
    #expect(large.count == 252 && large[0] == "|Day|Warning or worse|")
    #expect(large[2] == "|day 2|2|" && large.last == "|day 499|499|")
  }

  @Test("Without the script a page opens the tables and says where the figures are", .needsBrowser)
  func missingScript() throws {
    let chromium = try #require(Browser.find())
    let plot = PlotSpec(
      id: "plot-s", data: [["type": "bar", "x": ["a"], "y": [3]]], layout: [:])
    let bare = PlotSpec(id: "plot-p", data: [["type": "parcoords"]], layout: [:])
    let page = ExperimentPage(
      title: "t", heading: "t",
      sections: [
        ExperimentPage.Section(id: "s", title: "Spend", plots: [plot]),
        ExperimentPage.Section(id: "p", title: "Paths", plots: [bare]),
      ]
    ).rendered(.cdn, nil).replacing(#/https:[^"]*/#, with: "http://127.0.0.1:1/plotly.js")
    let document = try chromium.document(of: [(name: "report.html", contents: Data(page.utf8))])
    #expect(document.count(of: "which could not be loaded.") == 2 + 1)
    #expect(document.count(of: "loaded. The figures are in the table below.") == 1)
    #expect(document.count(of: "<details open") == 1)
  }
}
