internal import EventKernel
internal import Experiments
internal import Foundation

/// The plots of whether a program pays.
enum WorthPlots {
  /// What each month adds and costs, and the sum of both since the start.
  static func months(_ worth: RewardWorth, _ currency: String) -> PlotSpec {
    let labels = PlotValue.texts(worth.months.map(\.label))
    let added = worth.months.map(\.profit.difference.mean)
    let cost = worth.months.map { -$0.cost.difference.mean }
    var sum = 0.0
    let sums = worth.months.map { row in
      sum += row.net.difference.mean
      return sum
    }
    func bars(_ name: String, _ values: [Double], _ colour: String) -> PlotValue {
      [
        "type": "bar", "name": .text(name), "x": labels, "y": .numbers(values),
        "marker": ["color": .text(colour)],
        "hovertemplate": "%{x}: %{y:,.0f}<extra></extra>",
      ]
    }
    return PlotSpec(
      id: "plot-months",
      data: [
        bars("Added to gross profit", added, "@@good"), bars("Cost", cost, "@@bad"),
        [
          "type": "scatter", "mode": "lines+markers", "name": "Net since the start", "x": labels,
          "y": .numbers(sums), "line": ["color": "@@accrual", "width": 2],
          "hovertemplate": "until %{x}: %{y:,.0f}<extra></extra>",
        ],
      ],
      layout: [
        "barmode": "relative", "xaxis": ["type": "category", "automargin": true],
        "yaxis": ["title": ["text": .text(currency)], "automargin": true, "zeroline": true],
        "legend": ["orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0], "height": 390,
      ])
  }

  /// The net at each value tried.
  static func evenness(_ evenness: BreakEven) -> PlotSpec {
    let points = evenness.search.points.sorted { $0.x < $1.x }
    let up = points.map { ($0.figure.high ?? $0.figure.estimate) - $0.figure.estimate }
    let down = points.map { $0.figure.estimate - ($0.figure.low ?? $0.figure.estimate) }
    return PlotSpec(
      id: "plot-break-even",
      data: [
        [
          "type": "scatter", "mode": "lines+markers", "x": .numbers(points.map(\.x)),
          "y": .numbers(points.map(\.figure.estimate)), "line": ["color": "@@accrual", "width": 2],
          "error_y": [
            "type": "data", "symmetric": false, "array": .numbers(up), "arrayminus": .numbers(down),
          ], "hovertemplate": "%{x}: %{y:,.0f}<extra></extra>",
        ]
      ],
      layout: [
        "xaxis": ["title": ["text": .name(evenness.axis.path)], "automargin": true],
        "yaxis": ["title": ["text": "Net"], "automargin": true, "zeroline": true], "height": 330,
      ])
  }

  /// The net of each group, a member.
  static func groups(_ worth: RewardWorth) -> PlotSpec {
    // Sign-up months have maps of their own.
    let rows = worth.groupings.dropLast().flatMap { grouping in
      grouping.rows.map { ("\(grouping.title): \($0.label)", $0) }
    }
    // Their mean number may be below 1: a rare group is not in every replication.
    func each(_ row: RewardWorth.Row, _ value: Double) -> Double { value / (row.members ?? 1) }
    return PlotSpec(
      id: "plot-groups",
      data: [
        [
          "type": "bar", "orientation": "h", "y": .list(rows.map { .label($0.0) }),
          "x": .numbers(rows.map { each($0.1, $0.1.net.difference.mean) }),
          "error_x": [
            "type": "data",
            "array": .numbers(rows.map { each($0.1, $0.1.net.difference.halfWidth) }),
          ], "marker": ["color": "@@accrual"],
          "hovertemplate": "%{y}: %{x:,.2f} a member<extra></extra>",
        ]
      ],
      layout: [
        "yaxis": ["autorange": "reversed", "automargin": true, "type": "category"],
        "xaxis": [
          "title": ["text": "Added less given,<br>a member"], "automargin": true, "zeroline": true,
        ],
        "height": .number(Double(120 + 44 * rows.count)),
      ])
  }

  /// Value a member by sign-up month and age, and the same of what was added.
  static func cohorts(_ worth: RewardWorth, _ currency: String) -> [PlotSpec] {
    [
      map("plot-cohort-value", worth, "Value, \(currency) a member") { $0.value },
      map("plot-cohort-added", worth, "Added by the program, \(currency) a member") {
        $0.addedValue
      },
    ]
  }

  private static func map(
    _ id: String, _ worth: RewardWorth, _ measure: String, _ value: (CohortWorth.Point) -> Double
  ) -> PlotSpec {
    let most = worth.cohorts.map(\.points.count).max() ?? 0
    let rows = worth.cohorts.map { cohort in
      PlotValue.list(
        cohort.points.map { point in
          point.members > 0
            ? .number((100 * value(point) / point.members).rounded() / 100) : .null
        } + Array(repeating: .null, count: most - cohort.points.count))
    }
    return PlotSpec(
      id: id,
      data: [
        [
          "type": "heatmap", "z": .list(rows), "y": .texts(worth.cohorts.map(\.label)),
          "x": .numbers((0..<most).map { Double($0) }), "zmid": 0,
          "colorscale": [[0, "@@bad"], [0.5, "@@panel"], [1, "@@accrual"]],
          "hovertemplate": "%{y}, %{x} months on: %{z:,.2f} a member<extra></extra>",
          "colorbar": ProjectionPlots.colourBar(title: .text(measure)),
        ]
      ],
      layout: [
        "xaxis": ["title": ["text": "Months since the sign-up month"], "automargin": true],
        "yaxis": ["autorange": "reversed", "type": "category", "automargin": true],
        "height": 390, "margin": ["l": 64, "r": 16, "t": 64, "b": 40],
      ])
  }

  /// What each account holds.
  static func cash(_ worth: RewardWorth, _ currency: String) -> PlotSpec {
    PlotSpec(
      id: "plot-cash",
      data: worth.cash.enumerated().map { place, account in
        [
          "type": "scatter", "mode": "lines+markers", "name": .name(account.title),
          "x": .texts(account.months.map(\.label)), "y": .numbers(account.months.map(\.end)),
          "line": ["color": .text("@@series\(place % 6)"), "width": 2],
          "hovertemplate": "%{x}: %{y:,.0f}<extra>%{fullData.name}</extra>",
        ]
      },
      layout: [
        "xaxis": ["type": "category", "automargin": true],
        "yaxis": ["title": ["text": .text(currency)], "automargin": true, "zeroline": true],
        "legend": ["orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0], "height": 390,
      ])
  }
}
