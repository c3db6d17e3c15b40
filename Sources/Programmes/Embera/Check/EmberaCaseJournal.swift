internal import Quantities
internal import RewardModel

/// A journal that is committed and recounted at once: every answer is held against a second reading,
/// and the whole state at each day's end. One journal is shared by those who fill it and those who
/// tell of it.
final class EmberaCaseJournal {
  /// What was asked last, for whoever tells how it came.
  private struct Last {
    var time: Instant
    var request: EmberaRequest
    var answer: EmberaAnswer
  }

  let recount: EmberaRecount
  private let dayStarts: [Instant]
  private let trace: (@Sendable (TraceLine) -> Void)?
  private var last: [Last] = []
  private var ledger = EmberaLedger()
  private var time: Instant
  private var day = 0
  private(set) var requests: Int64 = 0

  /// - Parameters:
  ///   - calendar: At its days' ends the whole state is compared.
  ///   - trace: Receives each request with its answer and what moved in the ledger.
  init(
    _ rules: EmberaRules, _ calendar: ProgrammeCalendar, trace: (@Sendable (TraceLine) -> Void)?
  ) {
    recount = EmberaRecount(rules, month: calendar.dates[0].monthNumber)
    dayStarts = calendar.dayStarts
    time = calendar.start
    self.trace = trace
  }

  /// Rare cases that happened.
  var seen: [String: Int64] { recount.seen }

  /// Comes to an instant: holds the whole state against the recount where a day has ended.
  ///
  /// - Parameter state: Before what happens at the instant.
  /// - Throws: `EmberaRecountFailure`.
  func pass(to instant: Instant, _ state: EmberaState) throws {
    let before = day
    while day + 1 < dayStarts.count, dayStarts[day + 1] <= instant { day += 1 }
    if day > before { try recount.compare(state) }
    time = max(time, instant)
  }

  /// Takes a request with its answer, and the state after it.
  ///
  /// - Throws: `EmberaRecountFailure`.
  func take(
    _ request: EmberaRequest, at time: Instant, _ answer: EmberaAnswer, _ state: EmberaState
  ) throws {
    requests += 1
    last.append(Last(time: time, request: request, answer: answer))
    if last.count > 4_096 { last.removeFirst(2_048) }
    tell(request, at: time, answer, state)
    try recount.take(request, at: time, answer: answer, state)
  }

  /// Tells of a request with its answer and what moved in the ledger, and recounts nothing.
  func tell(
    _ request: EmberaRequest, at time: Instant, _ answer: EmberaAnswer, _ state: EmberaState
  ) {
    guard let trace else { return }
    let after = state.books.ledger
    let money = EmberaStory.money(from: ledger, to: after)
    ledger = after
    trace(
      TraceLine(
        time, people(request, answer),
        EmberaStory.line(request, answer) + (money.isEmpty ? "" : " [\(money)]")))
  }

  /// Tells of something that is no request.
  func tell(_ member: UInt32, at time: Instant, _ text: @autoclosure () -> String) {
    trace?(TraceLine(time, [EmberaStory.number(member)], text()))
  }

  /// Holds the whole state against the recount.
  func compare(_ state: EmberaState) throws { try recount.compare(state) }

  private func people(_ request: EmberaRequest, _ answer: EmberaAnswer) -> [UInt64] {
    if case .signedUp(let member) = answer { return [EmberaStory.number(member)] }
    return request.member.map { [EmberaStory.number($0)] } ?? []
  }

  /// A broken promise as a value.
  func violation(
    _ failure: EmberaRecountFailure, scenario: String, seed: UInt64
  ) -> Violation {
    violation(
      failure.law.rawValue, failure.facts, failure.members, scenario: scenario, seed: seed)
  }

  /// A broken promise as a value.
  func violation(
    _ law: String, _ facts: String, _ members: [UInt32], scenario: String, seed: UInt64
  ) -> Violation {
    var violation = Violation(
      invariant: law, facts: facts, scenario: scenario, seed: seed, time: time)
    violation.members = members.map { EmberaStory.number($0) }
    violation.events = events(members)
    return violation
  }

  /// What happened last, to some members or at all.
  private func events(_ members: [UInt32]) -> [String] {
    let theirs = last.filter { entry in
      members.isEmpty || entry.request.member.map { members.contains($0) } ?? false
    }
    var lines = theirs.suffix(8)
    if let final = last.last, lines.last?.request != final.request { lines.append(final) }
    return lines.map { "\($0.time)  \(EmberaStory.line($0.request, $0.answer))" }
  }
}
