internal import Quantities
internal import RewardModel

/// What must always hold, by id.
package enum EmberaInvariant: String, CaseIterable, Sendable {
  case pointsConserved = "points_conserved"
  case balanceNotNegative = "balance_not_negative"
  case answeredOnce = "answered_once"
  case tierFollowsPoints = "tier_follows_points"
  case redemptionsCovered = "redemptions_covered"
  case statusMovesForward = "status_moves_forward"
  case everyOrderArrives = "every_order_arrives"
  case copiesEqual = "copies_equal"
  case paymentNeedsNoNetwork = "payment_needs_no_network"
  case ledgerBalanced = "ledger_balanced"
  case liabilityRecounted = "liability_recounted"

  /// The promise, as people read it.
  package var sentence: String {
    switch self {
    case .pointsConserved:
      "Points issued are held, redeemed or expired, for each member and in all"
    case .balanceNotNegative: "No balance at the server is below zero"
    case .answeredOnce: "Each order awards points once"
    case .tierFollowsPoints: "A member's tier is that of the points earned in all"
    case .redemptionsCovered: "Points redeemed are those of the offers redeemed"
    case .statusMovesForward: "An order's status never goes back, and ends"
    case .everyOrderArrives: "Every order placed on a device reaches the server or still waits"
    case .copiesEqual: "When all devices have sent what waits, all copies are equal"
    case .paymentNeedsNoNetwork: "Every authorized payment becomes an order, with a network or not"
    case .ledgerBalanced: "The ledger sums to zero and agrees with the orders"
    case .liabilityRecounted: "The liability is that of a recount over all members"
    }
  }
}

/// Checks the invariants after windows: in every run what counters and sums say, and where somebody
/// asks all of them against a count made again from the members.
struct EmberaAudit: Sendable {
  /// Whether every invariant is checked after every window.
  var isThorough = false
  private let scenario: String
  private let seed: UInt64

  init(_ frame: RunFrame) {
    scenario = frame.scenario
    seed = frame.seed
  }

  /// The members added up again.
  private struct Recount {
    var sums = ProgramSums()
    var orders: Int64 = 0
    var answered: Int64 = 0
    var waiting: Int64 = 0
    var live: Int64 = 0
  }

  /// Checks what every run checks after every window.
  ///
  /// - Throws: `Violation` with the first law that is broken.
  /// - Complexity: O(offers).
  func checkLaws(_ house: House, at time: Instant) throws(Violation) {
    let books = house.books
    let total = books.total
    var points: Int64 = 0
    for (row, offer) in house.rules.offers.enumerated() {
      points += total.redemptions[row] * offer.points
    }
    try require(
      .redemptionsCovered, points == total.redeemed, time,
      "\(total.redeemed) points redeemed for offers of \(points)")
    let tally = house.total
    try require(
      .paymentNeedsNoNetwork,
      tally.online[0] == tally.placedOnline && tally.offline[0] == tally.placedOffline
        && (tally.online &+ tally.offline).wrappedSum() == tally.visits, time,
      "\(tally.online[0]) and \(tally.offline[0]) payments, \(tally.placedOnline) and "
        + "\(tally.placedOffline) orders")
    let ledger = books.ledger
    let cash = -ledger.balance(.cash).microunits
    let sales = ledger.balance(.goodsSales).microunits + ledger.balance(.discounts).microunits
    try require(
      .ledgerBalanced,
      ledger.isBalanced && cash == total.revenue + total.shipping + total.tax
        && sales == total.revenue - total.deferred, time,
      "cash \(cash) for orders of \(total.revenue) micro-USD")
  }

  /// Checks everything.
  ///
  /// - Throws: `Violation` with the first invariant that is broken; `MoneyError` where a sum leaves
  ///   its range.
  /// - Complexity: O(members + orders under way).
  func check(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ house: House, at time: Instant
  ) throws {
    var recount = Recount()
    for cell in cells {
      var tiers = SIMD4<Int64>()
      for row in cell.rows where row.hasSignedUp {
        tiers[house.rules.tiers.tier(earned: row.account.issued).rawValue] += 1
        try checkMember(row, cell, &recount, time)
      }
      try require(.tierFollowsPoints, tiers == cell.tiers, time, "\(cell.tiers), not \(tiers)")
      let eta = cell.live.map { house.rules.status.eta(created: $0) }.min()
      try require(
        .statusMovesForward, eta.map { $0 > time } ?? true, time, "a delivered order is live")
      recount.waiting += cell.pool.count
      recount.live += Int64(cell.live.count)
    }
    try checkLaws(house, at: time)
    try checkPoints(recount, house, time)
    try checkOrders(recount, house, time)
    try checkMoney(recount, house, time)
  }

