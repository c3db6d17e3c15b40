internal import Foundation
internal import Reports

/// The plots of a load's report.
enum LoadPlots {
  /// Sessions, answers and errors of each second.
  static func rates(_ seconds: [LoadSecond]) -> PlotSpec {
    var data = [
      line("Sessions started", seconds, "@@budget", dash: "dot") { Double($0.sessions) },
      line("Requests answered", seconds, "@@accrual") { Double($0.answered) },
    ]
    if seconds.contains(where: { $0.errors > 0 }) {
      data.append(line("Errors", seconds, "@@bad") { Double($0.errors) })
    }
    return PlotSpec(id: "plot-rates", data: data, layout: layout("a second", ",~r"))
  }

  /// The latency of each second; the scale is logarithmic, as p99 may be a hundred times p50.
  static func latencies(_ seconds: [LoadSecond]) -> PlotSpec? {
    guard seconds.contains(where: { $0.answered > 0 }) else { return nil }
    func value(_ second: LoadSecond, _ latency: Int64) -> Double? {
      second.answered > 0 && latency > 0 ? milliseconds(latency) : nil
    }
    return PlotSpec(
      id: "plot-latency",
      data: [
        line("p99", seconds, "@@cash", unit: " ms") { value($0, $0.p99) },
        line("p50", seconds, "@@accrual", unit: " ms") { value($0, $0.median) },
      ],
      layout: layout(
        "ms, logarithmic", ",~r",
        ticks: ticks(seconds.flatMap { [$0.median, $0.p99] }.map(milliseconds))))
  }

  /// Requests under way and waiting at each second's end.
  static func queues(_ seconds: [LoadSecond]) -> PlotSpec {
    var data = [line("Under way", seconds, "@@accrual") { Double($0.underWay) }]
    if seconds.contains(where: { $0.waiting > 0 }) {
      data.append(line("Waiting for a connection", seconds, "@@caution") { Double($0.waiting) })
    }
    return PlotSpec(id: "plot-queues", data: data, layout: layout("requests", ",~r"))
  }

  /// Latency and service time by percentile; the place of a percentile is one over the share above it,
  /// on a logarithmic scale, so that each further nine takes as much room as the one before.
  static func percentiles(_ measure: StepMeasure) -> PlotSpec? {
    let count = measure.latency.count
    guard count > 0 else { return nil }
    // The greatest is drawn where one in twice as many would be.
    let percents = LatencyRecorder.plottedPercents(count: count)
    let places = percents.map { $0 < 100 ? 1 / (1 - $0 / 100) : Double(2 * count) }
    func trace(_ name: String, _ recorder: LatencyRecorder, _ color: String) -> PlotValue {
      [
        "type": "scatter", "mode": "lines", "name": .text(name), "x": .numbers(places),
        "y": .numbers(percents.map { milliseconds(recorder.percentile($0)) }),
        "text": .texts(percents.map { "p\(plain($0))" }),
        "line": ["color": .text(color), "width": 2.5],
        "hovertemplate": "%{text}: %{y:,.3~g} ms",
      ]
    }
    let ticks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999].filter {
      1 / (1 - $0 / 100) <= Double(2 * count)
    }
    return PlotSpec(
      id: "plot-percentiles",
      data: [
        trace("Latency", measure.latency, "@@cash"),
        trace("Service time", measure.service, "@@accrual"),
      ],
      layout: [
        "xaxis": [
          "type": "log", "title": ["text": "percentile"], "automargin": true,
          "tickvals": .numbers(ticks.map { 1 / (1 - $0 / 100) }),
          "ticktext": .texts(ticks.map { plain($0) }),
        ],
        "yaxis": ["title": ["text": "ms"], "rangemode": "tozero", "automargin": true],
        "hovermode": "x unified", "height": 360, "showlegend": true,
      ])
  }

  // MARK: - Parts

  private static func line(
    _ name: String, _ seconds: [LoadSecond], _ color: String, dash: String = "solid",
    unit: String = "", _ value: (LoadSecond) -> Double?
  ) -> PlotValue {
    [
      "type": "scatter", "mode": .text(seconds.count > 1 ? "lines" : "markers"),
      "name": .text(name), "x": .numbers(seconds.map { Double($0.second) }),
      "y": .list(seconds.map { value($0).map { .number($0) } ?? .null }),
      "line": ["color": .text(color), "width": 2, "dash": .text(dash)],
      "hovertemplate": .text(unit.isEmpty ? "%{y:,}" : "%{y:,.3~g}\(unit)"),
    ]
  }

  private static func layout(
    _ title: String, _ format: String, ticks: [Double] = []
  ) -> PlotValue {
    let isLogarithmic = !ticks.isEmpty
    return [
      "xaxis": [
        "title": ["text": "seconds since the start"], "automargin": true, "rangemode": "tozero",
      ],
      "yaxis": [
        "title": ["text": .text(title)], "rangemode": "tozero", "automargin": true,
        "tickformat": .text(format), "type": .text(isLogarithmic ? "log" : "linear"),
        "tickvals": isLogarithmic ? .numbers(ticks) : .null,
      ],
      "hovermode": "x unified", "height": 320, "showlegend": true,
    ]
  }

  /// Tens, with twos and fives between them where there are few tens: plotly's own labels between them
  /// are single digits, which read as if "2" above 10 were 2.
  static func ticks(_ values: [Double]) -> [Double] {
    let values = values.filter { $0 > 0 }
    guard let least = values.min(), let most = values.max() else { return [] }
    let decades = Int(log10(max(least, 0.001)).rounded(.down))...Int(log10(most).rounded(.up))
    return decades.flatMap { decade in
      (decades.count <= 3 ? [1.0, 2, 5] : [1]).map { $0 * pow(10, Double(decade)) }
    }
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Double {
    (Double(nanoseconds) / 1e3).rounded() / 1e3
  }

  private static func plain(_ percent: Double) -> String {
    let text = String(format: "%.4f", percent)
    let digits = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(digits.reversed())
  }
}
