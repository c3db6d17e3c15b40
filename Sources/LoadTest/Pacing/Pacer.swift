/// Starts requests at the instants at which they are meant to start, one at a time.
///
/// A request that finds the one before it unfinished waits, and its wait counts: latency is measured
/// from the intended start. Measuring from the real start would leave out just those waits that a
/// slow answer causes, which is called coordinated omission.
package struct Pacer<Clock: LoadClock> {
  private let clock: Clock

  /// A pacer by a clock.
  package init(_ clock: Clock) { self.clock = clock }

  /// Offers all arrivals.
  ///
  /// - Parameters:
  ///   - arrivals: Their instants count from shortly after the call.
  ///   - proceed: Asked before each request; false ends the run there.
  ///   - request: Does one request, named by its place among the arrivals.
  /// - Throws: What `request` throws.
  package func run(
    _ arrivals: Arrivals, proceed: () -> Bool = { true }, _ request: (Int) throws -> Void
  ) rethrows -> PacedTimes {
    var times = PacedTimes(arrivals)
    let starts = arrivals.starts
    var free = clock.now()
    let begin = free + 1_000_000
    let latest = begin + Int64(arrivals.seconds * 1e9) + PacedTimes.grace
    for place in starts.indices {
      let intended = begin + starts[place]
      var start = free
      if free < intended {
        start = clock.wait(until: intended)
        times.timer.append(start - intended)
      }
      guard start <= latest, proceed() else { break }
      try request(place)
      free = clock.now()
      times.latency.append(free - intended)
      times.service.append(free - start)
      if start - intended > PacedTimes.tolerance { times.late += 1 }
    }
    times.elapsed = max(Double(free - begin) / 1e9, arrivals.seconds)
    return times
  }
}

/// How requests of given starts went, in nanoseconds.
package struct PacedTimes: Sendable {
  /// A start is late when it is so much after the intended one.
  package static let tolerance: Int64 = 10_000_000
  /// Requests that have not started so long after the end are not sent.
  package static let grace: Int64 = 1_000_000_000
  /// The rate was not offered when more than this share of starts was late or unsent.
  package static let lateShare = 0.01

  /// How many were meant to start.
  package let scheduled: Int
  /// From the intended start to the answer, of each request that was sent.
  package var latency: [Int64] = []
  /// From the real start to the answer.
  package var service: [Int64] = []
  /// How late the clock was, for each request that was waited for.
  package var timer: [Int64] = []
  /// Starts that were late, for whatever reason.
  package var late = 0
  /// Seconds from the first instant to the last answer, or to the end if that is later.
  package var elapsed = 0.0

  fileprivate init(_ arrivals: Arrivals) {
    scheduled = arrivals.starts.count
    latency.reserveCapacity(scheduled)
    service.reserveCapacity(scheduled)
    timer.reserveCapacity(scheduled)
  }

  /// How many were sent.
  package var sent: Int { latency.count }
  /// How many were not, as the run was over.
  package var unsent: Int { scheduled - sent }
  /// The share of starts that were late or never came.
  package var missedShare: Double {
    scheduled == 0 ? 0 : Double(late + unsent) / Double(scheduled)
  }
  /// Whether the rate was offered.
  package var wasOffered: Bool { missedShare <= Self.lateShare }
}
