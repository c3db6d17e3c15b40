import BlakJaks
// Goal: no bank goes below zero: refunds and carriage are owed until the morning, Reserve tops
// Operating up by a posting of its own, and what both cannot carry waits.
// Method: mornings worked out by hand, and random days next to two accounts kept in plain integers.
import Quantities
import RewardModel
import Testing

@Suite struct BankTests {
  private func books(
    operating: Int64 = 0, reserve: Int64 = 0, edit: (inout ProgrammeRules) -> Void = { _ in }
  ) throws -> ProgrammeBooks {
    var rules = ProgrammeRules()
    rules.treasury.opening.operatingBank = .whole(operating)
    rules.treasury.opening.reserveBank = .whole(reserve)
    rules.treasury.opening.compPoolBank = .whole(1_000_000)
    rules.treasury.float = .zero
    edit(&rules)
    return try ProgrammeBooks(rules: rules, firstDate: CivilDate("2026-01-05")!)
  }

  private func carriage(_ amount: Int64, _ books: inout ProgrammeBooks) throws {
    try books.bookShop(shipping: .zero, tax: .zero, carriage: .whole(amount))
  }

  @Test func whatIsGivenBackIsOwedUntilTheMorning() throws {
    var books = try books(operating: 100)
    try books.sell(tins: 30)
    try books.bookShop(shipping: .whole(3), tax: .whole(9), carriage: .zero)
    #expect(books.holding(.operatingBank) == .whole(100 + 60 + 3 + 9))
    // The goods are there again at once: their cost of 3 a tin is back, their price is owed.
    try books.sell(tins: -20)
    try books.bookShop(shipping: .whole(-3), tax: .whole(-6), carriage: .whole(7))
    #expect(books.holding(.operatingBank) == .whole(172 + 60))
    #expect(books.shopOwes == .whole(100 + 3 + 6 + 7))
    #expect(books.ledger.balance(.sales) == .whole(50))
    #expect(books.ledger.balance(.shippingIncome) == .zero)
    #expect(books.ledger.balance(.salesTax) == .whole(3))
    #expect(books.ledger.balance(.carriage) == .whole(-7))
    _ = try books.sweep()
    #expect(books.shopOwes == .zero)
    // Less the comp pool's half of a gross profit of 20.
    #expect(books.holding(.operatingBank) == .whole(232 - 116 - 10))
    #expect(books.shopDebts == ShopDebts(paid: .whole(116)))
    #expect(books.ledger.isBalanced)
  }

