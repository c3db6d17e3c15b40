package import Quantities
internal import RewardModel

/// Where a payout stands on its way to the receiver.
package enum PayoutStatus: UInt8, CaseIterable, Sendable, Codable {
  /// Waits for a worker, or for its next attempt.
  case queued
  /// Waits until its wallet or account holds the money.
  case waitingForFunds
  /// Its money is set aside and it is on its way.
  case submitted
  /// Confirmed.
  case paid
  /// Given up after the last retry, for a person to look at.
  case failed
}

/// One transaction: awards of one type that are paid out together.
package struct Payout: Sendable, Equatable, Codable {
  package var type: PayoutType
  /// The number, within the type, of the first award; with the type it is the idempotency key.
  package var firstAward: Int64
  /// How many awards, which follow one another in number.
  package var count: Int64
  package var amount: MicroUSDT
  package var source: Treasury
  /// When its earliest award was made.
  package var awarded: Instant
  package var attempts = 0
  package var status = PayoutStatus.queued
}

/// A count of awards and their money.
package struct PayoutSum: Sendable, Equatable, Codable {
  package var count: Int64 = 0
  package var amount = MicroUSDT.zero

  /// No awards.
  package init() {}

  /// A number of awards and their money.
  package init(count: Int64, amount: MicroUSDT) {
    self.count = count
    self.amount = amount
  }

  mutating func add(_ count: Int64, _ amount: MicroUSDT) throws(MoneyError) {
    self.amount = try self.amount.adding(amount)
    self.count += count
  }

  mutating func remove(_ count: Int64, _ amount: MicroUSDT) throws(MoneyError) {
    self.amount = try self.amount.subtracting(amount)
    self.count -= count
  }
}

