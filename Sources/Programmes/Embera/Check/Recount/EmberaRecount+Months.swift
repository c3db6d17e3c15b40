internal import Quantities
internal import RewardModel

/// Month ends, recounted from the lists.
extension EmberaRecount {
  func closeMonth(isComplete: Bool) -> MonthClose {
    if isComplete { expire() }
    let old = isComplete ? oldPoints() : (issued: 0, redeemed: 0)
    if old.issued > 0 {
      share = part(old.redeemed, 10_000, of: old.issued)
      note("share_estimated")
    }
    let now = closes.count
    let sums = sums { $0 == now }
    let all = self.sums { _ in true }
    let valuation = value(all)
    recognised = Int(all.deferred) - Int(valuation.contractLiability.microunits)
    let cost = rewardCost(sums)
    let status = status(cost: cost, revenue: Int(sums.list - sums.discount))
    if status != .normal { note("budget_\(status.key)") }
    let close = MonthClose(
      month: Int32(month), sums: sums,
      outstanding: Int64(members.reduce(0) { $0 + $1.held }),
      rewardCost: MicroUSDT(microunits: Int64(cost)), status: status, valuation: valuation)
    closes.append(close)
    wholeMonths.append(wholeMonths[now] + (isComplete ? 1 : 0))
    return close
  }

  /// Points of members whose last order is too long ago.
  private func expire() {
    guard let wait = rules.expiryMonths else { return }
    for person in members {
      guard let last = person.orders.last?.month, month - last >= wait, person.held > 0 else {
        continue
      }
      person.expiries.append(PlainAccount.Expired(points: person.held, closes: closes.count))
      person.lots = []
      note("points_expired")
    }
  }

  /// Points of orders that are old enough, and those of them that were redeemed: each redemption
  /// counts for the oldest points that no redemption counts for. Whole months count, up to the one
  /// that closes now.
  private func oldPoints() -> (issued: Int, redeemed: Int) {
    var old = (issued: 0, redeemed: 0)
    for person in members {
      var rest = person.redeemed
      for order in person.orders {
        let taken = min(rest, order.points)
        rest -= taken
        let age = wholeMonths[closes.count] - wholeMonths[order.closes]
        guard age >= rules.liability.months else { continue }
        old.issued += order.points
        old.redeemed += taken
      }
    }
    return old
  }

  /// What happened while so many months had closed.
  func sums(_ isIn: (Int) -> Bool) -> ProgramSums {
    var sums = ProgramSums()
    sums.repeated = Int64(repeats.count(where: isIn))
    for person in members {
      if isIn(person.closes) { sums.signUps += 1 }
      sums.refused += Int64(person.refusals.count(where: isIn))
      for order in person.orders where isIn(order.closes) {
        sums.orders += 1
        if order.channel == .subscription { sums.deliveries += 1 }
        sums.list += Int64(order.price.list)
        sums.discount += Int64(order.price.discount)
        sums.shipping += Int64(order.price.shipping)
        sums.tax += Int64(order.price.tax)
        sums.cost += Int64(order.price.cost)
        sums.deferred += Int64(order.allotted)
        sums.issued += Int64(order.points)
      }
      for redemption in person.redemptions where isIn(redemption.closes) {
        sums.redeemed += Int64(redemption.points)
        sums.redemptions[redemption.offer] += 1
      }
      for expiry in person.expiries where isIn(expiry.closes) {
        sums.expired += Int64(expiry.points)
      }
    }
    return sums
  }

  /// What the offers redeemed cost, offer by offer.
  func rewardCost(_ sums: ProgramSums) -> Int {
    rules.offers.indices.reduce(0) {
      $0 + Int(sums.redemptions[$1]) * Int(rules.offers[$1].cost.microunits)
    }
  }

  private func value(_ all: ProgramSums) -> PointsValuation {
    let (issued, redeemed, expired) = (Int(all.issued), Int(all.redeemed), Int(all.expired))
    let held = issued - redeemed - expired
    var left = part(issued, share, of: 10_000) - redeemed
    if left > part(held, share, of: 10_000) { left = part(held, share, of: 10_000) }
    if left < 0 { left = 0 }
    let expected = redeemed + left
    var (cost, points) = (rewardCost(all), redeemed)
    if redeemed == 0 {
      cost = rules.offers.reduce(0) { $0 + Int($1.cost.microunits) }
      points = rules.offers.reduce(0) { $0 + Int($1.points) }
    }
    let gross = part(cost, held, of: points)
    let net = part(cost, expected - redeemed, of: points)
    let deferred = Int(all.deferred)
    var owed = 0
    if expected > 0 {
      owed = deferred - part(deferred, redeemed, of: expected)
      let unclaimed = deferred - part(deferred, redeemed + expired, of: issued)
      if owed > unclaimed { owed = unclaimed }
    }
    return PointsValuation(
      share: BasisPoints(Int64(share)), expectedRedeemed: Int64(expected),
      gross: MicroUSDT(microunits: Int64(gross)),
      breakage: MicroUSDT(microunits: Int64(gross - net)),
      contractLiability: MicroUSDT(microunits: Int64(owed)))
  }

  /// Above the limit, from its warning share on, or below; compared as fractions.
  private func status(cost: Int, revenue: Int) -> BudgetStatus {
    let limit = Int128(revenue) * Int128(rules.budget.limit.rawValue)
    if Int128(cost) * 10_000 > limit { return .critical }
    let warning = limit * Int128(rules.budget.warning.rawValue)
    return cost > 0 && Int128(cost) * 100_000_000 >= warning ? .warning : .normal
  }
}
