// Goal: a rule of the program, or a fault of its chain, moves the figure that its documentation
// names, as far as it says.
// Method: a table of settings; small worlds that differ in one of them, made so simple that each
// figure is known exactly. Projections are worked out again from the record's days.
import BlakJaks
import Foundation
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

private typealias Turn = SettingTurn<BlakJaksRecord>

/// Sixty days of members who all sign up at their start; the clock is not changed in them.
private let small = [
  "calendar.start=2026-01-01", "calendar.days=60", "population.members=300",
  "population.adoption.model=cohort",
]
/// Three whole months in which scan rewards are all that is spent.
private let rewards =
  small + ["calendar.days=90", "rules.prizes=[]", "rules.guarantee.enabled=false"]
private let shop =
  small + [
    "rules.shop.enabled=true", "population.tins.shop=100 %", "population.shop.cancelled=0 %",
    "population.shop.refunded=0 %",
  ]
/// Every transaction of everybody is recorded.
private let wallets =
  small + [
    "population.wallet.enabled=true", "population.wallet.visits_per_week=7",
    "population.wallet.withdraws=100 %", "population.wallet.traced=300",
    "rules.scan_reward.base=5",
  ]
/// Wholesale orders of whole fifties, from the start.
private let wholesale =
  small + [
    "rules.wholesale.accounts=5", "population.wholesale.reference_members=300",
    "population.wholesale.tins_per_case=50", "population.wholesale.onboarding_days=0",
  ]
/// All scans are of the first instants, and so the payouts of the first hours.
private let once =
  small + [
    "rules.prizes=[]", "rules.guarantee.enabled=false", "rules.affiliates.weekly_pool=false",
    "population.purchase.a=10000", "population.purchase.b=0.0001",
    "population.referral.referred=0 %", "population.tins.opened_over=0 %",
    "rules.treasury.opening.member_wallet=100000", "rules.treasury.books_differences=false",
  ]

