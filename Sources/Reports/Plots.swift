internal import BlakJaks
internal import Foundation
internal import Quantities
internal import RewardModel

/// The plots of a run. Each is nil when the run has nothing to show in it.
enum Plots {
  /// All plots that the run has something for.
  static func all(_ record: BlakJaksRecord, _ figures: RunFigures) -> [PlotSpec] {
    [
      budget(record, figures), projection(record, figures), scans(record), tiers(record),
      milestones(record),
    ].compactMap { $0 }
  }

  /// Cumulative spend against budget by month, and the utilisation of each month below.
  static func budget(_ record: BlakJaksRecord, _ figures: RunFigures) -> PlotSpec? {
    guard !record.months.isEmpty else { return nil }
    let months = record.months.indices.map { label($0, record, figures) }
    func line(
      _ name: PlotValue, _ amounts: [MicroUSDT], _ style: PlotValue, _ extra: [String: PlotValue]
    ) -> PlotValue {
      let base: [String: PlotValue] = [
        "type": "scatter", "mode": "lines+markers", "name": name, "x": .texts(months),
        "y": .numbers(cumulated(amounts)), "line": style,
        "hovertemplate": "%{y:,.0f} USDT",
      ]
      return .object(base.merging(extra) { $1 })
    }
    let data = [
      line(
        "Budget", record.months.map(\.budget), ["color": "@@budget", "width": 2],
        ["fill": "tozeroy", "fillcolor": "@@budgetArea", "marker": ["size": 5]]),
      line(
        "Spend, accrual", record.months.map(\.spendAccrual), ["color": "@@accrual", "width": 3],
        [
          "marker": [
            "size": 10, "color": .list(record.months.map { .text(colour($0.status)) }),
            "line": ["color": "@@accrual", "width": 2],
          ]
        ]),
      line(
        "Spend, cash", record.months.map(\.spendCash),
        ["color": "@@cash", "width": 2, "dash": "dot"], ["marker": ["size": 5]]),
    ]
    let warning = Double(figures.warningBound) / 100
    let critical = Double(figures.criticalBound) / 100
    return PlotSpec(
      id: "plot-budget", data: data + utilisationBars(record, months),
      layout: [
        "xaxis": ["type": "category", "anchor": "y2", "automargin": true],
        "yaxis": [
          "title": ["text": "USDT since the start"], "domain": [0.38, 1], "rangemode": "tozero",
          "automargin": true,
        ],
        "yaxis2": [
          "title": ["text": "Utilised"], "domain": [0, 0.27], "ticksuffix": " %",
          "rangemode": "tozero", "automargin": true,
        ],
        "shapes": [bound(warning, "y2", "@@caution"), bound(critical, "y2", "@@bad")],
        "barmode": "stack", "bargap": 0.35, "hovermode": "x unified", "height": 560,
        "legend": [
          "orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal",
        ],
      ])
  }

  /// One trace a status, so that the legend names the colours.
  private static func utilisationBars(_ record: BlakJaksRecord, _ months: [String]) -> [PlotValue] {
    BudgetStatus.allCases.compactMap { status in
      let rows = record.months.indices.filter { record.months[$0].status == status }
      guard !rows.isEmpty else { return nil }
      let values = rows.map { Double(record.months[$0].utilisationBasisPoints ?? 0) / 100 }
      return [
        "type": "bar", "name": .text(status.rawValue), "yaxis": "y2",
        "x": .texts(rows.map { months[$0] }), "y": .numbers(values),
        "marker": ["color": .text(colour(status))], "hovertemplate": "%{y:.1f} % utilised",
      ]
    }
  }

