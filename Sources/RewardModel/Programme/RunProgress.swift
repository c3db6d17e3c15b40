package import Quantities

/// How far a run has come.
package struct RunProgress: Sendable {
  package var simulated: Instant
  /// Events of the kernel so far.
  package var events: Int64
  /// What has been done so far, in the unit in which the programme's speed is told.
  package var pace: ReportPace
  private var share: Share

  private enum Share: Sendable {
    case known(Double)
    case expected(any ExpectedWork)
  }

  /// The share of the run's expected work that is done, 0...1.
  ///
  /// - Complexity: See `ExpectedWork`, where the run leaves it to one.
  package var done: Double {
    switch share {
    case .known(let share): share
    case .expected(let work): work.share(doneAt: simulated)
    }
  }

  /// Progress at a simulated instant; see the properties.
  package init(simulated: Instant, done: Double, events: Int64, pace: ReportPace) {
    self.simulated = simulated
    self.events = events
    self.pace = pace
    share = .known(done)
  }

  /// Progress whose share is worked out where somebody asks for it.
  package init(
    simulated: Instant, of work: any ExpectedWork, events: Int64, pace: ReportPace
  ) {
    self.simulated = simulated
    self.events = events
    self.pace = pace
    share = .expected(work)
  }
}

/// What a run is expected to do, over its time.
package protocol ExpectedWork: AnyObject, Sendable {
  /// The share of the run's work that is done at an instant, 0...1.
  func share(doneAt instant: Instant) -> Double
}
