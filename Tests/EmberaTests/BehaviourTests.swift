// Goal: the synthetic members behave as the settings say.
// Method: whole runs against published values and closed forms, within four standard errors.
import Embera
import EventKernel
import Population
import Quantities
import RewardModel
import Testing

/// Within four standard errors of a mean.
private func agrees(_ sum: Double, of count: Int64, mean: Double, variance: Double) -> Bool {
  count > 0
    && abs(sum / Double(count) - mean) <= 4 * (variance / Double(count)).squareRoot()
}

private func run(
  days: Int, seed: UInt64 = 1, members: Int, _ edit: (inout EmberaSettings) -> Void
) throws -> EmberaRecord {
  var settings = EmberaSettings()
  settings.population.members = members
  settings.population.adoption.model = .cohort
  settings.population.season.enabled = false
  settings.population.referral.referred = 0
  edit(&settings)
  let frame = RunFrame(
    scenario: "embera-behaviour", seed: seed,
    calendar: try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate(year: 2026, month: 1, day: 1), days: days),
    window: .hours(24))
  var world = EmberaWorld(frame, settings, threads: 2)
  return try world.run()
}

@Suite struct BehaviourTests {
  @Test func repeatOrdersAreThoseOfThePublishedModel() throws {
    // Fader, Hardie and Lee 2005 on the CDNOW purchases: E[X(39)] = 1.19672, variance 6.4479.
    let members: Int64 = 20_000
    let record = try run(days: 39 * 7, members: Int(members)) {
      $0.population.purchase.model = .bgNbd
      $0.population.purchase.r = 0.243
      $0.population.purchase.alpha = 4.414
      $0.population.purchase.a = 0.793
      $0.population.purchase.b = 2.426
      $0.population.purchase.erlang = 1
    }
    let repeats = Double(record.total.visits - members)
    #expect(agrees(repeats, of: members, mean: 1.19672, variance: 6.4479))
  }

  @Test func checkoutsBasketsAndDevicesFollowTheirShares() throws {
    let record = try run(days: 60, members: 20_000) { $0.population.subscriptions.share = 0 }
    let visits = record.total.visits
    for (row, share) in zip(record.checkouts, [0.97, 0.02, 0.005, 0.005]) {
      let count = Double(row.online + row.offline)
      #expect(agrees(count, of: visits, mean: share, variance: share * (1 - share)))
    }
    let offline = Double(record.checkouts.reduce(0) { $0 + $1.offline })
    #expect(agrees(offline, of: visits, mean: 0.03, variance: 0.03 * 0.97))
    // One bag and a Poisson number more, at 0.60 × 14 + 0.28 × 24 + 0.12 × 42 USD.
    let (mean, square) = (20.16, 0.6 * 196 + 0.28 * 576 + 0.12 * 1_764)
    let variance = 1.6 * (square - mean * mean) + 0.6 * mean * mean
    let list = Double(record.total.sums.list) / 1e6
    #expect(agrees(list, of: record.total.sums.orders, mean: 1.6 * mean, variance: variance))
    // Orders wait for the rest of a stretch: exponential, having no memory.
    let waits = record.sync.arrived
    let lag = try #require(record.sync.meanLag).inSeconds * Double(waits)
    #expect(agrees(lag, of: waits, mean: 2_400, variance: 2_400 * 2_400))
    let looks = record.sync.looks / 4 * 3
    #expect(record.sync.heldBack > 0 && Double(record.sync.heldBack) < 0.005 * Double(looks))
    let attempts = record.ceremonies.reduce(0) { $0 + $1.count }
    for (row, share) in zip(record.ceremonies, [0.9935, 0.005, 0.001, 0.0005]) {
      #expect(
        agrees(Double(row.count), of: attempts, mean: share, variance: share * (1 - share)))
    }
  }

  @Test func membersHaveTheDevicesAndSubscriptionsOfTheirShares() {
    let model = VisitModel(EmberaPopulation(), EmberaRules(), seed: 3)
    let count: Int64 = 40_000
    let kinds = (0..<UInt32(count)).map { model.kind(of: $0) }
    let second = Double(kinds.count { $0.hasSecondDevice })
    #expect(agrees(second, of: count, mean: 0.2, variance: 0.16))
    let subscribers = kinds.filter { $0.intervalWeeks > 0 }
    #expect(agrees(Double(subscribers.count), of: count, mean: 0.2, variance: 0.16))
    for (weeks, share) in [(1, 0.25), (2, 0.5), (4, 0.25)] {
      let chosen = Double(subscribers.count { $0.intervalWeeks == weeks })
      #expect(
        agrees(
          chosen, of: Int64(subscribers.count), mean: share, variance: share * (1 - share)))
    }
    let california = Double(kinds.count { $0.state == 4 })
    let weight = 39_538_223.0 / 331_449_281
    #expect(agrees(california, of: count, mean: weight, variance: weight * (1 - weight)))
  }

  @Test func aSubscriptionEndsAtEachDeliveryWithItsProbability() throws {
    let record = try run(days: 300, members: 3_000) {
      $0.population.subscriptions.share = 1
      $0.population.subscriptions.intervals = [1, 0, 0]
      $0.population.subscriptions.stop = 0.5
      $0.population.purchase.a = 0.001
      $0.population.purchase.b = 1e6
      $0.population.payment = PaymentSettings()
      $0.population.payment.cancelled = 0
      $0.population.payment.noCard = 0
      $0.population.payment.unavailable = 0
    }
    #expect(record.total.left == 0 && record.total.subscribers == 0)
    let deliveries = Double(record.total.sums.deliveries)
    #expect(agrees(deliveries, of: 3_000, mean: 2, variance: 2))
  }

  @Test func theDearestOfferIsChosenByItsProbability() {
    let model = VisitModel(EmberaPopulation(), EmberaRules(), seed: 5)
    var chosen: [Int?: Int64] = [:]
    let count: Int64 = 40_000
    for member in 0..<UInt32(count) {
      let draw = model.visit(member: member, index: 1)
      #expect(model.offer(draw, balance: 149) == nil)
      #expect(model.offer(draw, balance: 150).map { $0 == 0 } ?? true)
      chosen[model.offer(draw, balance: 1_500), default: 0] += 1
    }
    for (offer, share) in [(nil, 0.65), (2, 0.21), (1, 0.07), (0, 0.07)] as [(Int?, Double)] {
      let seen = Double(chosen[offer, default: 0])
      #expect(
        agrees(seen, of: count, mean: share, variance: share * (1 - share)), "\(chosen)")
    }
  }
}

