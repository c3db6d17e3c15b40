/// Exact quantiles of a sample that is kept whole.
public struct SampleQuantiles: Sendable {
  /// The observations, smallest first.
  public let sorted: [Double]

  /// Sorts the sample.
  ///
  /// - Throws: `EstimatorError.notFinite` for the first value that is not; `.tooFew` when empty.
  /// - Complexity: O(n log n).
  public init(_ sample: [Double]) throws(EstimatorError) {
    guard !sample.isEmpty else { throw .tooFew(count: 0, needed: 1) }
    for value in sample where !value.isFinite { throw .notFinite(value) }
    sorted = sample.sorted()
  }

  /// The smallest observation that at least a share `p` of the sample does not exceed: the order
  /// statistic ⌈p n⌉, always a value that was observed.
  ///
  /// - Parameter p: From 0 to 1; 0 gives the minimum.
  public func orderStatistic(_ p: Double) throws(EstimatorError) -> Double {
    guard p >= 0, p <= 1 else { throw .badParameter(name: "p", value: p) }
    let rank = Int((p * Double(sorted.count)).rounded(.up))
    return sorted[max(0, min(sorted.count - 1, rank - 1))]
  }

  /// The interpolated quantile of Hyndman and Fan's type 7, the default of R and NumPy.
  ///
  /// - Parameter p: From 0 to 1. Source: doi:10.1080/00031305.1996.10473566
  public func interpolated(_ p: Double) throws(EstimatorError) -> Double {
    guard p >= 0, p <= 1 else { throw .badParameter(name: "p", value: p) }
    let position = p * Double(sorted.count - 1)
    let index = Int(position.rounded(.down))
    guard index + 1 < sorted.count else { return sorted[sorted.count - 1] }
    let share = position - Double(index)
    return sorted[index] * (1 - share) + sorted[index + 1] * share
  }
}
