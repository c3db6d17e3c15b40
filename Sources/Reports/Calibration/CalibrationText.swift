package import Experiments
internal import RewardModel

/// A calibration for a terminal.
package enum CalibrationText {
  /// The tables of a calibration and the block for a scenario, each line ending with a line feed.
  ///
  /// - Parameters:
  ///   - report: What the calibration found.
  ///   - source: Name of the history.
  ///   - whole: What the history tells besides purchases.
  ///   - width: Columns of the terminal; text is wrapped to it, tables are not.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ report: CalibrationReport, source: String, whole: Calibration? = nil, width: Int = 100,
    colour: Bool = false
  ) -> String {
    let tables = CalibrationTables(report)
    var lines = [
      TextStyle.bold.applied(
        to: DisplayText.safe("Calibration of \(source)"), colour: colour)
    ]
    lines += tables.facts().flatMap { DisplayText.wrapped($0, width: max(40, width)) }
    for model in report.models where model.fit.status != .converged {
      let words = "\(PurchaseBlock.name(model.fit)): \(model.fit.status.explanation)"
      lines += DisplayText.wrapped(words, width: max(40, width)).map {
        TextStyle.caution.applied(to: $0, colour: colour)
      }
    }
    let all = [
      tables.parameters(), tables.histogram(), tables.totals(), tables.weeks(most: 13),
      tables.groups(),
    ]
    for case let table? in all where !table.rows.isEmpty {
      lines += [""] + Self.lines(table, width: max(40, width), colour: colour)
    }
    for part in whole.map({ BehaviourTables($0).all() }) ?? [] {
      lines += [""] + Self.lines(part.table, width: max(40, width), colour: colour)
    }
    if let whole { lines += quality(whole.contradictions, width: max(40, width), colour: colour) }
    if let whole, !whole.untold.isEmpty {
      lines += ["", TextStyle.bold.applied(to: "Not in this history", colour: colour)]
      lines += whole.untold.flatMap {
        DisplayText.wrapped(DisplayText.safe($0), width: max(40, width))
      }
    }
    let contained = whole?.contained ?? []
    if !contained.isEmpty {
      lines += ["", TextStyle.bold.applied(to: "In the fitted purchases already", colour: colour)]
      lines += contained.flatMap {
        DisplayText.wrapped(CalibrationTables.sentence($0), width: max(40, width))
      }
    }
    lines += [""] + DisplayText.wrapped(tables.choice(), width: max(40, width))
    return lines.joined(separator: "\n") + "\n\n"
      + PurchaseBlock.yaml(report, report.chosen, contained: contained)
  }

  private static func quality(
    _ findings: [HistoryFinding], width: Int, colour: Bool
  ) -> [String] {
    let tone: TextStyle = findings.isEmpty ? .plain : .caution
    return ["", TextStyle.bold.applied(to: "Data quality", colour: colour)]
      + DisplayText.wrapped(QualityWords.fittedLead(findings), width: width).map {
        tone.applied(to: $0, colour: colour)
      }
      + QualityWords.lines(findings).flatMap { DisplayText.wrapped($0, width: width) }
  }

  private static func lines(_ table: CalibrationTable, width: Int, colour: Bool) -> [String] {
    var text = TextTable(
      table.columns.enumerated().map { ($1, $0 == 0 ? .left : .right) })
    for row in table.rows { text.add(row.map { TextTable.Cell($0) }) }
    return [TextStyle.bold.applied(to: table.title, colour: colour)]
      + DisplayText.wrapped(table.note, width: width).map {
        TextStyle.dim.applied(to: $0, colour: colour)
      } + text.lines(colour: colour)
  }
}
