internal import Synchronization

/// What a service's writer has done, for whoever watches.
package final class EngineMetrics: Sendable {
  /// Counts and sums since the start.
  package struct Values: Sendable, Equatable {
    /// Requests that are durable.
    package var requests: Int64 = 0
    /// Requests that other processes wrote and this one committed again.
    package var followed: Int64 = 0
    /// Transactions.
    package var batches: Int64 = 0
    package var largestBatch = 0
    /// Seconds in the rules, and in writing.
    package var rulesSeconds = 0.0
    package var diskSeconds = 0.0
    /// For how long the writer had a processor.
    package var writerSeconds = 0.0
    /// Jobs refused because too many waited.
    package var refused: Int64 = 0
    /// Requests that were told that the store takes too long.
    package var late: Int64 = 0

    /// Requests that changed the state, here or elsewhere.
    var happened: Int64 { requests + followed }
  }

  private let state = Mutex(Values())

  /// What was counted.
  package var values: Values { state.withLock { $0 } }

  func count(batch: Int, rules: Duration, disk: Duration) {
    state.withLock {
      $0.requests += Int64(batch)
      $0.batches += 1
      $0.largestBatch = max($0.largestBatch, batch)
      $0.rulesSeconds += rules.seconds
      $0.diskSeconds += disk.seconds
    }
  }

  func count(followed: Int) {
    if followed > 0 { state.withLock { $0.followed += Int64(followed) } }
  }

  func count(writerSeconds: Double) { state.withLock { $0.writerSeconds = writerSeconds } }

  func countLate() { state.withLock { $0.late += 1 } }

  func countRefused() { state.withLock { $0.refused += 1 } }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