/// The state of every payout that is promised and not yet settled, and the sums of all others.
///
/// Awarded = paid + pending + failed, in count and in money, after every call. The desk knows no
/// clock and no queue: whoever runs the pipeline says when awards are batched, submitted,
/// confirmed or given up. Number and type of an award are its idempotency key: a payout that is
/// paid is never paid again.
package struct PayoutDesk: Sendable, Codable {
  /// A promise that is not yet part of a transaction.
  private struct Arrival: Sendable, Codable {
    var type: PayoutType
    var count: Int64
    var amount: MicroUSDT
    var time: Instant
  }

  private let rules: PayoutRules
  private let prizes: [Prize]
  private var arrivals: [Arrival] = []
  private var arrivalsSorted = true
  /// Awards batched so far, by row of the payout ledger.
  private var numbers: [Int64]
  private let rows: PayoutLedger
  private var payouts: [Payout] = []
  private var free: [Int] = []
  private var reserved: [MicroUSDT] = Array(repeating: .zero, count: Treasury.allCases.count)

  private var promisedFrom: [MicroUSDT] = Array(repeating: .zero, count: Treasury.allCases.count)
  private var paidFrom: [MicroUSDT] = Array(repeating: .zero, count: Treasury.allCases.count)

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
  }

  /// Promises `count` awards of one type.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func award(
    _ type: PayoutType, count: Int64, amount: MicroUSDT, at time: Instant
  ) throws(MoneyError) {
    let source = type.source(prizes).rawValue
    promisedFrom[source] = try promisedFrom[source].adding(amount)
    try awarded.add(count, amount)
    try pending.add(count, amount)
    if let last = arrivals.last, last.time > time { arrivalsSorted = false }
    arrivals.append(Arrival(type: type, count: count, amount: amount, time: time))
  }

  /// The instant at which the earliest promise is to be batched, nil without promises.
  package mutating func nextBatch(from origin: Instant) -> Instant? {
    sortArrivals()
    return arrivals.first.map { rules.batchEnd(after: $0.time, from: origin) }
  }

  private mutating func sortArrivals() {
    guard !arrivalsSorted else { return }
    // Stable by number where instants are equal.
    let order = arrivals.indices.sorted { (arrivals[$0].time, $0) < (arrivals[$1].time, $1) }
    arrivals = order.map { arrivals[$0] }
    arrivalsSorted = true
  }

  /// Makes transactions of the promises that are to be batched at an instant: one or more a type,
  /// each of at most `batchLimit` awards.
  ///
  /// - Parameter body: Called with each new transaction's slot, in order.
  /// - Throws: `MoneyError.overflow`.
  package mutating func batch(
    at instant: Instant, from origin: Instant, _ body: (Int) -> Void
  ) throws(MoneyError) {
    sortArrivals()
    var taken = 0
    while taken < arrivals.count,
      rules.batchEnd(after: arrivals[taken].time, from: origin) <= instant
    {
      taken += 1
    }
    var sums: [Payout?] = Array(repeating: nil, count: rows.lines.count)
    for arrival in arrivals[..<taken] {
      let row = rows.line(of: arrival.type)
      // Awards are numbered within their type in the order of their instants.
      var sum =
        sums[row]
        ?? Payout(
          type: arrival.type, firstAward: numbers[row] + 1, count: 0, amount: .zero,
          source: arrival.type.source(prizes), awarded: arrival.time)
      numbers[row] += arrival.count
      sum.count += arrival.count
      sum.amount = try sum.amount.adding(arrival.amount)
      sums[row] = sum
      if rules.batch.microseconds == 0 {
        try split(sum, body)
        sums[row] = nil
      }
    }
    arrivals.removeFirst(taken)
    for case let sum? in sums { try split(sum, body) }
  }

  private mutating func split(_ whole: Payout, _ body: (Int) -> Void) throws(MoneyError) {
    let parts = (whole.count + rules.batchLimit - 1) / rules.batchLimit
    var count: Int64 = 0
    var amount = MicroUSDT.zero
    for part in 1...max(parts, 1) {
      let upTo = part == parts ? whole.count : part * rules.batchLimit
      let sum = part == parts ? whole.amount : try whole.amount.portion(upTo, of: whole.count)
      var payout = whole
      payout.firstAward += count
      payout.count = upTo - count
      payout.amount = try sum.subtracting(amount)
      count = upTo
      amount = sum
      body(store(payout))
    }
  }

  private mutating func store(_ payout: Payout) -> Int {
    queue += 1
    if let slot = free.popLast() {
      payouts[slot] = payout
      return slot
    }
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

  /// What a payout takes from its source, gas included.
  package func cost(_ slot: Int) throws(MoneyError) -> MicroUSDT {
    let payout = payouts[slot]
    return payout.source.isOnChain ? try payout.amount.adding(rules.gas) : payout.amount
  }

  /// What a treasury has paid out so far, without gas.
  package func paid(from treasury: Treasury) -> MicroUSDT { paidFrom[treasury.rawValue] }

  /// What is still to be paid from a treasury, given-up payouts included.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func owed(from treasury: Treasury) throws(MoneyError) -> MicroUSDT {
    try promisedFrom[treasury.rawValue].subtracting(paidFrom[treasury.rawValue])
  }

  /// What a treasury holds beyond what is set aside for payouts under way.
  package func available(_ treasury: Treasury, _ ledger: Ledger) throws(MoneyError) -> MicroUSDT {
    try ledger.holding(treasury).subtracting(reserved[treasury.rawValue])
  }

  /// An attempt begins: sets the payout's money aside.
  ///
  /// - Returns: False when its source lacks the money; the payout then waits for funds.
  package mutating func begin(_ slot: Int, _ ledger: Ledger) throws(MoneyError) -> Bool {
    let status = payouts[slot].status
    precondition(status == .queued || status == .waitingForFunds, "a payout began twice")
    let cost = try cost(slot)
    let source = payouts[slot].source
    if try available(source, ledger) < cost {
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
    let payout = payouts[slot]
    precondition(payout.status == .submitted, "only what is under way can be confirmed")
    try release(slot)
    let source = payout.source.ledgerAccount
    try ledger.post(payout.amount, from: payout.type.payable, to: source)
    if payout.source.isOnChain { try ledger.post(rules.gas, from: .gas, to: source) }
    paidFrom[payout.source.rawValue] = try paid(from: payout.source).adding(payout.amount)
    payouts[slot].status = .paid
    successes += 1
    queue -= 1
    try pending.remove(payout.count, payout.amount)
    try paid.add(payout.count, payout.amount)
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

  /// The earliest award that is not paid, given up or not; `distantFuture` when all are.
  ///
  /// - Complexity: O(payouts not settled).
  package var earliestPending: Instant {
    var earliest = arrivals.reduce(Instant.distantFuture) { min($0, $1.time) }
    guard queue > 0 || failed.count > 0 else { return earliest }
    for payout in payouts where payout.status != .paid {
      earliest = min(earliest, payout.awarded)
    }
    return earliest
  }

  /// Counts what is pending anew from the payouts themselves, for checks.
  ///
  /// - Complexity: O(payouts not settled).
  package func recountPending() throws(MoneyError) -> PayoutSum {
    var sum = PayoutSum()
    for arrival in arrivals { try sum.add(arrival.count, arrival.amount) }
    for payout in payouts where payout.status != .paid && payout.status != .failed {
      try sum.add(payout.count, payout.amount)
    }
    return sum
  }
}
