package import Experiments
internal import Foundation
internal import Quantities
package import RewardModel
internal import Scenario

/// A projection as a page: what it costs, how sure that is, and when it goes wrong.
package enum ProjectionPage {
  /// The page.
  package static func html(
    _ projection: Projection, scenario: String, description: String,
    settings: [RunHeader.SettingRow], expect: [ExpectationVerdict] = [], plotly: PlotlyMode,
    source: PlotlySource?
  ) -> String {
    let plots = ProjectionPlots.all(projection)
    var body = "<header><h1>Projection of \(HTMLText.escaped(scenario))</h1>\n"
    body += "<p>\(HTMLText.escaped(description))</p>\n"
    body +=
      "<p class=\"soft\">\(projection.count) replications, seed \(projection.seed)</p></header>\n"
    body += PageShell.notice(plots, plotly, source)
    body += section("How likely the budget is exceeded", ProjectionTables.chances(projection))
    if !expect.isEmpty { body += section("Thresholds", thresholds(expect)) }
    for plot in ProjectionPlots.sections(projection) {
      let box = "<p>\(HTMLText.escaped(plot.text))</p>\n<div id=\"\(plot.spec.id)\"></div>\n"
      body += section(plot.title, box + plot.table)
    }
    body += section("Months", ProjectionTables.months(projection))
    body += section("Spend at risk", ProjectionTables.tails(projection))
    body += section("Figures", ProjectionTables.figures(projection))
    let reduction = ProjectionTables.reduction(projection)
    if !reduction.isEmpty { body += section("How the means were made more precise", reduction) }
    body += section("Replications of highest utilization", ProjectionTables.highest(projection))
    body += section("Assumptions", assumptions(settings))
    return PageShell(
      title: "Projection of \(scenario)", body: body, plots: plots, plotly: plotly, source: source
    ).rendered()
  }

  /// What became of the scenario's thresholds.
  static func thresholds(_ verdicts: [ExpectationVerdict]) -> String {
    var table = HTMLTable(
      "Thresholds", ["Threshold", "", "#Reached", "#Replications that meet it"])
    for verdict in verdicts {
      let unit = verdict.figure.unit
      table.add([
        HTMLTable.Cell(verdict.expectation.text),
        HTMLTable.Cell(verdict.holds ? "holds" : "missed"),
        HTMLTable.Cell(
          verdict.reached.map {
            "P\(verdict.expectation.percentile) \(FigureText.value($0, unit))"
          } ?? "–"),
        HTMLTable.Cell("\(verdict.met) of \(verdict.count)"),
      ])
    }
    return table.rendered()
  }

  static func section(_ title: String, _ content: String) -> String {
    "<section>\n<h2>\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
  }

  /// What the projection takes as given, by where it comes from.
  static func assumptions(_ settings: [RunHeader.SettingRow]) -> String {
    var out = ""
    for mark in ["set", "assumed", "sourced", "given"] {
      let rows = settings.filter { $0.mark == mark }
      guard !rows.isEmpty else { continue }
      var table = HTMLTable("Settings that are \(mark)", ["Setting", "Value"])
      for row in rows { table.add([HTMLTable.Cell(row.path), HTMLTable.Cell(row.value)]) }
      out += HTMLText.details("\(rows.count) settings are \(mark)", table.rendered())
    }
    return out
  }
}
