// Goal: a setting of the roastery moves the figure that its documentation names, as far as it says.
// Method: a table of settings; small worlds, or the model alone, that differ in one setting. Other
// draws stay as they are, so that most figures are known exactly; shares have 4 standard errors.
import Embera
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

private typealias Turn = SettingTurn<EmberaRecord>

/// Sixty days of members who all sign up on the first.
private let small = [
  "population.members=300", "calendar.days=60", "population.adoption.model=cohort",
]
private let plain = small + ["population.subscriptions.share=0 %"]
private let oneBag = plain + ["population.basket.items=1"]
private let looking = plain + ["population.devices.wrong_clock=50 %"]
/// Everybody leaves after the order at sign-up, which is the run's first instant for all.
private let once =
  plain + [
    "population.purchase.a=10000", "population.purchase.b=0.0001",
    "population.referral.referred=0 %",
  ]
/// More than 4,300 checkouts: 4 standard errors of a share are 0.031 at most.
private let many =
  plain + ["population.members=1500", "population.purchase.a=0.001", "population.purchase.b=6000"]

private func usd(_ microunits: Int64) -> Double { Double(microunits) / 1e6 }

/// How many midnights orders saw in some statuses, on average.
private func midnights(
  _ record: EmberaRecord, _ count: (EmberaRecord.Day) -> Int64
) -> Double {
  let placed = record.days.reduce(0) { $0 + $1.placed }
  return Double(record.days.reduce(0) { $0 + count($1) }) / Double(placed)
}

private func share(_ record: EmberaRecord, _ outcome: PaymentOutcome) -> Double {
  let ended = record.checkouts.filter { $0.outcome == outcome }
  let count = ended.reduce(0) { $0 + $1.online + $1.offline }
  return Double(count) / Double(record.total.visits)
}

private func reachedAura(_ record: EmberaRecord) -> Double {
  Double(record.tiers.first { $0.tier == .aura }?.reached ?? -1)
}

private func redeemed(_ record: EmberaRecord, _ offer: String) -> Double {
  Double(record.offers.first { $0.id == offer }?.redemptions ?? -1)
}

