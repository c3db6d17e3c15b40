package import Quantities
internal import RewardModel

/// What is known of the points at a month's end.
package struct PointsValuation: Sendable, Equatable, Codable {
  /// Share of points that is expected to be redeemed, re-estimated.
  package var share: BasisPoints
  /// Points redeemed and still to be redeemed, as expected: never fewer than were redeemed, never
  /// more than these and the share of those outstanding.
  package var expectedRedeemed: Int64
  /// Points outstanding × expected cost a point.
  package var gross: MicroUSDT
  /// The part of it that is expected never to be claimed.
  package var breakage: MicroUSDT
  /// Price of orders allotted to points and not recognized yet (IFRS 15).
  package var contractLiability: MicroUSDT

  /// What is owed at cost: gross less breakage.
  package var net: MicroUSDT {
    MicroUSDT(microunits: gross.microunits - breakage.microunits)
  }
}

/// One closed month.
package struct MonthClose: Sendable, Equatable, Codable {
  /// 12 × year + month − 1.
  package var month: Int32
  /// What happened in it.
  package var sums: ProgramSums
  /// Points outstanding at its end.
  package var outstanding: Int64
  /// Cost of the offers redeemed in it.
  package var rewardCost: MicroUSDT
  package var status: BudgetStatus
  package var valuation: PointsValuation
}

extension MonthClose {
  /// A month of some sums, with what they cost and how near that is to the budget.
  ///
  /// - Throws: `MoneyError.overflow`.
  fileprivate init(
    _ month: Int32, _ sums: ProgramSums, outstanding: Int64, _ valuation: PointsValuation,
    _ rules: EmberaRules
  ) throws(MoneyError) {
    let rewards = try EmberaBooks.rewardCost(sums, rules)
    self.init(
      month: month, sums: sums, outstanding: outstanding, rewardCost: rewards,
      status: rules.budget.status(cost: rewards, revenue: MicroUSDT(microunits: sums.revenue)),
      valuation: valuation)
  }
}

/// What concerns everybody: sums, ledger, estimates.
package struct EmberaBooks: Sendable, Equatable, Codable {
  package private(set) var total = ProgramSums()
  package private(set) var ledger = EmberaLedger()
  package private(set) var months: [MonthClose] = []
  /// Share of points expected to be redeemed, as the last month end saw it.
  package private(set) var share: BasisPoints
  /// The current month: 12 × year + month − 1.
  package private(set) var month: Int32
  /// Micro-USD of points' sales recognized so far.
  package private(set) var recognised: Int64 = 0
  private var opening = ProgramSums()

  /// Empty books.
  package init(_ rules: EmberaRules, month: Int32) {
    share = rules.liability.priorShare
    self.month = month
  }

  /// What happened in the current month.
  private var sumsOfMonth: ProgramSums { total.since(opening) }

  /// The months closed since an earlier state of the same books, the first with what happened in it
  /// since then.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func months(
    since earlier: EmberaBooks, _ rules: EmberaRules
  ) throws(MoneyError) -> [MonthClose] {
    var left = Array(months.dropFirst(earlier.months.count))
    if let first = left.first {
      left[0] = try MonthClose(
        first.month, first.sums.since(earlier.sumsOfMonth), outstanding: first.outstanding,
        first.valuation, rules)
    }
    return left
  }

  /// Adds what members did, and posts it.
  ///
  /// - Throws: `MoneyError.overflow`; the books are then of no use.
  package mutating func post(
    _ sums: ProgramSums, _ rules: EmberaRules
  ) throws(MoneyError) {
    try total.add(sums)
    func amount(_ microunits: Int64) -> MicroUSDT { MicroUSDT(microunits: microunits) }
    try ledger.post(amount(sums.list), from: .cash, to: .goodsSales)
    try ledger.post(amount(sums.discount), from: .discounts, to: .cash)
    try ledger.post(amount(sums.deferred), from: .goodsSales, to: .contractLiability)
    try ledger.post(amount(sums.shipping), from: .cash, to: .shippingIncome)
    try ledger.post(amount(sums.tax), from: .cash, to: .salesTax)
    try ledger.post(amount(sums.cost), from: .costOfGoods, to: .stock)
    let rewards = try EmberaBooks.rewardCost(sums, rules)
    try ledger.post(rewards, from: .costOfRewards, to: .stock)
  }

  /// What the offers redeemed cost the roastery.
  ///
  /// - Throws: `MoneyError.overflow`.
  package static func rewardCost(
    _ sums: ProgramSums, _ rules: EmberaRules
  ) throws(MoneyError) -> MicroUSDT {
    var cost = MicroUSDT.zero
    for (row, offer) in rules.offers.enumerated() {
      cost = try cost.adding(offer.cost.multiplied(by: sums.redemptions[row]))
    }
    return cost
  }

  /// Closes the current month: re-estimates the share redeemed, recognizes points' sales by it
  /// (what was recognized too much is taken back), and values the points.
  ///
  /// Points that expire with the month have expired before.
  ///
  /// - Parameter seen: Points older than `LiabilityRules.months`; as long as there are none, the
  ///   share stays as it is.
  /// - Throws: `MoneyError.overflow`.
  @discardableResult
  package mutating func closeMonth(
    _ rules: EmberaRules, _ seen: SeenPoints
  ) throws(MoneyError) -> MonthClose {
    let sums = sumsOfMonth
    share = seen.share ?? share
    let valuation = try value(rules)
    let target = total.deferred - valuation.contractLiability.microunits
    try ledger.post(
      MicroUSDT(microunits: target - recognised), from: .contractLiability, to: .pointsSales)
    recognised = target
    let close = try MonthClose(month, sums, outstanding: total.outstanding, valuation, rules)
    months.append(close)
    opening = total
    month += 1
    return close
  }

  /// What the points are worth by the present estimate.
  ///
  /// The expected cost of a point is that of the points redeemed so far, or of all offers together
  /// before the first redemption. A point outstanding is no likelier to be redeemed than a new one, and no
  /// more of the price allotted is left to recognize than that of the points outstanding: both matter once
  /// more points have expired than the estimate takes for breakage.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func value(_ rules: EmberaRules) throws(MoneyError) -> PointsValuation {
    func expected(of points: Int64) -> Int64 {
      Int64(Int128(points) * Int128(share.rawValue) / 10_000)
    }
    let expected = max(
      total.redeemed,
      min(expected(of: total.issued), total.redeemed + expected(of: total.outstanding)))
    let cost = try EmberaBooks.rewardCost(total, rules)
    let basis =
      total.redeemed > 0
      ? (cost: cost, points: total.redeemed)
      : (
        cost: MicroUSDT(microunits: rules.offers.reduce(0) { $0 + $1.cost.microunits }),
        points: rules.offers.reduce(0) { $0 + $1.points }
      )
    let gross = try basis.cost.portion(total.outstanding, of: basis.points)
    let net = try basis.cost.portion(expected - total.redeemed, of: basis.points)
    // Where nothing is expected to be redeemed, nothing is owed.
    let deferred = MicroUSDT(microunits: total.deferred)
    let done =
      expected > 0
      ? max(
        try deferred.portion(total.redeemed, of: expected),
        try deferred.portion(total.issued - total.outstanding, of: total.issued))
      : deferred
    return PointsValuation(
      share: share, expectedRedeemed: expected, gross: gross,
      breakage: try gross.subtracting(net), contractLiability: try deferred.subtracting(done))
  }
}
