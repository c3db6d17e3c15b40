internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

// Members who are due act in batches. What they do first goes by stages: it is collected, drawn,
// printed, adjudicated and planned for many at once. What else is due in the window then happens
// member by member and event by event, as everything does where a journal or a history is kept.
extension Cell {
  /// Runs the events of the first `count` of `active` in the window.
  mutating func advanceAll(_ count: Int, _ extras: UnsafeMutablePointer<MemberExtras>?) {
    guard count > 0 else { return }
    // Taken out for the loop, so that the compiler sees that nothing else reaches them.
    var active: [UInt16] = []
    swap(&active, &self.active)
    defer { swap(&active, &self.active) }
    // Held once for all stages, which are lent it: threads that counted references for each of them
    // would wait for each other.
    let shared = shared
    MemberBatch.withMemory { batch in
      active.withUnsafeBufferPointer { active in
        for start in stride(from: 0, to: count, by: MemberBatch.capacity) {
          let places = UnsafeBufferPointer(
            rebasing: active[start..<min(start + MemberBatch.capacity, count)])
          collect(places, extras, &batch)
          batch.fill(firstRow, firstMember, extras)
          ask(for: active, start + MemberBatch.rowsAhead, extras)
          if batch.openings.count > 0 { openTins(&batch, extras, shared) }
          if batch.purchases.count > 0 { buy(&batch, extras, shared) }
          finishWindow(places, extras, batch, shared)
        }
      }
    }
  }

  /// Asks for the memory of the members of a batch to come; that of the first ones was asked for when
  /// they were found.
  private func ask(
    for active: UnsafeBufferPointer<UInt16>, _ start: Int,
    _ extras: UnsafeMutablePointer<MemberExtras>?
  ) {
    guard start < dueCount else { return }
    for place in active[start..<min(start + MemberBatch.capacity, dueCount)] {
      ck_prefetch_far(firstRow + Int(place))
      if let extras { MemberExtras.ask(for: extras + Int(place)) }
    }
  }

  /// Sees what members do next.
  private func collect(
    _ places: UnsafeBufferPointer<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ batch: inout MemberBatch
  ) {
    let (base, tins) = (firstRow, firstTins)
    let (guarantee, end) = (guarantee, window.end)
    // What is told of each event, it is told in the order of the members.
    let isTold = journal.isOn || history.isOn
    batch.removeAll()
    for place in places.indices {
      let index = Int(places[place])
      let row = base + index
      // From the second cache to the first.
      if place + MemberBatch.rowsNear < places.count {
        let near = Int(places[place + MemberBatch.rowsNear])
        ck_prefetch(base + near)
        if let extras { MemberExtras.askNear(for: extras + near) }
      }
      let step = isTold ? .other : Cell.step(row, extras.map { $0 + index }, guarantee, before: end)
      if let extras { askForLists(extras + index, index, before: end) }
      ck_prefetch(tins + (step == .buys ? index : 0))
      batch.add(step, places[place])
    }
  }

  /// Asks for what a member waits for, where something of it comes in the window.
  @inline(__always)
  private func askForLists(
    _ extras: UnsafeMutablePointer<MemberExtras>, _ index: Int, before end: Instant
  ) {
    if extras.pointee.nextDelivery < end { deliveries.ask(for: index) }
    if extras.pointee.nextReturn < end { returns.ask(for: index) }
  }

  /// What a member does first, if it is before an instant and has a stage.
  @inline(__always)
  private static func step(
    _ row: UnsafeMutablePointer<MemberRow>, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ guarantee: GuaranteeRules, before end: Instant
  ) -> MemberBatch.Step {
    let account = row.pointee.account
    let (purchase, next) = (row.pointee.course.nextPurchase, row.pointee.course.next)
    var isFirst = next < end && account.isEligible
    isFirst =
      isFirst && !(account.guaranteePending && guarantee.due(signedUp: row.pointee.signUp) <= next)
    if let extras { isFirst = isFirst && extras.pointee.nextEvent > next }
    // Chosen: a processor would often guess wrong whether a member buys.
    let step: MemberBatch.Step = purchase == next ? .buys : .opens
    return isFirst && !(step == .buys && row.pointee.course.leavesNext) ? step : .other
  }

  /// Asks for the deliveries that come to the members of a batch in the window.
  private func askForDeliveries(
    _ places: UnsafeBufferPointer<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>,
    _ batch: borrowing MemberBatch
  ) {
    let end = window.end
    for place in places.indices where batch.steps[place] == .other {
      let index = Int(places[place])
      if extras[index].nextDelivery < end { deliveries.askForFirst(of: index) }
    }
    for place in places.indices where batch.steps[place] == .other {
      let index = Int(places[place])
      if extras[index].nextDelivery < end { deliveries.askForSecond(of: index) }
    }
  }

  /// Lets the members of a batch do what else is due in the window.
  private mutating func finishWindow(
    _ places: UnsafeBufferPointer<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ batch: borrowing MemberBatch, _ shared: CellRules
  ) {
    let base = firstRow
    if let extras { askForDeliveries(places, extras, batch) }
    for place in places.indices where batch.steps[place] == .other {
      let index = Int(places[place])
      // In two steps: in one, the cell would be copied before it is changed.
      let next = advance(
        &base[index], extras.map { $0 + index }, firstMember + UInt32(index), shared)
      due.writer.set(index, at: next)
    }
  }
}
