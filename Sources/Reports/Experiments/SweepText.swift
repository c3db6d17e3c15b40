package import Experiments
internal import Foundation
internal import Scenario

/// A sweep as aligned text and as JSON.
package enum SweepText {
  /// The text with a line end behind it.
  package static func text(
    _ sweep: Sweep, scenario: String, figures: [String], folder: String, colour: Bool
  ) -> String {
    var columns: [(title: String, alignment: TextTable.Alignment)] = sweep.axes.map {
      ($0, .right)
    }
    columns += figures.flatMap { [(FigureText.title($0), .right), ("±", .right)] }
    var table = TextTable(columns)
    for row in sweep.rows {
      var cells = row.values.map { TextTable.Cell($0) }
      for name in figures {
        guard let place = sweep.catalog.row(of: name), let estimate = row.estimates[place] else {
          cells += ["–", "–"]
          continue
        }
        let unit = FigureCatalog.unit(of: name)
        cells.append(TextTable.Cell(FigureText.value(estimate.mean, unit)))
        cells.append(
          TextTable.Cell(estimate.halfWidth.map { FigureText.value($0, unit) } ?? "–"))
      }
      table.add(cells)
    }
    let title = TextStyle.bold.applied(
      to: "Sweep of \(DisplayText.safe(scenario))", colour: colour)
    let lines =
      ["\(title)  \(sweep.rows.count) points", ""] + table.lines(colour: colour)
      + ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// All points and figures.
  package static func json(_ sweep: Sweep) -> String {
    JSONText.object([
      ("schema_version", .number("1")),
      ("settings", .array(sweep.axes.map { .string($0) })),
      (
        "points",
        .array(
          sweep.rows.map { row in
            .object([
              ("values", .array(row.values.map { .string($0) })),
              (
                "figures",
                .array(
                  zip(sweep.catalog.names, row.estimates).compactMap { name, estimate in
                    estimate.map { estimate in
                      .object([
                        ("name", .string(name)), ("mean", ProjectionFiles.number(estimate.mean)),
                        (
                          "half_width",
                          estimate.halfWidth.map(ProjectionFiles.number) ?? .null
                        ),
                      ])
                    }
                  })
              ),
            ])
          })
      ),
    ]).rendered() + "\n"
  }
}

/// A sweep as a page of response plots.
package enum SweepPage {
  /// The page: for each figure its mean over each varied setting, with the other points beside.
  package static func html(
    _ sweep: Sweep, scenario: String, figures: [String], plotly: PlotlyMode,
    source: PlotlySource?
  ) -> String {
    let plots = figures.enumerated().flatMap { place, name in
      sweep.axes.indices.compactMap { plot(sweep, name, axis: $0, id: "plot-\(place)-\($0)") }
    }
    var body = "<header><h1>Sweep of \(HTMLText.escaped(scenario))</h1>\n"
    body += "<p>\(sweep.rows.count) points</p></header>\n"
    body += PageShell.notice(plots, plotly, source)
    for (place, name) in figures.enumerated() {
      let boxes = sweep.axes.indices.map { "<div id=\"plot-\(place)-\($0)\"></div>\n" }
        .filter { box in plots.contains { box.contains("\"\($0.id)\"") } }
      body += ProjectionPage.section(FigureText.title(name), boxes.joined())
    }
    var table = HTMLTable("Points", sweep.axes + figures.map { "#" + FigureText.title($0) })
    for row in sweep.rows {
      table.add(
        row.values.map { HTMLTable.Cell($0) }
          + figures.map { name in
            let estimate = sweep.catalog.row(of: name).flatMap { row.estimates[$0] }
            let unit = FigureCatalog.unit(of: name)
            return HTMLTable.Cell(estimate.map { FigureText.value($0.mean, unit) } ?? "–")
          })
    }
    body += ProjectionPage.section("Points", table.rendered())
    return PageShell(
      title: "Sweep of \(scenario)", body: body, plots: plots, plotly: plotly, source: source
    ).rendered()
  }

  private static func plot(
    _ sweep: Sweep, _ name: String, axis: Int, id: String
  ) -> PlotSpec? {
    guard let place = sweep.catalog.row(of: name) else { return nil }
    let rows = sweep.rows.filter { $0.estimates[place] != nil }
      .sorted { $0.places[axis] < $1.places[axis] }
    guard !rows.isEmpty else { return nil }
    let scale = FigureCatalog.unit(of: name) == .ratio ? 100.0 : 1
    let means = rows.map { ($0.estimates[place]?.mean ?? 0) * scale }
    let errors = rows.map { ($0.estimates[place]?.halfWidth ?? 0) * scale }
    let mode: PlotValue = sweep.axes.count == 1 ? "lines+markers" : "markers"
    return PlotSpec(
      id: id,
      data: [
        [
          "type": "scatter", "mode": mode, "x": .texts(rows.map { $0.values[axis] }),
          "y": .numbers(means), "line": ["color": "@@accrual", "width": 2],
          "marker": ["color": "@@accrual", "size": 8],
          "error_y": ["type": "data", "array": .numbers(errors), "visible": true],
        ]
      ],
      layout: [
        "xaxis": [
          "title": ["text": .name(sweep.axes[axis])], "type": "category", "automargin": true,
        ],
        "yaxis": ["automargin": true, "ticksuffix": scale == 100 ? " %" : ""], "height": 320,
      ])
  }
}
