internal import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel

/// The plots of a projection.
enum ProjectionPlots {
  /// A plot with its heading and what it says.
  struct Section {
    var title: String
    var text: String
    var spec: PlotSpec
    /// What links call it.
    var id: String { String(spec.id.dropFirst("plot-".count)) }
  }

  static func all(_ projection: Projection) -> [PlotSpec] { sections(projection).map(\.spec) }

  static func sections(_ projection: Projection) -> [Section] {
    [
      fan(projection), expected(projection), breaches(projection), exceedance(projection),
      events(projection), owed(projection), retention(projection), heat(projection),
    ].compactMap(\.self)
  }

  /// The area between two of the percentiles of every day, as two traces.
  private static func band(
    _ dates: PlotValue, _ days: [[Double]], _ low: Int, _ high: Int, _ name: PlotValue
  ) -> [PlotValue] {
    func trace(_ row: Int) -> [String: PlotValue] {
      [
        "type": "scatter", "mode": "lines", "x": dates, "line": ["width": 0],
        "y": .list(days.map { $0.isEmpty ? .null : .number($0[row]) }), "hoverinfo": "skip",
      ]
    }
    let lower = trace(low).merging(["showlegend": false]) { $1 }
    let upper = trace(high).merging([
      "name": name, "fill": "tonexty", "fillcolor": "@@accrualArea",
    ]) { $1 }
    return [.object(lower), .object(upper)]
  }

  static func fan(_ projection: Projection) -> Section {
    let dates = PlotValue.texts(projection.dates)
    let data: [PlotValue] =
      band(dates, projection.days.map(\.spend), 0, 4, "P5 to P95") + [
        [
          "type": "scatter", "mode": "lines", "x": dates, "name": "Spend, median",
          "y": .numbers(projection.days.map { $0.spend[2] }),
          "line": ["color": "@@accrual", "width": 3],
          "hovertemplate": .text("%{y:,.0f} \(projection.measured.catalog.currency.code)"),
        ],
        [
          "type": "scatter", "mode": "lines", "x": dates, "name": "Budget, mean",
          "y": .numbers(projection.days.map(\.budget)),
          "line": ["color": "@@budget", "width": 2, "dash": "dash"],
          "hovertemplate": .text("%{y:,.0f} \(projection.measured.catalog.currency.code)"),
        ],
      ]
    return Section(
      title: "Spend against budget",
      text: "Recognized spend since the start: median and the middle 90 % of replications.",
      spec: PlotSpec(
        id: "plot-fan", data: data,
        layout: [
          "xaxis": ["type": "date", "automargin": true],
          "yaxis": [
            "title": [
              "text": .text("\(projection.measured.catalog.currency.code) since the start")
            ], "rangemode": "tozero", "automargin": true,
          ],
          "hovermode": "x unified", "height": 440,
        ]))
  }

  /// What each day expects of its month's end.
  private static func expected(_ projection: Projection) -> Section? {
    let dates = PlotValue.texts(projection.dates)
    let days = projection.days.map { $0.projected.map { $0 * 100 } }
    guard days.contains(where: { !$0.isEmpty }) else { return nil }
    // The first days of a month may expect any multiple; they must not flatten the rest. Where many
    // days do, they are what there is to see.
    let medians = days.filter { !$0.isEmpty }.map { $0[2] }.sorted()
    let highest = days.compactMap(\.last).max() ?? 0
    let usual = max(250, (1.1 * medians[medians.count * 9 / 10]).rounded(.up))
    let top = min(usual, 1.05 * max(110, highest))
    let data: [PlotValue] =
      band(dates, days, 0, 4, "P5 to P95") + [
        [
          "type": "scatter", "mode": "lines", "x": dates, "name": "Projected, median",
          "y": .list(days.map { $0.isEmpty ? .null : .number($0[2]) }),
          "line": ["color": "@@accrual", "width": 3], "hovertemplate": "%{y:.1f} %",
        ],
        [
          "type": "scatter", "mode": "lines", "x": dates, "name": "Whole budget",
          "y": .numbers(days.map { _ in 100 }),
          "line": ["color": "@@budget", "width": 2, "dash": "dash"], "hoverinfo": "skip",
        ],
      ]
    return Section(
      title: "Month's end as projected each day",
      text: "Spend over budget projected each day for the end of its month: median and the middle "
        + "90 % of replications."
        + (highest > top ? " The plot cuts off values above \(Int64(top).grouped) %." : ""),
      spec: PlotSpec(
        id: "plot-projected", data: data,
        layout: [
          "xaxis": ["type": "date", "automargin": true],
          "yaxis": [
            "title": ["text": "Projected at month's end"], "ticksuffix": " %",
            "range": [0, .number(top)], "automargin": true,
          ],
          "hovermode": "x unified", "height": 360,
        ]))
  }

