package import EventKernel

/// How the verdicts of several figures share one chance of error.
package enum FamilyCorrection: String, CaseIterable, Sendable {
  /// Each figure for itself: with many figures some will seem real by chance.
  case none
  /// Each figure gets an equal part of 1 − level (Bonferroni).
  case bonferroni
  /// Bonferroni step by step from the clearest figure down: never less powerful. Source: Holm
  /// 1979, Scandinavian Journal of Statistics 6, 65–70 (stable/4615733 at JSTOR).
  case holm
}

/// Several figures compared at once, so that the probability of calling any difference real that
/// is not stays at most 1 − level for the whole family.
package struct ComparisonFamily: Equatable, Sendable {
  /// The comparisons, in the order given.
  package let comparisons: [PairedComparison]
  /// Probability that no verdict is wrong in calling a difference real.
  package let level: Double
  /// How the error is shared.
  package let correction: FamilyCorrection
  /// One adjusted two-sided probability a comparison, from 0 to 1.
  package let adjustedPValues: [Double]
  /// One verdict a comparison.
  package let verdicts: [ComparisonVerdict]
  /// One interval of the mean difference a comparison. Under a correction they are Bonferroni's,
  /// which hold all at once; Holm's verdict may call a difference real that such an interval
  /// leaves open.
  package let intervals: [ConfidenceInterval]

  /// - Parameters:
  ///   - comparisons: At least one.
  ///   - level: Above 0 and below 1.
  ///   - correction: For the number of comparisons.
  /// - Throws: `StatisticsError.count` without a comparison; `.estimator` for the level.
  /// - Complexity: O(m log m).
  package init(
    _ comparisons: [PairedComparison], level: Double = 0.95, correction: FamilyCorrection = .holm
  ) throws(StatisticsError) {
    guard !comparisons.isEmpty else {
      throw .count(name: "comparisons", count: 0, allowed: 1...Int.max)
    }
    try StatisticsError.requireLevel(level)
    let family = comparisons.count
    let adjusted =
      switch correction {
      case .none: comparisons.map(\.pValue)
      case .bonferroni: comparisons.map { min(1, Double(family) * $0.pValue) }
      case .holm: Self.holm(comparisons.map(\.pValue))
      }
    let share = correction == .none ? 1 - level : (1 - level) / Double(family)
    var intervals: [ConfidenceInterval] = []
    for comparison in comparisons {
      intervals.append(
        try StatisticsError.estimating { () throws(EstimatorError) in
          try ConfidenceInterval(
            mean: comparison.difference.mean, variance: comparison.differenceVariance,
            count: comparison.pairs, level: 1 - share)
        })
    }
    self.comparisons = comparisons
    self.level = level
    self.correction = correction
    adjustedPValues = adjusted
    verdicts = zip(comparisons, adjusted).map { $0.verdict(pValue: $1, level: level) }
    self.intervals = intervals
  }

  /// Holm's adjusted probabilities: the j-th smallest of m times m − j + 1, never falling.
  static func holm(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    var adjusted = pValues
    var floor = 0.0
    for (place, index) in order.enumerated() {
      floor = max(floor, min(1, Double(pValues.count - place) * pValues[index]))
      adjusted[index] = floor
    }
    return adjusted
  }
}
