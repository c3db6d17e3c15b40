internal import Documents
package import Foundation
package import Quantities
package import RewardModel

/// BlakJaks behind a service: the state machine, its calendar, and the payouts' way to the chain.
package struct BlakJaksMachine: ProgrammeMachine {
  /// What happens together, in order: most are one request.
  package struct Request: Sendable, Equatable {
    package var steps: [ProgrammeRequest]
    /// Whether many members sign up at once, and are answered together.
    package var isBulk = false
    /// When a payout was submitted that is confirmed; nil where nobody knows, as after a restart.
    var submitted: Instant?

    /// One request.
    package init(_ steps: ProgrammeRequest...) { self.steps = steps }
    init(steps: [ProgrammeRequest], isBulk: Bool = false) {
      self.steps = steps
      self.isBulk = isBulk
    }
  }

  private(set) var state: ProgrammeState
  let codes: CodeBook
  var calendar: ServiceCalendar
  /// Members whose guarantee is still to be looked at, by the instant at which it is due.
  var guarantees: [Guarantee] = []
  var firstGuarantee = 0
  var runner: PayoutRunner
  let states: StateTable
  /// What the pages show besides the state.
  private(set) var live: LiveFigures
  /// Name of the scenario that gives the rules.
  let scenario: String
  /// The answers of the last request's steps, for whoever recounts them; empty unless kept.
  private(set) var answers: [ProgrammeAnswer] = []
  /// Whether answers are kept.
  var keepsAnswers = false

  struct Guarantee: Sendable {
    var due: Instant
    var member: UInt32
  }

  private struct Saved: Encodable {
    var state: ProgrammeState
    var calendar: ServiceCalendar
    @Packed var guarantees: [Guarantee]
    var live: LiveFigures
  }

  private struct Restored: Decodable {
    var state: RestoredState
    var calendar: ServiceCalendar
    @Packed var guarantees: [Guarantee]
    var live: LiveFigures
  }

  /// See `ServedProgramme.machine`.
  init(
    _ frame: RunFrame, _ rules: ProgrammeRules, secret: UInt64, start: Instant, saved: SavedMachine?
  ) throws {
    codes = CodeBook(key: secret)
    let draws = Self.draws(secret: secret)
    states = try StateTable(rules.states, bans: rules.bans)
    runner = PayoutRunner(rules, seed: draws.seed)
    scenario = frame.scenario
    guard let saved else {
      state = try ProgrammeState(
        rules: rules, firstDate: frame.calendar.dates[0], codes: codes, draws: draws)
      state.watchSubmissions()
      calendar = try ServiceCalendar(
        zone: frame.calendar.zoneName, date: frame.calendar.dates[0], start: start)
      live = LiveFigures(firstDate: frame.calendar.dates[0])
      return
    }
    let decoder = JSONDecoder()
    decoder.userInfo[.stateSecrets] = (codes, draws)
    let parts = try decoder.decode(Restored.self, from: saved.state)
    state = parts.state.state
    state.watchSubmissions()
    state.restore(saved.bits.map(ClaimChunk.init))
    guard state.claimed == state.outcomes[Int(ScanOutcome.accepted.rawValue)] else {
      throw LostClaims()
    }
    calendar = parts.calendar
    guarantees = parts.guarantees
    live = parts.live
  }

  /// Draws and codes have a secret each: who sees one of them learns nothing of the other.
  static func draws(secret: UInt64) -> SeededDraws {
    SeededDraws(seed: secret &* 0x9E37_79B9_7F4A_7C15 ^ 0x5EED)
  }

  /// State, calendar and the guarantees that are due, as JSON with packed rows; claims are bits, and
  /// kept apart.
  package func saved() throws -> Data {
    let encoder = JSONEncoder()
    encoder.userInfo[.claimsApart] = true
    return try encoder.encode(
      Saved(
        state: state, calendar: calendar,
        guarantees: Array(guarantees[firstGuarantee...]), live: live))
  }

  /// The claims of tins.
  package mutating func takeBits(all: Bool) -> [BitChunk] {
    state.takeClaims(all: all).map { chunk in
      BitChunk(
        area: chunk.place.run, place: chunk.place.number,
        bytes: chunk.words.flatMap { word in
          withUnsafeBytes(of: word.littleEndian) { Array($0) }
        })
    }
  }

  /// Checks the laws alone; see `ProgrammeState.checkLaws`. Changes nothing.
  mutating func checkLaws(_ frame: RunFrame, at time: Instant) throws {
    try state.checkLaws(frame, at: time)
  }

  /// The laws and recounts of the rules, and that scans, claims and members' scans are the same.
  package func violations() -> [String] {
    var found: [String] = []
    for law in LiveProgramme.invariants {
      do {
        try law.check(
          state.programme, scenario: "service", seed: 0, at: calendar.midnight)
      } catch { found.append("\(error)") }
    }
    let accepted = state.outcomes[Int(ScanOutcome.accepted.rawValue)]
    if accepted != state.programme.books.scans {
      found.append("\(accepted) scans were accepted and \(state.programme.books.scans) counted")
    }
    if state.claimed != accepted {
      found.append("\(state.claimed) tins are claimed by \(accepted) accepted scans")
    }
    var lifetime: Int64 = 0
    for account in state.members.accounts { lifetime += Int64(account.standing.lifetimeScans) }
    if lifetime != accepted {
      found.append("members have \(lifetime) scans, of \(accepted) that were accepted")
    }
    return found
  }

  /// The accounts' opening balances.
  package func open(_ changes: inout RowChanges) { ServiceRows.open(state, &changes) }

  /// Takes up the payouts that the desk has open.
  package mutating func resume(at now: Instant) { runner.resume(state.programme.books, at: now) }

  /// Leaves the payouts to another process.
  package mutating func rest() { runner.rest() }

  package var minimumAge: Int { 21 }

  package var nextMember: UInt32 { UInt32(state.members.accounts.count) }

  // MARK: - Requests

  /// Commits the steps in order; the first one is answered.
  package mutating func commit(
    _ request: Request, at time: Instant, _ changes: inout RowChanges
  ) throws -> ServedReply {
    var reply: ServedReply?
    if keepsAnswers { answers.removeAll(keepingCapacity: true) }
    for step in request.steps {
      guard isPossible(step) else { throw ImpossibleRequest() }
      let before = ServiceRows.before(state)
      let earlier = LiveFigures.before(step, state)
      if step == .turnDay {
        live.closeDay(try live.row(state, isOver: true), live.values(state, at: time, nil))
      }
      let answer = try state.commit(step, at: time)
      if keepsAnswers { answers.append(answer) }
      let told = live.note(
        step, answer, earlier, state, hour: calendar.localHour(at: time),
        submitted: request.submitted, at: time)
      follow(step, answer, at: time)
      ServiceRows.put(step, answer, at: time, before, state, &changes)
      ServiceRows.put(told, &changes)
      // The first step is what was asked for; what follows it belongs to it.
      if reply == nil { reply = self.reply(to: step, answer) }
    }
    if request.isBulk {
      return ServedReply(status: 201, body: .line([("members", .integer(nextMember))]))
    }
    return reply ?? ServedReply(body: .line([]))
  }

  /// Most tins that one request prints.
  static let printedAtOnce: UInt64 = 100_000

  /// Most members whom a sign-up passes over. Services pass over none; the journal of a simulated world
  /// has its own numbers, in which who never joined has one, too.
  static let mostPassedOver: UInt32 = 1 << 20

  /// Whether a request can have come about. A journal that somebody changed may ask for more tins or
  /// members than memory holds, or for wallets that there are not.
  private func isPossible(_ step: ProgrammeRequest) -> Bool {
    switch step {
    case .signUp(let member, _):
      member <= nextMember || member - nextMember <= Self.mostPassedOver
    case .printTins(let run, let through):
      through <= state.printed(run: run)
        || through - state.printed(run: run) <= Self.printedAtOnce
    case .reconcile(let chain): chain.count == Treasury.wallets.count
    default: true
    }
  }

  /// What a request brings with it outside of the program.
  private mutating func follow(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, at time: Instant
  ) {
    switch (step, answer) {
    case (.signUp(let member, _), .done):
      let rules = state.rules.guarantee
      guard rules.enabled else { return }
      guarantees.append(Guarantee(due: rules.due(signedUp: time), member: member))
    case (.settleGuarantee(let member), _):
      guard firstGuarantee < guarantees.count, guarantees[firstGuarantee].member == member
      else { return }
      firstGuarantee += 1
      if firstGuarantee > 4_096 {
        guarantees.removeFirst(firstGuarantee)
        firstGuarantee = 0
      }
    case (.turnDay, _):
      // Who recounts the answers looks at what has ended, too.
      if !keepsAnswers { _ = state.takeClosed() }
      calendar.turn(to: state.programme.books.date)
    case (.openMorning, .transfers(let transfers)):
      calendar.hasOpened = true
      calendar.mayReconcile = true
      do throws(MoneyError) {
        try runner.chain.carryOut(transfers)
        try runner.chain.settle(through: time)
      } catch { fatalError("a chain holds no more than the ledger, which fits: \(error)") }
    case (.reconcile, _):
      calendar.mayReconcile = false
      runner.retryFunds(at: time)
    case (.payout(let payout), .payout(let reply)):
      if case .confirm(let slot) = payout { carryOut(slot) }
      runner.note(payout, reply, at: time)
    default: break
    }
  }

  /// A confirmed payout leaves its wallet on the chain.
  private mutating func carryOut(_ slot: Int) {
    let payout = state.programme.books.desk[slot]
    guard payout.source.isOnChain else { return }
    do throws(MoneyError) {
      try runner.chain.pay(
        try state.programme.books.desk.cost(slot), from: payout.source)
    } catch { fatalError("a chain holds no more than the ledger, which fits: \(error)") }
  }

  // MARK: - What is due

  package var nextDue: Instant {
    min(
      calendar.midnight, calendar.hasOpened ? .distantFuture : calendar.morning,
      calendar.mayReconcile ? calendar.morning : .distantFuture,
      firstGuarantee < guarantees.count ? guarantees[firstGuarantee].due : .distantFuture,
      runner.next, state.programme.books.desk.earliestBatch(from: calendar.origin))
  }

  /// Payouts come before what the calendar binds to the same instant's rows, guarantees last.
  package mutating func takeDue(through now: Instant) -> (request: Request, time: Instant)? {
    if calendar.mayReconcile {
      return (Request(.reconcile(chain: runner.chain.readings)), calendar.morning)
    }
    let morning = calendar.hasOpened ? Instant.distantFuture : calendar.morning
    let guarantee =
      firstGuarantee < guarantees.count ? guarantees[firstGuarantee].due : .distantFuture
    let bound = min(calendar.midnight, morning, guarantee)
    // Payouts before what the calendar binds to an instant; at one instant the calendar is first.
    let batch = state.programme.books.desk.earliestBatch(from: calendar.origin)
    if batch <= now, batch < bound, batch <= runner.next {
      return (Request(.payout(.batch(origin: calendar.origin))), batch)
    }
    let limit = min(now, batch, bound - TimeSpan(microseconds: 1))
    if runner.next <= limit, let due = runner.take(through: limit) {
      var request = Request(.payout(due.step))
      request.submitted = due.submitted
      return (request, due.time)
    }
    guard bound <= now else { return nil }
    if bound == calendar.midnight { return (Request(.turnDay), bound) }
    if bound == morning { return (Request(.openMorning), bound) }
    return (Request(.settleGuarantee(member: guarantees[firstGuarantee].member)), bound)
  }
}

