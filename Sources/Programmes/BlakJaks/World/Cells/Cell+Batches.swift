internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities

// Members who are due act in batches: what they do first is drawn, printed and adjudicated for many at
// once, then each acts in turn, in the order of their numbers.
extension Cell {
  /// Runs the events of the first `count` of `active` in the window.
  @inline(__always)
  mutating func advanceAll(
    _ count: Int,
    _ extras: UnsafeMutablePointer<MemberExtras>?
  ) {
    guard count > 0, let base = rows.baseAddress, let tins = tinsBought.baseAddress else { return }
    // Taken out for the loop, so that the compiler sees that nothing else reaches them.
    var active: [UInt16] = []
    swap(&active, &self.active)
    defer { swap(&active, &self.active) }
    let (first, guarantee, end) = (firstMember, guarantee, window.end)
    // A journal has every tin before its scan.
    let opensTogether = !journal.isOn
    MemberBatch.withMemory { batch in
      active.withUnsafeBufferPointer { active in
        for start in stride(from: 0, to: count, by: MemberBatch.capacity) {
          let places = UnsafeBufferPointer(
            rebasing: active[start..<min(start + MemberBatch.capacity, count)])
          batch.removeAll()
          for place in places.indices {
            if let extras, place + MemberBatch.extrasAhead < places.count {
              ck_prefetch(extras + Int(places[place + MemberBatch.extrasAhead]))
            }
            let index = Int(places[place])
            let buys = Cell.collect(
              base[index], extras.map { $0 + index }, first + UInt32(index), guarantee, before: end,
              opensTogether: opensTogether, &batch)
            if buys { ck_prefetch(tins + index) }
          }
          // The first ones were asked for when they were found.
          let later = min(start + MemberBatch.rowsAhead, count)
          for place in active[later..<min(later + MemberBatch.capacity, count)] {
            ck_prefetch(base + Int(place))
          }
          draw(&batch)
          act(places, base, extras, &batch)
        }
      }
    }
  }

  /// Sees what a member does next, so that it is drawn with what others do.
  ///
  /// - Parameters:
  ///   - end: The window's.
  ///   - opensTogether: Whether tins may be opened before what others do first.
  /// - Returns: Whether the member buys first.
  @inline(__always)
  private static func collect(
    _ row: MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32,
    _ guarantee: GuaranteeRules, before end: Instant, opensTogether: Bool,
    _ batch: inout MemberBatch
  ) -> Bool {
    let next = row.course.next
    var isFirst = next < end
    if row.account.guaranteePending, guarantee.due(signedUp: row.signUp) <= next { isFirst = false }
    var scans = row.account.standing.lifetimeScans
    if let extras {
      if extras.pointee.nextEvent <= next { isFirst = false }
      scans &+= UInt32(extras.pointee.refusedScans)
    }
    let buys = isFirst && row.course.nextPurchase == next
    batch.add(
      opens: isFirst && !buys && opensTogether && row.account.isEligible, buys: buys, member,
      scan: scans, purchase: row.course.purchases)
    return buys
  }

  /// Draws, prints and adjudicates for all members of a batch at once.
  @inline(__always)
  private mutating func draw(_ batch: inout MemberBatch) {
    batch.draw(shared.behaviour)
    desk.printTins(batch.codes)
    desk.submit(UnsafeBufferPointer(batch.codes), serials: batch.serials) { _, outcome in
      invariant(outcome == .accepted, "a fresh tin of a member was refused")
    }
    tally.outcomes[.accepted] += Int64(batch.codes.count)
  }

  /// Lets the members of a batch act in their order, through the window: first what was drawn, then
  /// what else is due.
  @inline(__always)
  private mutating func act(
    _ places: UnsafeBufferPointer<UInt16>, _ base: UnsafeMutablePointer<MemberRow>,
    _ extras: UnsafeMutablePointer<MemberExtras>?, _ batch: inout MemberBatch
  ) {
    // Held for the loop: a reference counted for each member costs as much as a draw.
    let (behaviour, season) = (shared.behaviour, shared.season)
    var (opened, bought) = (0, 0)
    for place in places.indices {
      let index = Int(places[place])
      let member = firstMember + UInt32(index)
      let own = extras.map { $0 + index }
      switch batch.steps[place] {
      case .opens:
        tally.events += 1
        let now = base[index].course.nextScan
        let draw = batch.scan(opened, behaviour)
        let code = batch.code(opened)
        opened += 1
        let hours = finish(
          draw, code, .accepted, &base[index], own, member, now,
          hours: season.operationalHours(at: now))
        batch.plan(index, at: hours, after: now, isPurchase: false)
      case .buys:
        tally.events += 1
        let now = base[index].course.nextPurchase
        let draw = batch.purchase(bought, behaviour)
        bought += 1
        let plan = purchase(draw, &base[index], own, member, now)
        if let hours = plan.opening {
          batch.plan(index, at: hours, after: now, isPurchase: false)
        }
        if let hours = plan.purchase {
          batch.plan(index, at: hours, after: now, isPurchase: true)
        }
      case .other: break
      }
    }
    batch.settle(base, season)
    for place in places.indices {
      let index = Int(places[place])
      let member = firstMember + UInt32(index)
      let own = extras.map { $0 + index }
      // In two steps: in one, the cell would be copied before it is changed.
      let next = advance(&base[index], own, member)
      due[index] = slotNumber(of: next)
    }
  }
}
