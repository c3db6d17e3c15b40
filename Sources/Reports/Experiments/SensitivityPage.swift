internal import EventKernel
package import Experiments
internal import Foundation
internal import RewardModel

/// A sensitivity analysis as a page: a tornado of the indices and the screening's effects.
package enum SensitivityPage {
  /// The page.
  package static func html(
    _ analysis: SensitivityAnalysis, scenario: String, plotly: PlotlyMode, source: PlotlySource?,
    set: SetWords = SetWords()
  ) -> String {
    let unit = analysis.figure.unit
    let name = analysis.figure.title
    let many = analysis.replications == 1 ? "replication" : "replications"
    var sections: [ExperimentPage.Section] = []
    if analysis.mean != nil {
      let words = [SensitivityText.capped(analysis), SensitivityText.advice(analysis)]
      sections.append(
        ExperimentPage.Section(
          id: "variance", title: "Share of the variance",
          text: (["Total: with its interactions with other settings. First: by itself."]
            + words.compactMap(\.self)).joined(separator: " "),
          plots: [tornado(analysis)], content: indexTable(analysis)))
    }
    sections += [
      ExperimentPage.Section(
        id: "effects", title: "Effect over the whole range",
        text: SensitivityText.symbols,
        plots: [effects(analysis, unit)], content: effectTable(analysis, unit)),
      ExperimentPage.Section(
        id: "spread", title: "Even or uneven",
        text: "The larger σ is relative to μ*, the more an effect depends on the values of the "
          + "settings. Where names would cover each other, the pointer shows them.",
        plots: [spread(analysis, unit)], hasTables: false),
    ]
    let title = "Sensitivity of \(scenario)"
    return ExperimentPage(
      title: title, heading: title,
      facts: [
        "\(name): \(FigureText.value(analysis.standard, unit)) as it is, \(analysis.points) points, "
          + "\(analysis.replications) \(many) each with the same random numbers"
      ] + set.facts, sections: sections
    ).rendered(plotly, source)
  }

  private static func effectTable(
    _ analysis: SensitivityAnalysis, _ unit: MeasureUnit
  ) -> String {
    var table = HTMLTable("Screening", ["Setting", "Range", "#μ*", "#±", "#μ", "#σ", "Verdict"])
    for row in SensitivityText.ranked(analysis) {
      table.add(
        [HTMLTable.Cell(row.axis.path), HTMLTable.Cell(row.axis.rangeText)]
          + SensitivityText.effects(row.effect, unit).map { HTMLTable.Cell($0) }
          + [HTMLTable.Cell(SensitivityText.words(row.verdict))])
    }
    return table.rendered()
  }

  private static func indexTable(_ analysis: SensitivityAnalysis) -> String {
    var table = HTMLTable(
      "Indices", ["Setting", "#First", "#From", "#To", "#Total", "#From", "#To"])
    for row in analysis.rows {
      guard let index = row.index else { continue }
      table.add(
        [HTMLTable.Cell(row.axis.path)]
          + [index.first, index.total].flatMap { part in
            [part.estimate, part.low, part.high].map {
              HTMLTable.Cell($0.map(SensitivityText.share) ?? "–")
            }
          })
    }
    return table.rendered()
  }

  /// Bars of total and first-order indices, the longest on top.
  private static func tornado(_ analysis: SensitivityAnalysis) -> PlotSpec {
    let rows = analysis.rows.filter { $0.index != nil }
    func bars(
      _ name: String, _ colour: String, _ part: (SobolIndices.Index) -> EstimatedInterval
    ) -> PlotValue {
      let parts = rows.compactMap { $0.index.map(part) }
      let up = parts.map { max(0, ($0.high ?? $0.estimate) - $0.estimate) }
      let down = parts.map { max(0, $0.estimate - ($0.low ?? $0.estimate)) }
      return [
        "type": "bar", "orientation": "h", "name": .text(name),
        "y": .list(rows.map { .label($0.axis.path) }), "x": .numbers(parts.map(\.estimate)),
        "marker": ["color": .text(colour)],
        "error_x": [
          "type": "data", "symmetric": false, "array": .numbers(up),
          "arrayminus": .numbers(down),
        ],
      ]
    }
    return PlotSpec(
      id: "plot-tornado",
      data: [bars("Total", "@@accrual", \.total), bars("First", "@@budget", \.first)],
      layout: [
        "barmode": "group", "yaxis": ["autorange": "reversed", "automargin": true],
        "xaxis": ["title": ["text": "Share of the variance"], "automargin": true],
        "height": .number(Double(160 + 60 * rows.count)),
      ])
  }

  /// μ* of every setting with its interval, the largest on top.
  private static func effects(
    _ analysis: SensitivityAnalysis, _ unit: MeasureUnit
  ) -> PlotSpec {
    let rows = SensitivityText.ranked(analysis)
    let scale = unit == .share ? 100.0 : 1
    return PlotSpec(
      id: "plot-effects",
      data: [
        [
          "type": "bar", "orientation": "h", "y": .list(rows.map { .label($0.axis.path) }),
          "x": .numbers(rows.map { $0.effect.size.mean * scale }),
          "marker": ["color": "@@accrual"],
          // A size is never below 0, so that no whisker is.
          "error_x": [
            "type": "data", "symmetric": false,
            "array": .numbers(rows.map { $0.effect.size.halfWidth * scale }),
            "arrayminus": .numbers(
              rows.map { min($0.effect.size.mean, $0.effect.size.halfWidth) * scale }),
          ],
        ]
      ],
      layout: [
        "yaxis": ["autorange": "reversed", "automargin": true],
        "xaxis": [
          "title": ["text": "μ*"], "automargin": true, "ticksuffix": scale == 100 ? " points" : "",
        ],
        "height": .number(Double(160 + 36 * rows.count)),
      ])
  }

  /// σ over μ*.
  private static func spread(
    _ analysis: SensitivityAnalysis, _ unit: MeasureUnit
  ) -> PlotSpec {
    let rows = SensitivityText.ranked(analysis)
    let scale = unit == .share ? 100.0 : 1
    let suffix: PlotValue = scale == 100 ? " points" : ""
    let most = max(rows.map(\.effect.size.mean).max() ?? 0, .leastNonzeroMagnitude)
    return PlotSpec(
      id: "plot-spread",
      data: [
        [
          "type": "scatter", "mode": "markers+text",
          "x": .numbers(rows.map { $0.effect.size.mean * scale }),
          "y": .numbers(rows.map { $0.effect.deviation * scale }),
          // Those with little effect overlap near 0: the pointer tells them apart.
          "text": .list(
            rows.map { row in
              [.steady, .uneven].contains(row.verdict) ? .name(row.axis.path) : ""
            }),
          // Beside the edges a name points inwards.
          "textposition": .list(
            rows.map { row in
              let place = row.effect.size.mean / most
              return place > 0.7 ? "top left" : place < 0.2 ? "top right" : "top center"
            }), "cliponaxis": false,
          "hovertext": .list(rows.map { .name($0.axis.path) }),
          "marker": ["color": "@@accrual", "size": 9],
        ]
      ],
      layout: [
        "xaxis": ["title": ["text": "μ*"], "automargin": true, "ticksuffix": suffix],
        "yaxis": ["title": ["text": "σ"], "automargin": true, "ticksuffix": suffix],
        "height": 420,
      ])
  }
}
