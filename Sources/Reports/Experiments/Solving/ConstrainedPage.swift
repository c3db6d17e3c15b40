package import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

/// What a search for the best settings under conditions found, as a page of tables and plots.
package enum ConstrainedPage {
  /// The page.
  package static func html(
    _ solution: ConstrainedSolution, scenario: String, plotly: PlotlyMode, source: PlotlySource?
  ) -> String {
    let plots = ConstrainedPlots.all(solution)
    var body = "<header><h1>\(HTMLText.escaped(ConstrainedText.headline(solution)))</h1>\n"
    body += "<p>\(HTMLText.escaped(scenario)): \(ConstrainedText.spentWords(solution))</p>"
    body += "</header>\n" + PageShell.notice(plots.map(\.plot), plotly, source)
    if let problem = ConstrainedText.problem(solution) {
      body += "<p class=\"notice\" role=\"note\">\(HTMLText.escaped(problem))</p>\n"
    }
    body += ProjectionPage.section(
      solution.answer == nil ? "The least bad point" : "Answer",
      settings(solution) + figures(solution))
    for (title, plot) in plots {
      body += ProjectionPage.section(title, "<div id=\"\(plot.id)\"></div>\n")
    }
    body += ProjectionPage.section("Points", points(solution))
    return PageShell(
      title: "Solution for \(scenario)", body: body, plots: plots.map(\.plot), plotly: plotly,
      source: source
    ).rendered()
  }

  private static func settings(_ solution: ConstrainedSolution) -> String {
    var table = HTMLTable("Settings", ["Setting", "#Value", "#Now", "#Range", "Note"])
    let values = solution.search.points[solution.shown].values
    for (place, axis) in solution.axes.enumerated() {
      table.add(
        [
          axis.path, axis.text(values[place]), solution.presentTexts[place], axis.rangeText,
          ConstrainedText.endWords(solution, place),
        ].map { HTMLTable.Cell($0) })
    }
    return table.rendered()
  }

  private static func figures(_ solution: ConstrainedSolution) -> String {
    let point = solution.search.points[solution.shown]
    let there = point.confirmation ?? point.figures
    var table = HTMLTable(
      "Figures", ["Figure", "#There", "#From", "#To", "Verdict", "#Now", "#From", "#To"])
    func row(
      _ name: String, _ one: EstimatedInterval, _ two: EstimatedInterval,
      _ verdict: SearchVerdict?, _ value: (Double) -> String
    ) {
      func cells(_ interval: EstimatedInterval) -> [HTMLTable.Cell] {
        [interval.estimate, interval.low, interval.high].map {
          HTMLTable.Cell($0.map(value) ?? "–")
        }
      }
      let verdictCell = HTMLTable.Cell(verdict.map(ConstrainedText.words) ?? "")
      table.add([HTMLTable.Cell(name)] + cells(one) + [verdictCell] + cells(two))
    }
    let unit = solution.goal.figure.unit
    row(ConstrainedText.figureTitle(solution), there.objective, solution.present.objective, nil) {
      FigureText.value($0, unit)
    }
    for (place, condition) in solution.conditions.enumerated() {
      row(
        ConstrainedText.conditionTitle(condition), there.conditions[place],
        solution.present.conditions[place], there.verdicts[place]
      ) { ConstrainedText.value($0, condition) }
    }
    let words = point.confirmation.map { "<p>\(ConstrainedText.confirmationWords($0))</p>\n" } ?? ""
    return table.rendered() + words
  }

  private static func points(_ solution: ConstrainedSolution) -> String {
    let unit = solution.goal.figure.unit
    var table = HTMLTable(
      "Points",
      solution.axes.map { "#\($0.path)" } + ["#" + ConstrainedText.figureTitle(solution)]
        + solution.conditions.map { "#\(ConstrainedText.conditionTitle($0))" } + [
          "#Replications", "Verdict",
        ])
    for number in solution.search.ranking {
      let point = solution.search.points[number]
      table.add(
        zip(solution.axes, point.values).map { HTMLTable.Cell($0.text($1)) }
          + [HTMLTable.Cell(FigureText.value(point.figures.objective.estimate, unit))]
          + zip(solution.conditions, point.figures.conditions).map {
            HTMLTable.Cell(ConstrainedText.value($1.estimate, $0))
          } + [
            HTMLTable.Cell(String(point.figures.objective.count)),
            HTMLTable.Cell(ConstrainedText.verdict(solution, number)),
          ])
    }
    return table.rendered()
  }
}
