/// A discrete distribution on 0, 1, 2 … sampled from one 32-bit word by its cumulative table.
public struct DiscreteTable: Sendable {
  @usableFromInline let thresholds: [UInt32]
  @usableFromInline let guide: [UInt16]

  /// - Parameter weights: Relative weights of 0, 1, 2 …; at least one, not all zero.
  public init(weights: [Double]) {
    let total = weights.reduce(0, +)
    var sum = 0.0
    var bounds = weights.map { weight in
      sum += weight
      return UInt32(clamping: Int64(sum / total * 0x1p32))
    }
    // What is left by rounding goes to the last value with weight.
    let last = weights.lastIndex { $0 > 0 } ?? 0
    for row in last..<bounds.count { bounds[row] = .max }
    thresholds = Array(bounds[...last])
    var row = 0
    guide = (0..<256).map { bin in
      while row < last && bounds[row] <= UInt32(bin) << 24 { row += 1 }
      return UInt16(row)
    }
  }

  /// The value that a uniform 32-bit word selects. O(1) on average.
  @inlinable
  public func value(_ word: UInt32) -> Int {
    let last = thresholds.count - 1
    var row = Int(guide[Int(word >> 24)])
    // One step is counted and not asked for, as a processor would often guess it wrong; more are rare.
    row = min(row &+ (thresholds[row] <= word ? 1 : 0), last)
    while row < last && thresholds[row] <= word { row += 1 }
    return row
  }
}

/// Many discrete distributions side by side in three arrays, so that sampling one of them copies,
/// and so retains, nothing.
public struct DiscreteTables: Sendable {
  @usableFromInline let starts: [Int]
  @usableFromInline let thresholds: [UInt32]
  @usableFromInline let guide: [UInt16]

  /// - Parameter tables: The distributions, row by row.
  public init(_ tables: [DiscreteTable]) {
    var starts = [0]
    for table in tables { starts.append(starts[starts.count - 1] + table.thresholds.count) }
    self.starts = starts
    thresholds = tables.flatMap(\.thresholds)
    guide = tables.flatMap(\.guide)
  }

  /// The value of distribution `row` that a uniform 32-bit word selects. O(1) on average.
  @inlinable
  public func value(_ row: Int, _ word: UInt32) -> Int {
    let first = starts[row]
    let last = starts[row + 1] - 1
    var place = first + Int(guide[(row << 8) + Int(word >> 24)])
    // See above.
    place = min(place &+ (thresholds[place] <= word ? 1 : 0), last)
    while place < last && thresholds[place] <= word { place += 1 }
    return place - first
  }
}

extension DiscreteTable {
  /// Weights of a Poisson distribution relative to the most frequent value, so that none that
  /// matters underflows; cut where they fall below 1e-15.
  ///
  /// - Parameter mean: 0 or more.
  public static func poissonWeights(mean: Double) -> [Double] {
    let mode = Int(mean)
    var weights = [Double](repeating: 1, count: mode + 1)
    for k in stride(from: mode, to: 0, by: -1) { weights[k - 1] = weights[k] * Double(k) / mean }
    while let last = weights.last, last > 1e-15 {
      weights.append(last * mean / Double(weights.count))
    }
    return weights
  }
}
