package import Quantities

// The same map for many at once, so that the processor works on several at a time.
extension SeasonTable {
  /// Operational hours from the run's start to many instants of one window.
  ///
  /// - Parameters:
  ///   - instants: In microseconds.
  ///   - start: The window's first instant.
  ///   - end: The first instant after it.
  ///   - hours: Receives as many answers of `operationalHours(at:)`.
  /// - Complexity: O(1) each.
  package func operationalHours(
    of instants: UnsafeBufferPointer<Int64>, from start: Instant, until end: Instant,
    into hours: UnsafeMutablePointer<Double>
  ) {
    let first = (start.microseconds - origin) / SeasonTable.hourMicros
    let last = (end.microseconds - 1 - origin) / SeasonTable.hourMicros
    guard enabled, first == last else {
      for place in instants.indices {
        hours[place] = operationalHours(at: Instant(microseconds: instants[place]))
      }
      return
    }
    let (cumulative, rate) = (rows[Int(first)].cumulative, rates[Int(first)])
    let begin = origin + first * SeasonTable.hourMicros
    for place in instants.indices {
      let within = Double(instants[place] &- begin) / Double(SeasonTable.hourMicros)
      hours[place] = cumulative + rate * within
    }
  }

  /// The instants of many operational times, each at least a microsecond after another instant.
  ///
  /// - Parameters:
  ///   - hours: Operational hours from the start, 0 or more; may be infinite.
  ///   - earlier: As many instants, in microseconds.
  ///   - instants: Receives as many answers of `instant(atOperationalHours:)`.
  /// - Complexity: O(1) each, on average.
  package func instants(
    of hours: UnsafeBufferPointer<Double>, after earlier: UnsafePointer<Int64>,
    into instants: UnsafeMutablePointer<Int64>
  ) {
    guard enabled, totalHours > 0 else {
      for place in hours.indices {
        let instant = instant(atOperationalHours: hours[place]).microseconds
        instants[place] = max(instant, earlier[place] + 1)
      }
      return
    }
    let (origin, end, total) = (origin, end, totalHours)
    rows.withUnsafeBufferPointer { rows in
      guide.withUnsafeBufferPointer { guide in
        guard let rows = rows.baseAddress, let guide = guide.baseAddress else { return }
        for place in hours.indices {
          let hours = hours[place]
          // What is never is looked up like the start: a branch would be guessed wrong too often.
          let isInside = hours < total
          let inside = isInside ? hours : 0
          var row = Int(guide[Int(inside * SeasonTable.guideBins)])
          row &+= rows[row + 1].cumulative <= inside ? 1 : 0
          while rows[row + 1].cumulative <= inside { row &+= 1 }
          let within = (inside - rows[row].cumulative) * rows[row].micros
          let found = origin &+ Int64(row) &* SeasonTable.hourMicros &+ Int64(within)
          let instant =
            isInside && found < end ? found : Instant.distantFuture.microseconds
          instants[place] = max(instant, earlier[place] &+ 1)
        }
      }
    }
  }
}
