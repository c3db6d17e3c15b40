internal import Quantities
internal import RewardModel

/// A journal that is committed and recounted at once: every answer is held against a second reading,
/// and the whole state at each day's end. One journal is shared by those who fill it and those who
/// tell of it.
final class CaseJournal {
  /// What was asked last, for whoever tells how it came.
  private struct Last {
    var time: Instant
    var request: ProgrammeRequest
    var answer: ProgrammeAnswer
  }

  private let recount: Recount
  private let prizes: [Prize]
  private let trace: (@Sendable (TraceLine) -> Void)?
  private var last: [Last] = []
  private var ledger: Ledger
  private var time = Instant.distantPast
  private(set) var requests: Int64 = 0

  /// - Parameters:
  ///   - state: Before the first request.
  ///   - trace: Receives each request with its answer and what moved in the ledger.
  init(
    _ state: ProgrammeState, codes: CodeBook, draws: any DrawSource, firstDate: CivilDate,
    trace: (@Sendable (TraceLine) -> Void)?
  ) {
    recount = Recount(
      rules: state.rules, firstDate: firstDate, codes: codes, draws: draws,
      watchesSubmissions: state.watchesSubmissions)
    prizes = state.rules.prizes
    ledger = state.programme.books.ledger
    self.trace = trace
  }

  /// Rare cases that happened.
  var seen: [String: Int64] { recount.seen }

  /// Takes a request with its answer, and the state after it.
  ///
  /// - Throws: `RecountFailure`.
  func take(
    _ request: ProgrammeRequest, at time: Instant, _ answer: ProgrammeAnswer,
    _ state: ProgrammeState
  ) throws {
    requests += 1
    self.time = time
    last.append(Last(time: time, request: request, answer: answer))
    if last.count > 4_096 { last.removeFirst(2_048) }
    tell(request, at: time, answer, state)
    try recount.take(request, at: time, answer: answer, state)
    if request == .turnDay { try compare(state) }
  }

  /// Tells of a request with its answer and what moved in the ledger, and recounts nothing.
  func tell(
    _ request: ProgrammeRequest, at time: Instant, _ answer: ProgrammeAnswer,
    _ state: ProgrammeState
  ) {
    guard let trace else { return }
    let after = state.programme.books.ledger
    let money = Story.money(from: ledger, to: after)
    ledger = after
    trace(
      TraceLine(
        time, people(request, state),
        Story.line(request, answer, prizes) + (money.isEmpty ? "" : " [\(money)]")))
  }

  /// Holds the whole state against the recount.
  func compare(_ state: ProgrammeState) throws { try recount.compare(state, at: time) }

  private func people(_ request: ProgrammeRequest, _ state: ProgrammeState) -> [UInt64] {
    var people = request.member.map { [Story.number($0)] } ?? []
    if case .refer(_, let affiliate) = request { people.append(Story.number(affiliate)) }
    people += state.wins.map { Story.number($0.member) }
    return people
  }

  /// A broken promise as a value.
  func violation(
    _ failure: RecountFailure, scenario: String, seed: UInt64
  ) -> Violation {
    var violation = Violation(
      invariant: failure.law.rawValue, facts: failure.facts, scenario: scenario, seed: seed,
      time: time)
    violation.members = failure.members.map { Story.number($0) }
    violation.events = events(failure.members)
    return violation
  }

  /// What happened last, to some members or at all.
  func events(_ members: [UInt32]) -> [String] {
    let theirs = last.filter { entry in
      members.isEmpty || entry.request.member.map { members.contains($0) } ?? false
    }
    var lines = theirs.suffix(8)
    if let final = last.last, lines.last?.request != final.request { lines.append(final) }
    return lines.map { "\($0.time)  \(Story.line($0.request, $0.answer, prizes))" }
  }
}
