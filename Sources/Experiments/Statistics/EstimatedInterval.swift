package import EventKernel

/// An estimate with an interval around it that need not be symmetric and may be open on a side.
package struct EstimatedInterval: Equatable, Sendable {
  /// The estimate, in the figure's unit.
  package let estimate: Double
  /// Lower end; nil when the sample is too small to give one.
  package let low: Double?
  /// Upper end; nil when the sample is too small to give one.
  package let high: Double?
  /// Stated probability of covering the true value, above 0 and below 1.
  package let level: Double
  /// Observations that it rests on.
  package let count: Int

  /// Half the distance of the ends; nil when one is unknown.
  package var halfWidth: Double? {
    guard let low, let high else { return nil }
    return (high - low) / 2
  }

  /// True when `value` is in the interval, ends included; an unknown end excludes nothing.
  package func contains(_ value: Double) -> Bool {
    (low ?? -.infinity) <= value && value <= (high ?? .infinity)
  }
}

extension EstimatedInterval {
  /// The same as a symmetric interval of a mean.
  package init(_ interval: ConfidenceInterval) {
    self.init(
      estimate: interval.mean, low: interval.low, high: interval.high, level: interval.level,
      count: interval.count)
  }
}
