/// What a point showed.
package enum RootVerdict: String, Equatable, Sendable {
  /// The interval lies where the requirement is met.
  case feasible
  /// The interval lies where it is not met, or fresh replications contradicted the point.
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
  /// The figure from fresh replications, at the full level; nil unless this was a candidate.
  package internal(set) var confirmation: EstimatedInterval?
}

/// The value found.
package struct RootAnswer: Equatable, Sendable {
  /// The last value of the setting that meets the requirement.
  package let x: Double
  /// The figure there: from fresh replications, unless confirmation was left out.
  package let figure: EstimatedInterval
  /// True when fresh replications agree that the requirement is met.
  package let isConfirmed: Bool
  /// The nearest value, on the root's other side, that does not meet it or could not be shown to.
  package let neighbour: RootPoint
}

/// Two points whose intervals contradict a monotone figure.
package struct RootContradiction: Equatable, Sendable {
  package let lower: RootPoint
  package let upper: RootPoint
}

/// How a search ended.
package enum RootOutcome: Equatable, Sendable {
  /// One end of the range meets the requirement and the other does not; here is where it turns.
  case found(RootAnswer)
  /// Every point tried meets it: the requirement does not bind.
  case everywhereFeasible
  /// No point tried meets it, and that is shown.
  case nowhereFeasible
  /// No point could be shown to meet it, but some might: more replications would tell.
  case notShown
  /// Both ends agree and a point between does not: there is no single root to bracket.
  case notMonotone
}
