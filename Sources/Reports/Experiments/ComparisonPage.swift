internal import Documents
internal import EventKernel
package import Experiments
internal import RewardModel

/// A comparison of two scenarios as a page and as rows.
package enum ComparisonPage {
  /// The page: the settings that differ, then every figure of both with the difference.
  package static func html(
    _ comparison: ScenarioComparison, names: (String, String)
  ) -> String {
    let title = "\(names.1) against \(names.0)"
    var body = "<header><h1>\(HTMLText.escaped(title))</h1>\n"
    body += ReportHTML.paragraph(
      "\(comparison.pairs) pairs of replications with the same random numbers. Higher and lower "
        + "are real differences: in 95 of 100 comparisons chance alone calls none real.")
    body += "</header>\n"
    var settings = HTMLTable("Settings that differ", ["Setting", names.0, names.1])
    for row in comparison.settings {
      settings.add([
        HTMLTable.Cell(row.path, style: "code"), HTMLTable.Cell(row.first),
        HTMLTable.Cell(row.second),
      ])
    }
    if !comparison.settings.isEmpty {
      body += ReportHTML.section("settings", "Settings that differ", settings.rendered())
    }
    var table = HTMLTable(
      "Figures", ["Figure", "#" + names.0, "#" + names.1, "#Difference", "#±", "Verdict"])
    for row in comparison.rows {
      let values = [
        row.pair.baselineMean, row.pair.variantMean, row.pair.difference.mean, row.halfWidth,
      ]
      table.add(
        [HTMLTable.Cell(row.figure.title)]
          + values.map { HTMLTable.Cell(FigureText.value($0, row.figure.unit)) }
          + [HTMLTable.Cell(words(row.verdict))])
    }
    body += ReportHTML.section("figures", "Figures", table.rendered())
    return PageShell(title: title, body: body, plots: [], plotly: .cdn, source: nil).rendered()
  }

  /// One row a figure: `figure`, `first`, `second`, `difference`, `half_width`,
  /// `family_half_width`, `verdict`, `pairs`.
  package static func csv(_ comparison: ScenarioComparison) -> String {
    var text = CSVText.line([
      "figure", "first", "second", "difference", "half_width", "family_half_width", "verdict",
      "pairs",
    ])
    for row in comparison.rows {
      let pair = row.pair
      let values = [
        pair.baselineMean, pair.variantMean, pair.difference.mean, pair.difference.halfWidth,
        row.halfWidth,
      ]
      text += CSVText.line(
        [row.name] + values.map { "\($0)" } + [row.verdict.rawValue, String(pair.pairs)])
    }
    return text
  }

  private static func words(_ verdict: ComparisonVerdict) -> String {
    switch verdict {
    case .higher: "higher"
    case .lower: "lower"
    case .identical: "same"
    case .notShown: "not shown"
    }
  }
}
