package import Population
package import Quantities

/// Everything that a calibration found: the purchases as they were, and each model fitted to them.
package struct CalibrationReport: Sendable, Equatable {
  package let sample: CalibrationSample
  /// The dates 7, 14, … days after the first purchase of all, up to the end of the holdout or of
  /// calibration. A week's purchases are those up to and on its date.
  package let weeks: [CivilDate]
  /// Cumulative repeat purchases at these dates.
  package let weekly: [Int]
  /// Customers by repeat purchases in the calibration period, in `FittedModel.bins` bins.
  package let histogram: [Int]
  /// In the order in which they were asked for; at least one.
  package let models: [FittedModel]
  /// Why models that were asked for are not among these, a sentence each, with a full stop.
  package let leftOut: [String]

  /// Fits a model to a sample: with the days of the weeks' ends from the first, and phases of a gap.
  package typealias Fitting = (
    PurchaseModel, CalibrationSample, [Int], Int
  ) throws(CalibrationError) -> FittedModel

  /// Fits models to a sample. A model whose likelihood cannot be computed is left out.
  ///
  /// - Parameters:
  ///   - sample: The purchases.
  ///   - models: At least one.
  ///   - shape: Phases of a gap of BG and MBG; Pareto has one.
  ///   - fit: How; tests have other ways.
  /// - Throws: `CalibrationError.notEvaluable` of the first model where all are left out.
  package init(
    _ sample: CalibrationSample, models: [PurchaseModel] = PurchaseModel.allCases, shape: Int = 1,
    fit: Fitting = { (model, sample, weekEnds, shape) throws(CalibrationError) in
      try FittedModel(model, sample, weekEnds: weekEnds, shape: shape)
    }
  ) throws(CalibrationError) {
    precondition(!models.isEmpty, "a calibration fits at least one model")
    self.sample = sample
    let days = Array(stride(from: 7, to: sample.dailyRepeats.count, by: 7))
    weeks = days.map { sample.first.adding(days: $0) }
    var sums: [Int] = []
    var sum = 0
    for (day, repeats) in sample.dailyRepeats.enumerated() {
      sum += repeats
      if day > 0, day.isMultiple(of: 7) { sums.append(sum) }
    }
    weekly = sums
    histogram = sample.summary.histogram(bins: FittedModel.bins)
    var fitted: [FittedModel] = []
    var leftOut: [String] = []
    var failure: CalibrationError?
    for model in models {
      let own = model == .paretoNbd ? 1 : shape
      do throws(CalibrationError) {
        fitted.append(try fit(model, sample, days, own))
      } catch {
        guard case .notEvaluable = error else { throw error }
        failure = failure ?? error
        leftOut.append(
          "Left out: \(PurchaseBlock.name(model, shape: own)), as its likelihood cannot be computed on "
            + "these purchases.")
      }
    }
    if let failure, fitted.isEmpty { throw failure }
    self.models = fitted
    self.leftOut = leftOut
  }

  /// The model that is recommended, of those that fit to base a program on: with a holdout the one
  /// that forecasts it best, else the likeliest one.
  ///
  /// BG/NBD counts everybody without a repeat purchase as a customer forever, so that liability
  /// and breakage must not rest on it: it is chosen only when nothing else was fitted.
  package var chosen: FittedModel {
    let ranked = candidates.compactMap { model in holdoutError(model).map { (model, abs($0)) } }
    guard ranked.count == candidates.count, let first = ranked.first else { return likeliest }
    return ranked.reduce(first) { $1.1 < $0.1 ? $1 : $0 }.0
  }

  /// The model with the highest log-likelihood of the same. All models have four parameters, so that
  /// the order by BIC is the same.
  package var likeliest: FittedModel {
    candidates.reduce(candidates[0]) { $1.fit.logLikelihood > $0.fit.logLikelihood ? $1 : $0 }
  }

  /// Models that fit to base a program on.
  package var candidates: [FittedModel] {
    let others = models.filter { $0.fit.law.model != .bgNbd }
    return others.isEmpty ? models : others
  }

  /// By how much a model forecasts too many purchases of the holdout, given each customer's own, as a
  /// share of those that were made; nil without a holdout, and where it had none.
  package func holdoutError(_ model: FittedModel) -> Double? {
    let actual = sample.summary.holdoutRepeats
    guard sample.holdoutEnd != nil, actual > 0, model.holdoutGivenHistory.isFinite else {
      return nil
    }
    return model.holdoutGivenHistory / Double(actual) - 1
  }

  /// The figures of one model; nil when it was not fitted.
  package func model(_ model: PurchaseModel) -> FittedModel? {
    models.first { $0.fit.law.model == model }
  }
}
