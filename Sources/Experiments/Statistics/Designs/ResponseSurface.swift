internal import CGSL
internal import EventKernel

/// A quadratic through the figures of several points, as seen from one of them.
///
/// Least squares weighted by nearness, w = (1 + (d/r)²)⁻⁴ at a distance d from the center: within
/// the radius r points count fully, and of those far away even a cubic error counts less and less.
/// With too few points for a quadratic it is linear. At the center the surface has the value that
/// was measured there, so that a small enough step from it is judged right. Directions in which the
/// points do not differ are left flat (truncated singular values, `gsl_multifit_wlinear_tsvd`).
///
/// Source: the response surface of Box and Wilson 1951, doi:10.1111/j.2517-6161.1951.tb00067.x; the
/// correction at the center as in Alexandrov et al. 1998, doi:10.1007/BF01197433.
package struct ResponseSurface: Sendable {
  private let centre: [Double]
  private let radius: Double
  private let coefficients: [Double]

  /// - Parameters:
  ///   - places: One row a point; at least one.
  ///   - values: One a point, finite.
  ///   - centre: Which of the points is the center.
  ///   - radius: Above 0.
  /// - Throws: `StatisticsError.estimator` when GSL refuses.
  /// - Complexity: O(points × terms²), with (d + 1)(d + 2)/2 terms in d dimensions.
  package init(
    places: [[Double]], values: [Double], centre: Int, radius: Double
  ) throws(StatisticsError) {
    GSLRuntime.prepare()
    self.centre = places[centre]
    self.radius = radius
    let dimensions = self.centre.count
    let all = (dimensions + 1) * (dimensions + 2) / 2
    let columns = places.count > all ? all : dimensions + 1
    guard places.count >= columns else {
      throw .count(name: "points", count: places.count, allowed: columns...Int.max)
    }
    let matrix = gsl_matrix_alloc(places.count, columns)
    let weights = gsl_vector_alloc(places.count)
    let right = gsl_vector_alloc(places.count)
    let solution = gsl_vector_alloc(columns)
    let covariance = gsl_matrix_alloc(columns, columns)
    let workspace = gsl_multifit_linear_alloc(places.count, columns)
    defer {
      gsl_matrix_free(matrix)
      gsl_vector_free(weights)
      gsl_vector_free(right)
      gsl_vector_free(solution)
      gsl_matrix_free(covariance)
      gsl_multifit_linear_free(workspace)
    }
    for (row, place) in places.enumerated() {
      let offsets = ResponseSurface.offsets(place, self.centre, radius)
      let terms = ResponseSurface.terms(offsets, count: columns)
      for (column, term) in terms.enumerated() { gsl_matrix_set(matrix, row, column, term) }
      var nearness = 1.0
      for offset in offsets { nearness += offset * offset }
      gsl_vector_set(weights, row, 1 / (nearness * nearness * nearness * nearness))
      gsl_vector_set(right, row, values[row])
    }
    var squares = 0.0
    var rank = 0
    let status = gsl_multifit_wlinear_tsvd(
      matrix, weights, right, 1e-6, solution, covariance, &squares, &rank, workspace)
    guard Int(status) == Int(GSL_SUCCESS) else {
      throw .estimator(.gsl(function: "gsl_multifit_wlinear_tsvd"))
    }
    coefficients =
      [values[centre]] + (1..<columns).map { gsl_vector_get(solution, $0) }
  }

  /// The surface at a place, in the figure's unit.
  package func value(at place: [Double]) -> Double {
    let dimensions = centre.count
    var sum = coefficients[0]
    for axis in 0..<dimensions {
      sum += coefficients[1 + axis] * (place[axis] - centre[axis]) / radius
    }
    guard coefficients.count > 1 + dimensions else { return sum }
    var next = 1 + dimensions
    for first in 0..<dimensions {
      let offset = (place[first] - centre[first]) / (radius * radius)
      for second in first..<dimensions {
        sum += coefficients[next] * offset * (place[second] - centre[second])
        next += 1
      }
    }
    return sum
  }

  private static func offsets(_ place: [Double], _ centre: [Double], _ radius: Double) -> [Double] {
    zip(place, centre).map { ($0 - $1) / radius }
  }

  /// 1, each offset, and for a quadratic their products.
  private static func terms(_ offsets: [Double], count: Int) -> [Double] {
    var terms = [1] + offsets
    guard count > terms.count else { return terms }
    for first in offsets.indices {
      for second in first..<offsets.count { terms.append(offsets[first] * offsets[second]) }
    }
    return terms
  }
}
