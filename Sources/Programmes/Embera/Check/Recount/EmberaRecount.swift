package import Quantities
internal import RewardModel

/// A second reading of a journal, the slow and obvious way: members are lists of what happened to
/// them, money is summed from what was asked, and each answer is worked out before it is looked at.
///
/// It shares nothing with the rules but their numbers. `take` throws the first promise that is
/// broken.
package final class EmberaRecount {
  let rules: EmberaRules
  let firstMonth: Int
  var members: [PlainAccount] = []
  /// Months that have closed.
  var closes: [MonthClose] = []
  /// How many of the first closes were of whole months: one row a close, after that of none.
  var wholeMonths = [0]
  /// Months that had closed before each entry that came again.
  var repeats: [Int] = []
  /// Share of points expected to be redeemed, in basis points.
  var share: Int
  /// Micro-USD of points' sales recognized at the last month's end.
  var recognised = 0
  /// Instant of the last request that left a trace.
  private(set) var last = Instant.distantPast
  /// Rare cases that happened.
  package private(set) var seen: [String: Int64] = [:]

  /// Before the first request.
  ///
  /// - Parameter month: The first month: 12 × year + month − 1.
  package init(_ rules: EmberaRules, month: Int32) {
    self.rules = rules
    firstMonth = Int(month)
    share = Int(rules.liability.priorShare.rawValue)
  }

  /// Number of the current month.
  var month: Int { firstMonth + closes.count }

  /// Says which promise is broken where something does not hold.
  func expect(
    _ law: EmberaLaw, _ holds: Bool, _ members: [UInt32] = [], _ facts: @autoclosure () -> String
  ) throws(EmberaRecountFailure) {
    if !holds { throw EmberaRecountFailure(law: law, facts: facts(), members: members) }
  }

  func note(_ what: String) { seen[what, default: 0] += 1 }

  /// Takes an entry of the journal with the answer that was given, and the state after it.
  ///
  /// - Throws: `EmberaRecountFailure` with the first promise that is broken.
  package func take(
    _ request: EmberaRequest, at time: Instant, answer: EmberaAnswer, _ state: EmberaState
  ) throws(EmberaRecountFailure) {
    let expected = time < last ? .refused(.clock) : work(out: request, at: time)
    if answer != expected { throw broken(request, answer, expected) }
    if leavesTrace(expected) { last = time }
    try expect(
      .noTrace, state.snapshot.last == last, request.member.map { [$0] } ?? [],
      "the last request that counts was at \(last), and the state says \(state.snapshot.last)")
  }

  /// Whether an answer changes anything.
  func leavesTrace(_ answer: EmberaAnswer) -> Bool {
    switch answer {
    case .refused(.unknownMember), .refused(.unknownState), .refused(.clock), .refused(.order),
      .refused(.entry(.gap)):
      false
    default: true
    }
  }

  private func work(out request: EmberaRequest, at time: Instant) -> EmberaAnswer {
    switch request {
    case .signUp(let state): signUp(Int(state))
    case .order(let member, let channel, let number, let contents):
      order(member, channel, number, contents)
    case .redeem(let member, let channel, let number, let offer):
      redeem(member, channel, number, offer)
    case .closeMonth(let isComplete): .closed(closeMonth(isComplete: isComplete))
    case .challenge(let member, let channel): challenge(member, channel, at: time)
    case .signIn(let member, let channel, let counter):
      signIn(member, channel, counter, at: time)
    }
  }

  private func signUp(_ state: Int) -> EmberaAnswer {
    guard state < rules.states.count || (rules.states.isEmpty && state == 0) else {
      return .refused(.unknownState)
    }
    members.append(PlainAccount(state: state, closes: closes.count))
    return .signedUp(member: UInt32(members.count - 1))
  }

  /// A member by number; nil of nobody.
  func account(_ member: UInt32) -> PlainAccount? {
    Int(member) < members.count ? members[Int(member)] : nil
  }

  // MARK: - Sign-in

  private func challenge(
    _ member: UInt32, _ channel: EntryChannel, at time: Instant
  ) -> EmberaAnswer {
    guard let person = account(member), channel != .subscription else {
      return .refused(.unknownMember)
    }
    person.devices[Int(channel.rawValue)].challenges.append(PlainAccount.Challenge(issued: time))
    return .challenged
  }

  private func signIn(
    _ member: UInt32, _ channel: EntryChannel, _ counter: UInt32, at time: Instant
  ) -> EmberaAnswer {
    guard let person = account(member), channel != .subscription else {
      return .refused(.unknownMember)
    }
    let row = Int(channel.rawValue)
    let challenges = person.devices[row].challenges
    guard let latest = challenges.last, !latest.isUsed else { return .refused(.passkey(.used)) }
    person.devices[row].challenges[challenges.count - 1].isUsed = true
    guard time - latest.issued < rules.passkeys.challenge else {
      return .refused(.passkey(.expired))
    }
    guard person.devices[row].counters.allSatisfy({ $0 < counter }), counter > 0 else {
      return .refused(.passkey(.counter))
    }
    person.devices[row].counters.append(counter)
    return .signedIn(sessionEnds: time + rules.passkeys.session)
  }

  // MARK: - What is broken

  /// Which promise a wrong answer breaks.
  private func broken(
    _ request: EmberaRequest, _ answer: EmberaAnswer, _ expected: EmberaAnswer
  ) -> EmberaRecountFailure {
    EmberaRecountFailure(
      law: law(request, answer, expected),
      facts: "\(request) was answered with \(answer), not \(expected)",
      members: request.member.map { [$0] } ?? [])
  }

  private func law(
    _ request: EmberaRequest, _ answer: EmberaAnswer, _ expected: EmberaAnswer
  ) -> EmberaLaw {
    switch (expected, answer) {
    case (.signedUp, .signedUp): return .members
    case (.ordered(let amounts, let points, _, let tier), .ordered(let others, let its, _, let at)):
      if amounts != others { return .prices }
      if points != its { return .points }
      return tier == at ? .balances : .tiers
    case (.redeemed(let range, _), .redeemed(let other, _)):
      return range == other ? .balances : .oldestFirst
    case (.repeated, _), (_, .repeated): return .once
    case (.refused(.entry(.gap)), _), (_, .refused(.entry(.gap))): return .inOrder
    case (.redeemed, _), (.refused(.entry), _): return .redemption
    case (.closed(let close), .closed(let other)): return law(close, other)
    case (.refused(.passkey), _), (.signedIn, _):
      if case .signedIn = answer, case .signedIn = expected { return .sessions }
      return expected == .refused(.passkey(.counter)) ? .sessions : .challenges
    default: return .answers
    }
  }

  private func law(_ close: MonthClose, _ other: MonthClose) -> EmberaLaw {
    if close.sums.expired != other.sums.expired { return .expiry }
    if close.month != other.month || close.sums != other.sums { return .months }
    if close.outstanding != other.outstanding { return .balances }
    if close.rewardCost != other.rewardCost { return .offers }
    if close.status != other.status { return .budget }
    if close.valuation.share != other.valuation.share { return .share }
    return close.valuation.contractLiability != other.valuation.contractLiability
      ? .contract : .owedAtCost
  }
}

extension EmberaRequest {
  /// The member whom it is about, if it is about one.
  package var member: UInt32? {
    switch self {
    case .order(let member, _, _, _), .redeem(let member, _, _, _), .challenge(let member, _),
      .signIn(let member, _, _):
      member
    case .signUp, .closeMonth: nil
    }
  }
}
