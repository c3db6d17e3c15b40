internal import Foundation
package import Population
internal import Quantities

/// Customers with the same number of repeat purchases, and what they did in the holdout.
package struct HoldoutGroup: Sendable, Equatable {
  /// x in the calibration period; of the last group the least x.
  package var repeats: Int
  package var customers: Int
  /// Mean purchases a customer in the holdout, as they were.
  package var actual: Double
  /// The same as the model expects it of customers with these x, tₓ and T.
  package var expected: Double
}

/// One model fitted to a sample, and what it expects of it. A figure that could not be computed is
/// NaN.
package struct FittedModel: Sendable, Equatable {
  /// Bins of the histogram: 0, 1, … 6 and 7 or more repeat purchases.
  package static let bins = 8

  package let fit: PurchaseFit
  /// Expected customers by repeat purchases in their own time of observation, in `bins` bins.
  package let histogram: [Double]
  /// Pearson's distance of the histogram from the actual one; bins at the end are pooled until 5
  /// customers are expected in each.
  package let chiSquared: Double
  /// Bins after pooling less 5: one for the total, four for the parameters. Not above 0: too few
  /// bins for a test.
  package let degreesOfFreedom: Int
  /// Probability of at least this distance if the model held; nil without degrees of freedom.
  package let pValue: Double?
  /// Expected cumulative repeat purchases at the dates of `CalibrationReport.weeks`.
  package let weekly: [Double]
  /// Expected repeat purchases in the calibration period.
  package let calibrationRepeats: Double
  /// Expected repeat purchases in the holdout, from births alone; 0 without a holdout.
  package let holdoutRepeats: Double
  /// The same given each customer's x, tₓ and T.
  package let holdoutGivenHistory: Double
  /// By x: 0, 1, … 6, and 7 or more; groups without customers are left out; empty without holdout.
  package let groups: [HoldoutGroup]
  /// Expected number of customers who are still there at the end of calibration.
  package let alive: Double

  /// Share of purchases that dates hide, since two of one day count once: 0 where the history has
  /// instants. Rates are low by about as much, which the intervals do not contain.
  package let hidden: Double

  /// Fits a model and computes what it expects.
  ///
  /// - Parameters:
  ///   - weekEnds: Days from the sample's first, ascending.
  ///   - shape: Phases of a gap; 1 for Pareto.
  /// - Throws: `CalibrationError.notEvaluable`.
  package init(
    _ model: PurchaseModel, _ sample: CalibrationSample, weekEnds: [Int], shape: Int = 1
  ) throws(CalibrationError) {
    let fit = try PurchaseFit(model, sample.summary, shape: shape)
    let law = fit.law
    self.fit = fit
    hidden = sample.isOfDates ? Self.hidden(law) : 0
    histogram = Self.histogram(law, sample)
    let test = GoodnessOfFit(
      expected: histogram, actual: sample.summary.histogram(bins: Self.bins), parameters: 4)
    (chiSquared, degreesOfFreedom, pValue) = (test.chiSquared, test.degreesOfFreedom, test.pValue)

    let untilDay = sample.births.count - 1
    let closeDay = sample.dailyRepeats.count - 1
    let means = law.means((0...closeDay).map { Double($0) / 7 + sample.partWeeks })
    func expected(until day: Int) -> Double {
      var sum = 0.0
      for (birth, customers) in sample.births.enumerated() where birth <= day && customers > 0 {
        sum += Double(customers) * means[day - birth]
      }
      return sum
    }
    weekly = weekEnds.map(expected)
    calibrationRepeats = expected(until: untilDay)
    holdoutRepeats = closeDay > untilDay ? expected(until: closeDay) - calibrationRepeats : 0
    groups = sample.holdoutEnd == nil ? [] : Self.groups(law, sample)
    holdoutGivenHistory = groups.reduce(0) { $0 + $1.expected * Double($1.customers) }
    alive = sample.summary.rows.reduce(0) {
      $0 + Double($1.customers)
        * law.alive(repeats: $1.repeats, last: $1.lastWeeks, span: $1.spanWeeks)
    }
  }

  /// 1 − E[1 − e^(−λ/7)] ÷ E[λ/7] with λ ~ Gamma(r, kα) a week: purchases of a customer on a day of
  /// another one, which Erlang gaps make fewer.
  private static func hidden(_ law: PurchaseLaw) -> Double {
    let weeks = law.alpha * Double(law.shape)
    return max(0, 1 + expm1(-law.r * log1p(1 / (7 * weeks))) * 7 * weeks / law.r)
  }

  private static func histogram(_ law: PurchaseLaw, _ sample: CalibrationSample) -> [Double] {
    var sums = [Double](repeating: 0, count: bins)
    let untilDay = sample.births.count - 1
    for (birth, customers) in sample.births.enumerated() where customers > 0 {
      let own = law.probabilities(
        Double(untilDay - birth) / 7 + sample.partWeeks, count: bins - 1)
      for (x, probability) in own.enumerated() { sums[x] += Double(customers) * probability }
      sums[bins - 1] += Double(customers) * max(0, 1 - own.reduce(0, +))
    }
    return sums
  }

  private static func groups(_ law: PurchaseLaw, _ sample: CalibrationSample) -> [HoldoutGroup] {
    var groups = (0..<bins).map {
      HoldoutGroup(repeats: $0, customers: 0, actual: 0, expected: 0)
    }
    for row in sample.summary.rows {
      let next = law.next(
        sample.holdoutWeeks, repeats: row.repeats, last: row.lastWeeks, span: row.spanWeeks)
      let place = min(row.repeats, bins - 1)
      groups[place].customers += row.customers
      groups[place].actual += Double(row.holdoutRepeats)
      groups[place].expected += Double(row.customers) * next
    }
    return groups.filter { $0.customers > 0 }.map { group in
      let count = Double(group.customers)
      return HoldoutGroup(
        repeats: group.repeats, customers: group.customers, actual: group.actual / count,
        expected: group.expected / count)
    }
  }
}
