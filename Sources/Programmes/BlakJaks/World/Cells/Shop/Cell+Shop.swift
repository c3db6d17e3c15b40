internal import Population
internal import Quantities
internal import RewardModel

/// A purchase that was not made in the shop and for which its member comes back.
struct ShopReturn: Sendable {
  var time: Instant
  /// Index of the purchase in the buying model.
  var need: UInt32
  /// The member's place in the cell.
  var index: UInt16
  /// Rounds of visits so far.
  var round: UInt16
}

extension Cell {
  /// A purchase in retail: its tins are at home at once.
  ///
  /// - Returns: See `MemberCourse.openingHours`.
  @inline(__always)
  mutating func buyInRetail(
    _ draw: PurchaseDraw, _ row: inout MemberRow, _ member: UInt32, _ now: Instant, hours: Double
  ) -> Double? {
    count(draw, row, member, now)
    tally.tinsSold += Int64(draw.tins)
    if journal.isOn { journal.add(now, member, .sell(tins: Int64(draw.tins))) }
    return row.course.openingHours(
      taking: draw.scanned, firstOpening: draw.firstOpening, at: hours)
  }

  /// Counts a purchase that is made, in whatever channel.
  @inline(__always)
  mutating func count(
    _ draw: PurchaseDraw, _ row: MemberRow, _ member: UInt32, _ now: Instant
  ) {
    tally.purchases += 1
    if history.isOn {
      history.add(now, member, kind: BlakJaksEvent.purchase.rawValue, amount: Int64(draw.tins))
    }
    if !steps.isEmpty { steps[Int(member - firstMember)].countPurchase(now) }
    tally.tins[row.account.standing.tier] += Int64(draw.tins)
    let place = Int(member - firstMember)
    let (tins, left) = tinsBought[place].addingReportingOverflow(UInt32(clamping: draw.tins))
    tinsBought[place] = tins
    if left { tally.overflow.note() }
  }

  /// One round of visits to the shop for one purchase of the buying model, and what follows.
  ///
  /// - Returns: See `MemberCourse.openingHours`.
  mutating func shop(
    _ draw: PurchaseDraw, _ need: UInt32, _ round: UInt16, _ row: inout MemberRow,
    _ extras: inout MemberExtras, _ member: UInt32, _ now: Instant, _ shared: CellRules
  ) -> Double? {
    let course = shared.shop.round(member: member, need: need, round: round)
    tally.shop.count(course)
    switch course.end {
    case .order:
      count(draw, row, member, now)
      order(draw, &extras, member, now, shared)
    case .retail:
      let hours = shared.season.operationalHours(at: now)
      return buyInRetail(draw, &row, member, now, hours: hours)
    case .lost: break
    case .comeBack:
      let hours = shared.season.operationalHours(at: now) + course.pause.inSeconds / 3_600
      let next = ShopReturn(
        time: shared.season.later(hours, than: now), need: need,
        index: UInt16(member - firstMember),
        round: round &+ 1)
      // Who would come back after the run's end does not matter to it.
      guard next.time < .distantFuture else { return nil }
      returns.add(next, to: Int(next.index))
      extras.nextReturn = min(extras.nextReturn, next.time)
    }
    return nil
  }

  /// A member comes back to the shop for a purchase that was not made, having left or not.
  mutating func comeBack(
    _ row: inout MemberRow, _ extras: inout MemberExtras, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    let index = Int(member - firstMember)
    var next = Instant.distantFuture
    let found = returns.remove(of: index) {
      $0.time == now
    } _: {
      next = min(next, $0.time)
    }
    extras.nextReturn = next
    guard let found else { return }
    let draw = shared.behaviour.purchase(member: member, index: found.need)
    let hours = shop(draw, found.need, found.round, &row, &extras, member, now, shared)
    if let hours { row.course.open(at: shared.season.later(hours, than: now)) }
  }
}
