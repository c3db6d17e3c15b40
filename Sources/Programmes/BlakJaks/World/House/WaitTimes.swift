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
