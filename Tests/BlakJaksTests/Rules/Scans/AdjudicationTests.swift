// Goal: what was once decided in two places is decided once.
// Method: the state machine is driven by hand at the edges where world and replay used to differ.
import BlakJaks
import Quantities
import RewardModel
import Testing

@Suite struct AdjudicationTests {
  /// Draws the first place there is.
  private struct FirstPlace: DrawSource {
    func place(of prize: Prize, dueScan: Int64, below total: UInt64) -> UInt64 { 0 }
  }

  private let start = Instant(microseconds: 1_767_225_600_000_000)

  private func state(
    _ edit: (inout ProgrammeRules) -> Void = { _ in }
  ) throws -> ProgrammeState {
    var rules = ProgrammeRules()
    rules.prizes[0].every = 3
    edit(&rules)
    return try ProgrammeState(
      rules: rules, firstDate: CivilDate("2026-01-01")!, codes: CodeBook(key: 1),
      draws: FirstPlace())
  }

  private func signUp(
    _ state: inout ProgrammeState, _ members: Range<UInt32>, states: [UInt8?] = []
  ) throws {
    for member in members {
      let home = Int(member) < states.count ? states[Int(member)] : nil
      _ = try state.commit(.signUp(member: member, state: home), at: start)
    }
  }

  @Test func aScanBringsNumberRewardPrizeMatchAndCreditAtOnce() throws {
    var state = try state()
    try signUp(&state, 0..<2)
    _ = try state.commit(.refer(member: 1, affiliate: 0), at: start)
    for _ in 0..<2 { _ = try state.commit(.scanTin(member: 0), at: start) }
    let answer = try state.commit(.scanTin(member: 1), at: start)
    guard case .scan(let scan) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(scan.outcome == .accepted)
    #expect(scan.earned == MicroUSDT(microunits: 200_000))
    #expect(scan.milestones.map(\.wonScan) == [3])
    #expect(scan.compEarned == .whole(100))
    #expect(state.wins.map(\.match) == [.whole(21)])
    #expect(state.programme.books.affiliates.referredScans(0) == 1)
    #expect(state.members.purses[0].wallet.pending == MicroUSDT(microunits: 21_400_000))
    #expect(state.members.account(of: 1).comps == MicroUSDT(microunits: 100_200_000))
  }

  @Test func anAffiliateWhoIsBannedEarnsNoMatch() throws {
    let banned = StateRecord.unitedStates[0].code
    var state = try state {
      $0.bans = [StateBan(state: banned, date: CivilDate("2026-01-02")!)]
    }
    try signUp(&state, 0..<2, states: [0, 1])
    _ = try state.commit(.refer(member: 1, affiliate: 0), at: start)
    for _ in 0..<3 { _ = try state.commit(.scanTin(member: 1), at: start) }
    #expect(state.programme.books.payouts[.match].count == 1)
    _ = try state.commit(.turnDay, at: start + .days(1))
    #expect(state.members.account(of: 0).isSuspended)
    for _ in 0..<3 { _ = try state.commit(.scanTin(member: 1), at: start + .days(1)) }
    #expect(state.programme.books.payouts[.prize(0)].count == 2)
    #expect(state.programme.books.payouts[.match].count == 1, "no match after the ban")
    let answer = try state.commit(.scanTin(member: 0), at: start + .days(1))
    guard case .scan(let scan) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(scan.outcome == .memberIneligible)
  }

  @Test func theScansOfOthersCountForAnAffiliateWhoIsBanned() throws {
    let banned = StateRecord.unitedStates[0].code
    var state = try state {
      $0.bans = [StateBan(state: banned, date: CivilDate("2026-01-02")!, days: 1)]
    }
    try signUp(&state, 0..<2, states: [0, 1])
    _ = try state.commit(.refer(member: 1, affiliate: 0), at: start)
    for day in 0..<3 as Range<Int64> {
      if day > 0 { _ = try state.commit(.turnDay, at: start + .days(day)) }
      #expect(state.members.account(of: 0).isSuspended == (day == 1))
      for _ in 0..<2 { _ = try state.commit(.scanTin(member: 1), at: start + .days(day)) }
      #expect(state.programme.books.affiliates.chips(0) == 2 * (day + 1))
      #expect(state.programme.books.affiliates.referredScans(0) == 2 * (day + 1))
    }
  }

  private func outcome(
    _ state: inout ProgrammeState, _ code: String, day: Int64 = 0
  ) throws -> ScanOutcome {
    let answer = try state.commit(.scan(member: 0, code: code), at: start + .days(day))
    guard case .scan(let scan) = answer else { fatalError("a scan is answered: \(answer)") }
    return scan.outcome
  }

