internal import EventKernel
internal import Population
internal import Quantities
internal import RewardModel

/// Clocks that step, and what lies at the end of what can be written.
extension EmberaTrial {
  /// Looks at an order by a clock that steps back and forth, and at last by one that is right.
  mutating func look(_ wish: Wish) throws {
    var stream = course.looks(wish)
    let rules = rules.status
    let eta = rules.eta(created: wish.created)
    var view = StatusView()
    var best = 0
    for look in 0..<8 {
      var age = Int64((stream.uniform() * 3 - 1) * Double(rules.delivery.microseconds))
      if look == 7 { age = rules.delivery.microseconds }
      let raw = plainStatus(age)
      let shown = view.show(
        created: wish.created, eta: eta,
        clock: Instant(microseconds: wish.created.microseconds + age), rules: rules)
      if raw < best { count(.clockSteps) }
      try recount.expect(
        .status, shown.heldBack == (raw < best), [wish.member],
        "an order of age \(age / 1_000_000) s is \(shown.heldBack ? "" : "not ")held back")
      best = max(best, raw)
      try recount.expect(
        .status, shown.status.rawValue == best, [wish.member],
        "an order of age \(age / 1_000_000) s is \(shown.status.key)")
    }
    try recount.expect(
      .status, view.shown.isFinal, [wish.member], "an order's live status does not end")
  }

  /// The number of the status at an age in microseconds.
  private func plainStatus(_ age: Int64) -> Int {
    let ends = [rules.status.processing, rules.status.roasting].map(\.microseconds)
    if age >= rules.status.delivery.microseconds { return 3 }
    if age < ends[0] { return 0 }
    return age < ends[0] + ends[1] ? 1 : 2
  }

  mutating func tryLimits(_ member: UInt32) throws {
    for request in EmberaFaults.refused(member, rules) { _ = try send(request) }
    let nobody = EmberaRequest.redeem(
      member: .max, channel: .firstDevice, number: 1, offer: rules.offers[0].id)
    _ = try send(nobody, at: now + .days(400))
    if state.snapshot.last > .distantPast {
      _ = try send(
        .closeMonth(isComplete: true), at: state.snapshot.last - TimeSpan(microseconds: 1))
    }
    count(.limit)
    try tryDearOrders(member)
  }

  /// Orders whose sums leave 64 bits are refused with nothing changed, on a copy.
  private mutating func tryDearOrders(_ member: UInt32) throws {
    guard let person = recount.account(member) else { return }
    let dear = EmberaFaults.dear(rules)
    let number = UInt32(person.answered[Int(EntryChannel.subscription.rawValue)].count) + 1
    for counts in EmberaFaults.dearBags {
      var copy = EmberaState(dear, restoring: state.snapshot)
      var bags = BagCounts()
      for (size, count) in zip(BagSize.allCases, counts) {
        bags.add(count, of: size, subscribed: size == .small)
      }
      let requests: [EmberaRequest] = [
        .order(
          member: member, channel: .subscription, number: number, contents: .bags(bags)),
        .closeMonth(isComplete: true),
      ]
      for request in requests {
        let before = copy.snapshot
        do {
          _ = try copy.commit(request, at: now)
        } catch {
          overflows += 1
          try recount.expect(
            .noTrace, copy.snapshot == before, [member], "\(request) left 64 bits and a trace")
        }
        try EmberaAudit(frame).checkLaws(copy, at: now)
      }
    }
  }
}
