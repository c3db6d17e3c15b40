internal import Foundation
package import RewardModel

/// What a run showed, for a terminal: read in half a minute.
package enum TerminalSummary {
  /// The summary, each line ending with a line feed.
  ///
  /// - Parameters:
  ///   - programme: Which program the run is of.
  ///   - record: A run of the program.
  ///   - folder: Where its files are; nil when none were written.
  ///   - width: Columns of the terminal; text is wrapped and bars are cut to it, tables are not.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text<P: RewardProgramme>(
    _ programme: P.Type, _ record: P.Record, folder: String?, width: Int = 100,
    colour: Bool = false
  ) -> String {
    let summary = programme.summary(of: record)
    let blocks = TerminalBlocks(width: max(40, width), colour: colour)
    let parts =
      [blocks.header(record.header, summary.size)] + summary.parts.map { $0.flatMap(blocks.lines) }
      + [
        blocks.thresholds(record.header, P.figures), blocks.quality(record.header),
        blocks.closing(record.header, summary.pace, folder),
      ]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }
}

/// Parts of a summary as lines.
private struct TerminalBlocks {
  let width: Int
  let colour: Bool

  func header(_ run: RunHeader, _ size: String) -> [String] {
    var lines = [TextStyle.bold.applied(to: DisplayText.safe(run.scenario), colour: colour)]
    if run.interrupted {
      lines[0] += TextStyle.bad.applied(
        to: "  INTERRUPTED: the figures cover what was run", colour: colour)
    }
    lines += DisplayText.wrapped(run.scenarioDescription, width: width)
    lines += DisplayText.wrapped(RunWords.span(run, size: size), width: width)
    if let settings = RunWords.settings(run) {
      lines += DisplayText.wrapped(settings, width: width)
    }
    if let beginning = QualityWords.beginning(run) {
      lines += DisplayText.wrapped(beginning, width: width).map {
        TextStyle.caution.applied(to: $0, colour: colour)
      }
    }
    return lines
  }

  func quality(_ run: RunHeader) -> [String] {
    guard let lead = QualityWords.lead(run) else { return [] }
    let tone = QualityWords.contradicts(run) ? TextStyle.caution : .plain
    return [TextStyle.bold.applied(to: "Data quality", colour: colour)]
      + DisplayText.wrapped(lead, width: width).map { tone.applied(to: $0, colour: colour) }
      + QualityWords.lines(run.findings).flatMap {
        DisplayText.wrapped($0, width: width, after: "  ")
      }
  }

  func thresholds(_ run: RunHeader, _ figures: FigureCatalog) -> [String] {
    guard let lead = ThresholdWords.lead(run) else { return [] }
    let missed = run.thresholds.filter { !$0.holds }
    let tone = missed.isEmpty ? TextStyle.good : .caution
    return [TextStyle.bold.applied(to: "Thresholds", colour: colour)]
      + [tone.applied(to: lead, colour: colour)]
      + missed.flatMap {
        DisplayText.wrapped(ThresholdWords.line($0, of: run, figures), width: width, after: "  ")
      }
  }

  func closing(_ run: RunHeader, _ pace: ReportPace, _ folder: String?) -> [String] {
    var table = TextTable([("", .left), ("", .left)])
    if let folder { table.add(["Run folder", TextTable.Cell(folder, .bold)]) }
    if !run.fingerprint.isEmpty { table.add(["Fingerprint", TextTable.Cell(run.fingerprint)]) }
    table.add(["Speed", TextTable.Cell(RunWords.speed(run, pace))])
    return table.lines(colour: colour)
  }

  /// A block as lines; plots, and what is folded away, have none.
  func lines(_ block: ReportBlock) -> [String] {
    switch block {
    case .paragraph(let text, let tone):
      let style = TextStyle(tone)
      let lines = text.isEmpty ? [""] : DisplayText.wrapped(text, width: width)
      return lines.map { style.applied(to: $0, colour: colour) }
    case .heading(let text):
      return [TextStyle.bold.applied(to: DisplayText.safe(text), colour: colour)]
    case .table(let table): return lines(table)
    case .pair(let left, let right): return (left + right).flatMap(lines)
    case .plot, .details, .headlines: return []
    }
  }

  private func lines(_ table: ReportTable) -> [String] {
    func cells(_ row: [ReportCell]) -> [TextTable.Cell] {
      row.map { cell in
        TextTable.Cell(cell.text + (cell.bar.map(bar) ?? ""), TextStyle(cell.tone))
      }
    }
    var text = TextTable(table.columns.map { ($0.title, $0.isNumber ? .right : .left) })
    for row in table.rows { text.add(cells(row)) }
    if let total = table.total { text.setTotal(cells(total)) }
    return text.lines(colour: colour)
  }

  /// Eighths of ten blocks for 100 %; beyond that an arrow.
  private func bar(_ percent: Double) -> String {
    guard percent > 0 else { return "" }
    if percent > 100 { return "██████████▶" }
    let eighths = Int((percent * 80 / 100).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }
}
