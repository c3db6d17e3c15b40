package import EventKernel

/// A figure over replications: mean and percentiles, each with its confidence interval.
package struct Estimate: Sendable {
  package var count: Int
  package var mean: Double
  /// Half-width of the 95 % interval of the mean, `widening` times Student's; nil with fewer than
  /// two values.
  package var halfWidth: Double?
  /// By how much the values' skewness widens the interval of the mean, at least 1.
  package var widening: Double
  package var standardDeviation: Double?
  /// What `mean` and `halfWidth` are made of, where pairs or controls were at hand.
  package var reduced: ReducedMean?
  /// The mean of the values, whatever the controls say.
  package var plainMean: Double
  /// P5, P10, P50, P90, P95 by linear interpolation between order statistics, each with the 95 %
  /// interval of `QuantileInterval`: two order statistics, an end nil where the values are too few.
  package var quantiles: [EstimatedInterval]
  /// The largest of the values.
  package var largest: Double

  /// Whether several values are all the same. The interval of the mean has no width then, which is
  /// not to say that other replications cannot have other values.
  package var isConstant: Bool { standardDeviation == 0 }

  /// The percentiles of every estimate.
  package static let shares: [Double] = [0.05, 0.10, 0.50, 0.90, 0.95]
  /// Their names in files, in the same order.
  package static let names = ["p5", "p10", "p50", "p90", "p95"]

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
    largest = sample.sorted.last ?? mean
    let widening = SkewedMean.widening(sample.sorted, observations: tally.count - pairs.count)
    self.widening = widening
    halfWidth = (try? tally.interval()).map { $0.halfWidth * widening }
    quantiles = Estimate.shares.compactMap {
      (try? QuantileInterval(sample, probability: $0, pairs: pairs))?.interval
    }
    guard quantiles.count == Estimate.shares.count else { return nil }
  }
}
