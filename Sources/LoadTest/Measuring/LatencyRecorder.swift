internal import Histogram

/// Durations in nanoseconds, kept as counts in buckets whose width is at most a thousandth of their
/// value, so that percentiles have three significant digits however many durations there are.
///
/// It is an HdrHistogram: Tene, https://hdrhistogram.org. The greatest duration is kept exactly.
package struct LatencyRecorder: Sendable {
  private var histogram: Histogram<UInt64>
  private var greatest: Int64 = 0

  /// A day; longer durations count as one.
  static let longest: Int64 = 86_400_000_000_000

  /// A recorder without durations.
  ///
  /// - Parameter isCoarse: Whether two digits are enough; it then takes a tenth of the memory.
  package init(isCoarse: Bool = false) {
    histogram = Histogram(
      highestTrackableValue: UInt64(Self.longest),
      numberOfSignificantValueDigits: isCoarse ? .two : .three)
  }

  /// How many durations were recorded.
  package var count: Int { Int(histogram.totalCount) }

  /// Adds one duration.
  ///
  /// - Parameter nanoseconds: A negative one counts as 0.
  package mutating func record(_ nanoseconds: Int64) {
    let kept = min(max(nanoseconds, 0), Self.longest)
    histogram.record(UInt64(kept))
    greatest = max(greatest, kept)
  }

  /// Adds all durations of another recorder with as many digits.
  package mutating func add(_ other: LatencyRecorder) {
    histogram.add(other.histogram)
    greatest = max(greatest, other.greatest)
  }

  /// Forgets all durations and keeps the memory.
  package mutating func clear() {
    histogram.reset()
    greatest = 0
  }

  /// The least duration that so many percent of all are at or below, within a thousandth; 0 without
  /// durations.
  ///
  /// - Parameter percent: 0...100.
  package func percentile(_ percent: Double) -> Int64 {
    count == 0 ? 0 : min(Int64(histogram.valueAtPercentile(percent)), greatest)
  }

  /// The mean of all durations, in nanoseconds; 0 without durations.
  package var mean: Double { count == 0 ? 0 : histogram.mean }

  /// The percents at which a percentile plot of so many durations has its points: 0, 25, then two for
  /// each halving of what is left up to 100, as far as there are durations, and 100.
  package static func plottedPercents(count: Int) -> [Double] {
    guard count > 0 else { return [] }
    var percents = [0.0, 25]
    var rest = 0.5
    while rest * Double(count) >= 1 {
      // A point between two halvings makes the line smooth where most durations are.
      percents += [100 * (1 - rest), 100 * (1 - rest * 0.7)]
      rest /= 2
    }
    return percents.filter { $0 < 100 } + [100]
  }

  /// The percentiles that are told; nil without durations.
  package var summary: LatencySummary? {
    guard count > 0 else { return nil }
    return LatencySummary(
      count: count, median: percentile(50), p90: percentile(90), p99: percentile(99),
      p999: percentile(99.9), greatest: greatest)
  }
}
