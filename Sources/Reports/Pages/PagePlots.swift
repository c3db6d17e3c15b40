internal import Foundation
internal import Quantities
internal import RewardModel

/// The plots of the pages. Each is nil when its block has nothing to show in it.
enum PagePlots {
  /// The id of the element that shows a block's plot.
  static func id(_ page: Page, _ block: PageBlock) -> String {
    "plot-\(page.description.id)-\(block.key.replacing("_", with: "-"))"
  }

  /// All plots of some pages.
  static func all(_ pages: [Page]) -> [PlotSpec] {
    pages.flatMap { page in page.blocks.compactMap { plot(page, $0) } }
  }

  /// A block's plot.
  static func plot(_ page: Page, _ block: PageBlock) -> PlotSpec? {
    let id = id(page, block)
    switch block.body {
    case .figures, .table: return nil
    case .history(let history): return lines(id, block.title, history, page.currency)
    case .heat(let heat): return map(id, heat)
    case .gauge(let gauge): return dial(id, gauge)
    case .bars(let bars): return self.bars(id, block.title, bars, page.currency)
    }
  }

  /// A number in the unit that people read: money, percent, seconds.
  private static func shown(_ number: Int64, _ unit: MeasureUnit) -> Double {
    switch unit {
    case .money: (Double(number) / 10_000).rounded() / 100
    case .share: Double(number) / 100
    case .duration: Double(number) / 1e6
    case .count, .instant, .days, .flag, .text, .hash: Double(number)
    }
  }

  /// How an axis is written; what has no unit is called what the title says before a comma.
  private static func axis(
    _ title: String, _ unit: MeasureUnit, _ currency: Currency
  ) -> (title: String, suffix: String, hover: String) {
    let name = String(title.prefix { $0 != "," })
    return switch unit {
    case .money: (currency.code, "", ",.2f")
    case .share: (name, " %", ".1f")
    case .duration: ("seconds", "", ",.2f")
    case .count, .instant, .days, .flag, .text, .hash: (name, "", ",.0f")
    }
  }

  private static func lines(
    _ id: String, _ title: String, _ history: PageHistory, _ currency: Currency
  ) -> PlotSpec? {
    guard history.absence == nil, let unit = history.lines.first?.unit else { return nil }
    let dates = PlotValue.texts(history.dates.map(\.description))
    let axis = axis(title, unit, currency)
    let shownLines = history.lines.filter { line in line.values.contains { $0 != nil } }
    guard !shownLines.isEmpty else { return nil }
    var days: [String: PlotValue] = ["type": "date", "automargin": true]
    if let first = history.dates.first, let last = history.dates.last,
      last.dayNumber - first.dayNumber < 4
    {
      days = PlotAxis.days(from: first, through: last)
    }
    let data = shownLines.enumerated().map { index, line -> PlotValue in
      [
        "type": "scatter", "mode": .text(history.dates.count > 1 ? "lines" : "markers"),
        "name": .name(line.label), "x": dates,
        "y": .list(line.values.map { $0.map { .number(shown($0, line.unit)) } ?? .null }),
        "line": ["color": .text("@@series\(index % 6)"), "width": 2],
        "marker": ["color": .text("@@series\(index % 6)")],
        "hovertemplate": .text("%{y:\(axis.hover)}\(axis.suffix)"),
      ]
    }
    return PlotSpec(
      id: id, data: data,
      layout: [
        "xaxis": .object(days),
        "yaxis": [
          "title": ["text": .text(axis.title)], "ticksuffix": .text(axis.suffix),
          "rangemode": "tozero", "automargin": true,
        ],
        "showlegend": .flag(data.count > 1), "hovermode": "x unified", "height": 320,
      ])
  }

  private static func map(_ id: String, _ heat: PageHeat) -> PlotSpec? {
    guard heat.absence == nil else { return nil }
    let rows = (0..<7).map { day in
      PlotValue.list((0..<24).map { heat.mean(day, $0).map { .number($0) } ?? .null })
    }
    return PlotSpec(
      id: id,
      data: [
        [
          "type": "heatmap", "x": .numbers((0..<24).map(Double.init)),
          "y": .texts(PageWords.weekdays), "z": .list(rows),
          "colorscale": [[0, "@@panel"], [1, "@@accrual"]], "xgap": 1, "ygap": 1,
          "hovertemplate": .text(
            "%{y} %{x}:00: %{z:,.\(heat.isFine ? 1 : 0)f} \(heat.counted)<extra></extra>"),
          "colorbar": ProjectionPlots.colourBar(title: .text("Mean \(heat.counted) an hour")),
        ]
      ],
      layout: [
        "xaxis": ["title": ["text": "Local hour"], "dtick": 3, "automargin": true],
        "yaxis": ["type": "category", "autorange": "reversed", "automargin": true],
        "height": 370, "margin": ["l": 64, "r": 16, "t": 80, "b": 40],
      ])
  }

  private static func dial(_ id: String, _ gauge: PageGauge) -> PlotSpec? {
    guard let value = gauge.value else { return nil }
    let (caution, bad) = (shown(gauge.caution.value, .share), shown(gauge.bad.value, .share))
    let top = max(bad * 1.5, shown(value, .share))
    return PlotSpec(
      id: id,
      data: [
        [
          "type": "indicator", "mode": "gauge+number", "value": .number(shown(value, .share)),
          "number": ["suffix": " %", "valueformat": ".1f"],
          "gauge": [
            "axis": ["range": [0, .number(top)], "ticksuffix": " %", "tickcolor": "@@text"],
            "bar": ["color": .text(gauge.tone.colour)], "bgcolor": "@@panel",
            "bordercolor": "@@grid",
            "steps": [
              ["range": [.number(caution), .number(bad)], "color": "@@budgetArea"],
              ["range": [.number(bad), .number(top)], "color": "@@grid"],
            ],
            "threshold": [
              "line": ["color": "@@bad", "width": 3], "thickness": 0.9,
              "value": .number(bad),
            ],
          ],
        ]
      ],
      layout: ["height": 260, "margin": ["l": 40, "r": 40, "t": 30, "b": 10]])
  }

  private static func bars(
    _ id: String, _ title: String, _ bars: PageBars, _ currency: Currency
  ) -> PlotSpec? {
    guard bars.values.contains(where: { $0 > 0 }) else { return nil }
    let axis = axis(title, bars.unit, currency)
    return PlotSpec(
      id: id,
      data: [
        [
          "type": "bar", "orientation": "h",
          "x": .numbers(bars.values.map { shown($0, bars.unit) }),
          "y": .list(bars.labels.map { .name(PlotValue.short($0)) }),
          "marker": ["color": "@@accrual"],
          "hovertemplate": .text("%{x:\(axis.hover)}\(axis.suffix)<extra></extra>"),
        ]
      ],
      layout: [
        "xaxis": [
          "title": ["text": .text(axis.title)], "ticksuffix": .text(axis.suffix),
          "rangemode": "tozero", "automargin": true,
        ],
        "yaxis": ["type": "category", "autorange": "reversed", "automargin": true],
        "showlegend": false, "height": .number(Double(100 + 30 * bars.labels.count)),
      ])
  }
}