private let money = [
  Turn(
    "rules.orders.prices.small", ["14", "28", "3.5"], .factors([1, 2, 0.25]),
    "revenue of 250 g bags", with: plain + ["population.basket.sizes=[1, 0, 0]"]
  ) { usd($0.total.sums.revenue) },
  Turn(
    "rules.orders.prices.medium", ["24", "48", "6"], .factors([1, 2, 0.25]),
    "revenue of 500 g bags", with: plain + ["population.basket.sizes=[0, 1, 0]"]
  ) { usd($0.total.sums.revenue) },
  Turn(
    "rules.orders.prices.large", ["42", "84", "10.5"], .factors([1, 2, 0.25]),
    "revenue of 1 kg bags", with: plain + ["population.basket.sizes=[0, 0, 1]"]
  ) { usd($0.total.sums.revenue) },
  Turn(
    "rules.orders.margin", ["55 %", "80 %", "11 %"], .factors([1, 80.0 / 55, 0.2]),
    "gross profit of goods at list prices", with: plain
  ) { usd($0.grossProfit.microunits) },
  Turn(
    "rules.orders.subscription_discount", ["10 %", "50 %", "5 %"], .factors([1, 5, 0.5]),
    "discounts", with: small
  ) { usd($0.total.sums.discount) },
  Turn(
    "rules.orders.shipping", ["4.90", "9.80", "0.49"], .factors([1, 2, 0.1]), "shipping paid",
    with: plain
  ) { usd($0.total.sums.shipping) },
  Turn(
    "rules.orders.free_shipping", ["14", "14.01"], .figures([0, 1]),
    "shipping of an order of one bag for 14.00",
    with: oneBag + ["rules.orders.shipping=1", "population.basket.sizes=[1, 0, 0]"]
  ) { usd($0.total.sums.shipping) / Double($0.total.sums.orders) },
  Turn(
    "rules.liability.prior_share", ["20 %", "70 %", "100 %"],
    .figures([0.8, 0.3, 0], within: 1e-4), "breakage while no points are old",
    with: plain + ["population.redemption.probability=0 %"]
  ) { try #require($0.breakage) },
]

private let orders = [
  Turn(
    "rules.status.processing", ["0s", "36 h", "84 h"], .figures([0, 1, 3]),
    "midnights that an order is processed", with: once + ["rules.status.delivery=10 d"]
  ) { midnights($0) { $0.processing } },
  Turn(
    "rules.status.roasting", ["0s", "36 h", "84 h"], .figures([0, 1, 3]),
    "midnights that an order is roasted",
    with: once + ["rules.status.processing=0s", "rules.status.delivery=10 d"]
  ) { midnights($0) { $0.roasting } },
  Turn(
    "rules.status.delivery", ["12 h", "36 h", "156 h"], .figures([0, 1, 6]),
    "midnights that an order is under way", with: once
  ) { midnights($0) { $0.processing + $0.roasting + $0.shipping } },
]

private let members = [
  Turn(
    "rules.tiers.aura", ["100", "500", "900"], .falls, "members who reached Aura", with: plain
  ) { reachedAura($0) },
  Turn(
    "rules.tiers.aura", ["140", "141"], .figures([1, 0]),
    "part of the members with an order of 14.00 who reached Aura",
    with: once + ["population.basket.items=1", "population.basket.sizes=[1, 0, 0]"]
  ) { reachedAura($0) / Double($0.total.sums.orders) },
  Turn(
    "population.basket.sizes", ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"], .figures([14, 24, 42]),
    "list price of a bag", with: oneBag
  ) { usd($0.total.sums.list) / Double($0.total.sums.orders) },
  Turn(
    "population.basket.sizes", ["[3, 1, 0]", "[0, 1, 3]"], .figures([16.5, 37.5], within: 0.5),
    "mean list price of a bag", with: many + ["population.basket.items=1"]
  ) { usd($0.total.sums.list) / Double($0.total.sums.orders) },
  Turn(
    "population.redemption.dearest", ["0 %", "60 %", "100 %"], .rises,
    "redemptions of the costliest offer",
    with: plain + ["population.redemption.probability=90 %", "rules.points_per_dollar=40"]
  ) { redeemed($0, "tasting") },
  Turn(
    "population.redemption.dearest", ["0 %"], .figures([0]),
    "redemptions of an offer that no balance covers alone",
    with: plain + ["population.redemption.probability=90 %", "rules.points_per_dollar=40"]
  ) { redeemed($0, "tasting") },
  Turn(
    "population.payment.no_card", ["0 %", "25 %", "60 %"], .figures([0, 0.25, 0.6], within: 0.031),
    "part of the checkouts without a card", with: many
  ) { share($0, .noCard) },
  Turn(
    "population.payment.unavailable", ["0 %", "25 %", "60 %"],
    .figures([0, 0.25, 0.6], within: 0.031),
    "part of the checkouts while paying was not available", with: many
  ) { share($0, .unavailable) },
  Turn(
    "population.devices.clock_back", ["0s", "6 h", "10 d"], .rises,
    "looks at which a slow clock alone shows an earlier status", with: looking
  ) { Double($0.sync.heldBack) },
  Turn(
    "population.devices.clock_back", ["0s"], .figures([0]),
    "looks at which a clock that is right shows an earlier status", with: looking
  ) { Double($0.sync.heldBack) },
  Turn(
    "population.devices.looks", ["1s", "1 h"], .rises,
    "looks at which a slow clock alone shows an earlier status", with: looking
  ) { Double($0.sync.heldBack) },
]

/// The first look of 20,000 members: 4 standard errors of a mean of 10 h are 1,018 s.
private let looks = [
  SettingTurn<VisitModel>(
    "population.devices.looks", ["1 h", "10 h"], .figures([3_600, 36_000], within: 1_018),
    "mean seconds from an order to the first look", with: []
  ) { model in meanLook(model) { ($0.instant - .init(microseconds: 0)).inSeconds } },
  SettingTurn<VisitModel>(
    "population.devices.clock_back", ["1 h", "10 h"], .figures([3_600, 36_000], within: 1_018),
    "mean seconds that a slow clock is behind", with: ["population.devices.wrong_clock=100 %"]
  ) { model in meanLook(model) { ($0.instant - $0.clock).inSeconds } },
]

private func meanLook(
  _ model: VisitModel, _ seconds: ((instant: Instant, clock: Instant)) -> Double
) -> Double {
  let count = 20_000
  let sum = (0..<UInt32(count)).reduce(0.0) { sum, member in
    sum
      + seconds(model.look(member: member, visit: 0, look: 0, after: Instant(microseconds: 0)))
  }
  return sum / Double(count)
}

private let challenges = [
  SettingTurn<EmberaRules>(
    "rules.passkeys.challenge", ["6s", "5 min", "1 d"], .figures([6, 300, 86_400]),
    "seconds after which a challenge can no longer be answered", with: []
  ) { try answerable($0).inSeconds }
]

/// The shortest time in which a challenge expires, up to two days.
private func answerable(_ rules: EmberaRules) throws -> TimeSpan {
  let start = Instant(microseconds: 1_767_243_600_000_000)
  func isAnswered(after wait: TimeSpan) throws -> Bool {
    var state = EmberaState(rules, month: 24_312)
    _ = try state.commit(.signUp(state: 0), at: start)
    _ = try state.commit(.challenge(member: 0, channel: .firstDevice), at: start)
    let answer = try state.commit(
      .signIn(member: 0, channel: .firstDevice, counter: 1), at: start + wait)
    if case .signedIn = answer { return true }
    #expect(answer == .refused(.passkey(.expired)))
    return false
  }
  var (answered, expired) = (Int64(0), TimeSpan.days(2).microseconds)
  while expired - answered > 1 {
    let middle = (answered + expired) / 2
    if try isAnswered(after: TimeSpan(microseconds: middle)) {
      answered = middle
    } else {
      expired = middle
    }
  }
  return TimeSpan(microseconds: expired)
}

@Suite(.tags(.slow)) struct TurnedSettingTests {
  private func scenario(_ overrides: [String]) throws -> Scenario {
    try Scenario.load(
      path: Checkout.scenarios.appendingPathComponent("embera-first-year.yaml").path,
      overrides: overrides.map { SettingOverride(argument: $0) })
  }

  private func settings(_ overrides: [String]) throws -> EmberaSettings {
    try #require(try scenario(overrides).settings(of: EmberaProgramme.self))
  }

  private func run(_ overrides: [String]) throws -> EmberaRecord {
    let scenario = try scenario(overrides)
    let settings = try #require(scenario.settings(of: EmberaProgramme.self))
    var world = EmberaWorld(try scenario.plan().frame, settings, threads: 1)
    return try world.run()
  }

  @Test(
    "A setting moves the figure that its documentation names", arguments: money + orders + members)
  fileprivate func moves(_ turn: SettingTurn<EmberaRecord>) throws {
    let fault = try turn.fault(in: "embera-first-year", run)
    #expect(fault == nil)
  }

  @Test("A setting of looks moves their times", arguments: looks)
  fileprivate func looksMove(_ turn: SettingTurn<VisitModel>) throws {
    let fault = try turn.fault(in: "embera-first-year") { overrides in
      let settings = try settings(overrides)
      return VisitModel(settings.population, settings.rules, seed: 7)
    }
    #expect(fault == nil)
  }

  @Test("A setting of passkeys moves how long challenges live", arguments: challenges)
  fileprivate func challengesMove(_ turn: SettingTurn<EmberaRules>) throws {
    let fault = try turn.fault(in: "embera-first-year") { try settings($0).rules }
    #expect(fault == nil)
  }
}
