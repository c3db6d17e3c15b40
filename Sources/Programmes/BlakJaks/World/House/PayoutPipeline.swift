package import EventKernel
internal import Population
package import Quantities
internal import RewardModel

/// The payout pipeline as a queue: awards are batched into transactions, workers submit them, the
/// network confirms them after a while, and what fails is tried again.
///
/// It is event-driven beside the cells' windows: `advance` runs it up to an instant. All that
/// becomes of money is decided by the books' payout desk; here are only time and chance.
package final class PayoutPipeline {
  enum Event: Sendable, Codable {
    /// A worker has submitted a transaction, or failed to.
    case served(Int)
    /// The network confirms one that was submitted at an instant.
    case confirmed(Int, submitted: Instant)
    /// A transaction is tried again.
    case retry(Int)
    /// A worker who never heard of its success tries again.
    case lostRetry(Int)
    /// A person submits a failed transaction anew.
    case review(Int)
  }

  /// What the pipeline did since the last call of `closeDay`.
  package struct Day: Sendable, Codable {
    /// Awards confirmed.
    package var confirmed = PayoutSum()
    /// How long it took from each award to its confirmation.
    package var fromAward = WaitTimes()
    /// How long it took from the submission of each award's transaction to its confirmation.
    package var fromSubmission = WaitTimes()
  }

  /// In one place, so that a call looks once at whether another is under way.
  private var machine: Machine

  /// - Parameters:
  ///   - start: The run's first instant, from which batches are counted.
  ///   - outages: As intervals of the run, in any order.
  package init(
    rules: ProgrammeRules, faults: FaultSettings, outages: [OutageInterval], seed: UInt64,
    start: Instant
  ) {
    machine = Machine(
      start: start,
      Handler(
        rules: rules, faults: faults, outages: outages, seed: seed, start: start))
  }

  /// Events handled so far.
  package var events: Int64 { Int64(machine.executive.handled) }

  /// Waiting times and the line's length at the workers, for validation.
  package var workers: QueueResource<Int> { machine.handler.workers }

  /// What happened since the day was last closed.
  package var day: Day { machine.handler.day }

  /// Begins a new day of statistics.
  package func closeDay() { machine.handler.day = Day() }

  /// The wallets as the simulated chain sees them.
  package var chain: SimulatedChain {
    get { machine.handler.chain }
    set { machine.handler.chain = newValue }
  }

  /// The steps of payouts since the last call, for a journal; none are kept unless `isRecording`.
  package func takeSteps() -> [(time: Instant, step: PayoutStep)] {
    defer { machine.handler.steps = [] }
    return machine.handler.steps
  }

  /// Whether steps are kept for a journal.
  package var isRecording: Bool {
    get { machine.handler.isRecording }
    set { machine.handler.isRecording = newValue }
  }

  /// Whether the chain may come to differ from the ledger.
  var hasChainFaults: Bool {
    let chain = machine.handler.faults.chain
    return chain.unbookedFee + chain.failed + chain.duplicated + chain.late > 0
  }

  /// What changes from window to window, besides the desk, which is the books'.
  struct Saved: Codable {
    var now: Instant
    var handled: UInt64
    var scheduled: [ScheduledEvent<Event>]
    var workers: QueueResource<Int>
    var waitingForFunds: [Int]
    var day: Day
    var echoes: [Int: Int]
    var draws: UInt64
    var faultDraws: UInt64
    var chain: SimulatedChain
  }

  /// What to save after a window.
  var saved: Saved { machine.saved }

  /// Goes on where a pipeline of the same rules was saved.
  ///
  /// - Throws: `ScheduleError` where an event lies before the saved instant.
  func restore(_ saved: Saved) throws { try machine.restore(saved) }

  /// Runs everything that happens before an instant.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func advance(to end: Instant, _ books: inout ProgrammeBooks) throws(MoneyError) {
    try machine.advance(to: end, &books)
  }

  /// Lets payouts that wait for funds try again, in the order in which they came to wait.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func retryFunds(_ books: inout ProgrammeBooks) throws(MoneyError) {
    try machine.retryFunds(&books)
  }
}

