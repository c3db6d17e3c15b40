package import Quantities
internal import RewardModel

/// A second reading of a journal, the slow and obvious way: members are lists of what happened to
/// them, money is summed from what was asked, and each answer is worked out before it is looked at.
///
/// It shares nothing with the rules but their numbers, the types that requests and answers are made of, the
/// order of the journal, the ciphers of tins and the chance of draws. `take` throws the first promise that is broken.
package final class Recount {
  let rules: ProgrammeRules
  let codes: CodeBook
  let draws: any DrawSource
  let states: [StateRecord]
  /// Whether too many bad codes on one day suspend a member for good.
  let watchesSubmissions: Bool

  /// The current local day.
  var date: CivilDate
  var members: [UInt32: PlainMember] = [:]
  /// Members who referred somebody, in the order of the first time.
  var affiliates: [UInt32] = []
  /// Printed tins by code, with the serial number.
  var tins: [String: UInt64] = [:]
  var printed: [UInt32: UInt64] = [:]
  var claimed: Set<String> = []
  var outcomes = [Int64](repeating: 0, count: ScanOutcome.allCases.count)
  /// Accepted scans so far.
  var scans: Int64 = 0
  /// Due numbers that wait, by prize.
  var waiting: [[Int64]]
  /// Due numbers that were awarded, by prize.
  var awarded: [[Int64]]
  /// Milestone comps won so far.
  var wins = 0
  /// Whether due prizes wait.
  var isDeferring = false
  /// What the guard leaves of a reward, in basis points.
  var rewardFactor: Int64 = 10_000

  var payouts = PlainPayouts()
  var books: PlainBooks
  var chips = (scans: Int64(0), bonus: Int64(0), redeemed: Int64(0), expired: Int64(0))
  /// Floors reached today, for tomorrow.
  var reached: [(member: UInt32, tier: Tier)] = []
  /// Accepted scans by day, the latest last.
  var scansByDay: [Int64] = []
  var sunsetStreak = 0
  var sunsetSince: Instant?
  var tripReserved: Int64 = 0
  var wholesaleTins: [UInt32: Int64] = [:]
  var wholesaleChips: Int64 = 0
  var messages: Int64 = 0
  var liveStream: MessageBoard.LiveStream?
  /// Streams so far.
  var streams: Int64 = 0
  /// Quarters that have turned.
  var quarters = 0
  /// Mornings of the current day.
  var mornings = 0
  /// The last three reconciliations.
  var reconciled: [Instant] = []
  /// Rewards by how they came about, counted for a report of rare cases.
  package var seen: [String: Int64] = [:]

  /// Before the first request.
  package init(
    rules: ProgrammeRules, firstDate: CivilDate, codes: CodeBook, draws: any DrawSource,
    watchesSubmissions: Bool = false
  ) {
    self.watchesSubmissions = watchesSubmissions
    self.rules = rules
    self.codes = codes
    self.draws = draws
    states = rules.states
    date = firstDate
    waiting = rules.prizes.map { _ in [] }
    awarded = rules.prizes.map { _ in [] }
    books = PlainBooks(rules)
  }

  /// Says which promise is broken where something does not hold.
  func expect(
    _ law: RecountLaw, _ holds: Bool, _ members: [UInt32] = [], _ facts: @autoclosure () -> String
  ) throws(RecountFailure) {
    if !holds { throw RecountFailure(law: law, facts: facts(), members: members) }
  }

  func note(_ what: String) { seen[what, default: 0] += 1 }

  /// Takes an entry of the journal with the answer that was given, and the state after it.
  ///
  /// - Parameter wins: Milestone comps that the request won, in order.
  /// - Throws: `RecountFailure` with the first promise that is broken.
  package func take(
    _ request: ProgrammeRequest, at time: Instant, answer: ProgrammeAnswer, _ state: ProgrammeState
  ) throws(RecountFailure) {
    let expected: ProgrammeAnswer
    switch request {
    case .scan(let member, let code):
      return try scan(member, code, at: time, answer, state)
    case .scanTin(let member):
      guard let person = members[member] else {
        return try require(.refused(.unknownMember(member)), answer, request)
      }
      let outcome: ScanOutcome = isSuspended(person) ? .memberIneligible : .accepted
      return try conclude(outcome, person, nil, at: time, answer, state)
    case .payout(let step): return try payout(step, at: time, answer, state)
    case .openMorning: return try openMorning(at: time, answer)
    case .turnDay:
      try expect(.calendar, mornings == 1, [], "\(date) had \(mornings) mornings")
      try turnDay(at: time)
      expected = .done
    case .signUp(let member, let state): expected = signUp(member, state, at: time)
    case .refer(let member, let affiliate): expected = refer(member, affiliate)
    case .settleGuarantee(let member): expected = settleGuarantee(member, at: time)
    case .printTins(let run, let count):
      print(run, through: count)
      expected = .done
    case .sell(let tins):
      books.sell(tins, on: date)
      expected = .done
    case .orderWholesale(let account, let tins):
      expected = orderWholesale(account, tins, at: time)
    case .reconcile(let chain):
      reconcile(chain, at: time)
      reconciled = Array(reconciled.suffix(2)) + [time]
      expected = .done
    case .addToCart, .updateCart, .removeFromCart, .orderCart, .placeOrder, .moveOrder:
      expected = shop(request)
    case .vaultChips, .redeemChips, .withdraw, .reverseWithdrawal, .payByCard, .moveCard:
      expected = purse(request, at: time)
    case .post, .startStream, .endStream: expected = board(request, at: time, answer)
    }
    try require(expected, answer, request)
  }

  /// The answer has to be the one that was worked out.
  private func require(
    _ expected: ProgrammeAnswer, _ answer: ProgrammeAnswer, _ request: ProgrammeRequest
  ) throws(RecountFailure) {
    guard answer != expected else { return }
    let law: RecountLaw =
      switch request {
      case .settleGuarantee: .guaranteeOnce
      case .moveOrder: .orders
      case .placeOrder, .orderCart: .shopMoney
      case .redeemChips: .vaults
      case .withdraw, .payByCard, .reverseWithdrawal: .wallets
      case .post: .channels
      case .refer: .sunset
      default: .answers
      }
    throw RecountFailure(
      law: law, facts: "\(request) was answered with \(answer), not \(expected)",
      members: request.member.map { [$0] } ?? [])
  }

  // MARK: - Members

  private func signUp(_ member: UInt32, _ state: UInt8?, at time: Instant) -> ProgrammeAnswer {
    guard members[member] == nil else { return .refused(.alreadySignedUp(member)) }
    members[member] = PlainMember(member, state: state, at: time, on: date)
    return .done
  }

  private func refer(_ member: UInt32, _ affiliate: UInt32) -> ProgrammeAnswer {
    guard let person = members[member] else { return .refused(.unknownMember(member)) }
    guard members[affiliate] != nil else { return .refused(.unknownMember(affiliate)) }
    guard sunsetSince == nil else { return .refused(.sunset) }
    person.affiliate = affiliate
    if !affiliates.contains(affiliate) { affiliates.append(affiliate) }
    return .done
  }

  /// Whether rewards are banned on a date, today if none is given, where a member lives, or the member was
  /// expelled.
  func isSuspended(_ person: PlainMember, on day: CivilDate? = nil) -> Bool {
    person.isExpelled || livesUnderBan(person, on: day ?? date)
  }

  private func livesUnderBan(_ person: PlainMember, on day: CivilDate) -> Bool {
    guard let row = person.state, Int(row) < states.count else { return false }
    return isBanned(states[Int(row)].code, on: day)
  }

  /// Whether there was a ban on every day since sign-up, but for those after the one on which the member
  /// was expelled.
  private func wasAlwaysSuspended(_ person: PlainMember) -> Bool {
    var day = person.signUpDate
    while day <= date {
      let isOut = person.expelledOn.map { $0 < day } ?? false
      if !isOut, !livesUnderBan(person, on: day) { return false }
      day = day.adding(days: 1)
    }
    return true
  }

  /// Whether a state bans rewards on a date: from the ban's date on, for its days or for ever.
  func isBanned(_ state: String, on day: CivilDate) -> Bool {
    rules.bans.contains { ban in
      let late = day.dayNumber - ban.date.dayNumber
      return ban.state == state && late >= 0 && (ban.days == 0 || late < ban.days)
    }
  }

  /// A member's tier now.
  func tier(_ person: PlainMember) -> Tier {
    let now = earned(person.scans[date.quarterIndex] ?? 0)
    let before = rules.tiers.carry ? earned(person.scans[date.quarterIndex - 1] ?? 0) : .standard
    return max(now, before, floor(person))
  }

  func floor(_ person: PlainMember) -> Tier {
    person.floors.filter { $0.from <= date }.map(\.tier).max() ?? .standard
  }

  private func earned(_ scans: Int) -> Tier {
    var tier = Tier.standard
    if scans >= Int(rules.tiers.vip) { tier = .vip }
    if scans >= Int(rules.tiers.highRoller) { tier = .highRoller }
    if scans >= Int(rules.tiers.whale) { tier = .whale }
    return tier
  }

  private func settleGuarantee(_ member: UInt32, at time: Instant) -> ProgrammeAnswer {
    guard let person = members[member] else { return .refused(.unknownMember(member)) }
    guard rules.guarantee.enabled, person.guaranteeLooks == 0 else { return .amount(.zero) }
    person.guaranteeLooks += 1
    let missing = rules.guarantee.amount.microunits - person.comps
    guard person.lifetime >= Int(rules.guarantee.minimumScans), missing > 0 else {
      return .amount(.zero)
    }
    // Who signed up under a ban that still stands has earned nothing; a day without one is enough.
    if wasAlwaysSuspended(person) {
      note("guarantee_of_banned")
      return .amount(.zero)
    }
    note("guarantee")
    person.comps += missing
    promise(.guarantee, missing, to: member, at: time)
    return .amount(MicroUSDT(microunits: missing))
  }

  private func print(_ run: UInt32, through count: UInt64) {
    let before = printed[run] ?? 0
    guard count > before else { return }
    for place in before..<count {
      let serial = UInt64(run) << 36 + place
      tins[codes.code(ofSerial: serial).text] = serial
    }
    printed[run] = count
  }

  /// Promises one award.
  func promise(_ type: PayoutType, _ amount: Int64, to receiver: UInt32?, at time: Instant) {
    guard amount > 0 else { return }
    let batched = max(time, payouts.awards[type]?.last?.time ?? .distantPast)
    payouts.awards[type, default: []].append(
      PlainPayouts.PlainAward(amount: amount, receiver: receiver, time: batched))
    books.charge(type, amount, on: date)
    if let receiver, PlainKind(type, rules).isCredited {
      payouts.pending[receiver, default: 0] += amount
    }
  }

  private func orderWholesale(
    _ account: UInt32, _ tins: Int64, at time: Instant
  ) -> ProgrammeAnswer {
    guard Int(account) < rules.wholesale.accounts else { return .refused(.unknownAccount(account)) }
    guard tins > 0 else { return .refused(.tins(tins)) }
    books.sellWholesale(tins, on: date)
    let before = wholesaleTins[account] ?? 0
    wholesaleTins[account] = before + tins
    let wholesale = rules.wholesale
    wholesaleChips += (before + tins) / wholesale.tinsPerChip - before / wholesale.tinsPerChip
    let comps = (before + tins) / wholesale.compEvery - before / wholesale.compEvery
    for _ in 0..<comps {
      note("wholesale_comp")
      promise(.wholesale, wholesale.compAmount.microunits, to: nil, at: time)
    }
    return .done
  }
}

extension ProgrammeRequest {
  /// The member whom it is about, if it is about one.
  package var member: UInt32? {
    switch self {
    case .signUp(let member, _), .refer(let member, _), .settleGuarantee(let member),
      .scanTin(let member), .addToCart(let member, _, _), .updateCart(let member, _, _),
      .removeFromCart(let member, _), .orderCart(let member, _), .placeOrder(let member, _, _),
      .moveOrder(let member, _, _), .vaultChips(let member), .redeemChips(let member, _),
      .withdraw(let member, _), .reverseWithdrawal(let member, _), .payByCard(let member, _),
      .moveCard(let member, _):
      member
    case .scan(let member, _), .post(let member, _, _): member
    case .printTins, .sell, .orderWholesale, .startStream, .endStream, .turnDay, .openMorning,
      .reconcile, .payout:
      nil
    }
  }
}
