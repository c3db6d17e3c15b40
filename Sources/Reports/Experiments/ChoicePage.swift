internal import Documents
package import Experiments
internal import RewardModel

/// A choice among scenarios as a page and as rows.
package enum ChoicePage {
  /// The page: what was chosen and how sure that is, then every candidate.
  package static func html(
    _ choice: ScenarioChoice, plotly: PlotlyMode, source: PlotlySource?, set: SetWords = SetWords()
  ) -> String {
    let title =
      "Choice by the \(choice.goal == .smallest ? "least" : "most") of "
      + choice.figure.title
    let margin = FigureText.given(choice.indifference, choice.figure.unit)
    let level = FigureText.given(share: choice.level)
    let unsure = ChoiceText.unsure(choice)
    return ExperimentPage(
      title: title, heading: title,
      facts: [
        "Chosen: \(choice.best)",
        choice.selection.isGuaranteed
          ? "Right with \(level) or more where it is ahead by \(margin)."
          : unsure.prefix(1).uppercased() + unsure.dropFirst() + ".",
      ] + set.facts,
      sections: [
        ExperimentPage.Section(
          id: "means", title: "Means",
          text: "The band is \(margin) wide: a candidate in it is as good as the chosen one for "
            + "this choice. Distances are those of the replications that both have. The chosen one is "
            + "green; gray ones were dropped, blue ones were not.",
          plots: [means(choice)], hasTables: false),
        ExperimentPage.Section(
          id: "candidates", title: "Candidates",
          text: ChoiceText.notes(choice).joined(separator: " "),
          content: candidates(choice)),
      ]
    ).rendered(plotly, source)
  }

  private static func candidates(_ choice: ScenarioChoice) -> String {
    var table = HTMLTable(
      "Candidates", ["Candidate", "#Mean", "#Behind", "#Replications", "#Dropped after", "Verdict"])
    for place in choice.ranking {
      table.add([
        HTMLTable.Cell(choice.names[place]),
        HTMLTable.Cell(
          FigureText.value(
            choice.selection.means[place], choice.figure.unit, resolving: choice.indifference)),
        HTMLTable.Cell(ChoiceText.behind(place, choice)),
        HTMLTable.Cell(String(choice.selection.observations[place])),
        HTMLTable.Cell(choice.selection.eliminatedAfter[place].map(String.init) ?? "–"),
        HTMLTable.Cell(ChoiceText.verdict(of: place, choice)),
      ])
    }
    return table.rendered()
  }

  /// The mean of every candidate, the best on top, with the band of what is as good.
  private static func means(_ choice: ScenarioChoice) -> PlotSpec {
    let scale = choice.figure.unit == .share ? 100.0 : 1
    let selection = choice.selection
    let best = selection.means[selection.best] * scale
    let side = choice.goal == .smallest ? 1.0 : -1
    let width = side * choice.indifference * scale
    let ranking = choice.ranking
    return PlotSpec(
      id: "plot-means",
      data: [
        [
          "type": "scatter", "mode": "markers",
          "y": .list(ranking.map { .label(choice.names[$0]) }),
          "x": .numbers(ranking.map { best + side * selection.behind[$0] * scale }),
          "customdata": .numbers(ranking.map { Double(selection.observations[$0]) }),
          "marker": [
            "size": 12,
            "color": .list(
              ranking.map { place in
                if place == selection.best { return "@@good" }
                return selection.eliminatedAfter[place] == nil ? "@@accrual" : "@@faint"
              }),
          ],
          "hovertemplate":
            "%{y}: %{x:,.4~g}, %{customdata} replications<extra></extra>",
        ]
      ],
      layout: [
        "yaxis": ["autorange": "reversed", "automargin": true, "type": "category"],
        "xaxis": [
          "title": ["text": .name(choice.figure.title)], "automargin": true,
          "ticksuffix": scale == 100 ? " %" : "",
        ],
        "shapes": [
          [
            "type": "rect", "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
            "x0": .number(best), "x1": .number(best + width), "line": ["width": 0],
            "fillcolor": "@@barfill",
          ]
        ], "height": .number(Double(140 + 48 * ranking.count)),
      ])
  }

  /// One row a candidate, in the order in which they were given: `candidate`, `mean`, `behind`,
  /// `replications`, `eliminated_after`, `chosen`.
  package static func csv(_ choice: ScenarioChoice) -> String {
    let selection = choice.selection
    var text = CSVText.line([
      "candidate", "mean", "behind", "replications", "eliminated_after", "chosen",
    ])
    for place in choice.names.indices {
      text += CSVText.line([
        choice.names[place], "\(selection.means[place])", "\(selection.behind[place])",
        String(selection.observations[place]),
        selection.eliminatedAfter[place].map(String.init) ?? "",
        place == selection.best ? "true" : "false",
      ])
    }
    return text
  }
}