  private static func breaches(_ projection: Projection) -> Section {
    Section(
      title: "Breach by day",
      text: "Share of replications whose projection at the day's end says Warning or Critical.",
      spec: PlotSpec(
        id: "plot-breach",
        data: [
          [
            "type": "heatmap", "x": .texts(projection.dates),
            "y": ["Warning<br>or worse", "Critical"], "zmin": 0, "zmax": 100,
            "z": .list([
              .numbers(projection.days.map { $0.warning.share * 100 }),
              .numbers(projection.days.map { $0.critical.share * 100 }),
            ]), "colorscale": [[0, "@@panel"], [0.5, "@@caution"], [1, "@@bad"]],
            "hovertemplate": "%{x}: %{z:.0f} %<extra>%{y}</extra>",
            "colorbar": colourBar(suffix: " %"),
          ]
        ],
        layout: [
          "xaxis": ["type": "date", "automargin": true], "yaxis": ["automargin": true],
          "height": 230, "margin": ["l": 64, "r": 16, "t": 64, "b": 40],
        ]))
  }

  /// The key of colors, above a plot, or below one that has a legend: beside it there is no room for
  /// it on a phone.
  static func colourBar(
    suffix: String = "", title: PlotValue = "", isBelow: Bool = false
  ) -> PlotValue {
    [
      "title": ["text": title, "side": "top", "font": ["size": 12]],
      "orientation": "h", "x": 0, "xanchor": "left", "y": isBelow ? -0.2 : 1.02,
      "yanchor": isBelow ? "top" : "bottom",
      "thickness": 10, "lenmode": "pixels", "len": 220, "nticks": 5, "ypad": 4, "xpad": 0,
      "outlinewidth": 0, "ticksuffix": .text(suffix),
    ]
  }

  private static func exceedance(_ projection: Projection) -> Section {
    let curve = projection.exceedance
    return Section(
      title: "Recognized spend of the whole run",
      text: "Share of replications whose recognized spend is at least this much.",
      spec: PlotSpec(
        id: "plot-exceedance",
        data: [
          [
            "type": "scatter", "mode": "lines", "x": .numbers(curve.map(\.spend)),
            "y": .numbers(curve.map { $0.share * 100 }),
            "line": ["color": "@@accrual", "width": 3, "shape": "vh"],
            "hovertemplate": .text(
              "at least %{x:,.0f} \(projection.measured.catalog.currency.code) in %{y:.0f} %<extra></extra>"
            ),
          ]
        ],
        layout: [
          "xaxis": [
            "title": ["text": .text("\(projection.measured.catalog.currency.code)")],
            "automargin": true,
          ],
          "yaxis": [
            "title": ["text": "Share of replications"], "ticksuffix": " %", "range": [0, 102],
            "automargin": true,
          ], "height": 340,
        ]))
  }

  private static func events(_ projection: Projection) -> Section? {
    guard !projection.events.isEmpty else { return nil }
    let months = projection.months.map(\.label)
    let words = projection.measured.catalog.choices.events
    let scale = CountScale(projection.events.flatMap(\.means))
    return Section(
      title: words.title, text: words.text + " The axis grows by powers of ten above 0.",
      spec: PlotSpec(
        id: "plot-events",
        data: projection.events.enumerated().map { row, events in
          [
            "type": "scatter", "mode": "lines+markers", "name": .name(events.kind),
            "x": .texts(months), "y": .numbers(events.means.map(scale.place)),
            "customdata": .numbers(events.means),
            "line": ["color": .text("@@series\(row % 6)")],
            "hovertemplate": "%{customdata:,.2f}",
          ]
        },
        layout: [
          "xaxis": ["type": "category", "automargin": true],
          "yaxis": [
            "title": ["text": "Events a month"], "automargin": true, "zeroline": false,
            "tickvals": .numbers(scale.ticks.map(\.place)),
            "ticktext": .texts(scale.ticks.map(\.text)),
          ],
          "hovermode": "x unified", "height": 380,
        ]))
  }

