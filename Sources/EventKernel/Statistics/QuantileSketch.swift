internal import CKernel

/// Quantiles of a stream in little memory, with a guaranteed relative error.
///
/// Observations are counted in bins whose bounds grow geometrically, so every observation is
/// within `relativeError` of its bin's representative, and so does every quantile of the order
/// statistic that it estimates: |estimate − exact| ≤ relativeError × |exact|. Magnitudes below
/// 1e-12 count as 0. The answer does not depend on the order of observations, and sketches merge
/// exactly.
///
/// Source: Masson, Rim and Lee 2019 (DDSketch), doi:10.14778/3352063.3352135. Unlike theirs, bins
/// are never collapsed: at 1 % error the range 1e-12 … 1e12 takes about 2,800 bins.
public struct QuantileSketch: Equatable, Sendable, Codable {
  /// Largest relative error of an answer, above 0 and below 1.
  public let relativeError: Double
  /// Number of observations.
  public private(set) var count = 0
  private var zeros = 0
  private var positive = Bins()
  private var negative = Bins()
  private let logGamma: Double

  /// Counts by bin number, for the numbers from `first` on.
  private struct Bins: Equatable, Sendable, Codable {
    var first = 0
    var counts: [Int] = []
    var total = 0

    mutating func add(_ bin: Int, _ amount: Int = 1) {
      let place = bin - first
      if place < 0 || place >= counts.count { reach(bin) }
      counts[bin - first] += amount
      total += amount
    }

    private mutating func reach(_ bin: Int) {
      if counts.isEmpty { first = bin }
      if bin < first {
        counts.insert(contentsOf: [Int](repeating: 0, count: first - bin), at: 0)
        first = bin
      }
      while bin - first >= counts.count { counts.append(0) }
    }

    mutating func merge(_ other: Bins) {
      for (offset, amount) in other.counts.enumerated() where amount > 0 {
        add(other.first + offset, amount)
      }
    }

    /// The bin of the observation with `rank` smaller ones.
    func bin(rank: Int) -> Int {
      var seen = 0
      for (offset, amount) in counts.enumerated() {
        seen += amount
        if seen > rank { return first + offset }
      }
      return first + counts.count - 1
    }
  }

  /// Makes an empty sketch.
  ///
  /// - Parameter relativeError: From 1e-4 to 0.5.
  public init(relativeError: Double = 0.01) throws(EstimatorError) {
    guard relativeError >= 1e-4, relativeError <= 0.5 else {
      throw .badParameter(name: "relativeError", value: relativeError)
    }
    self.relativeError = relativeError
    logGamma = Elementary.log((1 + relativeError) / (1 - relativeError))
  }

  /// Adds an observation, or several of the same value.
  ///
  /// - Parameter amount: How many, 0 or more.
  /// - Throws: `EstimatorError.notFinite`, or `.badParameter` for an amount below 0; the sketch is
  ///   then unchanged.
  /// - Complexity: O(1) but for new bins.
  public mutating func add(_ value: Double, count amount: Int = 1) throws(EstimatorError) {
    guard value.isFinite else { throw .notFinite(value) }
    guard amount >= 0 else { throw .badParameter(name: "count", value: Double(amount)) }
    guard amount > 0 else { return }
    count += amount
    if abs(value) < Self.smallest {
      zeros += amount
    } else {
      let bin = bin(ofLog: ck_log(abs(value)))
      if value > 0 { positive.add(bin, amount) } else { negative.add(bin, amount) }
    }
  }

  /// Adds many observations, sooner than one by one.
  ///
  /// - Throws: `EstimatorError.notFinite`; those before it are then added.
  /// - Complexity: O(values) but for new bins.
  public mutating func add(
    all values: UnsafeBufferPointer<Double>
  ) throws(EstimatorError) {
    try add(values) { _ in 1 }
  }

  /// Adds many observations, each as often as its count says; as many counts as values, or more.
  ///
  /// - Throws: `EstimatorError.notFinite`, or `.badParameter` for a count below 0; those before it are then
  ///   added.
  /// - Complexity: O(values) but for new bins.
  public mutating func add(
    all values: UnsafeBufferPointer<Double>, counts: UnsafeBufferPointer<Int>
  ) throws(EstimatorError) {
    precondition(counts.count >= values.count, "\(counts.count) counts of \(values.count) values")
    try add(values) { counts[$0] }
  }

  @inline(__always)
  private mutating func add(
    _ values: UnsafeBufferPointer<Double>, _ amount: (Int) -> Int
  ) throws(EstimatorError) {
    let size = 64
    var logs = InlineArray<64, Double>(repeating: 0)
    for start in stride(from: 0, to: values.count, by: size) {
      let part = UnsafeBufferPointer(rebasing: values[start..<min(start + size, values.count)])
      withUnsafeMutableBytes(of: &logs) {
        ck_logs($0.baseAddress?.assumingMemoryBound(to: Double.self), part.baseAddress, part.count)
      }
      for place in part.indices {
        let (value, amount) = (part[place], amount(start + place))
        guard value >= Self.smallest, value.isFinite, amount > 0 else {
          try add(value, count: amount)
          continue
        }
        count += amount
        positive.add(bin(ofLog: logs[place]), amount)
      }
    }
  }

  /// Smaller magnitudes count as 0.
  private static let smallest = 1e-12

  private func bin(ofLog log: Double) -> Int { Int((log / logGamma).rounded(.up)) }

  /// Adds all observations of another sketch of the same relative error.
  public mutating func merge(_ other: QuantileSketch) throws(EstimatorError) {
    guard relativeError == other.relativeError else { throw .differentSettings }
    count += other.count
    zeros += other.zeros
    positive.merge(other.positive)
    negative.merge(other.negative)
  }

  /// An estimate of the order statistic ⌈p n⌉; nil without observations.
  ///
  /// - Parameter p: From 0 to 1.
  /// - Complexity: O(bins).
  public func quantile(_ p: Double) throws(EstimatorError) -> Double? {
    guard p >= 0, p <= 1 else { throw .badParameter(name: "p", value: p) }
    guard count > 0 else { return nil }
    let rank = max(0, min(count, Int((p * Double(count)).rounded(.up))) - 1)
    if rank < negative.total {
      return -representative(negative.bin(rank: negative.total - 1 - rank))
    }
    if rank < negative.total + zeros { return 0 }
    return representative(positive.bin(rank: rank - negative.total - zeros))
  }

  /// The bins that hold observations, lowest first: each with its representative and its count.
  ///
  /// - Complexity: O(bins).
  public var bins: [(value: Double, count: Int)] {
    var rows: [(value: Double, count: Int)] = []
    for (offset, amount) in negative.counts.enumerated().reversed() where amount > 0 {
      rows.append((-representative(negative.first + offset), amount))
    }
    if zeros > 0 { rows.append((0, zeros)) }
    for (offset, amount) in positive.counts.enumerated() where amount > 0 {
      rows.append((representative(positive.first + offset), amount))
    }
    return rows
  }

  /// The number whose relative distance to both ends of a bin is the same.
  private func representative(_ bin: Int) -> Double {
    min(Elementary.exp(Double(bin) * logGamma) * (1 - relativeError), .greatestFiniteMagnitude)
  }
}
