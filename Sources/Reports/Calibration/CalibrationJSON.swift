internal import Documents
package import Experiments
internal import Population
internal import Quantities
internal import RewardModel
internal import Scenario

/// A calibration as JSON.
package enum CalibrationJSON {
  /// Version of the document. Later versions only append keys.
  package static let schemaVersion = 1

  /// Every figure, ending with a line feed. Keys keep their order; what could not be computed is
  /// null. `holdout_groups` and the histograms count 7 and more repeat purchases together.
  ///
  /// - Parameters:
  ///   - report: What the calibration found.
  ///   - source: Name of the history.
  ///   - whole: What the history tells besides purchases.
  package static func text(
    _ report: CalibrationReport, source: String, whole: Calibration? = nil
  ) -> String {
    let sample = report.sample
    let members: [(String, JSONText)] = [
      ("schema_version", integer(schemaVersion)), ("history", .string(source)),
      ("zone", .string(sample.zone)), ("first_purchase", .string(sample.first.description)),
      ("until", .string(sample.until.description)),
      ("holdout_until", sample.holdoutEnd.map { .string($0.description) } ?? .null),
      ("holdout_weeks", number(sample.holdoutWeeks)),
      ("customers", integer(sample.summary.customers)),
      ("repeat_purchases", integer(sample.summary.repeats)),
      ("holdout_repeat_purchases", integer(sample.summary.holdoutRepeats)),
      ("later_customers", integer(sample.laterCustomers)),
      ("members_without_purchase", integer(sample.withoutPurchase)),
      ("histogram_actual", .array(report.histogram.map(integer))),
      ("weeks", .array(report.weeks.map { .string($0.description) })),
      ("weekly_actual", .array(report.weekly.map(integer))),
      ("models", .array(report.models.map(model))),
      ("chosen", .string(report.chosen.fit.law.model.rawValue)),
      (
        "purchase_yaml",
        .string(PurchaseBlock.yaml(report, report.chosen, contained: whole?.contained ?? []))
      ),
      ("dates_only", .bool(sample.isOfDates)),
      ("left_out", .array(report.leftOut.map { .string($0) })),
    ]
    return JSONText.object(members + (whole.map { BehaviourJSON($0).members() } ?? [])).rendered()
      + "\n"
  }

  private static func model(_ model: FittedModel) -> JSONText {
    let fit = model.fit
    let parameters = fit.estimates.map { estimate -> (String, JSONText) in
      let fields: [(String, JSONText)] = [
        ("value", number(estimate.value)), ("standard_error", number(estimate.standardError)),
        ("low", number(estimate.low)), ("high", number(estimate.high)),
      ]
      return (estimate.name, .object(fields))
    }
    let groups = model.groups.map { group in
      JSONText.object([
        ("repeats", integer(group.repeats)), ("customers", integer(group.customers)),
        ("actual", number(group.actual)), ("expected", number(group.expected)),
      ])
    }
    return .object([
      ("model", .string(fit.law.model.rawValue)), ("status", .string(fit.status.rawValue)),
      ("log_likelihood", number(fit.logLikelihood)), ("bic", number(fit.bic)),
      ("hidden_purchases", number(model.hidden)), ("erlang", integer(fit.law.shape)),
      ("evaluations", integer(fit.evaluations)), ("parameters", .object(parameters)),
      ("histogram_expected", .array(model.histogram.map { number($0) })),
      ("chi_squared", number(model.chiSquared)),
      ("degrees_of_freedom", integer(model.degreesOfFreedom)), ("p_value", number(model.pValue)),
      ("weekly_expected", .array(model.weekly.map { number($0) })),
      ("repeat_purchases_expected", number(model.calibrationRepeats)),
      ("holdout_repeat_purchases_expected", number(model.holdoutRepeats)),
      ("holdout_repeat_purchases_expected_given_history", number(model.holdoutGivenHistory)),
      ("holdout_groups", .array(groups)), ("customers_alive_expected", number(model.alive)),
    ])
  }

  private static func integer(_ value: Int) -> JSONText { .number("\(value)") }

  private static func number(_ value: Double?) -> JSONText {
    guard let value, value.isFinite else { return .null }
    return .number("\(value)")
  }
}
