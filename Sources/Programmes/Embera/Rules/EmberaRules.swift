package import Quantities
package import RewardModel

/// Everything that the roastery decides.
package struct EmberaRules: Sendable, Equatable {
  /// Points for each dollar of an order's subtotal, 0 or more.
  package var pointsPerDollar: Int64 = 10
  package var tiers = EmberaTierRules()
  /// 1...8 offers with ids of their own.
  package var offers = Offer.standard
  /// Points expire with the month that comes this many months after the member's last order; nil
  /// keeps them forever.
  package var expiryMonths: Int?
  package var orders = OrderRules()
  /// Where members live; empty levies no tax. At most 256.
  package var states = StateRecord.unitedStates
  package var status = StatusRules()
  package var passkeys = PasskeyRules()
  package var liability = LiabilityRules()
  package var budget = RewardBudget()

  /// The defaults.
  package init() {}

  /// The largest number of offers.
  package static let maximumOffers = 8
}

/// How the share of points that will be redeemed is estimated.
package struct LiabilityRules: Sendable, Equatable {
  /// Share of points expected to be redeemed until there are points old enough to tell.
  package var priorShare = BasisPoints(7_000)
  /// Months after whose end points are old enough for the seen rate.
  package var months = 6
}

/// How near the budget a reward rate is.
package enum BudgetStatus: Int, CaseIterable, Codable, Sendable {
  case normal, warning, critical

  /// The status's id in files.
  package var key: String {
    switch self {
    case .normal: "normal"
    case .warning: "warning"
    case .critical: "critical"
    }
  }
}

/// A budget for the reward rate: the cost of redeemed offers in relation to revenue.
package struct RewardBudget: Sendable, Equatable {
  /// The most that the reward rate should be.
  package var limit = BasisPoints(500)
  /// Share of the limit from which on the status is a warning.
  package var warning = BasisPoints(8_500)

  /// The defaults.
  package init() {}

  /// Normal below the warning, critical above the limit; compared exactly, without division.
  package func status(cost: MicroUSDT, revenue: MicroUSDT) -> BudgetStatus {
    let used = Int128(cost.microunits) * 100_000_000
    let all = Int128(revenue.microunits) * Int128(limit.rawValue)
    if used > all * 10_000 { return .critical }
    return used >= all * Int128(warning.rawValue) && used > 0 ? .warning : .normal
  }
}
