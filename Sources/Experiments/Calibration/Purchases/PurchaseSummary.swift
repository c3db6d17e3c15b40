package import Quantities

/// What the buy-till-you-die models need to know of purchases: for each customer the number of
/// repeat purchases x, the time of the last one tₓ and the time observed T, both in weeks of 7 days
/// since the customer's first purchase. Customers who are alike share a row.
///
/// Source: Fader, Hardie and Lee 2005, doi:10.1287/mksc.1040.0098: (x, tₓ, T) is all the data.
package struct PurchaseSummary: Sendable, Equatable {
  /// Customers with the same x, tₓ and T.
  package struct Row: Sendable, Equatable {
    /// x: purchases after the first, 0 or more.
    package var repeats: Int
    /// tₓ in weeks, 0...`spanWeeks`; 0 without repeat purchases.
    package var lastWeeks: Double
    /// T in weeks, 0 or more.
    package var spanWeeks: Double
    /// 1 or more.
    package var customers: Int
    /// Their repeat purchases in the holdout, all together.
    package var holdoutRepeats: Int

    /// Customers who are alike; times in weeks since their first purchase.
    package init(
      repeats: Int, lastWeeks: Double, spanWeeks: Double, customers: Int = 1,
      holdoutRepeats: Int = 0
    ) {
      self.repeats = repeats
      self.lastWeeks = lastWeeks
      self.spanWeeks = spanWeeks
      self.customers = customers
      self.holdoutRepeats = holdoutRepeats
    }

    var key: (Int, Double, Double) { (repeats, lastWeeks, spanWeeks) }
  }

  /// Ascending by (x, tₓ, T), each of these once.
  package let rows: [Row]
  /// All customers.
  package let customers: Int
  /// All their repeat purchases in the calibration period.
  package let repeats: Int
  /// All their repeat purchases in the holdout.
  package let holdoutRepeats: Int
  /// Σ ln of the weeks between purchases of one customer in the calibration period, which tells one
  /// shape of the gaps from another.
  package let logGaps: Double

  /// Merges rows that are alike.
  ///
  /// - Parameters:
  ///   - rows: In any order, each within the ranges of `Row`.
  ///   - logGaps: See the property; 0 where shapes of gaps are not compared.
  /// - Complexity: O(n log n).
  package init(_ rows: some Sequence<Row>, logGaps: Double = 0) {
    self.logGaps = logGaps
    var merged: [Row] = []
    for row in rows.sorted(by: { $0.key < $1.key }) {
      if let last = merged.indices.last, merged[last].key == row.key {
        merged[last].customers += row.customers
        merged[last].holdoutRepeats += row.holdoutRepeats
      } else {
        merged.append(row)
      }
    }
    self.rows = merged
    customers = merged.reduce(0) { $0 + $1.customers }
    repeats = merged.reduce(0) { $0 + $1.repeats * $1.customers }
    holdoutRepeats = merged.reduce(0) { $0 + $1.holdoutRepeats }
  }

  /// Customers by x: 0, 1, … `bins` − 2, and in the last place all others.
  package func histogram(bins: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: bins)
    for row in rows { counts[min(row.repeats, bins - 1)] += row.customers }
    return counts
  }

  /// The least number of customers that is fitted: one more than there are parameters.
  package static let leastCustomers = 5

  /// - Parameter until: For the message.
  /// - Throws: `CalibrationError.tooFewCustomers` or `.noRepeats`.
  package func requireFittable(until: CivilDate? = nil) throws(CalibrationError) {
    guard customers >= Self.leastCustomers else {
      throw .tooFewCustomers(count: customers, needed: Self.leastCustomers, until: until)
    }
    guard repeats > 0 else { throw .noRepeats(customers: customers, until: until) }
  }
}
