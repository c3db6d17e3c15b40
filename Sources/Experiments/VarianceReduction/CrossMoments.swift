internal import CGSL
internal import EventKernel
internal import Quantities

/// Sums of products of observations (1, y, x₁, …, x_q): a figure and its controls. Regressions and
/// sums of squared residuals follow from them, in memory that does not grow with observations.
///
/// The caller takes an origin off y and off each control that is near their values, so that no sum
/// loses its digits.
struct CrossMoments: Sendable, Equatable {
  /// Controls.
  let controls: Int
  /// Observations.
  private(set) var count = 0
  /// The upper triangle, row by row.
  private var sums: [Double]

  init(controls: Int) {
    self.controls = controls
    sums = Array(repeating: 0, count: (controls + 2) * (controls + 3) / 2)
  }

  /// The sum of the products of two of (1, y, x₁, …, x_q), by their places.
  subscript(row: Int, column: Int) -> Double {
    let (low, high) = (min(row, column), max(row, column))
    return sums[low * (controls + 2) - low * (low - 1) / 2 + high - low]
  }

  /// Adds (1, y, x₁, …, x_q).
  ///
  /// - Parameter values: y, x₁, …, x_q: one more than there are controls.
  mutating func add(_ values: [Double]) {
    invariant(
      values.count == controls + 1,
      "\(values.count) values of a figure and \(controls) controls")
    count += 1
    sums[0] += 1
    for (row, value) in values.enumerated() { sums[row + 1] += value }
    var place = values.count + 1
    for row in values.indices {
      for column in row..<values.count {
        sums[place] += values[row] * values[column]
        place += 1
      }
    }
  }

  /// The sum of both, the other's observations with a weight.
  func adding(_ other: CrossMoments, weight: Double) -> CrossMoments {
    var both = self
    both.count += other.count
    for place in sums.indices { both.sums[place] += weight * other.sums[place] }
    return both
  }

  /// The sum of squares about the mean of a column.
  func squares(_ column: Int) -> Double {
    guard self[0, 0] > 0 else { return 0 }
    return max(0, self[column, column] - self[0, column] * self[0, column] / self[0, 0])
  }

  /// The sum of squares of a combination Σ rᵢ vᵢ of the columns.
  func squares(of combination: [Double]) -> Double {
    var sum = 0.0
    for (row, first) in combination.enumerated() where first != 0 {
      for (column, second) in combination.enumerated() { sum += first * second * self[row, column] }
    }
    return max(0, sum)
  }

  /// The sum of a combination of the columns.
  func sum(of combination: [Double]) -> Double {
    combination.enumerated().reduce(0) { $0 + $1.element * self[0, $1.offset] }
  }

  /// Least squares of y on 1 and some controls.
  struct Fit: Equatable {
    /// The residual as a combination of the columns: −intercept, 1, −coefficients (0 for a control
    /// left out).
    var residual: [Double]
    /// The intercept's variance for residuals of variance 1.
    var factor: Double

    var intercept: Double { -residual[0] }
  }

  /// - Parameter chosen: Numbers of the controls, from 0.
  /// - Returns: Nil where they are too alike to be told apart.
  func fit(_ chosen: [Int]) -> Fit? {
    let columns = [0] + chosen.map { $0 + 2 }
    guard columns.allSatisfy({ self[$0, $0] > 0 }) else { return nil }
    GSLRuntime.prepare()
    let size = columns.count
    let matrix = gsl_matrix_alloc(size, size)
    let right = gsl_vector_alloc(size)
    let first = gsl_vector_calloc(size)
    defer {
      gsl_matrix_free(matrix)
      gsl_vector_free(right)
      gsl_vector_free(first)
    }
    // Scaled to a diagonal of 1, so that the condition speaks of likeness and not of units.
    let scales = columns.map { 1 / self[$0, $0].squareRoot() }
    for (row, column) in columns.enumerated() {
      gsl_vector_set(right, row, self[column, 1] * scales[row])
      for (other, second) in columns.enumerated() {
        gsl_matrix_set(matrix, row, other, self[column, second] * scales[row] * scales[other])
      }
    }
    gsl_vector_set(first, 0, 1)
    guard gsl_linalg_cholesky_decomp1(matrix) == Int32(GSL_SUCCESS),
      (0..<size).allSatisfy({ gsl_matrix_get(matrix, $0, $0) > 1e-5 }),
      gsl_linalg_cholesky_svx(matrix, right) == Int32(GSL_SUCCESS),
      gsl_linalg_cholesky_svx(matrix, first) == Int32(GSL_SUCCESS)
    else { return nil }
    var residual = Array(repeating: 0.0, count: controls + 2)
    residual[1] = 1
    for (row, column) in columns.enumerated() {
      residual[column] = -gsl_vector_get(right, row) * scales[row]
    }
    return Fit(residual: residual, factor: gsl_vector_get(first, 0) * scales[0] * scales[0])
  }
}
