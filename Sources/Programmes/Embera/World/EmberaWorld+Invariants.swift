internal import Quantities
internal import RewardModel

/// A world as its invariants see it after a window.
struct WorldView {
  let cells: UnsafeMutableBufferPointer<Cell>
  let house: House
  let time: Instant

  /// What the first member with something broken shows, of those who signed up.
  ///
  /// - Complexity: O(members).
  func first(_ facts: (MemberRow, Cell) throws -> String?) rethrows -> String? {
    for cell in cells {
      for row in cell.rows where row.hasSignedUp {
        if let broken = try facts(row, cell) { return broken }
      }
    }
    return nil
  }

  /// A member after the last sync, on a copy: each device sends what waits, then all read.
  func synced(_ row: MemberRow, _ cell: Cell) throws -> MemberRow {
    var final = row
    var sums = ProgramSums()
    for device in 0..<2 {
      for next in cell.pool.list(row[device].waiting) {
        _ = try final.account.answer(next.entry, cell.terms, &sums)
      }
    }
    final.first.book.read(final.account)
    final.second.book.read(final.account)
    return final
  }
}

extension EmberaWorld {
  /// What every run checks after every window.
  static let laws: [Invariant<House>] =
    EmberaBooks.laws.map { $0.lifted { BooksView($0.books, $0.rules) } } + [
      Invariant(
        "payment_needs_no_network",
        "Every authorized payment becomes an order, with a network or not"
      ) { house in
        let tally = house.total
        return tally.online[0] == tally.placedOnline && tally.offline[0] == tally.placedOffline
          && (tally.online &+ tally.offline).wrappedSum() == tally.visits
          ? nil
          : "\(tally.online[0]) and \(tally.offline[0]) payments, \(tally.placedOnline) and "
            + "\(tally.placedOffline) orders"
      }
    ]

  /// What holds in a world after every window: the laws, and what a count made again from the
  /// members must agree with.
  static let invariants: [Invariant<WorldView>] =
    laws.map { $0.lifted { $0.house } } + pointInvariants + orderInvariants + deviceInvariants

  private static let pointInvariants: [Invariant<WorldView>] = [
    Invariant(
      "points_conserved", "Points issued are held, redeemed or expired, for each member and in all"
    ) { view in
      var seen = ProgramSums()
      for cell in view.cells {
        for row in cell.rows where row.hasSignedUp {
          try ProgramSums.add(row.account.issued, to: &seen.issued)
          try ProgramSums.add(row.account.redeemed, to: &seen.redeemed)
          try ProgramSums.add(row.account.expired, to: &seen.expired)
        }
      }
      let total = view.house.books.total
      return (total.issued, total.redeemed, total.expired)
        == (seen.issued, seen.redeemed, seen.expired)
        ? nil
        : "\(total.issued) issued, \(total.redeemed) redeemed, \(total.expired) expired, not "
          + "\(seen.issued), \(seen.redeemed), \(seen.expired)"
    },
    Invariant("balance_not_negative", "No balance at the server is below zero") { view in
      view.first { row, _ in
        row.account.balance >= 0 ? nil : "a member holds \(row.account.balance) points"
      }
    },
    Invariant("tier_follows_points", "A member's tier is that of the points earned in all") {
      view in
      for cell in view.cells {
        var tiers = SIMD4<Int64>()
        for row in cell.rows where row.hasSignedUp {
          tiers[view.house.rules.tiers.tier(earned: row.account.issued).rawValue] += 1
        }
        guard tiers == cell.tiers else { return "\(cell.tiers), not \(tiers)" }
      }
      return nil
    },
    Invariant("liability_recounted", "The liability is that of a recount over all members") {
      view in
      var deferred: Int64 = 0
      for cell in view.cells {
        for row in cell.rows where row.hasSignedUp {
          try ProgramSums.add(row.account.deferred, to: &deferred)
        }
      }
      let books = view.house.books
      let owed = books.ledger.balance(.contractLiability).microunits
      return owed == deferred - books.recognised && owed >= 0
        && books.ledger.balance(.pointsSales).microunits == books.recognised
        ? nil
        : "a contract liability of \(owed) micro-USD, not \(deferred - books.recognised)"
    },
  ]

  private static let orderInvariants: [Invariant<WorldView>] = [
    Invariant("answered_once", "Each order awards points once") { view in
      var (orders, answered) = (Int64(0), Int64(0))
      let broken = view.first { row, _ in
        orders += Int64(row.account.orders)
        for channel in EntryChannel.allCases { answered += Int64(row.account.answered(channel)) }
        let deliveries = row.account.answered(.subscription)
        return deliveries == row.deliveries
          ? nil : "\(row.deliveries) deliveries, \(deliveries) answered"
      }
      if let broken { return broken }
      let total = view.house.books.total
      let answers = total.orders + total.redemptions.wrappedSum() + total.refused
      return orders == total.orders && answered == answers
        && total.repeated == view.house.total.resent
        ? nil : "\(total.orders) orders and \(answers) answers, not \(orders) and \(answered)"
    },
    Invariant("status_moves_forward", "An order's status never goes back, and ends") { view in
      var live: Int64 = 0
      for cell in view.cells {
        let eta = cell.live.map { view.house.rules.status.eta(created: $0) }.min()
        if let eta, eta <= view.time { return "a delivered order is live" }
        live += Int64(cell.live.count)
      }
      let tally = view.house.total
      let orders = tally.placedOnline + tally.placedOffline + view.house.books.total.deliveries
      return tally.statusErrors == 0 && orders == tally.delivered + live
        ? nil
        : "\(tally.statusErrors) statuses went back or did not end; \(tally.delivered) delivered "
          + "and \(live) under way of \(orders)"
    },
  ]

  private static let deviceInvariants: [Invariant<WorldView>] = [
    Invariant(
      "every_order_arrives", "Every order placed on a device reaches the server or still waits"
    ) { view in
      let broken = try view.first { row, cell in
        let final = try view.synced(row, cell)
        for (device, channel) in [EntryChannel.firstDevice, .secondDevice].enumerated() {
          let placed = row[device].book.lastNumber
          let answered = row.account.answered(channel)
          let waiting = UInt32(cell.pool.list(row[device].waiting).count)
          guard answered + waiting == placed, final.account.answered(channel) == placed else {
            return "\(placed) entries on a device, \(answered) answered, \(waiting) waiting, "
              + "\(final.account.answered(channel)) after the last sync"
          }
        }
        return nil
      }
      if let broken { return broken }
      let waiting = view.cells.reduce(Int64(0)) { $0 + $1.pool.count }
      let (total, tally) = (view.house.books.total, view.house.total)
      let placed = tally.placedOnline + tally.placedOffline
      let reserved = tally.reserved - tally.confirmed - tally.conflicts
      return placed + total.deliveries - total.orders + reserved == waiting
        && tally.placedOffline - tally.arrived + reserved == waiting
        ? nil
        : "\(placed) orders placed and \(total.deliveries) delivered on subscription, "
          + "\(total.orders) received, \(waiting) entries waiting"
    },
    Invariant("copies_equal", "When all devices have sent what waits, all copies are equal") {
      view in
      try view.first { row, cell in
        let final = try view.synced(row, cell)
        let (first, second) = (final.first.book, final.second.book)
        return first.copy == second.copy && first.balance == final.account.balance
          && second.balance == final.account.balance
          ? nil : "copies differ after the last sync"
      }
    },
  ]
}
