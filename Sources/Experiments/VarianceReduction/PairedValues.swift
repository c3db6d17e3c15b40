/// Values of one figure in antithetic pairs, in bounded memory: how much more or less their sums
/// vary than those of independent replications.
///
/// The first `limit` pairs are kept. Pairs are alike, so that these tell how the two of any pair
/// depend on each other.
package struct PairedValues: Sendable {
  /// Pairs that are kept.
  package static let limit = 1_024

  /// Pairs added.
  package private(set) var count = 0
  private var kept: [(Double, Double)] = []
  /// A replication whose partner may follow.
  private var open: Double?

  /// No replications.
  package init() {}

  /// Adds a replication's value.
  ///
  /// - Parameters:
  ///   - value: Nil where the run does not have the figure.
  ///   - joins: Whether it mirrors the one that was added last.
  package mutating func add(_ value: Double?, joins: Bool) {
    if joins, let first = open, let value {
      count += 1
      if kept.count < Self.limit { kept.append((first, value)) }
    }
    open = joins ? nil : value
  }

  /// The variance of the number of values up to a quantile, over that of as many independent ones;
  /// 1 without pairs.
  ///
  /// - Parameters:
  ///   - quantile: The estimate.
  ///   - probability: Which quantile, above 0 and below 1.
  ///   - total: All values, those in pairs among them.
  /// - Complexity: O(`limit`).
  package func varianceFactor(
    upTo quantile: Double, probability: Double, total: Int
  ) -> Double {
    var counts = PairCounts()
    for (first, second) in kept { counts.add(first <= quantile, second <= quantile) }
    return factor(counts.correlation(at: probability), total)
  }

  /// The variance of the mean of what a function makes of the values, over that of as many
  /// independent ones; 1 without pairs, and where it makes the same of all.
  ///
  /// - Complexity: O(`limit`).
  package func varianceFactor(total: Int, of term: (Double) -> Double) -> Double {
    let terms = kept.map { (term($0.0), term($0.1)) }
    let mean = terms.reduce(0) { $0 + $1.0 + $1.1 } / Double(2 * max(terms.count, 1))
    var (squares, products) = (0.0, 0.0)
    for (first, second) in terms {
      squares += (first - mean) * (first - mean) + (second - mean) * (second - mean)
      products += (first - mean) * (second - mean)
    }
    return squares > 0 ? factor(2 * products / squares, total) : 1
  }

  private func factor(_ correlation: Double, _ total: Int) -> Double {
    1 + 2 * Double(count) * correlation / Double(max(total, 1))
  }
}
