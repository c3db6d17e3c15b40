package import Experiments
internal import Foundation
internal import Scenario

/// What a search found, as aligned text and as JSON.
package enum SolutionText {
  /// The text with a line end behind it.
  ///
  /// - Parameter overrides: The settings at the answer, as `--set` takes them.
  package static func text(
    _ solution: Solution, scenario: String, overrides: [String], folder: String, colour: Bool
  ) -> String {
    let axis = solution.axis
    let search = solution.search
    var lines = [
      TextStyle.bold.applied(
        to: "\(solution.objective.text) by \(DisplayText.safe(axis.path))", colour: colour), "",
    ]
    switch search.outcome {
    case .found(let answer):
      lines.append("Answer     \(axis.text(answer.x))")
      lines.append(
        "There      \(figure(answer.figure, solution))"
          + (answer.isConfirmed ? ", by fresh seeds" : ""))
      lines.append(
        "Beyond     \(axis.text(answer.neighbour.x)): "
          + figure(answer.neighbour.figure, solution))
      for override in overrides { lines.append("Set        --set \(ShellText.quoted(override))") }
    case .everywhereFeasible:
      lines.append("The condition holds in the whole range; widen it to find where it ends.")
    case .nowhereFeasible:
      lines.append("The condition holds nowhere in the range; widen it, or adjust another setting.")
    case .notMonotone:
      lines.append(
        "The figure turns within the range; search a part of it in which it only rises or falls.")
    case .notShown, nil:
      lines.append(
        "Nothing could be shown with so few replications; allow more with --most.")
    }
    lines += ["", "Spent      \(search.spent) replications", ""]
    var table = TextTable([
      (axis.path, .right), ("Figure", .right), ("From", .right), ("To", .right),
      ("Replications", .right), ("", .left),
    ])
    for point in search.points.sorted(by: { $0.x < $1.x }) {
      table.add([
        TextTable.Cell(axis.text(point.x)),
        TextTable.Cell(value(point.figure.estimate, solution)),
        TextTable.Cell(point.figure.low.map { value($0, solution) } ?? "–"),
        TextTable.Cell(point.figure.high.map { value($0, solution) } ?? "–"),
        TextTable.Cell(String(point.figure.count)),
        TextTable.Cell(
          words(point.verdict), point.verdict == .feasible ? .good : .caution),
      ])
    }
    lines += table.lines(colour: colour)
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ verdict: RootVerdict) -> String {
    switch verdict {
    case .feasible: "holds"
    case .infeasible: "does not hold"
    case .undecided: "undecided"
    }
  }

  private static func value(_ value: Double, _ solution: Solution) -> String {
    if solution.objective.isProbability { return FigureText.percent(value) }
    guard case .mean(let name) = solution.objective.measure else { return "\(value)" }
    return FigureText.value(value, FigureCatalog.unit(of: name))
  }

  private static func figure(_ figure: EstimatedInterval, _ solution: Solution) -> String {
    var text = value(figure.estimate, solution)
    if let low = figure.low, let high = figure.high {
      text += " (\(value(low, solution)) to \(value(high, solution)))"
    }
    return text + " of \(figure.count) replications"
  }

  /// Everything with stable keys.
  package static func json(_ solution: Solution, overrides: [String]) -> String {
    let search = solution.search
    var answer = JSONText.null
    if case .found(let found) = search.outcome {
      answer = .object([
        ("value", ProjectionFiles.number(found.x)),
        ("settings", .array(overrides.map { .string($0) })),
        ("figure", interval(found.figure)), ("confirmed", .bool(found.isConfirmed)),
      ])
    }
    return JSONText.object([
      ("schema_version", .number("1")), ("setting", .string(solution.axis.path)),
      ("condition", .string(solution.objective.text)), ("answer", answer),
      ("replications_spent", .number(String(search.spent))),
      (
        "points",
        .array(
          search.points.map { point in
            .object([
              ("value", ProjectionFiles.number(point.x)), ("figure", interval(point.figure)),
              ("verdict", .string(point.verdict.rawValue)),
            ])
          })
      ),
    ]).rendered() + "\n"
  }

  private static func interval(_ figure: EstimatedInterval) -> JSONText {
    .object([
      ("estimate", ProjectionFiles.number(figure.estimate)),
      ("low", figure.low.map(ProjectionFiles.number) ?? .null),
      ("high", figure.high.map(ProjectionFiles.number) ?? .null),
      ("count", .number(String(figure.count))),
    ])
  }
}

/// What a search found, as a page with the figure over the setting.
package enum SolutionPage {
  /// The page.
  package static func html(
    _ solution: Solution, scenario: String, plotly: PlotlyMode, source: PlotlySource?
  ) -> String {
    let plot = plot(solution)
    var body = "<header><h1>\(HTMLText.escaped(solution.objective.text))</h1>\n"
    body += "<p>\(HTMLText.escaped(scenario)), by \(HTMLText.escaped(solution.axis.path))</p>"
    body += "</header>\n" + PageShell.notice([plot], plotly, source)
    if let answer = solution.answer {
      body += ProjectionPage.section(
        "Answer", "<p>\(HTMLText.escaped(solution.axis.text(answer)))</p>\n")
    }
    body += ProjectionPage.section("The figure over the setting", "<div id=\"plot-root\"></div>\n")
    return PageShell(
      title: "Solution for \(scenario)", body: body, plots: [plot], plotly: plotly, source: source
    ).rendered()
  }

  private static func plot(_ solution: Solution) -> PlotSpec {
    let points = solution.search.points.sorted { $0.x < $1.x }
    let scale = solution.objective.isProbability ? 100.0 : 1
    let estimates = points.map { $0.figure.estimate }
    let up = points.map { (($0.figure.high ?? $0.figure.estimate) - $0.figure.estimate) * scale }
    let down = points.map { ($0.figure.estimate - ($0.figure.low ?? $0.figure.estimate)) * scale }
    let bound = solution.objective.bound * scale
    return PlotSpec(
      id: "plot-root",
      data: [
        [
          "type": "scatter", "mode": "lines+markers", "x": .numbers(points.map(\.x)),
          "y": .numbers(estimates.map { $0 * scale }), "line": ["color": "@@accrual", "width": 2],
          "marker": ["size": 9, "color": "@@accrual"],
          "error_y": [
            "type": "data", "symmetric": false, "array": .numbers(up),
            "arrayminus": .numbers(down),
          ],
        ]
      ],
      layout: [
        "xaxis": ["title": ["text": .name(solution.axis.path)], "automargin": true],
        "yaxis": [
          "title": ["text": .name(solution.objective.text)], "automargin": true,
          "ticksuffix": scale == 100 ? " %" : "",
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