  /// The projected end-of-month utilisation as it stood at each day's end.
  static func projection(_ record: BlakJaksRecord, _ figures: RunFigures) -> PlotSpec? {
    let days = record.days.filter { $0.projectedBasisPoints != nil }
    guard !days.isEmpty else { return nil }
    let values = days.map { Double($0.projectedBasisPoints ?? 0) / 100 }
    // The first days of a programme project from very little; they would flatten the rest.
    let highest = values.sorted()[values.count * 98 / 100]
    let critical = Double(figures.criticalBound) / 100
    let top = max(critical, highest) * 1.1
    return PlotSpec(
      id: "plot-projection",
      data: [
        [
          "type": "scatter", "mode": "lines+markers", "name": "Projected",
          "x": .texts(days.map(\.date.description)), "y": .numbers(values),
          "line": ["color": "@@faint", "width": 1],
          "marker": ["size": 4, "color": .list(days.map { .text(colour($0.status)) })],
          "hovertemplate": "%{x|%-d %B %Y}: %{y:.1f} %<extra></extra>",
        ]
      ],
      layout: [
        "xaxis": dates(record),
        "yaxis": [
          "title": ["text": "Projected at month's end"], "ticksuffix": " %", "automargin": true,
          "range": [0, .number(top)],
        ],
        "shapes": [
          bound(Double(figures.warningBound) / 100, "y", "@@caution"),
          bound(critical, "y", "@@bad"),
        ],
        "showlegend": false, "height": 280,
      ])
  }

  /// Accepted scans a day, and the mean of the last seven days.
  static func scans(_ record: BlakJaksRecord) -> PlotSpec? {
    guard !record.days.isEmpty else { return nil }
    let dates = PlotValue.texts(record.days.map(\.date.description))
    let counts = record.days.map { Double($0.acceptedScans) }
    let means = counts.indices.map { index -> Double in
      let window = counts[max(0, index - 6)...index]
      return (window.reduce(0, +) / Double(window.count) * 10).rounded() / 10
    }
    return PlotSpec(
      id: "plot-scans",
      data: [
        [
          "type": "bar", "name": "Scans that day", "x": dates, "y": .numbers(counts),
          "marker": ["color": "@@bars"], "hovertemplate": "%{y:,.0f}",
        ],
        [
          "type": "scatter", "mode": "lines", "name": "Mean of 7 days", "x": dates,
          "y": .numbers(means), "line": ["color": "@@accrual", "width": 3],
          "hovertemplate": "%{y:,.0f}",
        ],
      ],
      layout: [
        "xaxis": ["type": "date", "automargin": true],
        "yaxis": [
          "title": ["text": "Accepted scans"], "rangemode": "tozero", "tickformat": ",d",
          "automargin": true,
        ],
        "bargap": 0.15, "hovermode": "x unified", "height": 380,
      ])
  }

  /// Members by tier at each day's end, stacked, as counts or shares.
  static func tiers(_ record: BlakJaksRecord) -> PlotSpec? {
    guard !record.days.isEmpty else { return nil }
    let dates = PlotValue.texts(record.days.map(\.date.description))
    let traces = Tier.allCases.map { tier -> PlotValue in
      [
        "type": "scatter", "mode": "lines", "stackgroup": "tiers", "name": .text(tier.name),
        "x": dates, "y": .numbers(record.days.map { Double($0.tiers[tier]) }),
        "line": ["width": 0.5, "color": .text("@@\(tier.key)")],
        "fillcolor": .text("@@\(tier.key)"), "hovertemplate": "%{y:,.1~f}",
      ]
    }
    func button(_ label: PlotValue, _ norm: PlotValue, _ suffix: PlotValue) -> PlotValue {
      [
        "label": label, "method": "update",
        "args": [["groupnorm": norm], ["yaxis.ticksuffix": suffix]],
      ]
    }
    return PlotSpec(
      id: "plot-tiers", data: traces,
      layout: [
        "xaxis": ["type": "date", "automargin": true],
        "yaxis": [
          "title": ["text": "Members"], "rangemode": "tozero", "automargin": true,
        ],
        "hovermode": "x unified", "height": 420, "margin": ["l": 64, "r": 16, "t": 36, "b": 84],
        "updatemenus": [
          [
            "type": "buttons", "direction": "right", "x": 1, "xanchor": "right", "y": -0.1,
            "yanchor": "top", "showactive": true, "bgcolor": "@@panel",
            "bordercolor": "@@grid", "font": ["color": "@@text"],
            "buttons": [button("Members", "", ""), button("Share", "percent", " %")],
          ]
        ],
      ])
  }

