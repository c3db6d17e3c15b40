internal import CGSL
internal import EventKernel
internal import Foundation

/// Intervals of single parameters by the profile likelihood: the values that the likelihood ratio
/// test does not refuse at 5 %, the other parameters being as likely as they can be with each.
///
/// Where the log-likelihood falls more slowly to one side of its peak than to the other, an
/// interval from the curvature at the peak misses the slow side too often; this one follows it.
///
/// Source: Venzon and Moolgavkar 1988, doi:10.2307/2347496, for the intervals; their ends are found
/// here by Brent's method, and what the other parameters make of it by the simplex.
struct ProfileLikelihood {
  /// The 97.5 % quantile of the normal distribution; its square is the 95 % quantile of χ² with one
  /// degree of freedom.
  static let reach = 1.959_963_985
  /// How far from `reach` the root of the ratio may lie at an end.
  private static let residual = 1e-3

  /// Where the cost is least.
  let peak: [Double]
  /// The cost there.
  let least: Double
  /// The inverse of the cost's Hessian matrix there, row after row.
  let covariance: [Double]
  /// What is searched of each parameter.
  let ranges: [ClosedRange<Double>]
  /// Minus the log-likelihood.
  let cost: @Sendable ([Double]) -> Double

  /// The ends of a parameter's 95 % interval, nil where it is open, and how often the cost was
  /// evaluated.
  ///
  /// An end is open where the likelihood does not fall enough within the range, nor within ten times
  /// the reach of an interval from the curvature.
  func interval(of index: Int) -> (low: Double?, high: Double?, evaluations: Int) {
    guard let search = ConstrainedPeak(self, index) else { return (nil, nil, 0) }
    let (low, high) = (end(index, -1, search), end(index, 1, search))
    return (low, high, search.evaluations)
  }

  private func end(_ index: Int, _ sign: Double, _ search: ConstrainedPeak) -> Double? {
    let error = covariance[index * peak.count + index].squareRoot()
    let room =
      sign > 0 ? ranges[index].upperBound - peak[index] : peak[index] - ranges[index].lowerBound
    /// The signed root of the ratio at a distance from the peak, less what it is at an end.
    func excess(_ distance: Double) -> Double {
      let drop = search.least(at: peak[index] + sign * distance) - least
      return (2 * max(0, drop)).squareRoot() - Self.reach
    }
    var inner = (place: 0.0, value: -Self.reach)
    var distance = Self.reach * error
    while distance < min(room, 10 * Self.reach * error) {
      let outer = (place: distance, value: excess(distance))
      guard outer.value.isFinite else { return nil }
      if outer.value >= 0 {
        return BracketedRoot.between(inner, outer, residual: Self.residual, excess)
          .map { peak[index] + sign * $0 }
      }
      inner = outer
      distance *= 1.5
    }
    return nil
  }
}

/// The least cost with one parameter held where it is put.
private final class ConstrainedPeak {
  private let profile: ProfileLikelihood
  private let index: Int
  private let others: [Int]
  /// How the others move with the one that is held, were the cost quadratic.
  private let slopes: [Double]
  /// A root of the covariance of the others, the one being held: in units of its columns the cost
  /// rises by a half in each direction.
  private let root: [[Double]]
  private(set) var evaluations = 0

  /// Nil where the covariance is not positive definite.
  init?(_ profile: ProfileLikelihood, _ index: Int) {
    let count = profile.peak.count
    let others = (0..<count).filter { $0 != index }
    let own = profile.covariance[index * count + index]
    guard own > 0 else { return nil }
    let slopes = others.map { profile.covariance[$0 * count + index] / own }
    let held = others.indices.map { i in
      others.indices.map { j in
        profile.covariance[others[i] * count + others[j]] - slopes[i] * slopes[j] * own
      }
    }
    guard let root = Self.root(of: held) else { return nil }
    (self.profile, self.index, self.others) = (profile, index, others)
    (self.slopes, self.root) = (slopes, root)
  }

  /// The least cost with the parameter at a place.
  func least(at place: Double) -> Double {
    let (peak, cost) = (profile.peak, profile.cost)
    let (others, root) = (others, root)
    var start = peak
    start[index] = place
    for (row, other) in others.enumerated() {
      let range = profile.ranges[other]
      let guess = peak[other] + slopes[row] * (place - peak[index])
      start[other] = min(max(guess, range.lowerBound), range.upperBound)
    }
    func moved(_ steps: [Double]) -> Double {
      var point = start
      for (row, other) in others.enumerated() {
        for column in 0...row { point[other] += root[row][column] * steps[column] }
      }
      return cost(point)
    }
    let steps = [Double](repeating: 0, count: others.count)
    guard
      let found = Simplex.minimum(
        from: steps, step: 0.5, size: 0.01, maximumSteps: 500, moved)
    else { return .infinity }
    evaluations += found.evaluations
    return found.value
  }

  /// Cholesky's lower triangle; nil unless the matrix is positive definite.
  private static func root(of matrix: [[Double]]) -> [[Double]]? {
    GSLRuntime.prepare()
    let count = matrix.count
    guard let own = gsl_matrix_alloc(count, count) else { return nil }
    defer { gsl_matrix_free(own) }
    for i in 0..<count {
      for j in 0..<count { gsl_matrix_set(own, i, j, matrix[i][j]) }
    }
    guard gsl_linalg_cholesky_decomp1(own) == Int32(GSL_SUCCESS) else { return nil }
    return (0..<count).map { i in (0...i).map { gsl_matrix_get(own, i, $0) } }
  }
}
