internal import Documents
package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// What a search for the best settings under conditions found, as aligned text and as JSON.
package enum ConstrainedText {
  /// Points shown besides the answer.
  private static let shownPoints = 8

  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - solution: What the search found.
  ///   - overrides: The settings at the point shown, as `--set` takes them.
  ///   - folder: Where the files are.
  ///   - width: Columns of the terminal, to which words are wrapped: neither tables nor what is to be
  ///     pasted.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ solution: ConstrainedSolution, overrides: [String], folder: String, width: Int = .max,
    colour: Bool
  ) -> String {
    let point = solution.search.points[solution.shown]
    let width = max(40, width)
    var lines = DisplayText.wrapped(headline(solution), width: width).map {
      TextStyle.bold.applied(to: $0, colour: colour)
    }
    lines.append("")
    if let problem = problem(solution) {
      lines += DisplayText.wrapped(problem, width: width) + [""]
    }
    lines += settings(solution).lines(colour: colour) + [""]
    lines += figures(solution).lines(colour: colour)
    if let fresh = point.confirmation {
      lines += DisplayText.wrapped(confirmationWords(fresh), width: width)
    } else {
      lines += DisplayText.wrapped(searchWords(solution), width: width)
    }
    lines.append("")
    for override in overrides { lines.append("Set        --set \(ShellText.quoted(override))") }
    lines += [""] + DisplayText.wrapped(spentWords(solution), width: width, after: "Spent      ")
    lines.append("")
    lines += points(solution).lines(colour: colour)
    let others = solution.search.ranking.count - shownPoints
    if others > 0 {
      lines.append("and \(others) more: see report.html and solution.json")
    }
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What was sought.
  static func headline(_ solution: ConstrainedSolution) -> String {
    let title = figureTitle(solution)
    let side = solution.goal.direction == .maximise ? "highest" : "lowest"
    let wanted = solution.goal.isAssumed ? "Most generous: highest payouts" : "\(side) \(title)"
    let first = wanted.prefix(1).uppercased() + wanted.dropFirst()
    return "\(first), with " + solution.conditions.map(\.text).joined(separator: " and ")
  }

  static func figureTitle(_ solution: ConstrainedSolution) -> String {
    solution.goal.figure.title
  }

  /// Why there is no answer; nil when there is one.
  static func problem(_ solution: ConstrainedSolution) -> String? {
    switch solution.search.outcome {
    case .found: nil
    case .nowhereFeasible:
      "No point tried meets the conditions; this one misses them least. Widen the ranges, or "
        + "adjust another setting."
    case .notConfirmed(let number): notConfirmed(solution, number)
    }
  }

  /// What fresh seeds said, and whether the point shown was put to them.
  private static func notConfirmed(_ solution: ConstrainedSolution, _ number: Int) -> String {
    let points = solution.search.points
    let count = points.count { $0.isContradicted }
    let said =
      count == 1
      ? "Fresh seeds contradicted the one point that was put to them"
      : "Fresh seeds contradicted all \(count) points that were put to them"
    let this =
      points[number].figures.isMet && !points[number].isContradicted
      ? "this one meets the conditions by estimate and was not put to them"
      : "this one misses the conditions least"
    return "\(said); \(this). Allow more replications with --most, or more --points."
  }

  static func spentWords(_ solution: ConstrainedSolution) -> String {
    let counts = solution.search.counts
    var text =
      "\(solution.spent.grouped) replications at \(solution.search.points.count.grouped) points"
    if counts.leftEarly > 0 { text += ", \(counts.leftEarly) of them stopped early as hopeless" }
    if counts.tightenings > 0 {
      text += "; tightened \(counts.tightenings == 1 ? "once" : "\(counts.tightenings) times")"
    }
    return text
  }

  static func confirmationWords(_ fresh: SearchFigures) -> String {
    String(
      format: "There: %d replications by fresh seeds, intervals at %.1f %%. Now: those of the "
        + "search, at 95 %%.", fresh.objective.count, fresh.objective.level * 100)
  }

  /// What the figures of a point are of that was not put to fresh seeds.
  static func searchWords(_ solution: ConstrainedSolution) -> String {
    let there = solution.search.points[solution.shown].figures.objective
    return String(
      format: "There: %d replications of the search. Now: %d. Intervals are at %.1f %%.",
      there.count, solution.present.objective.count, there.level * 100)
  }

  /// The words about a setting of the answer that is at an end of its range.
  static func endWords(_ solution: ConstrainedSolution, _ axis: Int) -> String {
    guard solution.answer != nil else { return "" }
    return solution.end(axis).map { "at the \($0.rawValue) end of its range" } ?? ""
  }

  private static func settings(_ solution: ConstrainedSolution) -> TextTable {
    var table = TextTable([
      ("Setting", .left), (solution.answer == nil ? "Least bad" : "Answer", .right),
      ("Now", .right), ("Range", .right), ("", .left),
    ])
    let values = solution.search.points[solution.shown].values
    for (place, axis) in solution.axes.enumerated() {
      table.add([
        TextTable.Cell(axis.path), TextTable.Cell(axis.text(values[place])),
        TextTable.Cell(solution.presentTexts[place]), TextTable.Cell(axis.rangeText),
        TextTable.Cell(endWords(solution, place), .caution),
      ])
    }
    return table
  }

  /// The figures at the point shown: from fresh seeds where it was put to them.
  private static func figures(_ solution: ConstrainedSolution) -> TextTable {
    let point = solution.search.points[solution.shown]
    let there = point.confirmation ?? point.figures
    var table = TextTable([
      ("Figure", .left), ("There", .right), ("Interval", .left), ("", .left), ("Now", .right),
      ("Interval", .left),
    ])
    func row(
      _ name: String, _ one: EstimatedInterval, _ two: EstimatedInterval,
      _ verdict: SearchVerdict?, _ value: (Double) -> String
    ) {
      let verdictCell = verdict.map { TextTable.Cell(words($0), style($0)) } ?? ""
      table.add([
        TextTable.Cell(name), TextTable.Cell(value(one.estimate)),
        TextTable.Cell(ends(one, value)), verdictCell, TextTable.Cell(value(two.estimate)),
        TextTable.Cell(ends(two, value)),
      ])
    }
    let unit = solution.goal.figure.unit
    row(figureTitle(solution), there.objective, solution.present.objective, nil) {
      FigureText.value($0, unit)
    }
    for (place, condition) in solution.conditions.enumerated() {
      row(
        conditionTitle(condition), there.conditions[place], solution.present.conditions[place],
        there.verdicts[place]
      ) { value($0, condition) }
    }
    return table
  }

  private static func ends(_ interval: EstimatedInterval, _ value: (Double) -> String) -> String {
    guard let low = interval.low, let high = interval.high else { return "" }
    return "\(value(low)) to \(value(high))"
  }

  /// The best points of the search.
  private static func points(_ solution: ConstrainedSolution) -> TextTable {
    var table = TextTable(
      solution.axes.map { ($0.path, .right) } + [(figureTitle(solution), .right)]
        + solution.conditions.map { (conditionTitle($0), .right) } + [
          ("Replications", .right), ("", .left),
        ])
    let unit = solution.goal.figure.unit
    for number in solution.search.ranking.prefix(shownPoints) {
      let point = solution.search.points[number]
      table.add(
        zip(solution.axes, point.values).map { TextTable.Cell($0.text($1)) }
          + [TextTable.Cell(FigureText.value(point.figures.objective.estimate, unit))]
          + zip(solution.conditions, point.figures.conditions).map {
            TextTable.Cell(value($1.estimate, $0))
          } + [
            TextTable.Cell(String(point.figures.objective.count)),
            TextTable.Cell(
              verdict(solution, number),
              solution.search.isFeasible(point) ? style(point.figures.verdict) : .caution),
          ])
    }
    return table
  }

  /// What became of a point.
  static func verdict(_ solution: ConstrainedSolution, _ number: Int) -> String {
    let point = solution.search.points[number]
    if number == solution.answer { return "the answer" }
    if point.isContradicted { return "contradicted by fresh seeds" }
    if point.isLeftEarly { return "stopped early" }
    if solution.search.isFeasible(point) { return words(point.figures.verdict) }
    return point.figures.isMet ? "too close" : words(.doesNotHold)
  }

  /// Everything with stable keys.
  package static func json(
    _ solution: ConstrainedSolution, overrides: [String], set: SetWords = SetWords()
  ) -> String {
    let search = solution.search
    let outcome =
      switch search.outcome {
      case .found: "found"
      case .nowhereFeasible: "nowhere_feasible"
      case .notConfirmed: "not_confirmed"
      }
    return JSONText.object([
      ("schema_version", .number("1")), set.json,
      ("adjusted", .array(solution.axes.enumerated().map { adjusted($1, $0, solution) })),
      ("conditions", .array(solution.conditions.map { .string($0.text) })),
      (
        "objective",
        .object([
          ("figure", .string(solution.goal.figure.id)),
          ("direction", .string(solution.goal.direction.rawValue)),
          ("assumed", .bool(solution.goal.isAssumed)),
        ])
      ),
      ("outcome", .string(outcome)),
      (
        solution.answer == nil ? "least_bad" : "answer",
        .object([
          ("point", .number(String(solution.shown))),
          ("settings", .array(overrides.map { .string($0) })),
        ])
      ),
      ("present", figures(solution.present)),
      ("replications_spent", .number(String(solution.spent))),
      ("cache_hits", .number(String(search.counts.cacheHits))),
      ("left_early", .number(String(search.counts.leftEarly))),
      ("tightenings", .number(String(search.counts.tightenings))),
      ("points", .array(search.points.indices.map { point($0, solution) })),
    ]).rendered() + "\n"
  }

  private static func adjusted(
    _ axis: SettingAxis, _ place: Int, _ solution: ConstrainedSolution
  ) -> JSONText {
    let range = solution.search.plan.axes[place]
    return .object([
      ("setting", .string(axis.path)), ("factor", .bool(axis.isFactor)),
      ("low", ProjectionFiles.number(range.low)), ("high", ProjectionFiles.number(range.high)),
      (
        "value",
        ProjectionFiles.number(solution.search.points[solution.shown].values[place])
      ),
      ("present", .string(solution.presentTexts[place])),
      ("at_end", solution.end(place).map { .string($0.rawValue) } ?? .null),
    ])
  }

  private static func point(_ number: Int, _ solution: ConstrainedSolution) -> JSONText {
    let point = solution.search.points[number]
    return .object([
      ("values", .array(point.values.map(ProjectionFiles.number))),
      ("figures", figures(point.figures)), ("left_early", .bool(point.isLeftEarly)),
      ("confirmation", point.confirmation.map(figures) ?? .null),
    ])
  }

  private static func figures(_ figures: SearchFigures) -> JSONText {
    .object([
      ("objective", interval(figures.objective)),
      ("conditions", .array(zip(figures.conditions, figures.verdicts).map(condition))),
      ("met", .bool(figures.isMet)), ("verdict", .string(figures.verdict.rawValue)),
    ])
  }

  private static func condition(
    _ figure: EstimatedInterval, _ verdict: SearchVerdict
  ) -> JSONText {
    .object(members(figure) + [("verdict", .string(verdict.rawValue))])
  }

  private static func interval(_ figure: EstimatedInterval) -> JSONText {
    .object(members(figure))
  }

  private static func members(_ figure: EstimatedInterval) -> [(String, JSONText)] {
    [
      ("estimate", ProjectionFiles.number(figure.estimate)),
      ("low", figure.low.map(ProjectionFiles.number) ?? .null),
      ("high", figure.high.map(ProjectionFiles.number) ?? .null),
      ("level", ProjectionFiles.number(figure.level)), ("count", .number(String(figure.count))),
    ]
  }
}
