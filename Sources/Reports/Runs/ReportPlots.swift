internal import Quantities
internal import RewardModel

extension ReportPlot {
  /// The id of the element that shows it.
  var elementID: String { "plot-\(id)" }

  /// What plotly.js draws; nil when there is nothing to show.
  var spec: PlotSpec? {
    let (data, layout) =
      switch body {
      case .curves(let curves): (curves.data, curves.layout)
      case .lanes(let lanes): (lanes.data, lanes.layout)
      }
    guard !data.isEmpty else { return nil }
    return PlotSpec(
      id: elementID, data: data,
      layout: .object(
        layout.merging(height.map { ["height": .number(Double($0))] } ?? [:]) { $1 }))
  }
}

extension PlotColour {
  /// Its name in the palette of the page.
  var name: String {
    switch self {
    case .main: "@@accrual"
    case .second: "@@cash"
    case .reference: "@@budget"
    case .back: "@@bars"
    case .faint: "@@faint"
    case .tone(let tone): tone.colour
    case .series(let row): "@@series\(row % 6)"
    case .level(let step): "@@level\(step % 4)"
    }
  }

  var value: PlotValue { .text(name) }
}

extension PlotAxis {
  /// An axis from half a day before the first day to half a day after the last. A few days have a
  /// tick each, as plotly.js would divide them into hours.
  static func days(from first: CivilDate, through last: CivilDate) -> [String: PlotValue] {
    var layout: [String: PlotValue] = [
      "type": "date", "automargin": true,
      "range": [.text("\(first.adding(days: -1)) 12:00"), .text("\(last) 12:00")],
    ]
    if last.dayNumber - first.dayNumber < 4 {
      layout["tick0"] = .text(first.description)
      layout["dtick"] = .number(dayMillis)
    }
    return layout
  }

  /// A day of a date axis, in milliseconds.
  static let dayMillis = 86_400_000.0

  /// How a date reads under the pointer.
  static let hover = "%{x|%b %-d, %Y}"

  var layout: [String: PlotValue] {
    switch self {
    case .dates: ["type": "date", "automargin": true]
    case .span(let first, let last): Self.days(from: first, through: last)
    case .categories: ["type": "category", "automargin": true]
    case .rows: ["type": "category", "autorange": "reversed", "automargin": true]
    case .number(let title): ["title": ["text": .text(title)], "automargin": true]
    }
  }

  fileprivate var isOfDates: Bool {
    switch self {
    case .dates, .span: true
    case .categories, .rows, .number: false
    }
  }
}

extension PlotPlaces {
  fileprivate var value: PlotValue {
    switch self {
    case .texts(let texts): .texts(texts)
    case .numbers(let numbers): .numbers(numbers)
    }
  }

  /// Names of people, which may be long.
  fileprivate var names: PlotValue {
    guard case .texts(let texts) = self else { return value }
    return .list(texts.map { .name(PlotValue.short($0)) })
  }
}

extension PlotCurves.Panel {
  /// How a value reads under the pointer.
  fileprivate var hover: String {
    let number =
      switch unit {
      case .share: "%{y:.1f} %"
      default: "%{y:,.0f}"
      }
    return number + (word.isEmpty ? "" : " \(word)")
  }

  /// The same where values are along rows.
  fileprivate var rowHover: String {
    switch unit {
    case .money: "%{x:,.2f} \(word)"
    case .share: "%{x:.1f} %"
    default: "%{x:,.0f}"
    }
  }

  /// - Parameter largest: The largest value that is shown.
  fileprivate func layout(upTo largest: Double) -> [String: PlotValue] {
    switch unit {
    case .share: return ["ticksuffix": " %"]
    case .money: return [:]
    default:
      let format: [String: PlotValue] = ["tickformat": isShort ? ",~s" : ",d"]
      return isFew(largest) ? format.merging(Self.ones) { $1 } : format
    }
  }

  /// Whether an axis up to a value would have ticks between whole counts, whose labels would be those
  /// of the whole counts again.
  fileprivate func isFew(_ largest: Double) -> Bool {
    if case .count = unit { largest < 6 } else { false }
  }

  /// A tick at each whole count.
  fileprivate static let ones: [String: PlotValue] = ["tick0": 0, "dtick": 1]
}

extension PlotSeries {
  private var line: PlotValue {
    let width: Double =
      switch weight {
      case .hair: 1
      case .thin: 1.5
      case .plain: 2
      case .strong: 3
      case .broad: 4
      }
    let dash: PlotValue =
      switch self.dash {
      case .solid: "solid"
      case .dotted: "dot"
      case .dashDotted: "dashdot"
      }
    return ["color": colour.value, "width": .number(width), "dash": dash]
  }

  private var numbers: PlotValue { .list(values.map { $0.map { .number($0) } ?? .null }) }

  private var toneColours: PlotValue { .list(tones.map { .text($0.colour) }) }

