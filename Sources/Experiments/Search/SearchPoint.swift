internal import EventKernel

/// One replication of a search: the objective's figure and a sample a condition.
package struct SearchObservation: Equatable, Sendable {
  /// Finite, in the figure's unit.
  package let objective: Double
  package let conditions: [ConditionSample]

  /// One replication; `conditions` in the order of the plan.
  package init(objective: Double, conditions: [ConditionSample]) {
    self.objective = objective
    self.conditions = conditions
  }
}

/// Figures of one point from one set of replications.
package struct SearchFigures: Equatable, Sendable {
  /// Mean of the objective with Student's interval.
  package let objective: EstimatedInterval
  /// One a condition, in the order of the plan.
  package let conditions: [EstimatedInterval]
  /// How far each condition is missed; at most 0 where it is met. See `SearchCondition.excess`.
  package let excesses: [Double]
  /// What the replications say of each condition.
  package let verdicts: [SearchVerdict]
  /// Whether the estimates meet all conditions.
  package let isMet: Bool

  /// The figures of replications at a level, under conditions.
  ///
  /// - Throws: `StatisticsError` for fewer than two replications, or a value that is not finite.
  package init(
    _ observations: [SearchObservation], _ conditions: [SearchCondition], level: Double
  ) throws(StatisticsError) {
    var tally = Tally()
    var samples = [[ConditionSample]](repeating: [], count: conditions.count)
    for observation in observations {
      guard observation.conditions.count == conditions.count else {
        throw .lengths(
          name: "conditions", count: observation.conditions.count, needed: conditions.count)
      }
      try StatisticsError.estimating { () throws(EstimatorError) in
        try tally.add(observation.objective)
      }
      for (place, sample) in observation.conditions.enumerated() {
        try StatisticsError.requireFinite([sample.margin])
        if conditions[place].figure == .probability, sample.value != 0, sample.value != 1 {
          throw .notZeroOrOne(sample.value)
        }
        samples[place].append(sample)
      }
    }
    let done = tally
    objective = try StatisticsError.estimating { () throws(EstimatorError) in
      EstimatedInterval(try done.interval(level: level))
    }
    var intervals: [EstimatedInterval] = []
    for (condition, some) in zip(conditions, samples) {
      intervals.append(
        try StatisticsError.estimating { () throws(EstimatorError) in
          try condition.interval(some, level: level)
        })
    }
    self.conditions = intervals
    excesses = zip(conditions, samples).map { $0.excess($1) }
    verdicts = zip(conditions, intervals).map { $0.verdict($1) }
    isMet = !verdicts.contains(.doesNotHold)
  }

  /// What holds of all conditions together: the least of their verdicts.
  package var verdict: SearchVerdict {
    if !isMet { return .doesNotHold }
    return verdicts.contains(.byEstimate) ? .byEstimate : .shown
  }
}

/// What replications say of a condition.
package enum SearchVerdict: String, Equatable, Sendable {
  /// The whole interval is on the side of the bound where the condition holds.
  case shown
  /// The estimate does, but not the whole interval.
  case byEstimate = "holds_by_estimate"
  /// Not even the estimate does.
  case doesNotHold = "does_not_hold"
}

/// One point at which a search ran the model.
package struct SearchPoint: Equatable, Sendable {
  /// One value an axis, in the setting's unit.
  package let values: [Double]
  /// The same as shares of the ranges, from 0 to 1.
  package let place: [Double]
  /// From the replications of the search, at 95 % each.
  package let figures: SearchFigures
  /// Whether it was left after the first few replications, as hopeless.
  package let isLeftEarly: Bool
  /// From fresh replications; nil unless it was a candidate.
  package internal(set) var confirmation: SearchFigures?

  /// Whether fresh replications contradicted it.
  package var isContradicted: Bool { confirmation.map { !$0.isMet } ?? false }
}

/// How a search over several settings ended.
package enum SearchOutcome: Equatable, Sendable {
  /// Fresh replications confirm the point of this number.
  case found(Int)
  /// No point met the conditions; the one of this number missed them least.
  case nowhereFeasible(leastBad: Int)
  /// Points met them, but fresh replications contradicted every one that was put to them. The one
  /// of this number is the best left: contradicted, too, or never put to them.
  case notConfirmed(leastBad: Int)
}

/// How often a search took its rarer ways.
package struct SearchCounts: Equatable, Sendable {
  /// Points proposed that had been run before.
  package var cacheHits = 0
  /// Points left after the first few replications.
  package var leftEarly = 0
  /// Confirmations that contradicted a point, and tightened the search unless nothing was left.
  package var tightenings = 0
}
