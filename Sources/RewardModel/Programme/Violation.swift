package import Quantities

/// The model broke a promise: what must hold whatever the scenario says does not.
///
/// It is returned as a value, so that whoever runs a campaign can go on, shrink and replay.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
  /// Which promise, with the amounts that show it.
  package var invariant: String
  package var scenario: String
  package var seed: UInt64
  /// The simulated time at which it was found broken.
  package var time: Instant

  package init(invariant: String, scenario: String, seed: UInt64, time: Instant) {
    self.invariant = invariant
    self.scenario = scenario
    self.seed = seed
    self.time = time
  }

  package var description: String {
    "invariant violated at \(time): \(invariant) (scenario \(scenario), seed \(seed))"
  }
}
