internal import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel

/// The tables of a projection's page.
enum ProjectionTables {
  private static let intervals =
    "The small line below a percentile is its 95 % interval by order statistics; – is an end that "
    + "needs more replications."

  static let withoutMean =
    "Figures in days have no mean here, which a few very long ones would make: see P50."

  static func chances(_ projection: Projection) -> String {
    var table = HTMLTable("Chances of a breach", ["Event", "#Share", "#From", "#To"])
    for (event, chance) in ProjectionText.chances(projection) {
      table.add(
        [HTMLTable.Cell(event)]
          + [
            FigureText.share(chance), FigureText.edge(chance.low), FigureText.edge(chance.high),
          ].map { HTMLTable.Cell(chance.of > 0 ? $0 : "–") })
    }
    return "<p>Share of replications, with its exact 95 % interval (Clopper and Pearson).</p>\n"
      + table.rendered()
  }

  /// What the months and the whole run cost: one table of means, and one of percentiles for each
  /// of its columns.
  static func months(_ projection: Projection) -> String {
    let periods = projection.periods
    let spends = spends(projection)
    var table = HTMLTable(
      "Months",
      ["Month", "#Budget"] + spends.map { "#\($0.title)" } + [
        "#Utilized", "#Projected mid-month", "#P(Warning)", "#P(Critical)",
      ])
    for (place, (name, period)) in periods.enumerated() {
      func mean(_ estimate: Estimate?, _ unit: MeasureUnit) -> HTMLTable.Cell {
        guard let estimate else { return "–" }
        let half = FigureText.spread(estimate, unit) { "± \(FigureText.spread($0, $1))" }
        return HTMLTable.Cell(
          FigureText.value(estimate.mean, unit), note: half == "–" ? "" : half)
      }
      func chance(_ chance: Projection.Chance) -> HTMLTable.Cell {
        // The whole run closes no month; how often any of its months does is a table of its own.
        guard chance.of > 0, place < projection.months.count else { return "–" }
        return HTMLTable.Cell(
          FigureText.share(chance),
          note: String(format: "%.1f to %.1f %%", chance.low * 100, chance.high * 100))
      }
      table.add(
        [HTMLTable.Cell(name), mean(period.budget, .money)]
          + spends.map { mean($0.estimate(period), .money) } + [
            mean(period.utilisation, .share), mean(period.projected, .share),
            chance(period.warning), chance(period.critical),
          ])
    }
    let means = periods.flatMap { _, period in
      [period.budget, period.utilisation, period.projected] + spends.map { $0.estimate(period) }
    }
    var out =
      "<p>Means with the half-width of their 95 % interval, in \(projection.measured.catalog.currency.code); projected is what the "
      + "month's middle day says of its end; P is the share of replications in which the month "
      + "closes Warning or worse, or Critical. "
      + (projection.partialMonths.isAny ? "A star marks a month that was run in part. " : "")
      + "\(VarianceText.unseen(projection) ?? "") "
      + "\(FigureText.constant(means) ?? "")</p>\n"
      + table.rendered()
    for (title, unit, estimate) in spends + quantities {
      out += HTMLText.details(
        "\(title) with percentiles",
        estimates(title, by: "Month", periods.map { ($0.name, unit, estimate($0.period)) }),
        printed: true)
    }
    return out
  }

  private typealias Quantity = (
    title: String, unit: MeasureUnit, estimate: @Sendable (Projection.Period) -> Estimate?
  )

  /// Spend in the ways in which the program counts it.
  private static func spends(_ projection: Projection) -> [Quantity] {
    guard projection.measured.catalog.choices.isSpendAccrued else {
      return [("Spend", .money, { $0.spendAccrual })]
    }
    return [
      ("Spend, accrual", .money, { $0.spendAccrual }), ("Spend, cash", .money, { $0.spendCash }),
    ]
  }

  private static let quantities: [Quantity] = [
    ("Budget", .money, { $0.budget }), ("Utilization", .share, { $0.utilisation }),
    ("Projected mid-month", .share, { $0.projected }),
  ]

  /// VaR and CVaR of recognized spend.
  static func tails(_ projection: Projection) -> String {
    var table = HTMLTable(
      "Spend at risk", ["Month", "#VaR 95", "#CVaR 95", "#VaR 99", "#CVaR 99"])
    for (name, period) in projection.periods {
      table.add(
        [HTMLTable.Cell(name)]
          + period.tails.flatMap { tail in
            [tail.valueAtRisk, tail.expectedShortfall].map {
              HTMLTable.Cell(
                ProjectionFiles.isShown($0, tail) ? FigureText.money($0.estimate) : "–",
                note: FigureText.ends($0, .money))
            }
          })
    }
    return
      "<p>VaR: the least recognized spend, in \(projection.measured.catalog.currency.code), that 95 or 99 % of replications do not "
      + "exceed; P95, between two replications, may differ a little from it. CVaR: the mean of the worst 5 or 1 %. Small below: the 95 % interval, by order "
      + "statistics and by bootstrap; – is an end that needs more replications.</p>\n"
      + table.rendered()
  }

