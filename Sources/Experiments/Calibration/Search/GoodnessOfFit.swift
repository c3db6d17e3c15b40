internal import CGSL
internal import EventKernel

/// Pearson's test of counts against what a fitted model expects of them.
package struct GoodnessOfFit: Sendable, Equatable {
  /// The sum of (actual − expected)² ÷ expected; bins at the end are pooled until 5 are expected in
  /// each, and what is left of the first ones goes with the next.
  package let chiSquared: Double
  /// Bins after pooling, less 1 for the total and 1 for each fitted parameter. Not above 0: too few
  /// bins for a test.
  package let degreesOfFreedom: Int
  /// Probability of at least this distance if the model held; nil without degrees of freedom.
  package let pValue: Double?

  /// - Parameters:
  ///   - expected: Of each bin, 0 or more.
  ///   - actual: As many.
  ///   - parameters: That were fitted to these counts.
  /// - Complexity: O(bins).
  package init(expected: [Double], actual: [Int], parameters: Int) {
    var pooled: [(expected: Double, actual: Double)] = []
    var rest = (expected: 0.0, actual: 0.0)
    for (mean, count) in zip(expected, actual).reversed() {
      rest = (rest.expected + mean, rest.actual + Double(count))
      if rest.expected >= 5 {
        pooled.append(rest)
        rest = (0, 0)
      }
    }
    if rest.expected > 0 || rest.actual > 0, let last = pooled.indices.last {
      pooled[last].expected += rest.expected
      pooled[last].actual += rest.actual
    }
    let sum = pooled.reduce(0) {
      $0 + ($1.actual - $1.expected) * ($1.actual - $1.expected) / $1.expected
    }
    let degrees = pooled.count - 1 - parameters
    chiSquared = sum
    degreesOfFreedom = degrees
    GSLRuntime.prepare()
    pValue = degrees > 0 ? gsl_cdf_chisq_Q(sum, Double(degrees)) : nil
  }
}
