internal import Quantities
internal import RewardModel

extension Recount {
  /// A step of a payout: what may happen to it, what it does to its awards, and that no award is
  /// in two payouts or paid twice.
  func payout(
    _ step: PayoutStep, at time: Instant, _ answer: ProgrammeAnswer, _ state: ProgrammeState
  ) throws(RecountFailure) {
    guard allows(step) else {
      return try expect(
        .payoutStates, answer == .refused(.payoutStep(step)), [], "\(step) was taken: \(answer)")
    }
    guard case .payout(let reply) = answer else {
      throw RecountFailure(law: .payoutStates, facts: "\(step) led to \(answer)", members: [])
    }
    func isDone() throws(RecountFailure) {
      try expect(.payoutStates, reply == .done, [], "\(step) led to \(reply)")
    }
    switch step {
    case .batch(let origin):
      guard case .batched(let slots) = reply else {
        throw RecountFailure(law: .payoutStates, facts: "a batch led to \(reply)", members: [])
      }
      try batch(slots, at: time, from: origin, state)
    case .begin(let slot): try begin(slot, reply, at: time)
    case .reject(let slot): try reject(slot, reply)
    case .confirm(let slot):
      try isDone()
      try confirm(slot)
    case .resubmit(let slot):
      try isDone()
      note("payout_resubmitted")
      payouts.slots[slot]?.status = .queued
      payouts.slots[slot]?.attempts = 0
    case .repeated:
      try isDone()
      note("payout_repeated")
    case .forget(let slot):
      try isDone()
      payouts.slots[slot] = nil
    }
  }

  private func allows(_ step: PayoutStep) -> Bool {
    func status(_ slot: Int, _ allowed: PayoutStatus...) -> Bool {
      payouts.slots[slot].map { allowed.contains($0.status) } ?? false
    }
    return switch step {
    case .batch: true
    case .begin(let slot): status(slot, .queued, .waitingForFunds)
    case .reject(let slot), .confirm(let slot): status(slot, .submitted)
    case .resubmit(let slot): status(slot, .failed)
    case .repeated(let slot): status(slot, .paid, .submitted)
    case .forget(let slot): status(slot, .paid)
    }
  }

  /// New payouts hold what was promised until now, each award in one of them.
  private func batch(
    _ slots: [Int], at time: Instant, from origin: Instant, _ state: ProgrammeState
  ) throws(RecountFailure) {
    for slot in slots {
      let made = state.programme.books.desk[slot]
      let type = made.type
      try expect(.paidOnce, payouts.slots[slot] == nil, [], "payout \(slot) was given out twice")
      let first = payouts.batched[type] ?? 0
      let promised = payouts.awards[type] ?? []
      let end = first + Int(made.count)
      try expect(
        .paidOnce, made.firstAward == Int64(first + 1) && end <= promised.count, [],
        "a payout begins with award \(made.firstAward) of \(type), not \(first + 1), and has "
          + "\(made.count) of \(promised.count)")
      try expect(
        .payoutStates, made.count >= 1 && made.count <= rules.payouts.batchLimit, [],
        "a payout has \(made.count) awards")
      if made.count == rules.payouts.batchLimit { note("batch_full") }
      let list = promised[first..<end]
      let amount = list.reduce(Int64(0)) { $0 + $1.amount }
      try expect(
        .paidOnce, made.amount.microunits == amount, list.compactMap(\.receiver),
        "a payout of \(made.count) awards is \(made.amount), not \(amount) micro-USDT")
      try expect(
        .payoutStates, made.source == PlainKind(type, rules).source, [],
        "\(type) is paid from \(made.source.key)")
      for place in first..<end { payouts.awards[type]?[place].slot = slot }
      payouts.batched[type] = end
      let gas = made.source.isOnChain ? rules.payouts.gas.microunits : 0
      payouts.slots[slot] = PlainPayouts.Slot(
        type: type, first: first, count: Int(made.count), status: .queued, cost: amount + gas)
    }
    let length = rules.payouts.batch.microseconds
    for (type, list) in payouts.awards {
      for place in (payouts.batched[type] ?? 0)..<list.count {
        let award = list[place]
        let waited = (award.time - origin).microseconds
        let due =
          length == 0 ? award.time : origin + TimeSpan(microseconds: (waited / length + 1) * length)
        try expect(
          .payoutStates, due > time, award.receiver.map { [$0] } ?? [],
          "award \(place + 1) of \(type) was not batched")
      }
    }
  }

  private func begin(
    _ slot: Int, _ reply: PayoutReply, at time: Instant
  ) throws(RecountFailure) {
    guard let payout = payouts.slots[slot] else { return }
    let source = PlainKind(payout.type, rules).source
    let isCovered = available(source) >= payout.cost
    try expect(
      .treasuries, reply == .began(isCovered), [],
      "a payout of \(payout.cost) micro-USDT from \(source.key) with \(available(source)): \(reply)"
    )
    if isCovered {
      payouts.slots[slot]?.status = .submitted
      payouts.slots[slot]?.attempts += 1
    } else {
      note("payout_waits_for_funds")
      payouts.slots[slot]?.status = .waitingForFunds
      payouts.slots[slot]?.waitsSince = time
    }
  }

  /// What a treasury holds beyond what is on its way.
  func available(_ treasury: Treasury) -> Int64 {
    let underWay = payouts.slots.values.filter {
      $0.status == .submitted && PlainKind($0.type, rules).source == treasury
    }
    return (books.holdings[treasury] ?? 0) - underWay.reduce(0) { $0 + $1.cost }
  }

  private func reject(_ slot: Int, _ reply: PayoutReply) throws(RecountFailure) {
    guard let payout = payouts.slots[slot] else { return }
    note("payout_rejected")
    let isLast = payout.attempts > rules.payouts.retries
    if isLast { note("payout_given_up") }
    var wait = rules.payouts.backoff
    for _ in 1..<min(max(payout.attempts, 1), 21) { wait = wait + wait }
    try expect(
      .payoutStates, reply == .retries(after: isLast ? nil : wait), [],
      "after attempt \(payout.attempts): \(reply)")
    payouts.slots[slot]?.status = isLast ? .failed : .queued
  }

  private func confirm(_ slot: Int) throws(RecountFailure) {
    guard let payout = payouts.slots[slot] else { return }
    payouts.slots[slot]?.status = .paid
    let (type, source) = (payout.type, PlainKind(payout.type, rules).source)
    var amount: Int64 = 0
    for place in payout.first..<payout.first + payout.count {
      guard let award = payouts.awards[type]?[place] else { continue }
      try expect(
        .paidOnce, !award.isPaid && award.slot == slot, award.receiver.map { [$0] } ?? [],
        "award \(place + 1) of \(type) is paid again")
      payouts.awards[type]?[place].isPaid = true
      amount += award.amount
      if let receiver = award.receiver, PlainKind(type, rules).isCredited {
        payouts.pending[receiver, default: 0] -= award.amount
        members[receiver]?.available += award.amount
      }
    }
    payouts.paid[type, default: 0] += amount
    payouts.paidFrom[source, default: 0] += amount
    if source.isOnChain { payouts.transactions[source, default: 0] += 1 }
    books.holdings[source]! -= payout.cost
  }
}
