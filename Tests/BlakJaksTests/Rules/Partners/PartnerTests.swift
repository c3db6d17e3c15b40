import BlakJaks
// Goal: wholesale accounts earn by lifetime tins; the sunset engine closes the doors once.
// Method: worked examples at the boundaries; random orders and days recounted from scratch.
import Quantities
import Testing

@Suite struct WholesaleDeskTests {
  private func desk(_ accounts: Int, _ edit: (inout WholesaleRules) -> Void = { _ in })
    -> WholesaleDesk
  {
    var rules = WholesaleRules()
    rules.accounts = accounts
    edit(&rules)
    return WholesaleDesk(rules: rules)
  }

  @Test func aCompIsWonAtEachMultipleOfLifetimeTins() throws {
    var desk = desk(2)
    #expect(
      try desk.order(0, tins: 9_999)
        == WholesaleEarning(chips: 999, comps: 0, amount: .zero))
    #expect(
      try desk.order(0, tins: 1) == WholesaleEarning(chips: 1, comps: 1, amount: .whole(500)))
    #expect(try desk.order(0, tins: 9_999).comps == 0)
    // Several at once, counted for the account that ordered.
    #expect(
      try desk.order(1, tins: 29_999)
        == WholesaleEarning(chips: 2_999, comps: 2, amount: .whole(1_000)))
    #expect(try desk.order(1, tins: 10_001).comps == 2)
    #expect(desk.figures(0).tins == 19_999)
    #expect(desk.total.comps == 5)
    #expect(desk.active == 2)
  }

  @Test("Order sizes lose no chip and no comp", arguments: UInt64(0)..<20)
  func randomOrders(seed: UInt64) throws {
    var state = seed &* 2 &+ 1
    func random(_ bound: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % bound)
    }
    var desk = desk(4) { $0.compEvery = 137 }
    var orders = [[Int64]](repeating: [], count: 4)
    var paid = MicroUSDT.zero
    for _ in 0..<300 {
      let account = Int(random(3))
      let tins = random(400) + 1
      orders[account].append(tins)
      paid = try paid.adding(desk.order(account, tins: tins).amount)
    }
    for account in 0..<4 {
      let tins = orders[account].reduce(0, +)
      let figures = desk.figures(account)
      #expect(figures.orders == Int64(orders[account].count))
      #expect((figures.tins, figures.chips, figures.comps) == (tins, tins / 10, tins / 137))
    }
    let all = (0..<4).map { desk.figures($0) }
    #expect(desk.total.orders == 300)
    #expect(desk.total.tins == all.reduce(0) { $0 + $1.tins })
    #expect(desk.total.chips == all.reduce(0) { $0 + $1.chips })
    #expect(paid == .whole(500 * all.reduce(0) { $0 + $1.comps }))
    #expect(desk.active == 3, "the last account never ordered")
  }

  @Test func compsThatLeaveTheRangeOfMoneyAreRefusedAndNotCounted() throws {
    var desk = desk(1) {
      $0.compEvery = 1
      $0.compAmount = .whole(1_000_000_000)
    }
    #expect(throws: MoneyError.self) { try desk.order(0, tins: 10_000) }
    #expect(desk.total == WholesaleFigures())
    #expect(try desk.order(0, tins: 9_000).comps == 9_000)
  }

  @Test func anOrderOfNothingStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var rules = WholesaleRules()
      rules.accounts = 1
      var desk = WholesaleDesk(rules: rules)
      _ = try desk.order(0, tins: 0)
    }
  }
}

@Suite struct SunsetEngineTests {
  private func engine(_ edit: (inout SunsetRules) -> Void) -> SunsetEngine {
    var rules = SunsetRules()
    edit(&rules)
    return SunsetEngine(rules: rules)
  }

  private func five(_ day: Int) -> Instant {
    Instant(microseconds: 0) + .days(Int64(day)) + .hours(5)
  }

