internal import CKernel
package import Quantities
package import RewardModel

/// The real rulebook over what really happened, row by row.
///
/// Rows become requests to the programme's state machine. Nothing is random here but prize draws,
/// the payout pipeline and the line of scans at their workers. Rows are processed in the order
/// (instant, row number); what the rules bind to an instant runs before the rows of that instant.
///
/// What rows of one instant sell is posted together, and what they scan is concluded together, as a
/// simulation does with a window.
///
/// The record leaves the days of a warm-up out, and what they brought stays in the program.
package struct HistoryReplay {
  private let input: WorldInput
  private let history: History
  /// The programme at work.
  package var state: ProgrammeState
  private var chronicle = Chronicle()
  /// Members in the order of sign-up, with the instant at which the guarantee is looked at.
  private var guarantees: [(due: Instant, member: UInt32)] = []
  private var nextGuarantee = 0
  /// The programme's morning of each day.
  private let mornings: [Instant]
  /// Row of the day whose morning was the last.
  private var lastMorning = -1
  /// What the calendar brings next: midnight, morning or a guarantee. Nothing before it is to be done.
  private var next = Instant.distantPast
  /// Up to where the pipeline has run.
  private var piped = Instant.distantPast
  private let pipeline: PayoutPipeline
  private var velocity: ScanVelocity
  /// What the rows of one instant brought and the programme or the figures do not know yet.
  private var accepted: Int64 = 0
  private var unsold: (tins: Int64, sales: Int64) = (0, 0)
  /// The instant of these rows, and the line of the last.
  private var latest: (time: Instant, line: UInt32) = (.distantPast, 0)
  private var events: Int64 = 0
  private var audit: Audit
  /// Submitted codes by outcome at the end of the warm-up; nil before it.
  private var warmUpOutcomes: [Int64]?

  /// - Parameters:
  ///   - input: Its calendar covers the history, from `History.calendar`.
  ///   - history: At least one row.
  /// - Throws: `MoneyError.overflow` when a reward of the rules leaves 64 bits.
  package init(_ input: WorldInput, history: History) throws(MoneyError) {
    self.input = input
    mornings = ProgrammeRules.mornings(input.calendar)
    self.history = history
    state = try ProgrammeState(
      rules: input.rules, firstDate: input.calendar.dates[0], codes: CodeBook(key: input.seed),
      draws: SeededDraws(seed: input.seed))
    state.reserve(members: history.members.count)
    velocity = ScanVelocity(input.rules.scanning, seed: input.seed)
    chronicle.dashboard.table.reserve(days: input.calendar.dayCount)
    audit = Audit(input)
    pipeline = PayoutPipeline(
      rules: input.rules, faults: input.faults, outages: input.outages, seed: input.seed,
      start: input.calendar.start)
  }

  /// Replays to the end, or until somebody asks to stop.
  ///
  /// - Parameter proceed: Asked now and then; false ends the replay there, marked interrupted.
  /// - Throws: `ReplayError` with the row at which the programme could not go on; a `Violation`
  ///   with the row before which a law was found broken, after each day and at the end.
  package mutating func run(
    proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> BlakJaksRecord {
    let calendar = input.calendar
    var end = calendar.end
    var asked = 0
    for (place, row) in history.rows.enumerated() {
      if place + Self.rowsAhead < history.rows.count {
        expect(history.rows[place + Self.rowsAhead].member)
      }
      if row.instant != latest.time { try concludeRows() }
      latest = (row.instant, row.line)
      try telling(row.line) { replay in
        try replay.advance(to: row.instant)
        try replay.runPipeline(to: row.instant)
        try replay.process(row)
      }
      asked += row.tins
      guard asked >= 1_024 else { continue }
      asked = 0
      let progress = RunProgress(
        simulated: row.instant,
        done: Double(place + 1) / Double(history.rows.count), events: events,
        pace: ReportPace("scans", state.programme.books.scans))
      if !proceed(progress) && place + 1 < history.rows.count {
        end = row.instant + TimeSpan(microseconds: 1)
        break
      }
    }
    try concludeRows()
    return try telling(history.rows[history.rows.count - 1].line) { replay in
      // The calendar may go on after the last row.
      try replay.advance(to: end - TimeSpan(microseconds: 1))
      return try replay.close(at: end)
    }
  }

  private static let rowsAhead = 16

  /// Asks for the memory of a member whose row comes soon.
  private func expect(_ member: UInt32) {
    let member = Int(member)
    guard member < state.members.accounts.count else { return }
    state.members.accounts.withUnsafeBufferPointer { accounts in
      if let first = accounts.baseAddress { ck_prefetch(first + member) }
    }
    state.members.purses.withUnsafeBufferPointer { purses in
      if let first = purses.baseAddress { ck_prefetch(first + member) }
    }
  }

  /// Names the row at which something could not go on, or before which a law was found broken.
  private mutating func telling<Answer>(
    _ line: UInt32, _ body: (inout HistoryReplay) throws -> Answer
  ) throws -> Answer {
    do {
      return try body(&self)
    } catch let error as CommitError {
      throw ReplayError(line: line, cause: error)
    } catch let error as MoneyError {
      throw ReplayError(line: line, cause: .money(error))
    } catch var violation as Violation {
      violation.line = line
      throw violation
    }
  }

  /// Checks what every run checks, a day of a replay at a time.
  private mutating func checkLaws(at time: Instant) throws {
    try audit.checkLaws(of: &state.programme, at: time)
  }

  // MARK: - What the calendar brings

  /// Commits everything that is bound to instants up to and including `instant`.
  private mutating func advance(to instant: Instant) throws {
    guard next <= instant else { return }
    let calendar = input.calendar
    while true {
      let today = state.programme.books.today
      let midnight = calendar.dayStarts[today + 1]
      let five = mornings[today]
      let morning = lastMorning != today ? five : .distantFuture
      let guarantee =
        nextGuarantee < guarantees.count ? guarantees[nextGuarantee].due : .distantFuture
      next = min(midnight, morning, guarantee)
      guard next <= instant, next != .distantFuture else { return }
      events += 1
      try runPipeline(to: next)
      if next == midnight {
        closeDay(isLast: false)
        if today + 1 == input.warmUpDays { warmUpOutcomes = state.outcomes }
        for reached in state.programme.floorsReached {
          let owner = history.members[Int(state.members.owner(of: reached.affiliate))]
          chronicle.dashboard.feed.tell(
            midnight, .affiliate, ActivityFeed.text(owner, forLife: reached.floor))
        }
        try commit(.turnDay, at: midnight)
        try checkLaws(at: midnight)
      } else if next == morning {
        lastMorning = today
        try openMorning(at: five)
      } else {
        try commit(.settleGuarantee(member: guarantees[nextGuarantee].member), at: next)
        nextGuarantee += 1
      }
    }
  }

  private mutating func openMorning(at five: Instant) throws(CommitError) {
    let wasActive = state.programme.sunset.isActive
    let answer = try commit(.openMorning, at: five)
    do throws(MoneyError) {
      if case .transfers(let transfers) = answer { try pipeline.chain.carryOut(transfers) }
      try pipeline.chain.settle(through: five)
    } catch { throw .money(error) }
    try commit(.reconcile(chain: pipeline.chain.readings), at: five)
    if state.programme.sunset.isActive && !wasActive {
      chronicle.dashboard.feed.tellSunset(five)
    }
    let pipeline = pipeline
    try onBooks { (books) throws(MoneyError) in try pipeline.retryFunds(&books) }
  }

  private mutating func runPipeline(to instant: Instant) throws(CommitError) {
    // What is promised at an instant is not due before it.
    guard instant > piped else { return }
    piped = instant
    let pipeline = pipeline
    try onBooks { (books) throws(MoneyError) in try pipeline.advance(to: instant, &books) }
  }

  private mutating func onBooks(
    _ body: (inout ProgrammeBooks) throws(MoneyError) -> Void
  ) throws(CommitError) {
    do throws(MoneyError) { try state.withBooks(body) } catch { throw .money(error) }
  }

  private mutating func closeDay(isLast: Bool) {
    chronicle.dashboard.enter(state.programme, pipeline)
    if input.rules.chips.enabled {
      chronicle.dashboard.enter(state.chips, input.rules.chips)
    }
    enterDay()
    chronicle.closeDay(
      state.programme.books.date, tiers: state.members.census.members, isLast: isLast)
    pipeline.closeDay()
  }

  /// Enters what a world's house enters about scans and the sunset.
  private mutating func enterDay() {
    velocity.closeDay(
      before: input.calendar.dayStarts[state.programme.books.today + 1],
      submitted: chronicle.today.submitted, hours: chronicle.dashboard.hours,
      into: &chronicle.dashboard.table)
    chronicle.dashboard.table.enter(state.programme.sunset)
  }

  // MARK: - Rows

  @discardableResult
  private mutating func commit(
    _ request: ProgrammeRequest, at instant: Instant
  ) throws(CommitError) -> ProgrammeAnswer {
    let answer = try state.commit(request, at: instant)
    if !state.wins.isEmpty { try tellWins() }
    return answer
  }

  /// Enters what the last request won.
  private mutating func tellWins() throws(CommitError) {
    for win in state.wins {
      chronicle.enter(
        win.award, prize: input.rules.prizes[win.award.prize], time: win.time,
        member: history.members[Int(win.member)])
    }
    let history = history
    do throws(MoneyError) {
      try chronicle.dashboard.feed.tell(state.wins, state.programme) { history.members[Int($0)] }
    } catch { throw .money(error) }
  }

  private mutating func process(_ row: HistoryRow) throws(CommitError) {
    events += 1
    try signUp(row.member, at: row.instant)
    switch row.event {
    case .signup: break
    case .purchase:
      chronicle.today.purchases += 1
      unsold = (unsold.tins + Int64(row.tins), unsold.sales + 1)
    case .scan: try scan(row)
    case .refer:
      try signUp(row.other, at: row.instant)
      try commit(.refer(member: row.member, affiliate: row.other), at: row.instant)
    }
  }

  /// The tins of a row of scans, one after another: those that leave a member in one tier together.
  private mutating func scan(_ row: HistoryRow) throws(CommitError) {
    chronicle.today.submitted += Int64(row.tins)
    var left = Int64(row.tins)
    while left > 0 {
      let before = state.members.accounts[Int(row.member)].standing.tier
      guard let scans = try state.scanTins(row.member, left, at: row.instant) else { return }
      left -= scans.count
      if scans.outcome == .accepted { accepted += scans.count }
      if !state.wins.isEmpty { try tellWins() }
      let after = state.members.accounts[Int(row.member)].standing.tier
      guard after > before else { continue }
      chronicle.dashboard.feed.tell(row.instant, history.members[Int(row.member)], after)
    }
  }

  /// Concludes what the rows of one instant brought; an error names the last of them.
  private mutating func concludeRows() throws {
    guard unsold.sales > 0 || accepted > 0 else { return }
    try telling(latest.line) { replay in
      if replay.unsold.sales > 0 {
        try replay.state.sell(tins: replay.unsold.tins, sales: replay.unsold.sales)
        replay.unsold = (0, 0)
      }
      guard replay.accepted > 0 else { return }
      replay.velocity.enter(
        replay.accepted, at: replay.latest.time, replay.input.calendar,
        hours: &replay.chronicle.dashboard.hours)
      replay.accepted = 0
      try replay.state.concludeScans()
      if !replay.state.wins.isEmpty { try replay.tellWins() }
    }
  }

  private mutating func signUp(_ member: UInt32, at instant: Instant) throws(CommitError) {
    guard !state.members.knows(member) else { return }
    try commit(.signUp(member: member, state: nil), at: instant)
    chronicle.today.signUps += 1
    chronicle.dashboard.feed.tell(instant, history.members[Int(member)], nil)
    let guarantee = input.rules.guarantee
    if guarantee.enabled {
      let due = guarantee.due(signedUp: instant)
      guarantees.append((due: due, member: member))
      next = min(next, due)
    }
  }

  // MARK: - The end

  private mutating func close(at end: Instant) throws -> BlakJaksRecord {
    try runPipeline(to: end)
    closeDay(isLast: true)
    try state.close()
    try checkLaws(at: end)
    var record = try chronicle.record(
      books: state.programme.books, board: state.programme.board, calendar: input.calendar,
      seed: input.seed)
    record.scenario = input.scenario
    record.scenarioDescription = input.scenarioDescription
    record.source = .history
    record.seed = input.seed
    record.settings = input.settings
    record.end = end
    record.interrupted = end < input.calendar.end
    record.events = events + pipeline.events
    record.outcomes = ScanOutcome.allCases.map {
      BlakJaksRecord.NamedCount(name: $0.key, count: state.outcomes[Int($0.rawValue)])
    }
    var isActive = Set<UInt32>()
    for account in state.members.accounts where account.hasSignedUp {
      record.affiliates.floors[account.standing.floor] += 1
      guard account.isReferred else { continue }
      record.affiliates.referred += 1
      isActive.insert(account.affiliate)
    }
    record.affiliates.active = Int64(isActive.count)
    guard input.warmUpDays > 0 else { return record }
    return try record.after(
      warmUpDays: input.warmUpDays, until: input.calendar.dayStarts[input.warmUpDays],
      outcomes: warmUpOutcomes ?? state.outcomes)
  }
}

/// The programme could not go on while a history was replayed.
package struct ReplayError: ReplayFailure, Sendable {
  /// Line of the history file.
  package var line: UInt32
  package var cause: CommitError
  package var reason: String { "\(cause)" }
}
