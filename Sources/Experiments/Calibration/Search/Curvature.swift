internal import CGSL
internal import EventKernel

/// The gradient and the Hessian matrix of a function at a point, by central differences.
///
/// GSL has no Hessian. With steps of 10⁻³ in the logarithm of a parameter the truncation error is
/// about 10⁻⁶ of an entry, and that of rounding below 10⁻⁵ for log-likelihoods around 10⁴.
package struct Curvature: Sendable {
  /// By variable.
  package let gradient: [Double]
  /// Row after row.
  package let hessian: [Double]

  /// The gradient and the Hessian matrix of a function at a point.
  ///
  /// - Complexity: 2·n² + 1 evaluations of the function of n variables.
  package init(at point: [Double], step: Double = 1e-3, _ function: ([Double]) -> Double) {
    let count = point.count
    func value(_ moves: (Int, Double)...) -> Double {
      var moved = point
      for (index, move) in moves { moved[index] += move }
      return function(moved)
    }
    let middle = value()
    var gradient = [Double](repeating: 0, count: count)
    var hessian = [Double](repeating: 0, count: count * count)
    for i in 0..<count {
      let (up, down) = (value((i, step)), value((i, -step)))
      gradient[i] = (up - down) / (2 * step)
      hessian[i * count + i] = (up - 2 * middle + down) / (step * step)
      for j in 0..<i {
        let along = value((i, step), (j, step)) + value((i, -step), (j, -step))
        let across = value((i, step), (j, -step)) + value((i, -step), (j, step))
        hessian[i * count + j] = (along - across) / (4 * step * step)
        hessian[j * count + i] = hessian[i * count + j]
      }
    }
    self.gradient = gradient
    self.hessian = hessian
  }

  /// The inverse of the Hessian matrix, row after row, by Cholesky's decomposition.
  ///
  /// - Returns: Nil unless the matrix is positive definite.
  package func inverse() -> [Double]? {
    GSLRuntime.prepare()
    let count = gradient.count
    guard hessian.allSatisfy(\.isFinite), let matrix = gsl_matrix_alloc(count, count) else {
      return nil
    }
    defer { gsl_matrix_free(matrix) }
    for i in 0..<count {
      for j in 0..<count { gsl_matrix_set(matrix, i, j, hessian[i * count + j]) }
    }
    guard gsl_linalg_cholesky_decomp1(matrix) == Int32(GSL_SUCCESS),
      gsl_linalg_cholesky_invert(matrix) == Int32(GSL_SUCCESS)
    else { return nil }
    let inverse = (0..<count * count).map { gsl_matrix_get(matrix, $0 / count, $0 % count) }
    return inverse.allSatisfy(\.isFinite) ? inverse : nil
  }

  /// gᵀ·H⁻¹·g ÷ 2: how much lower a quadratic function with this curvature gets.
  func expectedDecrease(_ inverse: [Double]) -> Double {
    let count = gradient.count
    var sum = 0.0
    for i in 0..<count {
      for j in 0..<count { sum += gradient[i] * inverse[i * count + j] * gradient[j] }
    }
    return sum / 2
  }

  /// How a search for the least value ended here, away from the edges of what is searched.
  ///
  /// - Parameters:
  ///   - inverse: Of the Hessian matrix; nil where there is none.
  ///   - decrease: How much lower the least value may be.
  package func status(_ inverse: [Double]?, within decrease: Double) -> FitStatus {
    if let inverse { return expectedDecrease(inverse) < decrease ? .converged : .notConverged }
    // Flat ground is level and known; a slope, or what could not be computed, is no end of a search.
    let isKnown = hessian.allSatisfy(\.isFinite)
    return isKnown && gradient.allSatisfy { abs($0) < 0.01 } ? .flat : .notConverged
  }
}
