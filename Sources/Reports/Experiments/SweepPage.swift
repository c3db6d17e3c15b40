package import Experiments
internal import Foundation
internal import RewardModel

/// A sweep as a page of response plots.
package enum SweepPage {
  /// The page: for each figure its mean over each varied setting, with the other points around.
  package static func html(
    _ sweep: Sweep, scenario: String, replications: Int, figures: [String], plotly: PlotlyMode,
    source: PlotlySource?, set: SetWords = SetWords()
  ) -> String {
    let sections = figures.enumerated().map { place, name in
      ExperimentPage.Section(
        id: "figure-\(place)", title: sweep.title(name), text: hollow(sweep, name) ?? "",
        plots: sweep.axes.indices.compactMap {
          plot(sweep, name, axis: $0, id: "plot-\(place)-\($0)")
        }, hasTables: false)
    }
    var table = HTMLTable(
      "Points", sweep.axes + figures.flatMap { ["#" + sweep.title($0), "#±"] })
    for row in sweep.rows {
      table.add(
        row.values.map { HTMLTable.Cell($0) }
          + figures.flatMap { name in
            let estimate = sweep.measured.row(of: name).flatMap { row.estimates[$0] }
            let unit = sweep.unit(name)
            return [
              estimate.map { SweepText.mean($0, unit, of: replications) },
              estimate.map { FigureText.spread($0, unit, as: FigureText.value) },
            ].map { HTMLTable.Cell($0 ?? "–") }
          })
    }
    let points = ExperimentPage.Section(
      id: "points", title: "Points",
      text: SweepText.notes(sweep, figures, replications).joined(separator: " "),
      content: table.rendered())
    let title = "Sweep of \(scenario)"
    return ExperimentPage(
      title: title, heading: title,
      facts: [
        SweepText.size(sweep, replications) + ". Bars at the points: 95 % interval of the mean."
      ] + set.facts, sections: sections + [points]
    ).rendered(plotly, source)
  }

  /// What a point without an interval is; nil where a figure has none.
  private static func hollow(_ sweep: Sweep, _ name: String) -> String? {
    guard let place = sweep.measured.row(of: name) else { return nil }
    let isHollow = sweep.rows.contains {
      $0.estimates[place].map { $0.halfWidth == nil } ?? false
    }
    return isHollow
      ? "A hollow point has no interval: it is of one replication, and may be far from the mean."
      : nil
  }

  /// A figure over one setting. With two settings the points of one value of the other are joined
  /// and named; with more the other settings are shown under the pointer.
  private static func plot(
    _ sweep: Sweep, _ name: String, axis: Int, id: String
  ) -> PlotSpec? {
    guard let place = sweep.measured.row(of: name) else { return nil }
    let rows = sweep.rows.filter { $0.estimates[place] != nil }
      .sorted { $0.places[axis] < $1.places[axis] }
    guard !rows.isEmpty else { return nil }
    let scale = sweep.unit(name) == .share ? 100.0 : 1
    let places = SettingNumbers(rows.map { $0.values[axis] })
    func trace(_ group: [SweepRow], joined: Bool, colour: String) -> [String: PlotValue] {
      let means = group.map { ($0.estimates[place]?.mean ?? 0) * scale }
      let halves = group.map { $0.estimates[place]?.halfWidth }
      let words = group.map { row in
        zip(sweep.axes, row.values).map { "\($0) = \($1)" }.joined(separator: ", ")
      }
      let values = group.map { $0.values[axis] }
      // Words, such as those of a policy, are no scale that a line could follow.
      let isLine = joined && SettingNumbers(values) != nil
      return [
        "type": "scatter", "mode": isLine ? "lines+markers" : "markers",
        "x": SettingNumbers(values).map { .numbers($0.values) } ?? .list(values.map { .name($0) }),
        "y": .numbers(means), "text": .list(words.map { .name($0) }),
        "hovertemplate": .text("%{text}: %{y:,.4~g}\(scale == 100 ? " %" : "")<extra></extra>"),
        "line": ["color": .text(colour), "width": 2],
        "marker": [
          "color": .text(colour), "size": 8,
          "symbol": .texts(halves.map { $0 == nil ? "circle-open" : "circle" }),
        ],
        "error_y": [
          "type": "data", "array": .list(halves.map { $0.map { .number($0 * scale) } ?? .null }),
          "visible": true,
        ],
      ]
    }
    var traces: [PlotValue] = []
    let others = sweep.axes.count == 2 ? levels(rows, of: 1 - axis) : []
    if (2...levelsMaximum).contains(others.count) {
      for (index, level) in others.enumerated() {
        var one = trace(
          rows.filter { $0.values[1 - axis] == level }, joined: true,
          colour: "@@series\(index % 6)")
        one["name"] = .name("\(sweep.axes[1 - axis]) = \(level)")
        one["showlegend"] = true
        traces.append(.object(one))
      }
    } else {
      traces = [.object(trace(rows, joined: sweep.axes.count == 1, colour: "@@accrual"))]
    }
    var across: [String: PlotValue] = [
      "title": ["text": .name(sweep.axes[axis])], "automargin": true,
      "type": places == nil ? "category" : "linear",
    ]
    if let places {
      across["tickprefix"] = .name(places.prefix)
      across["ticksuffix"] = .name(places.suffix)
    }
    return PlotSpec(
      id: id, data: traces,
      layout: [
        "xaxis": .object(across),
        "yaxis": [
          "title": ["text": .name(sweep.title(name))], "automargin": true,
          "ticksuffix": scale == 100 ? " %" : "",
        ],
        "height": .number(traces.count > 1 ? 380 : 320),
      ])
  }

  /// Most lines that one plot can tell apart.
  private static let levelsMaximum = 6

  /// The values of a setting in the order of their places, none twice.
  private static func levels(_ rows: [SweepRow], of axis: Int) -> [String] {
    var seen: Set<String> = []
    return rows.sorted { $0.places[axis] < $1.places[axis] }.map { $0.values[axis] }
      .filter { seen.insert($0).inserted }
  }
}
