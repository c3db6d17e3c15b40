internal import Quantities
package import RewardModel

/// What is wrong with the history of a run, in words; nothing for a simulation.
package enum QualityWords {
  /// One line for each finding: `Repeated rows: 3 purchase rows, the first on line 12`.
  package static func lines(_ findings: [HistoryFinding]) -> [String] {
    findings.map { finding in
      let one = finding.count == 1
      let rows = "\(finding.event.isEmpty ? "" : finding.event + " ")\(one ? "row" : "rows")"
      return "\(finding.title): \(finding.count.grouped) \(rows), "
        + "\(one ? "" : "the first ")on line \(finding.line)"
    }
  }

  /// The heading of a run's data quality with what it begins with; nil for a simulation.
  static func lead(_ run: RunHeader) -> String? {
    guard run.source == .history else { return nil }
    return run.findings.isEmpty
      ? "The history's rows do not contradict each other."
      : "These rows of the history contradict others. They were replayed as they are; "
        + "'backtest --strict' refuses them."
  }

  /// A section of a page; empty for a simulation.
  static func section(_ run: RunHeader) -> String {
    guard let lead = lead(run) else { return "" }
    var out = ReportHTML.paragraph(lead, style: run.findings.isEmpty ? "soft" : "caution")
    if !run.findings.isEmpty {
      out +=
        "<ul>\n"
        + lines(run.findings).map { "<li>\(HTMLText.escaped($0))</li>\n" }.joined() + "</ul>\n"
    }
    return ReportHTML.section("data-quality", "Data quality", out)
  }
}
