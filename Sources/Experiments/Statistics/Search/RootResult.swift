/// What a point showed.
package enum RootVerdict: String, Equatable, Sendable {
  /// The interval is where the requirement is met.
  case feasible
  /// The interval is where it is not met, or fresh replications contradicted the point.
  case infeasible
  /// The cap is spent and the interval holds the target.
  case undecided
}

/// One value of the setting at which the figure was estimated.
package struct RootPoint: Equatable, Sendable {
  /// Value of the setting.
  package let x: Double
  /// The figure, at the level of one look, from the replications of the search.
  package let figure: EstimatedInterval
  /// What the search made of it; `infeasible` after a failed confirmation.
  package internal(set) var verdict: RootVerdict
  /// The figure from fresh replications, at the level of one confirmation; nil unless this was a
  /// candidate.
  package internal(set) var confirmation: EstimatedInterval?

  /// True when fresh replications contradicted it.
  package var isContradicted: Bool { confirmation != nil && verdict == .infeasible }
}

/// The value found.
package struct RootAnswer: Equatable, Sendable {
  /// The last value of the setting that was shown to meet the requirement; the root is beyond it.
  package let x: Double
  /// The figure there: from fresh replications, unless confirmation was left out.
  package let figure: EstimatedInterval
  /// True when the estimate from fresh replications meets the requirement there. They are not asked
  /// where it ceases to be met.
  package let isConfirmed: Bool
  /// True when the figure's whole interval is where the requirement is met.
  package let isShown: Bool
  /// The nearest value beyond it that was tried: shown not to meet the requirement, undecided,
  /// contradicted by fresh replications, or too close to one that was.
  package let neighbour: RootPoint
  /// The nearest value beyond it that the search's own replications show not to meet the
  /// requirement: the root is between the two. Nil when none was shown.
  package let limit: RootPoint?
}

/// Two points whose intervals contradict a monotone figure.
package struct RootContradiction: Equatable, Sendable {
  package let lower: RootPoint
  package let upper: RootPoint
}

/// How a search ended.
package enum RootOutcome: Equatable, Sendable {
  /// Part of the range meets the requirement; here is the last value shown to.
  case found(RootAnswer)
  /// Every point tried meets it: the requirement does not bind at any of them.
  case everywhereFeasible
  /// No point tried meets it, and that is shown.
  case nowhereFeasible
  /// Points are undecided, and without them there is no root to bracket: more replications would
  /// tell.
  case notShown
  /// Fresh replications contradicted every point that was put to them.
  case notConfirmed
  /// What was shown changes more than once along the range: there is no single root to bracket.
  case notMonotone
}
