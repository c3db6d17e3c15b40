package import Quantities

/// A rate factor that is constant over runs of local days, and the map between the clock and
/// operational time.
///
/// In operational time the rate is 1 throughout; an event drawn there happens on the clock at the
/// inverse of the cumulative rate (Çinlar 1975, *Introduction to Stochastic Processes*, §4.7).
package struct WaveTable: Sendable {
  /// One row per run of days of one factor.
  private let rows: [(until: Instant, factor: Double)]
  private let start: Instant

  /// - Parameters:
  ///   - waves: Within the ranges of a validated scenario; those outside the run do not matter.
  ///   - factors: Another factor of each of the run's local days; without any it is 1.
  ///   - calendar: The run's local days.
  package init(_ waves: [DemandWave], factors: [Double] = [], calendar: ProgrammeCalendar) {
    let spans = waves.map { wave -> (Range<Int>, Double) in
      let first = wave.date.dayNumber
      return (first..<first + wave.days, wave.factor)
    }
    var rows: [(until: Instant, factor: Double)] = []
    for row in 0..<calendar.dayCount {
      let day = calendar.dates[row].dayNumber
      let own = factors.isEmpty ? 1 : factors[row]
      let factor = spans.reduce(own) { $1.0.contains(day) ? $0 * $1.1 : $0 }
      let until = calendar.dayStarts[row + 1]
      if let last = rows.last, last.factor == factor {
        rows[rows.count - 1].until = until
      } else {
        rows.append((until, factor))
      }
    }
    self.rows = rows
    start = calendar.dayStarts[0]
  }

  /// The instant at which a span of operational time from an instant on is over; `distantFuture`
  /// at or after the end of the run's last day.
  ///
  /// - Parameters:
  ///   - operational: In microseconds, more than 0; may be infinite.
  ///   - instant: Within the run.
  /// - Returns: At least one microsecond after `instant`.
  /// - Complexity: O(days until then).
  package func instant(_ operational: Double, after instant: Instant) -> Instant {
    var left = operational
    var from = max(instant, start)
    for row in rows[firstRow(after: from)...] {
      let room = Double((row.until - from).microseconds)
      if left < room * row.factor {
        let micros = Int64(left / row.factor)
        let next = max(from + TimeSpan(microseconds: micros), instant + TimeSpan(microseconds: 1))
        return next < rows[rows.count - 1].until ? next : .distantFuture
      }
      left -= room * row.factor
      from = row.until
    }
    return .distantFuture
  }

  /// The first row that ends after an instant.
  private func firstRow(after instant: Instant) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].until > instant { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Operational microseconds between two instants of the run.
  ///
  /// - Complexity: O(log days + days between them).
  package func operational(from: Instant, to: Instant) -> Double {
    var sum = 0.0
    var from = max(from, start)
    for row in rows[firstRow(after: from)...] {
      guard from < to else { break }
      let until = min(row.until, to)
      sum += Double((until - from).microseconds) * row.factor
      from = until
    }
    return sum
  }
}
