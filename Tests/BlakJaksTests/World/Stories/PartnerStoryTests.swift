// Goal: affiliate-frenzy and wholesale-wave tell their stories: what partners cost, and when the
// doors close.
// Method: each scenario at reduced size against closed forms, a recount from the daily rows, a
// second writing of the wholesale orders, and the same run with the doors left open.
import BlakJaks
import Population
import Quantities
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct PartnerStoryTests {
  private static let threshold: Int64 = 4_000
  /// Run once for all tests, as are the orders below.
  private static let frenzied = Result {
    try told(try frenzy("rules.sunset.threshold=\(threshold)"))
  }
  private static let waves = Result { try told(try wave()) }

  private static func frenzy(_ override: String) throws -> Scenario {
    try story("affiliate-frenzy", "population.members=800", "calendar.window=24 h", override)
  }

  /// The first day at whose 05:00 the trailing 90 days reach the threshold for the third time
  /// running.
  private func closing(_ record: BlakJaksRecord) -> Int? {
    let accepted = record.days.map(\.acceptedScans)
    func reaches(_ day: Int) -> Bool {
      accepted[max(0, day - 90)..<day].reduce(0, +) >= Self.threshold
    }
    return accepted.indices.dropFirst(2).first { day in
      (0...2).allSatisfy { reaches(day - $0) }
    }
  }

  @Test func theDoorsCloseOnTheThirdCheckAndNobodyIsReferredAfterwards() throws {
    let closed = try Self.frenzied.get()
    let day = try #require(closing(closed))
    #expect((120..<330).contains(day), "closed on day \(day)")
    #expect(
      try closed.values("sunset.active")
        == closed.days.indices.map { $0 >= day ? 1 : 0 } as [Int64])

    // With open doors all is the same up to that morning, and referrals go on after it.
    let openDoors = try Self.frenzy("rules.sunset.enabled=false")
    let until = try told(openDoors, until: try ProgrammeRules.mornings(openDoors.days())[day])
    #expect(closed.affiliates.referred == until.affiliates.referred)
    #expect(closed.affiliates.active == until.affiliates.active)
    let open = try told(openDoors)
    #expect(open.affiliates.referred > closed.affiliates.referred * 5 / 4)
    #expect(open.members == closed.members)
    // What was earned stays, and goes on earning.
    let chips = try closed.values("affiliates.chips_issued")
    #expect(chips[closed.days.count - 1] > chips[day] * 5 / 4)
    #expect(closed.affiliates.floors.vip > 0)
  }

  // 5 % of a gross profit of 2.00 a tin is 0.10 a tin: all of it is paid or carried.
  @Test func theWeeklyPoolCostsItsShareOfEveryClosedWeek() throws {
    let record = try Self.frenzied.get()
    let monday = try #require(record.days.lastIndex { $0.date.weekday == 0 })
    let tins = record.days[..<monday].reduce(0) { $0 + $1.tinsSold }
    let last = try #require(record.pools.last)
    let paid = try record.payout("pool")
    #expect(paid.total.microunits + last.carry.microunits == tins * 100_000)
    #expect(paid.count == record.pools.reduce(0) { $0 + $1.holders })
    #expect(last.carry.microunits < last.chips)
    #expect(last.holders > 50)
  }

  @Test func theMatchIsAFifthOfWhatReferredMembersWin() throws {
    let frenzied = try told(try Self.frenzy("rules.sunset.enabled=false"))
    let calm = try told(
      try story(
        "affiliate-frenzy", "population.members=800", "calendar.window=24 h",
        "population.referral.referred=0.1", "population.referral.affiliates=0.1"))
    for record in [frenzied, calm] {
      let crypto = record.awards.filter { $0.kind == .crypto }
      let match = try record.payout("match")
      let won = crypto.reduce(Int64(0)) { $0 + $1.amount.microunits }
      #expect(match.count > 0 && match.count < crypto.count)
      #expect(match.total.microunits < won * 21 / 100)
      // Every prize is a multiple of 100 USDT, so every match is one of 21.
      #expect(match.total.microunits % 21_000_000 == 0)
    }
    #expect(
      try frenzied.payout("match").count > 2 * (try calm.payout("match").count))
    #expect(frenzied.affiliates.chipsIssued > 3 * calm.affiliates.chipsIssued)
  }

  private static func wave() throws -> Scenario {
    try story(
      "wholesale-wave", "population.members=100", "population.wholesale.reference_members=100",
      "population.wholesale.scanned=0.001", "calendar.window=24 h")
  }

  /// The orders of every account once more, one account after another.
  private func recount(_ scenario: Scenario) throws -> (orders: [Int], tins: [Int64]) {
    let calendar = try scenario.days()
    // A cohort: all are there from the first instant on.
    let model = WholesaleModel(
      scenario.population,
      signUps: Array(repeating: calendar.start, count: scenario.population.members),
      calendar: calendar, seed: scenario.seed)
    var orders = Array(repeating: 0, count: calendar.dayCount)
    var tins = Array(repeating: Int64(0), count: scenario.rules.wholesale.accounts)
    for account in tins.indices {
      var order: UInt32 = 0
      var time = model.firstOrder(account: UInt32(account))
      while time < calendar.end {
        orders[calendar.dayIndex(of: time)] += 1
        tins[account] += model.tins(account: UInt32(account), order: order)
        time = model.nextOrder(account: UInt32(account), order: order, placedAt: time)
        order += 1
      }
    }
    return (orders, tins)
  }

  @Test func everyTenThousandTinsOfAnAccountBringItAComp() throws {
    let scenario = try Self.wave()
    let record = try Self.waves.get()
    let (orders, tins) = try recount(scenario)
    let comps = tins.reduce(0) { $0 + $1 / 10_000 }
    #expect(comps > 200)
    #expect(try record.values("wholesale.comps").last == comps)
    #expect(try record.values("wholesale.chips").last == tins.reduce(0) { $0 + $1 / 10 })
    #expect(try record.values("wholesale.tins").last == tins.reduce(0, +))
    #expect(try record.growth("wholesale.orders") == orders.map(Int64.init))
    let line = try record.payout("wholesale")
    #expect(line.count == comps)
    #expect(line.total == .whole(500 * comps))
  }

  @Test func ordersComeInWaves() throws {
    let record = try Self.waves.get()
    let orders = try record.growth("wholesale.orders")
    func expectOrders(_ days: Range<Int>, factor: Double) {
      // 60 accounts of one order a week; a wave's orders are Poisson.
      let expected = 60 * Double(days.count) / 7 * factor
      let seen = Double(orders[days].reduce(0, +))
      #expect(abs(seen - expected) < 4 * expected.squareRoot(), "\(seen) orders, \(expected)")
    }
    expectOrders(try span(record, from: "2026-04-01", days: 30), factor: 4)
    expectOrders(try span(record, from: "2026-05-01", days: 184), factor: 1)
    expectOrders(try span(record, from: "2026-11-01", days: 45), factor: 6)
    expectOrders(try span(record, from: "2026-12-16", days: 16), factor: 1)
  }

  // 500 USDT each 10,000 tins are 0.05 a tin; 2 % of 1.30 are 0.026.
  @Test func theShareOfWholesaleProfitCarriesHalfOfItsComps() throws {
    let record = try Self.waves.get()
    let profit = record.months.reduce(Int64(0)) { $0 + $1.grossProfit.microunits }
    let comps = try record.payout("wholesale").total.microunits
    let tins = try #require(try record.values("wholesale.tins").last)
    #expect(try record.values("pool.wholesale").last == profit / 50 - comps)
    #expect(comps <= tins * 50_000 && comps > tins * 50_000 - 60 * 500_000_000)
    #expect(comps > tins * 26_000 * 17 / 10)
    #expect(try record.values("pool.wholesale").last! < 0)
  }
}
