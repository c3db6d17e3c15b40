package import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

/// What a search for the best settings under conditions found, as a page of tables and plots.
package enum ConstrainedPage {
  /// The page.
  package static func html(
    _ solution: ConstrainedSolution, scenario: String, plotly: PlotlyMode, source: PlotlySource?,
    set: SetWords = SetWords()
  ) -> String {
    let plots = ConstrainedPlots.all(solution).map { title, plot in
      ExperimentPage.Section(
        id: String(plot.id.dropFirst("plot-".count)), title: title, plots: [plot],
        hasTables: false)
    }
    return ExperimentPage(
      title: "Solution for \(scenario)", heading: ConstrainedText.headline(solution),
      facts: ["\(scenario): \(ConstrainedText.spentWords(solution))"] + set.facts,
      notices: [ConstrainedText.problem(solution)].compactMap(\.self),
      sections: [
        ExperimentPage.Section(
          id: "answer", title: solution.answer == nil ? "The least bad point" : "Answer",
          content: settings(solution) + figures(solution))
      ] + plots + [
        ExperimentPage.Section(id: "table", title: "Points", content: points(solution))
      ]
    ).rendered(plotly, source)
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
    let told =
      point.confirmation.map(ConstrainedText.confirmationWords)
      ?? ConstrainedText.searchWords(solution)
    let words = "<p>\(told)</p>\n"
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
