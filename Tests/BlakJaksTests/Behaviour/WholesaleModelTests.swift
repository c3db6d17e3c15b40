// Goal: wholesale accounts join, order and grow as their settings say, also through waves.
// Method: counts and sizes against Poisson and gamma closed forms; gaps mapped back through the
// waves against the same gaps without them.
import BlakJaks
import Foundation
import Population
import Quantities
import Testing

@Suite struct WholesaleModelTests {
  private func calendar(_ days: Int, from: String = "2026-01-01", zone: String = "UTC") throws
    -> ProgrammeCalendar
  {
    try ProgrammeCalendar(zone: zone, firstDate: CivilDate(from)!, days: days)
  }

  private func model(
    days: Int = 364, seed: UInt64 = 31, signUps: [Instant]? = nil,
    _ edit: (inout WholesaleSettings) -> Void = { _ in }
  ) throws -> WholesaleModel {
    var population = PopulationSettings()
    population.wholesale.referenceMembers = 100
    edit(&population.wholesale)
    let calendar = try calendar(days)
    let all = signUps ?? Array(repeating: calendar.start, count: 100)
    return WholesaleModel(population, signUps: all, calendar: calendar, seed: seed)
  }

  private func orders(_ model: WholesaleModel, _ account: UInt32) -> [Instant] {
    var instants: [Instant] = []
    var next = model.firstOrder(account: account)
    while next < .distantFuture {
      instants.append(next)
      next = model.nextOrder(
        account: account, order: UInt32(instants.count - 1), placedAt: next)
    }
    return instants
  }

  @Test func accountsJoinUniformlyOverTheOnboarding() throws {
    let model = try model()
    let start = try calendar(364).start
    var days = Moments(around: 45)
    for account in 0..<UInt32(10_000) {
      let joined = (model.joins(account: account) - start).inSeconds / 86_400
      #expect(joined >= 0 && joined < 90)
      days.add(joined)
    }
    #expect(days.errors(from: 45, variance: 675) < 4)
    // Fourth central moment of a uniform on [0, w]: w⁴ ÷ 80.
    #expect(days.varianceErrors(from: 675, fourth: 820_125) < 4)
    let atOnce = try self.model { $0.onboardingDays = 0 }
    #expect(atOnce.joins(account: 77) == start)
  }

  @Test func whoWouldJoinAfterTheRunNeverDoes() throws {
    let model = try model(days: 9)
    let joined = (0..<UInt32(10_000)).filter { model.joins(account: $0) < .distantFuture }
    #expect(distance(Double(joined.count), 1_000, 900) < 4)
    let ordered = (0..<UInt32(10_000)).filter { model.firstOrder(account: $0) < .distantFuture }
    #expect(!ordered.isEmpty && Set(ordered).isStrictSubset(of: joined))
  }

