package import Experiments
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

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
  ///   - whole: What the history tells besides purchases.
  ///   - plotly: How the page loads plotly.js.
  ///   - script: The script; nil when it is not on this machine. The modes `directory` and `inline`
  ///     then give a page without plots that says so.
  package static func page(
    _ report: CalibrationReport, source: String, whole: Calibration? = nil, plotly: PlotlyMode,
    script: PlotlySource?
  ) -> String {
    let tables = CalibrationTables(report)
    let plots = CalibrationPlots(report).all() + (whole.map { BehaviourPlots($0).all() } ?? [])
    var parts: [(id: String, table: CalibrationTable?)] = [
      ("parameters", tables.parameters()), ("histogram", tables.histogram()),
      ("totals", tables.totals()), ("weeks", tables.weeks()), ("groups", tables.groups()),
    ]
    for part in whole.map({ BehaviourTables($0).all() }) ?? [] {
      parts.append((part.id, part.table))
    }
    let sections = parts.compactMap { id, table in
      table.map { table in
        section(id, table, plots.filter { $0.id == "plot-\(id)" || $0.id == "plot-\(id)-grid" })
      }
    }
    let title = "Calibration of \(source)"
    return ExperimentPage(
      title: title, heading: title, facts: tables.facts(),
      notices: report.models.filter { $0.fit.status != .converged }.map { model in
        "\(PurchaseBlock.name(model.fit)): \(model.fit.status.explanation)."
      } + (whole?.untold ?? []),
      sections: sections + (whole.map { [quality($0)] } ?? []) + [block(report, tables, whole)]
        + (whole.map { [scenario($0)] } ?? [])
    ).rendered(plotly, script)
  }

  /// A table, folded away below its plot when there is one.
  private static func section(
    _ id: String, _ table: CalibrationTable, _ plots: [PlotSpec]
  ) -> ExperimentPage.Section {
    var html = HTMLTable(
      table.title, table.columns.enumerated().map { $0 == 0 ? $1 : "#" + $1 })
    for row in table.rows { html.add(row.map { HTMLTable.Cell($0) }) }
    return ExperimentPage.Section(
      id: id, title: table.title, text: table.note, plots: plots,
      content: table.rows.isEmpty ? "" : html.rendered(tall: table.rows.count > 20),
      isFolded: true)
  }

  /// Rows that contradict others.
  private static func quality(_ whole: Calibration) -> ExperimentPage.Section {
    let items = QualityWords.lines(whole.contradictions).map {
      "<li>\(HTMLText.escaped($0))</li>\n"
    }
    return ExperimentPage.Section(
      id: "data-quality", title: "Data quality",
      text: QualityWords.fittedLead(whole.contradictions),
      content: items.isEmpty ? "" : "<ul>\n\(items.joined())</ul>\n")
  }

  /// The whole scenario.
  private static func scenario(_ whole: Calibration) -> ExperimentPage.Section {
    let text = CalibrationScenario(whole).files().first?.text ?? ""
    return ExperimentPage.Section(
      id: "scenario", title: "The scenario",
      text: (["Every block with its interval and source, and what the fits leave uncertain."]
        + whole.contained.map(CalibrationTables.sentence)).joined(separator: " "),
      content: "<pre class=\"code\">\(HTMLText.escaped(text))</pre>\n")
  }

  private static func block(
    _ report: CalibrationReport, _ tables: CalibrationTables, _ whole: Calibration?
  ) -> ExperimentPage.Section {
    let yaml = HTMLText.escaped(
      PurchaseBlock.yaml(report, report.chosen, contained: whole?.contained ?? []))
    return ExperimentPage.Section(
      id: "block", title: "population.purchase", text: tables.choice(),
      content: "<pre class=\"code\">\(yaml)</pre>\n")
  }
}
