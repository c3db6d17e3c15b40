internal import Experiments
internal import Foundation
internal import Population
internal import Quantities

/// The plots of a calibration.
struct CalibrationPlots {
  private let report: CalibrationReport

  init(_ report: CalibrationReport) { self.report = report }

  /// Those that there is something for.
  func all() -> [PlotSpec] { [histogram(), weeks(), groups()].compactMap { $0 } }

  private func colour(_ model: FittedModel) -> PlotValue {
    switch model.fit.law.model {
    case .bgNbd: "@@series3"
    case .mbgNbd: "@@series0"
    case .paretoNbd: "@@series2"
    }
  }

  private func name(_ model: FittedModel) -> PlotValue { .text(PurchaseBlock.name(model.fit)) }

  /// Not finite: a gap in the plot.
  private func values(_ values: [Double]) -> PlotValue {
    .list(values.map { $0.isFinite ? .number(($0 * 1e4).rounded() / 1e4) : .null })
  }

  /// Customers by repeat purchases: bars side by side.
  func histogram() -> PlotSpec? {
    let bins = PlotValue.texts(report.histogram.indices.map(CalibrationTables.label))
    let actual: PlotValue = [
      "type": "bar", "name": "Actual", "x": bins, "y": .numbers(report.histogram.map(Double.init)),
      "marker": ["color": "@@budget"], "hovertemplate": "%{y:,.0f}",
    ]
    let expected = report.models.map { model -> PlotValue in
      [
        "type": "bar", "name": name(model), "x": bins, "y": values(model.histogram),
        "marker": ["color": colour(model)], "hovertemplate": "%{y:,.1f}",
      ]
    }
    return PlotSpec(
      id: "plot-histogram", data: [actual] + expected,
      layout: [
        "xaxis": ["type": "category", "title": ["text": "Repeat purchases"], "automargin": true],
        "yaxis": ["title": ["text": "Customers"], "rangemode": "tozero", "automargin": true],
        "barmode": "group", "bargap": 0.2, "hovermode": "x unified", "height": 380,
      ])
  }

  /// Cumulative repeat purchases above, those of each week below; a line ends the calibration.
  func weeks() -> PlotSpec? {
    guard !report.weeks.isEmpty else { return nil }
    let dates = PlotValue.texts(report.weeks.map(\.description))
    func pair(_ name: PlotValue, _ sums: [Double], _ line: PlotValue) -> [PlotValue] {
      let each = sums.indices.map { $0 == 0 ? sums[0] : sums[$0] - sums[$0 - 1] }
      return [("y", sums, true), ("y2", each, false)].map { axis, numbers, legend in
        [
          "type": "scatter", "mode": "lines", "name": name, "x": dates, "y": values(numbers),
          "yaxis": .text(axis), "line": line, "showlegend": .flag(legend),
          "hovertemplate": "%{y:,.1f}",
        ]
      }
    }
    let actual = pair("Actual", report.weekly.map(Double.init), ["color": "@@text", "width": 3])
    let expected = report.models.flatMap {
      pair(name($0), $0.weekly, ["color": colour($0), "width": 2, "dash": "dash"])
    }
    var shapes: [PlotValue] = []
    if report.sample.holdoutEnd != nil {
      let end = PlotValue.text(report.sample.until.description)
      shapes.append([
        "type": "line", "xref": "x", "x0": end, "x1": end, "yref": "paper", "y0": 0, "y1": 1,
        "line": ["color": "@@faint", "width": 1.5, "dash": "dot"],
      ])
    }
    return PlotSpec(
      id: "plot-weeks", data: actual + expected,
      layout: [
        "xaxis": ["type": "date", "anchor": "y2", "automargin": true],
        "yaxis": [
          "title": ["text": "Repeat purchases"], "domain": [0.42, 1], "rangemode": "tozero",
          "automargin": true,
        ],
        "yaxis2": [
          "title": ["text": "In the week"], "domain": [0, 0.34], "rangemode": "tozero",
          "automargin": true,
        ],
        "shapes": .list(shapes), "hovermode": "x unified", "height": 560,
      ])
  }

  /// Purchases a customer in the holdout.
  func groups() -> PlotSpec? {
    guard let groups = report.models.first?.groups, !groups.isEmpty else { return nil }
    let bins = PlotValue.texts(groups.map { CalibrationTables.label($0.repeats) })
    func line(_ name: PlotValue, _ means: [Double], _ style: PlotValue) -> PlotValue {
      [
        "type": "scatter", "mode": "lines+markers", "name": name, "x": bins, "y": values(means),
        "line": style, "hovertemplate": "%{y:,.2f}",
      ]
    }
    let actual = line("Actual", groups.map(\.actual), ["color": "@@text", "width": 3])
    let expected = report.models.map {
      line(name($0), $0.groups.map(\.expected), ["color": colour($0), "width": 2, "dash": "dash"])
    }
    return PlotSpec(
      id: "plot-groups", data: [actual] + expected,
      layout: [
        "xaxis": [
          "type": "category", "title": ["text": "Repeat purchases before"], "automargin": true,
        ],
        "yaxis": [
          "title": ["text": "Purchases per customer"], "rangemode": "tozero", "automargin": true,
        ],
        "hovermode": "x unified", "height": 380,
      ])
  }
}
