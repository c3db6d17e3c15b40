internal import Synchronization

/// How often each member may ask: a bucket of tokens that fills at a rate.
///
/// Buckets that are full are forgotten, so that memory follows those who ask now.
final class RateLimit: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var filled: ContinuousClock.Instant
  }

  private struct Kept: Sendable {
    var buckets: [UInt32: Bucket] = [:]
    /// How many there are when those that are full are looked for: twice what was left the last time,
    /// so that looking costs O(1) a request, whoever asks.
    var most = 65_536
  }

  private let kept = Mutex(Kept())
  private let perSecond: Double
  private let burst: Double

  /// - Parameters:
  ///   - perSecond: Requests a second in the long run, above 0.
  ///   - burst: Requests at once, 1 or more.
  init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Takes a token.
  ///
  /// - Returns: Seconds to wait; nil where there was one.
  func take(_ member: UInt32, now: ContinuousClock.Instant = .now) -> Double? {
    kept.withLock { kept in
      if kept.buckets.count >= kept.most {
        kept.buckets = kept.buckets.filter { tokens(in: $0.value, now) < burst }
        kept.most = max(65_536, 2 * kept.buckets.count)
      }
      var left = kept.buckets[member].map { tokens(in: $0, now) } ?? burst
      guard left >= 1 else { return (1 - left) / perSecond }
      left -= 1
      kept.buckets[member] = Bucket(tokens: left, filled: now)
      return nil
    }
  }

  private func tokens(in bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(bucket.tokens + (now - bucket.filled).seconds * perSecond, burst)
  }
}
