internal import RewardModel

/// The sections of a page about several runs side by side.
struct RunsSections {
  let runs: [RunHeader]
  /// What heads a run's column.
  let labels: [String]
  let title: String
  let comparison: RunComparison
  private let settings: SettingComparison
  private let parts: ReportHTML
  /// Empty where no run has a threshold.
  private let thresholds: String

  init(
    runs: [RunHeader], labels: [String], title: String, comparison: RunComparison,
    figures: FigureCatalog
  ) {
    self.runs = runs
    self.labels = labels
    self.title = title
    self.comparison = comparison
    settings = SettingComparison(runs)
    parts = ReportHTML(labels: labels)
    thresholds = ThresholdWords.section(runs, labels: labels, figures)
  }

  func all() -> String {
    header() + contents() + differences() + headlines() + thresholds
      + comparison.sections.map(parts.section).joined()
      + Self.assumptions(
        settings,
        differing: settings.differing.isEmpty
          ? "All runs share them."
          : "All runs share these; the settings that differ are listed above.")
      + footer()
  }

  private func contents() -> String {
    ReportHTML.contents(
      [("differences", "Settings that differ"), ("headlines", "Headline figures")]
        + (thresholds.isEmpty ? [] : [("thresholds", "Thresholds")])
        + comparison.sections.map { ($0.id, $0.title) }
        + (settings.shared.isEmpty ? [] : [("assumptions", "Settings and assumptions")])
        + [("run", "How this was run")])
  }

  private func header() -> String {
    var out = "<header class=\"summary\">\n<h1>\(HTMLText.escaped(title))</h1>\n"
    out += ReportHTML.paragraph("\(runs.count) runs side by side", style: "soft")
    for (run, label) in zip(runs, labels) { out += ReportHTML.interruption(run, name: label) }
    for index in runs.indices { out += card(index) }
    for note in notes { out += ReportHTML.paragraph(note, style: "soft") }
    return out + "</header>\n"
  }

  private func card(_ index: Int) -> String {
    let (run, verdict) = (runs[index], comparison.verdicts[index])
    let colour = PlotColour.series(index).name.replacing("@@", with: "--")
    var out = "<div class=\"run\" style=\"--run:var(\(colour))\">\n"
    out += "<h2><span class=\"swatch\"></span>\(HTMLText.escaped(labels[index]))</h2>\n"
    if !run.scenarioDescription.isEmpty {
      out += ReportHTML.paragraph(run.scenarioDescription)
    }
    out += ReportHTML.paragraph(Self.about(run), style: "soft")
    if let settings = RunWords.settings(run) {
      out += ReportHTML.paragraph(settings, style: "soft")
    }
    if let beginning = QualityWords.beginning(run) {
      out += ReportHTML.paragraph(beginning, style: "caution")
    }
    if QualityWords.contradicts(run), let lead = QualityWords.lead(run) {
      out += ReportHTML.paragraph(lead, style: "caution")
    }
    out += ReportHTML.paragraph(verdict.text, style: "verdict \(verdict.tone.style)")
    return out + ReportHTML.paragraph(verdict.reasons) + "</div>\n"
  }

  /// Scenario, time and fingerprint.
  static func about(_ run: RunHeader, size: String = "") -> String {
    "\(run.scenario), \(RunWords.span(run, size: size)), fingerprint \(RunWords.shortFingerprint(run))"
  }

  /// What readers must know before they compare columns.
  private var notes: [String] {
    let isSimulated = runs.allSatisfy { $0.source == .simulation }
    let sameLuck =
      isSimulated && runs.allSatisfy { $0.seed == runs[0].seed }
      ? "Each column is one run, and all have the seed \(runs[0].seed): a member has the same "
        + "luck in each of them, which makes differences clearer but not certain."
      : "Each column is one run; small differences may be chance."
    return [sameLuck] + comparison.notes
  }

  private func headlines() -> String {
    var table = HTMLTable(
      "Headline figures, each with the difference to \(labels[0])",
      ["Figure"] + labels.map { "#" + $0 })
    for group in comparison.headlines {
      table.addGroup(group.title)
      for row in group.rows { table.add(parts.cells(row)) }
    }
    let caption = "Below each figure its difference to \(labels[0]), where there is one."
    return ReportHTML.section(
      "headlines", "Headline figures",
      ReportHTML.paragraph(caption, style: "soft") + table.rendered(), flows: true)
  }

  private func differences() -> String {
    let rows = settings.differing
    guard !rows.isEmpty else {
      return ReportHTML.section(
        "differences", "Settings that differ",
        ReportHTML.paragraph("All settings are the same.", style: "soft"), flows: true)
    }
    var table = HTMLTable("Settings that differ", ["Setting"] + labels)
    for row in rows {
      let unit = row.unit.isEmpty ? "" : " (\(row.unit))"
      table.add(
        [HTMLTable.Cell(row.path, style: "code", note: row.doc + unit)]
          + row.entries.map { entry in
            guard let entry else { return HTMLTable.Cell("–", style: "soft", note: "not in use") }
            return HTMLTable.Cell(
              RunWords.value(entry.value), style: "code wrap", note: entry.mark)
          })
    }
    return ReportHTML.section(
      "differences", "Settings that differ", table.rendered(tall: rows.count > 24), flows: true)
  }

  /// The settings by mark, folded on screen and open on paper.
  ///
  /// - Parameter differing: What to say about settings that are listed elsewhere; may be empty.
  static func assumptions(_ settings: SettingComparison, differing: String) -> String {
    let groups = settings.shared
    guard !groups.isEmpty else { return "" }
    var out = ReportHTML.paragraph(
      "Every number that was put in, by where it comes from. " + differing, style: "soft")
    for group in groups {
      var table = HTMLTable(
        "Settings: \(group.words)", ["Setting", "Value", "What it is"])
      for row in SettingComparison.folded(group.rows) {
        table.add([
          HTMLTable.Cell(row.path, style: "code"), HTMLTable.Cell(row.value, style: "code"),
          HTMLTable.Cell(row.doc, style: "doc"),
        ])
      }
      out += HTMLText.details(
        "\(group.rows.count) \(group.words)", table.rendered(tall: true), printed: true)
    }
    return ReportHTML.section("assumptions", "Settings and assumptions", out)
  }

  /// How the runs were made.
  private func footer() -> String {
    var table = HTMLTable("How this was run", ["Run", "Fingerprint", "Speed"])
    for (index, run) in runs.enumerated() {
      table.add([
        HTMLTable.Cell(labels[index]), HTMLTable.Cell(run.fingerprint, style: "code"),
        HTMLTable.Cell(RunWords.speed(run, comparison.paces[index])),
      ])
    }
    var out = table.rendered()
    out += ReportHTML.paragraph(
      "Each run's own report, with its Insights: pitboss report RUN.", style: "soft")
    return ReportHTML.section("run", "How this was run", out, flows: true)
  }
}
