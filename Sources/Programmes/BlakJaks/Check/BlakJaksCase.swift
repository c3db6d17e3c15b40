internal import EventKernel
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// One case of a campaign: a world, its journal under a second reading, and the same submissions to
/// the machine behind the service, with faults.
struct BlakJaksCase {
  private let input: WorldInput
  private let frame: RunFrame
  private let plan: CheckPlan
  private var outcome = CheckOutcome()

  init(_ frame: RunFrame, _ settings: BlakJaksSettings, _ plan: CheckPlan) {
    input = WorldInput(frame, settings)
    self.frame = frame
    self.plan = plan
  }

  /// Runs it.
  ///
  /// - Throws: `MoneyError` or a `RunLimit` where the settings leave what can be counted.
  mutating func run() throws -> CheckOutcome {
    var entries: [JournalEntry] = []
    do {
      outcome.part = "world"
      var world = try World(input, threads: 1, journal: { entries.append($0) })
      let until = plan.until
      if let cut = restart, cut < until {
        _ = try world.advance(until: cut, checking: true) { _ in true }
        let saved = try world.saved()
        world = try World(input, threads: 2, journal: { entries.append($0) })
        try world.restore(saved)
        outcome.count(BlakJaksFaults.Course.restart.rawValue)
        outcome.seen["restarted_worlds", default: 0] += 1
      }
      let record = try world.run(checking: true) { $0.simulated < until }
      outcome.events = record.events
      try replay(entries, &world)
      try serve(entries)
      try runUnwatched(against: record)
      outcome.part = ""
    } catch let violation as Violation {
      outcome.violation = violation
      // Later parts come after the story of the requests with faults.
      if ["world", "journal"].contains(outcome.part) { tell(entries, until: violation.time) }
    } catch let error as CommitError {
      switch error {
      case .money(let cause): throw cause
      case .limit(let cause): throw cause
      }
    }
    return outcome
  }

  /// Runs the case's members again in worlds that nobody follows; see `UnwatchedWorld`.
  private mutating func runUnwatched(against record: BlakJaksRecord) throws {
    guard plan.until == .distantFuture else { return }
    outcome.part = "unwatched"
    outcome.seen["unwatched_worlds", default: 0] += 1
    var difference = record.difference(
      from: try UnwatchedWorld.record(
        of: input, merging: true, restart: restart, &outcome.seen))
    if difference == nil {
      difference = try UnwatchedWorld.differenceOfPatience(input, restart: restart, &outcome.seen)
    }
    guard let difference else { return }
    throw Violation(
      invariant: UnwatchedWorld.name.id, facts: difference, scenario: frame.scenario,
      seed: frame.seed, time: input.calendar.end)
  }

  /// When the world is saved and goes on in another; nil where nothing is restarted.
  private var restart: Instant? {
    plan.restart(BlakJaksFaults.Course.restart.rawValue, of: frame)
  }

  // MARK: - The world's own journal

  /// Commits the world's journal, and recounts it.
  private mutating func replay(_ entries: [JournalEntry], _ world: inout World) throws {
    outcome.part = "journal"
    // One story is enough: that of the requests with faults, which come after these, where they come.
    let (first, journal) = try opening(trace: nil)
    var state = first
    var wins: [Win] = []
    for entry in entries where entry.time < plan.until {
      let answer = try state.commit(entry.request, at: entry.time)
      wins += state.wins
      do {
        try journal.take(entry.request, at: entry.time, answer, state)
      } catch let failure as RecountFailure { throw violation(failure, journal) }
      try state.checkLaws(frame, at: entry.time)
    }
    do {
      try journal.compare(state)
    } catch let failure as RecountFailure { throw violation(failure, journal) }
    outcome.requests += journal.requests
    note(journal.seen)
    count(world.withCells { $1.pipeline.chain.faults })
    count(outages: entries)
    let passedOn = world.withCells { $1.total.passedCodes }
    outcome.count("shared_codes", passedOn)
    outcome.count("bad_codes", Self.refused(state.outcomes) - passedOn)
    guard plan.until == .distantFuture else { return }
    // The world closes its last day, which no request does.
    try state.close()
    let difference = world.withCells {
      WorldAgainstJournal.difference($0, $1, state, wins: wins)
    }
    if let difference {
      var violation = Violation(
        invariant: WorldAgainstJournal.name.id, facts: difference.facts, scenario: frame.scenario,
        seed: frame.seed, time: input.calendar.end)
      violation.members = difference.members.map { Story.number($0) }
      violation.events = journal.events(difference.members)
      throw violation
    }
  }

