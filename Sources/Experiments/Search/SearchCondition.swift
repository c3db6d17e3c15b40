package import EventKernel
package import Scenario

/// What one replication says of a condition.
package struct ConditionSample: Equatable, Sendable {
  /// 1 or 0 for an event that happened or did not; the figure of a mean.
  package let value: Double
  /// How far an event is from just happening, in its own unit: above 0 where it happened,
  /// below 0 where it did not. For a mean it is not read.
  package let margin: Double

  /// Both finite.
  package init(value: Double, margin: Double) {
    self.value = value
    self.margin = margin
  }
}

/// A condition on a probability or a mean, as a search over several settings sees it.
package struct SearchCondition: Equatable, Sendable {
  package let figure: RootSettings.Figure
  package let comparison: Expectation.Comparison
  /// Of a probability above 0 and below 1; of a mean in the figure's unit.
  package let bound: Double

  /// A condition; `SearchPlan.check()` judges the bound.
  package init(
    figure: RootSettings.Figure, comparison: Expectation.Comparison, bound: Double
  ) {
    self.figure = figure
    self.comparison = comparison
    self.bound = bound
  }

  /// Whether an estimate meets it.
  package func isMet(by estimate: Double) -> Bool { comparison.holds(estimate, bound) }

  /// By how much a sample misses the condition, in the unit of the margin or the mean: above 0
  /// where it is not met, at most 0 where it is.
  ///
  /// A probability P(X > b) ≤ α is met by a sample of n exactly when at most k = ⌊α n⌋ of its
  /// values exceed b, which is when the (k + 1)-th largest X − b does not exceed 0. This order
  /// statistic, the sample's quantile of 1 − α, moves with the settings without steps, while the
  /// share of events only jumps; so it says how far there is to go. Where margins are not exact,
  /// the events decide on which side of 0 the answer is.
  ///
  /// - Parameter samples: At least one.
  /// - Complexity: O(n log n).
  package func excess(_ samples: [ConditionSample]) -> Double {
    let count = samples.count
    var sum = 0.0
    for sample in samples { sum += sample.value }
    let estimate = sum / Double(count)
    let raw: Double
    switch figure {
    case .mean: raw = comparison.wantsLess ? estimate - bound : bound - estimate
    case .probability:
      let margins = samples.map(\.margin).sorted(by: >)
      let counts = 0...count
      if comparison.wantsLess {
        let allowed = counts.last { isMet(by: Double($0) / Double(count)) } ?? 0
        raw = margins[min(allowed, count - 1)]
      } else {
        let needed = counts.first { isMet(by: Double($0) / Double(count)) } ?? count
        raw = -margins[max(needed, 1) - 1]
      }
    }
    return isMet(by: estimate) ? min(raw, 0) : max(raw, 0)
  }

  /// The estimate with its interval: Wilson's of a probability, Student's of a mean.
  ///
  /// - Throws: `EstimatorError.tooFew` for fewer than two values of a mean.
  package func interval(
    _ samples: [ConditionSample], level: Double
  ) throws(EstimatorError) -> EstimatedInterval {
    var tally = Tally()
    for sample in samples { try tally.add(sample.value) }
    switch figure {
    case .mean: return EstimatedInterval(try tally.interval(level: level))
    case .probability:
      let events = Int(((tally.mean ?? 0) * Double(tally.count)).rounded())
      return try Proportion(successes: events, trials: tally.count).wilson(level: level)
    }
  }

  /// What an interval says of the condition; an end that is not known shows nothing.
  package func verdict(_ interval: EstimatedInterval) -> SearchVerdict {
    guard isMet(by: interval.estimate) else { return .doesNotHold }
    let worst = comparison.wantsLess ? interval.high : interval.low
    return worst.map { isMet(by: $0) } ?? false ? .shown : .byEstimate
  }

  /// Whether the interval leaves no hope that the condition is met.
  func isHopeless(_ interval: EstimatedInterval) -> Bool {
    let best = comparison.wantsLess ? interval.low : interval.high
    return best.map { !isMet(by: $0) } ?? false
  }
}
