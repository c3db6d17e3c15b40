package import Experiments
internal import Foundation
internal import Quantities
package import Simulator

/// A projection as a page: what it costs, how sure that is, and when it goes wrong.
package enum ProjectionPage {
  /// The page.
  package static func html(
    _ projection: Projection, scenario: String, description: String,
    settings: [RunRecord.SettingRow], plotly: PlotlyMode, source: PlotlySource?
  ) -> String {
    let plots = ProjectionPlots.all(projection)
    var body = "<header><h1>Projection of \(HTMLText.escaped(scenario))</h1>\n"
    body += "<p>\(HTMLText.escaped(description))</p>\n"
    body +=
      "<p class=\"faint\">\(projection.count) replications, seed \(projection.seed)</p></header>\n"
    body += PageShell.notice(plots, plotly, source)
    body += section("How likely the budget is broken", chances(projection))
    for plot in ProjectionPlots.sections(projection) {
      let box = "<p>\(HTMLText.escaped(plot.text))</p>\n<div id=\"\(plot.spec.id)\"></div>\n"
      body += section(plot.title, box + plot.table)
    }
    body += section("Months", months(projection))
    body += section("Figures", figures(projection))
    body += section("Assumptions", assumptions(settings))
    return PageShell(
      title: "Projection of \(scenario)", body: body, plots: plots, plotly: plotly, source: source
    ).rendered()
  }

  static func section(_ title: String, _ content: String) -> String {
    "<section>\n<h2>\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
  }

  private static func chances(_ projection: Projection) -> String {
    var table = HTMLTable("Chances of a breach", ["In any month", "#Share", "#From", "#To"])
    for (name, chance) in [
      ("closes Warning or worse", projection.warning), ("closes Critical", projection.critical),
    ] {
      table.add([
        HTMLTable.Cell(name), HTMLTable.Cell(FigureText.percent(chance.share)),
        HTMLTable.Cell(FigureText.percent(chance.low)),
        HTMLTable.Cell(FigureText.percent(chance.high)),
      ])
    }
    return table.rendered()
  }

  private static func months(_ projection: Projection) -> String {
    var table = HTMLTable(
      "Months",
      [
        "Month", "#Budget", "#Spend, accrual", "#Spend, cash", "#Utilised", "#P5", "#P95",
        "#P(Warning)", "#P(Critical)", "#VaR 95", "#CVaR 95", "#VaR 99", "#CVaR 99",
      ])
    for month in projection.months {
      let used = month.utilisation
      let shares = [
        used?.mean, used?.percentiles[0], used?.percentiles[4], month.warning.share,
        month.critical.share,
      ]
      let money = [month.budget.mean, month.spendAccrual.mean, month.spendCash.mean]
      table.add(
        [HTMLTable.Cell(month.label)] + money.map { HTMLTable.Cell(FigureText.usdt($0)) }
          + shares.map { HTMLTable.Cell($0.map(FigureText.percent) ?? "–") }
          + month.tails.flatMap {
            [
              HTMLTable.Cell(FigureText.usdt($0.valueAtRisk)),
              HTMLTable.Cell(FigureText.usdt($0.expectedShortfall)),
            ]
          })
    }
    return table.rendered()
  }

  private static func figures(_ projection: Projection) -> String {
    var table = HTMLTable(
      "Figures",
      ["Figure", "#Mean", "#± (95 %)", "#P5", "#P10", "#P50", "#P90", "#P95"])
    for figure in projection.figures {
      let estimate = figure.estimate
      let values = [estimate.mean, estimate.halfWidth] + estimate.percentiles.map { $0 }
      table.add(
        [HTMLTable.Cell(FigureText.title(figure.name).trimmingCharacters(in: .whitespaces))]
          + values.map { value in
            HTMLTable.Cell(value.map { FigureText.value($0, figure.unit) } ?? "–")
          })
    }
    return table.rendered()
  }

  /// What the projection takes as given, by where it comes from.
  static func assumptions(_ settings: [RunRecord.SettingRow]) -> String {
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
