package import EventKernel

/// A mean from pairs of replications that are made to err in opposite directions: the second run
/// of a pair takes 1 − u wherever the first takes u.
///
/// The pairs are independent, so the interval is Student's t of the pair means at pairs − 1
/// degrees of freedom. Source: Hammersley and Morton 1956, doi:10.1017/S0305004100031455
package struct AntitheticPairs: Equatable, Sendable {
  /// Interval of the mean, from the pair means.
  package let interval: ConfidenceInterval
  /// How many times as many independent replications the same precision would need: the variance
  /// of a mean of 2m independent runs over that of m pair means, (Var first + Var second) /
  /// (4 Var pair mean) = 1 / (1 + ρ). Nil when the pair means do not vary.
  package let gain: Double?
  /// Correlation within a pair, from −1 to 1; nil when one side does not vary. Antithetic runs
  /// help when it is below 0.
  package let correlation: Double?

  /// - Parameters:
  ///   - first: One value a pair.
  ///   - second: As many values, of the opposite runs in the same order.
  ///   - level: Coverage, above 0 and below 1.
  /// - Throws: `StatisticsError.lengths`, or `.estimator` for fewer than two pairs, a value that is
  ///   not finite or a bad level.
  /// - Complexity: O(n).
  package init(
    first: [Double], second: [Double], level: Double = 0.95
  ) throws(StatisticsError) {
    guard first.count == second.count else {
      throw .lengths(name: "second", count: second.count, needed: first.count)
    }
    var left = Tally()
    var right = Tally()
    var means = Tally()
    for (a, b) in zip(first, second) {
      try StatisticsError.estimating { () throws(EstimatorError) in
        try left.add(a)
        try right.add(b)
        try means.add(a / 2 + b / 2)
      }
    }
    interval = try StatisticsError.estimating { () throws(EstimatorError) in
      try means.interval(level: level)
    }
    let leftVariance = left.variance ?? 0
    let rightVariance = right.variance ?? 0
    let pairVariance = means.variance ?? 0
    gain = pairVariance > 0 ? (leftVariance + rightVariance) / (4 * pairVariance) : nil
    let scale = (leftVariance * rightVariance).squareRoot()
    // Var(pair mean) = (Var a + Var b + 2 Cov) / 4.
    correlation =
      scale > 0
      ? max(-1, min(1, (4 * pairVariance - leftVariance - rightVariance) / (2 * scale))) : nil
  }

  /// True when pairs give a narrower interval than as many independent runs.
  package var helps: Bool { gain.map { $0 > 1 } ?? (correlation != nil) }
}
