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
      case .stack(let stack): (stack.data, stack.layout)
      case .lanes(let lanes): (lanes.data, lanes.layout)
      case .bars(let bars): (bars.data, bars.layout)
      case .small(let small): (small.data, small.layout)
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

  fileprivate var value: PlotValue { .text(name) }
}

extension PlotAxis {
  fileprivate var layout: [String: PlotValue] {
    switch self {
    case .dates: ["type": "date", "automargin": true]
    case .span(let first, let last):
      [
        "type": "date", "automargin": true,
        "range": [.text("\(first.adding(days: -1)) 12:00"), .text("\(last) 12:00")],
      ]
    case .categories: ["type": "category", "automargin": true]
    case .number(let title): ["title": ["text": .text(title)], "automargin": true]
    }
  }

  /// The axis of a small plot.
  fileprivate var small: PlotValue {
    switch self {
    case .dates, .span: ["type": "date", "nticks": 5]
    case .categories, .number: ["nticks": 5]
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
}

extension PlotUnit {
  /// How a value reads under the pointer.
  fileprivate var hover: String {
    switch self {
    case .money: "%{y:,.0f} USDT"
    case .percent(let word): "%{y:.1f} %" + (word.isEmpty ? "" : " \(word)")
    case .count: "%{y:,.0f}"
    }
  }

  fileprivate var layout: [String: PlotValue] {
    switch self {
    case .money: [:]
    case .percent: ["ticksuffix": " %"]
    case .count(let short): ["tickformat": short ? ",~s" : ",d"]
    }
  }
}

extension PlotSeries {
  fileprivate var line: PlotValue {
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

  fileprivate var numbers: PlotValue { .list(values.map { $0.map { .number($0) } ?? .null }) }

  private var toneColours: PlotValue { .list(tones.map { .text($0.colour) }) }

  private var marker: PlotValue {
    if !tones.isEmpty {
      guard case .strong = weight else { return ["size": 4, "color": toneColours] }
      return ["size": 10, "color": toneColours, "line": ["color": colour.value, "width": 2]]
    }
    if case .line = shape { return ["color": colour.value] }
    return ["size": 5, "color": colour.value]
  }

  /// - Parameter hover: How a value reads under the pointer.
  fileprivate func trace(hover: String) -> PlotValue {
    var out: [String: PlotValue] = [
      "name": .name(name), "x": places.value, "y": numbers, "hovertemplate": .text(hover),
    ]
    if let group { out["legendgroup"] = .text("run\(group)") }
    if panel > 0 { out["yaxis"] = .text("y\(panel + 1)") }
    if case .bars = shape {
      out["type"] = "bar"
      out["marker"] = ["color": tones.isEmpty ? colour.value : toneColours]
      return .object(out)
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
    return .object(out)
  }
}

extension PlotCurves {
  /// One series by date shows its date with each value, several share one box.
  private var isAlone: Bool { series.count == 1 }

  fileprivate var data: [PlotValue] {
    series.map { series in
      let hover = panels[series.panel].unit.hover
      return series.trace(hover: isAlone ? "%{x|%-d %B %Y}: \(hover)<extra></extra>" : hover)
    }
  }

  fileprivate var layout: [String: PlotValue] {
    var out: [String: PlotValue] = [
      "xaxis": .object(
        axis.layout.merging(panels.count > 1 ? ["anchor": "y2"] : [:]) { $1 }),
      "showlegend": .flag(hasLegend && !isAlone),
      "shapes": .list(panels.enumerated().flatMap(shapes)),
    ]
    for (row, panel) in panels.enumerated() {
      var axis = panel.unit.layout
      axis["title"] = ["text": .text(panel.title)]
      axis["automargin"] = true
      if let top = panel.top {
        axis["range"] = [0, .number(top)]
      } else {
        axis["rangemode"] = "tozero"
      }
      if panels.count > 1 { axis["domain"] = row == 0 ? [0.38, 1] : [0, 0.27] }
      out["yaxis\(row == 0 ? "" : "\(row + 1)")"] = .object(axis)
    }
    if !isAlone { out["hovermode"] = "x unified" }
    if series.contains(where: { if case .bars = $0.shape { true } else { false } }) {
      out["bargap"] = axis.isOfDates ? 0.15 : 0.3
      out["barmode"] = panels.count > 1 ? "stack" : "group"
    }
    if !hasLegend { out["margin"] = ["l": 64, "r": 8, "t": 10, "b": 30] }
    if panels.count > 1 { out["legend"] = inOrder }
    return out
  }

  private func shapes(_ row: Int, _ panel: Panel) -> [PlotValue] {
    panel.bounds.map { bound in
      [
        "type": "line", "xref": "paper", "x0": 0, "x1": 1,
        "yref": .text("y\(row == 0 ? "" : "\(row + 1)")"), "y0": .number(bound.value),
        "y1": .number(bound.value),
        "line": ["color": .text(bound.tone.colour), "width": 1.5, "dash": "dash"],
      ]
    }
  }
}

extension PlotAxis {
  fileprivate var isOfDates: Bool {
    switch self {
    case .dates, .span: true
    case .categories, .number: false
    }
  }
}

/// A legend that names series in their order where they are stacked or lie on their sides.
private let inOrder: PlotValue = [
  "orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal",
]

extension PlotStack {
  fileprivate var data: [PlotValue] {
    let dates = PlotValue.texts(dates.map(\.description))
    return parts.enumerated().map { step, part in
      let colour = PlotColour.level(step).value
      return [
        "type": "scatter", "mode": "lines", "stackgroup": "parts", "name": .name(part.name),
        "x": dates, "y": .numbers(part.values), "line": ["width": 0.5, "color": colour],
        "fillcolor": colour, "hovertemplate": "%{y:,.1~f}",
      ]
    }
  }

  fileprivate var layout: [String: PlotValue] {
    func button(_ label: String, _ norm: PlotValue, _ suffix: PlotValue) -> PlotValue {
      [
        "label": .text(label), "method": "update",
        "args": [["groupnorm": norm], ["yaxis.ticksuffix": suffix]],
      ]
    }
    return [
      "xaxis": .object(PlotAxis.dates.layout),
      "yaxis": [
        "title": ["text": .text(title)], "rangemode": "tozero", "automargin": true,
      ],
      "hovermode": "x unified", "margin": ["l": 64, "r": 16, "t": 36, "b": 84],
      "updatemenus": [
        [
          "type": "buttons", "direction": "right", "x": 1, "xanchor": "right", "y": -0.1,
          "yanchor": "top", "showactive": true, "bgcolor": "@@panel",
          "bordercolor": "@@grid", "font": ["color": "@@text"],
          "buttons": [button(title, "", ""), button("Share", "percent", " %")],
        ]
      ],
    ]
  }
}

extension PlotLanes {
  /// Marks whose area grows with the count.
  fileprivate var data: [PlotValue] {
    lanes.enumerated().map { row, lane in
      let largest = Double(lane.marks.map(\.count).max() ?? 1)
      let sizes = lane.marks.map { 7 + 15 * (Double($0.count) / max(largest, 6)).squareRoot() }
      let isCrowded = lane.marks.count > 60
      return [
        "type": "scatter", "mode": "markers", "name": .name(lane.name),
        "x": .texts(lane.marks.map(\.date.description)),
        "y": .list(lane.marks.map { _ in .name(PlotValue.short(lane.name)) }),
        "text": .list(lane.marks.map { .name($0.words) }),
        "marker": [
          "size": .numbers(sizes.map { ($0 * 10).rounded() / 10 }),
          "opacity": isCrowded ? 0.45 : 0.85, "color": PlotColour.series(row).value,
          "line": ["width": isCrowded ? 0 : 1, "color": "@@panel"],
        ],
        "hovertemplate": "%{x|%-d %B %Y}<br>%{text}<extra></extra>",
      ]
    }
  }

  fileprivate var layout: [String: PlotValue] {
    [
      "xaxis": .object(axis.layout),
      "yaxis": [
        "type": "category", "automargin": true, "autorange": "reversed",
        "categoryorder": "array",
        "categoryarray": .list(lanes.map { .name(PlotValue.short($0.name)) }),
      ],
      "showlegend": false, "height": .number(Double(130 + 56 * max(lanes.count, 2))),
    ]
  }
}

extension PlotBars {
  fileprivate var data: [PlotValue] {
    runs.enumerated().map { row, run in
      [
        "type": "bar", "orientation": "h", "name": .name(run.name), "x": .numbers(run.values),
        "y": .list(labels.map { .name(PlotValue.short($0)) }),
        "marker": ["color": PlotColour.series(row).value], "hovertemplate": "%{x:,.2f} USDT",
      ]
    }
  }

  fileprivate var layout: [String: PlotValue] {
    [
      "xaxis": ["title": ["text": "USDT"], "rangemode": "tozero", "automargin": true],
      "yaxis": ["type": "category", "autorange": "reversed", "automargin": true],
      "barmode": "group", "bargap": 0.3, "showlegend": true, "hovermode": "y unified",
      "legend": inOrder,
      "height": .number(Double(120 + labels.count * (16 + 11 * runs.count))),
    ]
  }
}

extension SmallPlots {
  private static func axis(_ place: Int) -> String { place == 0 ? "" : "\(place + 1)" }

  fileprivate var data: [PlotValue] {
    panels.enumerated().flatMap { place, panel in
      panel.lines.map { line -> PlotValue in
        let run = runs[line.run]
        // The legend names a run once, with its first line.
        let isFirst = panels[..<place].allSatisfy { earlier in
          earlier.lines.allSatisfy { $0.run != line.run }
        }
        var series = PlotSeries(run.name, .line, run.places, line.values, .series(line.run))
        series.weight = line.run == 0 ? .broad : .plain
        series.dash = line.run < 6 ? .solid : .dashDotted
        series.group = line.run
        guard case .object(var out) = series.trace(hover: PlotUnit.money.hover) else {
          return .null
        }
        out["showlegend"] = .flag(isFirst)
        out["xaxis"] = .text("x\(Self.axis(place))")
        out["yaxis"] = .text("y\(Self.axis(place))")
        return .object(out)
      }
    }
  }

  fileprivate var layout: [String: PlotValue] {
    let rows = (panels.count + 1) / 2
    var out: [String: PlotValue] = [
      "grid": [
        "rows": .number(Double(rows)), "columns": 2, "pattern": "independent", "xgap": 0.14,
        "ygap": 0.32,
      ],
      "showlegend": true, "hovermode": "x unified", "height": .number(Double(90 + 190 * rows)),
      "legend": ["orientation": "h", "x": 0, "y": 1.08, "yanchor": "bottom"],
    ]
    for place in panels.indices {
      out["xaxis\(Self.axis(place))"] = axis.small
      out["yaxis\(Self.axis(place))"] = ["tickformat": ",~s", "automargin": true, "nticks": 5]
    }
    out["annotations"] = .list(
      panels.enumerated().map { place, panel in
        let axis = Self.axis(place)
        return [
          "text": .name(panel.title), "showarrow": false, "x": 0, "y": 1, "xanchor": "left",
          "yanchor": "bottom", "xref": .text("x\(axis) domain"), "yref": .text("y\(axis) domain"),
        ]
      })
    return out
  }
}