  /// How the liability of a run comes about and what is left of it.
  private static func owed(_ projection: Projection) -> Section? {
    let (words, account) = projection.measured.catalog.choices.owed
    let steps = account.map { step in
      let mean = projection.figures.first { $0.name == step.figure }?.estimate.mean ?? 0
      return (step.title, step.isTaken ? -mean : mean)
    }.filter { $0.1 != 0 }
    // One step and its total are the same bar twice; the figures' table has it.
    guard steps.count > 1 else { return nil }
    return Section(
      title: words.title, text: words.text,
      spec: PlotSpec(
        id: "plot-owed",
        data: [
          [
            "type": "waterfall", "x": .texts(steps.map(\.0) + ["Owed at the end"]),
            "y": .numbers(steps.map(\.1) + [0]),
            "measure": .texts(steps.map { _ in "relative" } + ["total"]),
            "increasing": ["marker": ["color": "@@caution"]],
            "decreasing": ["marker": ["color": "@@budget"]],
            "totals": ["marker": ["color": "@@accrual"]],
            "hovertemplate": .text(
              "%{y:,.0f} \(projection.measured.catalog.currency.code)<extra></extra>"),
          ]
        ],
        layout: [
          "xaxis": ["automargin": true],
          "yaxis": [
            "title": ["text": .text("\(projection.measured.catalog.currency.code)")],
            "automargin": true,
          ], "height": 320,
        ]))
  }

  private static func retention(_ projection: Projection) -> Section? {
    guard let most = projection.retention.map(\.count).max(), most > 1 else { return nil }
    let rows = projection.retention.map { row in
      PlotValue.list(
        row.map { $0.isNaN ? .null : .number(($0 * 1_000).rounded() / 10) }
          + Array(repeating: .null, count: most - row.count))
    }
    return Section(
      title: "Retention",
      text: "Members who have not left, as a share of all who signed up in the cohort's month.",
      spec: PlotSpec(
        id: "plot-retention",
        data: [
          [
            "type": "heatmap", "z": .list(rows),
            "y": .texts(projection.months.prefix(rows.count).map(\.label)),
            "x": .numbers((0..<most).map { Double($0) }),
            "colorscale": [[0, "@@barfill"], [1, "@@accrual"]], "zmax": 100,
            "hovertemplate": "%{y}, %{x} months on: %{z:.1f} %<extra></extra>",
            "colorbar": colourBar(suffix: " %"),
          ]
        ],
        layout: [
          "xaxis": [
            "title": ["text": "Months since the cohort's month"],
            "dtick": .number(Double((most + 11) / 12)), "automargin": true,
          ],
          "yaxis": ["autorange": "reversed", "type": "category", "automargin": true],
          "height": 390, "margin": ["l": 64, "r": 16, "t": 64, "b": 40],
        ]))
  }

  private static func heat(_ projection: Projection) -> Section {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let rows = (0..<7).map { PlotValue.numbers(Array(projection.heat[$0 * 24..<$0 * 24 + 24])) }
    let words = projection.measured.catalog.choices.heat
    return Section(
      title: words.title, text: words.text,
      spec: PlotSpec(
        id: "plot-heat",
        data: [
          [
            "type": "heatmap", "z": .list(rows), "y": .texts(days),
            "x": .numbers((0..<24).map { Double($0) }),
            "colorscale": [[0, "@@barfill"], [1, "@@accrual"]],
            "hovertemplate": "%{y} %{x}:00: %{z:,.0f}<extra></extra>",
            "colorbar": colourBar(),
          ]
        ],
        layout: [
          "xaxis": ["title": ["text": "Hour"], "dtick": 3, "automargin": true],
          "yaxis": ["autorange": "reversed", "automargin": true], "height": 330,
          "margin": ["l": 64, "r": 16, "t": 64, "b": 40],
        ]))
  }
}