  @Test func itTurnsActiveAtTheThirdCheckRunningAndStaysSo() {
    var engine = engine {
      $0.threshold = 100
      $0.days = 2
    }
    #expect(engine.lastCheck == nil && !engine.isActive)
    var activated: [Int] = []
    // Trailing sums: 50 100 100 99 100 100 100 50 0.
    for (day, accepted) in ([50, 50, 50, 49, 51, 49, 51, -1, 0] as [Int64]).enumerated() {
      engine.closeDay(accepted: max(0, accepted))
      let closes = engine.closesAtNextCheck
      if engine.check(at: five(day)) { activated.append(day) }
      #expect(closes == (activated.last == day), "known before day \(day)'s check")
      #expect(engine.lastCheck == five(day))
    }
    #expect(activated == [6])
    #expect(engine.activeSince == five(6))
    #expect(engine.isActive)
    #expect(engine.trailing == 0 && engine.streak == 0)
  }

  @Test func aDisabledEngineNeverChecks() {
    var engine = engine {
      $0.enabled = false
      $0.threshold = 1
      $0.checks = 1
    }
    engine.closeDay(accepted: 5)
    let turned = engine.check(at: five(0))
    #expect(!turned)
    #expect(engine.lastCheck == nil && !engine.isActive)
    #expect(engine.trailing == 5)
  }

  @Test("The trailing count is that of the last days", arguments: [1, 2, 7, 90])
  func trailing(days: Int) {
    var engine = engine {
      $0.days = days
      $0.threshold = Int64(days) * 500
      $0.checks = 2
    }
    var counts: [Int64] = []
    var streak = 0
    var since: Int?
    var state: UInt64 = 3
    for day in 0..<400 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      counts.append(Int64((state >> 33) % 1_001))
      engine.closeDay(accepted: counts[day])
      let sum = counts.suffix(days).reduce(0, +)
      #expect(engine.trailing == sum)
      streak = sum >= Int64(days) * 500 ? streak + 1 : 0
      let turned = engine.check(at: five(day))
      #expect(turned == (since == nil && streak == 2))
      if turned { since = day }
      #expect(engine.streak == streak)
    }
    #expect(since != nil && engine.activeSince == since.map(five))
  }

  @Test func theDefaultsAreThoseOfTheProgramme() {
    let rules = SunsetRules()
    #expect(rules.enabled)
    #expect((rules.threshold, rules.days, rules.checks) == (10_000_000, 90, 3))
  }
}

@Suite struct AffiliateChipTests {
  @Test(
    "Chips held are those of a plain list after any scans and months", arguments: UInt64(0)..<20)
  func plainList(seed: UInt64) {
    var state = seed &* 2 &+ 1
    func random(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    var rules = ProgrammeRules().affiliates
    rules.chipsPerScan = 3
    rules.chipDays = 40 + random(100)
    let first = CivilDate("2026-01-15")!
    var table = AffiliateTable(rules: rules, firstDate: first)
    _ = table.add(rows: 5)
    // The affiliate and the last month, counted from the year 0, of each chip.
    var chips: [(row: Int, month: Int)] = []
    var issued = 0
    var expired = 0
    for day in 0..<500 {
      let date = first.adding(days: day)
      let month = date.year * 12 + date.month
      if date.day == 1 {
        table.turnMonth(to: date)
        expired += chips.count { $0.month < month }
        chips.removeAll { $0.month < month }
      }
      for _ in 0..<random(4) {
        let row = random(5)
        let last = date.adding(days: rules.chipDays)
        _ = table.credit(row, lot: table.lot(ofScanOn: date))
        chips += Array(repeating: (row, last.year * 12 + last.month), count: 3)
        issued += 3
      }
      #expect(table.chipsHeld == Int64(chips.count), "replay: seed \(seed), day \(day)")
      #expect(
        (0..<5).allSatisfy { row in
          table.chips(row) == Int64(chips.count { $0.row == row })
        })
    }
    #expect(table.chipsIssued == Int64(issued) && expired > 0 && !chips.isEmpty)
  }
}