  static func figures(_ projection: Projection) -> String {
    estimates(
      "Figures", by: "Figure",
      projection.figures.map { figure in
        (
          FigureText.heading(figure, of: projection.count)
            .trimmingCharacters(in: .whitespaces), figure.unit, Optional(figure.estimate)
        )
      })
  }

  /// What pairs and controls did to the figures' means; empty where neither was tried.
  static func reduction(_ projection: Projection) -> String {
    var table = HTMLTable(
      "Variance reduction",
      ["Figure", "#± plain", "#±", "#Gain", "#Controls alone", "#Pairs as well"])
    var isEmpty = true
    for figure in projection.figures {
      guard figure.unit != .days, let reduced = figure.estimate.reduced else { continue }
      isEmpty = false
      let controls = VarianceText.times(reduced.controlGain)
      let halves = [reduced.plainHalfWidth, reduced.halfWidth].map { half in
        FigureText.spread(figure.estimate, figure.unit) { FigureText.spread(half, $1) }
      }
      table.add([
        HTMLTable.Cell(figure.description.title), HTMLTable.Cell(halves[0]),
        HTMLTable.Cell(halves[1]),
        HTMLTable.Cell(VarianceText.times(reduced.gain)),
        HTMLTable.Cell(
          controls, note: reduced.controlGain == nil || reduced.usesControls ? "" : "left out"),
        HTMLTable.Cell(VarianceText.times(reduced.pairGain)),
      ])
    }
    guard !isEmpty else {
      return VarianceText.precision(projection).map { "<p>\($0)</p>\n" } ?? ""
    }
    let words =
      [VarianceText.precision(projection)].compactMap(\.self)
      + VarianceText.lines(projection)
    return "<p>\(words.joined(separator: " "))</p>\n" + table.rendered()
  }

  /// The replications that cost the most of their budget, with what replays them.
  static func highest(_ projection: Projection) -> String {
    let isDrawn = projection.highest.contains { !$0.drawn.isEmpty }
    var table = HTMLTable(
      "Replications",
      ["#Replication", "#Seed", "#Utilized"] + (isDrawn ? ["Drawn, as flags of pitboss run"] : []))
    for replay in projection.highest {
      table.add(
        [
          HTMLTable.Cell(String(replay.number)), HTMLTable.Cell(String(replay.seed)),
          HTMLTable.Cell(replay.utilisation.map(FigureText.percent) ?? "–"),
        ]
          + (isDrawn
            ? [HTMLTable.Cell(ShellText.flags(replay.drawn).trimmingCharacters(in: .whitespaces))]
            : []))
    }
    return
      "<p>Each is replayed by <span class=\"code\">pitboss run</span> with its seed"
      + (isDrawn ? ", what was drawn for it" : "") + " and the settings of this projection.</p>\n"
      + table.rendered()
  }

  private static func estimates(
    _ caption: String, by head: String,
    _ rows: [(title: String, unit: MeasureUnit, estimate: Estimate?)]
  ) -> String {
    var table = HTMLTable(
      caption, [head, "#Mean", "#± (95 %)"] + Estimate.names.map { "#\($0.uppercased())" })
    for row in rows {
      guard let estimate = row.estimate else { continue }
      // What lasts for days at a rate that may be next to nothing has a mean that says nothing.
      let isSpan = row.unit == .days
      let half = isSpan ? "–" : FigureText.spread(estimate, row.unit, as: FigureText.spread)
      let mean = isSpan ? "–" : FigureText.value(estimate.mean, row.unit)
      table.add(
        [HTMLTable.Cell(row.title), HTMLTable.Cell(mean), HTMLTable.Cell(half)]
          + estimate.quantiles.map {
            HTMLTable.Cell(
              FigureText.value($0.estimate, row.unit), note: FigureText.ends($0, row.unit))
          })
    }
    let notes = [
      intervals, FigureText.constant(rows.map(\.estimate)),
      rows.contains { $0.unit == .days && $0.estimate != nil } ? withoutMean : nil,
    ].compactMap(\.self)
    return "<p>\(notes.joined(separator: " "))</p>\n" + table.rendered()
  }
}
