/// Count, mean, variance, minimum and maximum of observations, each seen once.
///
/// Source: Welford 1962, doi:10.1080/00401706.1962.10490022; merging by Chan, Golub and LeVeque
/// 1982, doi:10.1007/978-3-642-51461-6_3
///
/// An empty one has infinite ends: to write it as JSON, an encoder needs a `nonConformingFloatEncodingStrategy`.
public struct Tally: Equatable, Sendable, BitwiseCopyable, Codable {
  @usableFromInline var observations: Int
  @usableFromInline var runningMean: Double
  @usableFromInline var squares: Double
  @usableFromInline var lowest: Double
  @usableFromInline var highest: Double

  /// Makes an empty tally.
  @inlinable
  public init() {
    observations = 0
    runningMean = 0
    squares = 0
    lowest = .infinity
    highest = -.infinity
  }

  /// Adds one observation.
  ///
  /// - Throws: `EstimatorError.notFinite`; the tally is then unchanged.
  /// - Complexity: O(1).
  @inlinable
  public mutating func add(_ value: Double) throws(EstimatorError) {
    guard value.isFinite else { throw .notFinite(value) }
    addFinite(value)
  }

  /// Adds one observation that is known to be finite.
  @inlinable
  @inline(__always)
  mutating func addFinite(_ value: Double) {
    observations &+= 1
    let delta = value - runningMean
    runningMean += delta / Double(observations)
    squares += delta * (value - runningMean)
    lowest = value < lowest ? value : lowest
    highest = value > highest ? value : highest
  }

  /// Adds all observations of another tally.
  public mutating func merge(_ other: Tally) {
    if other.observations == 0 { return }
    if observations == 0 {
      self = other
      return
    }
    let total = Double(observations + other.observations)
    let delta = other.runningMean - runningMean
    let share = Double(other.observations) / total
    squares += other.squares + delta * delta * Double(observations) * share
    runningMean += delta * share
    observations += other.observations
    lowest = min(lowest, other.lowest)
    highest = max(highest, other.highest)
  }

  /// Number of observations.
  @inlinable public var count: Int { observations }
  /// Mean; nil without observations.
  public var mean: Double? { observations > 0 ? runningMean : nil }
  /// Unbiased variance, in the square of the observations' unit; nil below two observations.
  public var variance: Double? { observations > 1 ? squares / Double(observations - 1) : nil }
  /// Square root of the variance; nil below two observations.
  public var standardDeviation: Double? { variance?.squareRoot() }
  /// Smallest observation; nil without observations.
  public var minimum: Double? { observations > 0 ? lowest : nil }
  /// Largest observation; nil without observations.
  public var maximum: Double? { observations > 0 ? highest : nil }

  /// Interval for the mean of **independent** observations, by Student's t.
  ///
  /// - Parameter level: Coverage, above 0 and below 1.
  /// - Throws: `EstimatorError.tooFew` below two observations, `.badParameter` for the level.
  public func interval(level: Double = 0.95) throws(EstimatorError) -> ConfidenceInterval {
    guard let variance else { throw .tooFew(count: observations, needed: 2) }
    return try ConfidenceInterval(
      mean: runningMean, variance: variance, count: observations, level: level)
  }
}
