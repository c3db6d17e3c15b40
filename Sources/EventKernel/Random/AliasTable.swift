/// Samples an index with probability proportional to its weight, in constant time.
///
/// Source: Walker 1977, doi:10.1145/355744.355749; built as Vose 1991, doi:10.1109/32.92917
public struct AliasTable: Sendable {
  @usableFromInline
  struct Column: Sendable, BitwiseCopyable {
    /// Of 2^64: draws below it take the column itself.
    @usableFromInline var threshold: UInt64
    @usableFromInline var alias: Int
    @usableFromInline
    init(threshold: UInt64, alias: Int) {
      self.threshold = threshold
      self.alias = alias
    }
  }

  @usableFromInline let columns: [Column]

  /// Number of indices: 0 ..< `count`.
  public var count: Int { columns.count }

  /// Builds the table.
  ///
  /// - Parameter weights: At least one; each finite and at least 0, not all 0. They need not sum
  ///   to 1.
  /// - Throws: `SamplerError` naming the first weight that is wrong.
  /// - Complexity: O(count).
  public init(weights: [Double]) throws(SamplerError) {
    guard !weights.isEmpty else { throw .noWeights }
    var total = 0.0
    for (index, weight) in weights.enumerated() {
      guard weight >= 0, weight < .infinity else { throw .badWeight(index: index, weight: weight) }
      total += weight
    }
    guard total > 0, total < .infinity else { throw .badTotal(total) }
    let count = weights.count
    var scaled = weights.map { $0 / total * Double(count) }
    var built = [Column](repeating: Column(threshold: .max, alias: 0), count: count)
    var small: [Int] = []
    var large: [Int] = []
    for index in 0..<count {
      built[index].alias = index
      if scaled[index] < 1 { small.append(index) } else { large.append(index) }
    }
    while let low = small.popLast(), let high = large.last {
      built[low] = Column(threshold: UInt64(scaled[low] * 0x1p64), alias: high)
      scaled[high] -= 1 - scaled[low]
      if scaled[high] < 1 {
        large.removeLast()
        small.append(high)
      }
    }
    // What is left has weight 1 but for rounding, unless its weight is 0: that one must never be
    // drawn, so it points to the heaviest.
    let heaviest = weights.indices.max { weights[$0] < weights[$1] } ?? 0
    for index in 0..<count where weights[index] == 0 && built[index].alias == index {
      built[index] = Column(threshold: 0, alias: heaviest)
    }
    columns = built
  }

  /// Draws an index. One 64-bit draw: its product with `count` gives the column in the upper word
  /// and the coin in the lower, so a probability is off by about 2^-53, as
  /// the weights are.
  @inlinable
  public func sample(_ stream: inout RandomStream) -> Int {
    let product = stream.nextUInt64().multipliedFullWidth(by: UInt64(columns.count))
    let index = Int(truncatingIfNeeded: product.high)
    let column = columns[index]
    return product.low < column.threshold ? index : column.alias
  }
}
