package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel

/// A projection as aligned text for people.
package enum ProjectionText {
  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - projection: What the replications showed.
  ///   - scenario: The scenario's path or name as it was given.
  ///   - overrides: The flags that repeat the call's overrides, each with a space before it, for
  ///     the line that replays a replication.
  ///   - folder: Where the files are; nil when none were written.
  ///   - expect: What became of the scenario's thresholds.
  ///   - assumptions: Which assumptions carry the cost; nil where that was not asked.
  ///   - width: Columns of the terminal, to which text is wrapped. With 100 or fewer the tables
  ///     leave out what the page has as well (gain, median, cash).
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ projection: Projection, scenario: String, overrides: String, folder: String?,
    expect: [ExpectationVerdict] = [], assumptions: AssumptionRanking? = nil, width: Int = 120,
    colour: Bool
  ) -> String {
    let opening = ProjectionOpening(projection: projection)
    let room = DisplayText.room(width)
    var lines = DisplayText.headed(
      "Projection of \(scenario)", opening.about, width: width, colour: colour)
    lines += DisplayText.wrapped(opening.verdict, width: room).map {
      TextStyle(opening.tone).applied(to: $0, colour: colour)
    }
    for words in UncertaintyText.lead(projection, assumptions) {
      lines += DisplayText.wrapped(words, width: room)
    }
    lines.append("")
    for (event, chance) in chances(projection) {
      lines.append(
        event.padding(toLength: 36, withPad: " ", startingAt: 0) + FigureText.chance(chance))
    }
    for verdict in expect {
      let label = verdict.holds ? "Holds      " : "Missed     "
      let words = DisplayText.wrapped(FigureText.verdict(verdict), width: width, after: label)
      let first = (verdict.holds ? TextStyle.good : .caution).applied(to: label, colour: colour)
      lines.append(first + words[0].dropFirst(label.count))
      lines += words.dropFirst()
    }
    lines.append("")
    lines += figures(projection, colour, isNarrow: width <= 100)
    lines.append("")
    lines += months(projection, colour, isNarrow: width <= 100)
    lines.append("")
    lines += tails(projection, colour)
    lines.append("")
    lines += notes(projection, isNarrow: width <= 100)
      .flatMap { DisplayText.wrapped($0, width: room) }
    lines.append("")
    if let worst = projection.highest.first {
      lines.append(
        (worst.utilisation == nil ? "Example" : "Highest") + "    seed \(worst.seed)"
          + (worst.utilisation.map { " with \(FigureText.percent($0)) of the budget" } ?? "")
          + "; replay it with pitboss run \(DisplayText.safe(ShellText.path(scenario))) --seed \(worst.seed)"
          + DisplayText.safe(ShellText.flags(worst.drawn) + overrides))
    }
    if let folder { lines.append("Folder     \(DisplayText.safe(folder))") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What may go wrong, in words, and how often it does.
  static func chances(_ projection: Projection) -> [(event: String, chance: Projection.Chance)] {
    var rows: [(event: String, chance: Projection.Chance)] = []
    if let year = projection.year {
      rows.append(("Any month closes Warning or worse", year.warning))
      rows.append(("Any month closes Critical", year.critical))
    }
    rows.append(("Any day projects Warning or worse", projection.everWarning))
    rows.append(("Any day projects Critical", projection.everCritical))
    return rows
  }

  private static func figures(
    _ projection: Projection, _ colour: Bool, isNarrow: Bool
  ) -> [String] {
    let left = isNarrow ? ["Gain", "P50"] : []
    let heads = ["Figure", "Mean", "±", "Gain", "P5", "P50", "P95", "P95 interval"]
    let shown = heads.indices.filter { !left.contains(heads[$0]) }
    var table = TextTable(shown.map { (heads[$0], $0 == 0 ? .left : .right) })
    let catalog = projection.measured.catalog
    for name in catalog.choices.projection {
      guard let figure = projection.figures.first(where: { $0.name == name }) else {
        if let missing = catalog.figure(name),
          let absence = missing.absence ?? (missing.isUtilisation ? "no budget" : nil)
        {
          table.add([TextTable.Cell(missing.heading), TextTable.Cell(absence)])
        }
        continue
      }
      let estimate = figure.estimate
      if figure.description.partTitle != nil, estimate.largest == 0 { continue }
      func text(_ value: Double) -> TextTable.Cell {
        TextTable.Cell(FigureText.value(value, figure.unit))
      }
      // What lasts for days at a rate that may be next to nothing has a mean that says nothing.
      let isSpan = figure.unit == .days
      let cells: [TextTable.Cell] = [
        TextTable.Cell(FigureText.heading(figure, of: projection.count)),
        isSpan ? "–" : text(estimate.mean),
        TextTable.Cell(
          isSpan ? "–" : FigureText.spread(estimate, figure.unit, as: FigureText.spread)),
        TextTable.Cell(isSpan ? "–" : VarianceText.times(estimate.reduced?.gain)),
        text(estimate.percentiles[0]),
        text(estimate.percentiles[2]), text(estimate.percentiles[4]),
        TextTable.Cell(FigureText.ends(estimate.quantiles[4], figure.unit)),
      ]
      table.add(shown.map { cells[$0] })
    }
    return table.lines(colour: colour)
  }

  private static func months(
    _ projection: Projection, _ colour: Bool, isNarrow: Bool
  ) -> [String] {
    let isAccrued = projection.measured.catalog.choices.isSpendAccrued
    let heads = [
      "Month", "Budget", isAccrued ? "Accrual" : "Spend", "Cash", "Utilized", "P5 to P95",
      "Mid-month", "P(Warning)", "P(Critical)",
    ]
    let shown = heads.indices.filter { isAccrued && !isNarrow || heads[$0] != "Cash" }
    var table = TextTable(shown.map { (heads[$0], $0 == 0 ? .left : .right) })
    for (place, (name, month)) in projection.periods.enumerated() {
      let used = month.utilisation
      // The whole run closes no month; how often any of its months does is said above.
      let closes = place < projection.months.count
      let worst = closes ? month.critical.share : 0
      let cells: [TextTable.Cell] = [
        TextTable.Cell(name), TextTable.Cell(FigureText.money(month.budget.mean)),
        TextTable.Cell(FigureText.money(month.spendAccrual.mean)),
        TextTable.Cell(FigureText.money(month.spendCash.mean)),
        TextTable.Cell(used.map { FigureText.percent($0.mean) } ?? "–"),
        TextTable.Cell(
          used.map {
            String(format: "%.1f to ", $0.percentiles[0] * 100)
              + FigureText.percent($0.percentiles[4])
          } ?? "–"),
        TextTable.Cell(month.projected.map { FigureText.percent($0.mean) } ?? "–"),
        TextTable.Cell(closes ? FigureText.narrow(month.warning) : "–"),
        TextTable.Cell(
          closes ? FigureText.narrow(month.critical) : "–",
          worst > 0.5 ? .bad : worst > 0.05 ? .caution : .plain),
      ]
      table.add(shown.map { cells[$0] })
    }
    return table.lines(colour: colour)
  }

  private static func tails(_ projection: Projection, _ colour: Bool) -> [String] {
    var table = TextTable([
      ("Spend at risk", .left), ("Level", .right), ("VaR", .right), ("interval", .right),
      ("CVaR", .right), ("interval", .right),
    ])
    let rows = projection.periods.enumerated().flatMap { place, row in
      row.period.tails.prefix(place < projection.months.count ? 1 : .max).map { (row.name, $0) }
    }
    for (name, tail) in rows {
      let intervals = [tail.valueAtRisk, tail.expectedShortfall]
      table.add(
        [
          TextTable.Cell(name),
          TextTable.Cell(String(format: "%.0f %%", tail.probability * 100)),
        ]
          + intervals.flatMap {
            [
              TextTable.Cell(
                ProjectionFiles.isShown($0, tail) ? FigureText.money($0.estimate) : "–"),
              TextTable.Cell(FigureText.ends($0, .money)),
            ]
          })
    }
    return table.lines(colour: colour)
  }

  /// Paragraphs below the tables.
  private static func notes(_ projection: Projection, isNarrow: Bool) -> [String] {
    let isAccrued = projection.measured.catalog.choices.isSpendAccrued
    var notes = [
      "±: half-width of the 95 % interval of the mean."
        + (!isAccrued
          ? ""
          : isNarrow
            ? " Accrual: spend as it accrues." : " Accrual, Cash: spend, counted either way.")
        + (projection.partialMonths.isAny ? " * partial month." : ""),
      "Mid-month: what the month's middle day projects for its end. P(...): share of replications "
        + "that close Warning or worse, or Critical, with its exact 95 % interval. Intervals of "
        + "P95, VaR and CVaR: 95 %, by order statistics or, for CVaR, by bootstrap; – is an end that "
        + "takes more replications. VaR: the least recognized spend, in "
        + "\(projection.measured.catalog.currency.code), that this share of replications does not "
        + "exceed; P95, between two replications, may differ a little from it. CVaR: the mean of the "
        + "worst beyond it.",
    ]
    let shown = Set(projection.measured.catalog.choices.projection)
    let figures = projection.figures.filter { shown.contains($0.name) }
    let estimates = figures.filter { $0.unit != .days }
    notes += [
      estimates.count < figures.count ? ProjectionTables.withoutMean : nil,
      FigureText.constant(estimates.map(\.estimate)), VarianceText.precision(projection),
      VarianceText.unseen(projection),
    ].compactMap(\.self)
    if projection.year?.tails.contains(where: { $0.expectedShortfall.low == nil }) == true {
      notes.append(
        "An interval of CVaR takes \(Int(TailRisk.tailNeeded)) replications beyond its level: "
          + "200 for 95 %, 1,000 for 99 %.")
    }
    notes += VarianceText.lines(projection, isNarrow: isNarrow)
    if projection.percentileError > 0 {
      notes.append(
        "Percentiles, VaR and CVaR are within "
          + "\(String(format: "%g", projection.percentileError * 100)) % of their distance from the median, or of the mean distance where that is more."
      )
    }
    return notes
  }
}