  private func require(
    _ invariant: EmberaInvariant, _ holds: Bool, _ time: Instant,
    _ facts: @autoclosure () -> String
  ) throws(Violation) {
    guard !holds else { return }
    throw Violation(
      invariant: invariant.rawValue, facts: facts(), scenario: scenario, seed: seed, time: time)
  }

  private func checkMember(
    _ row: MemberRow, _ cell: Cell, _ recount: inout Recount, _ time: Instant
  ) throws {
    let account = row.account
    try require(
      .balanceNotNegative, account.balance >= 0, time, "a member holds \(account.balance) points")
    try ProgramSums.add(account.issued, to: &recount.sums.issued)
    try ProgramSums.add(account.redeemed, to: &recount.sums.redeemed)
    try ProgramSums.add(account.expired, to: &recount.sums.expired)
    try ProgramSums.add(account.deferred, to: &recount.sums.deferred)
    recount.orders += Int64(account.orders)
    for channel in EntryChannel.allCases {
      recount.answered += Int64(account.answered(channel))
    }
    try require(
      .answeredOnce, account.answered(.subscription) == row.deliveries, time,
      "\(row.deliveries) deliveries, \(account.answered(.subscription)) answered")
    // The last sync, on copies: each device sends what waits, then all read.
    var final = row
    var sums = ProgramSums()
    for device in 0..<2 {
      let waiting = cell.pool.list(row[device].waiting)
      for next in waiting { _ = try final.account.answer(next.entry, cell.terms, &sums) }
      let channel: EntryChannel = device == 0 ? .firstDevice : .secondDevice
      let placed = row[device].book.lastNumber
      try require(
        .everyOrderArrives, account.answered(channel) + UInt32(waiting.count) == placed, time,
        "\(placed) entries on a device, \(account.answered(channel)) answered, "
          + "\(waiting.count) waiting")
      try require(
        .everyOrderArrives, final.account.answered(channel) == placed, time,
        "\(placed) entries on a device, \(final.account.answered(channel)) after the last sync")
    }
    final.first.book.read(final.account)
    final.second.book.read(final.account)
    try require(
      .copiesEqual,
      final.first.book.copy == final.second.book.copy
        && final.first.book.balance == final.account.balance
        && final.second.book.balance == final.account.balance, time,
      "copies differ after the last sync")
  }

  private func checkPoints(_ recount: Recount, _ house: House, _ time: Instant) throws {
    let total = house.books.total
    let seen = recount.sums
    try require(
      .pointsConserved,
      (total.issued, total.redeemed, total.expired) == (seen.issued, seen.redeemed, seen.expired),
      time,
      "\(total.issued) issued, \(total.redeemed) redeemed, \(total.expired) expired, not "
        + "\(seen.issued), \(seen.redeemed), \(seen.expired)")
  }

  private func checkOrders(_ recount: Recount, _ house: House, _ time: Instant) throws {
    let total = house.books.total
    let tally = house.total
    let answers = total.orders + total.redemptions.wrappedSum() + total.refused
    try require(
      .answeredOnce,
      recount.orders == total.orders && recount.answered == answers
        && total.repeated == tally.resent, time,
      "\(total.orders) orders and \(answers) answers, not \(recount.orders) and "
        + "\(recount.answered)")
    let placed = tally.placedOnline + tally.placedOffline
    let reserved = tally.reserved - tally.confirmed - tally.conflicts
    try require(
      .everyOrderArrives,
      placed + total.deliveries - total.orders + reserved == recount.waiting
        && tally.placedOffline - tally.arrived + reserved == recount.waiting, time,
      "\(placed) orders placed and \(total.deliveries) delivered on subscription, "
        + "\(total.orders) received, \(recount.waiting) entries waiting")
    try require(
      .statusMovesForward,
      tally.statusErrors == 0 && placed + total.deliveries == tally.delivered + recount.live,
      time,
      "\(tally.statusErrors) statuses went back or did not end; \(tally.delivered) delivered and "
        + "\(recount.live) under way of \(placed + total.deliveries)")
  }

  private func checkMoney(_ recount: Recount, _ house: House, _ time: Instant) throws {
    let books = house.books
    let ledger = books.ledger
    let owed = ledger.balance(.contractLiability).microunits
    try require(
      .liabilityRecounted,
      owed == recount.sums.deferred - books.recognised && owed >= 0
        && ledger.balance(.pointsSales).microunits == books.recognised, time,
      "a contract liability of \(owed) micro-USD, not "
        + "\(recount.sums.deferred - books.recognised)")
  }
}
