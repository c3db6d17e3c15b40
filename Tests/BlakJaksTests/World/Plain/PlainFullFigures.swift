import BlakJaks
// The figures of the plain whole world: each day's series, and the ledger's accounts at the end,
// worked out from their definitions.
import EventKernel
import Population
import Quantities
import RewardModel

extension PlainFullWorld {
  /// The sum of a figure over all days so far.
  private func sum(_ figure: (PlainSums) -> Int64) -> Int64 {
    programme.days.values.reduce(0) { $0 + figure($1) }
  }

  private func paid(_ type: String) -> (count: Int64, total: Int64) {
    let line = programme.payouts[type] ?? (0, 0)
    return (Int64(line.count), line.total)
  }

  /// Micro-USDT that a share of all gross profit comes to.
  func share(_ share: BasisPoints) -> Int64 {
    portion(sum(\.profit), share.rawValue, of: 10_000)
  }

  /// What was set aside for trips, won or not.
  var tripsReserved: Int64 {
    rules.prizes.filter { $0.kind == .trip }.reduce(0) {
      $0 + portion($1.amount.microunits, Int64(programme.scans), of: $1.every)
    }
  }

  private func won(_ kind: PrizeKind) -> Int64 {
    rules.prizes.filter { $0.kind == kind }.reduce(0) { $0 + paid($1.name).total }
  }

  /// What was charged to the comp pool; trips by their reserve.
  private var compPoolCharges: Int64 {
    won(.crypto) + won(.casino) + tripsReserved + paid("guarantee").total
      + paid("match").total + paid("scan_reward").total + paid("chips").total
  }

  private func isAffiliates(_ type: String) -> Bool { type == "match" || type == "pool" }

  private func isMembers(_ type: String) -> Bool { !isAffiliates(type) && type != "wholesale" }

  /// Balances of the ledger's accounts but for the wallets and the Comp Pool account, credits
  /// positive.
  func accounts() -> [String: Int64] {
    let price = rules.economy.price.microunits
    let tins = sum { Int64($0.tins) }
    let wholesale = totals["wholesale_tins"] ?? 0
    let tinCost = price - rules.economy.grossProfit.microunits
    let wholesalePrice = tinCost + rules.economy.wholesaleGrossProfit.microunits
    let profit = sum(\.profit)
    let pools = [
      share(rules.compPool.share), share(rules.compPool.affiliateShare),
      share(rules.compPool.wholesaleShare),
    ]
    let opening = rules.treasury.opening
    return [
      "gross_profit": -profit,
      "comp_pool": pools[0] - compPoolCharges,
      "affiliate_pool": pools[1] - paid("pool").total,
      "wholesale_pool": pools[2] - paid("wholesale").total,
      "operating": profit - pools.reduce(0, +),
      "spent": compPoolCharges + paid("pool").total + paid("wholesale").total,
      "equity": [
        opening.memberWallet, opening.affiliateWallet, opening.wholesaleWallet,
        opening.operatingBank, opening.reserveBank, opening.compPoolBank,
      ].reduce(0) { $0 + $1.microunits },
      "sales": (tins - wholesale) * price + wholesale * wholesalePrice,
      "cost_of_goods": -tins * tinCost,
      "shipping_income": shop.shipping,
      "sales_tax": shop.tax,
      "carriage": -shop["shipped"] * rules.shop.carrierCost.microunits,
      "expense_scan_reward": -paid("scan_reward").total,
      "expense_crypto": -won(.crypto),
      "expense_casino": -won(.casino),
      "expense_trip": -tripsReserved,
      "expense_guarantee": -paid("guarantee").total,
      "expense_match": -paid("match").total,
      "expense_pool": -paid("pool").total,
      "expense_wholesale": -paid("wholesale").total,
      "expense_chip_redemption": -paid("chips").total,
      "gas": -payouts.transactionsOnChain * rules.payouts.gas.microunits,
      "chain_difference": 0,
      "member_payable": payouts.owed(isMembers),
      "affiliate_payable": payouts.owed(isAffiliates),
      "wholesale_payable": payouts.owed { $0 == "wholesale" },
      "shop_payable": banks.owed,
      "bank_operating": -banks.operating,
      "bank_reserve": -banks.reserve,
      "trip_reserve": tripsReserved - won(.trip),
    ]
  }

