/// A discrete distribution on 0, 1, 2 … sampled from one 32-bit word by its cumulative table.
@usableFromInline
struct DiscreteTable: Sendable {
  @usableFromInline let thresholds: [UInt32]
  @usableFromInline let guide: [UInt16]

  /// - Parameter weights: Relative weights of 0, 1, 2 …; at least one, not all zero.
  init(weights: [Double]) {
    let total = weights.reduce(0, +)
    var sum = 0.0
    var bounds = weights.map { weight in
      sum += weight
      return UInt32(clamping: Int64(sum / total * 0x1p32))
    }
    // Whatever rounding left goes to the last value with weight.
    let last = weights.lastIndex { $0 > 0 } ?? 0
    for row in last..<bounds.count { bounds[row] = .max }
    thresholds = Array(bounds[...last])
    var row = 0
    guide = (0..<256).map { bin in
      while row < last && bounds[row] <= UInt32(bin) << 24 { row += 1 }
      return UInt16(row)
    }
  }

  /// The value that a uniform 32-bit word stands for. O(1) on average.
  @inlinable
  func value(_ word: UInt32) -> Int {
    var row = Int(guide[Int(word >> 24)])
    while row < thresholds.count - 1 && thresholds[row] <= word { row += 1 }
    return row
  }
}
