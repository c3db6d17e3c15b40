internal import Foundation
internal import Quantities
package import Reports
internal import RewardModel

/// What a search for the knee has shown, as a page that needs no server: what was measured beside what
/// the queueing model and the scalability law say.
package struct KneePage {
  private let result: KneeResult
  /// By rate; of one rate that was measured twice the longer one.
  private let rows: [KneeResult.Row]

  /// The page.
  ///
  /// - Parameters:
  ///   - offer: What was offered, in words.
  ///   - plotly: How it loads plotly.js.
  ///   - source: The script; nil when it is not on this machine.
  package static func html(
    _ result: KneeResult, scenario: String, target: String, offer: String, plotly: PlotlyMode,
    source: PlotlySource?
  ) -> String {
    let page = KneePage(result)
    let title = "The knee of \(scenario)"
    return ExperimentPage(
      title: title, heading: title,
      facts: [
        "Sent to \(target), where \(result.conditions.map(\.text).joined(separator: " and ")): \(offer)."
      ], verdict: (KneeText.verdict(result), KneeText.tone(result)),
      notices: [KneeText.caution(result)].compactMap(\.self),
      sections: [page.limit, page.plots, page.table, page.words].compactMap(\.self)
    ).rendered(plotly, source)
  }

  private init(_ result: KneeResult) {
    self.result = result
    // A later row of a rate is the longer one.
    var byRate: [Double: KneeResult.Row] = [:]
    for row in result.rows where row.point.isOffered { byRate[row.point.rate] = row }
    rows = byRate.values.sorted { $0.requests < $1.requests }
  }

  /// Why it went no higher.
  private var limit: ExperimentPage.Section? {
    KneeLimit(result).map {
      ExperimentPage.Section(
        id: "limit", title: "What gave first",
        content: "<p>\(HTMLText.escaped($0.words))</p>\n")
    }
  }

  private var plots: ExperimentPage.Section {
    ExperimentPage.Section(
      id: "by-load", title: "Latency and throughput by load",
      text: "Filled points are measured."
        + (result.model == nil ? "" : " Lines are the simulated model of the service.")
        + (result.law == nil
          ? ""
          : " Open points are the fitted law with as many requests at once as were measured; its "
            + "ceiling is a line.") + leftOut,
      plots: rows.isEmpty ? [] : [latency, throughput])
  }

  /// What the plots do not show.
  private var leftOut: String {
    let rates = Set(result.rows.filter { !$0.point.isOffered }.map(\.point.rate)).sorted()
    guard !rates.isEmpty else { return "" }
    return " Windows that the generator could not offer are left out, as their figures are not "
      + "those of the service: \(rates.map(KneeText.number).joined(separator: "; ")) sessions a second."
  }

  private func points(
    _ name: String, _ color: String, symbol: String = "circle",
    _ value: (KneeResult.Row) -> Double?
  ) -> PlotValue {
    [
      "type": "scatter", "mode": "markers", "name": .text(name),
      "x": .numbers(rows.map(\.requests)),
      "y": .list(rows.map { value($0).map { .number($0) } ?? .null }),
      "marker": ["color": .text(color), "size": 9, "symbol": .text(symbol)],
      "hovertemplate": "%{x:,.0f} a second: %{y:,.3~g}",
    ]
  }

  private func line(
    _ name: String, _ color: String, dash: String = "solid",
    _ value: (KneeResult.Row) -> Double?
  ) -> PlotValue {
    [
      "type": "scatter", "mode": "lines", "name": .text(name),
      "x": .numbers(rows.map(\.requests)),
      "y": .list(rows.map { value($0).map { .number($0) } ?? .null }),
      "line": ["color": .text(color), "width": 2, "dash": .text(dash)],
      "hovertemplate": "%{x:,.0f} a second: %{y:,.3~g}",
    ]
  }

  private func layout(_ title: String, ticks: [Double] = []) -> PlotValue {
    [
      "xaxis": [
        "title": ["text": "requests offered a second"], "automargin": true,
        "rangemode": "tozero",
      ],
      "yaxis": [
        "title": ["text": .text(title)], "automargin": true, "rangemode": "tozero",
        "type": .text(ticks.isEmpty ? "linear" : "log"), "tickformat": ",~r",
        "tickvals": ticks.isEmpty ? .null : .numbers(ticks),
      ], "height": 380, "showlegend": true,
    ]
  }

  private var latency: PlotSpec {
    func milliseconds(_ value: Int64?) -> Double? { value.map { Double($0) / 1e6 } }
    var data = [
      points("p99, measured", "@@cash") {
        milliseconds($0.point.measures.total.latency.summary?.p99)
      },
      points("p50, measured", "@@accrual") {
        milliseconds($0.point.measures.total.latency.summary?.median)
      },
    ]
    if result.model != nil {
      data.append(line("p99, model", "@@cash") { $0.prediction.map { $0.p99 * 1e3 } })
      data.append(line("p50, model", "@@accrual") { $0.prediction.map { $0.median * 1e3 } })
    }
    let shown = rows.flatMap { row in
      let summary = row.point.measures.total.latency.summary
      return [milliseconds(summary?.p99), milliseconds(summary?.median)].compactMap(\.self)
        + (row.prediction.map { [$0.p99 * 1e3, $0.median * 1e3] } ?? [])
    }
    return PlotSpec(
      id: "plot-latency", data: data,
      layout: layout("ms, logarithmic", ticks: LoadPlots.ticks(shown)))
  }

  private var throughput: PlotSpec {
    var data = [points("answered, measured", "@@accrual") { $0.point.throughput }]
    if result.model != nil {
      data.append(line("answered, model", "@@accrual") { $0.prediction?.throughput })
    }
    if let law = result.law {
      // Little's law: so many were there at once. That is measured, and no smooth function of the rate.
      data.append(
        points("answered, law", "@@caution", symbol: "diamond-open") { row in
          law.throughput(row.point.throughput * row.point.measures.total.service.mean / 1e9)
        })
      if let ceiling = law.ceiling {
        data.append(line("ceiling of the law", "@@budget", dash: "dot") { _ in ceiling })
      }
    }
    return PlotSpec(
      id: "plot-throughput", data: data,
      layout: layout("answers a second"))
  }

  private var table: ExperimentPage.Section {
    var table = HTMLTable(
      "Rates in the order of the search",
      [
        "Phase", "#Sessions/s", "#Requests/s", "#Answered/s", "#p50", "#p99", "#Errors",
        "Conditions",
        "#Model p50", "#Model p99",
      ])
    for row in result.rows {
      let total = row.point.measures.total
      func time(_ value: Int64?) -> HTMLTable.Cell {
        HTMLTable.Cell(value.map(DurationText.short) ?? "–")
      }
      let words = !row.point.isOffered ? "not offered" : row.point.isMet ? "met" : "missed"
      table.add([
        HTMLTable.Cell(row.point.phase.rawValue), HTMLTable.Cell(KneeText.number(row.point.rate)),
        HTMLTable.Cell(KneeText.number(row.requests)),
        HTMLTable.Cell(KneeText.number(row.point.throughput)), time(total.latency.summary?.median),
        time(total.latency.summary?.p99),
        HTMLTable.Cell(String(format: "%.2f %%", total.errorShare * 100)),
        HTMLTable.Cell(words, note: row.isFitted ? "the model was fitted to it" : ""),
        time(row.prediction.map { Int64($0.median * 1e9) }),
        time(row.prediction.map { Int64($0.p99 * 1e9) }),
      ])
    }
    return ExperimentPage.Section(id: "rates", title: "Rates", content: table.rendered())
  }

  private var words: ExperimentPage.Section {
    func time(_ seconds: Double) -> String { DurationText.short(Int64(seconds * 1e9)) }
    var table = HTMLTable("What explains it", ["Part", "#Figure", "What it is"])
    func add(_ name: String, _ figure: String, _ meaning: String) {
      table.add([HTMLTable.Cell(name), HTMLTable.Cell(figure), HTMLTable.Cell(meaning)])
    }
    if let model = result.model {
      add("Model", time(model.batch), "of the writer for a batch, whatever is in it")
      add("", time(model.request), "of the writer for each request in it")
      add("", time(model.handling), "of a processor for a request, outside of the writer")
      add("", time(model.constant), "around a request, outside of all queues")
      if let predicted = result.predictedKnee {
        add("", KneeText.number(predicted), "sessions a second: the knee that it predicts")
      }
    } else {
      add("Model", "–", KneeText.model(result).joined(separator: " "))
    }
    if let law = result.law {
      func words(_ estimate: ScalabilityLaw.Estimate, _ format: String) -> String {
        String(format: format, estimate.value)
          + (estimate.halfWidth.map { " ± " + String(format: format, $0) } ?? "")
      }
      add("Law", words(law.rate, "%.0f"), "λ: answers a second, one request at a time")
      add("", words(law.contention, "%.4f"), "σ: the share that has to wait for one another")
      add("", words(law.coherence, "%.6f"), "κ: what agreeing costs")
      if let ceiling = law.ceiling {
        add("", KneeText.number(ceiling), "answers a second at most, by the law")
      }
    } else {
      add("Law", "–", KneeText.law(result).joined(separator: " "))
    }
    if let audit = result.audit {
      add("Audit", audit.isClean ? "clean" : "failed", KneeText.audit(audit))
    }
    return ExperimentPage.Section(
      id: "models", title: "What explains it", content: table.rendered())
  }
}
