internal import Documents
package import Experiments
internal import Foundation
internal import Quantities
internal import Scenario

/// What a search for a setting found, as aligned text and as JSON.
package enum SolutionText {
  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - solution: What the search found.
  ///   - scenario: Its name.
  ///   - overrides: The settings at the answer, as `--set` takes them.
  ///   - folder: Where the files are.
  ///   - width: Columns of the terminal, to which words are wrapped: neither the table nor what is to
  ///     be pasted.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ solution: Solution, scenario: String, overrides: [String], folder: String,
    width: Int = .max, colour: Bool
  ) -> String {
    let search = solution.search
    let width = max(40, width)
    var lines = DisplayText.wrapped(SolutionWords.headline(solution), width: width).map {
      TextStyle.bold.applied(to: $0, colour: colour)
    }
    lines.append("")
    for (label, words) in SolutionWords.facts(solution) {
      lines += DisplayText.wrapped(
        words, width: width, after: label.padding(toLength: 11, withPad: " ", startingAt: 0))
    }
    for override in overrides { lines.append("Set        --set \(ShellText.quoted(override))") }
    if let problem = SolutionWords.problem(solution) {
      if lines.last != "" { lines.append("") }
      lines += DisplayText.wrapped(problem, width: width)
    }
    lines += SolutionWords.contradictions(solution).flatMap {
      DisplayText.wrapped($0, width: width, after: "Caution    ")
    }
    lines += ["", "Spent      \(search.spent.grouped) replications", ""]
    lines += points(solution).lines(colour: colour)
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func points(_ solution: Solution) -> TextTable {
    let isConfirmed = solution.search.points.contains { $0.confirmation != nil }
    var table = TextTable(
      [
        (solution.axis.path, .right), (SolutionWords.column(solution), .right), ("From", .right),
        ("To", .right), ("Replications", .right), ("", .left),
      ] + (isConfirmed ? [("Fresh seeds", .left)] : []))
    for point in solution.search.points.sorted(by: { $0.x < $1.x }) {
      let cells = SolutionWords.cells(point, solution)
      table.add(
        cells.map { TextTable.Cell($0) } + [
          TextTable.Cell(
            SolutionWords.verdict(point, solution), point.verdict == .feasible ? .good : .caution)
        ]
          + (isConfirmed
            ? [TextTable.Cell(point.confirmation.map { SolutionWords.ends($0, solution) } ?? "")]
            : []))
    }
    return table
  }

  /// Everything with stable keys.
  package static func json(
    _ solution: Solution, overrides: [String], set: SetWords = SetWords()
  ) -> String {
    let search = solution.search
    var answer = JSONText.null
    if case .found(let found) = search.outcome {
      answer = .object([
        ("value", ProjectionFiles.number(found.x)),
        ("settings", .array(overrides.map { .string($0) })),
        ("figure", interval(found.figure)), ("confirmed", .bool(found.isConfirmed)),
        (
          "confirmed_by",
          found.isConfirmed ? .string(found.isShown ? "interval" : "estimate") : .null
        ),
        ("neighbour", point(found.neighbour)),
        ("shown_not_to_hold", found.limit.map(point) ?? .null),
      ])
    }
    return JSONText.object([
      ("schema_version", .number("1")), set.json, ("setting", .string(solution.axis.path)),
      ("condition", .string(solution.objective.text)),
      ("measured", .string(SolutionWords.measured(solution.objective))),
      ("outcome", .string(outcome(search.outcome))),
      ("level", ProjectionFiles.number(search.settings.level)), ("answer", answer),
      ("replications_spent", .number(String(search.spent))),
      ("points", .array(search.points.map(point))),
      (
        "contradictions",
        .array(
          search.contradictions.map {
            .array([ProjectionFiles.number($0.lower.x), ProjectionFiles.number($0.upper.x)])
          })
      ),
    ]).rendered() + "\n"
  }

  /// How a search ended, as JSON says it.
  static func outcome(_ outcome: RootOutcome?) -> String {
    switch outcome {
    case .found: "found"
    case .everywhereFeasible: "everywhere_feasible"
    case .nowhereFeasible: "nowhere_feasible"
    case .notConfirmed: "not_confirmed"
    case .notMonotone: "not_monotone"
    case .notShown, nil: "not_shown"
    }
  }

  private static func point(_ point: RootPoint) -> JSONText {
    .object([
      ("value", ProjectionFiles.number(point.x)), ("figure", interval(point.figure)),
      ("verdict", .string(point.verdict.rawValue)),
      ("confirmation", point.confirmation.map(interval) ?? .null),
      ("contradicted", .bool(point.isContradicted)),
    ])
  }

  private static func interval(_ figure: EstimatedInterval) -> JSONText {
    .object([
      ("estimate", ProjectionFiles.number(figure.estimate)),
      ("low", figure.low.map(ProjectionFiles.number) ?? .null),
      ("high", figure.high.map(ProjectionFiles.number) ?? .null),
      ("level", ProjectionFiles.number(figure.level)), ("count", .number(String(figure.count))),
    ])
  }
}
