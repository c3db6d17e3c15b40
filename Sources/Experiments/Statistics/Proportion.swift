internal import CGSL
package import EventKernel

/// How many of a number of independent trials succeeded, such as replications that went Critical.
package struct Proportion: Equatable, Sendable {
  /// Trials that succeeded, from 0 to `trials`.
  package let successes: Int
  /// Trials, at least 1.
  package let trials: Int

  /// - Throws: `EstimatorError.tooFew` without a trial; `.badParameter` unless 0 ≤ successes ≤
  ///   trials.
  package init(successes: Int, trials: Int) throws(EstimatorError) {
    guard trials >= 1 else { throw .tooFew(count: trials, needed: 1) }
    guard (0...trials).contains(successes) else {
      throw .badParameter(name: "successes", value: Double(successes))
    }
    self.successes = successes
    self.trials = trials
  }

  /// Counts what is true.
  ///
  /// - Throws: `EstimatorError.tooFew` when empty.
  package init(_ outcomes: [Bool]) throws(EstimatorError) {
    var successes = 0
    for outcome in outcomes where outcome { successes += 1 }
    try self.init(successes: successes, trials: outcomes.count)
  }

  /// Share of the trials that succeeded, from 0 to 1.
  package var share: Double { Double(successes) / Double(trials) }

  /// Wilson's score interval: the shares that a normal test of the count would not refuse.
  ///
  /// It covers near the stated level on average over the shares, stays within 0 and 1 and is never
  /// empty at 0 or all successes.
  ///
  /// - Throws: `EstimatorError.badParameter` unless 0 < level < 1.
  /// - Complexity: O(1). Source: Wilson 1927, doi:10.1080/01621459.1927.10502953
  package func wilson(level: Double = 0.95) throws(EstimatorError) -> EstimatedInterval {
    guard level > 0, level < 1 else { throw .badParameter(name: "level", value: level) }
    let z = RandomStream.normalQuantile((1 + level) / 2)
    guard z.isFinite else { throw .badParameter(name: "level", value: level) }
    let n = Double(trials)
    let shrink = 1 + z * z / n
    let middle = (share + z * z / (2 * n)) / shrink
    let spread = (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() * z / shrink
    return EstimatedInterval(
      estimate: share, low: successes == 0 ? 0 : max(0, middle - spread),
      high: successes == trials ? 1 : min(1, middle + spread), level: level, count: trials)
  }

  /// The exact interval of Clopper and Pearson, from quantiles of the beta distribution: covers
  /// with at least the stated level whatever the share, and so is wider than Wilson's.
  ///
  /// The quantiles are found by halving `gsl_cdf_beta_P` and `gsl_cdf_beta_Q`: the inverses that GSL
  /// has lose their way from about 10,000 trials on.
  ///
  /// - Throws: `EstimatorError.badParameter` unless 0 < level < 1.
  /// - Complexity: O(1). Source: Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404
  package func exact(level: Double = 0.95) throws(EstimatorError) -> EstimatedInterval {
    guard level > 0, level < 1 else { throw .badParameter(name: "level", value: level) }
    GSLRuntime.prepare()
    let tail = (1 - level) / 2
    let hits = Double(successes)
    let misses = Double(trials - successes)
    let low =
      successes == 0 ? 0 : Self.turningPoint { gsl_cdf_beta_P($0, hits, misses + 1) > tail }
    let high =
      successes == trials ? 1 : Self.turningPoint { gsl_cdf_beta_Q($0, hits + 1, misses) <= tail }
    return EstimatedInterval(estimate: share, low: low, high: high, level: level, count: trials)
  }

  /// Where between 0 and 1 a condition that stays true once it is becomes true, to 2^-60.
  private static func turningPoint(_ holds: (Double) -> Bool) -> Double {
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return low + (high - low) / 2
  }
}
