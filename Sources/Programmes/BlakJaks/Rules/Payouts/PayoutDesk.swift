package import Quantities
internal import RewardModel

/// The state of every payout that is promised and not yet settled, and the sums of all others.
///
/// Awarded = paid + pending + failed, in count and in money, after every call. The desk knows no
/// clock and no queue: whoever runs the pipeline says when awards are batched, submitted,
/// confirmed or given up. Number and type of an award are its idempotency key: a payout that is
/// paid is never paid again, and its awards turn available in their receivers' wallets with it,
/// whatever becomes of any other.
package struct PayoutDesk: Sendable, Codable {
  let rules: PayoutRules
  let prizes: [Prize]
  private(set) var arrivals = PromiseQueue()
  /// Awards made so far and the instant of the last, by row of the payout ledger.
  private(set) var numbers: [Int64]
  private var latest: [Instant]
  let rows: PayoutLedger
  /// By slot; those that are not in use are paid.
  private(set) var payouts: [Payout] = []
  private var free: [Int] = []
  /// Awards whose payouts were confirmed and whose receivers do not have them yet.
  @Packed private var confirmed: [Award] = []
  /// Members below this number whose awards are kept with their ids, for a list of what their
  /// wallets were credited.
  var tracedMembers: UInt32 = 0
  /// The awards of traced members, in the order in which they were promised.
  private(set) var traced: [NumberedAward] = []
  private(set) var reserved: [MicroUSDT] = Array(repeating: .zero, count: Treasury.allCases.count)

  private(set) var promisedFrom: [MicroUSDT] = Array(
    repeating: .zero, count: Treasury.allCases.count)
  private(set) var paidFrom: [MicroUSDT] = Array(repeating: .zero, count: Treasury.allCases.count)

  package private(set) var awarded = PayoutSum()
  package private(set) var pending = PayoutSum()
  package private(set) var paid = PayoutSum()
  package private(set) var failed = PayoutSum()
  /// Attempts to submit a transaction, and how many of them went through.
  package private(set) var attempts: Int64 = 0
  package private(set) var successes: Int64 = 0
  package private(set) var retries: Int64 = 0
  /// Repeated attempts at payouts that had gone through already, and so were not paid twice.
  package private(set) var repeatsRefused: Int64 = 0
  /// Transactions that are not settled.
  package private(set) var queue: Int64 = 0
  /// Transactions that wait for money.
  package private(set) var waitingForFunds: Int64 = 0

  /// A desk without promises.
  package init(rules: PayoutRules, prizes: [Prize]) {
    self.rules = rules
    self.prizes = prizes
    rows = PayoutLedger(prizes: prizes)
    numbers = Array(repeating: 0, count: rows.lines.count)
    latest = Array(repeating: .distantPast, count: rows.lines.count)
  }

  /// Promises awards of one type and numbers them. What is told late, after a later award of its
  /// type, is batched with that one.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func award(_ type: PayoutType, _ run: AwardRun) throws(MoneyError) {
    try promise(type, count: run.count, run.amount)
    add(type, CollectionOfOne(run))
  }

  /// Promises runs of awards of one type, in their order; see `award`.
  ///
  /// - Parameters:
  ///   - count: Of all of them.
  ///   - total: Their money.
  /// - Throws: `MoneyError.overflow`.
  mutating func award(
    _ type: PayoutType, _ runs: [AwardRun], count: Int64, total: MicroUSDT
  ) throws(MoneyError) {
    try promise(type, count: count, total)
    add(type, runs)
  }

  /// Counts awards that are promised.
  private mutating func promise(
    _ type: PayoutType, count: Int64, _ amount: MicroUSDT
  ) throws(MoneyError) {
    let source = type.source(prizes).rawValue
    promisedFrom[source] = try promisedFrom[source].adding(amount)
    try awarded.add(count, amount)
    try pending.add(count, amount)
  }

  /// Numbers runs of awards and puts them at the end of their line.
  private mutating func add(_ type: PayoutType, _ runs: some Collection<AwardRun>) {
    let row = rows.line(of: type)
    let first = numbers[row] + 1
    (numbers[row], latest[row]) = arrivals.append(
      runs, of: type, after: numbers[row], latest[row])
    guard tracedMembers > 0 else { return }
    var number = first
    for run in runs {
      trace(run, of: type, from: number)
      number += run.count
    }
  }

  /// Keeps the awards of traced members with their ids.
  private mutating func trace(_ run: AwardRun, of type: PayoutType, from first: Int64) {
    // Seldom: most runs are gone through without a copy.
    guard run.isReceived(below: tracedMembers) else { return }
    for (place, award) in run.awards.enumerated() where award.receiver < tracedMembers {
      let id = AwardID(type: type, number: first + Int64(place))
      traced.append(NumberedAward(id: id, award: award))
    }
  }

  /// The id of a type's last award; nil before the first.
  package func lastAward(_ type: PayoutType) -> AwardID? {
    let number = numbers[rows.line(of: type)]
    return number > 0 ? AwardID(type: type, number: number) : nil
  }

  /// How many awards of a type wait to be batched at an instant.
  ///
  /// - Complexity: O(promises of the type in the batch and after it).
  package func count(
    of type: PayoutType, batchedAt end: Instant, from origin: Instant
  ) -> Int64 {
    // In the interval are those of the batch; its last instant is just before its end.
    let start = rules.batch.microseconds > 0 ? end - rules.batch : end
    let after = rules.batch.microseconds > 0 ? end : end + TimeSpan(microseconds: 1)
    return arrivals.count(of: type, in: start..<after)
  }

  /// The instant at which the earliest promise is to be batched, nil without promises.
  package func nextBatch(from origin: Instant) -> Instant? {
    arrivals.earliest.map { rules.batchEnd(after: $0, from: origin) }
  }

  /// The instant at which the earliest promise is to be batched; `distantFuture` without promises.
  ///
  /// - Complexity: O(1).
  package func earliestBatch(from origin: Instant) -> Instant {
    nextBatch(from: origin) ?? .distantFuture
  }

  /// Promises that are not part of a transaction yet.
  package var promises: Int { arrivals.count }

  /// Visits the promises that were made after the first so many, in the order in which they were
  /// made, while nothing was batched.
  package func forEachPromise(
    after count: Int, _ body: (_ first: AwardID, AwardRun) -> Void
  ) {
    arrivals.visit(after: count) { arrival in
      body(AwardID(type: arrival.type, number: arrival.number), arrival.run)
    }
  }

  /// The payouts that are not forgotten, by slot.
  ///
  /// - Complexity: O(slots).
  package var open: [(slot: Int, status: PayoutStatus)] {
    let unused = Set(free)
    return payouts.indices.filter { !unused.contains($0) }.map { ($0, payouts[$0].status) }
  }

  /// Makes transactions of the promises that are to be batched at an instant: one or more a type,
  /// each of at most `batchLimit` awards.
  ///
  /// - Parameter body: Called with each new transaction's slot, in order.
  /// - Throws: `MoneyError.overflow`.
  package mutating func batch(
    at instant: Instant, from origin: Instant, _ body: (Int) -> Void
  ) throws(MoneyError) {
    defer { arrivals.findEarliest() }
    if rules.batch.microseconds > 0 {
      var last = -1
      while let row = nextRow(after: last) {
        try batch(rows.lines[row].type, through: instant, from: origin, body)
        last = row
      }
    } else {
      // Each is paid at once, in the order of all of them.
      while let type = arrivals.earliestType(), let next = arrivals.first(of: type),
        next.time <= instant
      {
        var draft = PayoutDraft(type, first: next.number, memory: takeMemory())
        try fill(&draft, body)
        if draft.count > 0 { body(store(&draft)) }
      }
    }
  }

  /// The first row of the payout ledger after another whose type has promises: mostly only one has.
  private func nextRow(after last: Int) -> Int? {
    guard arrivals.count > 0 else { return nil }
    var next: Int?
    arrivals.forEachHeld { type in
      let row = rows.line(of: type)
      if row > last, row < next ?? .max { next = row }
    }
    return next
  }

  /// Makes transactions of the promises of a type that are to be batched at an instant.
  private mutating func batch(
    _ type: PayoutType, through instant: Instant, from origin: Instant, _ body: (Int) -> Void
  ) throws(MoneyError) {
    guard let first = arrivals.first(of: type) else { return }
    var next = first.time
    var end = rules.batchEnd(after: next, from: origin)
    guard end <= instant else { return }
    var draft = PayoutDraft(type, first: first.number, memory: takeMemory())
    let limit = rules.batchLimit
    while true {
      if next >= end { end = rules.batchEnd(after: next, from: origin) }
      guard end <= instant else { break }
      // What is left of them is of a later batch, or a transaction ends within it.
      try arrivals.take(of: type) { (next, list) throws(MoneyError) in
        guard next.time < end, draft.count + next.count <= limit else { return false }
        try draft.add(next, list)
        return true
      }
      if let time = arrivals.firstTime(of: type), time < end { try fill(&draft, body) }
      guard let time = arrivals.firstTime(of: type) else { break }
      next = time
    }
    if draft.count > 0 { body(store(&draft)) }
  }

  /// Fills a transaction with the first promise of its type, and stores it and begins another as often as
  /// it is full.
  private mutating func fill(
    _ draft: inout PayoutDraft, _ body: (Int) -> Void
  ) throws(MoneyError) {
    var rest = arrivals.popFirst(of: draft.type)
    while var run = rest {
      if draft.count == rules.batchLimit {
        body(store(&draft))
        draft = PayoutDraft(
          draft.type, first: draft.first + draft.count, memory: takeMemory())
      }
      let room = rules.batchLimit - draft.count
      if run.count <= room {
        try draft.add(run)
        rest = nil
      } else {
        try draft.add(try run.removeFirst(room))
        rest = run
      }
    }
  }

  /// The memory of the list of minutes of the slot that is used next.
  private mutating func takeMemory() -> [AwardMinute] {
    guard let slot = free.last else { return [] }
    var memory: [AwardMinute] = []
    swap(&memory, &payouts[slot].minutes)
    // One or a few minutes, each sooner gone than a list is emptied.
    while memory.popLast() != nil {}
    return memory
  }

  /// Stores what a transaction has come to; the draft is at its end.
  private mutating func store(_ draft: inout PayoutDraft) -> Int {
    queue += 1
    let source = draft.type.source(prizes)
    if let slot = free.popLast() {
      draft.finish(from: source, in: &payouts[slot])
      return slot
    }
    var payout = Payout(
      type: draft.type, firstAward: draft.first, count: 0, amount: .zero, source: source)
    draft.finish(from: source, in: &payout)
    payouts.append(payout)
    return payouts.count - 1
  }

  /// Where a payout stands; nil for a slot that is not in use.
  ///
  /// - Complexity: O(slots that are free).
  package func status(_ slot: Int) -> PayoutStatus? {
    payouts.indices.contains(slot) && !free.contains(slot) ? payouts[slot].status : nil
  }

  /// A payout that is not settled.
  package subscript(slot: Int) -> Payout { payouts[slot] }

  /// Where a payout that is not settled comes from, how many awards it has and what they are, without a
  /// copy of its lists.
  func size(_ slot: Int) -> (source: Treasury, count: Int64, amount: MicroUSDT) {
    (payouts[slot].source, payouts[slot].count, payouts[slot].amount)
  }

  /// When the awards of a payout that is not settled were made.
  func minutes(_ slot: Int) -> [AwardMinute] { payouts[slot].minutes }

  /// Attempts so far at a payout that is not settled.
  func attempts(_ slot: Int) -> Int { payouts[slot].attempts }

  /// What a payout takes from its source, gas included.
  package func cost(_ slot: Int) throws(MoneyError) -> MicroUSDT {
    let amount = payouts[slot].amount
    return payouts[slot].source.isOnChain ? try amount.adding(rules.gas) : amount
  }

  /// An attempt begins: sets the payout's money aside.
  ///
  /// - Parameter holding: What the payout's source holds by the ledger.
  /// - Returns: False when that is not enough; the payout then waits for funds.
  package mutating func begin(
    _ slot: Int, holding: MicroUSDT
  ) throws(MoneyError) -> Bool {
    let status = payouts[slot].status
    precondition(status == .queued || status == .waitingForFunds, "a payout began twice")
    let cost = try cost(slot)
    let source = payouts[slot].source
    if try holding.subtracting(reserved[source.rawValue]) < cost {
      if status != .waitingForFunds { waitingForFunds += 1 }
      payouts[slot].status = .waitingForFunds
      return false
    }
    if status == .waitingForFunds { waitingForFunds -= 1 }
    reserved[source.rawValue] = try reserved[source.rawValue].adding(cost)
    payouts[slot].status = .submitted
    payouts[slot].attempts += 1
    attempts += 1
    if payouts[slot].attempts > 1 { retries += 1 }
    return true
  }

  /// An attempt failed: its money is free again.
  ///
  /// - Returns: The wait before the next attempt, nil when it was the last and the payout is left
  ///   to a person.
  /// - Throws: `MoneyError.overflow`.
  package mutating func reject(_ slot: Int) throws(MoneyError) -> TimeSpan? {
    precondition(payouts[slot].status == .submitted, "only what is under way can fail")
    try release(slot)
    let payout = payouts[slot]
    guard payout.attempts > rules.retries else {
      payouts[slot].status = .queued
      return rules.wait(beforeRetry: payout.attempts)
    }
    payouts[slot].status = .failed
    queue -= 1
    try pending.remove(payout.count, payout.amount)
    try failed.add(payout.count, payout.amount)
    return nil
  }

  /// A person submits a failed payout anew, with all its attempts before it.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func resubmit(_ slot: Int) throws(MoneyError) {
    precondition(payouts[slot].status == .failed, "only a failed payout is submitted anew")
    let payout = payouts[slot]
    payouts[slot].status = .queued
    payouts[slot].attempts = 0
    queue += 1
    try failed.remove(payout.count, payout.amount)
    try pending.add(payout.count, payout.amount)
  }

  /// A payout is confirmed: posts what was owed against its source, with the gas.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func confirm(_ slot: Int, _ ledger: inout Ledger) throws(MoneyError) {
    precondition(payouts[slot].status == .submitted, "only what is under way can be confirmed")
    try release(slot)
    // One by one: a copy of all would keep its lists alive.
    let (type, source) = (payouts[slot].type, payouts[slot].source)
    let (count, amount) = (payouts[slot].count, payouts[slot].amount)
    try ledger.post(amount, from: type.payable, to: source.ledgerAccount)
    if source.isOnChain { try ledger.post(rules.gas, from: .gas, to: source.ledgerAccount) }
    paidFrom[source.rawValue] = try paid(from: source).adding(amount)
    payouts[slot].status = .paid
    successes += 1
    queue -= 1
    try pending.remove(count, amount)
    try paid.add(count, amount)
    guard !payouts[slot].awards.isEmpty else { return }
    if type.credit(prizes) != nil { confirmed += payouts[slot].awards }
    payouts[slot].awards = []
  }

  /// Hands over the awards whose payouts were confirmed since the last call.
  mutating func takeConfirmed() -> [Award] {
    defer { confirmed = [] }
    return confirmed
  }

  /// A worker who never heard of its success submits a payout once more. Its key is known, so
  /// nothing happens.
  package mutating func refuseRepeat(_ slot: Int) {
    let status = payouts[slot].status
    precondition(status == .paid || status == .submitted, "the key of a repeat is unknown")
    repeatsRefused += 1
  }

  /// Forgets a paid payout; its slot may be used again.
  package mutating func forget(_ slot: Int) {
    precondition(payouts[slot].status == .paid, "only what is paid may be forgotten")
    free.append(slot)
  }

  private mutating func release(_ slot: Int) throws(MoneyError) {
    let source = payouts[slot].source.rawValue
    reserved[source] = try reserved[source].subtracting(try cost(slot))
  }
}
