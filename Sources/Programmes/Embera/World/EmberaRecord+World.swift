internal import EventKernel
package import Quantities
package import RewardModel

extension EmberaRecord {
  /// What a run showed.
  init(
    _ frame: RunFrame, _ settings: EmberaSettings, _ cells: UnsafeMutableBufferPointer<Cell>,
    _ house: House, end: Instant
  ) throws {
    try self.init(frame, settings.rules, house.books, end: end)
    let tally = house.total
    header.events = tally.events
    days = house.days
    cohorts = house.cohorts
    var hours = [Int64](repeating: 0, count: 168)
    for cell in cells {
      for (row, count) in cell.hours.enumerated() { hours[row] += count }
    }
    enter(hours: hours)
    fillMembers(cells, tally)
    fillDevices(cells, tally)
    fillStatuses(cells, tally, settings.rules.status, end)
  }

  /// What the books of a run or a replay show.
  ///
  /// - Parameter warmUp: The books at the end of the frame's warm-up, whose sums and months are left
  ///   out; nil without one.
  /// - Throws: `MoneyError.overflow`.
  package init(
    _ frame: RunFrame, _ rules: EmberaRules, _ books: EmberaBooks, since warmUp: EmberaBooks? = nil,
    end: Instant
  ) throws {
    let before = warmUp?.total ?? ProgramSums()
    let sums = books.total.since(before)
    let closes = try warmUp.map { try books.months(since: $0, rules) } ?? books.months
    self.init(header: RunHeader(programme: EmberaProgramme.id))
    header.scenario = frame.scenario
    header.scenarioDescription = frame.scenarioDescription
    header.seed = frame.seed
    header.zone = frame.calendar.zoneName
    header.start =
      warmUp == nil ? frame.calendar.start : frame.calendar.dayStarts[frame.warmUpDays]
    self.end = max(end, header.start)
    header.interrupted = end < frame.calendar.end
    self.settings = frame.settings
    months = closes.map { Month($0) }
    offers = try rules.offers.enumerated().map { row, offer in
      let count = sums.redemptions[row]
      return OfferRow(
        id: offer.id, title: offer.title, redemptions: count, points: count * offer.points,
        cost: try offer.cost.multiplied(by: count))
    }
    offerMonths = closes.flatMap { close in
      rules.offers.enumerated().map { row, offer in
        OfferMonth(
          month: CivilDate.monthLabel(close.month), offer: offer.id,
          redemptions: close.sums.redemptions[row])
      }
    }
    accounts = EmberaAccount.allCases.map {
      AccountRow(account: $0, balance: books.ledger.balance($0))
    }
    opening = Opening(before)
    total.sums = sums
    total.members = books.total.signUps
    total.rewardCost = try EmberaBooks.rewardCost(sums, rules)
    total.valuation = closes.last?.valuation
    total.status = rules.budget.status(
      cost: total.rewardCost, revenue: MicroUSDT(microunits: sums.revenue))
  }

  /// Enters counts by weekday and local hour: 168 of them.
  mutating func enter(hours counts: [Int64]) {
    hours = counts.enumerated().map {
      HourRow(weekday: Int64($0 / 24), hour: Int64($0 % 24), orders: $1)
    }
  }

  private mutating func fillMembers(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ tally: EmberaTally
  ) {
    var members = SIMD4<Int64>()
    for cell in cells {
      members &+= cell.tiers
      total.subscribers += cell.subscribers
    }
    tiers = EmberaTier.allCases.map { tier in
      guard tier != .ember else {
        return TierRow(
          tier: tier, members: members[0], reached: total.members, meanTimeToReach: nil)
      }
      let row = tier.rawValue - 1
      let reached = tally.reached[row]
      return TierRow(
        tier: tier, members: members[tier.rawValue], reached: reached,
        meanTimeToReach: reached > 0 ? .seconds(tally.secondsToReach[row] / reached) : nil)
    }
    total.visits = tally.visits
    total.left = tally.left
    total.resets = tally.resets
  }

  private mutating func fillDevices(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ tally: EmberaTally
  ) {
    checkouts = PaymentOutcome.allCases.map {
      Checkouts(
        outcome: $0, online: tally.online[$0.rawValue], offline: tally.offline[$0.rawValue])
    }
    ceremonies = [
      NamedCount(name: "signed_in", count: tally.ceremonies - tally.refusals.wrappedSum())
    ]
    ceremonies += PasskeyRefusal.allCases.map {
      NamedCount(name: $0.key, count: tally.refusals[$0.rawValue])
    }
    sync.offlineOrders = tally.placedOffline
    sync.arrived = tally.arrived
    sync.waitingOrders = tally.placedOffline - tally.arrived
    sync.waitingRedemptions = tally.reserved - tally.confirmed - tally.conflicts
    sync.syncs = tally.syncs
    sync.offlineRedemptions = tally.reserved
    sync.confirmed = tally.confirmed
    sync.conflicts = tally.conflicts
    sync.pointsReturned = tally.pointsReturned
    sync.resent = tally.resent
    sync.looks = tally.looks
    sync.heldBack = tally.heldBack
    guard tally.arrived > 0, var lags = cells.first?.lags else { return }
    for cell in cells.dropFirst() { try? lags.merge(cell.lags) }
    let longest = TimeSpan(microseconds: tally.longestLag)
    sync.meanLag = TimeSpan(
      microseconds: Int64(clamping: tally.lag / Int128(tally.arrived)))
    sync.longestLag = longest
    // An estimate of few waits may lie above all of them.
    sync.lagP95 = (try? lags.quantile(0.95)).flatMap { $0 }.map {
      min(TimeSpan(microseconds: Int64($0 * 1e6)), longest)
    }
  }

  private mutating func fillStatuses(
    _ cells: UnsafeMutableBufferPointer<Cell>, _ tally: EmberaTally, _ rules: StatusRules,
    _ end: Instant
  ) {
    var counts = [Int64](repeating: 0, count: EmberaOrderStatus.allCases.count)
    counts[EmberaOrderStatus.delivered.rawValue] = tally.delivered
    for cell in cells {
      for created in cell.live {
        let status = rules.status(created: created, eta: rules.eta(created: created), now: end)
        counts[status.rawValue] += 1
      }
    }
    statuses = EmberaOrderStatus.allCases.map {
      NamedCount(name: $0.key, count: counts[$0.rawValue])
    }
  }
}

extension EmberaRecord.Month {
  /// A closed month of the books.
  init(_ close: MonthClose) {
    let sums = close.sums
    self.init(
      month: CivilDate.monthLabel(close.month),
      orders: sums.orders, deliveries: sums.deliveries,
      revenue: MicroUSDT(microunits: sums.revenue),
      discounts: MicroUSDT(microunits: sums.discount),
      shipping: MicroUSDT(microunits: sums.shipping), tax: MicroUSDT(microunits: sums.tax),
      costOfGoods: MicroUSDT(microunits: sums.cost), issued: sums.issued,
      redeemed: sums.redeemed, expired: sums.expired, outstanding: close.outstanding,
      rewardCost: close.rewardCost, status: close.status, valuation: close.valuation)
  }
}
