internal import BlakJaks
internal import Quantities
internal import RewardModel

/// Plots of several runs over each other, each run in a colour of its own. Each is nil when no run
/// has anything to show in it.
struct RunsPlots {
  let runs: [ReportRun]
  /// What stands in legends, one text a run.
  let labels: [String]
  let times: RunTimes

  /// All plots that there is something for.
  var all: [PlotSpec] {
    [spend, utilisation, payouts, members, scans, treasury].compactMap { $0 }
  }

  /// The colour of a run.
  static func colour(_ index: Int) -> String { "@@prize\(index % 6)" }

  /// Runs beyond the palette repeat its colours with another line.
  private static func dash(_ index: Int) -> PlotValue { index < 6 ? "solid" : "dashdot" }

  /// The first run lies below the others and shows at their sides where they are alike.
  private static func width(_ index: Int) -> PlotValue { index == 0 ? 4 : 2 }

  /// USDT with two decimals.
  private static func usdt(_ microunits: Int128) -> Double {
    (Double(microunits) / 10_000).rounded() / 100
  }

  private static func cumulated(_ amounts: [MicroUSDT]) -> PlotValue {
    var sum = Int128(0)
    return .numbers(
      amounts.map { amount in
        sum += Int128(amount.microunits)
        return usdt(sum)
      })
  }

  /// A line a run.
  private func lines(
    _ id: String, _ title: PlotValue, _ values: (ReportRun) -> [Double]
  ) -> PlotSpec? {
    guard runs.contains(where: { !$0.record.days.isEmpty }) else { return nil }
    let data = runs.enumerated().map { index, run -> PlotValue in
      [
        "type": "scatter", "mode": .text(run.record.days.count > 1 ? "lines" : "markers"),
        "name": .name(labels[index]), "x": .list(times.days(run)), "y": .numbers(values(run)),
        "line": [
          "color": .text(Self.colour(index)), "width": Self.width(index), "dash": Self.dash(index),
        ],
        "marker": ["color": .text(Self.colour(index))], "hovertemplate": "%{y:,.0f}",
      ]
    }
    return PlotSpec(
      id: id, data: data,
      layout: [
        "xaxis": times.dayAxis,
        "yaxis": [
          "title": ["text": title], "rangemode": "tozero", "tickformat": ",~s",
          "automargin": true,
        ],
        "showlegend": true, "hovermode": "x unified", "height": 340,
      ])
  }

  /// Spend since the start against the budget, dotted in the same colour.
  var spend: PlotSpec? {
    guard !times.months.isEmpty else { return nil }
    let data = runs.enumerated().flatMap { index, run -> [PlotValue] in
      let months = PlotValue.texts(Array(times.months.prefix(run.record.months.count)))
      func line(_ suffix: String, _ amounts: [MicroUSDT], _ style: PlotValue) -> PlotValue {
        [
          "type": "scatter", "mode": "lines+markers", "name": .name(labels[index] + suffix),
          "x": months, "y": Self.cumulated(amounts), "line": style, "marker": ["size": 5],
          "legendgroup": .text("run\(index)"), "hovertemplate": "%{y:,.0f} USDT",
        ]
      }
      let colour = PlotValue.text(Self.colour(index))
      return [
        line(
          ", spend", run.record.months.map { run.spend($0) },
          ["color": colour, "width": Self.width(index), "dash": Self.dash(index)]),
        line(
          ", budget", run.record.months.map(\.budget),
          ["color": colour, "width": 1.5, "dash": "dot"]),
      ]
    }
    return PlotSpec(
      id: "plot-runs-spend", data: data,
      layout: [
        "xaxis": ["type": "category", "automargin": true],
        "yaxis": [
          "title": ["text": "USDT since the start"], "rangemode": "tozero", "automargin": true,
        ],
        "hovermode": "x unified", "height": 420,
      ])
  }

  /// Each month's utilisation as a bar a run, with the bounds where all runs share them.
  var utilisation: PlotSpec? {
    guard runs.contains(where: { $0.worstMonth != nil }) else { return nil }
    let data = runs.enumerated().map { index, run -> PlotValue in
      [
        "type": "bar", "name": .name(labels[index]),
        "x": .texts(Array(times.months.prefix(run.record.months.count))),
        "y": .list(
          run.record.months.map {
            $0.utilisationBasisPoints.map { .number(Double($0) / 100) } ?? .null
          }),
        "marker": ["color": .text(Self.colour(index))], "hovertemplate": "%{y:.1f} %",
      ]
    }
    var shapes: [PlotValue] = []
    for (bound, colour) in [
      (\RunFigures.warningBound, "@@caution"), (\RunFigures.criticalBound, "@@bad"),
    ] {
      let value = runs[0].figures[keyPath: bound]
      guard runs.allSatisfy({ $0.figures[keyPath: bound] == value }) else { continue }
      shapes.append([
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": .number(Double(value) / 100),
        "y1": .number(Double(value) / 100),
        "line": ["color": .text(colour), "width": 1.5, "dash": "dash"],
      ])
    }
    return PlotSpec(
      id: "plot-runs-utilisation", data: data,
      layout: [
        "xaxis": ["type": "category", "automargin": true],
        "yaxis": [
          "title": ["text": "Utilised"], "ticksuffix": " %", "rangemode": "tozero",
          "automargin": true,
        ],
        "shapes": .list(shapes), "barmode": "group", "bargap": 0.25, "showlegend": true,
        "hovermode": "x unified", "height": 340,
      ])
  }

