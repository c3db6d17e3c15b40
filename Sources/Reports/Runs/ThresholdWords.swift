package import RewardModel
internal import Scenario

/// What became of a run's thresholds, in words; nothing for a scenario without any.
package enum ThresholdWords {
  /// A threshold with what was reached: `members.total < 5; the run reached 12`.
  package static func line(
    _ row: RunHeader.ThresholdRow, of run: RunHeader, _ figures: FigureCatalog
  ) -> String {
    "\(row.threshold)\(unit(of: row, figures)); \(reached(row, of: run, figures))"
  }

  /// The unit of a bound that is a time, as what was reached may be in another; nothing for any other.
  private static func unit(of row: RunHeader.ThresholdRow, _ figures: FigureCatalog) -> String {
    guard let expectation = try? Expectation.read(row.threshold, figures: figures),
      let figure = expectation.figure.flatMap(figures.figure), figure.unit == .duration
    else { return "" }
    // A probability's bound is not the figure's.
    if case .probability = expectation.measure { return "" }
    return " s"
  }

  /// What a run reached, in the figure's unit, with as many decimals as show that it holds or does not.
  static func reached(
    _ row: RunHeader.ThresholdRow, of run: RunHeader, _ figures: FigureCatalog
  ) -> String {
    if row.reached == nil, let unknown = figures.unknown(row.figure, in: run) {
      return "a replay does not know \(unknown)"
    }
    guard let name = row.figure, let figure = figures.figure(name) else {
      return row.reached == 1 ? "it happened" : "it did not happen"
    }
    guard let reached = row.reached else {
      return "the run reached no value: "
        + (figure.isUtilisation
          ? "it has no budget to compare with, or a month has none"
          : figure.absence ?? "it does not have the figure")
    }
    let money = figure.unit == .money ? " \(figures.currency.code)" : ""
    return "the run reached \(text(reached, figure.unit, row, figures))\(money)"
  }

  private static func text(
    _ reached: Double, _ unit: MeasureUnit, _ row: RunHeader.ThresholdRow, _ figures: FigureCatalog
  ) -> String {
    guard let expectation = try? Expectation.read(row.threshold, figures: figures) else {
      return FigureText.value(reached, unit)
    }
    // A probability's bound is not the figure's.
    if case .probability = expectation.measure { return FigureText.value(reached, unit) }
    return FigureText.value(reached, unit, against: expectation.comparison, expectation.bound)
  }

  /// What is said before the thresholds; nil without any.
  static func lead(_ run: RunHeader) -> String? {
    let count = run.thresholds.count
    let missed = run.thresholds.count { !$0.holds }
    switch (count, missed) {
    case (0, _): return nil
    case (1, 0): return "The threshold holds."
    case (_, 0): return "All \(count) thresholds hold."
    default:
      let thresholds = count == 1 ? "threshold" : "thresholds"
      return "\(missed) of \(count) \(thresholds) \(missed == 1 ? "is" : "are") missed."
    }
  }

  /// A section of a page; empty without thresholds.
  static func section(_ run: RunHeader, _ figures: FigureCatalog) -> String {
    guard let lead = lead(run) else { return "" }
    var table = HTMLTable("Thresholds", ["Threshold", "Verdict", "Reached"])
    for row in run.thresholds {
      table.add([
        HTMLTable.Cell(row.threshold, style: "code"),
        HTMLTable.Cell(row.holds ? "holds" : "missed", style: row.holds ? "" : "bad"),
        HTMLTable.Cell(reached(row, of: run, figures)),
      ])
    }
    return ReportHTML.section(
      "thresholds", "Thresholds",
      ReportHTML.paragraph(lead, style: style(run)) + table.rendered())
  }

  /// The same of several runs, a column each; empty where none has a threshold.
  ///
  /// - Parameters:
  ///   - runs: In the order of their columns.
  ///   - labels: What heads the columns.
  ///   - figures: Of the runs' program.
  static func section(_ runs: [RunHeader], labels: [String], _ figures: FigureCatalog) -> String {
    var conditions: [String] = []
    for row in runs.flatMap(\.thresholds) where !conditions.contains(row.threshold) {
      conditions.append(row.threshold)
    }
    guard !conditions.isEmpty else { return "" }
    var table = HTMLTable("Thresholds", ["Threshold"] + labels)
    for condition in conditions {
      let cells = runs.map { run -> HTMLTable.Cell in
        guard let row = run.thresholds.first(where: { $0.threshold == condition }) else {
          return HTMLTable.Cell("–", style: "soft", note: "not asked of this run")
        }
        return HTMLTable.Cell(
          row.holds ? "holds" : "missed", style: row.holds ? "" : "bad",
          note: reached(row, of: run, figures))
      }
      table.add([HTMLTable.Cell(condition, style: "code")] + cells)
    }
    let leads = zip(labels, runs).compactMap { label, run in
      lead(run).map { ReportHTML.paragraph("\(label): \($0)", style: style(run)) }
    }
    return ReportHTML.section(
      "thresholds", "Thresholds", leads.joined() + table.rendered(), flows: true)
  }

  private static func style(_ run: RunHeader) -> String {
    run.thresholds.contains { !$0.holds } ? "bad" : "soft"
  }
}
