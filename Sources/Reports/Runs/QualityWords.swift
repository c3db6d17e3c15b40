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

  /// The heading of a run's data quality; nil for a simulation.
  static func lead(_ run: RunHeader) -> String? {
    guard run.source == .history else { return nil }
    return contradicts(run)
      ? "These rows of the history contradict others. They were replayed as they are; "
        + "'backtest --strict' refuses them."
      : "The history's rows do not contradict each other."
  }

  /// The heading of what is wrong with a history that is fitted.
  static func fittedLead(_ findings: [HistoryFinding]) -> String {
    findings.isEmpty
      ? "The history's rows do not contradict each other."
      : "These rows of the history contradict others. They were fitted as they are."
  }

  /// Whether rows of a run's history contradict others.
  static func contradicts(_ run: RunHeader) -> Bool {
    run.findings.contains(where: \.isContradiction)
  }

  /// What a reader has to know before the figures of a run that does not show the beginning of its
  /// history; nil for others.
  static func beginning(_ run: RunHeader) -> String? {
    guard let earlier = run.findings.first(where: { !$0.isContradiction }) else { return nil }
    if run.interrupted, run.start == run.end {
      return "The replay was stopped in its warm-up, before these days: there are no figures."
    }
    let rows = earlier.count == 1 ? "row was" : "rows were"
    return "The figures are of these days alone. \(earlier.count.grouped) earlier \(rows) replayed "
      + "first: members begin with what they had done and reached by then."
  }

  /// A section of a page; empty for a simulation.
  static func section(_ run: RunHeader) -> String {
    guard let lead = lead(run) else { return "" }
    var out = ReportHTML.paragraph(lead, style: contradicts(run) ? "caution" : "soft")
    if !run.findings.isEmpty {
      out +=
        "<ul>\n"
        + lines(run.findings).map { "<li>\(HTMLText.escaped($0))</li>\n" }.joined() + "</ul>\n"
    }
    return ReportHTML.section("data-quality", "Data quality", out)
  }
}
