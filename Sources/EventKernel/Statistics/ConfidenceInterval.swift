internal import CGSL

/// An interval around a mean that covers the true one with a stated probability.
public struct ConfidenceInterval: Equatable, Sendable, CustomStringConvertible {
  /// Estimate, the middle of the interval.
  public let mean: Double
  /// Half the interval's width, at least 0.
  public let halfWidth: Double
  /// Probability of covering the true mean, above 0 and below 1.
  public let level: Double
  /// Observations that it rests on.
  public let count: Int

  /// Student's t interval from the mean and variance of independent, roughly normal observations.
  ///
  /// Half-width: t quantile of (1 + level) / 2 at count − 1 degrees of freedom, by
  /// `gsl_cdf_tdist_Pinv`, times √(variance / count).
  ///
  /// - Throws: `EstimatorError` when a number is not finite, there are fewer than two
  ///   observations, or the level is not between 0 and 1.
  public init(
    mean: Double, variance: Double, count: Int, level: Double = 0.95
  ) throws(EstimatorError) {
    guard mean.isFinite else { throw .notFinite(mean) }
    guard variance.isFinite else { throw .notFinite(variance) }
    guard variance >= 0 else { throw .badParameter(name: "variance", value: variance) }
    guard count >= 2 else { throw .tooFew(count: count, needed: 2) }
    let quantile = try Self.studentQuantile(
      level: level, degreesOfFreedom: Double(count - 1))
    self.mean = mean
    halfWidth = quantile * (variance / Double(count)).squareRoot()
    self.level = level
    self.count = count
  }

  /// The factor of a two-sided Student's t interval.
  ///
  /// - Throws: `EstimatorError.badParameter` unless 0 < level < 1 and the degrees of freedom are
  ///   finite and above 0.
  public static func studentQuantile(
    level: Double, degreesOfFreedom: Double
  ) throws(EstimatorError) -> Double {
    guard level > 0, level < 1 else { throw .badParameter(name: "level", value: level) }
    guard degreesOfFreedom > 0, degreesOfFreedom.isFinite else {
      throw .badParameter(name: "degreesOfFreedom", value: degreesOfFreedom)
    }
    GSLRuntime.prepare()
    let quantile = gsl_cdf_tdist_Pinv((1 + level) / 2, degreesOfFreedom)
    guard quantile.isFinite else { throw .gsl(function: "gsl_cdf_tdist_Pinv") }
    return quantile
  }

  /// Lower end.
  public var low: Double { mean - halfWidth }
  /// Upper end.
  public var high: Double { mean + halfWidth }
  /// True when `value` is in the interval, ends included.
  public func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// 'mean ± half-width'.
  public var description: String { "\(mean) ± \(halfWidth)" }
}
