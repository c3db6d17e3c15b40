internal import CKernel
internal import EventKernel
internal import HeapModule
internal import Population
internal import Quantities
internal import RewardModel

// Members who are due act in batches. What they do first goes by stages: it is collected, drawn,
// printed, adjudicated and planned for many at once. Those with more to do in the window then act in
// batches again, until few are left. What has no stage happens event by event, as everything does where a
// journal or a history is kept.
//
// What is called in the loop is mutating even where it changes nothing: the cell would be copied for it
// otherwise.
extension Cell {
  mutating func run(_ window: Window, _ broadcast: CellBroadcast) {
    guard isAwake else { return }
    // Taken out for the loop, so that the compiler sees that nothing else reaches them.
    var places: [UInt16] = []
    swap(&places, &active)
    if broadcast.holdsBack { held.begin() }
    let extras = extras.baseAddress
    advanceAll(&places, dueCount, extras, holding: broadcast.holdsBack)
    swap(&places, &active)
    if !broadcast.holdsBack { endWindow() }
  }

  mutating func finish(_ window: Window, _ broadcast: CellBroadcast) {
    hear(toldAt: window.start)
    guard isAwake else { return }
    var places: [UInt16] = []
    swap(&places, &held.places)
    let extras = extras.baseAddress
    // Nobody has asked for them when they were found, as for those of `active`.
    ask(for: places[..<min(held.count, MemberBatch.rowsAhead)], extras)
    advanceAll(&places, held.count, extras, holding: false)
    swap(&places, &held.places)
    endWindow()
  }

  /// What comes after all that members do.
  private mutating func endWindow() {
    if !orders.isEmpty { moveOrders() }
    if !passed.isEmpty { submitPassedCodes() }
  }

  /// Runs the events of the first `count` of some members in the window.
  ///
  /// - Parameter holding: Whether those who wait for the house are put among `held` instead; the list
  ///   is then of no more use.
  private mutating func advanceAll(
    _ active: inout [UInt16], _ count: Int, _ extras: UnsafeMutablePointer<MemberExtras>?,
    holding: Bool
  ) {
    guard count > 0 else { return }
    // Held once for all stages, which are lent it: threads that counted references for each of them
    // would wait for each other.
    let shared = shared
    MemberBatch.withMemory { batch in
      active.withUnsafeMutableBufferPointer { active in
        for start in stride(from: 0, to: count, by: MemberBatch.capacity) {
          var places = UnsafeMutableBufferPointer(
            rebasing: active[start..<min(start + MemberBatch.capacity, count)])
          if holding, let extras { places = holdBack(places, extras) }
          let next = min(start + MemberBatch.rowsAhead, count)
          let ahead = active[next..<min(next + MemberBatch.capacity, count)]
          act(UnsafeBufferPointer(places), ahead, extras, &batch, shared)
          while batch.waiting >= MemberBatch.capacity { actAgain(extras, &batch, shared) }
        }
        while batch.waiting >= MemberBatch.fewWaiting { actAgain(extras, &batch, shared) }
        for place in batch.takeWaiting(MemberBatch.fewWaiting) {
          advanceAlone(Int(place), extras, shared)
        }
      }
    }
  }

  /// Lets members do what they do first, stage by stage.
  ///
  /// - Parameter ahead: Members to come, whose rows are asked for.
  @inline(__always)
  private mutating func act(
    _ places: UnsafeBufferPointer<UInt16>, _ ahead: Slice<UnsafeMutableBufferPointer<UInt16>>?,
    _ extras: UnsafeMutablePointer<MemberExtras>?, _ batch: inout MemberBatch,
    _ shared: CellRules
  ) {
    collect(places, extras, &batch)
    batch.fill(firstRow, firstMember, extras)
    if let ahead { ask(for: ahead, extras) }
    if batch.openings.count > 0 { openTins(&batch, extras, shared) }
    if batch.purchases.count > 0 { buy(&batch, extras, shared) }
    finishWindow(places, extras, &batch, shared)
  }

  /// Lets members do what they do next who have done something in the window, a batch of them.
  @inline(never)
  private mutating func actAgain(
    _ extras: UnsafeMutablePointer<MemberExtras>?, _ batch: inout MemberBatch,
    _ shared: CellRules
  ) {
    act(batch.takeWaiting(MemberBatch.capacity), nil, extras, &batch, shared)
  }

