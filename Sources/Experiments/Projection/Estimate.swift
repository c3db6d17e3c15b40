internal import EventKernel

/// A figure over replications: mean with its confidence interval, and percentiles.
package struct Estimate: Sendable {
  package var count: Int
  package var mean: Double
  /// Half-width of the 95 % interval of the mean; nil with fewer than two values.
  package var halfWidth: Double?
  package var standardDeviation: Double?
  /// P5, P10, P50, P90, P95.
  package var percentiles: [Double]

  /// The percentiles of every estimate.
  package static let shares: [Double] = [0.05, 0.10, 0.50, 0.90, 0.95]

  /// Nil without a value.
  package init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    var tally = Tally()
    for value in values {
      guard (try? tally.add(value)) != nil else { return nil }
    }
    count = values.count
    mean = tally.mean ?? 0
    standardDeviation = tally.standardDeviation
    halfWidth = values.count > 1 ? (try? tally.interval())?.halfWidth : nil
    let sorted = values.sorted()
    percentiles = Estimate.shares.map { Estimate.quantile($0, of: sorted) }
  }

  /// The sample quantile by linear interpolation between order statistics (Hyndman and Fan 1996,
  /// type 7, doi:10.2307/2684934).
  ///
  /// - Parameter sorted: Ascending, not empty.
  package static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
  }
}
