internal import Population

/// What a run's members turned to buy beyond what was to be expected when each of them signed up: figures
/// whose own expectation is 0, for use as control variates.
///
/// Each member's purchases less their expectation, given when and how the member signed up, have
/// expectation 0 whatever happened before, so their sum has, too: it is a martingale at its end.
/// The same holds for tins less what so many purchases bring on average.
package struct PurchaseControls: Sendable, Equatable {
  /// Repeat purchases less their expectation.
  package let purchases: Double
  /// Tins asked for less the mean tins of so many purchases. A purchase that the shop loses counts
  /// in both, as the buying model's.
  package let tins: Double

  /// Sums up a run that has ended.
  ///
  /// - Complexity: O(members).
  init(
    _ cells: UnsafeMutableBufferPointer<Cell>, tins: Int64, tinsPerPurchase: Double,
    expectation: PurchaseExpectation, season: SeasonTable
  ) {
    var made = 0
    var repeats = 0
    var expected = 0.0
    for cell in cells {
      var sum = 0.0
      for row in cell.rows where row.account.hasSignedUp {
        made += Int(row.course.purchases)
        repeats += Int(row.course.purchases) - 1
        let weeks = (season.totalHours - season.operationalHours(at: row.signUp)) / 168
        sum += expectation.repeats(
          weeks: weeks, referred: row.account.isReferred)
      }
      expected += sum
    }
    purchases = Double(repeats) - expected
    self.tins = Double(tins) - tinsPerPurchase * Double(made)
  }
}