  /// Asks for the memory of members to come; that of the first ones was asked for when they were found.
  private mutating func ask(
    for places: some Sequence<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>?
  ) {
    for place in places {
      ck_prefetch_far(firstRow + Int(place))
      if let extras { MemberExtras.ask(for: extras + Int(place)) }
    }
  }

  /// Whether a journal or a history is told of each event.
  private var isTold: Bool { mutating get { journal.isOn || history.isOn } }

  /// Sees what members do next.
  private mutating func collect(
    _ places: UnsafeBufferPointer<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ batch: inout MemberBatch
  ) {
    // What is told of each event, it is told in the order of the members.
    if isTold { return batch.takeOthers(places.count) }
    batch.take(
      places, firstRow, extras, FirstStepRules(guarantee, before: window.end), firstTins)
    guard let extras else { return }
    let end = window.end
    for place in places { askForLists(extras + Int(place), Int(place), before: end) }
  }

  /// Asks for what a member waits for, where something of it comes in the window.
  @inline(__always)
  private func askForLists(
    _ extras: UnsafeMutablePointer<MemberExtras>, _ index: Int, before end: Instant
  ) {
    if extras.pointee.nextDelivery < end { deliveries.ask(for: index) }
    if extras.pointee.nextReturn < end { returns.ask(for: index) }
  }

  /// Asks for the deliveries that come to the members of a batch in the window.
  private mutating func askForDeliveries(
    _ places: UnsafeBufferPointer<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>,
    _ batch: borrowing MemberBatch
  ) {
    let end = window.end
    batch.forEachLeft(stagesFollow: false) { place in
      let index = Int(places[place])
      if extras[index].nextDelivery < end { deliveries.askForFirst(of: index) }
    }
    batch.forEachLeft(stagesFollow: false) { place in
      let index = Int(places[place])
      if extras[index].nextDelivery < end { deliveries.askForSecond(of: index) }
    }
  }

  /// Lets the members of a batch do what has no stage, and lets wait who has more to do in the window.
  @inline(__always)
  private mutating func finishWindow(
    _ places: UnsafeBufferPointer<UInt16>, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ batch: inout MemberBatch, _ shared: CellRules
  ) {
    if let extras { askForDeliveries(places, extras, batch) }
    // Where members have extras, most of what follows has no stage, either; and where each event is told,
    // those of one member are told together.
    let isSingle = extras == nil && !isTold
    let events = isSingle ? 1 : Int.max
    batch.forEachLeft(stagesFollow: isSingle) { place in
      let hasMore = advance(Int(places[place]), extras, events: events, shared)
      batch.set(place, hasMore: hasMore)
    }
    if isSingle { batch.letWait(places) }
  }

  /// Runs events of a member in the window, and sees when the next one comes.
  ///
  /// - Parameter events: How many at most.
  /// - Returns: Whether more are due in the window.
  @inline(__always)
  private mutating func advance(
    _ index: Int, _ extras: UnsafeMutablePointer<MemberExtras>?, events: Int,
    _ shared: CellRules
  ) -> Bool {
    // In two steps: in one, the cell would be copied before it is changed.
    let next = advance(
      &firstRow[index], extras.map { $0 + index }, firstMember + UInt32(index), events: events,
      shared)
    due.writer.set(index, at: next)
    return next < window.end
  }

  /// Runs all events of a member in the window.
  @inline(never)
  private mutating func advanceAlone(
    _ index: Int, _ extras: UnsafeMutablePointer<MemberExtras>?, _ shared: CellRules
  ) {
    _ = advance(index, extras, events: .max, shared)
  }
}

/// When and for whom a purchase or an opening is what comes first, as loops over lanes read it.
struct FirstStepRules: ~Copyable {
  let lanes: ck_step_rules

  /// - Parameter end: That of the window.
  init(_ guarantee: GuaranteeRules, before end: Instant) {
    lanes = ck_step_rules(
      end: end.microseconds, wait: GuaranteeClock(guarantee).wait, leaves: MemberCourse.leavesBit,
      eligible_bits: MemberStatus.eligibleBits.rawValue, eligible: MemberStatus.eligible.rawValue,
      pending: MemberStatus.guaranteePending.rawValue)
  }
}
