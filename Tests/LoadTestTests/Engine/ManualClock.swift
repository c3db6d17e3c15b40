import LoadTest
import Synchronization

/// A clock that moves only when somebody waits or works, so that what a test measures is exact.
final class ManualClock: LoadClock {
  private let time: Atomic<Int64>
  /// How late it wakes whoever waits.
  private let lag: Int64

  init(lag: Int64 = 0) {
    self.lag = lag
    time = Atomic(5_000)
  }

  func now() -> Int64 { time.load(ordering: .relaxed) }

  func wait(until instant: Int64) -> Int64 {
    if instant > now() { time.store(instant + lag, ordering: .relaxed) }
    return now()
  }

  /// Passes some time with work.
  func work(_ nanoseconds: Int64) { time.add(nanoseconds, ordering: .relaxed) }
}
