internal import Documents
internal import EventKernel
package import Experiments
internal import RewardModel

/// A comparison of two scenarios as a page and as rows.
package enum ComparisonPage {
  /// The page: how far the two are apart, the settings that differ, then every figure of both
  /// with the difference.
  package static func html(
    _ comparison: ScenarioComparison, names: (String, String), plotly: PlotlyMode,
    source: PlotlySource?, set: SetWords = SetWords()
  ) -> String {
    let title = "\(names.1) against \(names.0)"
    let (plot, words) = differences(comparison, names)
    return ExperimentPage(
      title: title, heading: title,
      facts: [
        "\(comparison.pairs) pairs of replications with the same random numbers. Higher and lower "
          + "are real differences: in 95 of 100 comparisons chance alone calls none real."
      ] + set.facts,
      notices: [ComparisonText.lengths(comparison)].filter { !$0.isEmpty },
      sections: [
        ExperimentPage.Section(
          id: "differences", title: "How far apart", text: words,
          plots: [plot].compactMap(\.self), hasTables: false),
        ExperimentPage.Section(
          id: "settings", title: "Settings that differ", content: settings(comparison, names)),
        ExperimentPage.Section(
          id: "figures", title: "Figures",
          text: [
            ComparisonText.halfWidth, ComparisonText.notShown, ComparisonText.constant(comparison),
            ComparisonText.absence(comparison, names),
          ]
          .filter { !$0.isEmpty }.joined(separator: " "),
          content: figures(comparison, names)),
      ]
    ).rendered(plotly, source)
  }

  private static func settings(
    _ comparison: ScenarioComparison, _ names: (String, String)
  ) -> String {
    guard !comparison.settings.isEmpty else { return "" }
    var table = HTMLTable("Settings that differ", ["Setting", names.0, names.1])
    for row in comparison.settings {
      table.add([
        HTMLTable.Cell(row.path, style: "code"), HTMLTable.Cell(row.first),
        HTMLTable.Cell(row.second),
      ])
    }
    return table.rendered()
  }

  private static func figures(
    _ comparison: ScenarioComparison, _ names: (String, String)
  ) -> String {
    var table = HTMLTable(
      "Figures", ["Figure", "#" + names.0, "#" + names.1, "#Difference", "#±", "Verdict"])
    for row in comparison.rows {
      let unit = row.figure.unit
      let values = FigureText.sides(row.pair, unit) + [ComparisonText.spread(row)]
      table.add(
        ([row.figure.title] + values + [ComparisonText.words(row, of: comparison)])
          .map { HTMLTable.Cell($0) })
    }
    return table.rendered()
  }

  /// Most differences that one plot shows.
  private static let shownMaximum = 24
  /// A difference that, with its interval, reaches this many times as far as the middle one of all, and
  /// this many percent, would flatten all others.
  private static let reachMaximum = (times: 10.0, percent: 50.0)

  /// The real differences with their intervals, in percent of the first scenario's mean, the
  /// largest on top; nil when none can be drawn so.
  private static func differences(
    _ comparison: ScenarioComparison, _ names: (String, String)
  ) -> (plot: PlotSpec?, words: String) {
    let real = comparison.rows.filter(\.verdict.isReal)
    let drawable = real.compactMap { row -> (title: String, percent: Double, half: Double)? in
      let base = abs(row.pair.baselineMean)
      let percent = 100 * row.pair.difference.mean / base
      guard base > 0 else { return nil }
      return (row.figure.title, percent, 100 * row.halfWidth / base)
    }
    guard !drawable.isEmpty else { return (nil, "") }
    let reaches = drawable.map { abs($0.percent) + $0.half }
    let longest = max(
      reachMaximum.percent, reachMaximum.times * reaches.sorted()[reaches.count / 2])
    let parts = zip(drawable, reaches).filter { $0.1 <= longest }.map(\.0)
      .sorted { abs($0.percent) > abs($1.percent) }.prefix(shownMaximum)
    let height = max(38, 4 + 18 * (parts.map { PlotValue.labelLines($0.title) }.max() ?? 1))
    let plot = PlotSpec(
      id: "plot-differences",
      data: [
        [
          "type": "scatter", "mode": "markers", "y": .list(parts.map { .label($0.title) }),
          "x": .numbers(parts.map(\.percent)), "marker": ["color": "@@accrual", "size": 9],
          "error_x": [
            "type": "data", "array": .numbers(parts.map(\.half)), "color": "@@accrual",
            "thickness": 2,
          ], "hovertemplate": "%{y}: %{x:+.1f} %<extra></extra>",
        ]
      ],
      layout: [
        "yaxis": [
          "autorange": "reversed", "automargin": true, "type": "category", "dtick": 1,
        ],
        "xaxis": [
          "title": ["text": "Difference in percent of the first scenario's mean"],
          "ticksuffix": " %", "automargin": true, "zeroline": true,
        ],
        "height": .number(Double(120 + height * parts.count)),
      ])
    let long = reaches.count { $0 > longest }
    let left = real.count - parts.count
    let why = long == 0 ? "" : ": \(long) of them would flatten these"
    let more =
      left == 0
      ? "" : " \(left) more \(left == 1 ? "is" : "are") in the table of figures only\(why)."
    return (
      plot,
      "What is really higher or lower in \(names.1), in percent of its mean in \(names.0), with the "
        + "interval in which all of them hold at once with 95 %." + more
    )
  }

  /// One row a figure: `figure`, `first`, `second`, `difference`, `half_width`,
  /// `family_half_width`, `verdict`, `pairs`; half-widths are empty where all pairs have the same
  /// difference.
  package static func csv(_ comparison: ScenarioComparison) -> String {
    var text = CSVText.line([
      "figure", "first", "second", "difference", "half_width", "family_half_width", "verdict",
      "pairs",
    ])
    for row in comparison.rows {
      let pair = row.pair
      let means = [pair.baselineMean, pair.variantMean, pair.difference.mean]
      let widths = [pair.difference.halfWidth, row.halfWidth]
      text += CSVText.line(
        [row.name] + means.map { "\($0)" } + widths.map { pair.isConstant ? "" : "\($0)" }
          + [row.verdict.rawValue, String(pair.pairs)])
    }
    return text
  }
}
