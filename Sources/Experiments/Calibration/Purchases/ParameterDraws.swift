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

  /// Draws of a fit of purchases.
  ///
  /// - Parameter seed: Of the draws.
  /// - Returns: Nil where the purchases leave the parameters open.
  /// - Complexity: O(`count`).
  package init?(_ fit: PurchaseFit, seed: UInt64 = 1) {
    guard let covariance = fit.covariance, fit.status == .converged else { return nil }
    self.init(
      fit.estimates, covariance: covariance, ranges: PurchaseFit.ranges(fit.law.model), seed: seed)
  }

  /// Draws of a Bass curve.
  ///
  /// - Parameter seed: Of the draws.
  /// - Returns: Nil where the sign-ups leave the parameters open.
  /// - Complexity: O(`count`).
  package init?(_ fit: BassFit, signUps: Int, seed: UInt64 = 1) {
    guard let covariance = fit.covariance, fit.status == .converged else { return nil }
    // A market holds those who have signed up.
    self.init(
      fit.estimates, covariance: covariance,
      ranges: Array(BassFit.ranges(Double(signUps)).prefix(2)) + [
        log(Double(signUps))...log(1e10)
      ], seed: seed, first: 1 << 32)
  }

  /// - Parameters:
  ///   - covariance: Of the logarithms, row after row.
  ///   - ranges: Of the logarithms.
  ///   - first: Number of the first stream, so that no two fits draw alike.
  private init?(
    _ estimates: [ParameterEstimate], covariance: [Double], ranges: [ClosedRange<Double>],
    seed: UInt64, first: UInt64 = 0
  ) {
    GSLRuntime.prepare()
    let size = estimates.count
    guard covariance.count == size * size, let matrix = gsl_matrix_alloc(size, size) else {
      return nil
    }
    defer { gsl_matrix_free(matrix) }
    for place in covariance.indices {
      gsl_matrix_set(matrix, place / size, place % size, covariance[place])
    }
    guard gsl_linalg_cholesky_decomp1(matrix) == Int32(GSL_SUCCESS) else { return nil }
    names = estimates.map(\.name)
    let middle = estimates.map { log($0.value) }
    rows = (0..<Self.count).map { place in
      var stream = RandomStream(
        seed: seed, purpose: ExperimentPurpose.parameters.rawValue, entity: first + UInt64(place))
      let scores = (0..<size).map { _ in stream.normal() }
      return (0..<size).map { row in
        let shift = (0...row).reduce(0) { $0 + gsl_matrix_get(matrix, row, $1) * scores[$1] }
        return exp(min(max(middle[row] + shift, ranges[row].lowerBound), ranges[row].upperBound))
      }
    }
  }
}