/// A time in which payouts cannot be submitted.
package struct OutageInterval: Sendable {
  package var start: Instant
  package var end: Instant
  package var kind: OutageKind

  /// An outage from `start` until before `end`.
  package init(start: Instant, end: Instant, kind: OutageKind) {
    self.start = start
    self.end = end
    self.kind = kind
  }

  /// Intervals of one kind without overlaps, sorted: those that touch or overlap become one.
  static func joined(_ outages: [OutageInterval], _ kind: OutageKind) -> [OutageInterval] {
    var joined: [OutageInterval] = []
    for outage in outages.filter({ $0.kind == kind }).sorted(by: { $0.start < $1.start }) {
      if let last = joined.last, outage.start <= last.end {
        joined[joined.count - 1].end = max(last.end, outage.end)
      } else {
        joined.append(outage)
      }
    }
    return joined
  }

  /// Whether an instant is in it.
  func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }
}

extension PayoutPipeline {
  /// The model behind the executive.
  struct Handler: EventHandler {
    typealias Failure = MoneyError

    let rules: PayoutRules
    let faults: FaultSettings
    /// When workers stand still, and when each attempt fails; each sorted and without overlaps.
    let halts: [OutageInterval]
    let rejections: [OutageInterval]
    let seed: UInt64
    let start: Instant
    var workers: QueueResource<Int>
    var waitingForFunds: [Int] = []
    var day = Day()
    /// Events still to come of each slot beside its own course; it is not reused before.
    var echoes: [Int: Int] = [:]
    /// Attempts so far, the counter of the random streams.
    var draws: UInt64 = 0
    /// Payouts of which chance decided what goes wrong on the chain: counted apart, so that whether it does
    /// leaves what happens to later attempts as it is.
    var faultDraws: UInt64 = 0
    /// What chance decides of the next of them.
    var chances: AttemptChances
    // The books' own, lent while the pipeline runs.
    var desk: PayoutDesk
    var ledger = Ledger()
    var chain: SimulatedChain
    var steps: [(time: Instant, step: PayoutStep)] = []
    var isRecording = false

    init(
      rules: ProgrammeRules, faults: FaultSettings, outages: [OutageInterval], seed: UInt64,
      start: Instant
    ) {
      self.rules = rules.payouts
      chain = SimulatedChain(opening: rules.treasury.opening)
      self.faults = faults
      halts = OutageInterval.joined(outages, .halt)
      rejections = OutageInterval.joined(outages, .reject)
      self.seed = seed
      self.start = start
      chances = AttemptChances(seed: seed, losesAnswers: faults.payouts.lostResponse > 0)
      workers = QueueResource(servers: rules.payouts.workers, start: start)
      desk = PayoutDesk(rules: rules.payouts, prizes: [])
    }

    /// Takes the books' own for a while, or gives them back.
    mutating func exchange(_ desk: inout PayoutDesk, _ ledger: inout Ledger) {
      swap(&self.desk, &desk)
      swap(&self.ledger, &ledger)
    }

    /// Takes a step of a payout, and keeps it where a journal is written.
    @discardableResult
    mutating func take(
      _ step: PayoutStep, at now: Instant
    ) throws(MoneyError) -> PayoutReply {
      if isRecording { steps.append((now, step)) }
      return try desk.take(step, at: now, &ledger)
    }

    /// Batches promises that are due: the step `.batch`, whose slots are put in a list that serves all.
    ///
    /// - Parameter slots: Receives the new transactions' slots, in order, in place of what it held.
    mutating func batch(at now: Instant, into slots: inout [Int]) throws(MoneyError) {
      if isRecording { steps.append((now, .batch(origin: start))) }
      while slots.popLast() != nil {}
      try desk.batch(at: now, from: start) { slots.append($0) }
    }

    mutating func handle(
      _ event: Event, _ executive: inout Executive<Event>
    ) throws(MoneyError) {
      switch event {
      case .served(let slot):
        try conclude(slot, &executive)
        try startNext(&executive)
      case .confirmed(let slot, let submitted):
        try confirm(slot, submitted: submitted, at: executive.now)
      case .retry(let slot): try join(slot, &executive)
      case .lostRetry(let slot):
        try take(.repeated(slot: slot), at: executive.now)
        let left = (echoes[slot] ?? 1) - 1
        echoes[slot] = left > 0 ? left : nil
        if left == 0, desk[slot].status == .paid {
          try take(.forget(slot: slot), at: executive.now)
        }
      case .review(let slot):
        try take(.resubmit(slot: slot), at: executive.now)
        try join(slot, &executive)
      }
    }

