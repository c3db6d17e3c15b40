internal import BlakJaks
internal import Quantities
internal import RewardModel

/// One page about one finished run, or about several side by side, for the screen and for paper.
package struct RunsReport: Sendable {
  /// How many runs stand side by side at most; more columns could not be read.
  package static let runsMost = 12
  /// By this text programs know a page of Pitboss, which may be replaced.
  package static let generator = PageShell.generator
  /// Up to so many runs a printed page stands upright.
  private static let uprightMost = 4

  let runs: [ReportRun]
  let title: String
  let paper: PaperSize

  /// - Parameters:
  ///   - runs: 1...`runsMost` runs, the one that the others are compared with first.
  ///   - title: Stands above the page; nil takes it from the runs.
  ///   - paper: The size of the page when it is printed.
  package init(_ runs: [ReportRun], title: String? = nil, paper: PaperSize = .a4) {
    invariant(!runs.isEmpty, "a report without a run")
    invariant(runs.count <= Self.runsMost, "a report of \(runs.count) runs")
    self.runs = runs
    self.title = title ?? Self.title(of: runs)
    self.paper = paper
  }

  private static func title(of runs: [ReportRun]) -> String {
    let first = runs[0].record.scenario.isEmpty ? "Pitboss run" : runs[0].record.scenario
    if runs.count == 1 { return first }
    return runs.count == 2
      ? "\(runs[0].name) and \(runs[1].name)" : "\(runs[0].name) and \(runs.count - 1) more runs"
  }

  /// The page.
  ///
  /// - Parameters:
  ///   - plotly: How it comes by plotly.js.
  ///   - source: The script; nil gives a page without plots that says so, except in mode `cdn`.
  /// - Complexity: O(rows of all runs).
  package func page(plotly: PlotlyMode, source: PlotlySource?) -> String {
    let landscape = runs.count > Self.uprightMost
    let (body, plots) = runs.count == 1 ? one(runs[0]) : several()
    let notice = PageShell.notice(plots, plotly, source)
    let style = PrintStyle.text(
      paper: paper, landscape: landscape, title: title,
      mark: runs.count == 1
        ? "fingerprint \(runs[0].shortFingerprint)"
        : "fingerprints " + runs.map { $0.shortFingerprint.prefix(8) }.joined(separator: ", "))
    return PageShell(
      title: title, style: PageStyle.text + "\n" + style, body: notice + body, plots: plots,
      plotly: plotly, source: source,
      paperWidth: landscape ? PrintStyle.landscapeWidth : PrintStyle.portraitWidth
    ).rendered()
  }

  /// A summary for the first page, then everything that the run's own report holds.
  private func one(_ run: ReportRun) -> (body: String, plots: [PlotSpec]) {
    let record = run.record
    let summary = RunSummaryPage(run: run, title: title)
    let sections = ReportSections(record: record, figures: run.figures)
    let insights = InsightHTML(record)
    let body =
      summary.rendered() + sections.all() + insights.all()
      + RunsHTML.assumptions(SettingComparison(runs), differing: "")
      + sections.footer(links: [])
    let plots =
      [summary.plot].compactMap { $0 } + Plots.all(record, run.figures) + insights.plots
    return (body, plots)
  }

  private func several() -> (body: String, plots: [PlotSpec]) {
    let sections = RunsSections(runs: runs, title: title)
    return (sections.all(), sections.plots.all)
  }
}
