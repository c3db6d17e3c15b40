internal import Documents
internal import EventKernel
package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// A sensitivity analysis as aligned text and as JSON.
package enum SensitivityText {
  /// The text ending with a line feed.
  ///
  /// - Parameter width: Columns of the terminal, to which all but the tables is wrapped.
  package static func text(
    _ analysis: SensitivityAnalysis, scenario: String, folder: String, width: Int = 100,
    colour: Bool
  ) -> String {
    let unit = analysis.figure.unit
    func paragraph(_ words: String) -> [String] {
      DisplayText.wrapped(words, width: DisplayText.room(width))
    }
    let about =
      "\(DisplayText.safe(analysis.figure.title)), \(analysis.points.grouped) points, "
      + "\(analysis.replications) replication\(analysis.replications == 1 ? "" : "s") each with the "
      + "same random numbers"
    var lines = DisplayText.headed(
      "Sensitivity of \(scenario)", about, width: width, colour: colour)
    lines += ["", "As it is   \(FigureText.value(analysis.standard, unit))"]
    if let mean = analysis.mean, let variance = analysis.variance {
      lines += DisplayText.wrapped(
        "mean \(FigureText.value(mean, unit)), standard deviation "
          + FigureText.differenceSpread(variance.squareRoot(), unit),
        width: width, after: "Varied     ")
    }
    lines += ["", "Screening  effect of a setting over its whole range"]
    lines += screening(analysis, unit).lines(colour: colour)
    lines += paragraph(symbols) + [""]
    if analysis.mean != nil {
      lines += DisplayText.wrapped(
        "share of the figure's variance, with 95 % intervals", width: width, after: "Indices    ")
      lines += indices(analysis).lines(colour: colour)
      lines += paragraph(
        "First: by the setting alone. Total: with its interactions with other settings.")
      for words in [capped(analysis), advice(analysis)].compactMap(\.self) {
        lines += paragraph(words)
      }
    } else if analysis.plan.keep > 0 {
      lines += paragraph("None of these settings moves the figure, so no shares are shown.")
    } else {
      lines.append("No shares are shown with --keep 0.")
    }
    lines += ["", "Folder     \(DisplayText.safe(folder))"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A word on what the intervals of few base points are worth; nil where they hold.
  static func advice(_ analysis: SensitivityAnalysis) -> String? {
    let least = SobolIndices.baseForIntervals
    guard analysis.plan.base < least else { return nil }
    return "A first look: below \(least) base points (--base) the intervals hold less often than "
      + "95 %, and a share below 0 is chance."
  }

  /// Settings whose share alone came out above their share in all; nil where none did.
  static func capped(_ analysis: SensitivityAnalysis) -> String? {
    let rows = analysis.rows.compactMap { row in
      row.index?.firstBeforeCap.map { "\(row.axis.path) (\(share($0)))" }
    }
    guard !rows.isEmpty else { return nil }
    let (are, their) = rows.count == 1 ? ("is", "its") : ("are", "their")
    return "First came out above Total, which few base points can do, and \(are) shown as \(their) "
      + "Total: \(rows.joined(separator: ", ")). Whether such a setting acts with others takes more "
      + "base points."
  }

  private static func screening(
    _ analysis: SensitivityAnalysis, _ unit: MeasureUnit
  ) -> TextTable {
    var table = TextTable([
      ("Setting", .left), ("Range", .right), ("μ*", .right), ("±", .right), ("μ", .right),
      ("σ", .right), ("Verdict", .left),
    ])
    for row in ranked(analysis) {
      let style: TextStyle = row.verdict == .steady || row.verdict == .uneven ? .plain : .dim
      table.add(
        [TextTable.Cell(row.axis.path), TextTable.Cell(row.axis.rangeText)]
          + effects(row.effect, unit).map { TextTable.Cell($0) }
          + [TextTable.Cell(words(row.verdict), style)])
    }
    return table
  }

  /// What the columns of the screening are.
  static let symbols =
    "μ*: mean size of the effect. ±: half-width of its 95 % interval. μ: mean with the sign. σ: how "
    + "far the effect differs with the values of all settings."

  /// The cells of an effect: of a share in points, as all differences.
  static func effects(_ effect: MorrisScreening.Effect, _ unit: MeasureUnit) -> [String] {
    [
      FigureText.differenceSpread(effect.size.mean, unit),
      FigureText.differenceSpread(effect.size.halfWidth, unit),
      FigureText.difference(effect.mean, unit),
      FigureText.differenceSpread(effect.deviation, unit),
    ]
  }

  private static func indices(_ analysis: SensitivityAnalysis) -> TextTable {
    var table = TextTable([
      ("Setting", .left), ("First", .right), ("From", .right), ("To", .right),
      ("Total", .right), ("From", .right), ("To", .right),
    ])
    for row in analysis.rows {
      guard let index = row.index else { continue }
      table.add(
        [TextTable.Cell(row.axis.path)]
          + [index.first, index.total].flatMap { part in
            [part.estimate, part.low, part.high].map { TextTable.Cell($0.map(share) ?? "–") }
          })
    }
    return table
  }

  /// The rows by μ*, the largest first.
  static func ranked(_ analysis: SensitivityAnalysis) -> [SensitivityAnalysis.Row] {
    analysis.rows.enumerated().sorted {
      (-$0.element.effect.size.mean, $0.offset) < (-$1.element.effect.size.mean, $1.offset)
    }.map(\.element)
  }

  /// An index as people read it.
  static func share(_ value: Double) -> String {
    let text = String(format: "%.2f", value)
    return text == "-0.00" ? "0.00" : text
  }

  static func words(_ verdict: SensitivityAnalysis.Verdict) -> String {
    switch verdict {
    case .noEffect: "no effect"
    case .little: "little"
    case .steady: "steady"
    case .uneven: "uneven, or depends on other settings"
    }
  }

  /// Everything with stable keys; effects in the figure's unit.
  package static func json(
    _ analysis: SensitivityAnalysis, scenario: String, set: SetWords = SetWords()
  ) -> String {
    JSONText.object([
      ("schema_version", .number("1")), set.json, ("scenario", .string(scenario)),
      ("figure", .string(analysis.figure.id)), ("seed", .number(String(analysis.plan.seed))),
      ("trajectories", .number(String(analysis.plan.trajectories))),
      ("base", .number(String(analysis.plan.base))),
      ("replications", .number(String(analysis.replications))),
      ("points", .number(String(analysis.points))),
      ("standard", ProjectionFiles.number(analysis.standard)),
      ("mean", analysis.mean.map(ProjectionFiles.number) ?? .null),
      ("variance", analysis.variance.map(ProjectionFiles.number) ?? .null),
      ("settings", .array(analysis.rows.map(row))),
    ]).rendered() + "\n"
  }

  private static func row(_ row: SensitivityAnalysis.Row) -> JSONText {
    .object([
      ("path", .string(row.axis.path)), ("range", .string(row.axis.rangeText)),
      ("mu_star", ProjectionFiles.number(row.effect.size.mean)),
      ("mu_star_half_width", ProjectionFiles.number(row.effect.size.halfWidth)),
      ("mu", ProjectionFiles.number(row.effect.mean)),
      ("sigma", ProjectionFiles.number(row.effect.deviation)),
      ("verdict", .string(row.verdict.rawValue)),
      ("first", row.index.map { interval($0.first) } ?? .null),
      ("first_before_cap", row.index?.firstBeforeCap.map(ProjectionFiles.number) ?? .null),
      ("total", row.index.map { interval($0.total) } ?? .null),
    ])
  }

  private static func interval(_ part: EstimatedInterval) -> JSONText {
    .object([
      ("estimate", ProjectionFiles.number(part.estimate)),
      ("low", part.low.map(ProjectionFiles.number) ?? .null),
      ("high", part.high.map(ProjectionFiles.number) ?? .null),
    ])
  }
}
