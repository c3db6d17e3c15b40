internal import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel

/// The plots of what a calibration found besides purchases.
struct BehaviourPlots {
  private let calibration: Calibration

  init(_ calibration: Calibration) { self.calibration = calibration }

  /// Those that there is something for; each has the id of its table, or begins with it.
  func all() -> [PlotSpec] {
    [adoption(), amounts(), uses(), hours(), grid(), weekdays(), months(), referral(), levels()]
      .compactMap { $0 }
  }

  private var column: String {
    let name = calibration.observed.history.form.column
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Rounded for the page; not finite is a gap.
  private static func values(_ values: [Double]) -> PlotValue {
    .list(values.map { $0.isFinite ? .number(($0 * 1e4).rounded() / 1e4) : .null })
  }

  private static func bars(
    _ name: String, _ x: PlotValue, _ y: [Double], _ colour: PlotValue
  ) -> PlotValue {
    [
      "type": "bar", "name": .text(name), "x": x, "y": values(y), "marker": ["color": colour],
      "hovertemplate": "%{y:,.4~r}",
    ]
  }

  private static func plot(
    _ id: String, _ data: [PlotValue], x: String, y: String, isCategory: Bool = true
  ) -> PlotSpec {
    PlotSpec(
      id: id, data: data,
      layout: [
        "xaxis": [
          "type": .text(isCategory ? "category" : "date"), "title": ["text": .text(x)],
          "automargin": true,
        ],
        "yaxis": ["title": ["text": .text(y)], "rangemode": "tozero", "automargin": true],
        "barmode": "group", "bargap": 0.2, "hovermode": "x unified", "height": 380,
      ])
  }

  private static func labels(_ count: Int, from first: Int) -> PlotValue {
    .texts((0..<count).map { "\($0 + first)\($0 == count - 1 ? "+" : "")" })
  }

  /// Cumulative sign-ups by day.
  private func adoption() -> PlotSpec? {
    let fit = calibration.adoption
    let dates = calibration.observed.calendar.dates.map(\.description)
    func sums(_ counts: [Double]) -> [Double] {
      var sum = 0.0
      return counts.map {
        sum += $0
        return sum
      }
    }
    var data: [PlotValue] = [
      [
        "type": "scatter", "mode": "lines", "name": "Actual", "x": .texts(dates),
        "y": Self.values(sums(fit.daily.map(Double.init))),
        "line": ["color": "@@text", "width": 3],
        "hovertemplate": "%{y:,.0f}",
      ]
    ]
    if let bass = fit.bass {
      data.append([
        "type": "scatter", "mode": "lines", "name": "Bass", "x": .texts(dates),
        "y": Self.values(sums(bass.expected)),
        "line": ["color": "@@series0", "width": 2, "dash": "dash"], "hovertemplate": "%{y:,.0f}",
      ])
    }
    return Self.plot("plot-adoption", data, x: "", y: "Sign-ups so far", isCategory: false)
  }

  /// Purchases by what they brought.
  private func amounts() -> PlotSpec? {
    guard let fit = calibration.amounts else { return nil }
    let x = Self.labels(fit.counts.count, from: 1)
    return Self.plot(
      "plot-amounts",
      [
        Self.bars("Actual", x, fit.counts.map(Double.init), "@@budget"),
        Self.bars("Fitted", x, fit.expected, "@@series0"),
      ], x: "\(column) per purchase", y: "Purchases")
  }

  /// Shares of what is used, by days since the latest purchase.
  private func uses() -> PlotSpec? {
    guard let fit = calibration.uses else { return nil }
    let total = Double(max(1, fit.counts.reduce(0, +)))
    let x = PlotValue.texts(fit.counts.indices.map(fit.days(of:)))
    var data = [Self.bars("Actual", x, fit.counts.map { 100 * Double($0) / total }, "@@budget")]
    if !fit.simulated.isEmpty {
      data.append(Self.bars("Simulated", x, fit.simulated.map { 100 * $0 }, "@@series0"))
    }
    return Self.plot(
      "plot-uses", data, x: "Days since the member's latest purchase", y: "Share in %")
  }

  /// Weights with their intervals.
  private static func weights(
    _ id: String, _ labels: [String], _ weights: [EstimatedInterval], x: String
  ) -> PlotSpec {
    var bar: [String: PlotValue] = [
      "type": "bar", "name": "Weight", "x": .texts(labels),
      "y": values(weights.map(\.estimate)), "marker": ["color": "@@budget"],
      "hovertemplate": "%{y:.3f}",
    ]
    bar["error_y"] = [
      "type": "data", "symmetric": .flag(false), "color": "@@text",
      "array": values(weights.map { max(0, ($0.high ?? $0.estimate) - $0.estimate) }),
      "arrayminus": values(weights.map { max(0, $0.estimate - ($0.low ?? $0.estimate)) }),
    ]
    return plot(id, [.object(bar)], x: x, y: "Weight")
  }

  private func hours() -> PlotSpec? {
    guard let fit = calibration.season, !fit.hours.isEmpty else { return nil }
    return Self.weights("plot-hours", (0..<24).map { "\($0)" }, fit.hours, x: "Local hour")
  }

  private func weekdays() -> PlotSpec? {
    guard let fit = calibration.season, !fit.weekdays.isEmpty else { return nil }
    return Self.weights("plot-weekdays", BehaviourTables.weekdays, fit.weekdays, x: "")
  }

  private func months() -> PlotSpec? {
    guard let fit = calibration.months else { return nil }
    return Self.weights("plot-months", BehaviourTables.months, fit.weights, x: "")
  }

  /// Purchases by weekday and hour, and below them what the product of both expects.
  private func grid() -> PlotSpec? {
    guard let fit = calibration.season, fit.test != nil else { return nil }
    let actual = fit.grid.map { $0.map(Double.init) }
    let expected = fit.expected
    let most = (actual + expected).flatMap(\.self).max() ?? 1
    func map(_ rows: [[Double]], _ axis: String, isFirst: Bool) -> PlotValue {
      [
        "type": "heatmap", "z": .list(rows.map(Self.values)), "y": .texts(BehaviourTables.weekdays),
        "x": .numbers((0..<24).map(Double.init)), "yaxis": .text(axis), "zmin": 0,
        "zmax": .number(most), "colorscale": [[0, "@@barfill"], [1, "@@accrual"]],
        "showscale": .flag(isFirst), "xgap": 1, "ygap": 1,
        "hovertemplate": .text(
          "%{y} %{x}:00, \(isFirst ? "actual" : "fitted"): %{z:,.1f}<extra></extra>"),
      ]
    }
    func axis(_ title: String, _ from: Double, _ to: Double) -> PlotValue {
      [
        "type": "category", "autorange": "reversed", "automargin": true,
        "title": ["text": .text(title)], "domain": [.number(from), .number(to)],
      ]
    }
    return PlotSpec(
      id: "plot-hours-grid",
      data: [map(actual, "y", isFirst: true), map(expected, "y2", isFirst: false)],
      layout: [
        "xaxis": [
          "title": ["text": "Local hour"], "dtick": 3, "anchor": "y2", "automargin": true,
        ],
        "yaxis": axis("Actual", 0.54, 1), "yaxis2": axis("Fitted", 0, 0.46), "height": 560,
      ])
  }

  /// Members by how many others they have brought; those who have brought nobody are most, and are in
  /// the table.
  private func referral() -> PlotSpec? {
    guard let fit = calibration.referral else { return nil }
    let x = Self.labels(fit.counts.count - 1, from: 1)
    return Self.plot(
      "plot-referral",
      [
        Self.bars("Actual", x, fit.counts.dropFirst().map(Double.init), "@@budget"),
        Self.bars("Fitted", x, Array(fit.expected.dropFirst()), "@@series0"),
      ], x: "Members brought", y: "Members")
  }

  /// Shares of members by level at the end of the last period.
  private func levels() -> PlotSpec? {
    guard let fit = calibration.levels, let last = fit.rows.last?.period else { return nil }
    let rows = fit.rows.filter { $0.period == last }
    let x = PlotValue.list(rows.map { .name($0.level) })
    return Self.plot(
      "plot-levels",
      [
        Self.bars("Actual", x, rows.map { 100 * $0.share.estimate }, "@@budget"),
        Self.bars("Simulated", x, rows.map { 100 * $0.simulated }, "@@series0"),
      ], x: last, y: "Share of members in %")
  }
}
