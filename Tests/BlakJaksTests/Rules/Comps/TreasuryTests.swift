import BlakJaks
// Goal: sweeps fund the wallets and overdraw nothing; the morning's comparison with the chain
// finds what went wrong, to the micro.
// Method: worked days of books, the chain's faults one at a time with the difference worked out
// by hand, and random days whose treasuries are checked against what went in and out.
import Quantities
import RewardModel
import Testing

@Suite struct TreasuryTests {
  private func books(edit: (inout ProgrammeRules) -> Void = { _ in }) throws -> ProgrammeBooks {
    var rules = ProgrammeRules()
    edit(&rules)
    return try ProgrammeBooks(
      rules: rules,
      calendar: try ProgrammeCalendar(zone: "UTC", firstDate: CivilDate("2026-01-05")!, days: 40))
  }

  private func morning(_ books: ProgrammeBooks) -> Instant {
    ProgrammeRules.mornings(books.calendar)[books.today]
  }

  /// Pays everything that was promised, at once.
  private func payAll(
    _ books: inout ProgrammeBooks, _ chain: inout SimulatedChain, fault: ChainFault? = nil,
    lateUntil: Instant = .distantPast
  ) throws {
    let start = books.calendar.start
    try books.payOut { (desk, ledger) throws(MoneyError) in
      var slots: [Int] = []
      try desk.batch(at: start + .days(40), from: start) { slots.append($0) }
      for slot in slots {
        guard try desk.begin(slot, holding: ledger.holding(desk[slot].source)) else { continue }
        let source = desk[slot].source
        let cost = try desk.cost(slot)
        try desk.confirm(slot, &ledger)
        guard source.isOnChain else { continue }
        try chain.pay(
          cost, from: source, fault: fault, extraFee: .whole(3), lateUntil: lateUntil)
      }
    }
  }

  @Test func theOwnersMoneyIsThereAtTheStart() throws {
    let books = try books()
    let chain = SimulatedChain(opening: books.rules.treasury.opening)
    #expect(books.holding(.memberWallet) == .whole(25_000))
    #expect(books.holding(.operatingBank) == .whole(250_000))
    #expect(chain.balance(.affiliateWallet) == .whole(5_000))
    #expect(books.ledger.balance(.equity) == .whole(310_000))
    #expect(books.ledger.isBalanced)
  }

  @Test func aSweepMovesThePoolsShareAndTheReserveAndFillsTheWallets() throws {
    var books = try books { $0.treasury.opening.memberWallet = .whole(100) }
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    try books.sell(tins: 100_000)  // 200,000 gross profit, 100,000 for the pool
    try books.count(scans: 50_000)  // 20,000 for the trip
    try books.pay(.scanReward, count: 50_000, total: .whole(10_000), at: morning(books))
    try books.sweep(&chain)
    #expect(books.holding(.reserveBank) == .whole(20_000))
    // What is owed, and the gas of 100 transactions of 500 rewards.
    #expect(books.holding(.memberWallet) == .whole(10_001))
    // 25,000 at the start + 100,000 - 20,000 - 9,901.
    #expect(books.holding(.compPoolBank) == .whole(95_099))
    // 250,000 + 500,000 - 300,000 - 100,000.
    #expect(books.holding(.operatingBank) == .whole(350_000))
    let before = Treasury.allCases.map { books.holding($0) }
    try books.sweep(&chain)
    #expect(Treasury.allCases.map { books.holding($0) } == before)
  }

  @Test func walletsCoverTwoDaysOfWhatTheyPaid() throws {
    var books = try books { $0.treasury.opening.memberWallet = .whole(20_000) }
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    try books.pay(.scanReward, count: 10, total: .whole(12_000), at: books.calendar.start)
    try payAll(&books, &chain)
    try books.sweep(&chain)
    #expect(books.holding(.memberWallet) == .whole(24_000))
  }

