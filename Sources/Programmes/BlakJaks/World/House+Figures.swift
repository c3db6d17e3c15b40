internal import Population
internal import Quantities

extension House {
  /// Enters the day's figures about members, chips, wallets, shop, partners and chat.
  mutating func enterMembers(_ cells: UnsafeMutableBufferPointer<Cell>) {
    var living: Int64 = 0
    for cell in cells.indices { living += cells[cell].living.all.reduce(0, +) }
    var table = chronicle.dashboard.table
    chronicle.dashboard.table = SeriesTable()
    table.set("members.active", .count, living)
    enterOutcomes(&table)
    enterTiers(&table)
    enterCohorts(&table, cells)
    enterPartners(&table)
    let rules = programme.books.rules
    if hasWallets { enterWallets(&table, cells) }
    if rules.shop.enabled { enterShop(&table, cells) }
    social?.enterDay(&table)
    chronicle.dashboard.table = table
    if rules.chips.enabled { chronicle.dashboard.enter(chips(cells), rules.chips) }
  }

  private func enterOutcomes(_ table: inout SeriesTable) {
    let outcomes = total.outcomes
    table.set("scans.refused", .count, outcomes.total - outcomes[.accepted])
    table.set("scans.submitted", .count, outcomes.total)
    guard !rings.isEmpty else { return }
    table.set("bots.submitted", .count, rings.submitted)
    table.set("bots.accepted", .count, rings.accepted)
    table.set("bots.suspended", .count, rings.suspended)
  }

  /// What members of each tier bought and were given.
  private func enterTiers(_ table: inout SeriesTable) {
    for tier in Tier.allCases {
      table.set("tier.\(tier.key).tins", .count, total.tins[tier])
      table.set("tier.\(tier.key).comps", .money, total.comps[tier] + awardsByTier[tier])
    }
    table.set("channel.retail.tins", .count, total.tinsSold - total.tinsSoldInShop)
    table.set("channel.shop.tins", .count, total.tinsSoldInShop + total.shop.tins)
  }

  /// Living members by the month in which they signed up.
  private func enterCohorts(
    _ table: inout SeriesTable, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    let months = (0...programme.books.today).filter { $0 == 0 || calendar.startsMonth($0) }
    for (row, day) in months.enumerated() {
      let living = cells.indices.reduce(Int64(0)) { $0 + cells[$1].cohorts[row] }
      table.set("cohort.\(calendar.dates[day].monthLabel)", .count, living)
    }
  }

  private func enterPartners(_ table: inout SeriesTable) {
    let sunset = programme.sunset
    table.set("affiliates.active", .count, activeAffiliates)
    table.set("affiliates.referred", .count, referredMembers)
    table.set("affiliates.floor_vip", .count, floors.vip)
    table.set("affiliates.floor_high_roller", .count, floors.highRoller)
    table.set("affiliates.floor_whale", .count, floors.whale)
    table.set("sunset.active", .flag, sunset.isActive ? 1 : 0)
    table.set("sunset.trailing", .count, sunset.trailing)
    table.set("sunset.last_check", .micros, sunset.lastCheck?.microseconds)
    guard programme.wholesale.count > 0 else { return }
    let trade = programme.wholesale.total
    table.set("wholesale.accounts", .count, Int64(programme.wholesale.active))
    table.set("wholesale.orders", .count, trade.orders)
    table.set("wholesale.tins", .count, trade.tins)
    table.set("wholesale.chips", .count, trade.chips)
    table.set("wholesale.comps", .count, trade.comps)
    table.set(
      "wholesale.comps_value", .money, programme.books.payouts[.wholesale].total.microunits)
  }

  /// The chips of all cells.
  func chips(_ cells: UnsafeMutableBufferPointer<Cell>) -> ChipTotals {
    var sum = ChipTotals()
    for cell in cells.indices { sum.add(cells[cell].chips) }
    return sum
  }

  private func enterWallets(
    _ table: inout SeriesTable, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    var balance: Int64 = 0
    for cell in cells.indices { balance += cells[cell].walletTotal }
    let wallet = total.wallet
    table.set("wallet.balance", .money, balance)
    // What banks pay, casino comps and trips, no wallet sees.
    let desk = programme.books.desk
    let member = try? desk.owed(from: .memberWallet)
    let affiliate = try? desk.owed(from: .affiliateWallet)
    table.set(
      "wallet.pending", .money,
      member.flatMap { member in affiliate.map { member.microunits + $0.microunits } })
    table.set("wallet.withdrawals", .count, wallet.withdrawals)
    table.set("wallet.withdrawn", .money, wallet.withdrawn)
    table.set("wallet.withdrawals_failed", .count, wallet.withdrawalsFailed)
    table.set("wallet.card_applied", .count, wallet.applied)
    table.set("wallet.card_verified", .count, wallet.verified)
    table.set("wallet.card_refused", .count, wallet.refused)
    table.set("wallet.card_active", .count, wallet.activated)
    table.set("wallet.card_payments", .count, wallet.payments)
    table.set("wallet.card_spent", .money, wallet.spent)
  }

  private func enterShop(
    _ table: inout SeriesTable, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    let shop = total.shop
    table.set("shop.visits", .count, browsing + shop.carts)
    table.set("shop.carts", .count, shop.carts)
    table.set("shop.abandoned", .count, shop.abandoned)
    table.set("shop.refused_age", .count, shop.refusedAge)
    table.set("shop.refused_payment", .count, shop.refusedPayment)
    table.set("shop.orders", .count, shop.orders)
    table.set("shop.processing", .count, shop.orders - shop.shipped - shop.cancelled)
    table.set("shop.shipped", .count, shop.shipped)
    table.set("shop.delivered", .count, shop.delivered)
    table.set("shop.cancelled", .count, shop.cancelled)
    table.set("shop.refunded", .count, shop.refunded)
    table.set("shop.revenue", .money, shop.subtotal)
    table.set("shop.shipping", .money, shop.shipping)
    table.set("shop.tax", .money, shop.tax)
    for product in Catalogue.products {
      let tins = cells.indices.reduce(Int64(0)) {
        $0 + cells[$1].productTins[Int(product.index)]
      }
      table.set("shop.tins.\(product.sku)", .count, tins)
    }
  }
}
