internal import EventKernel
internal import HeapModule
internal import Quantities
internal import RewardModel

/// A world as its invariants see it after a window.
struct WorldView {
  let cells: UnsafeMutableBufferPointer<Cell>
  let house: House
  /// The end of the last window.
  let time: Instant
  /// Awards made since the last check.
  let newAwards: ArraySlice<BlakJaksRecord.AwardRow>
  /// The last due number of each prize among the awards checked before.
  let lastDue: [String: Int64]

  var books: ProgrammeBooks { house.programme.books }
  var hasChips: Bool { books.rules.chips.enabled }
  var hasWallets: Bool { cells.first?.shared.hasExtras ?? false }
}

extension World {
  /// What holds in a world after every window besides what holds for its programme: what a count
  /// made again from the smallest parts (member rows, vaults, wallets, orders) must agree with.
  static let invariants: [Invariant<WorldView>] =
    scanInvariants + chipInvariants + walletInvariants + shopInvariants

  private static let scanInvariants: [Invariant<WorldView>] = [
    Invariant("chain_not_negative", "No wallet is below zero on the chain") { view in
      let chain = view.house.pipeline.chain
      return Treasury.wallets.first { chain.balance($0) < .zero }.map {
        "\($0.key) holds \(chain.balance($0)) USDT on the chain"
      }
    },
    Invariant("chain_is_ledger", "Without faults the chain shows what the ledger says") { view in
      let pipeline = view.house.pipeline
      guard !pipeline.hasChainFaults else { return nil }
      return Treasury.wallets.first { pipeline.chain.balance($0) != view.books.holding($0) }.map {
        "\($0.key) holds \(pipeline.chain.balance($0)) on the chain and \(view.books.holding($0)) by "
          + "the ledger"
      }
    },
    Invariant("tins_claimed_once", "Each accepted scan claims one tin") { view in
      let claimed = view.cells.indices.reduce(Int64(0)) { $0 + view.cells[$1].claimed }
      return claimed == view.books.scans
        ? nil : "\(claimed) tins claimed for \(view.books.scans) accepted scans"
    },
    Invariant(
      "awards_in_order", "Each due number of a prize is awarded once, in order, when it is due"
    ) { view in
      var lastDue = view.lastDue
      for award in view.newAwards {
        let last = lastDue[award.prize] ?? 0
        guard award.dueScan > last, award.wonScan >= award.dueScan else {
          return "\(award.prize) number \(award.dueScan) was awarded after number \(last)"
        }
        lastDue[award.prize] = award.dueScan
      }
      return nil
    },
    Invariant("members_recounted", "Members by tier are those that their rows show") { view in
      for index in view.cells.indices {
        let cell = view.cells[index]
        let recount = cell.recount()
        guard recount.census == cell.census else {
          return "cell \(index) counts \(cell.census) by tier, not \(recount.census)"
        }
        guard recount.living == cell.living else {
          return "cell \(index) counts \(cell.living.all) living members, not "
            + "\(recount.living.all)"
        }
      }
      return nil
    },
  ]

  private static let chipInvariants: [Invariant<WorldView>] = [
    Invariant("chips_conserved", "Chips issued are held, vaulted, redeemed or expired") { view in
      guard view.hasChips else { return nil }
      let totals = view.house.chips(view.cells)
      return totals.isConserved
        ? nil : "\(totals.issued) chips issued are not held, vaulted, redeemed or expired"
    },
    Invariant("chips_of_scans", "Each accepted scan issues the chips that the rules say") { view in
      guard view.hasChips else { return nil }
      let issued = view.house.chips(view.cells).issuedByScans
      return issued == view.books.scans * Int64(view.books.rules.chips.perScan)
        ? nil : "\(issued) chips issued for \(view.books.scans) scans"
    },
    Invariant("chips_recounted", "Chips held and vaulted are those in the members' purses") {
      view in
      guard view.hasChips else { return nil }
      let totals = view.house.chips(view.cells)
      var stock = ChipStock()
      for cell in view.cells { for extras in cell.extras { stock.count(extras.purse.vault) } }
      return stock == totals.stock
        ? nil
        : "members hold \(stock.held) and vault \(stock.vaulted) chips, not \(totals.held) and "
          + "\(totals.vaulted)"
    },
    Invariant("affiliate_chips_summed", "Chips of affiliates are those in their rows") { view in
      let table = view.books.affiliates
      let held = (0..<table.count).reduce(0) { $0 + table.chips($1) }
      return held == table.chipsHeld
        ? nil : "affiliates hold \(held) chips, not \(table.chipsHeld)"
    },
    Invariant("chips_paid", "Chips redeemed are paid what they are worth") { view in
      guard view.hasChips else { return nil }
      let redeemed = view.books.payouts[.chipRedemption].total
      let worth = try view.books.rules.chips.worth(of: view.house.chips(view.cells).redeemed)
      return redeemed == worth ? nil : "\(worth) of chips redeemed, \(redeemed) promised"
    },
  ]