  /// The state before the first entry of the world's journal, and whoever recounts it.
  private func opening(
    trace: (@Sendable (TraceLine) -> Void)?
  ) throws -> (ProgrammeState, CaseJournal) {
    let (codes, draws) = (CodeBook(key: input.seed), SeededDraws(seed: input.seed))
    let first = input.calendar.dates[0]
    let state = try ProgrammeState(
      rules: input.rules, firstDate: first, codes: codes, draws: draws)
    return (
      state, CaseJournal(state, codes: codes, draws: draws, firstDate: first, trace: trace)
    )
  }

  /// Tells the story of the world's own journal, up to an instant.
  func tell(_ entries: [JournalEntry], until time: Instant) {
    guard let trace = plan.trace, let (first, journal) = try? opening(trace: trace) else { return }
    var state = first
    for entry in entries where entry.time < plan.until && entry.time <= time {
      guard let answer = try? state.commit(entry.request, at: entry.time) else { return }
      journal.tell(entry.request, at: entry.time, answer, state)
    }
  }

  private func violation(_ failure: RecountFailure, _ journal: CaseJournal) -> Violation {
    journal.violation(failure, scenario: frame.scenario, seed: frame.seed)
  }

  /// Rare cases, by the kind of fault that brings them.
  private mutating func note(_ seen: [String: Int64]) {
    for (name, count) in seen { outcome.seen[name, default: 0] += count }
    for (kind, names) in BlakJaksFaults.evidence {
      outcome.count(kind, names.reduce(0) { $0 + (seen[$1] ?? 0) })
    }
  }

  /// Codes that nobody may claim, or that were claimed before.
  private static func refused(_ outcomes: [Int64]) -> Int64 {
    let kinds: [ScanOutcome] = [.invalidCode, .unknownCode, .alreadyScanned]
    return kinds.reduce(0) { $0 + outcomes[Int($1.rawValue)] }
  }

  private mutating func count(_ chain: [Int64]) {
    for (fault, times) in zip(ChainFault.allCases, chain) {
      switch fault {
      case .unbookedFee: outcome.count("fee_spike", times)
      case .failed: outcome.count("payout_outcome_unknown", times)
      case .duplicated: outcome.count("payout_executed_twice", times)
      case .late: outcome.count("confirmation_missing", times)
      }
    }
  }

  private mutating func count(outages entries: [JournalEntry]) {
    let outages = input.outages
    guard !outages.isEmpty else { return }
    let met = entries.count { entry in
      guard case .payout(let step) = entry.request else { return false }
      if case .begin = step {} else if case .reject = step {} else { return false }
      return outages.contains { $0.start <= entry.time && entry.time < $0.end }
    }
    outcome.count("outage", Int64(met))
  }

  // MARK: - The machine behind the service, with faults

