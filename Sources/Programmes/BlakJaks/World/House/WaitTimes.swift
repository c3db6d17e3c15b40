internal import EventKernel
package import Quantities

/// How long many things took: their exact mean, and percentiles to 1 %.
package struct WaitTimes: Sendable, Codable {
  /// How many.
  package private(set) var count: Int64 = 0
  /// Microseconds, added up.
  private var total = Int128(0)
  private var sketch: QuantileSketch

  /// Nothing took any time yet.
  package init() {
    do { sketch = try QuantileSketch() } catch { fatalError("the default sketch: \(error)") }
  }

  /// Adds things that took about the same time, such as the awards of one minute.
  ///
  /// - Parameters:
  ///   - count: 1 or more.
  ///   - total: Microseconds that they took, added up.
  package mutating func add(_ count: Int64, total micros: Int64) {
    self.count += count
    total += Int128(micros)
    do {
      try sketch.add(Double(micros) / Double(count) / 1e6, count: Int(count))
    } catch { fatalError("a time between two instants is finite: \(error)") }
  }

  /// Adds the awards of minutes, each of which has one or more, as what waited until an instant.
  mutating func add(_ minutes: [AwardMinute], until now: Instant) {
    let size = 16
    var values = InlineArray<16, Double>(repeating: 0)
    var counts = InlineArray<16, Int>(repeating: 0)
    for start in stride(from: 0, to: minutes.count, by: size) {
      let end = min(start + size, minutes.count)
      for place in start..<end {
        let (own, waited) = (minutes[place].count, minutes[place].waited(until: now))
        count += own
        total += Int128(waited)
        values[place - start] = Double(waited) / Double(own) / 1e6
        counts[place - start] = Int(own)
      }
      do {
        try values.span.extracting(..<(end - start)).withUnsafeBufferPointer {
          (values) throws(EstimatorError) in
          try counts.span.withUnsafeBufferPointer { (counts) throws(EstimatorError) in
            try sketch.add(all: values, counts: counts)
          }
        }
      } catch { fatalError("a time between two instants is finite: \(error)") }
    }
  }

  /// Rounded down to a microsecond; nil without any.
  package var mean: TimeSpan? {
    count > 0 ? TimeSpan(microseconds: Int64(total / Int128(count))) : nil
  }

  /// The time that a share of them took at most, within 1 %; nil without any.
  ///
  /// - Parameter share: From 0 to 1; 0.95 is the 95th percentile.
  package func quantile(_ share: Double) -> TimeSpan? {
    let seconds = (try? sketch.quantile(share)) ?? nil
    return seconds.map { TimeSpan(microseconds: Int64($0 * 1e6)) }
  }
}
