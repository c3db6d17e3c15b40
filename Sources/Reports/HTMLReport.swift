package import BlakJaks
package import Foundation
internal import Quantities
internal import RewardModel

/// The report of a run as a page: figures, tables and plots that need no server.
package enum HTMLReport {
  /// A file to be written into the run folder.
  package struct File: Sendable {
    package var name: String
    package var contents: Data
  }

  /// The name of the page in the run folder.
  package static let pageName = "report.html"
  /// The name of the script beside the page in mode `directory`.
  package static let scriptName = "plotly.min.js"

  /// The page and what it needs beside it.
  ///
  /// - Parameters:
  ///   - record: The run.
  ///   - plotly: How the page comes by plotly.js.
  ///   - source: The script; nil when it is not on this machine. The modes `directory` and
  ///     `inline` then give a page without plots that says so; `cdn` does not need it.
  ///   - links: Names of other files of the run folder, which the page links to.
  package static func files(
    _ record: BlakJaksRecord, plotly: PlotlyMode, source: PlotlySource?, links: [String] = []
  ) -> [File] {
    let page = page(record, plotly: plotly, source: source, links: links)
    var files = [File(name: pageName, contents: Data(page.utf8))]
    if plotly == .directory, let source {
      files.append(File(name: scriptName, contents: source.script))
    }
    return files
  }

  /// The page alone; parameters as for `files`.
  package static func page(
    _ record: BlakJaksRecord, plotly: PlotlyMode, source: PlotlySource?, links: [String] = []
  ) -> String {
    let figures = RunFigures(record)
    let sections = ReportSections(record: record, figures: figures)
    let insights = InsightHTML(record)
    let plots = Plots.all(record, figures) + insights.plots
    let body =
      sections.header() + PageShell.notice(plots, plotly, source)
      + sections.all() + insights.all() + sections.assumptions() + sections.footer(links: links)
    return PageShell(
      title: record.scenario.isEmpty ? "Pitboss run" : record.scenario, body: body, plots: plots,
      plotly: plotly, source: source
    ).rendered()
  }
}
