// Goal: a second opinion on means that controls and pairs make more precise.
// Method: least squares over all values at hand, by `gsl_multifit_linear`.
import CGSL
import EventKernel
import Experiments
import Testing

/// The intercept of y on columns x, with the half-width of its 95 % interval by Student's t.
func leastSquares(_ y: [Double], _ x: [[Double]]) throws -> (intercept: Double, half: Double) {
  GSLRuntime.prepare()
  let columns = x.count + 1
  let matrix = gsl_matrix_alloc(y.count, columns)
  let right = gsl_vector_alloc(y.count)
  let solution = gsl_vector_alloc(columns)
  let covariance = gsl_matrix_alloc(columns, columns)
  let workspace = gsl_multifit_linear_alloc(y.count, columns)
  defer {
    gsl_matrix_free(matrix)
    gsl_vector_free(right)
    gsl_vector_free(solution)
    gsl_matrix_free(covariance)
    gsl_multifit_linear_free(workspace)
  }
  for row in y.indices {
    gsl_vector_set(right, row, y[row])
    gsl_matrix_set(matrix, row, 0, 1)
    for (column, values) in x.enumerated() { gsl_matrix_set(matrix, row, column + 1, values[row]) }
  }
  var squares = 0.0
  let status = gsl_multifit_linear(matrix, right, solution, covariance, &squares, workspace)
  #expect(status == Int32(GSL_SUCCESS))
  let student = try ConfidenceInterval.studentQuantile(
    level: 0.95, degreesOfFreedom: Double(y.count - columns))
  return (gsl_vector_get(solution, 0), student * gsl_matrix_get(covariance, 0, 0).squareRoot())
}

extension ReducedMean {
  /// The mean of values that are at hand.
  ///
  /// - Parameters:
  ///   - values: One a replication, in their order.
  ///   - controls: As many values a control, each of expectation 0.
  ///   - pairs: Numbers of the replications that ran in pairs, from an even one.
  /// - Returns: Nil for fewer than two observations, or a value that is not finite.
  init?(_ values: [Double], controls: [[Double]], pairs: Range<Int>) {
    guard values.allSatisfy(\.isFinite) else { return nil }
    var sums = ReductionSums()
    for (number, value) in values.enumerated() {
      sums.add(
        value, controls: controls.map { $0[number] },
        joins: pairs.contains(number) && !number.isMultiple(of: 2))
    }
    guard let mean = sums.mean else { return nil }
    self = mean
  }
}