@Suite struct ReplayTests {
  @Test func aHistoryRunsThroughTheSameRules() throws {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate(year: 2026, month: 1, day: 30), days: 40)
    let frame = RunFrame(scenario: "embera-history", seed: 0, calendar: calendar)
    let start = calendar.start
    func row(_ number: UInt32, _ instant: Instant, _ member: UInt32, _ cents: Int64)
      -> HistoryRow
    {
      HistoryRow(
        instant: instant, hasClock: true, row: number, line: number + 1, member: member,
        other: .max, amount: cents * 10_000, kind: 0)
    }
    let history = History(
      EmberaProgramme.history, names: ["c", "a", "b"],
      fileRows: [
        row(1, start + .days(39) + .hours(1), 0, 500), row(2, start, 1, 6_000),
        row(3, start + .hours(5), 2, 1_399), row(4, start + .days(3), 1, 7_000),
      ])
    var replay = EmberaReplay(frame, EmberaRules(), history)
    let record = try replay.run()
    #expect(record.source == .history && record.events == 4)
    #expect(record.total.sums.issued == 600 + 139 + 700 + 50)
    #expect(record.total.sums.revenue == 148_990_000 && record.total.sums.shipping == 0)
    #expect(record.tiers.map(\.members) == [2, 0, 1])
    #expect(record.months.map(\.orders) == [2, 1, 1])
    #expect(record.days.count == 40 && record.days[3].issued == 700)
    #expect(record.statuses.map(\.count) == [0, 0, 1, 3])
    let broken = History(
      EmberaProgramme.history, names: ["a"], fileRows: [row(1, start, 0, 0)])
    var refused = EmberaReplay(frame, EmberaRules(), broken)
    #expect(throws: EmberaReplayError(line: 2, cause: .refused(.order(.empty)))) {
      try refused.run()
    }
  }

  @Test("Sums that leave 64 bits name the line of the order that did it")
  func tooMuch() throws {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate(year: 2026, month: 1, day: 1), days: 1)
    let orders = (UInt32(1)...10_000).map { row in
      HistoryRow(
        instant: calendar.start, hasClock: true, row: row, line: row + 1, member: 0, other: .max,
        amount: 1_000_000_000_000_000, kind: 0)
    }
    var replay = EmberaReplay(
      RunFrame(scenario: "embera-history", seed: 0, calendar: calendar), EmberaRules(),
      History(EmberaProgramme.history, names: ["a"], fileRows: orders))
    #expect {
      try replay.run()
    } throws: { error in
      guard let error = error as? EmberaReplayError, case .money = error.cause else { return false }
      // 9,223 orders of a billion dollars are the most that fits.
      return (3...9_225).contains(error.line)
    }
  }

  @Test("A history without redemptions leaves the share that is redeemed as the scenario has it")
  func priorShare() throws {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate(year: 2026, month: 1, day: 1), days: 120)
    var rules = EmberaRules()
    rules.liability.months = 1
    let order = HistoryRow(
      instant: calendar.start, hasClock: true, row: 1, line: 2, member: 0, other: .max,
      amount: 60_000_000, kind: 0)
    var replay = EmberaReplay(
      RunFrame(scenario: "embera-history", seed: 0, calendar: calendar), rules,
      History(EmberaProgramme.history, names: ["a"], fileRows: [order]))
    let record = try replay.run()
    #expect(
      record.months.map(\.valuation.share) == Array(repeating: rules.liability.priorShare, count: 4)
    )
    let valuation = try #require(record.valuation)
    #expect(valuation.contractLiability.microunits == record.total.sums.deferred)
    #expect(valuation.contractLiability > .zero && valuation.net > .zero)
    let lead = EmberaProgramme.report(of: record).opening.verdict.reasons
    #expect(lead.contains("A history has no redemptions"))
  }
}
