package import Quantities

/// How far a run has come.
package struct RunProgress: Sendable {
  package var simulated: Instant
  package var start: Instant
  package var end: Instant
  /// The share of the run's expected work that is done, 0...1.
  package var done: Double
  package var events: Int64
  package var acceptedScans: Int64

  package init(
    simulated: Instant, start: Instant, end: Instant, done: Double, events: Int64,
    acceptedScans: Int64
  ) {
    self.simulated = simulated
    self.start = start
    self.end = end
    self.done = done
    self.events = events
    self.acceptedScans = acceptedScans
  }
}