    /// A transaction joins the line for a worker.
    mutating func join(_ slot: Int, _ executive: inout Executive<Event>) throws(MoneyError) {
      guard workers.arrive(slot, at: executive.now) == .startsNow else { return }
      if try !begin(slot, &executive) { try startNext(&executive) }
    }

    /// A worker is free: takes the next transaction whose money is there.
    private mutating func startNext(
      _ executive: inout Executive<Event>
    ) throws(MoneyError) {
      while let next = workers.finish(at: executive.now) {
        if try begin(next.customer, &executive) { return }
      }
    }

    /// - Returns: False when the money is lacking; the worker is then to be freed.
    private mutating func begin(
      _ slot: Int, _ executive: inout Executive<Event>
    ) throws(MoneyError) -> Bool {
      guard case .began(true) = try take(.begin(slot: slot), at: executive.now) else {
        waitingForFunds.append(slot)
        return false
      }
      draws += 1
      var service = Self.span(chances.service(of: draws) * rules.service.inSeconds)
      let now = executive.now
      if let halt = halts.first(where: { $0.contains(now) }) {
        service = service + (halt.end - now)
      }
      executive.schedule(.served(slot), after: service)
      return true
    }

    private mutating func conclude(
      _ slot: Int, _ executive: inout Executive<Event>
    ) throws(MoneyError) {
      draws += 1
      let now = executive.now
      let rejected = rejections.contains { $0.contains(now) }
      let chance = chances.conclusion(of: draws)
      let failed = chance.failure < rules.failure
      let confirmation = Self.span(chance.confirmation * rules.confirmation.inSeconds)
      let lost = chance.loss < faults.payouts.lostResponse
      guard !rejected && !failed else {
        let reply = try take(.reject(slot: slot), at: executive.now)
        if case .retries(let wait?) = reply {
          executive.schedule(.retry(slot), after: wait)
        } else if rules.review.microseconds > 0 {
          executive.schedule(.review(slot), after: rules.review)
        }
        return
      }
      executive.schedule(.confirmed(slot, submitted: executive.now), after: confirmation)
      if lost {
        echoes[slot, default: 0] += 1
        executive.schedule(
          .lostRetry(slot), after: rules.wait(beforeRetry: desk.attempts(slot)))
      }
    }

    private mutating func confirm(
      _ slot: Int, submitted: Instant, at now: Instant
    ) throws(MoneyError) {
      let cost = try desk.cost(slot)
      try take(.confirm(slot: slot), at: now)
      let (source, count, amount) = desk.size(slot)
      if source.isOnChain {
        let fault = drawFault()
        try chain.pay(
          cost, from: source, fault: fault, extraFee: faults.chain.extraFee,
          lateUntil: now + faults.chain.lateBy)
      }
      day.fromAward.add(desk.minutes(slot), until: now)
      day.fromSubmission.add(count, total: (now - submitted).microseconds * count)
      day.confirmed.count += count
      day.confirmed.amount = try day.confirmed.amount.adding(amount)
      if echoes[slot] == nil { try take(.forget(slot: slot), at: now) }
    }

    private mutating func drawFault() -> ChainFault? {
      let chain = faults.chain
      guard chain.unbookedFee + chain.failed + chain.duplicated + chain.late > 0 else {
        return nil
      }
      faultDraws += 1
      var stream = RandomStream(
        seed: seed, purpose: RandomPurpose.chainFault.rawValue, entity: faultDraws)
      var left = stream.uniform()
      for (probability, fault) in [
        (chain.unbookedFee, ChainFault.unbookedFee), (chain.failed, .failed),
        (chain.duplicated, .duplicated), (chain.late, .late),
      ] {
        if left < probability { return fault }
        left -= probability
      }
      return nil
    }

    private static func span(_ seconds: Double) -> TimeSpan {
      // A century bounds what a mean of days can draw.
      TimeSpan(microseconds: Int64(min(seconds, 3.2e9) * 1e6))
    }
  }
}
