package import Quantities

/// How far a run has come.
package struct RunProgress: Sendable {
  package var simulated: Instant
  /// The share of the run's expected work that is done, 0...1.
  package var done: Double
  /// Events of the kernel so far.
  package var events: Int64
  /// What has been done so far, in the unit in which the programme's speed is told.
  package var pace: ReportPace

  /// Progress at a simulated instant; see the properties.
  package init(simulated: Instant, done: Double, events: Int64, pace: ReportPace) {
    self.simulated = simulated
    self.done = done
    self.events = events
    self.pace = pace
  }
}
