extension ServiceLoad {
  /// How a load is sent.
  package struct Settings: Sendable {
    /// The most connections at once.
    package var connections = 512
    /// Seconds after which a request without an answer has failed.
    package var timeout = 30.0
    /// Seconds before the second attempt; each further wait is twice as long.
    package var backOff = 2.0
    /// Attempts after the first.
    package var retries = 5
    /// Mean seconds between an answer and the session's next step, exponential.
    package var think = 0.0
    /// Seconds after the last start in which sessions may end.
    package var drain = 70.0
    /// Whether acknowledged requests are kept for an audit.
    package var keepsAcknowledgements = false
    /// Watches of a run's thresholds; a missed one ends it where `aborts`.
    package var thresholds: [LoadThreshold] = []
    package var aborts = false
    /// Whether the service is asked before and after a load what its writer did: not one with calls
    /// of its own.
    package var asksForWork = true
    /// Asked while a load is prepared; true ends it.
    package var isStopped: @Sendable () -> Bool = { false }

    /// The defaults.
    package init() {}
  }
}
