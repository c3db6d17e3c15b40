internal import CGSL
internal import EventKernel
internal import Foundation
internal import Population

/// Parameters of a fitted model as the purchases leave them uncertain.
///
/// For many customers the logarithms of the parameters are about normal around the maximum, with the
/// inverse curvature there as their covariance (Cox and Hinkley 1974, *Theoretical Statistics*, §9.2),
/// whatever was believed before (Bernstein and von Mises). The parameters depend on each other
/// strongly: draw them together.
package struct ParameterDraws: Sendable, Equatable {
  /// Draws that are made.
  package static let count = 1_000

  /// Names of the parameters, as in `PurchaseFit.estimates`.
  package let names: [String]
  /// `count` lists of parameters, each above 0 and within what a scenario allows.
  package let rows: [[Double]]

  /// - Parameter seed: Of the draws.
  /// - Returns: Nil where the purchases leave the parameters open.
  /// - Complexity: O(`count`).
  package init?(_ fit: PurchaseFit, seed: UInt64 = 1) {
    guard let covariance = fit.covariance, fit.status == .converged else { return nil }
    GSLRuntime.prepare()
    let size = fit.estimates.count
    guard covariance.count == size * size, let matrix = gsl_matrix_alloc(size, size) else {
      return nil
    }
    defer { gsl_matrix_free(matrix) }
    for place in covariance.indices {
      gsl_matrix_set(matrix, place / size, place % size, covariance[place])
    }
    guard gsl_linalg_cholesky_decomp1(matrix) == Int32(GSL_SUCCESS) else { return nil }
    names = fit.estimates.map(\.name)
    let middle = fit.estimates.map { log($0.value) }
    let ranges = PurchaseFit.ranges(fit.law.model)
    rows = (0..<Self.count).map { place in
      var stream = RandomStream(
        seed: seed, purpose: ExperimentPurpose.parameters.rawValue, entity: UInt64(place))
      let scores = (0..<size).map { _ in stream.normal() }
      return (0..<size).map { row in
        let shift = (0...row).reduce(0) { $0 + gsl_matrix_get(matrix, row, $1) * scores[$1] }
        return exp(min(max(middle[row] + shift, ranges[row].lowerBound), ranges[row].upperBound))
      }
    }
  }
}
