internal import CGSL
package import EventKernel

/// A mean made more precise by controls: figures of the same replications whose expectation is
/// known, such as the number of accepted scans.
///
/// The output is regressed on the controls' distance from their expectations; the intercept is the
/// adjusted mean, with Student's t interval at n − q − 1 degrees of freedom for q controls. Exact
/// when output and controls are jointly normal, else in the limit. Least squares by
/// `gsl_multifit_linear`. Source: Lavenberg and Welch 1981, doi:10.1287/mnsc.27.3.322
package struct ControlVariate: Equatable, Sendable {
  /// A control: its values, one a replication, and its known expectation, in the same unit.
  package struct Control: Equatable, Sendable {
    package let name: String
    package let values: [Double]
    package let expectation: Double

    /// A control; `values` has one entry a replication.
    package init(name: String, values: [Double], expectation: Double) {
      self.name = name
      self.values = values
      self.expectation = expectation
    }
  }

  /// Interval of the plain mean, without controls.
  package let plain: ConfidenceInterval
  /// Interval of the adjusted mean.
  package let adjusted: EstimatedInterval
  /// One coefficient a control: output units per unit of the control.
  package let coefficients: [Double]
  /// How far each control's mean lies from its expectation, in standard errors. Beyond about 4 the
  /// expectation is more likely wrong than the sample unlucky, and the adjustment misleads.
  package let expectationScores: [Double]
  /// Squared ratio of the half-widths, plain over adjusted: how many times as many replications
  /// the plain mean would need. Nil when the adjusted mean has no spread left.
  package let gain: Double?

  /// - Parameters:
  ///   - output: One value a replication.
  ///   - controls: At least one; fewer than replications − 2.
  ///   - level: Coverage, above 0 and below 1.
  /// - Throws: `StatisticsError.lengths`, `.count`, `.noVariation` for a control that is constant,
  ///   `.collinearControls`, or `.estimator`.
  /// - Complexity: O(n q²).
  package init(
    output: [Double], controls: [Control], level: Double = 0.95
  ) throws(StatisticsError) {
    try Self.check(output: output, controls: controls)
    let fit = try Self.regress(output: output, controls: controls)
    let tally = try Self.tally(output)
    plain = try StatisticsError.estimating { () throws(EstimatorError) in
      try tally.interval(level: level)
    }
    let degrees = output.count - controls.count - 1
    let factor = try StatisticsError.estimating { () throws(EstimatorError) in
      try ConfidenceInterval.studentQuantile(level: level, degreesOfFreedom: Double(degrees))
    }
    let half = factor * fit.interceptVariance.squareRoot()
    adjusted = EstimatedInterval(
      estimate: fit.intercept, low: fit.intercept - half, high: fit.intercept + half,
      level: level, count: output.count)
    coefficients = fit.coefficients
    expectationScores = fit.scores
    // A half-width below the rounding errors of a least-squares fit is none.
    let ratio = half / plain.halfWidth
    gain = ratio > 1e-12 ? 1 / (ratio * ratio) : nil
  }

  /// True when the adjusted interval is the narrower one.
  package var helps: Bool { gain.map { $0 > 1 } ?? (plain.halfWidth > 0) }

  private static func check(
    output: [Double], controls: [Control]
  ) throws(StatisticsError) {
    guard !controls.isEmpty else {
      throw .count(name: "controls", count: 0, allowed: 1...max(1, output.count - 3))
    }
    guard output.count >= controls.count + 3 else {
      throw .estimator(.tooFew(count: output.count, needed: controls.count + 3))
    }
    try StatisticsError.requireFinite(output)
    for control in controls {
      guard control.values.count == output.count else {
        throw .lengths(name: control.name, count: control.values.count, needed: output.count)
      }
      try StatisticsError.requireFinite(control.values)
      try StatisticsError.requireFinite([control.expectation])
    }
  }

  private static func tally(_ values: [Double]) throws(StatisticsError) -> Tally {
    try StatisticsError.estimating { () throws(EstimatorError) in
      var tally = Tally()
      for value in values { try tally.add(value) }
      return tally
    }
  }

  private struct Fit {
    var intercept: Double
    var interceptVariance: Double
    var coefficients: [Double]
    var scores: [Double]
  }

  /// Least squares of the output on the controls, each in standard deviations from its
  /// expectation so that the condition number speaks of collinearity and not of units.
  private static func regress(
    output: [Double], controls: [Control]
  ) throws(StatisticsError) -> Fit {
    GSLRuntime.prepare()
    let rows = output.count
    let columns = controls.count + 1
    let matrix = gsl_matrix_alloc(rows, columns)
    let right = gsl_vector_alloc(rows)
    let solution = gsl_vector_alloc(columns)
    let covariance = gsl_matrix_alloc(columns, columns)
    let workspace = gsl_multifit_linear_alloc(rows, columns)
    defer {
      gsl_matrix_free(matrix)
      gsl_vector_free(right)
      gsl_vector_free(solution)
      gsl_matrix_free(covariance)
      gsl_multifit_linear_free(workspace)
    }
    var scales: [Double] = []
    var scores: [Double] = []
    for (row, value) in output.enumerated() {
      gsl_vector_set(right, row, value)
      gsl_matrix_set(matrix, row, 0, 1)
    }
    for (index, control) in controls.enumerated() {
      let tally = try tally(control.values)
      guard let scale = tally.standardDeviation, let mean = tally.mean, scale > 0 else {
        throw .noVariation(name: control.name)
      }
      scales.append(scale)
      scores.append((mean - control.expectation) / scale * Double(rows).squareRoot())
      for (row, value) in control.values.enumerated() {
        gsl_matrix_set(matrix, row, index + 1, (value - control.expectation) / scale)
      }
    }
    var squares = 0.0
    let status = gsl_multifit_linear(matrix, right, solution, covariance, &squares, workspace)
    guard Int(status) == Int(GSL_SUCCESS) else {
      throw .estimator(.gsl(function: "gsl_multifit_linear"))
    }
    guard gsl_multifit_linear_rcond(workspace) > 1e-10 else { throw .collinearControls }
    return Fit(
      intercept: gsl_vector_get(solution, 0), interceptVariance: gsl_matrix_get(covariance, 0, 0),
      coefficients: scales.indices.map { gsl_vector_get(solution, $0 + 1) / scales[$0] },
      scores: scores)
  }
}
