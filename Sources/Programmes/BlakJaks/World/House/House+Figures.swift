internal import Population
internal import Quantities
internal import RewardModel

extension House {
  /// Enters the day's figures about members, chips, wallets, shop, partners and chat.
  mutating func enterMembers(_ cells: UnsafeMutableBufferPointer<Cell>) {
    var living: Int64 = 0
    for cell in cells.indices { living += cells[cell].living.all.reduce(0, +) }
    set("members.active", living)
    enterOutcomes()
    enterTiers()
    enterCohorts(cells)
    enterPartners()
    if hasWallets { enterWallets(cells) }
    // By their paths: rules are large, and would be copied.
    if programme.books.rules.shop.enabled { enterShop(cells) }
    social?.enterDay(&chronicle.dashboard.table)
    guard programme.books.rules.chips.enabled else { return }
    chronicle.dashboard.enter(chips(cells), programme.books.rules.chips)
  }

  private mutating func set(_ key: String, _ value: Int64) {
    chronicle.dashboard.table.set(key, value)
  }

  private mutating func enterOutcomes() {
    let outcomes = total.outcomes
    set("scans.refused", outcomes.total - outcomes[.accepted])
    set("scans.submitted", outcomes.total)
    if sharesTins { set("scans.shared", total.passedCodes) }
    guard !rings.isEmpty else { return }
    set("bots.submitted", rings.submitted)
    set("bots.accepted", rings.accepted)
    set("bots.suspended", rings.suspended)
  }

  /// What members of each tier bought and were given.
  private mutating func enterTiers() {
    for (tier, tins, comps) in Self.tierKeys {
      set(tins, total.tins[tier])
      set(comps, total.comps[tier] + compsByTier[tier])
    }
    set("channel.retail.tins", total.tinsSold - total.tinsSoldInShop)
    set("channel.shop.tins", total.tinsSoldInShop + total.shop.tins)
  }

  private static let tierKeys = Tier.allCases.map {
    ($0, "tier.\($0.key).tins", "tier.\($0.key).comps")
  }

  /// Living members by the month in which they signed up.
  private mutating func enterCohorts(_ cells: UnsafeMutableBufferPointer<Cell>) {
    for (row, month) in cohorts.enumerated() {
      guard month.day <= programme.books.today else { break }
      var living: Int64 = 0
      for cell in cells.indices { living += cells[cell].cohorts[row] }
      set(month.key, living)
    }
  }

  private mutating func enterPartners() {
    set("affiliates.active", activeAffiliates)
    set("affiliates.referred", referredMembers)
    set("affiliates.floor_vip", floors.vip)
    set("affiliates.floor_high_roller", floors.highRoller)
    set("affiliates.floor_whale", floors.whale)
    chronicle.dashboard.table.enter(programme.sunset)
    guard programme.wholesale.count > 0 else { return }
    let trade = programme.wholesale.total
    set("wholesale.accounts", Int64(programme.wholesale.active))
    set("wholesale.orders", trade.orders)
    set("wholesale.tins", trade.tins)
    set("wholesale.tins_home", total.wholesaleTins)
    set("wholesale.chips", trade.chips)
    set("wholesale.comps", trade.comps)
    set(
      "wholesale.comps_value", programme.books.payouts[.wholesale].total.microunits)
  }

  /// The chips of all cells.
  func chips(_ cells: UnsafeMutableBufferPointer<Cell>) -> ChipTotals {
    var sum = ChipTotals()
    for cell in cells.indices { sum.add(cells[cell].chips) }
    return sum
  }

  private mutating func enterWallets(_ cells: UnsafeMutableBufferPointer<Cell>) {
    var balance: Int64 = 0
    for cell in cells.indices { balance += cells[cell].walletTotal }
    let wallet = total.wallet
    set("wallet.balance", balance)
    let pending = cells.indices.reduce(Int64(0)) { $0 + cells[$1].walletPending }
    set("wallet.pending", pending)
    set("wallet.withdrawals", wallet.withdrawals)
    set("wallet.withdrawn", wallet.withdrawn)
    set("wallet.withdrawals_failed", wallet.withdrawalsFailed)
    set("wallet.card_applied", wallet.applied)
    set("wallet.card_verified", wallet.verified)
    set("wallet.card_refused", wallet.refused)
    set("wallet.card_active", wallet.activated)
    set("wallet.card_payments", wallet.payments)
    set("wallet.card_spent", wallet.spent)
  }

  private mutating func enterShop(_ cells: UnsafeMutableBufferPointer<Cell>) {
    let shop = total.shop
    set("shop.visits", shop.visits)
    set("shop.carts", shop.carts)
    set("shop.abandoned", shop.abandoned)
    set("shop.abandoned_cart", shop.abandonedInCart)
    set("shop.abandoned_address", shop.abandonedAtAddress)
    set("shop.abandoned_payment", shop.abandonedAtPayment)
    set("shop.refused_age", shop.refusedAge)
    set("shop.refused_payment", shop.refusedPayment)
    set("shop.orders", shop.orders)
    set("shop.come_backs", shop.comeBacks)
    set("shop.to_retail", shop.toRetail)
    set("shop.lost", shop.lost)
    set("shop.processing", shop.orders - shop.shipped - shop.cancelled)
    set("shop.shipped", shop.shipped)
    set("shop.delivered", shop.delivered)
    set("shop.cancelled", shop.cancelled)
    set("shop.refunded", shop.refunded)
    set("shop.revenue", shop.subtotal)
    set("shop.shipping", shop.shipping)
    set("shop.tax", shop.tax)
    let books = programme.books
    set("payable.shop", books.shopOwes.microunits)
    set("bank.shortfall", books.shopDebts.shortfall.microunits)
    set("bank.topped_up", books.shopDebts.toppedUp.microunits)
    for product in Catalogue.products {
      let tins = cells.indices.reduce(Int64(0)) {
        $0 + cells[$1].productTins[Int(product.index)]
      }
      set("shop.tins.\(product.sku)", tins)
    }
  }
}
