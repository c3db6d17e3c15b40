internal import CGSL
package import EventKernel

/// What a comparison shows.
package enum ComparisonVerdict: String, Equatable, Sendable {
  /// Every pair is equal: the change does not touch this figure.
  case identical
  /// The variant's figure is higher, and chance does not explain it.
  case higher
  /// The variant's figure is lower, and chance does not explain it.
  case lower
  /// The interval holds 0: no difference is shown, which is not to say that there is none.
  case notShown

  /// True for `higher` and `lower`.
  package var isReal: Bool { self == .higher || self == .lower }
}

/// One figure of two settings, run under common random numbers: replication by replication, what
/// the variant adds to the baseline.
///
/// Pairs of different replications must be independent; within a pair they should not be, which is
/// what makes the difference precise. Source: Law 2015, *Simulation Modeling and Analysis*, §10.2
/// (paired t) and §11.2 (common random numbers).
///
/// Figures are rounded to `Double`, which leaves the last bits of a difference to chance. What may
/// come from that alone counts for nothing: a pair closer than 4 units in the last place of its
/// larger value is equal, and differences that are all so close to one number do not vary.
package struct PairedComparison: Equatable, Sendable {
  /// Interval of the mean difference, variant − baseline, by Student's t at pairs − 1 degrees of
  /// freedom; in the figure's unit.
  package let difference: ConfidenceInterval
  /// Mean of the baseline.
  package let baselineMean: Double
  /// Mean of the variant.
  package let variantMean: Double
  /// Pairs in which the variant is higher.
  package let increases: Int
  /// Pairs in which the variant is lower.
  package let decreases: Int
  /// Variance of the differences, in the square of the figure's unit; 0 when they do not vary by
  /// more than rounding.
  package let differenceVariance: Double
  /// How many times as many runs independent seeds would need for the same precision:
  /// (Var A + Var B) / Var(B − A). Below 1 the common numbers did harm; nil when the differences
  /// do not vary at all.
  package let varianceReduction: Double?
  /// Probability of a mean difference at least so far from 0 when there is none, two-sided: by
  /// Student's t, and by the sign test, 2^(1 − pairs), where all differences are the same number
  /// but for rounding.
  package let pValue: Double

  /// - Parameters:
  ///   - baseline: One value a replication, finite.
  ///   - variant: As many values, of the same replications in the same order.
  ///   - level: Coverage, above 0 and below 1.
  /// - Throws: `StatisticsError.lengths`, or `.estimator` for fewer than two pairs, a value that is
  ///   not finite or a bad level.
  /// - Complexity: O(n).
  package init(
    baseline: [Double], variant: [Double], level: Double = 0.95
  ) throws(StatisticsError) {
    guard baseline.count == variant.count else {
      throw .lengths(name: "variant", count: variant.count, needed: baseline.count)
    }
    var first = Tally()
    var second = Tally()
    var differences = Tally()
    var up = 0
    var down = 0
    // The numbers that every difference may represent.
    var possible = (low: -Double.infinity, high: Double.infinity)
    for (a, b) in zip(baseline, variant) {
      let rounding = 4 * max(abs(a), abs(b)).ulp
      let change = abs(b - a) <= rounding ? 0 : b - a
      try StatisticsError.estimating { () throws(EstimatorError) in
        try first.add(a)
        try second.add(b)
        try differences.add(change)
      }
      if change > 0 { up += 1 }
      if change < 0 { down += 1 }
      possible = (max(possible.low, b - a - rounding), min(possible.high, b - a + rounding))
    }
    let variance = possible.low <= possible.high ? 0 : differences.variance ?? 0
    difference = try StatisticsError.estimating { () throws(EstimatorError) in
      try ConfidenceInterval(
        mean: differences.mean ?? 0, variance: variance, count: differences.count, level: level)
    }
    baselineMean = first.mean ?? 0
    variantMean = second.mean ?? 0
    increases = up
    decreases = down
    differenceVariance = variance
    varianceReduction =
      variance > 0
      ? ((first.variance ?? 0) + (second.variance ?? 0)) / variance : nil
    if variance > 0 {
      let error = (variance / Double(baseline.count)).squareRoot()
      pValue =
        2 * gsl_cdf_tdist_Q(abs(difference.mean) / error, Double(baseline.count - 1))
    } else {
      // Student's t says nothing about differences that do not vary. That all have one sign has
      // this probability by the sign test, whatever they are distributed like.
      pValue =
        max(up, down) < baseline.count
        ? 1 : Double(sign: .plus, exponent: 1 - baseline.count, significand: 1)
    }
  }

  /// Pairs.
  package var pairs: Int { difference.count }

  /// True where every pair has the same difference, 0 or another, but for rounding. The interval has
  /// no width then, which is not to say that other pairs cannot differ otherwise.
  package var isConstant: Bool { differenceVariance == 0 }

  /// The verdict for this figure alone: real when the interval excludes 0. For several figures use
  /// `ComparisonFamily`.
  package var verdict: ComparisonVerdict { verdict(pValue: pValue, level: difference.level) }

  /// The verdict by a probability that may have been adjusted for a family.
  func verdict(pValue: Double, level: Double) -> ComparisonVerdict {
    if increases == 0 && decreases == 0 { return .identical }
    if pValue >= 1 - level { return .notShown }
    return difference.mean > 0 ? .higher : .lower
  }
}