  private func enter(_ key: String, _ value: Int64?) { figures[key, default: []].append(value) }

  private func total(_ key: String) -> Int64 { totals[key] ?? 0 }

  /// The day's row of every series.
  func enterFigures(of date: CivilDate) {
    let refused =
      total("invalid_code") + total("unknown_code") + total("already_scanned")
      + total("member_ineligible")
    enter("scans.refused", refused)
    enter("scans.submitted", refused + total("accepted"))
    if input.population.mischief.shared > 0 { enter("scans.shared", total("passed")) }
    enter("day.scans.submitted", submittedByDay[date] ?? 0)
    enterSpeed(of: date)
    enter("feed.signup", Int64(members.count { $0.traits != nil }))
    enter("feed.tier", total("upgrades"))
    enter("members.active", Int64(members.count { $0.traits != nil && !$0.hasLeft }))
    enter("sunset.active", sunset.since == nil ? 0 : 1)
    enter("sunset.trailing", trailingScans(before: date))
    enter("sunset.last_check", sunset.lastCheck?.microseconds)
    enterMoney(of: date)
    if rules.wholesale.accounts > 0 { enterWholesale() }
    if rules.chips.enabled { enterChips() }
    if input.population.wallet.enabled { enterWallets() }
    if rules.shop.enabled { enterShop() }
  }

  /// Scans by minute and hour, from their instants.
  private func enterSpeed(of date: CivilDate) {
    let today = scanTimes[date] ?? []
    let recent = today.filter { $0 >= window.end - .hours(1) }
    enter("scans.last_hour", Int64(recent.count))
    enter(
      "scans.per_minute_now", Int64(recent.count { $0 >= window.end - .minutes(1) }))
    var byMinute: [Int64: Int64] = [:]
    var byHour = [Int64](repeating: 0, count: 24)
    for time in today {
      byMinute[time.microseconds / 60_000_000, default: 0] += 1
      let local = time + .seconds(Int64(calendar.offsetSeconds(at: time)))
      byHour[Int(local.microseconds / 3_600_000_000 % 24)] += 1
    }
    enter("day.scans.peak_per_minute", byMinute.values.max() ?? 0)
    scanHours.append(byHour)
  }

  private func enterMoney(of date: CivilDate) {
    let balances = accounts()
    for (key, account) in [
      ("payable.member", "member_payable"), ("payable.affiliate", "affiliate_payable"),
      ("payable.wholesale", "wholesale_payable"), ("trip_reserve", "trip_reserve"),
      ("sales_tax", "sales_tax"), ("pool.comp", "comp_pool"), ("pool.affiliate", "affiliate_pool"),
      ("pool.wholesale", "wholesale_pool"),
    ] { enter(key, balances[account]) }
    enter("treasury.bank_operating", banks.operating)
    enter("treasury.bank_reserve", banks.reserve)
    enter("gas", payouts.transactionsOnChain * rules.payouts.gas.microunits)
    for (key, count, value) in [
      ("awarded", payouts.awarded.count, payouts.awarded.value),
      ("paid", payouts.paid.count, payouts.paid.value), ("failed", 0, 0),
      ("pending", payouts.pending.reduce(0) { $0 + $1.count }, payouts.owed { _ in true }),
    ] as [(String, Int64, Int64)] {
      enter("payouts.\(key)", count)
      enter("payouts.\(key)_value", value)
    }
    enter("payouts.attempts", payouts.transactions)
    enter("payouts.succeeded", payouts.transactions)
    for type in rules.prizes.map(\.name) + [
      "guarantee", "match", "pool", "wholesale", "scan_reward", "chips",
    ] {
      enter("ledger.\(type).count", paid(type).count)
      enter("ledger.\(type).total", paid(type).total)
    }
    for (row, prize) in rules.prizes.enumerated() {
      enter("prize.\(prize.name).awarded", paid(prize.name).count)
      enter("prize.\(prize.name).waiting", Int64(programme.waiting[row].count))
    }
    enter("affiliates.chips_issued", Int64(programme.chips.count))
    enter("affiliates.chips_unexpired", Int64(programme.chips.count { $0.expires > date }))
    let referred = programme.members.filter { $0.signUp != nil && $0.affiliate != nil }
    enter("affiliates.referred", Int64(referred.count))
    enter("affiliates.active", Int64(Set(referred.compactMap(\.affiliate)).count))
    for tier in [Tier.vip, .highRoller, .whale] {
      enter(
        "affiliates.floor_\(tier.key)",
        Int64(programme.members.count { $0.floor(on: date) == tier }))
    }
    enter("affiliates.match_paid", paid("match").total)
    enter("affiliates.pool_paid", paid("pool").total)
    let week = (0...date.weekday).reduce(Int64(0)) {
      $0 + (programme.days[date.adding(days: -$1)]?.profit ?? 0)
    }
    enter(
      "affiliates.pool_accruing",
      max(
        portion(week, rules.compPool.affiliateShare.rawValue, of: 10_000) + programme.carry
          - programme.debt, 0))
  }

