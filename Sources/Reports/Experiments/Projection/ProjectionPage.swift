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
    settings: [RunHeader.SettingRow], expect: [ExpectationVerdict] = [],
    assumptions: AssumptionRanking? = nil, plotly: PlotlyMode, source: PlotlySource?,
    set: SetWords = SetWords()
  ) -> String {
    let plots = ProjectionPlots.all(projection)
    let opening = ProjectionOpening(projection: projection)
    let isDrawn = plotly == .cdn || source != nil
    let sections = sections(projection, settings, expect, assumptions, isDrawn: isDrawn)
    var body = "<header class=\"summary\"><h1>Projection of \(HTMLText.escaped(scenario))</h1>\n"
    body += ReportHTML.paragraph(description)
    body += ReportHTML.paragraph(opening.about, style: "soft")
    for words in set.facts { body += ReportHTML.paragraph(words, style: "soft") }
    body += ReportHTML.paragraph(opening.verdict, style: "verdict \(opening.tone.style)")
    for words in UncertaintyText.lead(projection, assumptions) {
      body += ReportHTML.paragraph(words)
    }
    body += ReportHTML.cards(opening.cards) + "</header>\n"
    body += PageShell.notice(plots, plotly, source)
    body += ReportHTML.contents(sections.map { ($0.id, $0.title) })
    body += sections.map { ReportHTML.section($0.id, $0.title, $0.content) }.joined()
    return PageShell(
      title: "Projection of \(scenario)", body: body, plots: isDrawn ? plots : [], plotly: plotly,
      source: source
    ).rendered()
  }

  /// Everything below the opening: the fan first, then chances, the other plots and the tables.
  private static func sections(
    _ projection: Projection, _ settings: [RunHeader.SettingRow],
    _ expect: [ExpectationVerdict], _ ranking: AssumptionRanking?, isDrawn: Bool
  ) -> [(id: String, title: String, content: String)] {
    let plots = ProjectionPlots.sections(projection).map { plot in
      let figures = PlotTable(plot.spec).rendered(plot.title, isDrawn: isDrawn)
      return (plot.id, plot.title, ReportHTML.paragraph(plot.text) + figures)
    }
    let tables = [
      ("sure", "How sure this is", UncertaintyText.table(projection)),
      ("months", "Months", ProjectionTables.months(projection)),
      ("risk", "Spend at risk", ProjectionTables.tails(projection)),
      ("figures", "Figures", ProjectionTables.figures(projection)),
      (
        "precision", "How precise the means are",
        ProjectionTables.reduction(projection)
      ),
      ("highest", "Replications of highest utilization", ProjectionTables.highest(projection)),
      (
        "assumptions", "Assumptions", AssumptionText.table(ranking) + assumptions(settings)
      ),
    ]
    let chances = (
      "chances", "How likely the budget is exceeded", ProjectionTables.chances(projection)
    )
    let judged = ("thresholds", "Thresholds", expect.isEmpty ? "" : thresholds(expect))
    return (plots.prefix(1) + [chances, judged] + plots.dropFirst() + tables).filter {
      !$0.2.isEmpty
    }
  }

  /// What became of the scenario's thresholds.
  static func thresholds(_ verdicts: [ExpectationVerdict]) -> String {
    var table = HTMLTable(
      "Thresholds", ["Threshold", "Verdict", "#Reached", "#Replications that meet it"])
    for verdict in verdicts {
      table.add([
        HTMLTable.Cell(verdict.expectation.text),
        HTMLTable.Cell(verdict.holds ? "holds" : "missed"),
        HTMLTable.Cell(
          verdict.reached.map {
            "\(FigureText.measure(verdict)) "
              + FigureText.reached($0, verdict)
          } ?? "–", note: verdict.gaps.map { FigureText.lacks($0) } ?? ""),
        HTMLTable.Cell("\(verdict.met) of \(verdict.count)"),
      ])
    }
    return table.rendered()
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
