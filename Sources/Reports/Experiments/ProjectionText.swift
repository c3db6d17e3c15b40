package import Experiments
internal import Foundation
internal import Quantities

/// A projection as aligned text for people.
package enum ProjectionText {
  /// The figures that the text shows, in this order; the rest stand in the files.
  private static let shown = [
    "budget.utilisation.year", "budget.utilisation.max", "budget.spend.year",
    "budget.months.critical", "payouts.total", "scans.accepted", "tins.sold",
    "cost_per_scan.total", "cost_per_scan.crypto", "cost_per_scan.casino", "cost_per_scan.trip",
    "cost_per_scan.scan_reward", "cost_per_scan.guarantee", "guarantee.cost_per_member",
    "reinvestment.standard", "reinvestment.vip", "reinvestment.high_roller",
    "reinvestment.whale", "value.standard", "value.vip", "value.high_roller", "value.whale",
    "value.retail", "value.shop", "liability.chips", "liability.trip_reserve",
    "runway.bank_operating", "runway.bank_comp_pool", "runway.bank_reserve",
    "runway.wallet_member", "runway.wallet_affiliate", "runway.wallet_wholesale",
  ]

  /// The text with a line end behind it.
  ///
  /// - Parameter overrides: The flags that repeat the call's overrides, each with a space before
  ///   it, for the line that replays a replication.
  package static func text(
    _ projection: Projection, scenario: String, overrides: String, folder: String?, colour: Bool
  ) -> String {
    var lines: [String] = []
    let count = projection.count
    lines.append(
      TextStyle.bold.applied(
        to: "Projection of \(DisplayText.safe(scenario))", colour: colour)
        + "  \(count) replication\(count == 1 ? "" : "s"), seed \(projection.seed)")
    lines.append("")
    lines.append("Any month closes Warning or worse   \(FigureText.chance(projection.warning))")
    lines.append("Any month closes Critical           \(FigureText.chance(projection.critical))")
    lines.append("")
    lines += figures(projection, colour)
    lines.append("")
    lines += months(projection, colour)
    lines.append(
      "±: half-width of the 95 % interval of the mean. P(...): share of replications, with its "
        + "95 %\ninterval by Wilson. VaR and CVaR: of a month's recognised spend, in USDT.")
    lines.append("")
    let worst = projection.replays.max { ($0.utilisation ?? 0) < ($1.utilisation ?? 0) }
    if let worst {
      lines.append(
        "Highest    seed \(worst.seed)"
          + (worst.utilisation.map { " with \(FigureText.percent($0)) of the budget" } ?? "")
          + "; replay it with pitboss run \(DisplayText.safe(scenario)) --seed \(worst.seed)"
          + DisplayText.safe(overrides))
    }
    if let folder { lines.append("Folder     \(DisplayText.safe(folder))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func figures(_ projection: Projection, _ colour: Bool) -> [String] {
    var table = TextTable([
      ("Figure", .left), ("Mean", .right), ("±", .right), ("P5", .right), ("P50", .right),
      ("P95", .right),
    ])
    for name in shown {
      guard let figure = projection.figures.first(where: { $0.name == name }) else { continue }
      let estimate = figure.estimate
      func text(_ value: Double) -> TextTable.Cell {
        TextTable.Cell(FigureText.value(value, figure.unit))
      }
      table.add([
        TextTable.Cell(FigureText.title(name)), text(estimate.mean),
        estimate.halfWidth.map { text($0) } ?? "–", text(estimate.percentiles[0]),
        text(estimate.percentiles[2]), text(estimate.percentiles[4]),
      ])
    }
    return table.lines(colour: colour)
  }

  private static func months(_ projection: Projection, _ colour: Bool) -> [String] {
    var table = TextTable([
      ("Month", .left), ("Budget", .right), ("Spend, accrual", .right), ("Spend, cash", .right),
      ("Utilised", .right), ("P5 to P95", .right), ("P(Warning)", .right),
      ("P(Critical)", .right), ("VaR 95", .right), ("CVaR 95", .right),
    ])
    for month in projection.months {
      let used = month.utilisation
      table.add([
        TextTable.Cell(month.label), TextTable.Cell(FigureText.usdt(month.budget.mean)),
        TextTable.Cell(FigureText.usdt(month.spendAccrual.mean)),
        TextTable.Cell(FigureText.usdt(month.spendCash.mean)),
        TextTable.Cell(used.map { FigureText.percent($0.mean) } ?? "–"),
        TextTable.Cell(
          used.map {
            FigureText.percent($0.percentiles[0]) + " to "
              + FigureText.percent($0.percentiles[4])
          } ?? "–"),
        TextTable.Cell(FigureText.percent(month.warning.share)),
        TextTable.Cell(
          FigureText.percent(month.critical.share),
          month.critical.share > 0.5 ? .bad : month.critical.share > 0.05 ? .caution : .plain),
        TextTable.Cell(FigureText.usdt(month.tails[0].valueAtRisk)),
        TextTable.Cell(FigureText.usdt(month.tails[0].expectedShortfall)),
      ])
    }
    return table.lines(colour: colour)
  }
}