/// No service has come to a request.
private struct ImpossibleRequest: Error {}

/// The bits of a state are not all there: a tin could be claimed again.
private struct LostClaims: Error {}

extension BlakJaksMachine.Guarantee: PackedRow {
  func pack(_ writer: inout PackedWriter) {
    writer.append(due.microseconds)
    writer.append(member)
  }

  init(packed reader: inout PackedReader) throws {
    due = Instant(microseconds: try reader.next())
    member = try reader.next()
  }
}

extension ClaimChunk {
  fileprivate init(_ chunk: BitChunk) {
    let words = stride(from: 0, to: chunk.bytes.count, by: 8).map { first in
      chunk.bytes[first..<min(first + 8, chunk.bytes.count)].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
    }
    self.init(place: Place(run: chunk.area, number: chunk.place), words: words)
  }
}

/// A state that is decoded with its secrets.
private struct RestoredState: Decodable {
  let state: ProgrammeState

  init(from decoder: any Decoder) throws {
    guard let secrets = decoder.userInfo[.stateSecrets] as? (CodeBook, SeededDraws) else {
      fatalError("a state is decoded without its secrets")
    }
    state = try ProgrammeState(from: decoder, codes: secrets.0, draws: secrets.1)
  }
}

extension CodingUserInfoKey {
  fileprivate static let stateSecrets: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "stateSecrets") else {
      fatalError("a key is any text")
    }
    return key
  }()
}
