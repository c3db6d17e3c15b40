package import Quantities

/// The model broke a promise: what must hold whatever the scenario says does not.
///
/// It is a value, so that a campaign over many seeds can continue, shrink the case and replay it.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
  /// Which promise, by id; see `RewardProgramme.invariants`.
  package var invariant: String
  /// The amounts that show it.
  package var facts: String
  /// The scenario's name.
  package var scenario: String
  /// The run's seed.
  package var seed: UInt64
  /// The simulated time at which it was found broken.
  package var time: Instant
  /// Line of the history with the row before which it was found broken; nil in a simulation.
  package var line: UInt32?

  /// Members concerned, by number from 1 on.
  package var members: [UInt64] = []
  /// What happened last to them, or at all, the latest last.
  package var events: [String] = []

  /// A broken promise of one run.
  package init(invariant: String, facts: String, scenario: String, seed: UInt64, time: Instant) {
    self.invariant = invariant
    self.facts = facts
    self.scenario = scenario
    self.seed = seed
    self.time = time
  }

  package var description: String {
    let place = line.map { ", line \($0) of the history" } ?? ""
    return "invariant \(invariant) is broken at \(time): \(facts) "
      + "(scenario \(scenario), seed \(seed)\(place))"
  }
}
