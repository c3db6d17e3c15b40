internal import EventKernel
internal import HeapModule
internal import Quantities
internal import RewardModel

/// The promises that a world keeps after every window, whatever its scenario says.
///
/// Each law is checked against a count made anew from the smallest parts there are: member rows,
/// vaults, wallets, payouts, open orders.
struct Audit {
  private let scenario: String
  private let seed: UInt64
  /// Awards that were checked before, and the last due number of each prize among them.
  private var checkedAwards = 0
  private var lastDue: [String: Int64] = [:]

  init(_ input: WorldInput) {
    scenario = input.scenario
    seed = input.seed
  }

  /// Checks everything.
  ///
  /// - Throws: `Violation` with the first law that is broken; `MoneyError` where a sum leaves its
  ///   range.
  /// - Complexity: O(members + payouts not settled + new awards).
  mutating func check(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, at time: Instant
  ) throws {
    try checkMoney(house, time)
    try checkPayouts(house, time)
    try checkScans(cells, house, time)
    try checkAwards(house, time)
    for index in cells.indices { try checkMembers(cells[index], index, time) }
    if house.programme.books.rules.chips.enabled { try checkChips(cells, house, time) }
    try checkWallets(cells, house, time)
    try checkShop(cells, house, time)
  }

  private func require(
    _ holds: Bool, _ time: Instant, _ invariant: @autoclosure () -> String
  ) throws(Violation) {
    guard !holds else { return }
    throw Violation(invariant: invariant(), scenario: scenario, seed: seed, time: time)
  }

  private func checkMoney(_ house: House, _ time: Instant) throws {
    let books = house.programme.books
    try require(books.ledger.isBalanced, time, "the ledger does not sum to zero")
    for treasury in Treasury.allCases {
      let held = books.holding(treasury)
      try require(held >= .zero, time, "\(treasury.key) holds \(held) USDT")
    }
    for wallet in Treasury.wallets {
      let held = house.pipeline.chain.balance(wallet)
      try require(held >= .zero, time, "\(wallet.key) holds \(held) USDT on the chain")
    }
    // Sales and gross profit are those of the tins that were sold and not taken back.
    let economy = books.rules.economy
    let wholesale = house.programme.wholesale.total.tins
    let other = books.tinsSold - wholesale
    let profit = try economy.grossProfit.multiplied(by: other).adding(
      try economy.wholesaleGrossProfit.multiplied(by: wholesale))
    let booked = MicroUSDT(microunits: -books.ledger.balance(.grossProfit).microunits)
    try require(
      booked == profit, time, "gross profit is \(booked) for tins that earn \(profit)")
    let pools: [LedgerAccount] = [.compPool, .affiliatePool, .wholesalePool, .operating, .spent]
    let sum = pools.reduce(Int128(0)) { $0 + Int128(books.ledger.balance($1).microunits) }
    try require(
      sum == Int128(profit.microunits), time,
      "pools and what they spent do not add up to gross profit")
  }

  private func checkPayouts(_ house: House, _ time: Instant) throws {
    let books = house.programme.books
    let desk = books.desk
    let sums = [desk.paid, desk.pending, desk.failed]
    let count = sums.reduce(Int64(0)) { $0 + $1.count }
    let amount = sums.reduce(Int64(0)) { $0 + $1.amount.microunits }
    try require(
      count == desk.awarded.count && amount == desk.awarded.amount.microunits, time,
      "\(desk.awarded.count) awards are not the sum of paid, pending and failed (\(count))")
    let pending = try desk.recountPending()
    try require(
      pending == desk.pending, time,
      "\(desk.pending.count) awards are pending, but \(pending.count) are on the desk")
    let total = try books.payouts.total()
    try require(
      total == desk.awarded.amount, time,
      "the payout ledger says \(total), the desk was promised \(desk.awarded.amount)")
    let payables: [LedgerAccount] = [.memberPayable, .affiliatePayable, .wholesalePayable]
    let owed = payables.reduce(Int64(0)) { $0 + books.ledger.balance($1).microunits }
    try require(
      owed == desk.pending.amount.microunits + desk.failed.amount.microunits, time,
      "what is owed is not what is pending or failed")
  }

  private func checkScans(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ time: Instant
  ) throws {
    let scans = house.programme.books.scans
    let claimed = cells.indices.reduce(Int64(0)) { $0 + cells[$1].claimed }
    try require(claimed == scans, time, "\(claimed) tins claimed for \(scans) accepted scans")
    let board = house.programme.board.scans
    try require(board == scans, time, "milestones saw \(board) of \(scans) accepted scans")
  }

