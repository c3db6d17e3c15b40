internal import Documents
internal import EventKernel
package import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

/// A comparison as aligned text and as JSON.
package enum ComparisonText {
  /// The text ending with a line feed.
  package static func text(
    _ comparison: ScenarioComparison, names: (String, String), folder: String, width: Int = 100,
    colour: Bool
  ) -> String {
    let (a, b) = (DisplayText.safe(names.0), DisplayText.safe(names.1))
    let about = "\(comparison.pairs) pairs of replications with the same random numbers"
    var lines = DisplayText.headed("\(b) against \(a)", about, width: width, colour: colour) + [""]
    if !comparison.settings.isEmpty {
      var table = TextTable([("Setting", .left), (a, .right), (b, .right)])
      for row in comparison.settings.prefix(20) {
        table.add([
          TextTable.Cell(row.path), TextTable.Cell(short(row.first)),
          TextTable.Cell(short(row.second)),
        ])
      }
      lines += table.lines(colour: colour)
      let more = comparison.settings.count - 20
      if more > 0 { lines.append("and \(more) more") }
      lines.append("")
    }
    lines += figures(comparison, a, b, colour)
    let notes = [
      "higher, lower: a real difference. In 95 of 100 comparisons chance alone calls none real "
        + "(paired t, Holm). \(notShown)",
      "\(halfWidth) Reduction: variance of a difference of independent runs over that of these pairs.",
      constant(comparison), absence(comparison, (a, b)), lengths(comparison),
    ].filter { !$0.isEmpty }
    lines += notes.flatMap { DisplayText.wrapped($0, width: DisplayText.room(width)) }
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What a verdict and the half-widths mean.
  static let notShown = "not shown: chance explains it, or the pairs are too few."
  static let halfWidth =
    "±: half-width of the difference, so wide that all hold at once with 95 %. A real difference may be "
    + "smaller than its ±: figures are judged one after the other, the surest first, which finds more."

  /// What to bear in mind where the two are not of the same days; empty where they are.
  static func lengths(_ comparison: ScenarioComparison) -> String {
    comparison.settings.contains { $0.path == "calendar.days" }
      ? "The two differ in length: compare shares rather than sums." : ""
  }

  /// What became of a figure, and how many pairs have it where not all do.
  static func words(
    _ row: ScenarioComparison.Row, of comparison: ScenarioComparison
  ) -> String {
    let verdict =
      switch row.verdict {
      case .higher: "higher"
      case .lower: "lower"
      case .identical: "same"
      case .notShown: "not shown"
      }
    let count = row.pair.pairs
    return verdict + (count == comparison.pairs ? "" : ", \(count) pairs have it")
  }

  /// How far the mean difference may be off; pairs that are all apart by one number do not tell.
  static func spread(_ row: ScenarioComparison.Row) -> String {
    FigureText.spread(
      row.pair, as: FigureText.differenceSpread(row.halfWidth, row.figure.unit))
  }

  /// What "in every pair" means; empty where no figure has it.
  static func constant(_ comparison: ScenarioComparison) -> String {
    FigureText.constant(comparison.rows.map(\.pair)) ?? ""
  }

  /// The figures that are not compared, by name, with how many replications have those that some
  /// have; empty where all are.
  static func absence(_ comparison: ScenarioComparison, _ names: (String, String)) -> String {
    let rare = comparison.absent.filter { $0.first + $0.second > 0 }
    let none = comparison.absent.filter { $0.first + $0.second == 0 }
    let counts = rare.map {
      "\($0.figure.title) (\($0.first) of \(comparison.pairs) in \(names.0), "
        + "\($0.second) in \(names.1))"
    }
    return [
      counts.isEmpty
        ? "" : "In too few pairs on both sides: \(counts.joined(separator: "; ")).",
      none.isEmpty
        ? "" : "Without a value: \(none.map(\.figure.title).joined(separator: "; ")).",
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// How many times as many independent runs would be needed. Beyond a thousand, what little the
  /// differences vary, such as rounded shares of a pool, makes any number.
  private static func reduction(_ pair: PairedComparison) -> String {
    pair.varianceReduction.map { $0 >= 1_000 ? "> 1,000 ×" : String(format: "%.1f ×", $0) } ?? "–"
  }

  /// A value as far as a table has room for it; files have the whole.
  private static func short(_ value: String) -> String {
    value.count > 40 ? value.prefix(39) + "…" : value
  }

  private static func figures(
    _ comparison: ScenarioComparison, _ a: String, _ b: String, _ colour: Bool
  ) -> [String] {
    var table = TextTable([
      ("Figure", .left), (a, .right), (b, .right), ("Difference", .right), ("±", .right),
      ("Reduction", .right), ("", .left),
    ])
    for row in comparison.rows {
      let pair = row.pair
      let values = FigureText.sides(pair, row.figure.unit) + [spread(row), reduction(pair)]
      table.add(
        ([row.figure.title] + values).map { TextTable.Cell($0) }
          + [TextTable.Cell(words(row, of: comparison), row.verdict.isReal ? .bold : .dim)])
    }
    return table.lines(colour: colour)
  }

  /// All figures with stable keys; half-widths are null where all pairs have the same difference.
  package static func json(
    _ comparison: ScenarioComparison, names: (String, String), set: SetWords = SetWords(),
    seed: UInt64? = nil
  ) -> String {
    JSONText.object([
      ("schema_version", .number("1")), set.json,
      ("seed", seed.map { .number(String($0)) } ?? .null), ("first", .string(names.0)),
      ("second", .string(names.1)), ("pairs", .number(String(comparison.pairs))),
      (
        "settings",
        .array(
          comparison.settings.map { row in
            .object([
              ("path", .string(row.path)), ("first", .string(row.first)),
              ("second", .string(row.second)),
            ])
          })
      ),
      (
        "figures",
        .array(
          comparison.rows.map { row in
            let pair = row.pair
            func width(_ value: Double) -> JSONText {
              pair.isConstant ? .null : ProjectionFiles.number(value)
            }
            return .object([
              ("name", .string(row.name)),
              ("first", ProjectionFiles.number(pair.baselineMean)),
              ("second", ProjectionFiles.number(pair.variantMean)),
              ("difference", ProjectionFiles.number(pair.difference.mean)),
              ("half_width", width(pair.difference.halfWidth)),
              ("family_half_width", width(row.halfWidth)),
              (
                "variance_reduction",
                pair.varianceReduction.map(ProjectionFiles.number) ?? .null
              ), ("verdict", .string(row.verdict.rawValue)),
              ("pairs", .number(String(pair.pairs))),
            ])
          })
      ),
      ("absent", .array(comparison.absent.map { .string($0.figure.id) })),
      (
        "absent_counts",
        .array(
          comparison.absent.map { row in
            .object([
              ("name", .string(row.figure.id)), ("first", .number(String(row.first))),
              ("second", .number(String(row.second))),
            ])
          })
      ),
    ]).rendered() + "\n"
  }
}
