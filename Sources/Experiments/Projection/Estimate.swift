package import EventKernel

/// A figure over replications: mean and percentiles, each with its confidence interval.
package struct Estimate: Sendable {
  package var count: Int
  package var mean: Double
  /// Half-width of the 95 % interval of the mean; nil with fewer than two values, and where they
  /// are too skewed for so few.
  package var halfWidth: Double?
  /// Replications that an interval of the mean takes; nil where it has one, or too few values to
  /// tell.
  package var needed: Int?
  package var standardDeviation: Double?
  /// What `mean` and `halfWidth` are made of, where pairs or controls were at hand.
  package var reduced: ReducedMean?
  /// The mean of the values, whatever the controls say.
  package var plainMean: Double
  /// P5, P10, P50, P90, P95 by linear interpolation between order statistics, each with the 95 %
  /// interval of `QuantileInterval`: two order statistics, an end nil where the values are too few.
  package var quantiles: [EstimatedInterval]

  /// The percentiles of every estimate.
  package static let shares: [Double] = [0.05, 0.10, 0.50, 0.90, 0.95]
  /// Their names in files, in the same order.
  package static let names = ["p5", "p10", "p50", "p90", "p95"]

  /// Replications that Student's interval of the mean takes where the values are too skewed for so
  /// few; nil where it holds.
  ///
  /// Cochran's rule (1977, *Sampling Techniques*, §2.15): at least 25 · skewness². Skewness that so
  /// few values of a symmetric figure show by chance, up to twice its standard error √(6/n), does
  /// not count. At 20 lognormal values the interval without the rule covered 85 %.
  ///
  /// - Complexity: O(n).
  package static func needed(_ values: [Double]) -> Int? {
    let count = Double(values.count)
    guard count > 2 else { return nil }
    let mean = values.reduce(0, +) / count
    var (squares, cubes) = (0.0, 0.0)
    for value in values {
      let distance = value - mean
      squares += distance * distance
      cubes += distance * distance * distance
    }
    guard squares > 0 else { return nil }
    let spread = squares / count
    let skewness = abs(cubes / count) / (spread * spread.squareRoot())
    let needed = Int(min(1e9, (25 * skewness * skewness).rounded(.up)))
    return needed > values.count && skewness > 2 * (6 / count).squareRoot() ? needed : nil
  }

  /// P5, P10, P50, P90, P95.
  package var percentiles: [Double] { quantiles.map(\.estimate) }

  /// Nil without a value, and where one is not finite.
  package init?(_ values: [Double]) {
    var tally = Tally()
    for value in values {
      guard (try? tally.add(value)) != nil else { return nil }
    }
    guard let sample = try? SampleQuantiles(values) else { return nil }
    self.init(tally, sample)
  }

  /// Nil without a value.
  ///
  /// - Parameters:
  ///   - tally: Of the values.
  ///   - sample: The same values in order.
  ///   - pairs: Those of the values that are in pairs.
  package init?(
    _ tally: Tally, _ sample: SampleQuantiles, pairs: PairedValues = PairedValues()
  ) {
    guard let mean = tally.mean else { return nil }
    count = tally.count
    self.mean = mean
    plainMean = mean
    standardDeviation = tally.standardDeviation
    needed = Estimate.needed(sample.sorted)
    halfWidth = needed == nil ? (try? tally.interval())?.halfWidth : nil
    quantiles = Estimate.shares.compactMap {
      (try? QuantileInterval(sample, probability: $0, pairs: pairs))?.interval
    }
    guard quantiles.count == Estimate.shares.count else { return nil }
  }
}
