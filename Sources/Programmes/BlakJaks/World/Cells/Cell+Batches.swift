internal import CKernel
internal import EventKernel
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
          for place in places.prefix(MemberBatch.prefetchDistance) {
            ck_prefetch(base + Int(place))
          }
          batch.removeAll()
          for place in places.indices {
            if place + MemberBatch.prefetchDistance < places.count {
              let ahead = Int(places[place + MemberBatch.prefetchDistance])
              ck_prefetch(base + ahead)
              ck_prefetch(tins + ahead)
              if let extras { ck_prefetch(extras + ahead) }
            }
            let index = Int(places[place])
            Cell.collect(
              base[index], extras.map { $0 + index }, first + UInt32(index), guarantee, before: end,
              opensTogether: opensTogether, &batch)
          }
          draw(&batch)
          act(places, base, extras, batch)
        }
      }
    }
  }

  /// Sees what a member does next, so that it is drawn with what others do.
  ///
  /// - Parameters:
  ///   - end: The window's.
  ///   - opensTogether: Whether tins may be opened before what others do first.
  @inline(__always)
  private static func collect(
    _ row: MemberRow, _ extras: UnsafeMutablePointer<MemberExtras>?, _ member: UInt32,
    _ guarantee: GuaranteeRules, before end: Instant, opensTogether: Bool,
    _ batch: inout MemberBatch
  ) {
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

  /// Lets the members of a batch act in their order, through the window.
  @inline(__always)
  private mutating func act(
    _ places: UnsafeBufferPointer<UInt16>, _ base: UnsafeMutablePointer<MemberRow>,
    _ extras: UnsafeMutablePointer<MemberExtras>?, _ batch: borrowing MemberBatch
  ) {
    var (opened, bought) = (0, 0)
    for place in places.indices {
      let index = Int(places[place])
      let member = firstMember + UInt32(index)
      let own = extras.map { $0 + index }
      switch batch.steps[place] {
      case .opens:
        tally.events += 1
        let now = base[index].course.nextScan
        let draw = batch.scan(opened, shared.behaviour)
        finish(draw, batch.code(opened), .accepted, &base[index], own, member, now)
        opened += 1
      case .buys:
        tally.events += 1
        let now = base[index].course.nextPurchase
        let draw = batch.purchase(bought, shared.behaviour)
        purchase(draw, &base[index], own, member, now)
        bought += 1
      case .other: break
      }
      // In two steps: in one, the cell would be copied before it is changed.
      let next = advance(&base[index], own, member)
      due[index] = slotNumber(of: next)
    }
  }
}
