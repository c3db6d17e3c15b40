internal import Population
internal import Quantities
internal import RewardModel

extension House {
  /// Enters the day's figures about members, chips, wallets, shop, partners and chat.
  mutating func enterMembers(_ cells: UnsafeMutableBufferPointer<Cell>) {
    var living: Int64 = 0
    for cell in cells.indices { living += cells[cell].living.all.reduce(0, +) }
    var table = chronicle.dashboard.table
    chronicle.dashboard.table = Self.noSeries
    table.set("members.active", living)
    enterOutcomes(&table)
    enterTiers(&table)
    enterCohorts(&table, cells)
    enterPartners(&table)
    if hasWallets { enterWallets(&table, cells) }
    // By their paths: rules are large, and would be copied.
    if programme.books.rules.shop.enabled { enterShop(&table, cells) }
    social?.enterDay(&table)
    chronicle.dashboard.table = table
    guard programme.books.rules.chips.enabled else { return }
    chronicle.dashboard.enter(chips(cells), programme.books.rules.chips)
  }

  /// Takes the place of the day's figures while they are entered.
  private static let noSeries = SeriesTable(BlakJaksSeries.catalog)

  private func enterOutcomes(_ table: inout SeriesTable) {
    let outcomes = total.outcomes
    table.set("scans.refused", outcomes.total - outcomes[.accepted])
    table.set("scans.submitted", outcomes.total)
    if sharesTins { table.set("scans.shared", total.passedCodes) }
    guard !rings.isEmpty else { return }
    table.set("bots.submitted", rings.submitted)
    table.set("bots.accepted", rings.accepted)
    table.set("bots.suspended", rings.suspended)
  }

  /// What members of each tier bought and were given.
  private func enterTiers(_ table: inout SeriesTable) {
    for (tier, tins, comps) in Self.tierKeys {
      table.set(tins, total.tins[tier])
      table.set(comps, total.comps[tier] + compsByTier[tier])
    }
    table.set("channel.retail.tins", total.tinsSold - total.tinsSoldInShop)
    table.set("channel.shop.tins", total.tinsSoldInShop + total.shop.tins)
  }

  private static let tierKeys = Tier.allCases.map {
    ($0, "tier.\($0.key).tins", "tier.\($0.key).comps")
  }

  /// Living members by the month in which they signed up.
  private func enterCohorts(
    _ table: inout SeriesTable, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    for (row, month) in cohorts.enumerated() {
      guard month.day <= programme.books.today else { break }
      var living: Int64 = 0
      for cell in cells.indices { living += cells[cell].cohorts[row] }
      table.set(month.key, living)
    }
  }

  private func enterPartners(_ table: inout SeriesTable) {
    table.set("affiliates.active", activeAffiliates)
    table.set("affiliates.referred", referredMembers)
    table.set("affiliates.floor_vip", floors.vip)
    table.set("affiliates.floor_high_roller", floors.highRoller)
    table.set("affiliates.floor_whale", floors.whale)
    table.enter(programme.sunset)
    guard programme.wholesale.count > 0 else { return }
    let trade = programme.wholesale.total
    table.set("wholesale.accounts", Int64(programme.wholesale.active))
    table.set("wholesale.orders", trade.orders)
    table.set("wholesale.tins", trade.tins)
    table.set("wholesale.tins_home", total.wholesaleTins)
    table.set("wholesale.chips", trade.chips)
    table.set("wholesale.comps", trade.comps)
    table.set(
      "wholesale.comps_value", programme.books.payouts[.wholesale].total.microunits)
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
    table.set("wallet.balance", balance)
    let pending = cells.indices.reduce(Int64(0)) { $0 + cells[$1].walletPending }
    table.set("wallet.pending", pending)
    table.set("wallet.withdrawals", wallet.withdrawals)
    table.set("wallet.withdrawn", wallet.withdrawn)
    table.set("wallet.withdrawals_failed", wallet.withdrawalsFailed)
    table.set("wallet.card_applied", wallet.applied)
    table.set("wallet.card_verified", wallet.verified)
    table.set("wallet.card_refused", wallet.refused)
    table.set("wallet.card_active", wallet.activated)
    table.set("wallet.card_payments", wallet.payments)
    table.set("wallet.card_spent", wallet.spent)
  }

  private func enterShop(
    _ table: inout SeriesTable, _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    let shop = total.shop
    table.set("shop.visits", shop.visits)
    table.set("shop.carts", shop.carts)
    table.set("shop.abandoned", shop.abandoned)
    table.set("shop.abandoned_cart", shop.abandonedInCart)
    table.set("shop.abandoned_address", shop.abandonedAtAddress)
    table.set("shop.abandoned_payment", shop.abandonedAtPayment)
    table.set("shop.refused_age", shop.refusedAge)
    table.set("shop.refused_payment", shop.refusedPayment)
    table.set("shop.orders", shop.orders)
    table.set("shop.come_backs", shop.comeBacks)
    table.set("shop.to_retail", shop.toRetail)
    table.set("shop.lost", shop.lost)
    table.set("shop.processing", shop.orders - shop.shipped - shop.cancelled)
    table.set("shop.shipped", shop.shipped)
    table.set("shop.delivered", shop.delivered)
    table.set("shop.cancelled", shop.cancelled)
    table.set("shop.refunded", shop.refunded)
    table.set("shop.revenue", shop.subtotal)
    table.set("shop.shipping", shop.shipping)
    table.set("shop.tax", shop.tax)
    let books = programme.books
    table.set("payable.shop", books.shopOwes.microunits)
    table.set("bank.shortfall", books.shopDebts.shortfall.microunits)
    table.set("bank.topped_up", books.shopDebts.toppedUp.microunits)
    for product in Catalogue.products {
      let tins = cells.indices.reduce(Int64(0)) {
        $0 + cells[$1].productTins[Int(product.index)]
      }
      table.set("shop.tins.\(product.sku)", tins)
    }
  }
}
