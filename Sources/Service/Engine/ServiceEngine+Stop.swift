internal import Dispatch
internal import Synchronization

/// How a service's writer ended when it was told to stop.
package enum WriterEnd: Sendable, Equatable {
  /// All that was handed in is answered, and the store is let go.
  case whole
  /// All that clients asked for is answered; it was left while it waited for the store, or kept a state.
  case saved
  /// It was left while it waited for the store: so many requests of clients were begun and may be
  /// saved, and so many were not begun. All of them were told so.
  case unsaved(begun: Int, waiting: Int)
}

/// When the stop of a writer has to be over.
struct StopLimit: Sendable {
  /// The part of the time in which requests are still taken: those that were on their way.
  private static let open = 0.8

  var closes: ContinuousClock.Instant
  var ends: ContinuousClock.Instant

  init(seconds: Double) {
    closes = .now + .seconds(seconds * Self.open)
    ends = .now + .seconds(seconds)
  }
}

/// A stop goes on until all is saved, but no longer than it may: a database that hangs would hold it
/// for minutes.
extension ServiceEngine {
  /// From here on the writer has some seconds to stop, whether or not `stop` was called by then. The
  /// first call counts.
  package func limitStop(seconds: Double) {
    inbox.withLock { inbox in
      if inbox.stopLimit == nil { inbox.stopLimit = StopLimit(seconds: seconds) }
    }
  }

  /// Ends when all that was handed in is answered, and the writer has ended or was left. Blocks until
  /// then.
  ///
  /// - Parameter seconds: As for `limitStop`; nil to wait for as long as it takes.
  @discardableResult
  package func stop(within seconds: Double? = nil) -> WriterEnd {
    if let seconds { limitStop(seconds: seconds) }
    inbox.withLock { $0.isClosed = true }
    wake.signal()
    ended.wait()
    ended.signal()
    return inbox.withLock { $0.end } ?? .whole
  }

  /// Takes nothing more, and leaves the writer, when the time for it has come.
  func endStopInTime() {
    let now = ContinuousClock.now
    let limit = inbox.withLock { inbox in
      guard inbox.end == nil, let limit = inbox.stopLimit, now >= limit.closes else {
        return nil as StopLimit?
      }
      inbox.isClosed = true
      return limit
    }
    // At all other times a writer with nothing to do sleeps.
    guard let limit else { return }
    wake.signal()
    guard now >= limit.ends else { return }
    let left: (begun: ArraySlice<Waiting>, waiting: [Waiting])? = inbox.withLock { inbox in
      guard inbox.end == nil else { return nil }
      let waiting = inbox.jobs.count { $0.job.changesSomething }
      inbox.end =
        inbox.begun + waiting == 0 ? .saved : .unsaved(begun: inbox.begun, waiting: waiting)
      defer { (inbox.taken, inbox.jobs) = ([], []) }
      return (inbox.taken, inbox.jobs)
    }
    guard let left else { return }
    for one in left.begun { one.job.refuse(.stopping(mayBeDone: one.job.changesSomething)) }
    for one in left.waiting { one.job.refuse(.stopping(mayBeDone: false)) }
    ended.signal()
  }
}
