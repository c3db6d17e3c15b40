internal import Foundation
package import Quantities
internal import Synchronization

/// The time of a service: its days, mornings and payouts turn by it and by nothing else.
package protocol ServiceClock: Sendable {
  /// Now; never earlier than what was answered before.
  var now: Instant { get }
  /// Its seconds a second of the wall clock; 0 where it moves when somebody says so.
  var speed: Double { get }
  /// Seconds of the wall clock until an instant, at most; nil where it comes when somebody says so.
  func wait(until instant: Instant) -> Double?
}

/// The wall clock, or one that runs faster than it.
package struct RunningClock: ServiceClock {
  private let origin: Instant
  private let started: ContinuousClock.Instant
  package let speed: Double

  /// - Parameters:
  ///   - origin: What it shows now; the wall clock's time by default.
  ///   - speed: Seconds a second, above zero.
  package init(from origin: Instant? = nil, speed: Double = 1) {
    self.origin = origin ?? RunningClock.wallTime
    self.speed = speed
    started = ContinuousClock.now
  }

  /// The wall clock's time.
  package static var wallTime: Instant {
    Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
  }

  package var now: Instant {
    let elapsed = (ContinuousClock.now - started).components
    let micros = Double(elapsed.seconds) * 1e6 + Double(elapsed.attoseconds) / 1e12
    return origin + TimeSpan(microseconds: Int64(micros * speed))
  }

  /// The seconds until an instant, at its speed.
  package func wait(until instant: Instant) -> Double? {
    max(Double((instant - now).microseconds) / 1e6 / speed, 0)
  }
}

/// A clock that stands still until somebody moves it.
package final class ManualClock: ServiceClock {
  private let time: Mutex<Instant>

  /// A clock that shows an instant.
  package init(_ start: Instant) { time = Mutex(start) }

  package var now: Instant { time.withLock { $0 } }

  package var speed: Double { 0 }

  /// Nobody knows when it is moved.
  package func wait(until instant: Instant) -> Double? { nil }

  /// Moves the hands forward; backward is refused.
  package func advance(to instant: Instant) {
    time.withLock {
      precondition(instant >= $0, "time does not run backward")
      $0 = instant
    }
  }
}