  private var marker: PlotValue {
    if !tones.isEmpty {
      guard case .strong = weight else { return ["size": 4, "color": toneColours] }
      return ["size": 10, "color": toneColours, "line": ["color": colour.value, "width": 2]]
    }
    if case .line = shape { return ["color": colour.value] }
    return ["size": 5, "color": colour.value]
  }

  /// What a plot of any form says of it.
  fileprivate var trace: [String: PlotValue] {
    var out: [String: PlotValue] = ["name": .name(name), "x": places.value, "y": numbers]
    if let group { out["legendgroup"] = .text("run\(group)") }
    if case .bars = shape {
      out["type"] = "bar"
      out["marker"] = ["color": tones.isEmpty ? colour.value : toneColours]
      return out
    }
    out["type"] = "scatter"
    out["line"] = line
    out["marker"] = marker
    switch shape {
    case .line: out["mode"] = values.count > 1 ? "lines" : "markers"
    case .points: out["mode"] = "lines+markers"
    case .area, .bars:
      out["mode"] = "lines+markers"
      out["fill"] = "tozeroy"
      out["fillcolor"] = .text(colour.name + "Area")
    }
    return out
  }
}

extension PlotCurves {
  /// One series shows its date or name with each value, several share one box.
  private var isAlone: Bool { series.count == 1 }

  private var isOfRows: Bool { if case .rows = axis { true } else { false } }

  fileprivate var data: [PlotValue] {
    var named: Set<Int> = []
    return series.map { series in
      var out = series.trace
      let panel = panels[series.panel]
      if isOfRows {
        out["orientation"] = "h"
        (out["x"], out["y"]) = (out["y"], series.places.names)
        out["hovertemplate"] = .text(panel.rowHover)
        return .object(out)
      }
      let place = axis.isOfDates ? PlotAxis.hover : "%{x}"
      out["hovertemplate"] = .text(
        isAlone ? "\(place): \(panel.hover)<extra></extra>" : panel.hover)
      if axis.isOfDates, case .bars = series.shape, series.values.count == 1 {
        out["width"] = .number(Self.oneDayWidth)
      }
      switch form {
      case .plain:
        if series.panel > 0 { out["yaxis"] = .text("y\(series.panel + 1)") }
      case .stacked where series.values.count == 1:
        // An area needs two days.
        out = [
          "type": "bar", "name": .name(series.name), "x": series.places.value, "y": out["y"] ?? [],
          "marker": ["color": series.colour.value], "width": .number(Self.oneDayWidth),
          "hovertemplate": "%{y:,.1~f}",
        ]
      case .stacked:
        out["stackgroup"] = "parts"
        out["mode"] = "lines"
        out["line"] = ["width": 0.5, "color": series.colour.value]
        out["fillcolor"] = series.colour.value
        out["hovertemplate"] = "%{y:,.1~f}"
        out["fill"] = nil
        out["marker"] = nil
      case .grid:
        // The legend names a group once, with its first line.
        if let group = series.group { out["showlegend"] = .flag(named.insert(group).inserted) }
        out["xaxis"] = .text("x\(Self.suffix(series.panel))")
        out["yaxis"] = .text("y\(Self.suffix(series.panel))")
      }
      return .object(out)
    }
  }

  /// Of the only bar of a date axis, which plotly.js would make a millisecond wide.
  private static let oneDayWidth = 0.85 * PlotAxis.dayMillis

  /// Whether parts of a whole are shown for one day only, as bars.
  private var isOneDay: Bool { series.allSatisfy { $0.values.count == 1 } }

  /// The largest value of a panel; of parts that are stacked, the largest sum.
  private func largest(in panel: Int) -> Double {
    let rows = series.filter { $0.panel == panel }
    guard isStacked(panel) else { return rows.flatMap { $0.values.compactMap(\.self) }.max() ?? 0 }
    let days = rows.map(\.values.count).max() ?? 0
    return (0..<days).map { day in
      rows.reduce(0) { $0 + ($1.values.indices.contains(day) ? $1.values[day] ?? 0 : 0) }
    }.max() ?? 0
  }

  /// Whether a panel has one value alone: an axis of its own would divide it into thousandths.
  private func isFlat(_ panel: Int) -> Bool {
    let values = series.filter { $0.panel == panel }.flatMap { $0.values.compactMap(\.self) }
    return !values.isEmpty && values.min() == values.max()
  }

  private func isStacked(_ panel: Int) -> Bool {
    if case .stacked = form { return true }
    return panels.count > 1
      && series.contains { series in
        if series.panel == panel, case .bars = series.shape { true } else { false }
      }
  }

  /// Of the name of a panel's axis.
  private static func suffix(_ panel: Int) -> String { panel == 0 ? "" : "\(panel + 1)" }