extension BlakJaksRecord {
  /// A series at the run's end.
  fileprivate func end(_ key: String) throws -> Double {
    Double(try #require(try values(key).last))
  }

  /// Chain less ledger of all wallets, added up over the mornings.
  fileprivate var differences: Double {
    Double(reconciliations.reduce(0) { $0 + $1.difference.microunits })
  }

  fileprivate func closing(_ status: BudgetStatus) -> Double {
    Double(months.count { $0.status == status })
  }

  fileprivate func balance(_ account: String) throws -> MicroUSDT {
    try #require(accounts.first { $0.account == account }).balance
  }
}

/// Monday to Sunday, as the defaults are.
private let usualWeights = [0.9, 0.9, 0.95, 1, 1.15, 1.2, 0.9]

private let rules = [
  Turn(
    "rules.budget_health.warning", ["1 %", "85 %"], .figures([3, 0]), "months that close Warning",
    with: rewards
  ) { $0.closing(.warning) },
  Turn(
    "rules.budget_health.critical", ["1 %", "100 %"], .figures([3, 0]),
    "months that close Critical", with: rewards + ["rules.budget_health.warning=0.5 %"]
  ) { $0.closing(.critical) },
  Turn(
    "rules.affiliates.weekly_pool", ["true", "false"], .figures([8, 0]),
    "weekly pools, of eight Mondays", with: small
  ) { Double($0.pools.count) },
  Turn(
    "rules.affiliates.weekly_pool", ["false", "true"], .rises, "paid to holders of chips",
    with: small
  ) { $0.affiliates.poolPaid.usdt },
  Turn(
    "rules.shop.free_from", ["1", "100000"], .figures([0, 2.99], within: 1e-9),
    "shipping paid for an order", with: shop
  ) { record in try record.end("shop.shipping") / 1e6 / record.end("shop.orders") },
  Turn(
    "rules.wallet.minimum_withdrawal", ["1", "5", "20"], .atLeast([1, 5, 20]),
    "smallest withdrawal", with: wallets
  ) { record in
    let taken = record.transactions.filter { $0.kind == "withdrawal" }.map { -$0.amount.usdt }
    return try #require(taken.min())
  },
  Turn(
    "rules.wallet.minimum_withdrawal", ["1", "5", "20"], .falls, "withdrawals", with: wallets
  ) { try $0.end("wallet.withdrawals") },
  Turn(
    "rules.wholesale.tins_per_chip", ["1", "10", "50"], .figures([1, 0.1, 0.02], within: 1e-12),
    "chips for each tin, of orders of whole fifties", with: wholesale
  ) { record in try record.end("wholesale.chips") / record.end("wholesale.tins") },
  Turn(
    "rules.wholesale.comp_amount", ["0.5", "500", "1234.56"], .figures([0.5, 500, 1_234.56]),
    "paid for a wholesale comp", with: wholesale + ["rules.wholesale.comp_every=1000"]
  ) { record in
    let comps = try record.end("wholesale.comps")
    return try record.payout("wholesale").total.usdt / comps
  },
  // A day's share is rounded down to a micro-unit.
  Turn(
    "rules.comp_pool.wholesale_share", ["0 %", "2 %", "10 %"],
    .figures([0, 0.02, 0.1], within: 1e-8),
    "part of gross profit that is set aside for wholesale comps, of which none is won",
    with: wholesale + ["rules.wholesale.comp_every=1000000000"]
  ) { record in
    let profit = record.days.reduce(0) { $0 + $1.grossProfit.microunits }
    return try record.end("pool.wholesale") / Double(profit)
  },
]

private let faults = [
  // One transaction pays everybody, and 5 USDT of its fee are in no book.
  Turn(
    "rules.treasury.tolerance", ["4.999999", "5"], .figures([60, 0]),
    "mornings on which a wallet is not balanced",
    with: once + [
      "faults.chain.unbooked_fee=100 %", "faults.chain.extra_fee=5",
      "rules.payouts.batch_limit=1000000",
    ]
  ) { Double($0.reconciliations.count { !$0.balanced }) },
  Turn(
    "faults.chain.extra_fee", ["0.5", "1", "5"], .factors([1, 2, 10]),
    "differences of chain and ledger", with: once + ["faults.chain.unbooked_fee=100 %"]
  ) { $0.differences },
  Turn(
    "faults.chain.late_by", ["1 d", "2 d", "5 d"], .factors([1, 2, 5]),
    "differences of chain and ledger, a morning each until the chain is done",
    with: once + ["faults.chain.late=100 %"]
  ) { $0.differences },
]

@Suite(.tags(.slow)) struct TurnedRuleTests {
  @Test("A rule moves the figure that its documentation names", arguments: rules + faults)
  fileprivate func moves(_ turn: SettingTurn<BlakJaksRecord>) throws {
    let fault = try turn.fault(in: "launch-year") { try told(try story("launch-year", $0)) }
    #expect(fault == nil)
  }

  @Test(
    "Charged to the operating account, a family of payouts takes from it just what it pays",
    arguments: ["scan_reward", "crypto", "casino", "chips"])
  func charges(_ family: String) throws {
    let world =
      small + [
        "rules.chips.enabled=true", "population.wallet.enabled=true",
        "population.wallet.redeems=100 %", "rules.prizes[0].every=40", "rules.prizes[3].every=300",
        "rules.prizes[3].tier=standard",
      ]
    let path = "rules.comp_pool.charges.\(family)"
    let usual = try told(try story("launch-year", world))
    let turned = try told(try story("launch-year", world + ["\(path)=operating"]))
    let paid: MicroUSDT
    switch PrizeKind(rawValue: family) {
    case .some(let kind):
      let won = usual.awards.filter { $0.kind == kind }
      paid = MicroUSDT(microunits: won.reduce(0) { $0 + $1.amount.microunits })
    case nil: paid = try usual.payout(family).total
    }
    #expect(paid > .zero, "\(path): nothing is paid")
    func moved(_ figure: (BlakJaksRecord) throws -> MicroUSDT) throws -> Int64 {
      try figure(turned).microunits - figure(usual).microunits
    }
    let what: Comment = "\(path) = comp_pool | operating: \(paid) are paid"
    #expect(try moved { try $0.balance("operating") } == -paid.microunits, what)
    #expect(try moved { try $0.balance("comp_pool") } == paid.microunits, what)
    let spent = try moved { record in
      MicroUSDT(microunits: record.months.reduce(0) { $0 + $1.spendCash.microunits })
    }
    #expect(spent == -paid.microunits, what)
    #expect(ProgrammeCost(turned)[.operating] == paid, what)
    #expect(ProgrammeCost(usual)[.operating] == .zero, what)
  }

  @Test(
    "A month's first days are projected at last month's rates by the weights of the days left",
    arguments: [
      ([0.1, 0.1, 0.1, 0.1, 5, 5, 0.1], 20), ([1, 1, 1, 1, 1, 1, 1], 27), (usualWeights, 0),
      (usualWeights, 1), (usualWeights, 14),
    ] as [([Double], Int)])
  func projection(weights: [Double], settling: Int) throws {
    let record = try projected(weights, settling)
    let what = "weekday_weights = \(weights), settling_days = \(settling)"
    let projections = record.days.map(\.projectedBasisPoints)
    if weights != usualWeights {
      let usual = try projected(usualWeights, settling)
      #expect(usual.days.map(\.projectedBasisPoints) != projections, "\(what): weights do nothing")
    }
    let usual = try projected(weights, 2)
    #expect(usual.days.map(\.projectedBasisPoints) != projections, "\(what): days do nothing")
    var last: Span?
    var month = Span()
    for (place, day) in record.days.enumerated() {
      month.spend += Int128(day.spendAccrual.microunits)
      month.profit += day.grossProfit.microunits
      month.weight += tenThousandths(weights[day.date.weekday])
      let dates = record.days[(place + 1)...].map(\.date)
      let left = dates.prefix { $0.month == day.date.month }
      let rest = left.reduce(Int128(0)) { $0 + tenThousandths(weights[$1.weekday]) }
      let isSettling = day.date.day < settling || month.weight == 0
      let rate = isSettling ? last ?? month : month
      let spend = month.spend * rate.weight + rate.spend * rest
      let budget = month.budget * rate.weight + rate.budget * rest
      let projected = budget > 0 ? Int64((spend * 20_000 / budget + 1) / 2) : nil
      #expect(day.projectedBasisPoints == projected, "\(what) on \(day.date)")
      if left.isEmpty { (last, month) = (month, Span()) }
    }
  }

  private func projected(_ weights: [Double], _ settling: Int) throws -> BlakJaksRecord {
    let list = weights.map { "\($0)" }.joined(separator: ", ")
    let turned = [
      "rules.budget_health.weekday_weights=[\(list)]",
      "rules.budget_health.settling_days=\(settling)",
    ]
    return try told(try story("launch-year", rewards + turned))
  }

  private func tenThousandths(_ weight: Double) -> Int128 { Int128((weight * 10_000).rounded()) }

  /// What some days of a month add up to.
  private struct Span {
    var spend: Int128 = 0
    var profit: Int64 = 0
    var weight: Int128 = 0
    /// Half of gross profit, rounded down.
    var budget: Int128 { Int128(profit / 2) }
  }
}
