internal import Quantities
internal import RewardModel

/// One case of a campaign: a world, its journal under a second reading, and the same submissions to
/// the state machine with faults on the way.
struct EmberaCase {
  private let frame: RunFrame
  private let settings: EmberaSettings
  private let plan: CheckPlan
  private var outcome = CheckOutcome()

  init(_ frame: RunFrame, _ settings: EmberaSettings, _ plan: CheckPlan) {
    self.frame = frame
    self.settings = settings
    self.plan = plan
  }

  /// Whether nothing is cut off.
  private var isWhole: Bool { plan.until > frame.calendar.end }

  /// Runs it.
  ///
  /// - Throws: `MoneyError` where the settings leave what can be counted.
  mutating func run() throws -> CheckOutcome {
    var world = EmberaWorld(frame, settings, threads: 1, journals: true)
    do {
      outcome.part = "world"
      let until = plan.until
      let kind = EmberaFaults.Course.restart.rawValue
      if let cut = plan.restart(kind, of: frame), cut < until {
        _ = try world.advance(until: cut, checking: true)
        let saved = try world.saved()
        world = EmberaWorld(frame, settings, threads: 2, journals: true)
        try world.restore(saved)
        outcome.count(kind)
        outcome.seen["restarted_worlds", default: 0] += 1
      }
      let record = try world.run(checking: true) { $0.simulated < until }
      outcome.events = record.events
      let entries = isWhole ? world.journal : world.journal.filter { $0.instant < until }
      count(world.withCells { $1.total })
      try replay(entries, &world)
      try serve(entries)
      outcome.part = ""
    } catch let violation as Violation {
      outcome.violation = violation
      // Later parts come after the story of the requests with faults.
      if ["world", "journal"].contains(outcome.part) {
        tell(world.withCells { $1.journal }, until: violation.time)
      }
    }
    return outcome
  }

  /// Tells the story of a world's own journal, in whatever order, up to an instant.
  func tell(_ entries: [JournalEntry], until time: Instant) {
    guard let trace = plan.trace else { return }
    var state = EmberaState(settings.rules, month: frame.calendar.dates[0].monthNumber)
    let journal = EmberaCaseJournal(settings.rules, frame.calendar, trace: trace)
    for entry in EmberaWorld.ordered(entries)
    where entry.instant < plan.until && entry.instant <= time {
      guard let answer = try? state.commit(entry.request, at: entry.instant) else { return }
      journal.tell(entry.request, at: entry.instant, answer, state)
    }
  }

  private mutating func count(_ tally: EmberaTally) {
    // That of the order which waited longest; how many others did is not counted.
    if tally.longestLag >= TimeSpan.days(1).microseconds { outcome.count("long_offline", 1) }
    outcome.count("conflicts", tally.conflicts)
    outcome.count("lost_answers", tally.resent)
    let payments = tally.online &+ tally.offline
    outcome.count(
      "payment_refused", payments.wrappedSum() - payments[PaymentOutcome.success.rawValue])
    outcome.count("wrong_clocks", tally.heldBack)
    outcome.count("bad_sign_ins", tally.refusals.wrappedSum())
  }

  /// Rare cases, by the kind of fault that brings them.
  private mutating func note(_ seen: [String: Int64]) {
    for (name, count) in seen { outcome.seen[name, default: 0] += count }
    for (kind, names) in EmberaFaults.evidence {
      outcome.count(kind, names.reduce(0) { $0 + (seen[$1] ?? 0) })
    }
  }

  private func reporting(_ journal: EmberaCaseJournal, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as EmberaRecountFailure {
      throw journal.violation(failure, scenario: frame.scenario, seed: frame.seed)
    }
  }

  // MARK: - The world's own journal

  /// Commits the world's journal, and recounts it.
  private mutating func replay(_ entries: [JournalEntry], _ world: inout EmberaWorld) throws {
    outcome.part = "journal"
    let rules = settings.rules
    var state = EmberaState(rules, month: frame.calendar.dates[0].monthNumber)
    // One story is enough: that of the requests with faults, which come after these, where they come.
    let journal = EmberaCaseJournal(rules, frame.calendar, trace: nil)
    let audit = EmberaAudit(frame)
    var refusals = [Int64](repeating: 0, count: PasskeyRefusal.allCases.count)
    for entry in entries {
      try reporting(journal) { try journal.pass(to: entry.instant, state) }
      let answer = try state.commit(entry.request, at: entry.instant)
      if case .refused(.passkey(let refusal)) = answer { refusals[refusal.rawValue] += 1 }
      try reporting(journal) {
        try journal.take(entry.request, at: entry.instant, answer, state)
      }
      try audit.checkLaws(state, at: entry.instant)
    }
    try reporting(journal) { try journal.compare(state) }
    outcome.requests += journal.requests
    note(journal.seen)
    guard isWhole else { return }
    let difference = world.withCells {
      WorldAgainstState.difference($0, $1, state, refusals: refusals)
    }
    guard let difference else { return }
    throw journal.violation(
      WorldAgainstState.name.id, difference.facts, difference.members, scenario: frame.scenario,
      seed: frame.seed)
  }

  // MARK: - The same submissions, with faults

  private mutating func serve(_ entries: [JournalEntry]) throws {
    outcome.part = "service"
    let course = EmberaCourse(frame, entries, plan)
    outcome.submissions = course.submissions
    var trial = EmberaTrial(frame, settings.rules, course, trace: plan.trace)
    try reporting(trial.journal) { try trial.run(until: plan.until) }
    outcome.requests += trial.journal.requests
    note(trial.journal.seen)
    if trial.overflows > 0 { outcome.seen["overflow", default: 0] += trial.overflows }
    for (kind, times) in trial.counts { outcome.count(kind.rawValue, times) }
  }
}
