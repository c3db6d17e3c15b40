internal import Documents
package import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

/// A projection as JSON and as one row a replication.
package enum ProjectionFiles {
  /// The whole projection, with stable keys; money in the unit of its currency, shares of 1.
  ///
  /// After `mean` comes the half-width of its 95 % interval (`SkewedMean`); each percentile such as
  /// `p95` has `p95_low` and `p95_high`, the ends of its own by order statistics, and so have
  /// `var_95` and `cvar_95`. An end that so few replications do not give is null. `percentile_error`
  /// is 0 where percentiles are exact, else their largest error as a share of the distance from the
  /// median, or of the mean distance where that is more.
  ///
  /// Every `mean` and `half_width` is by controls and pairs where those help (`gain`: how many plain
  /// replications one is worth); `plain_mean` is without, `plain_half_width` that of as many
  /// independent replications. Replications `from` and before `to` ran in antithetic pairs, which
  /// every interval but that one counts as such.
  ///
  /// `precision` is null where replications were counted: otherwise the figure that decided, the
  /// half-width that was `wanted` and that `reached`, as shares of the budget or of the spend.
  ///
  /// - Parameters:
  ///   - projection: What the replications showed.
  ///   - scenario: Its name.
  ///   - expect: What became of its thresholds.
  ///   - assumptions: Which assumptions carry the cost; nil where that was not asked.
  ///   - set: What the command line and the environment set.
  package static func json(
    _ projection: Projection, scenario: String, expect: [ExpectationVerdict] = [],
    assumptions: AssumptionRanking? = nil, set: SetWords = SetWords()
  ) -> String {
    let keys = projection.measured.catalog.choices.keys
    return JSONText.object([
      ("schema_version", .number("1")), set.json, ("scenario", .string(scenario)),
      ("seed", .number(String(projection.seed))),
      ("replications", .number(String(projection.count))),
      ("percentile_error", number(projection.percentileError)),
      ("antithetic", pairs(projection.trial, of: projection.count)),
      ("precision", precision(projection.precision)),
      ("ever_warning", chance(projection.everWarning)),
      ("ever_critical", chance(projection.everCritical)),
      ("year", projection.year.map(period) ?? .null),
      ("months", .array(projection.months.map(period))),
      (
        "figures",
        .array(
          projection.figures.map { figure in
            .object(
              [
                ("name", .string(figure.name)),
                ("unit", .string(figure.unit.measure(in: projection.measured.catalog.currency))),
              ]
                + estimate(figure.estimate) + reduction(figure.estimate))
          })
      ),
      ("days", .array(zip(projection.dates, projection.days).map(day))),
      (
        "year_spend_exceedance",
        .array(
          projection.exceedance.map { point in
            .object([("spend", number(point.spend)), ("share", number(point.share))])
          })
      ),
      (
        keys.events,
        .array(
          projection.events.map { events in
            .object([
              (keys.kind, .string(events.kind)), ("mean_by_month", numbers(events.means)),
            ])
          })
      ),
      (keys.heat, numbers(projection.heat)),
      ("retention", .array(projection.retention.map { .array($0.map(number)) })),
      (
        "highest",
        .array(
          projection.highest.map { replay in
            .object([
              ("replication", .number(String(replay.number))),
              ("seed", .number(String(replay.seed))),
              ("utilisation", replay.utilisation.map(number) ?? .null),
              ("drawn", .array(replay.drawn.map { .string($0) })),
            ])
          })
      ),
      ("expect", .array(expect.map { verdict(projection, $0) })),
      ("uncertainty", UncertaintyText.json(projection)),
      ("assumptions", AssumptionText.json(assumptions)),
    ]).rendered() + "\n"
  }

  private static func verdict(
    _ projection: Projection, _ verdict: ExpectationVerdict
  ) -> JSONText {
    var percentile = JSONText.null
    if case .percentile(let percent, _) = verdict.expectation.measure {
      percentile = .number(String(percent))
    }
    return .object([
      ("threshold", .string(verdict.expectation.text)), ("holds", .bool(verdict.holds)),
      ("percentile", percentile), ("is_worst", .bool(verdict.isWorst)),
      ("reached", verdict.reached.map(number) ?? .null),
      ("unit", .string(verdict.unit.measure(in: projection.measured.catalog.currency))),
      ("met", .number(String(verdict.met))),
    ])
  }

  /// Whether a figure of the tail rests on anything: a mean of the worst 1 % on one replication of a
  /// hundred at least.
  static func isShown(_ figure: EstimatedInterval, _ tail: TailRisk) -> Bool {
    figure == tail.valueAtRisk || TailRisk.isObserved(figure.count, beyond: tail.probability)
  }

  /// The heading of `replications.csv`, with its line end.
  ///
  /// - Parameter uncertain: Paths of the settings that are drawn; they stand last.
  package static func csvHeading(_ measured: MeasuredFigures, uncertain: [String] = []) -> String {
    CSVText.line(["replication", "seed", "fingerprint"] + measured.names + uncertain)
  }

  /// The row of a replication, with its line end: its number, its seed, every figure and what was
  /// drawn for it.
  package static func csvRow(_ replication: Replication) -> String {
    CSVText.line(
      ["\(replication.index)", "\(replication.seed)", replication.fingerprint]
        + replication.figures.map { $0.map { "\($0)" } ?? "" }
        + zip(replication.drawn.words, replication.drawn.numbers).map { $0 ?? "\($1)" })
  }

  private static func period(_ period: Projection.Period) -> JSONText {
    .object(
      [
        ("month", .string(period.label)),
        ("spend_cash", .object(estimate(period.spendCash))),
        ("spend_accrual", .object(estimate(period.spendAccrual))),
        ("budget", .object(estimate(period.budget))),
        ("utilisation", period.utilisation.map { .object(estimate($0)) } ?? .null),
        ("projected_mid_month", period.projected.map { .object(estimate($0)) } ?? .null),
        ("warning", chance(period.warning)), ("critical", chance(period.critical)),
      ]
        + period.tails.flatMap { tail -> [(String, JSONText)] in
          let level = String(Int((tail.probability * 100).rounded()))
          return interval("var_\(level)", tail.valueAtRisk)
            + (isShown(tail.expectedShortfall, tail)
              ? interval("cvar_\(level)", tail.expectedShortfall)
              : ["cvar_\(level)", "cvar_\(level)_low", "cvar_\(level)_high"].map { ($0, .null) })
        })
  }

  private static func day(_ date: String, _ day: Projection.Day) -> JSONText {
    .object([
      ("date", .string(date)), ("spend_percentiles", numbers(day.spend)),
      ("budget", number(day.budget)), ("projected_percentiles", numbers(day.projected)),
      ("projected_mean", day.projectedMean.map(number) ?? .null),
      ("warning", chance(day.warning)), ("critical", chance(day.critical)),
    ])
  }

  private static func estimate(_ estimate: Estimate) -> [(String, JSONText)] {
    [
      ("count", .number(String(estimate.count))), ("mean", number(estimate.mean)),
      ("half_width", estimate.halfWidth.map(number) ?? .null),
      ("standard_deviation", estimate.standardDeviation.map(number) ?? .null),
    ] + zip(Estimate.names, estimate.quantiles).flatMap(interval)
  }

  /// What made a figure's mean more precise.
  private static func reduction(_ estimate: Estimate) -> [(String, JSONText)] {
    let reduced = estimate.reduced
    let half = reduced?.plainHalfWidth ?? estimate.halfWidth
    return [
      ("plain_mean", number(estimate.plainMean)),
      ("plain_half_width", half.map(number) ?? .null),
      ("gain", reduced?.gain.map(number) ?? .null),
      ("controls_used", .bool(reduced?.usesControls ?? false)),
      ("controls_gain", reduced?.controlGain.map(number) ?? .null),
      ("controls_score", reduced?.worstScore.map(number) ?? .null),
      ("antithetic_gain", reduced?.pairGain.map(number) ?? .null),
    ]
  }

  private static func precision(_ goal: PrecisionGoal?) -> JSONText {
    guard let goal else { return .null }
    return .object([
      ("figure", .string(goal.figure.id)), ("wanted", number(goal.wanted)),
      ("reached", number(goal.reached)), ("is_reached", .bool(goal.isReached)),
    ])
  }

  private static func pairs(_ trial: PairTrial, of count: Int) -> JSONText {
    let numbers = trial.pairs.clamped(to: 0..<count)
    let members: [(String, JSONText)] = [
      ("verdict", .string(trial.verdict.rawValue)),
      ("from", .number(String(numbers.lowerBound))), ("to", .number(String(numbers.upperBound))),
      ("trial_figure", trial.figure.map { JSONText.string($0) } ?? .null),
      ("trial_gain", trial.gain.map { number($0.estimate) } ?? .null),
      ("trial_gain_low", trial.gain?.low.map(number) ?? .null),
      ("trial_gain_high", trial.gain?.high.map(number) ?? .null),
      ("hurt_figure", trial.hurt.map { JSONText.string($0.figure) } ?? .null),
      ("hurt_gain", trial.hurt.map { number($0.gain) } ?? .null),
    ]
    return .object(members)
  }

  private static func interval(
    _ name: String, _ interval: EstimatedInterval
  ) -> [(String, JSONText)] {
    [
      (name, number(interval.estimate)), ("\(name)_low", interval.low.map(number) ?? .null),
      ("\(name)_high", interval.high.map(number) ?? .null),
    ]
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
