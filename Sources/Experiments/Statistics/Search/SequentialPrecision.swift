package import EventKernel

/// Replicates until the interval of a mean is narrow enough.
///
/// After a first stage, the number still missing is projected from the variance so far: the
/// smallest n whose Student's t half-width would meet the target, at most doubling at a time so
/// that one small variance by chance does not decide. It stops at the first look that meets the
/// target; because it looks repeatedly, coverage may fall a little short of the level (Chow and
/// Robbins 1965, doi:10.1214/aoms/1177700156: exact as the target shrinks).
package struct SequentialPrecision: Equatable, Sendable {
  /// How narrow is narrow enough.
  package enum Target: Equatable, Sendable {
    /// Half-width at most this, in the figure's unit.
    case absolute(Double)
    /// Half-width at most this share γ of the mean's size; asked as γ / (1 + γ) of the estimated
    /// mean, which keeps the error relative to the **true** mean at most γ (Law 2015, §9.4.1).
    case relative(Double)
  }

  /// What to do next.
  package enum Step: Equatable, Sendable {
    /// Run so many more replications, at least 1, and add their values.
    case more(Int)
    /// The target is met.
    case reached(ConfidenceInterval)
    /// The maximum is spent and the target is not met.
    case exhausted(ConfidenceInterval)
  }

  package let target: Target
  /// Coverage, above 0 and below 1.
  package let level: Double
  /// Replications before the first look, at least 10.
  package let first: Int
  /// Most replications, at least `first`.
  package let maximum: Int
  /// What was observed so far.
  package private(set) var tally = Tally()

  /// - Throws: `EstimatorError.badParameter` for a target that is not above 0 and finite, a level
  ///   not within 0 and 1, `first` below 10 or `maximum` below `first`.
  package init(
    target: Target, level: Double = 0.95, first: Int = 10, maximum: Int = 200
  ) throws(EstimatorError) {
    let wanted =
      switch target {
      case .absolute(let width): width
      case .relative(let share): share
      }
    guard wanted > 0, wanted.isFinite else { throw .badParameter(name: "target", value: wanted) }
    guard level > 0, level < 1 else { throw .badParameter(name: "level", value: level) }
    guard first >= 10 else { throw .badParameter(name: "first", value: Double(first)) }
    guard maximum >= first else { throw .badParameter(name: "maximum", value: Double(maximum)) }
    self.target = target
    self.level = level
    self.first = first
    self.maximum = maximum
  }

  /// Adds the value of one replication.
  ///
  /// - Throws: `EstimatorError.notFinite`; nothing has changed then.
  package mutating func add(_ value: Double) throws(EstimatorError) { try tally.add(value) }

  /// The half-width asked for, given the mean so far.
  private var allowed: Double {
    switch target {
    case .absolute(let width): width
    case .relative(let share): share / (1 + share) * abs(tally.mean ?? 0)
    }
  }

  /// Says whether to go on, and by how many replications.
  ///
  /// - Throws: `EstimatorError.gsl` when Student's quantile cannot be had.
  /// - Complexity: O(log n) quantiles.
  package func next() throws(EstimatorError) -> Step {
    guard tally.count >= first else { return .more(first - tally.count) }
    let interval = try tally.interval(level: level)
    if interval.halfWidth <= allowed { return .reached(interval) }
    if tally.count >= maximum { return .exhausted(interval) }
    let variance = tally.variance ?? 0
    var low = tally.count + 1
    var high = max(low, min(maximum, 2 * tally.count))
    while low < high {
      let middle = low + (high - low) / 2
      let projected = try ConfidenceInterval(
        mean: 0, variance: variance, count: middle, level: level)
      if projected.halfWidth <= allowed { high = middle } else { low = middle + 1 }
    }
    return .more(low - tally.count)
  }
}
