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