  @Test func whatOperatingCannotCarryIsToppedUpFromReserveByAPostingOfItsOwn() throws {
    var books = try books(operating: 20, reserve: 1_000)
    try carriage(300, &books)
    let postings = books.ledger.postings(.bankReserve)
    _ = try books.sweep()
    #expect(books.ledger.postings(.bankReserve) == postings + 1)
    #expect(books.ledger.postings(.shopPayable) == 2)
    #expect(books.holding(.operatingBank) == .zero)
    #expect(books.holding(.reserveBank) == .whole(720))
    #expect(books.shopOwes == .zero)
    #expect(
      books.shopDebts
        == ShopDebts(
          paid: .whole(300), shortfall: .whole(280), toppedUp: .whole(280), lent: .whole(280)))
  }

  @Test func whatBothCannotCarryWaitsForTheNextMorning() throws {
    var books = try books(operating: 20, reserve: 50)
    try carriage(300, &books)
    _ = try books.sweep()
    #expect(books.shopOwes == .whole(230))
    #expect(books.shopDebts.shortfall == .whole(280))
    #expect(books.holding(.operatingBank) == .zero)
    #expect(books.holding(.reserveBank) == .zero)
    try carriage(10, &books)
    _ = try books.sweep()
    #expect(books.shopOwes == .whole(240))
    #expect(books.shopDebts.shortfall == .whole(240))
    #expect(books.shopDebts.toppedUp == .whole(50))
    #expect(books.shopDebts.paid == .whole(70))
    // 200 tins bring 400: what is owed, what was lent, and the rest for the comp pool.
    try books.sell(tins: 200)
    _ = try books.sweep()
    #expect(books.shopOwes == .zero)
    #expect(books.shopDebts.shortfall == .zero)
    #expect(books.holding(.reserveBank) == .whole(50))
    #expect(books.shopDebts.lent == .zero)
    #expect(books.holding(.operatingBank) == .zero)
    #expect(books.holding(.compPoolBank) == .whole(1_000_000 + 110))
  }

  @Test func aTripUnderWayKeepsItsMoneyInReserve() throws {
    var books = try books(reserve: 200_000)
    try books.count(scans: 500_000)
    try books.payAward(prize: 4, affiliate: nil, at: Instant(microseconds: 0))
    try books.payOut { (desk, ledger) throws(MoneyError) in
      var slots: [Int] = []
      try desk.batch(at: .distantFuture, from: Instant(microseconds: 0)) { slots.append($0) }
      for slot in slots { _ = try desk.begin(slot, holding: ledger.holding(desk[slot].source)) }
    }
    try carriage(300, &books)
    // The sweep fills Reserve with what was set aside after it has looked for a top-up.
    _ = try books.sweep()
    #expect(books.shopDebts.toppedUp == .zero)
    #expect(books.shopOwes == .whole(300))
    _ = try books.sweep()
    #expect(books.shopDebts.toppedUp == .whole(300))
    #expect(books.shopOwes == .zero)
  }

  @Test(arguments: [0, 10_000] as [Int64])
  func aSweepLeavesTheFloatInOperatingAndTheNextMovesWhatWasMissing(_ float: Int64) throws {
    var books = try books(operating: 1_000) {
      $0.treasury.float = .whole(float)
      $0.compPool.share = BasisPoints(10_000)
      $0.compPool.affiliateShare = BasisPoints(0)
      $0.compPool.wholesaleShare = BasisPoints(0)
    }
    try books.sell(tins: 100_000)
    _ = try books.sweep()
    let moved = min(200_000, 201_000 - float)
    #expect(books.holding(.operatingBank) == .whole(201_000 - moved))
    #expect(books.holding(.compPoolBank) == .whole(1_000_000 + moved))
    // Shipping of 12,000 is nobody's profit: Operating can move what it kept back.
    try books.bookShop(shipping: .whole(12_000), tax: .zero, carriage: .zero)
    _ = try books.sweep()
    #expect(books.holding(.compPoolBank) == .whole(1_200_000))
    #expect(books.holding(.operatingBank) == .whole(13_000))
  }

  @Test func theReserveOfATripIsMovedWhenTheMoneyComes() throws {
    var books = try books {
      $0.treasury.opening.compPoolBank = .zero
      $0.compPool.share = BasisPoints(0)
    }
    try books.count(scans: 1_000)  // 400 for the trip
    _ = try books.sweep()
    #expect(books.holding(.reserveBank) == .zero)
    try books.sell(tins: 500)
    _ = try books.sweep()
    #expect(books.holding(.reserveBank) == .whole(400))
  }

  @Test(arguments: [true, false])
  func aCasinoCompIsPaidFromACompPoolAccountThatKeepsWhatItOwes(_ backs: Bool) throws {
    var books = try books(operating: 7_000) {
      $0.treasury.opening.compPoolBank = .whole(3_000)
      $0.treasury.opening.memberWallet = .zero
      $0.treasury.operatingBacks = backs
      $0.payouts.gas = .zero
    }
    let start = Instant(microseconds: 0)
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
    try books.payAward(prize: 3, affiliate: nil, at: start)  // 5,000
    try books.pay(.guarantee, count: 100, total: .whole(4_000), at: start)
    try books.sell(tins: -100)  // Gross profit that is given back takes no money from it either.
    _ = try books.sweep()
    #expect(books.holding(.compPoolBank) == .whole(backs ? 5_000 : 3_000))
    #expect(books.holding(.memberWallet) == .whole(backs ? 4_000 : 0))
    try payOpen()
    #expect(books.desk.paid.amount == .whole(backs ? 9_000 : 0))
    #expect(books.holding(.compPoolBank) == .whole(backs ? 0 : 3_000))
    // Without backing it is paid when the pool's share of what is sold has come.
    try books.sell(tins: 3_000)
    _ = try books.sweep()
    try payOpen()
    #expect(books.desk.waitingForFunds == (backs ? 0 : 1))
    #expect(books.ledger.isBalanced)
  }

  @Test func whatIsOwedOverflowsNoSum() throws {
    var books = try books()
    let most = MicroUSDT(microunits: .max)
    try books.bookShop(shipping: .zero, tax: .zero, carriage: most)
    _ = try books.sweep()
    #expect(books.shopOwes == most)
    #expect(throws: MoneyError.self) {
      try books.bookShop(shipping: .zero, tax: .zero, carriage: MicroUSDT(microunits: 1))
    }
    #expect(throws: MoneyError.self) {
      try books.bookShop(shipping: MicroUSDT(microunits: .min), tax: .zero, carriage: .zero)
    }
    #expect(books.ledger.isBalanced)
  }

  @Test("Two plain accounts agree, whatever the days bring", arguments: UInt64(0)..<40)
  func plainAccounts(seed: UInt64) throws {
    var state = seed &* 2_862_933_555_777_941_757 | 1
    func random(_ bound: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % bound
    }
    let (operating, reserve, float) = (random(300), random(200), random(3) * 60)
    var books = try books(operating: operating, reserve: reserve) {
      $0.treasury.float = .whole(float)
      $0.economy.grossProfit = MicroUSDT(microunits: 1_999_999)
      $0.compPool.share = BasisPoints(random(9_000))
    }
    let rules = books.rules
    var plain = PlainBanks(
      operating: operating * 1_000_000, reserve: reserve * 1_000_000, float: float * 1_000_000)
    let price = rules.economy.price.microunits
    let cost = price - rules.economy.grossProfit.microunits
    var (tins, scans, short) = (Int64(0), Int64(0), 0)
    for _ in 0..<60 {
      for _ in 0..<random(6) {
        let sold = random(40)
        let extra = random(9_000_001)
        try books.sell(tins: sold)
        try books.bookShop(
          shipping: MicroUSDT(microunits: extra), tax: MicroUSDT(microunits: extra / 3),
          carriage: .zero)
        tins += sold
        plain.operating += sold * (price - cost) + extra + extra / 3
        if random(2) == 0 {
          try books.sell(tins: -sold)
          let sent = random(2)
          try books.bookShop(
            shipping: MicroUSDT(microunits: -extra), tax: MicroUSDT(microunits: -(extra / 3)),
            carriage: .whole(sent))
          tins -= sold
          plain.operating += sold * cost
          plain.owed += sold * price + extra + extra / 3 + sent * 1_000_000
        }
      }
      let accepted = random(100)
      try books.count(scans: accepted)
      scans += accepted
      _ = try books.sweep()
      let profit = tins * (price - cost)
      plain.openMorning(
        share: portion(profit, rules.compPool.share.rawValue, of: 10_000),
        trips: portion(200_000_000_000, scans, of: 500_000))
      let debts = books.shopDebts
      let seen = [
        books.holding(.operatingBank), books.holding(.reserveBank), books.shopOwes,
        debts.shortfall, debts.toppedUp, debts.lent,
      ].map(\.microunits)
      let expected = [
        plain.operating, plain.reserve, plain.owed, plain.short, plain.put, plain.lent,
      ]
      #expect(seen == expected, "replay: seed \(seed)")
      #expect(Treasury.allCases.allSatisfy { books.holding($0) >= .zero }, "seed \(seed)")
      short += debts.shortfall > .zero ? 1 : 0
      try books.turnDay()
    }
    if seed < 10 { #expect(short < 60, "replay: seed \(seed)") }
  }
}
