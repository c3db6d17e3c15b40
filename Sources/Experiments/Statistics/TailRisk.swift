package import EventKernel
internal import Foundation

/// Value at risk and expected shortfall of **losses**: great values are bad, so both look at the
/// upper tail. For a quantity of which little is bad, pass its negative.
///
/// - VaR_p is the smallest loss that at least a share p of the sample does not exceed. Its interval
///   is that of `QuantileInterval`, by order statistics.
/// - CVaR_p (expected shortfall, conditional tail expectation) is the mean of the worst 1 − p of
///   the sample: VaR_p + Σ(x − VaR_p)⁺ / (n (1 − p)), which counts the boundary observation with
///   the share that falls into the tail. Source: Rockafellar and Uryasev 2002,
///   doi:10.1016/S0378-4266(02)00271-6
///
/// The interval of CVaR is a studentized bootstrap: the standard error is that of the terms
/// (x − VaR_p)⁺ / (1 − p) (Manistre and Hancock 2005, doi:10.1080/10920277.2005.10596207), and the
/// quantiles of (CVaR* − CVaR) / error* over resamples take the place of Student's, which undo the
/// skewness of a tail (Hall 1988, doi:10.1214/aos/1176350933). On samples of the exponential and
/// the normal with 10 to 50 observations in the tail, 95 % intervals covered 93 to 96 %; the
/// normal interval without bootstrap covered 88 to 94 %. Where observations are in antithetic
/// pairs, the standard error is that of the pairs' means of these terms.
package struct TailRisk: Equatable, Sendable {
  /// Fewest observations expected in the tail for CVaR to get an interval.
  package static let tailNeeded = 10.0

  /// Whether so many observations have at least one beyond a percentile, on average: 20 of them for
  /// P95. With fewer, neither the percentile nor what is beyond it rests on anything.
  package static func isObserved(_ count: Int, beyond probability: Double) -> Bool {
    Double(count) * (1 - probability) >= 1 - 1e-9
  }

  /// p, above 0 and below 1.
  package let probability: Double
  /// Value at risk, in the losses' unit.
  package let valueAtRisk: EstimatedInterval
  /// Expected shortfall, in the losses' unit; without ends when n (1 − p) is below `tailNeeded`.
  package let expectedShortfall: EstimatedInterval

  /// - Parameters:
  ///   - losses: Observations, sorted; independent but for their pairs.
  ///   - probability: p, above 0 and below 1, such as 0.95 or 0.99.
  ///   - level: Coverage of the intervals, above 0 and below 1.
  ///   - resamples: Bootstrap resamples, at least 100.
  ///   - seed: Names the resamples; the same seed gives the same interval.
  ///   - pairs: Those of the losses that are in pairs.
  /// - Throws: `EstimatorError.badParameter`, `.gsl`.
  /// - Complexity: O(log n + resamples × n (1 − p)): a resample draws its own tail only.
  package init(
    _ losses: SampleQuantiles, probability: Double, level: Double = 0.95, resamples: Int = 1_000,
    seed: UInt64 = 0, pairs: PairedValues = PairedValues()
  ) throws(EstimatorError) {
    guard resamples >= 100 else {
      throw .badParameter(name: "resamples", value: Double(resamples))
    }
    let quantile = try QuantileInterval(
      losses, probability: probability, level: level, pairs: pairs)
    let count = losses.sorted.count
    let atRisk = try losses.orderStatistic(probability)
    let rank = max(1, min(count, Int((probability * Double(count)).rounded(.up))))
    let tail = Array(losses.sorted[(rank - 1)...].reversed())
    let shortfall = Shortfall(tail: tail, count: count, probability: probability)
    var low: Double?
    var high: Double?
    // The small allowance is for products such as 200 × (1 − 0.95), just below 10.
    if Double(count) * (1 - probability) >= Self.tailNeeded - 1e-9,
      let factors = try Self.studentFactors(
        losses.sorted, shortfall: shortfall, tailCount: tail.count, probability: probability,
        level: level, resamples: resamples, seed: seed)
    {
      let variance = pairs.varianceFactor(total: count) { max(0, $0 - atRisk) }
      let error = shortfall.error * max(0, variance).squareRoot()
      low = shortfall.mean - factors.upper * error
      high = shortfall.mean - factors.lower * error
    }
    self.probability = probability
    valueAtRisk = EstimatedInterval(
      estimate: atRisk, low: quantile.interval.low, high: quantile.interval.high, level: level,
      count: count)
    expectedShortfall = EstimatedInterval(
      estimate: shortfall.mean, low: low, high: high, level: level, count: count)
  }

  /// Sorts the losses first.
  ///
  /// - Throws: as above, and for an empty sample or a value that is not finite.
  package init(
    losses: [Double], probability: Double, level: Double = 0.95, resamples: Int = 1_000,
    seed: UInt64 = 0
  ) throws(EstimatorError) {
    try self.init(
      try SampleQuantiles(losses), probability: probability, level: level, resamples: resamples,
      seed: seed)
  }

  /// Expected shortfall and its standard error from the tail alone.
  private struct Shortfall {
    let mean: Double
    let error: Double

    /// - Parameter tail: The greatest observations, greatest first, down to the value at risk.
    init(tail: [Double], count: Int, probability: Double) {
      let atRisk = tail[tail.count - 1]
      var sum = 0.0
      var squares = 0.0
      for loss in tail {
        sum += loss - atRisk
        squares += (loss - atRisk) * (loss - atRisk)
      }
      let n = Double(count)
      mean = atRisk + sum / (n * (1 - probability))
      let variance = count > 1 ? max(0, squares - sum * sum / n) / (n - 1) : 0
      error = (variance / n).squareRoot() / (1 - probability)
    }
  }

  /// Quantiles of the studentized resamples; nil when too many resamples have a flat tail.
  ///
  /// The greatest observations of a resample are those at the greatest of n uniform positions,
  /// and these come in falling order as exp(−Σ E_j / (n − j)), E_j exponential (Rényi 1953,
  /// doi:10.1007/BF02127580), so nothing is sorted.
  private static func studentFactors(
    _ sorted: [Double], shortfall: Shortfall, tailCount: Int, probability: Double, level: Double,
    resamples: Int, seed: UInt64
  ) throws(EstimatorError) -> (lower: Double, upper: Double)? {
    if shortfall.error == 0 { return (0, 0) }
    let count = sorted.count
    var tail = [Double](repeating: 0, count: tailCount)
    var students: [Double] = []
    students.reserveCapacity(resamples)
    for resample in 0..<resamples {
      var stream = RandomStream(
        seed: seed, purpose: ExperimentPurpose.tailBootstrap.rawValue, entity: UInt64(resample))
      var exponent = 0.0
      for place in 0..<tailCount {
        exponent += stream.standardExponential() / Double(count - place)
        tail[place] = sorted[min(count - 1, Int(exp(-exponent) * Double(count)))]
      }
      let drawn = Shortfall(tail: tail, count: count, probability: probability)
      if drawn.error > 0 { students.append((drawn.mean - shortfall.mean) / drawn.error) }
    }
    guard students.count >= resamples - resamples / 10 else { return nil }
    let quantiles = try SampleQuantiles(students)
    return (
      try quantiles.interpolated((1 - level) / 2), try quantiles.interpolated((1 + level) / 2)
    )
  }
}