  fileprivate var layout: [String: PlotValue] {
    if case .grid = form { return gridLayout }
    var out: [String: PlotValue] = [
      "showlegend": .flag(hasLegend && !isAlone),
      "shapes": .list(panels.enumerated().flatMap(shapes)),
    ]
    out[isOfRows ? "yaxis" : "xaxis"] = .object(
      axis.layout.merging(panels.count > 1 ? ["anchor": "y2"] : [:]) { $1 })
    for (row, panel) in panels.enumerated() {
      var values = panel.layout(upTo: largest(in: row))
      values["title"] = ["text": .text(panel.title)]
      values["automargin"] = true
      if let top = panel.top {
        values["range"] = [0, .number(top)]
      } else {
        values["rangemode"] = "tozero"
      }
      if panels.count > 1 { values["domain"] = row == 0 ? [0.38, 1] : [0, 0.27] }
      out[(isOfRows ? "xaxis" : "yaxis") + Self.suffix(row)] = .object(values)
    }
    if !isAlone { out["hovermode"] = isOfRows ? "y unified" : "x unified" }
    if series.contains(where: { if case .bars = $0.shape { true } else { false } }) {
      out["bargap"] = axis.isOfDates ? 0.15 : 0.3
      out["barmode"] = panels.count > 1 ? "stack" : "group"
    }
    if !hasLegend { out["margin"] = ["l": 64, "r": 8, "t": 10, "b": 30] }
    if panels.count > 1 || isOfRows {
      out["legend"] = [
        "orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal",
      ]
    }
    if isOfRows, let rows = series.first?.values.count {
      out["height"] = .number(Double(120 + rows * (16 + 11 * series.count)))
    }
    if case .stacked = form {
      out["margin"] = ["l": 64, "r": 16, "t": 36, "b": 84]
      out["updatemenus"] = [countsOrShares]
      if isOneDay { out["barmode"] = "stack" }
    }
    return out
  }

  private func shapes(_ row: Int, _ panel: Panel) -> [PlotValue] {
    panel.bounds.map { bound in
      [
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": .text("y\(Self.suffix(row))"),
        "y0": .number(bound.value), "y1": .number(bound.value),
        "line": ["color": .text(bound.tone.colour), "width": 1.5, "dash": "dash"],
      ]
    }
  }

  private var countsOrShares: PlotValue {
    let isFew = panels[0].isFew(largest(in: 0))
    func button(_ label: String, _ norm: PlotValue, _ suffix: PlotValue) -> PlotValue {
      let isShare = label != panels[0].title
      var axis: [String: PlotValue] = [
        "yaxis.ticksuffix": suffix, "yaxis.title.text": .text(label),
      ]
      if isFew {
        axis["yaxis.tickmode"] = isShare ? "auto" : "linear"
        if !isShare { axis.merge(["yaxis.tick0": 0, "yaxis.dtick": 1]) { $1 } }
      }
      // plotly.js scales areas by a property of each of them, and bars by one of the layout.
      if isOneDay { axis["barnorm"] = norm }
      return [
        "label": .text(label), "method": "update",
        "args": [isOneDay ? [:] : ["groupnorm": norm], .object(axis)],
      ]
    }
    return [
      "type": "buttons", "direction": "right", "x": 1, "xanchor": "right", "y": -0.1,
      "yanchor": "top", "showactive": true, "bgcolor": "@@panel", "bordercolor": "@@grid",
      "font": ["color": "@@text"],
      "buttons": [button(panels[0].title, "", ""), button("Share", "percent", " %")],
    ]
  }

  private var gridLayout: [String: PlotValue] {
    let rows = Double((panels.count + 1) / 2)
    var out: [String: PlotValue] = [
      "grid": [
        "rows": .number(rows), "columns": 2, "pattern": "independent", "xgap": 0.14, "ygap": 0.32,
      ],
      "showlegend": true, "hovermode": "x unified", "height": .number(90 + 190 * rows),
      "legend": ["orientation": "h", "x": 0, "y": 1.08, "yanchor": "bottom"],
    ]
    out["annotations"] = .list(
      panels.enumerated().map { row, panel in
        let suffix = Self.suffix(row)
        var times: [String: PlotValue] = axis.isOfDates ? axis.layout : [:]
        times["nticks"] = 5
        out["xaxis\(suffix)"] = .object(times)
        var values: [String: PlotValue] = ["tickformat": ",~s", "automargin": true, "nticks": 5]
        if (1..<6).contains(largest(in: row)) { values.merge(Panel.ones) { $1 } }
        if isFlat(row) { values["rangemode"] = "tozero" }
        out["yaxis\(suffix)"] = .object(values)
        return [
          "text": .name(panel.title), "showarrow": false, "x": 0, "y": 1, "xanchor": "left",
          "yanchor": "bottom", "xref": .text("x\(suffix) domain"),
          "yref": .text("y\(suffix) domain"),
        ]
      })
    return out
  }
}
