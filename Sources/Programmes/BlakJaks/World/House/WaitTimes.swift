internal import EventKernel
package import Quantities

/// How long many things took: their exact mean, and percentiles to 1 %.
package struct WaitTimes: Sendable, Codable {
  private enum CodingKeys: String, CodingKey {
    case count, total, sketch
  }

  /// How many.
  package private(set) var count: Int64 = 0
  /// Microseconds, added up.
  private var total = Int128(0)
  private var sketch: QuantileSketch
  /// Seconds that the sketch does not have yet, as it takes many at once sooner than one by one.
  private var held = InlineArray<64, Double>(repeating: 0)
  /// How many took each of them.
  private var counts = InlineArray<64, Int>(repeating: 0)
  /// How many of both are in use.
  private var heldCount = 0

  /// Nothing took any time yet.
  package init() {
    do { sketch = try QuantileSketch() } catch { fatalError("the default sketch: \(error)") }
  }

  /// Adds things that took about the same time, such as the awards of one minute.
  ///
  /// - Parameters:
  ///   - count: 1 or more.
  ///   - total: Microseconds that they took, added up.
  @inline(__always)
  package mutating func add(_ count: Int64, total micros: Int64) {
    self.count += count
    total += Int128(micros)
    held[heldCount] = Double(micros) / Double(count) / 1e6
    counts[heldCount] = Int(count)
    heldCount += 1
    if heldCount == held.count { enterHeld() }
  }

  /// Adds the awards of minutes, each of which has one or more, as what waited until an instant.
  mutating func add(_ minutes: [AwardMinute], until now: Instant) {
    for minute in minutes { add(minute.count, total: minute.waited(until: now)) }
  }

  /// Gives the sketch what it does not have yet.
  private mutating func enterHeld() {
    // Copies, as the sketch is changed while they are read.
    let (times, counts) = (held, counts)
    do {
      try times.span.extracting(..<heldCount).withUnsafeBufferPointer {
        (times) throws(EstimatorError) in
        try counts.span.withUnsafeBufferPointer { (counts) throws(EstimatorError) in
          try sketch.add(all: times, counts: counts)
        }
      }
    } catch { fatalError("a time between two instants is finite: \(error)") }
    heldCount = 0
  }

  /// The same with all that it has been given.
  private var entered: WaitTimes {
    var entered = self
    entered.enterHeld()
    return entered
  }

  /// Rounded down to a microsecond; nil without any.
  package var mean: TimeSpan? {
    count > 0 ? TimeSpan(microseconds: Int64(total / Int128(count))) : nil
  }

  /// The time that a share of them took at most, within 1 %; nil without any.
  ///
  /// - Parameter share: From 0 to 1; 0.95 is the 95th percentile.
  package func quantile(_ share: Double) -> TimeSpan? {
    let seconds = (try? entered.sketch.quantile(share)) ?? nil
    return seconds.map { TimeSpan(microseconds: Int64($0 * 1e6)) }
  }

  /// Saves it as one whose sketch has been given all.
  package func encode(to encoder: any Encoder) throws {
    let entered = entered
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entered.count, forKey: .count)
    try container.encode(entered.total, forKey: .total)
    try container.encode(entered.sketch, forKey: .sketch)
  }
}
