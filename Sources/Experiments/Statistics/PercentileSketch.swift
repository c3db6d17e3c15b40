package import EventKernel

/// Ordered values of a stream in bounded memory: exact while few of them differ, close beyond.
///
/// Values are kept as they are, each once with its count, as long as at most `distinctLimit` of
/// them differ (looked at after every `distinctLimit` values, so that so many are always exact).
/// Beyond, their distances from the median so far, c, are counted in the bins of `QuantileSketch`.
/// Every order statistic x is then answered to within `relativeError` · max(|x − c|, s), where s is
/// the mean distance from c when the bins began. Bins around the median, not around 0, keep the
/// error small relative to the spread, which of a year's spend is often below 1 % of its mean. The
/// least and the greatest value stay exact.
///
/// The answer depends on the order of the values, since c and s come from the first of them.
///
/// Memory: at most 2 × `distinctLimit` pairs, or about ln(d / relativeError) / relativeError counts
/// of 8 bytes where no value is farther than d · s from c: 70 KB at 0.1 % and d = 6.
///
/// Source: Masson, Rim and Lee 2019 (DDSketch), doi:10.14778/3352063.3352135
package struct PercentileSketch: Sendable {
  /// So many values are exact, and so many different ones.
  package static let distinctLimit = 1_024

  /// Largest error of an order statistic as a share of its distance from the median, or of the mean
  /// distance where that is more.
  package let relativeError: Double
  /// Number of values.
  package private(set) var count = 0
  private var distinct: [Run] = []
  private var recent: [Double] = []
  private var bins: Bins?
  private var lowest = Double.infinity
  private var highest = -Double.infinity

  private struct Run: Sendable {
    var value: Double
    var count: Int
  }

  /// Counts by distance from a center, in units of a scale.
  private struct Bins: Sendable {
    let centre: Double
    let scale: Double
    var sketch: QuantileSketch

    mutating func add(_ value: Double) throws(EstimatorError) {
      let distance = (value - centre) / scale
      // What is nearer than the error of one scale counts as the center, so that distances that
      // happen to be tiny take no bins.
      guard abs(distance) >= sketch.relativeError else { return try sketch.add(0) }
      // Beyond 10^300 scales the ranks still hold, and the extremes are known.
      try sketch.add(min(max(distance, -1e300), 1e300))
    }
  }

  /// Makes an empty sketch.
  ///
  /// - Parameter relativeError: From 1e-4 to 0.5.
  /// - Throws: `EstimatorError.badParameter`.
  package init(relativeError: Double = 0.001) throws(EstimatorError) {
    _ = try QuantileSketch(relativeError: relativeError)
    self.relativeError = relativeError
  }

  /// Whether `ordered` gives the values themselves.
  package var isExact: Bool { bins == nil }

  /// Adds one value.
  ///
  /// - Throws: `EstimatorError.notFinite`; the sketch is then unchanged.
  /// - Complexity: O(1) amortized.
  package mutating func add(_ value: Double) throws(EstimatorError) {
    guard value.isFinite else { throw .notFinite(value) }
    count += 1
    lowest = min(lowest, value)
    highest = max(highest, value)
    if bins != nil {
      try bins?.add(value)
    } else {
      recent.append(value)
      if recent.count == Self.distinctLimit { try settle() }
    }
  }

  /// All values in ascending order: as they were, or each by its bin's representative.
  ///
  /// - Complexity: O(n) values of 8 bytes, for as long as the caller keeps them.
  package var ordered: [Double] {
    var values: [Double] = []
    values.reserveCapacity(count)
    if let bins {
      for bin in bins.sketch.bins {
        let value = min(max(bins.centre + bins.scale * bin.value, lowest), highest)
        values += repeatElement(value, count: bin.count)
      }
      // Both were seen, so they are the first and the last.
      values[0] = lowest
      values[count - 1] = highest
    } else {
      for run in merged() { values += repeatElement(run.value, count: run.count) }
    }
    return values
  }

  /// Different values with their counts, in ascending order.
  private func merged() -> [Run] {
    var runs: [Run] = []
    let new = recent.sorted()
    var next = 0
    func add(_ value: Double, _ count: Int) {
      if runs.last?.value == value {
        runs[runs.count - 1].count += count
      } else {
        runs.append(Run(value: value, count: count))
      }
    }
    for run in distinct {
      while next < new.count, new[next] < run.value {
        add(new[next], 1)
        next += 1
      }
      add(run.value, run.count)
    }
    for value in new[next...] { add(value, 1) }
    return runs
  }

  /// Counts the recent values among the different ones, or goes over to bins.
  private mutating func settle() throws(EstimatorError) {
    distinct = merged()
    recent.removeAll(keepingCapacity: true)
    guard distinct.count > Self.distinctLimit else { return }
    var seen = 0
    let middle = distinct.first { run in
      seen += run.count
      return 2 * seen >= count
    }
    let centre = middle?.value ?? 0
    let distance = distinct.reduce(0) { $0 + abs($1.value - centre) * Double($1.count) }
    var bins = Bins(
      centre: centre, scale: min(max(distance / Double(count), 1e-300), 1e300),
      sketch: try QuantileSketch(relativeError: relativeError))
    for run in distinct {
      for _ in 0..<run.count { try bins.add(run.value) }
    }
    self.bins = bins
    distinct = []
    recent = []
  }
}