  private mutating func serve(_ entries: [JournalEntry]) throws {
    outcome.part = "service"
    let end = min(input.calendar.end, plan.until)
    var course = FaultyCourse(input, entries, plan, until: end)
    outcome.submissions = course.submissions
    let secret = frame.seed
    let start = input.calendar.start
    var machine = try BlakJaksProgramme.machine(frame, input, secret: secret, start: start)
    machine.keepsAnswers = true
    let journal = CaseJournal(
      machine.state, codes: CodeBook(key: secret), draws: BlakJaksMachine.draws(secret: secret),
      firstDate: input.calendar.dates[0], trace: plan.trace)
    var now = start
    var changes = RowChanges(sequence: 0)
    var readings: [MicroUSDT]?

    let frame = frame
    func commit(_ request: BlakJaksMachine.Request, at time: Instant) throws {
      now = max(now, time)
      changes.sequence += 1
      _ = try machine.commit(request, at: now, &changes)
      changes.clear()
      try machine.recount(request, at: now, journal, frame)
    }

    func takeDue(through time: Instant) throws {
      while let due = machine.takeDue(through: time) {
        var request = due.request
        if case .reconcile(let chain)? = request.steps.first {
          try check(chain: chain, machine.state, course.counts[.lateFeed] == nil, at: due.time)
          if let earlier = readings, course.isFeedLate() {
            request = BlakJaksMachine.Request(.reconcile(chain: earlier))
          }
          readings = chain
        }
        try commit(request, at: due.time)
        guard case .payout(let step)? = request.steps.first, course.isToldAgain() else { continue }
        for again in BlakJaksFaults.echoes(of: step) {
          try commit(BlakJaksMachine.Request(.payout(again)), at: due.time)
        }
      }
    }

    while let next = course.next() {
      try takeDue(through: max(next.time, now))
      if course.restarts(next) {
        machine = try BlakJaksProgramme.machine(
          frame, input, secret: secret, start: start, saved: machine, at: now)
        machine.keepsAnswers = true
        try machine.compare(journal, frame)
      }
      for request in next.requests { try commit(BlakJaksMachine.Request(request), at: next.time) }
      if course.probes(next) { try probe(machine.state, at: now) }
    }
    try takeDue(through: end - TimeSpan(microseconds: 1))
    try machine.compare(journal, frame)
    if let broken = machine.violations().first {
      throw Violation(
        invariant: "service_state", facts: broken, scenario: frame.scenario, seed: frame.seed,
        time: now)
    }
    outcome.requests += journal.requests
    note(journal.seen)
    for (kind, times) in course.counts { outcome.count(kind.rawValue, times) }
  }

  /// A service's own chain makes no mistakes: until a late reading was booked, it is the ledger's.
  private func check(
    chain: [MicroUSDT], _ state: ProgrammeState, _ isExact: Bool, at time: Instant
  ) throws {
    let ledger = Treasury.wallets.map { state.programme.books.holding($0) }
    guard isExact, chain != ledger else { return }
    throw Violation(
      invariant: "service_state", facts: "the chain shows \(chain), the ledger says \(ledger)",
      scenario: frame.scenario, seed: frame.seed, time: time)
  }

  /// Amounts that hardly any sum holds are refused in words, or leave the books in order, on a copy.
  private func probe(_ state: ProgrammeState, at time: Instant) throws {
    for request in BlakJaksFaults.probes(state) {
      var copy = state
      do {
        let answer = try copy.commit(request, at: time)
        if case .refused = answer { continue }
        try copy.checkLaws(frame, at: time)
      } catch is CommitError {
        continue
      }
    }
  }
}

extension ProgrammeState {
  /// What costs next to nothing, after every request.
  mutating func checkLaws(_ frame: RunFrame, at time: Instant) throws {
    try Invariant.check(
      LiveProgramme.laws, of: &programme, scenario: frame.scenario, seed: frame.seed, at: time)
  }
}

extension BlakJaksMachine {
  /// Holds what it just answered against a second reading. Changes nothing: a machine that is lent need
  /// not be copied for the call.
  fileprivate mutating func recount(
    _ request: Request, at time: Instant, _ journal: CaseJournal, _ frame: RunFrame
  ) throws {
    do {
      for (step, answer) in zip(request.steps, answers) {
        try journal.take(step, at: time, answer, state)
      }
    } catch let failure as RecountFailure {
      throw journal.violation(failure, scenario: frame.scenario, seed: frame.seed)
    }
    try checkLaws(frame, at: time)
  }

  /// Holds its whole state against a second reading; changes nothing, as above.
  fileprivate mutating func compare(_ journal: CaseJournal, _ frame: RunFrame) throws {
    do {
      try journal.compare(state)
    } catch let failure as RecountFailure {
      throw journal.violation(failure, scenario: frame.scenario, seed: frame.seed)
    }
  }
}

extension BlakJaksProgramme {
  /// The machine of a case, new or saved and restored.
  fileprivate static func machine(
    _ frame: RunFrame, _ input: WorldInput, secret: UInt64, start: Instant,
    saved: BlakJaksMachine? = nil, at now: Instant = .distantPast
  ) throws -> BlakJaksMachine {
    var kept: SavedMachine?
    if var saved { kept = SavedMachine(state: try saved.saved(), bits: saved.takeBits(all: true)) }
    var machine = try BlakJaksMachine(
      frame, input.rules, secret: secret, start: start, saved: kept)
    if kept != nil { machine.resume(at: now) }
    return machine
  }
}