  /// Awards in time, a lane a prize. Those of one prize on one day are one mark, whose area grows
  /// with their number.
  static func milestones(_ record: BlakJaksRecord) -> PlotSpec? {
    guard !record.awards.isEmpty, let days = AwardDays(record) else { return nil }
    let traces = record.prizes.enumerated().map { index, row -> PlotValue in
      let marks = days.marks(of: row.prize.name)
      let largest = Double(marks.map(\.count).max() ?? 1)
      let sizes = marks.map { 7 + 15 * (Double($0.count) / max(largest, 6)).squareRoot() }
      return [
        "type": "scatter", "mode": "markers", "name": .name(row.prize.name),
        "x": .texts(marks.map(\.date.description)),
        "y": .list(marks.map { _ in .name(lane(row.prize.name)) }),
        "text": .list(marks.map { .name($0.words) }),
        "marker": [
          "size": .numbers(sizes.map { ($0 * 10).rounded() / 10 }),
          "opacity": marks.count > 60 ? 0.45 : 0.85, "color": .text("@@prize\(index % 6)"),
          "line": ["width": marks.count > 60 ? 0 : 1, "color": "@@panel"],
        ],
        "hovertemplate": "%{x|%-d %B %Y}<br>%{text}<extra></extra>",
      ]
    }
    return PlotSpec(
      id: "plot-milestones", data: traces,
      layout: [
        "xaxis": dates(record),
        "yaxis": [
          "type": "category", "automargin": true, "autorange": "reversed",
          "categoryorder": "array",
          "categoryarray": .list(record.prizes.map { .name(lane($0.prize.name)) }),
        ],
        "showlegend": false,
        "height": .number(Double(130 + 56 * max(record.prizes.count, 2))),
      ])
  }

  /// A date axis from half a day before the first day to half a day after the last.
  private static func dates(_ record: BlakJaksRecord) -> PlotValue {
    guard let first = record.days.first?.date, let last = record.days.last?.date else {
      return ["type": "date", "automargin": true]
    }
    return [
      "type": "date", "automargin": true,
      "range": [.text("\(first.adding(days: -1)) 12:00"), .text("\(last) 12:00")],
    ]
  }

  /// A long name would leave no room for its lane.
  private static func lane(_ name: String) -> String {
    name.count > 30 ? name.prefix(29) + "…" : name
  }

  static func label(_ index: Int, _ record: BlakJaksRecord, _ figures: RunFigures) -> String {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let month = record.months[index].month
    let star = figures.isPartial(index, of: record) ? "*" : ""
    guard month.count == 7, let number = Int(month.suffix(2)), (1...12).contains(number)
    else { return month + star }
    return "\(names[number - 1]) \(month.prefix(4))\(star)"
  }

  private static func cumulated(_ amounts: [MicroUSDT]) -> [Double] {
    var sum = Int128(0)
    return amounts.map { amount in
      sum += Int128(amount.microunits)
      return (Double(sum) / 10_000).rounded() / 100
    }
  }

  static func colour(_ status: BudgetStatus?) -> String {
    switch status {
    case .normal: "@@good"
    case .warning: "@@caution"
    case .critical: "@@bad"
    case nil: "@@faint"
    }
  }

  private static func bound(_ value: Double, _ axis: PlotValue, _ colour: PlotValue) -> PlotValue {
    [
      "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": axis, "y0": .number(value),
      "y1": .number(value), "line": ["color": colour, "width": 1.5, "dash": "dash"],
    ]
  }
}
