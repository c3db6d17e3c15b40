internal import CKernel
private import Foundation

/// The clock that load is offered by.
package protocol LoadClock {
  /// Nanoseconds since some instant in the past; they never go back.
  func now() -> Int64

  /// Waits for an instant and returns what the clock then shows, which is not before it.
  func wait(until instant: Int64) -> Int64
}

/// The clock on the wall.
///
/// It sleeps until shortly before an instant and spins for the rest, since the system wakes a
/// sleeping thread some ten microseconds late and often later.
package struct WallClock: LoadClock {
  /// Nanoseconds for which it spins at most.
  package static let spin: Int64 = 200_000

  /// The clock; all are the same one.
  package init() {}

  /// Nanoseconds since the system started.
  package func now() -> Int64 { Self.read(CLOCK_MONOTONIC) }

  /// Nanoseconds for which the calling thread had a processor, since it began.
  package func processorTime() -> Int64 { Self.read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Sleeps, then spins.
  package func wait(until instant: Int64) -> Int64 {
    var now = now()
    while now < instant {
      let rest = instant - now - Self.spin
      if rest > 0 {
        var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
        nanosleep(&time, nil)
      } else {
        ck_pause()
      }
      now = self.now()
    }
    return now
  }
}
