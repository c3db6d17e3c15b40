package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// What a search for a setting found, as a page with the figure over the setting.
package enum SolutionPage {
  /// The page.
  ///
  /// - Parameters:
  ///   - solution: What the search found.
  ///   - scenario: Its name.
  ///   - overrides: The settings at the answer, as `--set` takes them.
  ///   - plotly: How the page loads plotly.js.
  ///   - source: The script; nil when it is not on this machine.
  ///   - set: What was set besides, for all values.
  package static func html(
    _ solution: Solution, scenario: String, overrides: [String], plotly: PlotlyMode,
    source: PlotlySource?, set: SetWords = SetWords()
  ) -> String {
    let search = solution.search
    return ExperimentPage(
      title: "Solution for \(scenario)", heading: SolutionWords.headline(solution),
      facts: [
        "\(scenario): \(search.spent.grouped) replications at \(search.points.count.grouped) points"
      ]
        + set.facts,
      notices: [SolutionWords.problem(solution)].compactMap(\.self)
        + SolutionWords.contradictions(solution).map { "Caution: " + $0 },
      sections: [
        ExperimentPage.Section(
          id: "answer", title: "Answer",
          content: solution.answer == nil ? "" : answer(solution, overrides)),
        ExperimentPage.Section(
          id: "root", title: "The figure over the setting", plots: [plot(solution)],
          hasTables: false),
        ExperimentPage.Section(id: "points", title: "Points", content: points(solution)),
      ]
    ).rendered(plotly, source)
  }

  private static func answer(_ solution: Solution, _ overrides: [String]) -> String {
    var table = HTMLTable("Answer", ["What", "Found"])
    for (label, words) in SolutionWords.facts(solution) {
      table.add([HTMLTable.Cell(label), HTMLTable.Cell(words)])
    }
    for override in overrides {
      // A path has no blank to break at where a phone has no room for it.
      table.add([
        HTMLTable.Cell("Set"),
        HTMLTable.Cell("--set \(ShellText.quoted(override))", style: "code"),
      ])
    }
    return table.rendered()
  }

  private static func points(_ solution: Solution) -> String {
    var table = HTMLTable(
      "Points",
      [
        "#\(solution.axis.path)", "#" + SolutionWords.column(solution), "#From", "#To",
        "#Replications", "Verdict", "Fresh seeds",
      ])
    for point in solution.search.points.sorted(by: { $0.x < $1.x }) {
      table.add(
        (SolutionWords.cells(point, solution) + [
          SolutionWords.verdict(point, solution),
          point.confirmation.map { SolutionWords.ends($0, solution) } ?? "",
        ]).map { HTMLTable.Cell($0) })
    }
    return table.rendered()
  }

  // MARK: - Plot

  /// Which points a trace shows.
  private enum Group: CaseIterable {
    case holds, misses, undecided, answer

    var words: PlotValue {
      switch self {
      case .holds: "Holds"
      case .misses: "Does not hold"
      case .undecided: "Undecided"
      case .answer: "Answer"
      }
    }

    func has(_ point: RootPoint, _ solution: Solution) -> Bool {
      if point.x == solution.answer { return self == .answer }
      switch point.verdict {
      case .feasible: return self == .holds
      case .infeasible: return self == .misses
      case .undecided: return self == .undecided
      }
    }

    var symbol: PlotValue {
      switch self {
      case .holds: "circle"
      case .misses: "x-thin"
      case .undecided: "circle-open"
      case .answer: "star"
      }
    }

    var size: PlotValue { self == .answer ? 16 : 9 }

    var colour: PlotValue {
      switch self {
      case .holds: "@@good"
      case .misses: "@@bad"
      case .undecided: "@@soft"
      case .answer: "@@accrual"
      }
    }
  }

  /// 100 for shares, which are shown in percent.
  private static func scale(_ objective: Objective) -> Double {
    switch objective.measure {
    case .probability: 100
    case .mean: objective.figure?.unit == .share ? 100 : 1
    }
  }

  private static func plot(_ solution: Solution) -> PlotSpec {
    let sorted = solution.search.points.sorted { $0.x < $1.x }
    let scale = scale(solution.objective)
    let line: PlotValue = [
      "type": "scatter", "mode": "lines", "showlegend": false, "hoverinfo": "skip",
      "x": .numbers(sorted.map(\.x)), "y": .numbers(sorted.map { $0.figure.estimate * scale }),
      "line": ["color": "@@faint", "width": 1],
    ]
    let traces = Group.allCases.compactMap { group -> PlotValue? in
      let points = sorted.filter { group.has($0, solution) }
      guard !points.isEmpty else { return nil }
      let figures = points.map(\.figure)
      return [
        "type": "scatter", "mode": "markers", "name": group.words, "x": .numbers(points.map(\.x)),
        "y": .numbers(figures.map { $0.estimate * scale }),
        "marker": [
          "symbol": group.symbol, "size": group.size, "color": group.colour,
          "line": ["width": 2, "color": group.colour],
        ],
        "error_y": [
          "type": "data", "symmetric": false, "thickness": 1, "color": group.colour,
          "array": .numbers(figures.map { (($0.high ?? $0.estimate) - $0.estimate) * scale }),
          "arrayminus": .numbers(figures.map { ($0.estimate - ($0.low ?? $0.estimate)) * scale }),
        ],
      ]
    }
    let bound = solution.objective.bound * scale
    let places = SettingNumbers(sorted.map { solution.axis.text($0.x) })
    var isLogarithmic = false
    if case .logarithmic = solution.search.settings.domain { isLogarithmic = true }
    return PlotSpec(
      id: "plot-root", data: [line] + traces,
      layout: [
        "xaxis": [
          "title": ["text": .name(solution.axis.path)], "automargin": true,
          "type": isLogarithmic ? "log" : "linear",
          "tickprefix": .name(places?.prefix ?? ""), "ticksuffix": .name(places?.suffix ?? ""),
        ],
        "yaxis": [
          "title": ["text": .name(SolutionWords.measured(solution.objective))],
          "automargin": true, "ticksuffix": scale == 100 ? " %" : "",
        ],
        "shapes": [
          [
            "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": .number(bound),
            "y1": .number(bound), "line": ["color": "@@bad", "dash": "dash", "width": 2],
          ]
        ], "height": 420,
      ])
  }
}
