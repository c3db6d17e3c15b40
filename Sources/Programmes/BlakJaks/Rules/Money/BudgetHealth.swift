package import Quantities
package import RewardModel

/// The health of a month's budget.
package typealias BudgetStatus = HealthStatus

/// Spend against budget: exact at a month's end, projected before it.
package enum BudgetHealth {
  /// The status of spend against budget, compared exactly; nil where there is neither.
  ///
  /// Normal below the warning bound, Warning up to and including the critical bound. Whatever is spent
  /// without a budget is Critical, and so is a budget below zero, of a month that gave back more than
  /// it earned: it was gone before.
  package static func status(
    spend: MicroUSDT, budget: MicroUSDT, rules: BudgetHealthRules
  ) -> BudgetStatus? {
    status(spend: Int128(spend.microunits), budget: Int128(budget.microunits), rules: rules)
  }

  /// Spend over budget in basis points, rounded down; nil without a budget.
  package static func utilisation(spend: MicroUSDT, budget: MicroUSDT) -> Int64? {
    guard budget > .zero else { return nil }
    return clamped(Int128(spend.microunits) * 10_000 / Int128(budget.microunits))
  }

  /// What a projection starts from: sums and the seasonal weight of the days they cover.
  package struct Basis: Sendable, Equatable, Codable {
    package var spend: MicroUSDT
    package var budget: MicroUSDT
    /// Sum of the seasonal weights of the days covered.
    package var weight: Int64

    /// Spend and budget of days with a total weight.
    package init(spend: MicroUSDT, budget: MicroUSDT, weight: Int64) {
      self.spend = spend
      self.budget = budget
      self.weight = weight
    }
  }

  /// The month as it is expected to end.
  ///
  /// Spend and budget each grow by their rate per unit of seasonal weight over the days left. The
  /// rates are the month's own, or last month's while fewer than `settlingDays` days are over.
  /// All terms stand over one denominator, so nothing is rounded before the end.
  ///
  /// - Parameters:
  ///   - toDate: The month so far.
  ///   - daysOver: Whole days of the month that are over.
  ///   - restWeight: Seasonal weight of the days left.
  ///   - lastMonth: Last month's sums, if there was one.
  /// - Returns: Expected spend over expected budget in basis points, rounded to the nearest (it is an
  ///   estimate, unlike the utilisation of a closed month), nil without a budget to compare with; and
  ///   the status by the exact comparison, as `status` has it.
  package static func projection(
    toDate: Basis, daysOver: Int, restWeight: Int64, lastMonth: Basis?, rules: BudgetHealthRules
  ) -> (basisPoints: Int64?, status: BudgetStatus?) {
    var rate = toDate
    // A month in which nothing was spent or earned has no rates; one that only spent has.
    if daysOver < rules.settlingDays || toDate.weight == 0, let lastMonth, lastMonth.weight > 0,
      lastMonth.spend != .zero || lastMonth.budget != .zero
    {
      rate = lastMonth
    }
    let weight = Int128(max(rate.weight, 1))
    let rest = rate.weight > 0 ? Int128(restWeight) : 0
    let spend = Int128(toDate.spend.microunits) * weight + Int128(rate.spend.microunits) * rest
    let budget = Int128(toDate.budget.microunits) * weight + Int128(rate.budget.microunits) * rest
    return (
      budget > 0 ? clamped((spend * 20_000 / budget + 1) / 2) : nil,
      status(spend: spend, budget: budget, rules: rules)
    )
  }

  /// 64-bit money times weights of a month times 10,000 stays below 2¹⁰⁰, so 128 bits are exact.
  private static func status(
    spend: Int128, budget: Int128, rules: BudgetHealthRules
  ) -> BudgetStatus? {
    guard budget > 0 else { return budget < 0 || spend > 0 ? .critical : nil }
    if spend * 10_000 < budget * Int128(rules.warning.rawValue) { return .normal }
    return spend * 10_000 <= budget * Int128(rules.critical.rawValue) ? .warning : .critical
  }

  private static func clamped(_ value: Int128) -> Int64 {
    Int64(clamping: value)
  }
}
