package import Experiments
internal import Foundation
internal import Scenario

/// A projection as JSON and as one row a replication.
package enum ProjectionFiles {
  /// The whole projection, with stable keys; money in USDT.
  package static func json(_ projection: Projection, scenario: String) -> String {
    JSONText.object([
      ("schema_version", .number("1")), ("scenario", .string(scenario)),
      ("seed", .number(String(projection.seed))),
      ("replications", .number(String(projection.count))),
      ("warning", chance(projection.warning)), ("critical", chance(projection.critical)),
      (
        "figures",
        .array(
          projection.figures.map { figure in
            .object([("name", .string(figure.name))] + estimate(figure.estimate))
          })
      ),
      ("months", .array(projection.months.map(month))),
      (
        "days",
        .array(
          zip(projection.dates, projection.days).map { date, day in
            .object([
              ("date", .string(date)), ("spend_percentiles", numbers(day.spend)),
              ("budget", number(day.budget)), ("warning", number(day.warning)),
              ("critical", number(day.critical)),
            ])
          })
      ),
      ("year_spend", numbers(projection.yearSpend)),
      (
        "awards",
        .array(
          zip(projection.prizes, projection.awards).map { prize, months in
            .object([("prize", .string(prize)), ("mean_by_month", numbers(months))])
          })
      ),
      ("scans_by_weekday_and_hour", numbers(projection.heat)),
      ("retention", .array(projection.retention.map { .array($0.map(number)) })),
    ]).rendered() + "\n"
  }

  /// One row a replication: its number, its seed and every figure.
  package static func csv(_ replications: [Replication], _ catalog: FigureCatalog) -> String {
    var text = "replication,seed,fingerprint," + catalog.names.joined(separator: ",") + "\n"
    for row in replications {
      let figures = row.figures.map { $0.map { "\($0)" } ?? "" }
      text += "\(row.index),\(row.seed),\(row.fingerprint),"
      text += figures.joined(separator: ",") + "\n"
    }
    return text
  }

  private static func month(_ month: Projection.Month) -> JSONText {
    .object(
      [
        ("month", .string(month.label)),
        ("spend_cash", .object(estimate(month.spendCash))),
        ("spend_accrual", .object(estimate(month.spendAccrual))),
        ("budget", .object(estimate(month.budget))),
        ("utilisation", month.utilisation.map { .object(estimate($0)) } ?? .null),
        ("warning", chance(month.warning)), ("critical", chance(month.critical)),
      ]
        + month.tails.flatMap { tail -> [(String, JSONText)] in
          let level = String(Int((tail.level * 100).rounded()))
          return [
            ("var_\(level)", number(tail.valueAtRisk)),
            ("cvar_\(level)", number(tail.expectedShortfall)),
          ]
        })
  }

  private static func estimate(_ estimate: Estimate) -> [(String, JSONText)] {
    [
      ("count", .number(String(estimate.count))), ("mean", number(estimate.mean)),
      ("half_width", estimate.halfWidth.map(number) ?? .null),
      ("standard_deviation", estimate.standardDeviation.map(number) ?? .null),
    ]
      + zip(["p5", "p10", "p50", "p90", "p95"], estimate.percentiles).map { ($0, number($1)) }
  }

  static func chance(_ chance: Projection.Chance) -> JSONText {
    .object([
      ("happened", .number(String(chance.happened))), ("of", .number(String(chance.of))),
      ("share", number(chance.share)), ("low", number(chance.low)),
      ("high", number(chance.high)),
    ])
  }

  static func numbers(_ values: [Double]) -> JSONText { .array(values.map(number)) }

  static func number(_ value: Double) -> JSONText {
    value.isFinite ? .number("\(value)") : .null
  }
}
