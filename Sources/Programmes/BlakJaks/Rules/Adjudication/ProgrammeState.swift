package import Quantities
internal import RewardModel

/// The whole programme as a deterministic state machine: requests in, answers out.
///
/// Replay and service drive it; a simulation runs the same halves of the same rules in its cells
/// and its house. It knows no clock, no file and no chance: instants come with the requests, prize
/// draws from a `DrawSource`, and what a chain or a bank did is itself a request. Committing a
/// journal again gives the same state.
package struct ProgrammeState: Sendable {
  package internal(set) var programme: LiveProgramme
  package internal(set) var members = MemberList()
  /// Gold chips of all members.
  package internal(set) var chips = ChipTotals()
  /// Submissions by outcome, in the order of `ScanOutcome`.
  package internal(set) var outcomes = [Int64](repeating: 0, count: ScanOutcome.allCases.count)
  /// Milestone comps won by the last request, and by the scans that it concluded, for whoever tells of
  /// them.
  package internal(set) var wins: [Win] = []
  /// Scans of one instant whose members' halves are done; see `scanTins`.
  var gathered = GatheredScans()
  var prints: PrintRuns
  /// What the rules hold against members who submit bad codes; nil where nobody is watched.
  var watch: RefusalWatch?
  /// Carts and open orders.
  package internal(set) var shop = ShopDesk()
  /// Channels and live streams.
  package internal(set) var board = MessageBoard()
  /// Who may read and write where.
  package let channels: Channels
  let states: StateTable
  let draws: any DrawSource

  /// The programme before its first day.
  ///
  /// - Parameters:
  ///   - firstDate: The first local day.
  ///   - codes: Key of the tins' codes.
  /// - Throws: `MoneyError.overflow` when a reward of the rules leaves 64 bits.
  package init(
    rules: ProgrammeRules, firstDate: CivilDate, codes: CodeBook, draws: any DrawSource
  ) throws(MoneyError) {
    programme = try LiveProgramme(rules: rules, firstDate: firstDate)
    prints = PrintRuns(codes: codes)
    channels = Channels(rules: rules.social)
    states = Self.states(rules)
    self.draws = draws
  }

  /// The states of validated rules.
  private static func states(_ rules: ProgrammeRules) -> StateTable {
    do {
      return try StateTable(rules.states, bans: rules.bans)
    } catch { fatalError("the rules' states were not checked: \(error)") }
  }

  /// Watches the codes that members submit from now on: too many bad ones suspend a member for good,
  /// as `rules.abuse` says. A service watches its members. A simulation does not: its members mistype
  /// a few codes, and those who guess them by program are no members of it.
  package mutating func watchSubmissions() {
    if watch == nil { watch = RefusalWatch(rules.abuse) }
  }

  /// Whether bad codes suspend members.
  package var watchesSubmissions: Bool { watch != nil }

  package var rules: ProgrammeRules { programme.books.rules }

  /// The lot of chips from scans of the current day.
  var chipLot: ChipLot { rules.chips.lot(ofChipFrom: programme.books.date) }

  /// Lets the programme's edges, a payout pipeline for one, work on the books, which know all scans
  /// then: those that `scanTins` gathered are concluded, and what they won is added to the wins.
  package mutating func withBooks<Answer>(
    _ body: (inout ProgrammeBooks) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer {
    try concludeGathered()
    let answer = try body(&programme.books)
    programme.releaseCredits(&members)
    return answer
  }

  /// How many tins a run has printed.
  package func printed(run: UInt32) -> UInt64 { prints.printed(run: run) }

  /// Tins that are claimed by their codes.
  package var claimed: Int64 { prints.claimed }

  /// Takes the claims since they were taken last, to be kept apart from the state.
  ///
  /// - Parameter all: Takes all, whether they changed or not.
  package mutating func takeClaims(all: Bool) -> [ClaimChunk] { prints.takeClaims(all: all) }

  /// Puts claims back that were kept apart from the state.
  package mutating func restore(_ claims: [ClaimChunk]) { prints.restore(claims) }

  /// What has ended so far; see `ProgrammeBooks.takeClosed`.
  package mutating func takeClosed() -> ClosedPeriods { programme.books.takeClosed() }

  /// Closes the last day and month. Nothing may be committed afterwards.
  ///
  /// - Throws: `MoneyError.overflow`.
  package mutating func close() throws(MoneyError) {
    try concludeGathered()
    try programme.books.close()
  }

  /// Changes the state by one request and answers it.
  ///
  /// - Parameter time: Of the request. What the rules bind to an instant comes before the scans and
  ///   sales of that instant: the caller commits it first.
  /// - Throws: `CommitError`; the state is then of no further use.
  package mutating func commit(
    _ request: ProgrammeRequest, at time: Instant
  ) throws(CommitError) -> ProgrammeAnswer {
    begin()
    do throws(MoneyError) {
      if isConcluded(before: request) { try concludeGathered() }
      switch request {
      case .scan(let member, let code): return try scan(member, code, at: time)
      case .scanTin(let member):
        guard members.knows(member) else { return .refused(.unknownMember(member)) }
        let eligible = members.account(of: member).isEligible
        return try conclude(eligible ? .accepted : .memberIneligible, member, nil, at: time)
      case .turnDay: return try turnDay()
      default: return try commitMoney(request, at: time)
      }
    } catch { throw Self.commitError(error) }
  }

  /// Sells tins: what so many requests to sell some of them do, without the answers.
  ///
  /// - Parameter sales: How many sales they are.
  /// - Throws: As `commit`.
  package mutating func sell(tins: Int64, sales: Int64) throws(CommitError) {
    begin()
    do throws(MoneyError) { try programme.books.sell(tins: tins, sales: sales) } catch {
      throw Self.commitError(error)
    }
  }

  /// Makes room for members; see `MemberList.reserve`.
  package mutating func reserve(members count: Int) { members.reserve(count) }

  /// Begins a request.
  mutating func begin() {
    if !wins.isEmpty { wins = [] }
    members.begin()
  }

  static func commitError(_ error: MoneyError) -> CommitError {
    if case .overflow(let words) = error, words == chipWords { return .limit(.chipsOfOneMonth) }
    return .money(error)
  }

  static let chipWords = "the gold chips of one member and month"

  // MARK: - The calendar

  private mutating func turnDay() throws(MoneyError) -> ProgrammeAnswer {
    let ended = ChipLot(monthOf: programme.books.date)
    try programme.turnDay(&members)
    watch?.turnDay()
    let date = programme.books.date
    if date.day == 1, date.month % 3 == 1 { members.turnQuarter(rules.tiers) }
    if rules.chips.enabled, ChipLot(monthOf: date) != ended {
      let bonusLot = rules.chips.bonusLot(ending: ended)
      for index in members.accounts.indices where members.accounts[index].hasSignedUp {
        let fits = members.purses[index].turnMonth(
          rules.chips, ending: ended, bonusLot: bonusLot,
          isSuspended: members.accounts[index].isSuspended, &chips)
        guard fits else { throw .overflow(Self.chipWords) }
      }
    }
    if !rules.bans.isEmpty {
      let states = states
      members.suspend { states.bansRewards(in: $0, on: date) }
    }
    return .done
  }

  // MARK: - Everything else

  private mutating func commitMoney(
    _ request: ProgrammeRequest, at time: Instant
  ) throws(MoneyError) -> ProgrammeAnswer {
    switch request {
    case .signUp(let member, let state):
      guard !members.knows(member) else { return .refused(.alreadySignedUp(member)) }
      let (date, states) = (programme.books.date, states)
      members.enroll(member, state: state, guarantee: rules.guarantee.enabled) {
        states.bansRewards(in: $0, on: date)
      }
    case .refer(let member, let affiliate): return try refer(member, affiliate)
    case .settleGuarantee(let member): return try settleGuarantee(member, at: time)
    case .printTins(let run, let count): prints.print(run: run, through: count)
    case .sell(let tins): try programme.books.sell(tins: tins)
    case .orderWholesale(let account, let tins):
      guard Int(account) < programme.wholesale.count else {
        return .refused(.unknownAccount(account))
      }
      guard tins > 0 else { return .refused(.tins(tins)) }
      try programme.orderWholesale(Int(account), tins: tins, at: time)
    case .openMorning: return try openMorning(at: time)
    case .reconcile(let chain): try programme.books.reconcile(at: time, chain: chain)
    case .payout(let step):
      guard programme.books.desk.allows(step) else { return .refused(.payoutStep(step)) }
      let reply = try programme.books.take(step, at: time)
      programme.releaseCredits(&members)
      return .payout(reply)
    case .placeOrder, .orderCart, .moveOrder: return try commitOrder(request, at: time)
    case .addToCart, .updateCart, .removeFromCart: return commitCart(request)
    case .post, .startStream, .endStream: return commitBoard(request, at: time)
    case .vaultChips, .redeemChips, .withdraw, .reverseWithdrawal, .payByCard,
      .moveCard:
      return try commitPurse(request, at: time)
    case .scan, .scanTin, .turnDay: fatalError("\(request) was committed before")
    }
    return .done
  }

  private mutating func refer(
    _ member: UInt32, _ affiliate: UInt32
  ) throws(MoneyError) -> ProgrammeAnswer {
    guard members.knows(member) else { return .refused(.unknownMember(member)) }
    if let refusal = refusesReferral(by: affiliate) { return .refused(refusal) }
    let row = members.row(of: affiliate, &programme.books.affiliates)
    try members.change(member) { (account) throws(MoneyError) in
      account.refer(to: row, sunset: false)
    }
    return .done
  }

  private mutating func settleGuarantee(
    _ member: UInt32, at time: Instant
  ) throws(MoneyError) -> ProgrammeAnswer {
    guard members.knows(member) else { return .refused(.unknownMember(member)) }
    guard members.account(of: member).guaranteePending else { return .amount(.zero) }
    let look = try members.change(member) { (account) throws(MoneyError) in
      account.lookAtGuarantee(member, at: time)
    }
    return .amount(try programme.conclude(look, &members))
  }

  private mutating func openMorning(at time: Instant) throws(MoneyError) -> ProgrammeAnswer {
    var directory = MemberList()
    swap(&directory, &members)
    defer { swap(&directory, &members) }
    let transfers = try programme.openMorning(at: time, &directory)
    return .transfers(transfers)
  }
}

extension ProgrammeState {
  /// Everything of the state that changes, to be saved and restored.
  private struct Snapshot: Codable {
    var programme: LiveProgramme
    var members: MemberList
    var chips: ChipTotals
    var outcomes: [Int64]
    @SavedSorted var claims: [UInt32: ScanDesk.Claims]
    var shop: ShopDesk
    var board: MessageBoard
    var watch: RefusalWatch?
  }

  /// Restores a state that was saved.
  ///
  /// - Parameter codes: Key of the tins' codes, which is never saved.
  /// - Throws: What the decoder throws.
  package init(
    from decoder: any Decoder, codes: CodeBook, draws: any DrawSource
  ) throws {
    let saved = try Snapshot(from: decoder)
    programme = saved.programme
    members = saved.members
    chips = saved.chips
    outcomes = saved.outcomes
    prints = PrintRuns(codes: codes, claims: saved.claims)
    shop = saved.shop
    board = saved.board
    watch = saved.watch
    channels = Channels(rules: saved.programme.books.rules.social)
    states = Self.states(saved.programme.books.rules)
    self.draws = draws
  }
}

extension ProgrammeState: Encodable {
  /// Saves everything that changes; the key of the codes is never among it. Claims are left out
  /// where the encoder is told that they are kept apart.
  package func encode(to encoder: any Encoder) throws {
    invariant(gathered.count == 0, "a state is saved before its scans are concluded")
    let areApart = encoder.userInfo[.claimsApart] as? Bool ?? false
    try Snapshot(
      programme: programme, members: members, chips: chips, outcomes: outcomes,
      claims: areApart ? prints.unclaimed : prints.claims, shop: shop, board: board,
      watch: watch
    ).encode(to: encoder)
  }
}

extension CodingUserInfoKey {
  /// True where a state is saved without its claims.
  package static let claimsApart: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "claimsApart") else {
      fatalError("a key is any text")
    }
    return key
  }()
}
