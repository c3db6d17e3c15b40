import BlakJaks
// Goal: every movement is a balanced posting; pools, reserve and affiliates keep their sums.
// Method: worked examples, and random days whose totals are recomputed from the flows.
import Quantities
import RewardModel
import Testing

@Suite struct BooksTests {
  private func books(
    days: Int = 40, from: String = "2026-01-05", edit: (inout ProgrammeRules) -> Void = { _ in }
  ) throws -> ProgrammeBooks {
    var rules = ProgrammeRules()
    edit(&rules)
    return try ProgrammeBooks(
      rules: rules,
      calendar: try ProgrammeCalendar(zone: "UTC", firstDate: CivilDate(from)!, days: days))
  }

  private let noon = Instant(microseconds: 1_767_614_400_000_000)

  @Test func postingsMadeAtOnceAreCountedOneByOne() throws {
    var (single, together) = (Ledger(), Ledger())
    for amount in [3, 4, 5] as [Int64] {
      try single.post(MicroUSDT(microunits: amount), from: .spent, to: .memberPayable)
    }
    try together.post(MicroUSDT(microunits: 12), from: .spent, to: .memberPayable, postings: 3)
    #expect(single == together)
    #expect(together.postings(.spent) == 3 && together.isBalanced)
    let full = MicroUSDT(microunits: .max)
    try together.post(full, from: .operating, to: .compPool)
    let before = together
    #expect(throws: MoneyError.self) {
      try together.post(full, from: .spent, to: .compPool, postings: 2)
    }
    #expect(together == before)
  }

  @Test func theTripReserveIsFortyCentsAScan() throws {
    var books = try books()
    for count in [1, 2, 499_996] as [Int64] { try books.count(scans: count) }
    #expect(books.ledger.balance(.tripReserve) == MicroUSDT(microunits: 499_999 * 400_000))
    try books.count(scans: 1)
    try books.payAward(prize: 4, affiliate: 1, at: noon)
    #expect(books.ledger.balance(.tripReserve) == .zero)
    try books.close()
    #expect(books.days[0].sums.spendCash == .whole(200_000))
    #expect(books.days[0].sums.spendAccrual == .whole(200_000))
    #expect(books.payouts[.match].count == 0)
  }

  @Test func aReferredCryptoWinEarnsTheAffiliateTwentyOnePercent() throws {
    var books = try books()
    try books.payAward(prize: 0, affiliate: 1, at: noon)
    try books.payAward(prize: 0, affiliate: nil, at: noon)
    try books.payAward(prize: 3, affiliate: 1, at: noon)
    #expect(books.payouts[.match].total == .whole(21))
    #expect(books.ledger.balance(.affiliatePayable) == .whole(21))
    #expect(books.ledger.balance(.memberPayable) == .whole(5_200))
  }

  @Test func theWeeklyPoolIsSharedByChipsAndCarriesTheRemainder() throws {
    var books = try books()
    _ = books.affiliates.add(rows: 4)
    for (row, chips) in [1_000, 300, 200].enumerated() {
      for _ in 0..<chips { _ = books.affiliates.credit(row, lot: books.chipLot) }
    }
    try books.sell(tins: 5_000)  // 10,000 gross profit, so a pool of 500
    for _ in 0..<7 { try books.turnDay() }
    try books.payWeeklyPool(at: ProgrammeRules.mornings(books.calendar)[7])
    let pool = try #require(books.pools.first)
    #expect(pool.pool == .whole(500))
    #expect(pool.chips == 1_500)
    #expect(pool.holders == 3)
    // 333.333333 + 100 + 66.666666
    #expect(pool.paid == MicroUSDT(microunits: 499_999_999))
    #expect(pool.carry == MicroUSDT(microunits: 1))
    #expect(books.payouts[.pool].count == 3)
    try books.payWeeklyPool(at: ProgrammeRules.mornings(books.calendar)[8])
    #expect(books.pools[1].pool == MicroUSDT(microunits: 1))
    #expect(books.pools[1].holders == 0)
  }

  @Test(
    "Shares of a pool are transactions of their own only where nothing is batched",
    arguments: [(0, 3), (600, 2)] as [(Int64, Int)])
  func sharesAreBatched(seconds: Int64, transactions: Int) throws {
    var books = try books {
      $0.payouts.batch = .seconds(seconds)
      $0.payouts.batchLimit = 2
    }
    _ = books.affiliates.add(rows: 3)
    for row in 0..<3 { _ = books.affiliates.credit(row, lot: books.chipLot) }
    try books.sell(tins: 5_000)
    for _ in 0..<7 { try books.turnDay() }
    let morning = ProgrammeRules.mornings(books.calendar)[7]
    try books.payWeeklyPool(at: morning)
    var amounts: [MicroUSDT] = []
    try books.payOut { (desk, _) throws(MoneyError) in
      var slots: [Int] = []
      try desk.batch(at: morning + .minutes(10), from: noon) { slots.append($0) }
      amounts = slots.map { desk[$0].amount }
    }
    #expect(amounts.count == transactions)
    // 500 shared by three.
    let third = MicroUSDT(microunits: 166_666_666)
    #expect(amounts[0] == (transactions == 3 ? third : try third.multiplied(by: 2)))
    #expect(amounts[transactions - 1] == third)
  }

  @Test func chipsExpireWithTheMonthThatHoldsTheirLastDay() throws {
    var books = try books(days: 460, from: "2026-02-27")
    _ = books.affiliates.add()
    // 2026-02-27 + 365 days is in February 2027, 2026-03-01 + 365 in March.
    _ = books.affiliates.credit(0, lot: books.chipLot)
    try books.turnDay()
    try books.turnDay()
    _ = books.affiliates.credit(0, lot: books.chipLot)
    while books.calendar.dates[books.today] < CivilDate("2027-02-28")! { try books.turnDay() }
    #expect(books.affiliates.chips(0) == 2)
    try books.turnDay()
    #expect(books.affiliates.chips(0) == 1)
    while books.calendar.dates[books.today] < CivilDate("2027-03-31")! { try books.turnDay() }
    #expect(books.affiliates.chips(0) == 1)
    try books.turnDay()
    #expect(books.affiliates.chips(0) == 0)
    #expect(books.affiliates.chipsIssued == 2)
  }

  @Test("The ledger's sum is zero after every posting", arguments: UInt64(0)..<20)
  func zeroSum(seed: UInt64) throws {
    var books = try books()
    var state = seed | 1
    func random(_ bound: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % bound)
    }
    var tins: Int64 = 0
    for _ in 0..<400 {
      switch random(5) {
      case 0:
        let sold = random(7)
        tins += sold
        try books.sell(tins: sold)
      case 1: try books.count(scans: random(900))
      case 2:
        try books.pay(
          .scanReward, count: 3, total: MicroUSDT(microunits: random(999_999)), at: noon)
      case 3:
        try books.pay(
          .guarantee, count: 1, total: MicroUSDT(microunits: random(50_000_000)), at: noon)
      default:
        try books.payAward(prize: Int(random(4)), affiliate: random(2) == 0 ? 1 : nil, at: noon)
      }
      #expect(books.ledger.isBalanced, "replay: seed \(seed)")
    }
    // Small sales lose nothing to rounding: the pools hold their share of the total.
    #expect(books.ledger.balance(.wholesalePool) == MicroUSDT(microunits: tins * 40_000))
    #expect(books.ledger.balance(.grossProfit) == MicroUSDT(microunits: -tins * 2_000_000))
  }

  @Test func moneyThatLeavesItsRangeIsRefused() throws {
    var books = try books()
    #expect(throws: MoneyError.self) { try books.sell(tins: .max / 4) }
    try books.sell(tins: 1_500_000_000_000)
    #expect(throws: MoneyError.self) { try books.sell(tins: 1_500_000_000_000) }
    var ledger = Ledger()
    try ledger.post(MicroUSDT(microunits: .max), from: .operating, to: .compPool)
    #expect(throws: MoneyError.self) {
      try ledger.post(MicroUSDT(microunits: 1), from: .operating, to: .compPool)
    }
    #expect(ledger.balance(.compPool) == MicroUSDT(microunits: .max))
    #expect(ledger.isBalanced)
  }

  @Test("A sale that is taken back leaves no trace", arguments: UInt64(0)..<20)
  func refundsReverseExactly(seed: UInt64) throws {
    var books = try books { $0.economy.grossProfit = MicroUSDT(microunits: 1_999_999) }
    var state = seed | 1
    func random(_ bound: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % bound)
    }
    var plain = books
    var open: [Int64] = []
    for _ in 0..<200 {
      let tins = random(9) + 1
      try books.sell(tins: tins)
      if random(3) == 0 { open.append(tins) } else { try plain.sell(tins: tins) }
      if random(4) == 0, let tins = open.popLast() { try books.sell(tins: -tins) }
    }
    for tins in open { try books.sell(tins: -tins) }
    // What is given back is owed until the morning.
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    try books.sweep(&chain)
    try plain.sweep(&chain)
    #expect(books.shopDebts.paid > .zero)
    for account in LedgerAccount.allCases {
      #expect(
        books.ledger.balance(account) == plain.ledger.balance(account),
        "\(account.key); replay: seed \(seed)")
    }
    try books.close()
    try plain.close()
    #expect(books.months == plain.months)
  }

  @Test func aWholesaleTinEarnsItsOwnProfitAtTheSameCost() throws {
    var books = try books()
    try books.sellWholesale(tins: 1_000)
    #expect(books.ledger.balance(.sales) == .whole(4_300))
    #expect(books.ledger.balance(.costOfGoods) == .whole(-3_000))
    #expect(books.ledger.balance(.compPool) == .whole(650))
    #expect(books.tinsSold == 1_000)
  }

  @Test func sharesOfThePayoutLedgerRoundDown() throws {
    var ledger = PayoutLedger(prizes: Prize.brief)
    #expect(
      ledger.lines.map(\.id) == [
        "Crypto $100", "Crypto $1K", "Crypto $10K", "Trip $200K", "Casino", "guarantee",
        "match", "pool", "wholesale", "scan_reward", "chips",
      ])
    try ledger.enter(.prize(0), total: .whole(1))
    try ledger.enter(.scanReward, count: 2, total: .whole(2))
    let total = try ledger.total()
    #expect(ledger.shareBasisPoints(ledger[.prize(0)], of: total) == 3_333)
    #expect(ledger.shareBasisPoints(ledger[.scanReward], of: total) == 6_666)
  }
}