  @Test func tooManyBadCodesOfOneDaySuspendAMemberForGoodWhereMembersAreWatched() throws {
    let banned = StateRecord.unitedStates[0].code
    for isWatched in [true, false] {
      var state = try state {
        $0.abuse.refusals = 3
        $0.bans = [StateBan(state: banned, date: CivilDate("2026-01-05")!, days: 1)]
      }
      if isWatched { state.watchSubmissions() }
      try signUp(&state, 0..<1, states: [0])
      _ = try state.commit(.printTins(run: 0, through: 9), at: start)
      let codes = (0..<9).map { CodeBook(key: 1).code(ofSerial: $0).text }
      // A day's count ends with it, and accepted codes are no bad ones.
      #expect(try outcome(&state, codes[0]) == .accepted)
      #expect(try outcome(&state, codes[0]) == .alreadyScanned)
      #expect(try outcome(&state, "no code") == .invalidCode)
      _ = try state.commit(.turnDay, at: start + .days(1))
      #expect(try outcome(&state, codes[0], day: 1) == .alreadyScanned)
      #expect(try outcome(&state, codes[1], day: 1) == .accepted)
      #expect(try outcome(&state, "AAAA-AAAA-AAAA", day: 1) == .unknownCode)
      #expect(!state.members.account(of: 0).isSuspended)
      let weight = state.members.drawWeight(atLeast: .standard)
      #expect(try outcome(&state, codes[1], day: 1) == .alreadyScanned)
      #expect(state.members.account(of: 0).isSuspended == isWatched)
      #expect(state.members.drawWeight(atLeast: .standard) == (isWatched ? 0 : weight))
      #expect(try outcome(&state, codes[2], day: 1) == (isWatched ? .memberIneligible : .accepted))
      // A ban that ends lifts nothing else, and a claimed code says so to anybody.
      for day in 2...6 as ClosedRange<Int64> {
        _ = try state.commit(.turnDay, at: start + .days(day))
      }
      #expect(try outcome(&state, codes[3], day: 6) == (isWatched ? .memberIneligible : .accepted))
      #expect(try outcome(&state, codes[0], day: 6) == .alreadyScanned)
    }
  }

  @Test func aGoodCodeOfSomebodyWhoMayNotClaimItIsNoBadCode() throws {
    let banned = StateRecord.unitedStates[0].code
    var state = try state {
      $0.abuse.refusals = 1
      $0.bans = [StateBan(state: banned, date: CivilDate("2026-01-02")!, days: 1)]
    }
    state.watchSubmissions()
    try signUp(&state, 0..<1, states: [0])
    _ = try state.commit(.printTins(run: 0, through: 1), at: start)
    let code = CodeBook(key: 1).code(ofSerial: 0).text
    _ = try state.commit(.turnDay, at: start + .days(1))
    #expect(try outcome(&state, code, day: 1) == .memberIneligible)
    _ = try state.commit(.turnDay, at: start + .days(2))
    #expect(try outcome(&state, code, day: 2) == .accepted)
  }

  @Test func noLimitSuspendsNobody() throws {
    var state = try state { $0.abuse.refusals = 0 }
    state.watchSubmissions()
    try signUp(&state, 0..<1)
    for _ in 0..<200 { #expect(try outcome(&state, "x") == .invalidCode) }
    #expect(!state.members.account(of: 0).isSuspended)
  }

  @Test func chipsThatDoNotFitAVaultEndTheProgrammeInEveryWay() throws {
    var state = try state {
      $0.chips.enabled = true
      $0.chips.perScan = 10
    }
    try signUp(&state, 0..<1)
    for _ in 0..<6_553 { _ = try state.commit(.scanTin(member: 0), at: start) }
    #expect(state.chips.held == 65_530)
    #expect(throws: CommitError.limit(.chipsOfOneMonth)) {
      _ = try state.commit(.scanTin(member: 0), at: start)
    }
  }

  @Test func labelsFollowTheSettingsAndIdsDoNot() throws {
    var rules = ProgrammeRules()
    #expect(
      PayoutType.fixed.map { $0.label(rules) } == [
        "$50 Guarantee", "21% Match", "Pool 5%", "Wholesale", "Scan reward", "Chip redemption",
      ])
    #expect(PayoutType.all(rules.prizes).map { $0.label(rules) }.first == "Crypto $100")
    rules.guarantee.amount = MicroUSDT(microunits: 12_500_000)
    rules.affiliates.match = BasisPoints(1_550)
    rules.compPool.affiliateShare = BasisPoints(400)
    #expect(PayoutType.guarantee.label(rules) == "$12.5 Guarantee")
    #expect(PayoutType.match.label(rules) == "15.5% Match")
    #expect(PayoutType.pool.label(rules) == "Pool 4%")
    #expect(PayoutType.match.id(rules.prizes) == "match")
  }

  @Test func booksStayOpenForeverAndGrowNoFurtherThanWhatNobodyTookAway() throws {
    var state = try state()
    for day in 1...800 {
      _ = try state.commit(.turnDay, at: start + .days(Int64(day)))
      let closed = state.takeClosed()
      #expect(closed.days.count == 1)
    }
    #expect(state.programme.books.date == CivilDate("2028-03-11"))
    #expect(state.programme.books.days.isEmpty)
  }
}