  @Test(
    "An order is one case and a Poisson number that grows with the account",
    arguments: [0.5, 1, 20])
  func sizes(shape: Double) throws {
    let model = try model { $0.sizeShape = shape }
    var sizes = Moments(around: 1)
    var cases = Moments(around: 5)
    for account in 0..<UInt32(20_000) {
      sizes.add(model.size(account: account))
      let tins = model.tins(account: account, order: account % 5)
      #expect(tins >= 100 && tins % 100 == 0)
      cases.add(Double(tins / 100))
    }
    #expect(sizes.errors(from: 1, variance: 1 / shape) < 4)
    // Fourth central moment of a gamma of mean 1: 3 ÷ k² + 6 ÷ k³.
    #expect(
      sizes.varianceErrors(
        from: 1 / shape, fourth: 3 / (shape * shape) + 6 / (shape * shape * shape)) < 4)
    #expect(cases.errors(from: 5, variance: 4 + 16 / shape) < 4)
  }

  @Test func anAccountKeepsItsSize() throws {
    let model = try model { $0.casesPerOrder = 50 }
    for account in [UInt32(3), 4, 5] {
      let mean = 1 + 49 * model.size(account: account)
      var cases = Moments(around: mean)
      for order in 0..<UInt32(2_000) {
        cases.add(Double(model.tins(account: account, order: order) / 100))
      }
      #expect(cases.errors(from: mean, variance: mean - 1) < 4)
    }
  }

  @Test func withoutWavesAnAccountOrdersOnceAWeek() throws {
    let model = try model { $0.onboardingDays = 0 }
    var counts = Moments(around: 52)
    for account in 0..<UInt32(600) {
      let instants = orders(model, account)
      #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
      counts.add(Double(instants.count))
    }
    #expect(counts.errors(from: 52, variance: 52) < 4)
    #expect(counts.varianceErrors(from: 52, fourth: 52 + 3 * 52 * 52) < 4)
  }

  @Test func aWaveMultipliesTheOrdersOfItsDaysOnly() throws {
    let model = try model {
      $0.onboardingDays = 0
      $0.waves = [
        DemandWave(date: CivilDate("2026-03-01")!, factor: 3, days: 28),
        DemandWave(date: CivilDate("2026-03-15")!, factor: 2, days: 7),
        DemandWave(date: CivilDate("2026-06-01")!, factor: 0, days: 14),
        DemandWave(date: CivilDate("2025-12-25")!, factor: 2, days: 14),
      ]
    }
    var days = [Double](repeating: 0, count: 364)
    let start = try calendar(364).start
    for account in 0..<UInt32(500) {
      for instant in orders(model, account) {
        days[Int((instant - start).microseconds / 86_400_000_000)] += 1
      }
    }
    // Day number within the run, length, factor.
    for (from, length, factor) in [
      (0, 7, 2.0), (7, 52, 1), (59, 14, 3), (73, 7, 6), (80, 7, 3), (87, 64, 1), (151, 14, 0),
      (165, 199, 1),
    ] {
      let expected = 500 * Double(length) / 7 * factor
      let seen = days[from..<from + length].reduce(0, +)
      #expect(distance(seen, expected, expected) < 4, "from day \(from)")
    }
  }

  @Test func aWaveChangesNoDrawButItsTime() throws {
    let waves = [
      DemandWave(date: CivilDate("2026-02-01")!, factor: 0.25, days: 40),
      DemandWave(date: CivilDate("2026-02-20")!, factor: 9, days: 5),
    ]
    let usual = try model { $0.onboardingDays = 0 }
    let waved = try model {
      $0.onboardingDays = 0
      $0.waves = waves
    }
    let table = WaveTable(waves, calendar: try calendar(364))
    var compared = 0
    for account in 0..<UInt32(50) {
      #expect(waved.size(account: account) == usual.size(account: account))
      #expect(waved.tins(account: account, order: 8) == usual.tins(account: account, order: 8))
      var last = waved.joins(account: account)
      #expect(last == usual.joins(account: account))
      for order in UInt32(0)..<20 {
        let next = waved.nextOrder(account: account, order: order, placedAt: last)
        let plain = usual.nextOrder(account: account, order: order, placedAt: last)
        guard next < .distantFuture, plain < .distantFuture else { break }
        let gap = Double((plain - last).microseconds)
        // A microsecond lost to rounding weighs at most the largest factor.
        #expect(abs(table.operational(from: last, to: next) - gap) <= 10)
        last = next
        compared += 1
      }
    }
    #expect(compared > 800)
  }

  @Test func wavesBeginAndEndAtLocalMidnight() throws {
    // Clocks go forward on 8 March 2026 in New York, so that day has 23 hours.
    let calendar = try calendar(30, from: "2026-03-01", zone: "America/New_York")
    let table = WaveTable(
      [DemandWave(date: CivilDate("2026-03-08")!, factor: 2, days: 1)], calendar: calendar)
    let hours = table.operational(from: calendar.dayStarts[7], to: calendar.dayStarts[8]) / 3.6e9
    #expect(hours == 46)
    #expect(
      table.operational(from: calendar.start, to: calendar.end) / 3.6e9 == 30 * 24 - 1 + 23)
    let before = calendar.dayStarts[7] - .hours(1)
    #expect(table.instant(3.6e9 * 3, after: before) == calendar.dayStarts[7] + .hours(1))
  }

  @Test func aSpanThatDoesNotFitTheRunNeverEnds() throws {
    let calendar = try calendar(10)
    let table = WaveTable(
      [DemandWave(date: CivilDate("2026-01-05")!, factor: 0, days: 99)], calendar: calendar)
    let fourDays = 4 * 86_400e6
    #expect(table.instant(fourDays - 1, after: calendar.start) < calendar.dayStarts[4])
    #expect(table.instant(fourDays, after: calendar.start) == .distantFuture)
    #expect(table.instant(.infinity, after: calendar.start) == .distantFuture)
    #expect(table.instant(1, after: calendar.dayStarts[6]) == .distantFuture)
    let first = calendar.start
    #expect(table.instant(1e-9, after: first) == first + TimeSpan(microseconds: 1))
  }

  @Test func accountsOrdersAndSeedsShareNoDraw() throws {
    var gaps: Set<Instant> = []
    for seed in [UInt64(1), 2, 1 << 40] {
      let model = try model(seed: seed) { $0.ordersPerWeek = 20 }
      let start = try calendar(364).start
      for account in [UInt32(0), 1, 9_999] {
        for order in UInt32(0)..<40 {
          gaps.insert(model.nextOrder(account: account, order: order, placedAt: start))
        }
      }
    }
    #expect(gaps.count == 3 * 3 * 40)
  }

  @Test func accountsOrderTheMoreOftenTheMoreMembersThereAre() throws {
    // 50 members from the start, 150 more from the middle on: half, then twice the rate of 100.
    let calendar = try calendar(364)
    let signUps =
      Array(repeating: calendar.start, count: 50)
      + Array(repeating: calendar.dayStarts[182], count: 150)
    let model = try model(signUps: signUps) { $0.onboardingDays = 0 }
    var first = Moments(around: 13)
    var second = Moments(around: 52)
    for account in 0..<UInt32(600) {
      let instants = orders(model, account)
      first.add(Double(instants.count { $0 < calendar.dayStarts[182] }))
      second.add(Double(instants.count { $0 >= calendar.dayStarts[182] }))
    }
    #expect(first.errors(from: 13, variance: 13) < 4)
    #expect(second.errors(from: 52, variance: 52) < 4)
  }

  @Test func withoutMembersNoAccountOrders() throws {
    let model = try model(signUps: []) { $0.onboardingDays = 0 }
    #expect((0..<50).allSatisfy { orders(model, $0).isEmpty })
  }

  @Test func theVolumeOfFirstOrdersFollowsTheMembers() throws {
    // Of 1,000 accounts that are there from the start, those with an order within 28 days.
    func volume(members: Int) throws -> (accounts: Double, tins: Int64) {
      let start = try calendar(28).start
      let model = try model(days: 28, signUps: Array(repeating: start, count: members)) {
        $0.onboardingDays = 0
      }
      let ordered = (0..<UInt32(1_000)).filter { model.firstOrder(account: $0) < .distantFuture }
      return (
        Double(ordered.count),
        ordered.reduce(0) { $0 + model.tins(account: $1, order: 0) }
      )
    }
    var last: Int64 = 0
    for members in [1, 10, 30, 100] {
      let (accounts, tins) = try volume(members: members)
      let share = 1 - exp(-4 * Double(members) / 100)
      #expect(distance(accounts, 1_000 * share, 1_000 * share * (1 - share)) < 4)
      #expect(tins > last)
      last = tins
    }
  }

  @Test func theScansToExpectAreThoseOfTheOrders() throws {
    // The members double in the middle, and a wave comes.
    let calendar = try calendar(364)
    let signUps =
      Array(repeating: calendar.start, count: 50)
      + Array(repeating: calendar.dayStarts[182], count: 50)
    let model = try model(signUps: signUps) {
      $0.scanned = 0.25
      $0.sizeShape = 10_000
      $0.waves = [DemandWave(date: CivilDate("2026-06-01")!, factor: 3, days: 28)]
    }
    let accounts = 1_500
    var scans = [Double](repeating: 0, count: 364)
    for account in 0..<UInt32(accounts) {
      for (number, instant) in orders(model, account).enumerated() {
        let order = UInt32(number)
        // All of an order's tins go home after the pause of one of them.
        let tin = try #require(
          model.tin(account: account, order: order, number: 0, members: 9) { _ in true })
        let day = calendar.dayIndex(of: instant) + 1
        let home = day + Int(tin.pause.inSeconds / 86_400)
        let tins = model.tins(account: account, order: order)
        if home < 364 { scans[home] += Double(tins) / 4 }
      }
    }
    let expected = model.expectedScans(accounts: accounts)
    #expect(expected.count == 365 && expected[0] == 0)
    var sum = 0.0
    for day in 0..<364 {
      sum += scans[day]
      #expect(abs(expected[day + 1] - sum) < 0.02 * expected[364], "day \(day)")
    }
    #expect(expected[364] > 1_000_000)
    #expect(model.expectedScans(accounts: 0).allSatisfy { $0 == 0 })
  }

  @Test(
    "Of an order's tins members scan the share of retail, or their own",
    arguments: [nil, 0, 0.2, 1])
  func scanned(share: Double?) throws {
    let model = try model { $0.scanned = share }
    let expected = share ?? 0.6
    var seen = Moments(around: 500 * expected)
    for order in 0..<UInt32(4_000) {
      seen.add(Double(model.scanned(account: 3, order: order, tins: 500)))
    }
    let variance = 500 * expected * (1 - expected)
    #expect(
      variance > 0 ? seen.errors(from: 500 * expected, variance: variance) < 4 : seen.variance == 0)
    #expect(abs(seen.mean - 500 * expected) < 1)
  }

  @Test func eachTinFindsAMemberWhoIsThereAfterItsTimeOnTheShelf() throws {
    let model = try model()
    var pauses = Moments(around: 14)
    var seen = [Double](repeating: 0, count: 10)
    for number in 0..<UInt32(20_000) {
      let tin = try #require(
        model.tin(account: 1, order: 2, number: number, members: 10) { $0 % 2 == 0 })
      #expect(tin.member % 2 == 0 && (0..<1).contains(tin.firstOpening))
      pauses.add(tin.pause.inSeconds / 86_400)
      seen[Int(tin.member)] += 1
    }
    #expect(pauses.errors(from: 14, variance: 196) < 4)
    for member in stride(from: 0, to: 10, by: 2) {
      #expect(distance(seen[member], 4_000, 3_200) < 4)
    }
    #expect(model.tin(account: 1, order: 2, number: 0, members: 0) { _ in true } == nil)
    #expect(model.tin(account: 1, order: 2, number: 0, members: 9) { _ in false } == nil)
  }
}