  /// Each due number of a prize is awarded at most once, in order, and not before it is due.
  private mutating func checkAwards(_ house: House, _ time: Instant) throws {
    let awards = house.chronicle.awards
    for award in awards[checkedAwards...] {
      let last = lastDue[award.prize] ?? 0
      try require(
        award.dueScan > last && award.wonScan >= award.dueScan, time,
        "\(award.prize) number \(award.dueScan) was awarded after number \(last)")
      lastDue[award.prize] = award.dueScan
    }
    checkedAwards = awards.count
  }

  private func checkMembers(_ cell: Cell, _ index: Int, _ time: Instant) throws {
    let recount = cell.recount()
    try require(
      recount.census == cell.census, time,
      "cell \(index) counts \(cell.census) by tier, not \(recount.census)")
    try require(
      recount.living == cell.living, time,
      "cell \(index) counts \(cell.living.all) living members, not \(recount.living.all)")
  }

  private func checkChips(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ time: Instant
  ) throws {
    let totals = house.chips(cells)
    try require(
      totals.isConserved, time,
      "\(totals.issued) chips issued are not held, vaulted, redeemed or expired")
    let scans = house.programme.books.scans
    let rules = house.programme.books.rules.chips
    try require(
      totals.issuedByScans == scans * Int64(rules.perScan), time,
      "\(totals.issuedByScans) chips issued for \(scans) scans")
    var stock = ChipStock()
    for cell in cells { for extras in cell.extras { stock.count(extras.purse.vault) } }
    try require(
      stock == totals.stock, time,
      "members hold \(stock.held) and vault \(stock.vaulted) chips, "
        + "not \(totals.held) and \(totals.vaulted)")
    let redeemed = house.programme.books.payouts[.chipRedemption].total
    let worth = try rules.worth(of: totals.redeemed)
    try require(redeemed == worth, time, "\(worth) of chips redeemed, \(redeemed) promised")
  }

  private func checkWallets(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ time: Instant
  ) throws {
    guard cells.first?.shared.hasExtras ?? false else { return }
    var held = Int128(0)
    var counted = Int128(0)
    for cell in cells {
      counted += Int128(cell.walletTotal)
      for extras in cell.extras { held += Int128(extras.purse.wallet.balance.microunits) }
    }
    try require(held == counted, time, "wallets hold \(held) micro-USDT, not \(counted)")
    var credits = Int128(0)
    for line in house.programme.books.payouts.lines
    where line.type.credit(house.programme.board.prizes) != nil {
      credits += Int128(line.total.microunits)
    }
    let out = Int128(house.total.wallet.withdrawn) + Int128(house.total.wallet.spent)
    try require(
      held == credits - out, time,
      "wallets hold \(held) micro-USDT after \(credits) came in and \(out) went out")
  }

  private func checkShop(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, _ time: Instant
  ) throws {
    let total = house.total
    let shop = total.shop
    let books = house.programme.books
    let wholesale = house.programme.wholesale.total.tins
    try require(
      books.tinsSold == total.tinsSold + shop.tins + wholesale, time,
      "\(books.tinsSold) tins sold, but \(total.tinsSold) in retail, \(shop.tins) in the shop "
        + "and \(wholesale) wholesale")
    var held: Int64 = 0
    var open = [OrderStatus: Int64]()
    for cell in cells {
      for row in cell.rows { held += Int64(row.tinsHeld) }
      for order in cell.orders.unordered { open[order.status, default: 0] += 1 }
    }
    let brought = total.tinsSold + shop.tinsDelivered
    let opened = total.outcomes[.accepted]
    try require(
      opened + held <= brought, time,
      "\(opened) tins scanned and \(held) at home, of \(brought) that came home")
    let processing = shop.orders - shop.cancelled - shop.shipped
    let moving = shop.shipped - shop.delivered
    try require(
      open[.processing, default: 0] == processing && open[.shipped, default: 0] == moving, time,
      "\(processing) orders are processed and \(moving) on their way, not \(open)")
    let subtotal = try books.rules.economy.price.multiplied(by: shop.tins)
    try require(
      subtotal.microunits == shop.subtotal, time,
      "\(shop.tins) tins of the shop cost \(subtotal), not \(shop.subtotal) micro-USDT")
    try require(
      books.ledger.balance(.salesTax).microunits == shop.tax
        && books.ledger.balance(.shippingIncome).microunits == shop.shipping, time,
      "tax or shipping of the ledger are not those of the orders")
  }
}
