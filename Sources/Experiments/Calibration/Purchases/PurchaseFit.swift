internal import Foundation
package import Population

/// A parameter as it was estimated.
package struct ParameterEstimate: Sendable, Equatable {
  /// As in `population.purchase`: r, alpha, a, b, s or beta.
  package var name: String
  /// Above 0.
  package var value: Double
  /// By the delta method from the curvature in the parameters' logarithms; nil when the
  /// log-likelihood has no proper maximum there.
  package var standardError: Double?
  /// Ends of the 95 % interval, by the profile likelihood; nil where there is no standard error, and
  /// where the purchases leave an end open.
  package var low: Double?
  package var high: Double?
}

/// How a search for the maximum ended.
package enum FitStatus: String, Sendable, CaseIterable {
  /// At a maximum: the gradient vanishes and the curvature is that of a peak.
  case converged
  /// A parameter ran to the edge of the range that is searched: the purchases do not tell it.
  case edge
  /// The log-likelihood is flat in some direction: only combinations of parameters are known.
  case flat
  /// The search ended before it reached a maximum, or where the likelihood cannot be computed all around.
  case notConverged = "not_converged"

  /// For people.
  package var explanation: String {
    switch self {
    case .converged: "converged"
    case .edge: "a parameter ran to the edge: these purchases do not determine it"
    case .flat: "flat: these purchases determine only combinations of the parameters"
    case .notConverged:
      "not converged: the search did not reach the maximum, so the log-likelihood is a lower bound"
    }
  }
}