  /// Payouts by type, a bar a run.
  var payouts: PlotSpec? {
    let types = Self.types(runs)
    guard !types.isEmpty else { return nil }
    let labels = types.map { $0.count > 30 ? $0.prefix(29) + "…" : $0 }
    let data = runs.enumerated().map { index, run -> PlotValue in
      let totals = types.map { type in
        run.record.payouts.first { $0.type == type }?.total.microunits ?? 0
      }
      return [
        "type": "bar", "orientation": "h", "name": .name(self.labels[index]),
        "x": .numbers(totals.map { Self.usdt(Int128($0)) }),
        "y": .list(labels.map { .name($0) }), "marker": ["color": .text(Self.colour(index))],
        "hovertemplate": "%{x:,.2f} USDT",
      ]
    }
    return PlotSpec(
      id: "plot-runs-payouts", data: data,
      layout: [
        "xaxis": ["title": ["text": "USDT"], "rangemode": "tozero", "automargin": true],
        "yaxis": ["type": "category", "autorange": "reversed", "automargin": true],
        "barmode": "group", "bargap": 0.3, "showlegend": true, "hovermode": "y unified",
        "legend": [
          "orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal",
        ],
        "height": .number(Double(120 + types.count * (16 + 11 * runs.count))),
      ])
  }

  /// Payout types that any run has paid, in the order of the ledgers.
  static func types(_ runs: [ReportRun]) -> [String] {
    var types: [String] = []
    for run in runs {
      for row in run.record.payouts where row.count > 0 && !types.contains(row.type) {
        types.append(row.type)
      }
    }
    return types
  }

  /// Members at each day's end.
  var members: PlotSpec? {
    lines("plot-runs-members", "Members") { $0.record.days.map { Double($0.members) } }
  }

  /// Accepted scans a day, as the mean of the seven days that end with it.
  var scans: PlotSpec? {
    lines("plot-runs-scans", "Accepted scans a day") { run in
      var sum: Int64 = 0
      return run.record.days.indices.map { row in
        sum += run.record.days[row].acceptedScans
        if row >= 7 { sum -= run.record.days[row - 7].acceptedScans }
        return (Double(sum) / Double(min(row + 1, 7)) * 10).rounded() / 10
      }
    }
  }

  /// The six balances, a small plot each.
  var treasury: PlotSpec? {
    let shown = RunHeadlines.balances.filter { balance in
      runs.contains { run in run.record.series.contains { $0.key == balance.key } }
    }
    guard !shown.isEmpty else { return nil }
    var data: [PlotValue] = []
    var titles: [PlotValue] = []
    var layout: [String: PlotValue] = [
      "grid": [
        "rows": .number(Double((shown.count + 1) / 2)), "columns": 2, "pattern": "independent",
        "xgap": 0.14, "ygap": 0.32,
      ],
      "showlegend": true, "hovermode": "x unified",
      "height": .number(Double(90 + 190 * ((shown.count + 1) / 2))),
      "legend": ["orientation": "h", "x": 0, "y": 1.08, "yanchor": "bottom"],
    ]
    for (place, balance) in shown.enumerated() {
      let axis = place == 0 ? "" : "\(place + 1)"
      layout["xaxis\(axis)"] = times.smallDayAxis
      layout["yaxis\(axis)"] = ["tickformat": ",~s", "automargin": true, "nticks": 5]
      titles.append([
        "text": .text(balance.label), "showarrow": false, "x": 0, "y": 1, "xanchor": "left",
        "yanchor": "bottom", "xref": .text("x\(axis) domain"), "yref": .text("y\(axis) domain"),
      ])
      for (index, run) in runs.enumerated() {
        guard let series = run.record.series.first(where: { $0.key == balance.key }) else {
          continue
        }
        data.append([
          "type": "scatter", "mode": .text(run.record.days.count > 1 ? "lines" : "markers"),
          "name": .name(labels[index]), "legendgroup": .text("run\(index)"),
          "showlegend": .flag(balance.key == shownFirst(index, shown.map(\.key))),
          "x": .list(times.days(run)),
          "y": .list(
            series.values.map { $0.map { .number(Self.usdt(Int128($0))) } ?? .null }),
          "xaxis": .text("x\(axis)"), "yaxis": .text("y\(axis)"),
          "line": [
            "color": .text(Self.colour(index)), "width": Self.width(index),
            "dash": Self.dash(index),
          ],
          "marker": ["color": .text(Self.colour(index))], "hovertemplate": "%{y:,.0f} USDT",
        ])
      }
    }
    layout["annotations"] = .list(titles)
    return PlotSpec(id: "plot-runs-treasury", data: data, layout: .object(layout))
  }

  /// The first of some series that a run has: there the legend names the run.
  private func shownFirst(_ index: Int, _ keys: [String]) -> String? {
    keys.first { key in runs[index].record.series.contains { $0.key == key } }
  }
}

extension RunTimes {
  /// The axis of days in a small plot.
  var smallDayAxis: PlotValue {
    byCalendar ? ["type": "date", "nticks": 5] : ["nticks": 5]
  }
}
