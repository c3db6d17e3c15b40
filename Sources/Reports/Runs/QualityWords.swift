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
    var lead =
      run.findings.contains(where: \.isContradiction)
      ? "These rows of the history contradict others. They were replayed as they are; "
        + "'backtest --strict' refuses them."
      : "The history's rows do not contradict each other."
    if !run.findings.allSatisfy(\.isContradiction) {
      lead +=
        " The history begins before the first day that was replayed: members of that time begin "
        + "again, without what they had done and reached."
    }
    return lead
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