/// A buy-till-you-die model fitted by maximum likelihood.
package struct PurchaseFit: Sendable, Equatable {
  package let law: PurchaseLaw
  /// r, alpha, a or s, b or beta.
  package let estimates: [ParameterEstimate]
  package let logLikelihood: Double
  /// −2·ln L + 4·ln(customers); lower is better. Source: Schwarz 1978, doi:10.1214/aos/1176344136.
  package let bic: Double
  package let status: FitStatus
  /// Covariance of the parameters' logarithms by the curvature at the maximum, row after row; nil
  /// where the purchases leave the parameters open.
  package let covariance: [Double]?
  /// How often the log-likelihood was evaluated.
  package let evaluations: Int

  /// The range of each parameter that is searched, as logarithms: from 10⁻⁵ to what a scenario
  /// allows.
  static func ranges(_ model: PurchaseModel) -> [ClosedRange<Double>] {
    let last = model == .paretoNbd ? 1e6 : 1e4
    return [1e4, 1e6, 1e4, last].map { log(1e-5)...log($0) }
  }

  /// Finds the maximum of the log-likelihood.
  ///
  /// Nelder and Mead's simplex in the parameters' logarithms from four starting points, then again
  /// from the best until it brings nothing more, at an edge nothing that matters. The maximum counts as found when a quadratic
  /// function with the curvature there would rise by less than 10⁻⁴ to its peak.
  ///
  /// - Parameter shape: Phases of a gap; 1 for Pareto.
  /// - Throws: `CalibrationError.tooFewCustomers`, `.noRepeats` or `.notEvaluable`.
  package init(
    _ model: PurchaseModel, _ summary: PurchaseSummary, shape: Int = 1
  ) throws(CalibrationError) {
    try summary.requireFittable()
    let likelihood = PurchaseLikelihood(model, summary, shape: shape)
    let ranges = Self.ranges(model)
    let cost: @Sendable ([Double]) -> Double = { logs in
      guard zip(ranges, logs).allSatisfy({ $0.contains($1) }) else { return .infinity }
      return -likelihood.logLikelihood(PurchaseLaw(model: model, logs: logs, shape: shape))
    }
    var best: Simplex.Outcome?
    var evaluations = 0
    for start in Self.starts(model, summary, shape: shape) {
      let outcome = Simplex.minimum(
        from: start, step: 0.7, size: 0.02, maximumSteps: 300, cost)
      evaluations += outcome?.evaluations ?? 0
      if let outcome, outcome.value < best?.value ?? .infinity { best = outcome }
    }
    guard var place = best, place.value < 1e299 else { throw .notEvaluable(model) }
    for _ in 0..<8 {
      let again = Simplex.minimum(
        from: place.point, step: 0.1, size: 1e-6, maximumSteps: 1_500, cost)
      guard let again else { break }
      evaluations += again.evaluations
      let gain = place.value - again.value
      if gain > 0 { place = again }
      if gain < (Self.isAtEdge(place.point, model) ? Self.closeEnough : 1e-8) { break }
    }
    self.init(
      model, shape: shape, place: place, curvature: Curvature(at: place.point, cost),
      evaluations: evaluations, customers: summary.customers, cost)
  }

  private init(
    _ model: PurchaseModel, shape: Int, place: Simplex.Outcome, curvature: Curvature,
    evaluations: Int, customers: Int, _ cost: @escaping @Sendable ([Double]) -> Double
  ) {
    law = PurchaseLaw(model: model, logs: place.point, shape: shape)
    logLikelihood = -place.value
    bic = 2 * place.value + Double(place.point.count) * log(Double(customers))
    let inverse = curvature.inverse()
    let isAtEdge = Self.isAtEdge(place.point, model)
    status = isAtEdge ? .edge : curvature.status(inverse, within: Self.closeEnough)
    var sum = evaluations + 2 * place.point.count * place.point.count + 1
    let errors = isAtEdge ? nil : inverse
    covariance = errors
    let profile = errors.map {
      ProfileLikelihood(
        peak: place.point, least: place.value, covariance: $0, ranges: Self.ranges(model),
        cost: cost)
    }
    var found: [ParameterEstimate] = []
    for (index, name) in PurchaseLaw.names(model).enumerated() {
      let value = law.values[index]
      let error = errors.map { $0[index * place.point.count + index].squareRoot() * value }
      let ends = profile?.interval(of: index)
      sum += ends?.evaluations ?? 0
      found.append(
        ParameterEstimate(
          name: name, value: value, standardError: error, low: ends?.low.map { exp($0) },
          high: ends?.high.map { exp($0) }))
    }
    estimates = found
    self.evaluations = sum
  }

  /// By how much the log-likelihood may be below its maximum.
  private static let closeEnough = 1e-4

  private static func isAtEdge(_ point: [Double], _ model: PurchaseModel) -> Bool {
    zip(ranges(model), point).contains { range, log in
      log < range.lowerBound + 0.5 || log > range.upperBound - 0.5
    }
  }

  /// Logarithms of parameters around what a quick look at the purchases suggests: rates of the
  /// right size for slow and quick leavers, for customers who are much or little alike.
  private static func starts(
    _ model: PurchaseModel, _ summary: PurchaseSummary, shape: Int
  ) -> [[Double]] {
    var weeks = 0.0
    for row in summary.rows { weeks += row.spanWeeks * Double(row.customers) }
    let weekly = Double(summary.repeats) / max(weeks, 1)
    let span = max(weeks / Double(summary.customers), 0.1)
    // Shape of the rates, factor on the crude rate, and shape and mean of dropout: a probability a
    // purchase, or a lifetime in spans.
    let guesses = [(0.5, 2.0, 0.7, 0.3), (1.5, 1.3, 0.5, 0.05), (0.3, 4, 1, 0.5), (3, 1, 3, 0.1)]
    return guesses.map { rates, factor, spread, leaving in
      let alpha = rates / (weekly * factor * Double(shape))
      let pair =
        model == .paretoNbd
        ? [spread, spread * span * (0.3 / leaving)] : [spread, spread * (1 - leaving) / leaving]
      return ([rates, alpha] + pair).map { min(max(log($0), -8), 10) }
    }
  }
}
