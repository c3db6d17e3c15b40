internal import EventKernel

/// What share of an output's variance each setting explains: Sobol's indices.
///
/// Two samples A and B of `base` points come from one shifted Sobol sequence of twice the
/// dimensions; AB_i is A with axis i taken from B. The first-order index S_i is the share that axis
/// i explains alone, 1 − mean((f(B) − f(AB_i))²) / 2V; the total index T_i adds all its
/// interactions, mean((f(A) − f(AB_i))²) / 2V.
///
/// Source: Saltelli et al. 2010, doi:10.1016/j.cpc.2009.09.018, table 2, (b) for the sampling and
/// Jansen's estimators (Jansen 1999, doi:10.1016/S0010-4655(98)00154-4)
package struct SobolIndices: Equatable, Sendable {
  /// Axes: half as many as the sequence has dimensions.
  package static let factorsMaximum = SobolSequence.dimensionsMaximum / 2

  /// From here on the 95 % intervals of the Ishigami function's indices cover at least 98 of 100.
  package static let baseForIntervals = 256

  /// Axes.
  package let factors: Int
  /// Base points.
  package let base: Int
  /// Where to evaluate the model: `base` × (`factors` + 2) rows of shares from 0 to 1. Base point
  /// by base point: A, B, then AB_1 … AB_k, so that a whole number of base points is a usable
  /// beginning. Make settings of them with `Design(axes:shares:)`.
  package let points: [[Double]]

  /// The indices of one axis, each with a bootstrap interval. An estimate may be a little below 0
  /// or above 1; that of the first order is never above the total, of which it is a part.
  package struct Index: Equatable, Sendable {
    package let first: EstimatedInterval
    package let total: EstimatedInterval
    /// The first order as its own sum says, where its error put that above the total; nil elsewhere.
    package let firstBeforeCap: Double?

    /// Two estimates from different sums; where chance puts the first above the total, it is taken
    /// down to it, and its interval reaches as far down as either and up to the total's end.
    init(first: EstimatedInterval, atMost total: EstimatedInterval) {
      self.total = total
      let isAbove = first.estimate > total.estimate
      firstBeforeCap = isAbove ? first.estimate : nil
      self.first =
        !isAbove
        ? first
        : EstimatedInterval(
          estimate: total.estimate, low: Self.lower(first.low, total.low),
          high: Self.lower(first.high, total.high), level: first.level, count: first.count)
    }

    /// The lower of two ends; nil where one is not known.
    private static func lower(_ end: Double?, _ other: Double?) -> Double? {
      end.flatMap { end in other.map { min(end, $0) } }
    }
  }

  /// What the values say.
  package struct Analysis: Equatable, Sendable {
    /// Mean output over A and B.
    package let mean: Double
    /// Variance of the output over A and B, in the square of its unit.
    package let variance: Double
    /// One entry an axis.
    package let indices: [Index]
  }

  /// - Parameters:
  ///   - factors: From 1 to 20.
  ///   - base: From 8 to 2^20; a power of two is best.
  ///   - seed: Names the shift of the sequence.
  /// - Throws: `StatisticsError.count`.
  /// - Complexity: O(base × factors²).
  package init(factors: Int, base: Int, seed: UInt64) throws(StatisticsError) {
    guard (1...Self.factorsMaximum).contains(factors) else {
      throw .count(name: "factors", count: factors, allowed: 1...Self.factorsMaximum)
    }
    guard (8...(1 << 20)).contains(base) else {
      throw .count(name: "base", count: base, allowed: 8...(1 << 20))
    }
    self.factors = factors
    self.base = base
    let rows = try SobolSequence.points(count: base, dimensions: 2 * factors, shift: seed)
    var points: [[Double]] = []
    points.reserveCapacity(base * (factors + 2))
    for row in rows {
      let a = Array(row[..<factors])
      let b = Array(row[factors...])
      points.append(a)
      points.append(b)
      for factor in 0..<factors {
        var mixed = a
        mixed[factor] = b[factor]
        points.append(mixed)
      }
    }
    self.points = points
  }

  /// The indices from the model's values.
  ///
  /// The intervals are percentiles over resampled base points (Archer, Saltelli and Sobol 1997,
  /// doi:10.1080/00949659708811825). They treat base points as independent; those of a Sobol
  /// sequence err less, so that from `baseForIntervals` on the intervals are wide rather than
  /// narrow. With fewer some cover less: of the Ishigami function's indices 87 to 100 % with 64,
  /// 80 to 100 % with 16 (400 repetitions).
  ///
  /// - Parameters:
  ///   - values: One a point, in the order of `points`, finite.
  ///   - level: Coverage, above 0 and below 1.
  ///   - resamples: From 100 to 100,000.
  ///   - seed: Names the resamples.
  /// - Throws: `StatisticsError.lengths`, `.noVariation` for a constant output, `.count` or
  ///   `.estimator`.
  /// - Complexity: O(resamples × base × factors).
  package func analyse(
    _ values: [Double], level: Double = 0.95, resamples: Int = 1_000, seed: UInt64 = 0
  ) throws(StatisticsError) -> Analysis {
    guard values.count == points.count else {
      throw .lengths(name: "values", count: values.count, needed: points.count)
    }
    guard (100...100_000).contains(resamples) else {
      throw .count(name: "resamples", count: resamples, allowed: 100...100_000)
    }
    try StatisticsError.requireLevel(level)
    try StatisticsError.requireFinite(values)
    let terms = Terms(values, factors: factors, base: base)
    guard let all = terms.indices(of: 0..<base), let scale = terms.moments(of: 0..<base) else {
      throw .noVariation(name: "values")
    }
    var drawn = [[Double]](repeating: [], count: 2 * factors)
    var picks = [Int](repeating: 0, count: base)
    for resample in 0..<resamples {
      var stream = RandomStream(
        seed: seed, purpose: ExperimentPurpose.sobolBootstrap.rawValue, entity: UInt64(resample))
      for place in picks.indices { picks[place] = Int(stream.uniformIndex(below: UInt64(base))) }
      guard let sample = terms.indices(of: picks) else { continue }
      for place in sample.indices { drawn[place].append(sample[place]) }
    }
    var intervals: [EstimatedInterval] = []
    for place in all.indices {
      intervals.append(
        try StatisticsError.estimating { () throws(EstimatorError) in
          let quantiles = try SampleQuantiles(drawn[place])
          return EstimatedInterval(
            estimate: all[place], low: try quantiles.interpolated((1 - level) / 2),
            high: try quantiles.interpolated((1 + level) / 2), level: level, count: base)
        })
    }
    return Analysis(
      mean: scale.mean + terms.centre, variance: scale.variance,
      indices: (0..<factors).map { factor in
        Index(first: intervals[factor], atMost: intervals[factors + factor])
      })
  }

  /// What each base point adds to the sums, in columns.
  private struct Terms {
    let factors: Int
    /// Mean of all values of A and B, taken off before squaring.
    let centre: Double
    var sums: [Double] = []
    var squares: [Double] = []
    /// Factors × 2 a base point: (f(B) − f(AB_i))² for each i, then (f(A) − f(AB_i))².
    var jumps: [Double] = []

    init(_ values: [Double], factors: Int, base: Int) {
      self.factors = factors
      let width = factors + 2
      var total = 0.0
      for row in 0..<base { total += values[row * width] / 2 + values[row * width + 1] / 2 }
      centre = total / Double(base)
      for row in 0..<base {
        let a = values[row * width] - centre
        let b = values[row * width + 1] - centre
        sums.append(a + b)
        squares.append(a * a + b * b)
        for against in [b, a] {
          for factor in 0..<factors {
            let jump = against - (values[row * width + 2 + factor] - centre)
            jumps.append(jump * jump)
          }
        }
      }
    }

    /// Mean (from the center) and variance of the chosen base points; nil when nothing varies.
    func moments(of rows: some Collection<Int>) -> (mean: Double, variance: Double)? {
      var sum = 0.0
      var square = 0.0
      for row in rows {
        sum += sums[row]
        square += squares[row]
      }
      let count = Double(2 * rows.count)
      let variance = (square - sum * sum / count) / (count - 1)
      return variance > 0 ? (sum / count, variance) : nil
    }

    /// First-order indices, then total ones; nil when nothing varies.
    func indices(of rows: some Collection<Int>) -> [Double]? {
      guard let variance = moments(of: rows)?.variance else { return nil }
      var totals = [Double](repeating: 0, count: 2 * factors)
      for row in rows {
        for place in 0..<(2 * factors) { totals[place] += jumps[row * 2 * factors + place] }
      }
      let scale = 2 * variance * Double(rows.count)
      return totals.indices.map { place in
        place < factors ? 1 - totals[place] / scale : totals[place] / scale
      }
    }
  }
}