  private func enterWholesale() {
    enter("wholesale.accounts", Int64(trade.count { $0.orders > 0 }))
    enter("wholesale.orders", trade.reduce(0) { $0 + Int64($1.orders) })
    enter("wholesale.tins", trade.reduce(0) { $0 + $1.tins })
    enter("wholesale.tins_home", total("wholesale_home"))
    enter("wholesale.chips", trade.reduce(0) { $0 + $1.tins / rules.wholesale.tinsPerChip })
    enter("wholesale.comps", trade.reduce(0) { $0 + $1.tins / rules.wholesale.compEvery })
    enter("wholesale.comps_value", paid("wholesale").total)
  }

  private func enterChips() {
    let chips = members.flatMap(\.chips)
    let vaulted = chips.count { $0.vaulted != nil }
    enter("chips.issued", total("chips_of_scans") + total("chips_of_bonus"))
    enter("chips.bonus", total("chips_of_bonus"))
    enter("chips.held", Int64(chips.count - vaulted))
    enter("chips.vaulted", Int64(vaulted))
    enter("chips.redeemed", total("chips_redeemed"))
    enter("chips.expired", total("chips_expired"))
    enter("chips.liability", Int64(chips.count) * rules.chips.value.microunits)
  }

  private func enterWallets() {
    enter("wallet.balance", members.reduce(0) { $0 + $1.balance })
    enter("wallet.pending", members.reduce(0) { $0 + $1.pending })
    enter("wallet.withdrawals", total("withdrawals"))
    enter("wallet.withdrawn", total("withdrawn"))
    enter("wallet.withdrawals_failed", total("withdrawals_failed"))
    enter("wallet.card_applied", total("card_applied"))
    enter("wallet.card_verified", total("card_verified"))
    enter("wallet.card_refused", total("card_refused"))
    enter("wallet.card_active", total("card_active"))
    enter("wallet.card_payments", total("card_payments"))
    enter("wallet.card_spent", total("card_spent"))
  }

  private func enterShop() {
    for key in [
      "carts", "abandoned", "refused_age", "refused_payment", "orders", "shipped", "delivered",
      "cancelled", "refunded", "visits", "come_backs", "to_retail", "lost",
      "abandoned_cart", "abandoned_address", "abandoned_payment",
    ] + Catalogue.products.map({ "tins.\($0.sku)" }) { enter("shop.\(key)", shop[key]) }
    // Of the orders themselves: what is neither shipped nor called off.
    enter("shop.processing", Int64(shop.open.count { $0.status == "processing" }))
    enter("shop.revenue", shop.revenue)
    enter("shop.shipping", shop.shipping)
    enter("shop.tax", shop.tax)
    enter("payable.shop", banks.owed)
    enter("bank.shortfall", banks.short)
    enter("bank.topped_up", banks.put)
  }
}
