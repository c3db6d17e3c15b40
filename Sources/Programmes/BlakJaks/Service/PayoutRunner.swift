internal import EventKernel
internal import HeapModule
internal import Population
internal import Quantities

/// What a service does with payouts outside of the program: workers submit transactions, a chain
/// confirms them after a while, and what fails is tried again.
///
/// It only asks for steps; the payout desk decides. What it knows is not saved: after a restart it
/// goes on with what the desk has open. The chain is a simulated one, with the waits and failures
/// that the rules name.
struct PayoutRunner: Sendable {
  private enum Kind: Int, Sendable {
    case join, begin, served, confirm, resubmit, forget
  }

  private struct Event: Comparable, Sendable {
    var time: Instant
    /// Keeps events of one instant in the order in which they were planned.
    var order: UInt64
    var kind: Kind
    var slot: Int
    /// When a worker had submitted what is confirmed.
    var submitted: Instant?

    static func < (a: Event, b: Event) -> Bool { (a.time, a.order) < (b.time, b.order) }
  }

  private let rules: PayoutRules
  private let seed: UInt64
  private var events = Heap<Event>()
  private var planned: UInt64 = 0
  private var draws: UInt64 = 0
  /// Slots that wait for a worker, in the order in which they came.
  private var line: [Int] = []
  private var busy = 0
  private var waitingForFunds: [Int] = []
  /// The step that was taken last and is not noted yet: a step that somebody tells again changes
  /// nothing here, or each payout without money would stand in line once more for every telling.
  private var asked: PayoutStep?
  /// Whether another process works with the payouts.
  private var isResting = false
  var chain: SimulatedChain

  /// - Parameter seed: Of the chain's waits and failures.
  init(_ rules: ProgrammeRules, seed: UInt64) {
    self.rules = rules.payouts
    self.seed = seed
    chain = SimulatedChain(opening: rules.treasury.opening)
  }

  /// Plans nothing and asks for nothing until `resume`. The chain goes on as requests tell of it.
  mutating func rest() {
    isResting = true
    events = Heap()
    line = []
    busy = 0
    waitingForFunds = []
    asked = nil
  }

  /// Goes on with what a desk has open.
  mutating func resume(_ books: ProgrammeBooks, at now: Instant) {
    rest()
    isResting = false
    chain = SimulatedChain(readings: Treasury.wallets.map { books.ledger.holding($0) })
    for (slot, status) in books.desk.open {
      switch status {
      case .queued, .waitingForFunds: join(slot, at: now)
      case .submitted: plan(.confirm, slot, after: rules.confirmation, of: now)
      case .paid: plan(.forget, slot, after: TimeSpan(microseconds: 0), of: now)
      case .failed: planReview(slot, at: now)
      }
    }
  }

  /// When the next step is to be taken.
  var next: Instant { events.min?.time ?? .distantFuture }

  /// A step that is due.
  struct Due {
    var step: PayoutStep
    var time: Instant
    /// When a worker had submitted what is confirmed; nil where nobody knows.
    var submitted: Instant?
  }

  /// Takes the next step that is due.
  mutating func take(through now: Instant) -> Due? {
    let due = nextStep(through: now)
    asked = due?.step
    return due
  }

  private mutating func nextStep(through now: Instant) -> Due? {
    while let event = events.min, event.time <= now {
      events.removeMin()
      switch event.kind {
      case .join: join(event.slot, at: event.time)
      case .begin: return Due(step: .begin(slot: event.slot), time: event.time)
      case .confirm:
        return Due(
          step: .confirm(slot: event.slot), time: event.time, submitted: event.submitted)
      case .resubmit: return Due(step: .resubmit(slot: event.slot), time: event.time)
      case .forget: return Due(step: .forget(slot: event.slot), time: event.time)
      case .served:
        var stream = nextStream()
        if stream.uniform() < rules.failure {
          return Due(step: .reject(slot: event.slot), time: event.time)
        }
        let wait = Self.span(stream.exponential(mean: rules.confirmation.inSeconds))
        plan(.confirm, event.slot, after: wait, of: event.time, submitted: event.time)
        freeWorker(at: event.time)
      }
    }
    return nil
  }

  /// Goes on after a step was taken.
  mutating func note(
    _ step: PayoutStep, _ reply: PayoutReply, at now: Instant
  ) {
    guard !isResting else { return }
    if case .batch = step {
    } else {
      guard step == asked else { return }
      asked = nil
    }
    switch (step, reply) {
    case (.batch, .batched(let slots)): for slot in slots { join(slot, at: now) }
    case (.begin(let slot), .began(let hasMoney)):
      guard hasMoney else {
        waitingForFunds.append(slot)
        return freeWorker(at: now)
      }
      var stream = nextStream()
      let service = Self.span(stream.exponential(mean: rules.service.inSeconds))
      plan(.served, slot, after: service, of: now)
    case (.reject(let slot), .retries(let wait)):
      // Its worker does not wait with it: the retry stands in line for one.
      if let wait { plan(.join, slot, after: wait, of: now) } else { planReview(slot, at: now) }
      freeWorker(at: now)
    case (.confirm(let slot), _): plan(.forget, slot, after: TimeSpan(microseconds: 0), of: now)
    case (.resubmit(let slot), _): join(slot, at: now)
    default: break
    }
  }

  /// Lets payouts that wait for money try again.
  mutating func retryFunds(at now: Instant) {
    let waiting = waitingForFunds
    waitingForFunds = []
    for slot in waiting { join(slot, at: now) }
  }

  private mutating func join(_ slot: Int, at now: Instant) {
    guard busy < rules.workers else { return line.append(slot) }
    busy += 1
    plan(.begin, slot, after: TimeSpan(microseconds: 0), of: now)
  }

  private mutating func freeWorker(at now: Instant) {
    busy -= 1
    guard !line.isEmpty else { return }
    join(line.removeFirst(), at: now)
  }

  private mutating func planReview(_ slot: Int, at now: Instant) {
    guard rules.review.microseconds > 0 else { return }
    plan(.resubmit, slot, after: rules.review, of: now)
  }

  private mutating func plan(
    _ kind: Kind, _ slot: Int, after wait: TimeSpan, of now: Instant, submitted: Instant? = nil
  ) {
    planned += 1
    events.insert(
      Event(time: now + wait, order: planned, kind: kind, slot: slot, submitted: submitted))
  }

  private mutating func nextStream() -> RandomStream {
    draws += 1
    return RandomStream(seed: seed, purpose: RandomPurpose.payout.rawValue, entity: draws)
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    // A century bounds what a mean of days can draw.
    TimeSpan(microseconds: Int64(min(seconds, 3.2e9) * 1e6))
  }
}