  private static let walletInvariants: [Invariant<WorldView>] = [
    Invariant("wallets_recounted", "The members' wallets add up to what their cells count") {
      view in
      guard view.hasWallets else { return nil }
      let held = view.walletsHeld
      let counted = view.cells.indices.reduce(Int128(0)) { $0 + Int128(view.cells[$1].walletTotal) }
      return held == counted ? nil : "wallets hold \(held) micro-USDT, not \(counted)"
    },
    Invariant("credits_unpaid", "A credit is pending until its own payout is confirmed") { view in
      guard view.house.hasWallets else { return nil }
      var unpaid: [UInt32: Int64] = [:]
      view.books.desk.forEachUnpaid { unpaid[$1.receiver, default: 0] += $1.amount.microunits }
      for cell in view.cells {
        for (index, extras) in cell.extras.enumerated() {
          let member = cell.firstMember + UInt32(index)
          let (held, owed) = (extras.purse.wallet.pending.microunits, unpaid[member] ?? 0)
          guard held == owed else {
            return "member \(member + 1) has \(held) micro-USDT pending and is owed \(owed)"
          }
        }
      }
      return nil
    },
    Invariant("wallets_credited", "Wallets hold what came in less what went out") { view in
      guard view.hasWallets else { return nil }
      let programme = view.house.programme
      var credits = Int128(0)
      for line in programme.books.payouts.lines
      where line.type.credit(programme.board.prizes) != nil {
        credits += Int128(line.total.microunits)
      }
      let total = view.house.total.wallet
      let held = view.walletsHeld
      return held == credits - Int128(total.withdrawn) - Int128(total.spent)
        ? nil
        : "wallets hold \(held) micro-USDT after \(credits) came in and \(total.withdrawn) and "
          + "\(total.spent) went out"
    },
  ]

  private static let shopInvariants: [Invariant<WorldView>] = [
    Invariant("tins_by_channel", "Tins sold are those of retail, shop and wholesale") { view in
      let total = view.house.total
      let wholesale = view.house.programme.wholesale.total.tins
      let sold = view.books.tinsSold
      return sold == total.tinsSold + total.shop.tins + wholesale
        ? nil
        : "\(sold) tins sold, but \(total.tinsSold) in retail, \(total.shop.tins) in the shop "
          + "and \(wholesale) wholesale"
    },
    Invariant("tins_came_home", "No more tins are scanned or at home than were brought home") {
      let total = $0.house.total
      var held: Int64 = 0
      for cell in $0.cells { for row in cell.rows { held += Int64(row.course.tinsHeld) } }
      let brought = total.tinsSold + total.shop.tinsDelivered + total.wholesaleTins
      let opened = total.outcomes[.accepted]
      return opened + held <= brought
        ? nil : "\(opened) tins scanned and \(held) at home, of \(brought) that came home"
    },
    Invariant(
      "wholesale_tins_sent", "Wholesale tins that members take home were sold to accounts"
    ) { view in
      let sent = view.house.partners.sentHome
      let sold = view.house.programme.wholesale.total.tins
      let home = view.house.total.wholesaleTins
      var coming: Int64 = 0
      for cell in view.cells {
        coming += Int64(cell.deliveries.all.count { $0.isWholesale })
      }
      return sent <= sold && home + coming == sent
        ? nil : "\(sent) of \(sold) wholesale tins sent, \(home) at home and \(coming) on their way"
    },
    Invariant("deliveries_arrive", "What is on its way to a member arrives when it is due") {
      view in
      for cell in view.cells {
        let late = cell.deliveries.all.first { $0.time < view.time }
        guard let late else { continue }
        let member = cell.firstMember + UInt32(late.index)
        return "tins that were due at \(late.time) have not come to member \(member + 1)"
      }
      return nil
    },
    Invariant("orders_recounted", "Orders under way are those that their cells hold") { view in
      let shop = view.house.total.shop
      var open = [OrderStatus: Int64]()
      for cell in view.cells {
        for order in cell.orders.unordered { open[order.status, default: 0] += 1 }
      }
      let processing = shop.orders - shop.cancelled - shop.shipped
      let moving = shop.shipped - shop.delivered
      return open[.processing, default: 0] == processing && open[.shipped, default: 0] == moving
        ? nil : "\(processing) orders are processed and \(moving) on their way, not \(open)"
    },
    Invariant("shop_paid", "Orders pay for their tins, and tax and shipping are the ledger's") {
      let shop = $0.house.total.shop
      let subtotal = try $0.books.rules.economy.price.multiplied(by: shop.tins)
      guard subtotal.microunits == shop.subtotal else {
        return "\(shop.tins) tins of the shop cost \(subtotal), not \(shop.subtotal) micro-USDT"
      }
      return $0.books.ledger.balance(.salesTax).microunits == shop.tax
        && $0.books.ledger.balance(.shippingIncome).microunits == shop.shipping
        ? nil : "tax or shipping of the ledger are not those of the orders"
    },
    Invariant("shop_owed", "The shop owes what it gave back and shipped, less what it paid") {
      let shop = $0.house.total.shop
      let books = $0.books
      let back = try books.rules.economy.price.multiplied(by: shop.tinsBack)
        .adding(MicroUSDT(microunits: shop.shippingBack))
        .adding(MicroUSDT(microunits: shop.taxBack))
      let arisen = try books.rules.shop.carrierCost.multiplied(by: shop.shipped).adding(back)
      return try books.shopOwes.adding(books.shopDebts.paid) == arisen
        ? nil
        : "\(arisen) were given back or shipped for, \(books.shopDebts.paid) paid, "
          + "\(books.shopOwes) owed"
    },
  ]
}

extension WorldView {
  /// What the members' wallets hold, counted again, in micro-USDT.
  fileprivate var walletsHeld: Int128 {
    var held = Int128(0)
    for cell in cells {
      for extras in cell.extras { held += Int128(extras.purse.wallet.balance.microunits) }
    }
    return held
  }
}
