package import Experiments
internal import Foundation
internal import Population
internal import Quantities

/// A calibration as a page: plots of expected against actual, the tables, and the block for a
/// scenario.
package enum CalibrationPage {
  /// The name of the page.
  package static let name = "calibration.html"

  /// The page alone.
  ///
  /// - Parameters:
  ///   - report: What the calibration found.
  ///   - source: Name of the history.
  ///   - plotly: How the page loads plotly.js.
  ///   - script: The script; nil when it is not on this machine. The modes `directory` and `inline`
  ///     then give a page without plots that says so.
  package static func page(
    _ report: CalibrationReport, source: String, plotly: PlotlyMode, script: PlotlySource?
  ) -> String {
    let tables = CalibrationTables(report)
    let plots = CalibrationPlots(report).all()
    let title = "Calibration of \(source)"
    let notice = PageShell.notice(plots, plotly, script)
    var page = "<header>\n<h1>\(HTMLText.escaped(title))</h1>\n"
    page += tables.facts().map { "<p class=\"soft\">\(HTMLText.escaped($0))</p>\n" }.joined()
    for model in report.models where model.fit.status != .converged {
      let words = "\(PurchaseBlock.name(model.fit)): \(model.fit.status.explanation)."
      page += "<p class=\"notice\" role=\"note\">\(HTMLText.escaped(words))</p>\n"
    }
    page += "</header>\n"
    page += notice
    let shown = Set(notice.isEmpty ? plots.map(\.id) : [])
    page += section("parameters", tables.parameters(), plot: nil)
    page += section("histogram", tables.histogram(), plot: place("plot-histogram", shown))
    page += section("totals", tables.totals(), plot: nil)
    page += section("weeks", tables.weeks(), plot: place("plot-weeks", shown))
    if let groups = tables.groups() {
      page += section("groups", groups, plot: place("plot-groups", shown))
    }
    page += block(report, tables)
    return PageShell(
      title: title, body: page, plots: plots, plotly: plotly, source: script
    ).rendered()
  }

  /// Nil when the page goes without this plot.
  private static func place(_ id: String, _ shown: Set<String>) -> String? {
    shown.contains(id) ? id : nil
  }

  /// A table, folded away below its plot when there is one.
  private static func section(_ id: String, _ table: CalibrationTable, plot: String?) -> String {
    guard !table.rows.isEmpty else { return "" }
    var html = HTMLTable(
      table.title, table.columns.enumerated().map { $0 == 0 ? $1 : "#" + $1 })
    for row in table.rows { html.add(row.map { HTMLTable.Cell($0) }) }
    let rendered = html.rendered(tall: table.rows.count > 20)
    var out = "<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n"
    out += "<h2 id=\"\(id)-title\">\(HTMLText.escaped(table.title))</h2>\n"
    let note = HTMLText.escaped(table.note)
    if let plot {
      out += "<figure>\n<figcaption>\(note)</figcaption>\n<div class=\"plot\" id=\"\(plot)\""
      out += " role=\"img\" aria-label=\"\(HTMLText.escaped(table.title))\"></div>\n"
      out += HTMLText.details("As a table", rendered, printed: true) + "</figure>\n"
    } else {
      out += "<p class=\"soft\">\(note)</p>\n" + rendered
    }
    return out + "</section>\n"
  }

  private static func block(_ report: CalibrationReport, _ tables: CalibrationTables) -> String {
    let yaml = HTMLText.escaped(PurchaseBlock.yaml(report, report.chosen))
    return "<section id=\"block\" aria-labelledby=\"block-title\">\n"
      + "<h2 id=\"block-title\">population.purchase</h2>\n"
      + "<p class=\"soft\">\(HTMLText.escaped(tables.choice()))</p>\n"
      + "<pre class=\"code\">\(yaml)</pre>\n</section>\n"
  }
}
