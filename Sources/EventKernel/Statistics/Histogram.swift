/// Counts of observations in equal bins, with the outliers counted on both sides.
public struct Histogram: Equatable, Sendable {
  /// Lower end of the first bin.
  public let low: Double
  /// Upper end of the last bin.
  public let high: Double
  /// Observations by bin. Bin i holds low + i × width ≤ x < low + (i + 1) × width.
  public private(set) var counts: [Int]
  /// Observations below `low`.
  public private(set) var below = 0
  /// Observations at `high` or above.
  public private(set) var above = 0
  private let scale: Double

  /// Makes an empty histogram.
  ///
  /// - Parameters:
  ///   - low: Finite.
  ///   - high: Finite, above `low`.
  ///   - bins: From 1 to 2^24.
  public init(low: Double, high: Double, bins: Int) throws(EstimatorError) {
    guard low.isFinite else { throw .notFinite(low) }
    guard high.isFinite else { throw .notFinite(high) }
    guard high > low, (high - low).isFinite else {
      throw .badParameter(name: "high", value: high)
    }
    guard bins >= 1, bins <= 1 << 24 else {
      throw .badParameter(name: "bins", value: Double(bins))
    }
    // Bins so narrow that their number a unit is beyond all doubles have no places.
    guard (Double(bins) / (high - low)).isFinite else {
      throw .badParameter(name: "high", value: high)
    }
    self.low = low
    self.high = high
    counts = [Int](repeating: 0, count: bins)
    scale = Double(bins) / (high - low)
  }

  /// Width of a bin, in the observations' unit.
  public var width: Double { (high - low) / Double(counts.count) }
  /// All observations, the outliers included.
  public var count: Int { counts.reduce(below + above, +) }

  /// Adds one observation.
  ///
  /// - Throws: `EstimatorError.notFinite`; the histogram is then unchanged.
  /// - Complexity: O(1).
  public mutating func add(_ value: Double) throws(EstimatorError) {
    guard value.isFinite else { throw .notFinite(value) }
    if value < low {
      below += 1
    } else if value >= high {
      above += 1
    } else {
      counts[bin(of: value)] += 1
    }
  }

  /// The bin of a value between the ends. The product may be a hair on the other side of a bin's end.
  private func bin(of value: Double) -> Int {
    let last = counts.count - 1
    let guess = min(last, Int((value - low) * scale))
    if guess < last, value >= low + Double(guess + 1) * width { return guess + 1 }
    if guess > 0, value < low + Double(guess) * width { return guess - 1 }
    return guess
  }

  /// Adds all observations of another histogram of the same bins.
  public mutating func merge(_ other: Histogram) throws(EstimatorError) {
    guard low == other.low, high == other.high, counts.count == other.counts.count else {
      throw .differentSettings
    }
    for index in counts.indices { counts[index] += other.counts[index] }
    below += other.below
    above += other.above
  }

  /// The `p` quantile, by linear interpolation in its bin: off by at most one bin's width.
  ///
  /// - Parameter p: From 0 to 1.
  /// - Returns: nil without observations, or when the quantile is among the outliers.
  /// - Complexity: O(bins).
  public func quantile(_ p: Double) throws(EstimatorError) -> Double? {
    guard p >= 0, p <= 1 else { throw .badParameter(name: "p", value: p) }
    let total = count
    guard total > 0 else { return nil }
    var rank = p * Double(total) - Double(below)
    guard rank > 0 || below == 0 && rank >= 0 else { return nil }
    for (index, size) in counts.enumerated() where size > 0 {
      if rank <= Double(size) {
        return low + (Double(index) + rank / Double(size)) * width
      }
      rank -= Double(size)
    }
    return nil
  }
}