  @Test(arguments: [0, 2] as [Int64])
  func whatAWalletOwesIsPaidAfterOneSweepWhereItPaidNothingBefore(coverDays: Int64) throws {
    for (type, limit, batch) in [
      (PayoutType.pool, 500, 600), (.wholesale, 7, 600), (.scanReward, 3, 0),
    ] as [(PayoutType, Int64, Int64)] {
      var books = try books {
        $0.treasury.coverDays = coverDays
        $0.treasury.opening.memberWallet = .zero
        $0.treasury.opening.affiliateWallet = .zero
        $0.treasury.opening.wholesaleWallet = .zero
        $0.payouts.batchLimit = limit
        $0.payouts.batch = .seconds(batch)
      }
      let start = books.calendar.start
      func promise(_ count: Int) throws {
        for member in 0..<count {
          try books.pay(type, total: .whole(9), at: start, to: UInt32(member))
        }
      }
      /// Makes transactions of all promises, and pays what the wallets hold.
      func payOpen() throws {
        try books.payOut { (desk, ledger) throws(MoneyError) in
          try desk.batch(at: start + .days(1), from: start) { _ in }
          for (slot, status) in desk.open where status != .paid {
            if try desk.begin(slot, holding: ledger.holding(desk[slot].source)) {
              try desk.confirm(slot, &ledger)
            }
          }
        }
      }
      try promise(11)
      try payOpen()
      #expect(books.desk.paid.count == 0 && books.desk.waitingForFunds > 0)
      try promise(20)
      _ = try books.sweep()
      try payOpen()
      #expect(books.desk.paid.count == 31, "\(type)")
      #expect(books.holding(type.source(Prize.brief)) == .zero, "\(type)")
    }
  }

  @Test func aTripPaidFromTheReserveDoesNotSwellTheMemberWallet() throws {
    var books = try books { $0.treasury.opening.reserveBank = .whole(200_000) }
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    try books.count(scans: 500_000)
    try books.payAward(prize: 4, affiliate: 1, at: books.calendar.start)
    try payAll(&books, &chain)
    #expect(books.holding(.reserveBank) == .zero)
    try books.sweep(&chain)
    #expect(books.holding(.memberWallet) == .whole(25_000))
    #expect(books.ledger.balance(.memberPayable) == .zero)
  }

  @Test(arguments: [true, false])
  func operatingMakesUpWhatTheCompPoolLacksWhereItMay(_ backs: Bool) throws {
    var books = try books {
      $0.treasury.operatingBacks = backs
      $0.treasury.opening.memberWallet = .zero
      $0.treasury.opening.compPoolBank = .whole(1_000)
    }
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    try books.pay(.guarantee, count: 100, total: .whole(5_000), at: books.calendar.start)
    try books.sweep(&chain)
    // With the gas of one transaction.
    let wallet = backs ? MicroUSDT(microunits: 5_000_010_000) : .whole(1_000)
    #expect(books.holding(.memberWallet) == wallet)
    #expect(books.holding(.compPoolBank) == .zero)
    let operating = backs ? MicroUSDT(microunits: 245_999_990_000) : .whole(250_000)
    #expect(books.holding(.operatingBank) == operating)
  }

  @Test(
    arguments: [
      (10_000_000, true), (10_000_001, false), (-10_000_000, true), (-10_000_001, false),
    ] as [(Int64, Bool)])
  func aDifferenceUpToTheToleranceIsBalanced(_ difference: Int64, _ balanced: Bool) throws {
    let row = try Reconciliation(
      time: Instant(microseconds: 0), wallet: .memberWallet, ledger: .whole(100),
      chain: MicroUSDT(microunits: 100_000_000 + difference), tolerance: .whole(10))
    #expect(row.difference == MicroUSDT(microunits: difference))
    #expect(row.balanced == balanced)
  }

