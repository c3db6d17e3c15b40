package import Foundation
internal import Quantities
package import RewardModel

/// The report of a run as a page: figures, tables and plots that need no server.
package enum HTMLReport {
  /// A file to be written into the run folder.
  package struct File: Sendable {
    package var name: String
    package var contents: Data
  }

  /// The name of the page in the run folder.
  package static let pageName = "report.html"
  /// The name of the script next to the page in mode `directory`.
  package static let scriptName = "plotly.min.js"

  /// The page and the files that it needs next to it.
  ///
  /// - Parameters:
  ///   - programme: Which program the run is of.
  ///   - record: A run of the program.
  ///   - plotly: How the page loads plotly.js.
  ///   - source: The script; nil when it is not on this machine. The modes `directory` and `inline`
  ///     then give a page without plots that says so; `cdn` does not need it.
  ///   - links: Names of other files of the run folder, which the page links to.
  package static func files<P: RewardProgramme>(
    _ programme: P.Type, _ record: P.Record, plotly: PlotlyMode, source: PlotlySource?,
    links: [String] = []
  ) -> [File] {
    let page = page(programme, record, plotly: plotly, source: source, links: links)
    var files = [File(name: pageName, contents: Data(page.utf8))]
    if plotly == .directory, let source {
      files.append(File(name: scriptName, contents: source.script))
    }
    return files
  }

  /// The page alone; parameters as for `files`.
  package static func page<P: RewardProgramme>(
    _ programme: P.Type, _ record: P.Record, plotly: PlotlyMode, source: PlotlySource?,
    links: [String] = []
  ) -> String {
    let (run, report) = (record.header, programme.report(of: record))
    let insights = PageHTML(pages: report.pages)
    let plots = report.sections.flatMap(\.plots) + insights.plots
    let body =
      header(run, report) + PageShell.notice(plots, plotly, source)
      + contents(report.sections, insights, run)
      + report.sections.map(ReportHTML().section).joined() + insights.all()
      + ThresholdWords.section(run, P.figures) + QualityWords.section(run) + assumptions(run)
      + footer(run, report.pace, links: links)
    return PageShell(
      title: run.scenario.isEmpty ? "Pitboss run" : run.scenario, body: body, plots: plots,
      plotly: plotly, source: source
    ).rendered()
  }

  private static func header(_ run: RunHeader, _ report: RunReport) -> String {
    var out = "<header>\n<h1>\(HTMLText.escaped(run.scenario))</h1>\n"
    if !run.scenarioDescription.isEmpty {
      out += ReportHTML.paragraph(run.scenarioDescription)
    }
    out += ReportHTML.paragraph(RunWords.span(run, size: report.size), style: "soft")
    if let settings = RunWords.settings(run) {
      out += ReportHTML.paragraph(settings, style: "soft")
    }
    if let beginning = QualityWords.beginning(run) {
      out += ReportHTML.paragraph(beginning, style: "caution")
    }
    out += ReportHTML.interruption(run, name: "This run")
    if !report.lead.isEmpty { out += ReportHTML.paragraph(report.lead, style: "lead") }
    return out + ReportHTML.cards(report.cards) + "</header>\n"
  }

  /// Links to everything on the page.
  static func contents(
    _ sections: [ReportSection], _ insights: PageHTML, _ run: RunHeader
  ) -> String {
    ReportHTML.contents(
      sections.map { ($0.id, $0.title) } + insights.entries
        + (run.thresholds.isEmpty ? [] : [("thresholds", "Thresholds")])
        + (run.settings.isEmpty ? [] : [("assumptions", "Settings and assumptions")])
        + [("run", "How this was run")])
  }

  /// The resolved settings by mark: what is fact, what was assumed, what was chosen.
  private static func assumptions(_ run: RunHeader) -> String {
    let used = RunWords.used(run)
    guard !used.isEmpty else { return "" }
    let others = Set(used.map(\.mark)).subtracting(SettingComparison.marks.map(\.mark))
      .sorted()
    var out = ReportHTML.paragraph(
      "Every number of the run, by where it comes from.", style: "soft")
    for (mark, words) in SettingComparison.marks + others.map({ ($0, $0) }) {
      let rows = used.filter { $0.mark == mark }
      guard !rows.isEmpty else { continue }
      var table = HTMLTable("Settings: \(words)", ["Setting", "Value"])
      for row in rows {
        table.add([
          HTMLTable.Cell(row.path, style: "code"),
          HTMLTable.Cell(RunWords.value(row.value), style: "code"),
        ])
      }
      out += HTMLText.details("\(rows.count) \(words)", table.rendered(tall: true))
    }
    return ReportHTML.section("assumptions", "Settings and assumptions", out)
  }

  /// How the run was made and where its files are.
  static func footer(_ run: RunHeader, _ pace: ReportPace, links: [String]) -> String {
    var table = HTMLTable("How this was run", ["", ""])
    var rows: [(String, String)] = [("Run", RunWords.span(run))]
    if !run.fingerprint.isEmpty { rows.append(("Fingerprint", run.fingerprint)) }
    rows.append(("Kernel events", run.events.grouped))
    rows.append(("Speed", RunWords.speed(run, pace)))
    for row in rows {
      table.add([HTMLTable.Cell(row.0), HTMLTable.Cell(row.1, style: "code")])
    }
    var out = table.rendered()
    if !links.isEmpty {
      let anchors = links.map { name in
        let path =
          name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        return "<a href=\"./\(HTMLText.escaped(path))\">\(HTMLText.escaped(name))</a>"
      }
      out += "<p>Files of this run: \(anchors.joined(separator: ", "))</p>\n"
    }
    return ReportHTML.section("run", "How this was run", out)
  }
}
