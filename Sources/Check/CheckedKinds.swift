package import RewardModel

/// What a campaign looks at and lets go wrong: a program's own, and what every program has.
package enum CheckedKinds {
  /// Kinds of faults.
  package static func faults(_ programme: any CheckedProgramme.Type) -> [FaultKind] {
    programme.faultKinds + [StoredCase.kind]
  }

  /// Promises.
  package static func invariants(_ programme: any CheckedProgramme.Type) -> [InvariantName] {
    programme.checkedInvariants + StoredCase.invariants
  }
}
