import BlakJaks
// Goal: clauses of the program that no other test proves, one rule a test.
// Method: worked examples with the numbers of the program, computed by hand; expectations are
// written out in micro-USDT, not taken from the rules under test.
import Quantities
import RewardModel
import Testing

@Suite struct ClauseTests {
  private func programme(
    from: String = "2026-01-05", days: Int = 40, edit: (inout ProgrammeRules) -> Void = { _ in }
  ) throws -> LiveProgramme {
    var rules = ProgrammeRules()
    edit(&rules)
    return try LiveProgramme(
      rules: rules,
      calendar: try ProgrammeCalendar(zone: "UTC", firstDate: CivilDate(from)!, days: days))
  }

  private func usdt(_ microunits: Int64) -> MicroUSDT { MicroUSDT(microunits: microunits) }

  // MARK: - Prizes

  @Test func thePrizesAreTheFiveOfTheBrief() {
    let rows = Prize.brief.map { prize in
      "\(prize.name) \(prize.kind.rawValue) \(prize.amount.microunits / 1_000_000) every "
        + "\(prize.every) \(prize.requiredTier.name) \(prize.allocation.rawValue)"
    }
    #expect(
      rows == [
        "Crypto $100 crypto 100 every 500 Standard roll_forward",
        "Crypto $1K crypto 1000 every 5000 VIP roll_forward",
        "Crypto $10K crypto 10000 every 50000 High Roller roll_forward",
        "Casino casino 5000 every 100000 High Roller roll_forward",
        "Trip $200K trip 200000 every 500000 Whale roll_forward",
      ])
    #expect(ProgrammeRules().prizes == Prize.brief)
  }

  @Test func aDrawnPrizeWaitsUntilSomebodyIsEligibleAndEachNumberIsDrawnOnceInOrder() {
    var board = MilestoneBoard(prizes: [
      Prize(
        name: "a", kind: .crypto, amount: .whole(1), every: 3, requiredTier: .vip, allocation: .draw
      )
    ])
    var taken: [MilestoneAward] = []
    for scan in Int64(1)...7 { board.accept(scan: scan, tier: .whale, awards: &taken) }
    #expect(taken.isEmpty, "nobody takes a prize that is drawn")
    #expect(board.hasDrawsWaiting)
    var drawn: [(MilestoneAward, String)] = []
    board.draw(afterScanOf: .whale, pick: { _, _ in String?.none }, awards: &drawn)
    #expect(drawn.isEmpty && board.waiting(0) == 2)
    board.draw(afterScanOf: .standard, pick: { _, _ in "nobody" }, awards: &drawn)
    #expect(drawn.isEmpty, "who waits is drawn when a member of the tier scans")
    var asked: [Int64] = []
    board.draw(
      afterScanOf: .vip,
      pick: { _, due in
        asked.append(due)
        return "winner of \(due)"
      }, awards: &drawn)
    #expect(asked == [3, 6])
    #expect(drawn.map(\.0.dueScan) == [3, 6] && drawn.map(\.0.wonScan) == [7, 7])
    #expect(drawn.map(\.1) == ["winner of 3", "winner of 6"])
    #expect(!board.hasDrawsWaiting)
  }

  @Test func aTripWaitsForAWhaleWhileHighRollersTakeTheirOwnPrizes() {
    var board = MilestoneBoard(prizes: [Prize.brief[2], Prize.brief[4]])
    var awards: [MilestoneAward] = []
    for due in Int64(1)...10 {
      board.skip(through: due * 50_000 - 1)
      board.accept(scan: due * 50_000, tier: .highRoller, awards: &awards)
    }
    #expect(awards.count == 10 && awards.allSatisfy { $0.prize == 0 })
    #expect(board.waiting(1) == 1)
    board.accept(scan: 500_001, tier: .highRoller, awards: &awards)
    #expect(board.waiting(1) == 1)
    board.accept(scan: 500_002, tier: .whale, awards: &awards)
    #expect(awards.count == 11)
    #expect(awards.last == MilestoneAward(prize: 1, dueScan: 500_000, wonScan: 500_002))
  }

  // MARK: - Members

  @Test func aMemberIdEndsWithTheLettersOfItsTier() {
    #expect(
      Tier.allCases.map { memberID(sequence: 1, tier: $0) } == [
        "BJ-0001-ST", "BJ-0001-VP", "BJ-0001-HR", "BJ-0001-WH",
      ])
    #expect(Tier.allCases.map(\.name) == ["Standard", "VIP", "High Roller", "Whale"])
  }

  @Test func theEffectiveTierIsTheHighestOfEarnedCarriedAndFloor() {
    let rules = TierRules()
    for earned in [0, 7, 15, 30] as [UInt32] {
      for last in [0, 7, 15, 30] as [UInt32] {
        for floor in Tier.allCases {
          var standing = MemberStanding()
          for _ in 0..<last { _ = standing.countScan(rules) }
          standing.turnQuarter(rules)
          standing.raiseFloor(to: floor)
          for _ in 0..<earned { _ = standing.countScan(rules) }
          func tier(_ scans: UInt32) -> Tier {
            scans >= 30 ? .whale : scans >= 15 ? .highRoller : scans >= 7 ? .vip : .standard
          }
          #expect(standing.tier == max(tier(earned), tier(last), floor))
        }
      }
    }
  }

  // MARK: - Budget

  @Test func aMonthsBudgetIsHalfItsGrossProfitAndTheSpendIsWhatTheCompPoolIsCharged() throws {
    var programme = try programme(from: "2026-01-01", days: 40)
    try programme.books.sell(tins: 1_000)
    let now = programme.books.calendar.start
    try programme.books.pay(.scanReward, count: 10, total: .whole(2), at: now)
    try programme.books.payAward(prize: 0, affiliate: 1, at: now)  // 100, and 21 of match
    try programme.books.pay(.guarantee, count: 1, total: .whole(40), at: now)
    try programme.books.pay(.chipRedemption, count: 2, total: .whole(3), at: now)
    try programme.books.count(scans: 10)  // 4 for the trip
    // Neither of these is charged to the comp pool.
    try programme.books.pay(.wholesale, count: 1, total: .whole(500), at: now)
    while programme.books.months.isEmpty { try programme.turnDay() }
    let month = programme.books.months[0]
    #expect(month.label == "2026-01")
    #expect(month.sums.grossProfit == .whole(2_000))
    #expect(month.budget == .whole(1_000))
    #expect(month.sums.spendCash == .whole(166))
    #expect(month.sums.spendAccrual == .whole(170))
    #expect(month.utilisationBasisPoints == 1_700)
    #expect(month.status == .normal)
  }

  @Test(
    "A month's spend counts the trip by its reserve, or in cash when it is won",
    arguments: [(.accrual, 4_000, .normal), (.cash, 20_000, .critical)]
      as [(TripRecognition, Int64, BudgetStatus)])
  func recognition(_ basis: TripRecognition, utilisation: Int64, status: BudgetStatus) throws {
    var programme = try programme(from: "2026-01-01") { $0.compPool.recognition = basis }
    try programme.books.sell(tins: 100_000)  // a budget of 100,000
    try programme.books.count(scans: 100_000)  // 40,000 set aside
    try programme.books.payAward(
      prize: 4, affiliate: nil, at: programme.books.calendar.start)
    while programme.books.months.isEmpty { try programme.turnDay() }
    #expect(programme.books.months[0].utilisationBasisPoints == utilisation)
    #expect(programme.books.months[0].status == status)
  }

  @Test func theChargeAccountOfEachPayoutTypeIsASetting() throws {
    let families: [(WritableKeyPath<PayoutCharges, ChargeAccount>, Int64)] = [
      (\.scanReward, 1), (\.crypto, 100), (\.casino, 5_000), (\.guarantee, 7), (\.match, 21),
      (\.wholesale, 500), (\.chips, 3),
    ]
    func spend(_ edit: (inout PayoutCharges) -> Void) throws -> (spend: Int64, operating: Int64) {
      var programme = try programme { edit(&$0.compPool.charges) }
      let now = programme.books.calendar.start
      try programme.books.pay(.scanReward, count: 1, total: .whole(1), at: now)
      try programme.books.payAward(prize: 0, affiliate: 1, at: now)
      try programme.books.payAward(prize: 3, affiliate: 1, at: now)
      try programme.books.pay(.guarantee, count: 1, total: .whole(7), at: now)
      try programme.books.pay(.wholesale, count: 1, total: .whole(500), at: now)
      try programme.books.pay(.chipRedemption, count: 1, total: .whole(3), at: now)
      try programme.books.close()
      return (
        programme.books.days[0].sums.spendCash.microunits / 1_000_000,
        -programme.books.ledger.balance(.operating).microunits / 1_000_000
      )
    }
    let usual = try spend { _ in }
    #expect(usual == (1 + 100 + 5_000 + 7 + 21 + 3, 0))
    for (family, amount) in families {
      let moved = try spend { $0[keyPath: family] = .operating }
      let before = family == \.wholesale ? 0 : amount
      #expect(moved == (usual.spend - before, amount))
    }
    let wholesale = try spend { $0.wholesale = .compPool }
    #expect(wholesale == (usual.spend + 500, 0))
  }

  @Test(
    "A guard policy acts from the day after the projection turned Critical until it no longer is",
    arguments: GuardPolicy.allCases)
  func guardPolicy(policy: GuardPolicy) throws {
    var programme = try programme(from: "2026-01-01") {
      $0.guardPolicy.policy = policy
      $0.guardPolicy.factor = BasisPoints(2_500)
    }
    let now = programme.books.calendar.start
    try programme.books.sell(tins: 100)  // a budget of 100
    try programme.books.pay(.guarantee, count: 1, total: .whole(101), at: now)
    #expect(!programme.board.deferring)
    try programme.turnDay()
    #expect(programme.books.health == .critical)
    #expect(programme.board.deferring == (policy == .deferMilestones))
    #expect(
      programme.rewards.amount.all.map(\.microunits)
        == (policy == .scaleScanReward
          ? [50_000, 62_500, 75_000, 100_000] : [200_000, 250_000, 300_000, 400_000]))
    try programme.books.sell(tins: 100_000)
    #expect(programme.board.deferring == (policy == .deferMilestones))
    try programme.turnDay()
    #expect(programme.books.health == .normal)
    #expect(!programme.board.deferring)
    #expect(programme.rewards.amount.standard.microunits == 200_000)
  }

  // MARK: - Partners

  @Test func grossProfitIsSharedFiftyFiveTwoAndTheRest() throws {
    var programme = try programme()
    try programme.books.sell(tins: 100)  // 500 of sales, 200 of gross profit
    let ledger = programme.books.ledger
    #expect(ledger.balance(.sales) == .whole(500))
    #expect(ledger.balance(.compPool) == .whole(100))
    #expect(ledger.balance(.affiliatePool) == .whole(10))
    #expect(ledger.balance(.wholesalePool) == .whole(4))
    #expect(ledger.balance(.operating) == .whole(86))
  }

  @Test func theWeeklyPoolIsOfTheWeekThatEndedAtMidnightAndIsNoSpendOfTheCompPool() throws {
    var programme = try programme()  // Monday, 2026-01-05
    let calendar = programme.books.calendar
    _ = programme.books.affiliates.add(rows: 2)
    _ = programme.books.affiliates.credit(1, lot: programme.books.chipLot)
    var received: [(Int, MicroUSDT)] = []
    func morning() throws {
      _ = try programme.openMorning(at: ProgrammeRules.mornings(calendar)[programme.books.today]) {
        row, share in
        received.append((row, share))
      }
    }
    try programme.books.sell(tins: 1_000)  // 2,000 of gross profit: a pool of 100
    try morning()
    #expect(programme.books.pools.map(\.pool) == [.zero], "the first Monday follows no week")
    for day in 1...7 {
      try programme.turnDay()
      // Sold on Monday before 05:00: that is the next week's.
      if day == 7 { try programme.books.sell(tins: 3_000) }
      try morning()
      #expect(programme.books.pools.count == (day == 7 ? 2 : 1))
    }
    let pool = programme.books.pools[1]
    #expect((pool.pool, pool.paid, pool.carry) == (.whole(100), .whole(100), .zero))
    #expect(pool.time == ProgrammeRules.mornings(calendar)[7])
    #expect(received.map(\.0) == [1] && received.map(\.1) == [.whole(100)])
    #expect(programme.books.poolAccruing == .whole(300))
    #expect(programme.books.ledger.balance(.affiliatePayable) == .whole(100))
    try programme.books.close()
    #expect(programme.books.days.allSatisfy { $0.sums.spendCash == .zero })
    #expect(programme.books.days.allSatisfy { $0.sums.spendAccrual == .zero })
  }

  @Test func withoutAWeeklyPoolNothingAccruesForOne() throws {
    var programme = try programme { $0.affiliates.weeklyPool = false }
    try programme.books.sell(tins: 1_000)
    #expect(programme.books.poolAccruing == nil)
  }

  @Test func withoutChipsEverythingIsCarriedAndAShareOfZeroIsNoPayment() throws {
    var programme = try programme { $0.economy.grossProfit = usdt(40) }
    let calendar = programme.books.calendar
    try programme.books.sell(tins: 1)  // a pool of 2 micro-USDT
    for _ in 0..<7 { try programme.turnDay() }
    try programme.books.payWeeklyPool(at: ProgrammeRules.mornings(calendar)[7])
    #expect(programme.books.pools.last?.carry == usdt(2))
    // Three holders of one chip each: a third of 2 is nothing. Another has none.
    _ = programme.books.affiliates.add(rows: 4)
    for row in 0..<3 { _ = programme.books.affiliates.credit(row, lot: programme.books.chipLot) }
    for _ in 0..<7 { try programme.turnDay() }
    try programme.books.payWeeklyPool(at: ProgrammeRules.mornings(calendar)[14])
    let pool = try #require(programme.books.pools.last)
    #expect((pool.pool, pool.chips, pool.holders) == (usdt(2), 3, 0))
    #expect((pool.paid, pool.carry) == (.zero, usdt(2)))
    #expect(programme.books.payouts[.pool].count == 0)
  }

  @Test func aWholesaleCompIsPaidByItsPoolOutOfTheWholesaleWallet() throws {
    var programme = try programme { $0.wholesale.accounts = 2 }
    let now = programme.books.calendar.start
    try programme.orderWholesale(0, tins: 9_990, at: now)
    try programme.orderWholesale(1, tins: 10, at: now)
    #expect(programme.books.payouts[.wholesale].count == 0)
    try programme.orderWholesale(0, tins: 10, at: now)
    #expect(programme.books.payouts[.wholesale].total == .whole(500))
    #expect(programme.wholesale.figures(0).chips == 1_000)
    #expect(programme.wholesale.figures(1).chips == 1)
    // 10,010 tins at a gross profit of 1.30, of which 2 % less the comp.
    #expect(programme.books.ledger.balance(.grossProfit) == .whole(-13_013))
    #expect(programme.books.ledger.balance(.wholesalePool) == usdt(260_260_000 - 500_000_000))
    #expect(programme.books.ledger.balance(.wholesalePayable) == .whole(500))
    #expect(PayoutType.wholesale.source(Prize.brief) == .wholesaleWallet)
    try programme.books.close()
    #expect(programme.books.days[0].sums.spendCash == .zero)
  }

  @Test func aWeekOfRefundsIsADebtOfThePoolThatIsPaidOffFirst() throws {
    var rules = ProgrammeRules()
    rules.economy.grossProfit = .whole(2)
    var programme = try LiveProgramme(
      rules: rules, firstDate: CivilDate(year: 2026, month: 1, day: 5))
    let mornings = ProgrammeRules.mornings(programme.books.calendar)
    for (week, tins) in [Int64(-30), 10, 40].enumerated() {
      try programme.books.sell(tins: tins)
      for _ in 0..<7 { try programme.turnDay() }
      try programme.books.payWeeklyPool(at: mornings[7 * week + 7])
    }
    // 5 % of -60, 20 and 80: a debt of 3, of which 1 is paid off, then 2 of 4.
    #expect(programme.books.pools.map(\.pool) == [.zero, .zero, .whole(2)])
    #expect(programme.books.pools.map(\.carry) == [.zero, .zero, .whole(2)])
  }

  @Test func anAffiliateWhereRewardsAreBannedGetsNoPoolShare() throws {
    var table = AffiliateTable(
      rules: ProgrammeRules().affiliates, firstDate: CivilDate(year: 2026, month: 1, day: 1))
    _ = table.add(rows: 3)
    let lot = table.lot(ofScanOn: CivilDate(year: 2026, month: 1, day: 2))
    for row in 0..<3 { _ = table.credit(row, lot: lot) }
    var shares: [Int: MicroUSDT] = [:]
    let result = try table.share(
      .whole(90), isSuspended: { $0 == 1 }, pay: { row, share in shares[row] = share })
    #expect(shares == [0: .whole(45), 2: .whole(45)])
    #expect(result.holders == 2 && result.paid == .whole(90))
  }

  @Test func aGuaranteeEarnedBeforeABanIsPaid() throws {
    let rules = ProgrammeRules().guarantee
    for (scans, topUp) in [(rules.minimumScans, MicroUSDT.whole(49)), (0, .zero)] {
      var account = MemberAccount()
      account.enroll(guarantee: true)
      var overflow = Overflow()
      let rewards = try ScanRewardTable(ProgrammeRules().scanReward, factor: BasisPoints(0))
      for _ in 0..<scans { _ = account.acceptScan(ProgrammeRules().tiers, rewards, &overflow) }
      try account.count(comp: .whole(1))
      account.suspend(true)
      let look = account.lookAtGuarantee(0, at: Instant(microseconds: 0))
      #expect(look.topUp(rules, comps: look.comps) == topUp)
      #expect(!account.guaranteePending, "a guarantee is looked at once")
    }
  }

  @Test func whoSignsUpUnderABanIsGuaranteedNothingWhileItStands() throws {
    var rules = ProgrammeRules().guarantee
    rules.minimumScans = 0
    for (atSignUp, later, topUp) in [
      (true, [], 0), (true, [true], 0), (true, [false], 50), (true, [false, true], 50),
      (false, [true], 50),
    ] as [(Bool, [Bool], Int64)] {
      var account = MemberAccount()
      account.enroll(guarantee: true)
      account.suspendAtSignUp(atSignUp)
      for isBanned in later { account.suspend(isBanned) }
      let look = account.lookAtGuarantee(0, at: Instant(microseconds: 0))
      #expect(look.topUp(rules, comps: .zero) == .whole(topUp), "\(atSignUp), then \(later)")
    }
  }

  @Test func theSunsetEngineChecksOnceADayAtFive() throws {
    var programme = try programme {
      $0.sunset.threshold = 10
      $0.sunset.days = 2
    }
    let calendar = programme.books.calendar
    #expect(programme.sunset.lastCheck == nil)
    for day in 0..<5 {
      if day > 0 { try programme.turnDay() }
      _ = try programme.openMorning(at: ProgrammeRules.mornings(calendar)[day])
      #expect(programme.sunset.lastCheck == ProgrammeRules.mornings(calendar)[day])
      // Six a day: 6 on the second morning, 12 on the third, fourth and fifth.
      #expect(programme.sunset.isActive == (day == 4))
      try programme.books.count(scans: 6)
    }
    #expect(programme.sunset.activeSince == ProgrammeRules.mornings(calendar)[4])
  }

  // MARK: - Payouts

  @Test func eachPayoutTypeIsOwedByItsPayableAndPaidFromItsTreasury() {
    let rows: [(PayoutType, LedgerAccount, Treasury)] = [
      (.prize(0), .memberPayable, .memberWallet), (.prize(3), .memberPayable, .compPoolBank),
      (.prize(4), .memberPayable, .reserveBank), (.guarantee, .memberPayable, .memberWallet),
      (.scanReward, .memberPayable, .memberWallet),
      (.chipRedemption, .memberPayable, .memberWallet),
      (.match, .affiliatePayable, .affiliateWallet), (.pool, .affiliatePayable, .affiliateWallet),
      (.wholesale, .wholesalePayable, .wholesaleWallet),
    ]
    for (type, payable, source) in rows {
      #expect(type.payable == payable)
      #expect(type.source(Prize.brief) == source)
    }
    #expect(Treasury.allCases.filter(\.isOnChain) == Treasury.wallets)
    #expect(
      Treasury.allCases.map(\.key) == [
        "wallet_member", "wallet_affiliate", "wallet_wholesale", "bank_operating", "bank_reserve",
        "bank_comp_pool",
      ])
  }

  @Test func everyPaymentIsOneCountOfThePayoutLedger() throws {
    var programme = try programme()
    let now = programme.books.calendar.start
    try programme.books.pay(.scanReward, count: 3, total: usdt(600_000), at: now)
    try programme.books.pay(.scanReward, count: 5, total: .zero, at: now)
    try programme.books.payAward(prize: 1, affiliate: 1, at: now)
    try programme.books.payAward(prize: 1, affiliate: nil, at: now)
    let payouts = programme.books.payouts
    #expect(payouts[.scanReward].count == 3, "a reward of nothing is no payment")
    #expect((payouts[.prize(1)].count, payouts[.match].count) == (2, 1))
    #expect(payouts[.match].total == .whole(210))
    #expect(try payouts.total() == usdt(2_210_600_000))
  }

  @Test func theReconciliationOfThreeWalletsIsAtFive() throws {
    var programme = try programme()
    let five = ProgrammeRules.mornings(programme.books.calendar)[0]
    let opening = programme.books.rules.treasury.opening
    var chain = SimulatedChain(opening: opening)
    try chain.carryOut(try programme.openMorning(at: five))
    try programme.books.reconcile(at: five, &chain)
    #expect(programme.books.reconciliations.map(\.wallet) == Treasury.wallets)
    #expect(programme.books.reconciliations.allSatisfy { $0.time == five && $0.balanced })
  }
}
