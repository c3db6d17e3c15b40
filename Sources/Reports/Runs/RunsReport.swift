internal import Quantities
package import RewardModel

/// One page about one finished run, or about several side by side, for the screen and for paper.
package struct RunsReport: Sendable {
  /// How many runs are shown side by side at most; more columns could not be read.
  package static let runsMost = 12
  /// By this text programs know a page of Pitboss, which may be replaced.
  package static let generator = PageShell.generator
  /// Up to this many runs a printed page is portrait.
  private static let uprightMost = 4

  /// What the page shows.
  private enum Content {
    case one(RunReport)
    case several(RunComparison)
  }

  private let runs: [RunHeader]
  private let labels: [String]
  private let figures: FigureCatalog
  private let content: Content
  private let title: String
  private let paper: PaperSize

  /// - Parameters:
  ///   - programme: Which program the runs are of.
  ///   - runs: 1...`runsMost` runs of the program, the one that the others are compared with first.
  ///   - title: The page's title; nil takes it from the runs.
  ///   - paper: The size of the page when it is printed.
  /// - Complexity: O(rows of all runs).
  package init<P: RewardProgramme>(
    _ programme: P.Type, _ runs: [NamedRun<P.Record>], title: String? = nil,
    paper: PaperSize = .a4
  ) {
    invariant(!runs.isEmpty, "a report without a run")
    invariant(runs.count <= Self.runsMost, "a report of \(runs.count) runs")
    self.runs = runs.map(\.record.header)
    self.title = title ?? Self.title(runs.map(\.name), self.runs)
    self.paper = paper
    // A letter keeps runs of one name apart.
    let labels = runs.enumerated().map { "\(Self.letter($0.offset)) \($0.element.name)" }
    self.labels = labels
    figures = P.figures
    content =
      runs.count == 1
      ? .one(programme.report(of: runs[0].record))
      : .several(
        programme.comparison(
          of: zip(labels, runs).map { NamedRun(name: $0, record: $1.record) }))
  }

  /// `A`, `B`, `C` …
  private static func letter(_ index: Int) -> String {
    String(UnicodeScalar(UInt8(65 + index % 26)))
  }

  private static func title(_ names: [String], _ runs: [RunHeader]) -> String {
    if runs.count == 1 { return runs[0].scenario.isEmpty ? "Pitboss run" : runs[0].scenario }
    return runs.count == 2
      ? "\(names[0]) and \(names[1])" : "\(names[0]) and \(names.count - 1) more runs"
  }

  /// The page.
  ///
  /// - Parameters:
  ///   - plotly: How it loads plotly.js.
  ///   - source: The script; nil gives a page without plots that says so, except in mode `cdn`.
  package func page(plotly: PlotlyMode, source: PlotlySource?) -> String {
    let landscape = runs.count > Self.uprightMost
    let (body, plots) =
      switch content {
      case .one(let report): one(report)
      case .several(let comparison):
        (
          RunsSections(
            runs: runs, labels: labels, title: title, comparison: comparison, figures: figures
          ).all(),
          comparison.sections.flatMap(\.plots)
        )
      }
    let notice = PageShell.notice(plots, plotly, source)
    let marks = runs.map(RunWords.shortFingerprint)
    let style = PrintStyle.text(
      paper: paper, landscape: landscape, title: title,
      mark: runs.count == 1
        ? "fingerprint \(marks[0])"
        : "fingerprints " + marks.map { $0.prefix(8) }.joined(separator: ", "))
    return PageShell(
      title: title, style: PageStyle.text + "\n" + style, body: notice + body, plots: plots,
      plotly: plotly, source: source,
      paperWidth: landscape ? PrintStyle.landscapeWidth : PrintStyle.portraitWidth
    ).rendered()
  }

  /// A summary for the first page, then everything that the run's own report holds.
  private func one(_ report: RunReport) -> (body: String, plots: [PlotSpec]) {
    let (run, opening) = (runs[0], report.opening)
    let insights = PageHTML(pages: report.pages)
    var body = "<header class=\"summary\">\n<h1>\(HTMLText.escaped(title))</h1>\n"
    if !run.scenarioDescription.isEmpty {
      body += ReportHTML.paragraph(run.scenarioDescription)
    }
    body += ReportHTML.paragraph(RunsSections.about(run, size: report.size), style: "soft")
    if let settings = RunWords.settings(run) {
      body += ReportHTML.paragraph(settings, style: "soft")
    }
    if let beginning = QualityWords.beginning(run) {
      body += ReportHTML.paragraph(beginning, style: "caution")
    }
    body += ReportHTML.interruption(run, name: "This run")
    body += ReportHTML.paragraph(
      opening.verdict.text, style: "verdict \(opening.verdict.tone.style)")
    if !opening.verdict.reasons.isEmpty {
      body += ReportHTML.paragraph(opening.verdict.reasons, style: "lead")
    }
    body += ReportHTML.cards(opening.cards) + "</header>\n"
    let sections = [opening.section] + report.sections
    body += HTMLReport.contents(sections, insights, run)
    body += sections.map(ReportHTML().section).joined() + insights.all()
    body += ThresholdWords.section(run, figures) + QualityWords.section(run)
    body += RunsSections.assumptions(SettingComparison(runs), differing: "")
    body += HTMLReport.footer(run, report.pace, links: [])
    return (body, sections.flatMap(\.plots) + insights.plots)
  }
}