  @Test func withoutFaultsChainAndLedgerAgreeToTheMicro() throws {
    var books = try books()
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    for _ in 0..<10 {
      try books.pay(.scanReward, count: 7, total: .whole(70), at: books.calendar.start)
      try payAll(&books, &chain)
      try books.sweep(&chain)
      try books.reconcile(at: morning(books), &chain)
      try books.turnDay()
    }
    #expect(books.reconciliations.count == 30)
    #expect(books.reconciliations.allSatisfy { $0.difference == .zero && $0.balanced })
  }

  @Test(
    arguments: [
      (.unbookedFee, -3_000_000), (.failed, 100_010_000), (.duplicated, -100_010_000),
      (.late, 100_010_000),
    ] as [(ChainFault, Int64)])
  func eachFaultShowsItsOwnDifference(_ fault: ChainFault, _ difference: Int64) throws {
    var books = try books { $0.treasury.booksDifferences = false }
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    try books.payAward(prize: 0, affiliate: nil, at: books.calendar.start)
    let five = morning(books)
    try payAll(&books, &chain, fault: fault, lateUntil: five + .hours(1))
    try books.reconcile(at: five, &chain)
    let row = books.reconciliations[0]
    #expect(row.difference == MicroUSDT(microunits: difference))
    #expect(row.balanced == (fault == .unbookedFee))
    try books.reconcile(at: five + .days(1), &chain)
    let settled = fault == .late
    #expect(books.reconciliations[3].difference.microunits == (settled ? 0 : difference))
    #expect(chain.faults.reduce(0, +) == 1)
  }

  @Test func aDifferenceIsBookedOnTheNextMorningAndALateOneIsNot() throws {
    for fault in [ChainFault.failed, .late] {
      var books = try books()
      var chain = SimulatedChain(opening: books.rules.treasury.opening)
      try books.payAward(prize: 0, affiliate: nil, at: books.calendar.start)
      let five = morning(books)
      try payAll(&books, &chain, fault: fault, lateUntil: five + .hours(1))
      try books.reconcile(at: five, &chain)
      try books.reconcile(at: five + .days(1), &chain)
      #expect(!books.reconciliations[0].balanced)
      #expect(books.reconciliations[3].difference == .zero)
      let booked = fault == .failed ? 100_010_000 : 0 as Int64
      #expect(books.ledger.balance(.chainDifference).microunits == booked)
    }
  }

  @Test func theChainNeverGoesNegative() throws {
    var opening = OpeningBalances()
    opening.memberWallet = .whole(10)
    var chain = SimulatedChain(opening: opening)
    try chain.pay(.whole(8), from: .memberWallet, fault: .duplicated)
    #expect(chain.balance(.memberWallet) == .whole(2))
    #expect(chain.reverted == 1)
  }

  @Test("No treasury is overdrawn, whatever the days bring", arguments: UInt64(0)..<20)
  func neverNegative(seed: UInt64) throws {
    var state = seed | 1
    func random(_ bound: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % bound
    }
    var books = try books {
      $0.treasury.opening.operatingBank = .whole(500)
      $0.treasury.opening.memberWallet = .whole(50)
      $0.treasury.operatingBacks = seed % 2 == 0
    }
    var chain = SimulatedChain(opening: books.rules.treasury.opening)
    var short = 0
    for _ in 0..<30 {
      try books.sell(tins: random(400))
      try books.count(scans: random(300))
      try books.pay(
        .scanReward, count: 3, total: MicroUSDT(microunits: random(400_000_000)),
        at: books.calendar.start)
      if random(3) == 0 {
        try books.payAward(prize: 0, affiliate: 1, at: books.calendar.start)
      }
      try payAll(&books, &chain, fault: random(4) == 0 ? .duplicated : nil)
      try books.sweep(&chain)
      try books.reconcile(at: morning(books), &chain)
      short += books.desk.waitingForFunds > 0 ? 1 : 0
      for treasury in Treasury.allCases {
        #expect(books.holding(treasury) >= .zero, "\(treasury.key); replay: seed \(seed)")
      }
      #expect(books.ledger.isBalanced)
      try books.turnDay()
    }
    #expect(short > 0, "no payout ever waited for funds; replay: seed \(seed)")
  }
}
