internal import CGSL
package import EventKernel

/// How many of a number of trials succeeded, such as replications that went Critical: independent
/// ones, or some of them in antithetic pairs.
package struct Proportion: Equatable, Sendable {
  /// Trials that succeeded, from 0 to `trials`.
  package let successes: Int
  /// Trials, at least 1.
  package let trials: Int
  /// Those of the trials that ran in pairs.
  package let pairs: PairCounts

  /// - Throws: `EstimatorError.tooFew` without a trial; `.badParameter` unless 0 ≤ successes ≤
  ///   trials, and as many trials as there are in pairs.
  package init(
    successes: Int, trials: Int, pairs: PairCounts = PairCounts()
  ) throws(EstimatorError) {
    guard trials >= 1 else { throw .tooFew(count: trials, needed: 1) }
    guard (0...trials).contains(successes) else {
      throw .badParameter(name: "successes", value: Double(successes))
    }
    guard trials >= 2 * pairs.count else {
      throw .badParameter(name: "trials", value: Double(trials))
    }
    self.successes = successes
    self.trials = trials
    self.pairs = pairs
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
  /// empty at 0 or all successes. With pairs the count has the variance that the test's share and
  /// `PairCounts.correlation` give it. In 1,000 repetitions of 20 to 100 pairs, alone or with 160
  /// single trials, at shares from .02 to .95 and correlations from −1 to .7, it covered 92 to
  /// 100 %; as if all were independent 85 to 100 %.
  ///
  /// - Throws: `EstimatorError.badParameter` unless 0 < level < 1.
  /// - Complexity: O(1). Sources: Wilson 1927, doi:10.1080/01621459.1927.10502953; with pairs Tango
  ///   1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B
  package func wilson(level: Double = 0.95) throws(EstimatorError) -> EstimatedInterval {
    guard level > 0, level < 1 else { throw .badParameter(name: "level", value: level) }
    let z = RandomStream.normalQuantile((1 + level) / 2)
    guard z.isFinite else { throw .badParameter(name: "level", value: level) }
    let n = Double(trials)
    guard pairs.count == 0 else { return scored(z, level: level) }
    let shrink = 1 + z * z / n
    let middle = (share + z * z / (2 * n)) / shrink
    let spread = (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() * z / shrink
    return EstimatedInterval(
      estimate: share, low: successes == 0 ? 0 : max(0, middle - spread),
      high: successes == trials ? 1 : min(1, middle + spread), level: level, count: trials)
  }

  /// The interval with pairs, by halving.
  private func scored(_ z: Double, level: Double) -> EstimatedInterval {
    let (n, count) = (Double(trials), Double(successes))
    func reach(_ share: Double) -> Double {
      let inflation = n + 2 * Double(pairs.count) * pairs.correlation(at: share)
      return z * max(0, inflation * share * (1 - share)).squareRoot()
    }
    let low = Self.turningPoint(in: 0...share) { count - n * $0 <= reach($0) }
    let high = Self.turningPoint(in: share...1) { n * $0 - count > reach($0) }
    return EstimatedInterval(
      estimate: share, low: successes == 0 ? 0 : low, high: successes == trials ? 1 : high,
      level: level, count: trials)
  }

  /// The exact interval of Clopper and Pearson, from quantiles of the beta distribution: covers
  /// with at least the stated level whatever the share, and so is wider than Wilson's. With pairs an
  /// end takes the trials for as many independent ones as have the same variance, were it the share:
  /// `PairCounts.correlation` tells. Of 10 to 40 pairs, at shares from .02 to .95 and correlations
  /// from −1 to .7, it then covers 95.9 to 100 %, by the probabilities of all outcomes.
  ///
  /// The quantiles are found by halving `gsl_cdf_beta_P` and `gsl_cdf_beta_Q`: the inverses that GSL
  /// has lose their way from about 10,000 trials on.
  ///
  /// - Throws: `EstimatorError.badParameter` unless 0 < level < 1.
  /// - Complexity: O(1). Sources: Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404; a number of
  ///   trials that stands for dependent ones, Korn and Graubard 1998, Survey Methodology 24, 193–201
  package func exact(level: Double = 0.95) throws(EstimatorError) -> EstimatedInterval {
    guard level > 0, level < 1 else { throw .badParameter(name: "level", value: level) }
    GSLRuntime.prepare()
    let tail = (1 - level) / 2
    let hits = Double(successes)
    let misses = Double(trials - successes)
    let isPaired = pairs.count > 0
    // A share beyond the estimate is no end on the other side, whatever pairs have there.
    let low =
      successes == 0
      ? 0
      : Self.turningPoint(in: 0...(isPaired ? share : 1)) { end in
        let part = independent(at: end)
        return gsl_cdf_beta_P(end, hits * part, misses * part + 1) > tail
      }
    let high =
      successes == trials
      ? 1
      : Self.turningPoint(in: (isPaired ? share : 0)...1) { end in
        let part = independent(at: end)
        return gsl_cdf_beta_Q(end, hits * part + 1, misses * part) <= tail
      }
    return EstimatedInterval(estimate: share, low: low, high: high, level: level, count: trials)
  }

  /// How many independent trials one trial is worth, were it to succeed with a given probability: 1
  /// without pairs, and at most `trials`.
  private func independent(at probability: Double) -> Double {
    guard pairs.count > 0 else { return 1 }
    let n = Double(trials)
    let inflation = 1 + 2 * Double(pairs.count) / n * pairs.correlation(at: probability)
    return 1 / max(inflation, 1 / n)
  }

  /// Where a condition that stays true once it is becomes true, to 2^-60.
  private static func turningPoint(
    in range: ClosedRange<Double> = 0...1, _ holds: (Double) -> Bool
  ) -> Double {
    var low = range.lowerBound
    var high = range.upperBound
    for _ in 0..<60 {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle }
    }
    return low + (high - low) / 2
  }
}
