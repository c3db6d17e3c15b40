package import Foundation
internal import Quantities
internal import Rulebook
package import Simulator

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
    _ record: RunRecord, plotly: PlotlyMode, source: PlotlySource?, links: [String] = []
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
    _ record: RunRecord, plotly: PlotlyMode, source: PlotlySource?, links: [String] = []
  ) -> String {
    let figures = RunFigures(record)
    let sections = ReportSections(record: record, figures: figures)
    let insights = InsightHTML(record)
    let plots = Plots.all(record, figures) + insights.plots
    let script = scriptTag(plotly, source)
    let title = HTMLText.escaped(record.scenario.isEmpty ? "Pitboss run" : record.scenario)
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(title) – Pitboss report</title>
      <link rel="icon" href="data:,">
      <style>
      \(PageStyle.text)
      </style>
      </head>
      <body>
      <main>

      """
    page += sections.header()
    if script == nil, !plots.isEmpty { page += notice(missing: PlotlySource.advice) }
    page += sections.all() + insights.all() + sections.assumptions()
    page += sections.footer(links: links)
    page += "</main>\n"
    if let script {
      page += "<script type=\"application/json\" id=\"plots\">\(HTMLText.json(plots))</script>\n"
      page += script
      page += "<script>\n\(PageScript.text)\n</script>\n"
    }
    return page + "</body>\n</html>\n"
  }

  /// Nil when the page is to go without plots.
  static func scriptTag(_ mode: PlotlyMode, _ source: PlotlySource?) -> String? {
    switch mode {
    case .cdn:
      return "<script charset=\"utf-8\" src=\"\(PlotlySource.networkAddress)\""
        + " integrity=\"\(PlotlySource.integrity)\" crossorigin=\"anonymous\"></script>\n"
    case .directory:
      guard source != nil else { return nil }
      return "<script charset=\"utf-8\" src=\"\(scriptName)\"></script>\n"
    case .inline:
      guard let source else { return nil }
      // In a string literal of the script `<\/` means `</`, but would not end the element.
      let text = String(decoding: source.script, as: UTF8.self)
        .replacing("</script", with: "<\\/script")
      return "<script>\(text)</script>\n"
    }
  }

  static func notice(missing advice: String) -> String {
    "<p class=\"notice\" role=\"note\">This report was made without plotly.js, so that it shows "
      + "tables instead of plots. For plots, \(HTMLText.escaped(advice)), and make the report "
      + "again.</p>\n"
  }
}
