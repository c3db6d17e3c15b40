internal import Synchronization

/// How often each member may ask: a bucket of tokens that fills at a rate.
///
/// Buckets that are full are forgotten, so that memory follows those who ask now.
final class RateLimit: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var filled: ContinuousClock.Instant
  }

  private let buckets = Mutex<[UInt32: Bucket]>([:])
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
    buckets.withLock { kept in
      if kept.count >= 65_536 { kept = kept.filter { tokens(in: $0.value, now) < burst } }
      var left = kept[member].map { tokens(in: $0, now) } ?? burst
      guard left >= 1 else { return (1 - left) / perSecond }
      left -= 1
      kept[member] = Bucket(tokens: left, filled: now)
      return nil
    }
  }

  private func tokens(in bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(bucket.tokens + (now - bucket.filled).seconds * perSecond, burst)
  }
}
