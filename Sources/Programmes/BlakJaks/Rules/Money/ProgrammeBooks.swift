package import Quantities
internal import RewardModel

/// The programme's money: what it earns, pays and sets aside, day by day.
///
/// Simulator, history replay and service post through these functions and no others. The books
/// know days, not clocks: whoever drives them turns the day, pays the weekly pool and stops at
/// instants that the calendar gives.
package struct ProgrammeBooks: Sendable, Codable {
  package let rules: ProgrammeRules
  package internal(set) var ledger = Ledger()
  /// Every payout that is promised and not settled.
  package internal(set) var desk: PayoutDesk
  package private(set) var payouts: PayoutLedger
  package var affiliates: AffiliateTable
  /// What has ended so far and nobody has taken away.
  package internal(set) var closed = ClosedPeriods()
  /// Accepted scans since the run began.
  package private(set) var scans: Int64 = 0
  package private(set) var tinsSold: Int64 = 0
  /// The current local day.
  package internal(set) var date: CivilDate
  /// Days that have ended: the row of the current day in a run's calendar.
  package internal(set) var today = 0
  /// Accepted scans of the day that ended last.
  package internal(set) var scansYesterday: Int64 = 0
  /// The budget's health as it was projected when the current day began.
  package internal(set) var health: BudgetStatus?
  /// The lot of affiliate chips from scans of the current day.
  package internal(set) var chipLot: Int

  var day = Sums()
  var month = Sums()
  var monthWeight: Int64 = 0
  var lastMonth: BudgetHealth.Basis?
  var weekGrossProfit = MicroUSDT.zero
  var closedWeekGrossProfit = MicroUSDT.zero
  private var poolCarry = MicroUSDT.zero
  /// What earlier weeks of negative gross profit took from the weekly pools to come.
  private var poolDebt = MicroUSDT.zero
  private var grossProfit = MicroUSDT.zero
  private var tripReserved = MicroUSDT.zero
  /// What the treasuries' sweeps have dealt with.
  var swept = SweptSums()
  /// What became of what the shop owed.
  package internal(set) var shopDebts = ShopDebts()
  /// Last morning's reconciliations, one a wallet; empty before the first.
  var lastReconciled: [Reconciliation] = []

  /// Books before the first sale, with the owners' money in the treasuries.
  ///
  /// - Throws: `MoneyError.overflow`.
  package init(rules: ProgrammeRules, firstDate: CivilDate) throws(MoneyError) {
    self.rules = rules
    date = firstDate
    payouts = PayoutLedger(prizes: rules.prizes)
    desk = PayoutDesk(rules: rules.payouts, prizes: rules.prizes)
    affiliates = AffiliateTable(rules: rules.affiliates, firstDate: firstDate)
    chipLot = affiliates.lot(ofScanOn: firstDate)
    try openTreasuries()
  }

  /// Sells tins through the shop or retail: they are paid for, what they had cost is booked, and
  /// gross profit accrues and is allotted to the pools.
  ///
  /// What a pool holds is its share of all gross profit so far, rounded down once, so that many
  /// small sales lose nothing to rounding, and a sale that is taken back leaves no trace.
  ///
  /// - Parameters:
  ///   - tins: Less than 0 takes sales back: what the tins had cost is there again, and their price
  ///     is owed until the next morning; see `payShop`. What is sold and what is taken back are
  ///     never set off against each other by one call.
  ///   - sales: How many sales they are, each a posting in each pair of accounts.
  /// - Throws: `MoneyError.overflow`.
  package mutating func sell(tins: Int64, sales: Int64 = 1) throws(MoneyError) {
    try sell(
      tins: tins, sales, at: rules.economy.price, profit: rules.economy.grossProfit)
  }

  /// Sells tins to a wholesale account, at what they cost and the wholesale profit.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func sellWholesale(tins: Int64) throws(MoneyError) {
    let economy = rules.economy
    let price = try economy.price.subtracting(economy.grossProfit)
      .adding(economy.wholesaleGrossProfit)
    try sell(tins: tins, 1, at: price, profit: economy.wholesaleGrossProfit)
  }

  /// Books what the shop takes and owes besides the tins: shipping and sales tax of its customers,
  /// and what the carrier costs. Shipping and tax below zero are given back, and so owed.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func bookShop(
    shipping: MicroUSDT, tax: MicroUSDT, carriage: MicroUSDT
  ) throws(MoneyError) {
    try take(shipping, as: .shippingIncome)
    try take(tax, as: .salesTax)
    try ledger.post(carriage, from: .carriage, to: .shopPayable)
  }

  /// Takes what customers pay into the Operating account; what is below zero is owed to them.
  private mutating func take(
    _ amount: MicroUSDT, as income: LedgerAccount, postings: Int64 = 1
  ) throws(MoneyError) {
    if amount < .zero {
      try ledger.post(
        try MicroUSDT.zero.subtracting(amount), from: income, to: .shopPayable,
        postings: postings)
    } else {
      try ledger.post(amount, from: .bankOperating, to: income, postings: postings)
    }
  }

  private mutating func sell(
    tins: Int64, _ sales: Int64, at price: MicroUSDT, profit each: MicroUSDT
  ) throws(MoneyError) {
    guard tins != 0 else { return }
    let profit = try each.multiplied(by: tins)
    let revenue = try price.multiplied(by: tins)
    try take(revenue, as: .sales, postings: sales)
    try ledger.post(
      try revenue.subtracting(profit), from: .costOfGoods, to: .bankOperating, postings: sales)
    let total = try grossProfit.adding(profit)
    let pool = rules.compPool
    let parts = (
      try allot(pool.share, until: total, to: .compPool, sales),
      try allot(pool.affiliateShare, until: total, to: .affiliatePool, sales),
      try allot(pool.wholesaleShare, until: total, to: .wholesalePool, sales)
    )
    let rest = try profit.subtracting(parts.0).subtracting(parts.1).subtracting(parts.2)
    try ledger.post(rest, from: .grossProfit, to: .operating, postings: sales)
    grossProfit = total
    weekGrossProfit = try weekGrossProfit.adding(profit)
    day.grossProfit = try day.grossProfit.adding(profit)
    day.tinsSold += tins
    tinsSold += tins
  }

  /// Allots a pool its share of the gross profit that is there now.
  ///
  /// - Parameter total: All gross profit so far, with what `grossProfit` has not counted yet.
  /// - Returns: What is new of it.
  private mutating func allot(
    _ share: BasisPoints, until total: MicroUSDT, to account: LedgerAccount, _ sales: Int64
  ) throws(MoneyError) -> MicroUSDT {
    let part = try total.share(share).subtracting(try grossProfit.share(share))
    try ledger.post(part, from: .grossProfit, to: account, postings: sales)
    return part
  }

  /// Counts accepted scans and sets their part of the trips aside.
  ///
  /// - Parameter postings: How many postings that is in each account.
  /// - Throws: `MoneyError.overflow`.
  package mutating func count(scans accepted: Int64, postings: Int64 = 1) throws(MoneyError) {
    guard accepted > 0 else { return }
    scans += accepted
    day.acceptedScans += accepted
    var due = MicroUSDT.zero
    // By row, as a prize has a name, which would be kept alive for each.
    for row in rules.prizes.indices where rules.prizes[row].kind == .trip {
      due = try due.adding(rules.prizes[row].amount.portion(scans, of: rules.prizes[row].every))
    }
    let reserve = try due.subtracting(tripReserved)
    tripReserved = due
    guard reserve > .zero else { return }
    let charge = rules.compPool.charges.trip.ledgerAccount
    try ledger.post(reserve, from: charge, to: .spent, postings: postings)
    try ledger.post(reserve, from: .expenseTrip, to: .tripReserve, postings: postings)
    if rules.compPool.charges.trip == .compPool {
      day.spendAccrual = try day.spendAccrual.adding(reserve)
    }
  }

  /// Promises payments of one type; `count` of them make `total`. Nothing is no payment.
  ///
  /// - Parameter receiver: The member whose wallet takes the one payment; nil for several, and
  ///   where nobody keeps wallets.
  /// - Throws: `MoneyError.overflow`.
  package mutating func pay(
    _ type: PayoutType, count: Int64 = 1, total: MicroUSDT, at time: Instant,
    to receiver: UInt32? = nil
  ) throws(MoneyError) {
    guard count > 0, total > .zero else { return }
    try pay(
      type,
      receiver.map { AwardRun(Award(to: $0, total, at: time)) }
        ?? AwardRun(count: count, amount: total, at: time))
  }

  /// Promises payments of one type, each above zero, as one posting.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func pay(_ type: PayoutType, _ run: AwardRun) throws(MoneyError) {
    try book(type, count: run.count, run.amount, postings: 1)
    try desk.award(type, run)
  }

  /// Promises payments of one type, each above zero.
  ///
  /// - Parameters:
  ///   - runs: In the order of their instants.
  ///   - postings: How many postings they are in each pair of accounts.
  /// - Throws: `MoneyError.overflow`.
  package mutating func pay(
    _ type: PayoutType, _ runs: [AwardRun], postings: Int64 = 1
  ) throws(MoneyError) {
    var count: Int64 = 0
    var total = MicroUSDT.zero
    for run in runs {
      count += run.count
      total = try total.adding(run.amount)
    }
    guard count > 0 else { return }
    try book(type, count: count, total, postings: postings)
    try desk.award(type, runs, count: count, total: total)
  }

  /// Books what is promised.
  private mutating func book(
    _ type: PayoutType, count: Int64, _ total: MicroUSDT, postings: Int64
  ) throws(MoneyError) {
    let charge = type.charge(rules)
    try payouts.enter(type, count: count, total: total)
    try ledger.post(total, from: charge.ledgerAccount, to: .spent, postings: postings)
    try ledger.post(
      total, from: type.expense(rules.prizes), to: type.payable, postings: postings)
    guard charge == .compPool else { return }
    day.spendCash = try day.spendCash.adding(total)
    day.spendAccrual = try day.spendAccrual.adding(total)
  }

  /// Pays a milestone comp and, for crypto won by a referred member, the affiliate's match.
  ///
  /// - Parameters:
  ///   - winner: The member who won; nil where nobody keeps wallets.
  ///   - affiliate: The member who gets the match; nil where there is none.
  /// - Returns: The match.
  /// - Throws: `MoneyError.overflow`.
  @discardableResult
  package mutating func payAward(
    prize row: Int, to winner: UInt32? = nil, affiliate: UInt32?, at time: Instant
  ) throws(MoneyError) -> MicroUSDT {
    let prize = rules.prizes[row]
    guard prize.amount > .zero else { return .zero }
    if prize.kind == .trip {
      try payouts.enter(.prize(row), total: prize.amount)
      try ledger.post(prize.amount, from: .tripReserve, to: .memberPayable)
      let run =
        winner.map { AwardRun(Award(to: $0, prize.amount, at: time)) }
        ?? AwardRun(count: 1, amount: prize.amount, at: time)
      try desk.award(.prize(row), run)
      if rules.compPool.charges.trip == .compPool {
        day.spendCash = try day.spendCash.adding(prize.amount)
      }
      return .zero
    }
    try pay(.prize(row), total: prize.amount, at: time, to: winner)
    guard prize.kind == .crypto, let affiliate else { return .zero }
    let match = try prize.amount.share(rules.affiliates.match)
    try pay(.match, total: match, at: time, to: affiliate)
    return match
  }

  /// Shares the pool of the local week that ended last Monday 00:00, and carries the rest.
  ///
  /// A pool is never below zero: what a week of negative gross profit lacks is a debt that the
  /// next weeks pay off first.
  ///
  /// - Parameters:
  ///   - time: The instant.
  ///   - isSuspended: Whether the affiliate of a row earns nothing now.
  ///   - owner: The member who is the affiliate of a row; nil where nobody keeps wallets.
  /// - Returns: Each affiliate's row and share.
  /// - Throws: `MoneyError.overflow`.
  @discardableResult
  package mutating func payWeeklyPool(
    at time: Instant, isSuspended: (Int) -> Bool = { _ in false },
    owner: (Int) -> UInt32? = { _ in nil }
  ) throws(MoneyError) -> [(row: Int, share: MicroUSDT)] {
    guard rules.affiliates.weeklyPool else { return [] }
    let earned = try closedWeekGrossProfit.share(rules.compPool.affiliateShare)
      .adding(poolCarry).subtracting(poolDebt)
    closedWeekGrossProfit = .zero
    let pool = max(earned, .zero)
    poolDebt = try pool.subtracting(earned)
    // Collected first: the ledger cannot change while the table is read.
    var shares: [(row: Int, share: MicroUSDT)] = []
    shares.reserveCapacity(affiliates.count)
    let result = try affiliates.share(pool, isSuspended: isSuspended) {
      (row, share) throws(MoneyError) in
      shares.append((row, share))
    }
    // Each is a payment and a posting of its own, made together: most programs have as many of them
    // as affiliates.
    let runs = try AwardRun.runs(
      of: shares, at: time, atMost: rules.payouts.fullTransaction, owner: owner)
    try pay(.pool, runs, postings: Int64(shares.count))
    poolCarry = try pool.subtracting(result.paid)
    closed.pools.append(
      Pool(
        time: time, pool: pool, chips: result.chips, holders: result.holders, paid: result.paid,
        carry: poolCarry))
    return shares
  }

  /// What the next weekly pool would hold if the week ended now; nil where there is none, and where
  /// the sum leaves its range.
  package var poolAccruing: MicroUSDT? {
    guard rules.affiliates.weeklyPool,
      let profit = try? weekGrossProfit.adding(closedWeekGrossProfit)
    else { return nil }
    let earned = try? profit.share(rules.compPool.affiliateShare).adding(poolCarry)
      .subtracting(poolDebt)
    return earned.map { max($0, .zero) }
  }
}
