internal import CGSL
internal import Foundation

/// The Universal Scalability Law: with N requests at once a service answers
///
///     X(N) = λ N / (1 + σ (N − 1) + κ N (N − 1))
///
/// a second. λ is the rate of one at a time, σ the share that has to wait for one another, κ what
/// agreeing costs. Gunther 2007, *Guerrilla Capacity Planning*, chapter 4,
/// doi:10.1007/978-3-540-31010-5.
///
/// By Little's law N / X is the mean time R of a request, and R = (1 + σ (N − 1) + κ N (N − 1)) / λ is
/// linear in 1, N − 1 and N (N − 1): an ordinary fit by least squares (GSL), with a factor left out
/// where it would come out negative.
package struct ScalabilityLaw: Sendable, Equatable {
  /// A figure with half of its 95 % interval; nil where the points do not tell.
  package struct Estimate: Sendable, Equatable {
    package var value: Double
    package var halfWidth: Double?
  }

  /// Answers a second, one at a time.
  package let rate: Estimate
  package let contention: Estimate
  package let coherence: Estimate
  /// Points that were fitted.
  package let points: Int
  /// The share of the variance of R that it explains.
  package let explained: Double

  /// The fewest points that it is fitted to.
  package static let pointsLeast = 4

  /// - Parameter points: Mean requests at once and answers a second, both above 0.
  /// - Returns: Nil with fewer than `pointsLeast` points, or points that do not tell N's effect.
  package init?(_ points: [(concurrency: Double, throughput: Double)]) {
    guard Set(points.map(\.concurrency)).count >= Self.pointsLeast else { return nil }
    self.points = points.count
    let times = points.map { $0.concurrency / $0.throughput }
    let terms: [[Double]] = [
      points.map { _ in 1 }, points.map { $0.concurrency - 1 },
      points.map { $0.concurrency * ($0.concurrency - 1) },
    ]
    // Of the fits whose factors are all possible, the one with the most factors.
    for chosen in [[0, 1, 2], [0, 1], [0, 2], [0]] {
      guard let fit = Self.fit(times, chosen.map { terms[$0] }), fit.values[0] > 0,
        fit.values.allSatisfy({ $0 >= 0 })
      else { continue }
      var values = [0.0, 0.0, 0.0]
      var variances = [Double](repeating: 0, count: 9)
      for (a, i) in chosen.enumerated() {
        values[i] = fit.values[a]
        for (b, j) in chosen.enumerated() {
          variances[i * 3 + j] = fit.covariance[a * chosen.count + b]
        }
      }
      let freedom = Double(points.count - chosen.count)
      let student = freedom > 0 ? gsl_cdf_tdist_Pinv(0.975, freedom) : nil
      let first = values[0]
      /// By the delta method, of values[i] / values[0].
      func share(_ i: Int) -> Estimate {
        let value = values[i] / first
        guard let student, chosen.contains(i) else { return Estimate(value: value, halfWidth: nil) }
        let variance =
          (variances[i * 3 + i] - 2 * value * variances[i] + value * value * variances[0])
          / (first * first)
        return Estimate(value: value, halfWidth: student * max(variance, 0).squareRoot())
      }
      rate = Estimate(
        value: 1 / first,
        halfWidth: student.map { $0 * variances[0].squareRoot() / (first * first) })
      contention = share(1)
      coherence = share(2)
      let mean = times.reduce(0, +) / Double(times.count)
      let all = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      explained = all > 0 ? max(1 - fit.residuals / all, 0) : 1
      return
    }
    return nil
  }

  private static func fit(
    _ values: [Double], _ terms: [[Double]]
  ) -> (values: [Double], covariance: [Double], residuals: Double)? {
    let (rows, columns) = (values.count, terms.count)
    guard rows >= columns, let matrix = gsl_matrix_alloc(rows, columns),
      let target = gsl_vector_alloc(rows), let found = gsl_vector_alloc(columns),
      let spread = gsl_matrix_alloc(columns, columns),
      let work = gsl_multifit_linear_alloc(rows, columns)
    else { return nil }
    defer {
      gsl_matrix_free(matrix)
      gsl_vector_free(target)
      gsl_vector_free(found)
      gsl_matrix_free(spread)
      gsl_multifit_linear_free(work)
    }
    for row in 0..<rows {
      gsl_vector_set(target, row, values[row])
      for column in 0..<columns { gsl_matrix_set(matrix, row, column, terms[column][row]) }
    }
    var residuals = 0.0
    guard gsl_multifit_linear(matrix, target, found, spread, &residuals, work) == 0 else {
      return nil
    }
    return (
      (0..<columns).map { gsl_vector_get(found, $0) },
      (0..<(columns * columns)).map { gsl_matrix_get(spread, $0 / columns, $0 % columns) },
      residuals
    )
  }

  /// Answers a second with so many at once.
  package func throughput(_ concurrency: Double) -> Double {
    let n = concurrency
    return rate.value * n
      / (1 + contention.value * (n - 1) + coherence.value * n * (n - 1))
  }

  /// The number at once beyond which more brings less; nil where there is none. Of less than one at
  /// once the law says nothing.
  package var peak: (concurrency: Double, throughput: Double)? {
    guard coherence.value > 0, contention.value < 1 else { return nil }
    let n = ((1 - contention.value) / coherence.value).squareRoot()
    return n < 1 ? nil : (n, throughput(n))
  }

  /// What it approaches or reaches at most, answers a second; nil where nothing bounds it, or where its
  /// peak is at less than one at once.
  package var ceiling: Double? {
    if coherence.value > 0 { return peak?.throughput }
    return contention.value > 0 ? rate.value / contention.value : nil
  }
}
