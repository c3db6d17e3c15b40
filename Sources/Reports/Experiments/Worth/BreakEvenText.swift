internal import Documents
internal import Experiments
internal import Foundation

/// Where a program breaks even, in words, as a table and as JSON.
enum BreakEvenText {
  /// The answer in a sentence or two.
  static func sentence(_ evenness: BreakEven) -> String {
    let path = DisplayText.safe(evenness.axis.path)
    switch evenness.search.outcome {
    case .found(let answer):
      let value = evenness.overrides.joined(separator: ", ")
      let uplift = evenness.uplift.map {
        " There, members bring \(FigureText.percent($0)) more gross profit than without rewards. "
          + "Without rewards, the brand alone brings \(FigureText.percent(1 / (1 + $0))) of that gross profit."
      }
      let how = answer.isShown ? "whole interval" : "estimate, not by their whole interval"
      let sure =
        answer.isConfirmed ? " With fresh replications it adds as much, by their \(how)." : ""
      let limit =
        answer.limit.map { "it is shown not to pay at \(evenness.axis.text($0.x))" }
        ?? "no value tried is shown not to pay"
      let found = evenness.axis.text(answer.x)
      // The limit and the values tried are in the axis's own terms, and so is the answer.
      let place =
        evenness.axis.isFactor && !value.isEmpty
        ? "\(found) (\(value))" : value.isEmpty ? "\(path) = \(found)" : value
      return
        "Breaks even at \(place): the last value tried that is shown to add at least what it costs; "
        + "\(limit).\(uplift ?? "")\(sure)"
    case .everywhereFeasible:
      return
        "Breaks even nowhere in the range of \(path): at every value tried it adds at least what "
        + "it costs."
    case .nowhereFeasible:
      return
        "Breaks even nowhere in the range of \(path): at every value tried it costs more than it "
        + "adds."
    case .notMonotone:
      return
        "No single value of \(path) breaks even: what it adds less what it costs goes up and down "
        + "over the range."
    case .notShown, .notConfirmed, nil:
      return "Not shown where \(path) breaks even: more pairs (--most) would tell."
    }
  }

  /// What each value tried showed.
  static func points(_ evenness: BreakEven) -> TextTable {
    var table = TextTable([
      (evenness.axis.path, .right), ("Net", .right), ("From", .right), ("To", .right),
      ("Pairs", .right), ("", .left),
    ])
    for point in evenness.search.points.sorted(by: { $0.x < $1.x }) {
      let style: TextStyle = point.verdict == .feasible ? .good : .caution
      table.add(
        cells(point, evenness).map { TextTable.Cell($0) } + [TextTable.Cell(words(point), style)])
    }
    return table
  }

  static func cells(_ point: RootPoint, _ evenness: BreakEven) -> [String] {
    [
      evenness.axis.text(point.x), FigureText.money(point.figure.estimate),
      point.figure.low.map(FigureText.money) ?? "–",
      point.figure.high.map(FigureText.money) ?? "–", String(point.figure.count),
    ]
  }

  static func words(_ point: RootPoint) -> String {
    switch point.verdict {
    case .feasible: "pays"
    case .infeasible: point.isContradicted ? "does not pay by fresh replications" : "does not pay"
    case .undecided: "not shown"
    }
  }

  static func json(_ evenness: BreakEven) -> JSONText {
    var (value, limit, confirmed) = (JSONText.null, JSONText.null, JSONText.null)
    if case .found(let answer) = evenness.search.outcome {
      value = ProjectionFiles.number(answer.x)
      if let end = answer.limit { limit = ProjectionFiles.number(end.x) }
      if answer.isConfirmed { confirmed = .string(answer.isShown ? "interval" : "estimate") }
    }
    return .object([
      ("setting", .string(evenness.axis.path)), ("is_factor", .bool(evenness.axis.isFactor)),
      ("outcome", .string(SolutionText.outcome(evenness.search.outcome))), ("value", value),
      ("shown_not_to_pay", limit), ("confirmed_by", confirmed),
      ("settings", .array(evenness.overrides.map { .string($0) })),
      ("uplift", evenness.uplift.map(ProjectionFiles.number) ?? .null),
      ("pairs_spent", .number(String(evenness.search.spent))),
      (
        "points",
        .array(
          evenness.search.points.map { point in
            .object([
              ("value", ProjectionFiles.number(point.x)),
              ("net", ProjectionFiles.number(point.figure.estimate)),
              ("low", point.figure.low.map(ProjectionFiles.number) ?? .null),
              ("high", point.figure.high.map(ProjectionFiles.number) ?? .null),
              ("count", .number(String(point.figure.count))),
              ("verdict", .string(point.verdict.rawValue)),
            ])
          })
      ),
    ])
  }
}
