internal import Documents
internal import Experiments
internal import Population
internal import RewardModel

/// What a calibration found besides purchases, as keys of its JSON document.
struct BehaviourJSON {
  private let calibration: Calibration

  init(_ calibration: Calibration) { self.calibration = calibration }

  /// Keys of the document; what the history does not tell is null.
  func members() -> [(String, JSONText)] {
    [
      ("adoption", adoption()), ("amount", amounts()), ("used", uses()), ("season", season()),
      ("months", months()), ("referral", referral()), ("levels", levels()),
      ("data_quality", .array(calibration.contradictions.map(Self.finding))),
      ("untold", .array(calibration.untold.map { .string($0) })),
      (
        "contained",
        .array(
          calibration.contained.map {
            .object([
              ("setting", .string($0.path)), ("value", .string($0.value)),
              ("reason", .string($0.reason)),
            ])
          })
      ),
    ]
  }

  private static func finding(_ finding: HistoryFinding) -> JSONText {
    .object([
      ("fault", .string(finding.fault.rawValue)), ("event", .string(finding.event)),
      ("rows", .integer(finding.count)), ("first_line", .integer(finding.line)),
    ])
  }

  private static func integer(_ value: Int) -> JSONText { .number("\(value)") }

  private static func number(_ value: Double?) -> JSONText {
    guard let value, value.isFinite else { return .null }
    return .number("\(value)")
  }

  private static func interval(_ interval: EstimatedInterval) -> JSONText {
    .object([
      ("value", number(interval.estimate)), ("low", number(interval.low)),
      ("high", number(interval.high)),
    ])
  }

  private static func test(_ test: GoodnessOfFit?) -> [(String, JSONText)] {
    [
      ("chi_squared", number(test?.chiSquared)),
      ("degrees_of_freedom", test.map { integer($0.degreesOfFreedom) } ?? .null),
      ("p_value", number(test?.pValue)),
    ]
  }

  private static func integers(_ values: [Int]) -> JSONText { .array(values.map(integer)) }
  private static func numbers(_ values: [Double]) -> JSONText { .array(values.map { number($0) }) }

  private func adoption() -> JSONText {
    let fit = calibration.adoption
    var bass = JSONText.null
    if let curve = fit.bass {
      let parameters = curve.estimates.map { estimate -> (String, JSONText) in
        let fields: [(String, JSONText)] = [
          ("value", Self.number(estimate.value)),
          ("standard_error", Self.number(estimate.standardError)),
          ("low", Self.number(estimate.low)), ("high", Self.number(estimate.high)),
        ]
        return (estimate.name, .object(fields))
      }
      bass = .object([
        ("status", .string(curve.status.rawValue)),
        ("log_likelihood", Self.number(curve.logLikelihood)),
        ("distance", Self.number(curve.distance)), ("parameters", .object(parameters)),
      ])
    }
    return .object([
      ("model", .string(fit.model.rawValue)),
      ("reason", fit.reason.map { .string($0) } ?? .null), ("sign_ups", Self.integer(fit.signUps)),
      ("bass", bass),
      (
        "months",
        .array(
          fit.months.map {
            .object([
              ("month", .string($0.label)), ("days", Self.integer($0.days)),
              ("sign_ups", Self.integer($0.signUps)), ("expected", Self.number($0.expected)),
            ])
          })
      ),
    ])
  }

  private func amounts() -> JSONText {
    guard let fit = calibration.amounts else { return .null }
    return .object(
      [
        ("mean", Self.interval(fit.mean)), ("standard_error", Self.number(fit.standardError)),
        ("purchases", Self.integer(fit.purchases)), ("members", Self.integer(fit.members)),
        ("dispersion", Self.number(fit.dispersion)), ("counts", Self.integers(fit.counts)),
        ("expected", Self.numbers(fit.expected)),
      ] + Self.test(fit.test))
  }

  private func uses() -> JSONText {
    guard let fit = calibration.uses else { return .null }
    return .object([
      ("bought", Self.integer(fit.bought)), ("used", Self.integer(fit.used)),
      ("share_so_far", Self.interval(fit.soFar)), ("completeness", Self.number(fit.completeness)),
      ("objection", fit.objection.map { .string($0) } ?? .null),
      ("share", Self.interval(fit.share)), ("standard_error", Self.number(fit.standardError)),
      ("bin_days", Self.integer(fit.binDays)), ("counts", Self.integers(fit.counts)),
      ("simulated_shares", Self.numbers(fit.simulated)),
      ("median_days", Self.number(fit.days.half)), ("p90_days", Self.number(fit.days.most)),
      ("simulated_median_days", Self.number(fit.simulatedDays?.half)),
      ("simulated_p90_days", Self.number(fit.simulatedDays?.most)),
      ("mean_days", Self.number(fit.span.days)),
      ("used_over", fit.span.estimate.map(Self.interval) ?? .null),
    ])
  }

  private func season() -> JSONText {
    guard let fit = calibration.season else { return .null }
    return .object(
      [
        ("hours", .array(fit.hours.map(Self.interval))),
        ("weekdays", .array(fit.weekdays.map(Self.interval))),
        ("purchases", .array(fit.grid.map(Self.integers))),
        ("weekday_purchases", Self.integers(fit.weekdayCounts)),
        ("weekday_days", Self.integers(fit.weekdayDays)),
      ] + Self.test(fit.test))
  }

  private func months() -> JSONText {
    guard let fit = calibration.months else { return .null }
    return .object([
      ("weights", .array(fit.weights.map(Self.interval))), ("actual", Self.integers(fit.actual)),
      ("expected", Self.numbers(fit.expected)),
    ])
  }

  private func referral() -> JSONText {
    guard let fit = calibration.referral else { return .null }
    return .object([
      ("members", Self.integer(fit.signUps)), ("referred", Self.interval(fit.referred)),
      ("have_brought", Self.interval(fit.seen)), ("refer", Self.interval(fit.refers)),
      ("counts", Self.integers(fit.counts)), ("expected", Self.numbers(fit.expected)),
    ])
  }

  private func levels() -> JSONText {
    guard let fit = calibration.levels else { return .null }
    return .array(
      fit.rows.map { row in
        .object([
          ("period", .string(row.period)), ("level", .string(row.level)),
          ("members", .number("\(row.members)")), ("share", Self.interval(row.share)),
          ("simulated", Self.number(row.simulated)),
        ])
      })
  }
}
