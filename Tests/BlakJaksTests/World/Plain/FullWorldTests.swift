import BlakJaks
// Goal: with everything on - chips, wallets, cards, shop, bans, sunset, wholesale - the windowed
// world is right.
// Method: a plain sequential world beside it, written from the rules with objects and lists; every
// day's figures, every pool, award and account compared; rare branches counted.
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

/// A world with everything on, small enough to be run twice, whose payouts take no chance.
private func fullWorld(
  seed: UInt64, members: Int = 90, days: Int = 200, window: TimeSpan = .hours(6),
  from first: String = "2026-01-01", edit: (inout WorldInput) -> Void = { _ in }
) throws -> WorldInput {
  var input = try smallWorld(seed: seed, members: members, days: days, window: window)
  input.calendar = try ProgrammeCalendar(
    zone: "America/New_York", firstDate: CivilDate(first)!, days: days)
  input.rules.chips.enabled = true
  input.rules.shop.enabled = true
  input.rules.wholesale.accounts = 3
  // Small orders, so that few of the members' tins come from them.
  input.rules.wholesale.compEvery = 20
  input.population.wholesale.tinsPerCase = 1
  input.population.wholesale.referenceMembers = members
  // Amounts that leave remainders wherever something is shared or taxed.
  input.rules.economy.price = MicroUSDT(microunits: 4_999_997)
  input.rules.economy.grossProfit = MicroUSDT(microunits: 1_999_999)
  input.rules.economy.wholesaleGrossProfit = MicroUSDT(microunits: 1_300_001)
  input.rules.scanReward.base = MicroUSDT(microunits: 200_003)
  input.rules.chips.value = MicroUSDT(microunits: 100_007)
  input.population.wallet.enabled = true
  input.population.wallet.visitsPerWeek = 1.5
  input.population.wallet.meanSpend = .whole(4)
  input.population.wallet.withdrawalFails = 0.2
  input.population.wholesale.onboardingDays = 40
  makePayoutsPlain(&input)
  edit(&input)
  return input
}

/// Payouts without chance: no service or confirmation time, no failure, money enough everywhere.
private func makePayoutsPlain(
  _ input: inout WorldInput, batch: TimeSpan = TimeSpan(microseconds: 0)
) {
  input.rules.payouts.batch = batch
  input.rules.payouts.service = TimeSpan(microseconds: 0)
  input.rules.payouts.confirmation = TimeSpan(microseconds: 0)
  input.rules.payouts.failure = 0
  input.rules.treasury.opening.memberWallet = .whole(1_000_000_000)
  input.rules.treasury.opening.affiliateWallet = .whole(1_000_000_000)
  input.rules.treasury.opening.wholesaleWallet = .whole(1_000_000_000)
  input.rules.treasury.opening.operatingBank = .whole(1_000_000_000)
  input.rules.treasury.opening.reserveBank = .whole(1_000_000_000)
  input.rules.treasury.opening.compPoolBank = .whole(1_000_000_000)
}

/// Three states of equal weight, so that a ban hits many.
private let threeStates = [
  StateRecord(code: "AA", weight: 1, tax: TaxRate(6_875)),
  StateRecord(code: "BB", weight: 1, tax: TaxRate(0)),
  StateRecord(code: "CC", weight: 2, tax: TaxRate(10_001)),
]

/// Runs both worlds and compares them, the real one with windows that are concluded beside the next ones'
/// cells, and without.
@discardableResult
private func compare(_ input: WorldInput) throws -> BlakJaksRecord {
  let replay: Comment = "replay: swift test --filter FullWorldTests (seed \(input.seed))"
  var world = try World(input, threads: 2)
  let record = try world.run()
  var other = try World(input, threads: 1)
  let words = record.difference(from: try other.run(checking: true))
  #expect(words == nil, replay)
  expectSame(record, PlainFullWorld(input), replay: replay)
  return record
}

extension BlakJaksRecord {
  /// A series' value on the last day; 0 where there is none.
  fileprivate func last(_ key: String) -> Int64 {
    series.first { $0.key == key }?.values.last.flatMap { $0 } ?? 0
  }

  fileprivate func outcome(_ name: String) -> Int64 {
    outcomes.first { $0.name == name }?.count ?? 0
  }
}

@Suite(.tags(.slow)) struct FullWorldTests {
  @Test("The whole world agrees with a plain one", arguments: [1, 2] as [UInt64])
  func everything(seed: UInt64) throws {
    let record = try compare(
      try fullWorld(seed: seed, window: .hours(seed == 1 ? 1 : 7)) { input in
        input.population.shop.refunded = 0.05
      })
    for key in [
      "chips.bonus", "chips.vaulted", "chips.held", "chips.redeemed", "shop.cancelled",
      "shop.refunded", "shop.refused_age", "shop.refused_payment", "wallet.withdrawals",
      "wallet.withdrawals_failed", "wallet.card_refused", "wallet.card_payments",
      "wholesale.comps", "affiliates.match_paid", "affiliates.pool_paid",
      "ledger.guarantee.count",
    ] { #expect(record.last(key) > 0, "\(key) never happened") }
    // The unit of a series is known by its key alone.
    for series in record.series {
      #expect(
        BlakJaksSeries.catalog.declaration(of: series.key)?.unit == series.unit, "\(series.key)")
    }
    #expect(Set(record.series.map(\.unit)).isSuperset(of: [.count, .money, .duration, .flag]))
  }

  @Test("What can be withdrawn at least moves neither chips nor cards of those who have left")
  func withoutWithdrawals() throws {
    func run(_ minimum: MicroUSDT, _ edit: (inout WorldInput) -> Void) throws -> BlakJaksRecord {
      try compare(
        try fullWorld(seed: 5, members: 60, days: 150) { input in
          input.rules.wallet.minimumWithdrawal = minimum
          input.population.wallet.withdraws = .zero
          input.population.purchase.beta = 4
          edit(&input)
        })
    }
    for (key, edit) in [
      ("chips.redeemed", { $0.population.wallet.spends = .zero }),
      ("wallet.card_spent", { $0.population.wallet.redeems = .zero }),
    ] as [(String, (inout WorldInput) -> Void)] {
      let (low, high) = (
        try run(.whole(1), edit).last(key), try run(.whole(100_000), edit).last(key)
      )
      #expect(low == high && low > 0, "\(key): \(low) and \(high)")
    }
  }

  @Test("The scenario with everything on agrees with a plain world")
  func fullProgramme() throws {
    let root = Checkout.root
    let scenario = try Scenario.load(
      path: root.appendingPathComponent("Scenarios/full-programme.yaml").path)
    var input = try WorldInput(scenario)
    input.calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: scenario.calendar.start, days: 130)
    input.population.members = 150
    input.population.wholesale.referenceMembers = 1_000
    makePayoutsPlain(&input)
    let record = try compare(input)
    #expect(record.last("wholesale.chips") > 0)
    #expect(record.last("chips.redeemed") > 0)
    #expect(record.last("shop.delivered") > 0)
  }

  @Test("Each part alone agrees with a plain world", arguments: 0..<5)
  func alone(part: Int) throws {
    try compare(
      try fullWorld(seed: UInt64(10 + part), members: 60, days: 80) { input in
        input.rules.chips.enabled = part == 0
        input.rules.shop.enabled = part == 1
        input.population.wallet.enabled = part == 2
        input.rules.wholesale.accounts = part == 3 ? 2 : 0
        if part == 4 { input.rules.bans = [StateBan(state: "CA", date: CivilDate("2026-02-03")!)] }
      })
  }

  @Test(
    "Chips agree chip by chip: bonus, compounding, expiry, leap days",
    arguments: [
      (1, false, 60, "2026-01-01"), (2, true, 60, "2027-11-01"), (3, true, 28, "2028-01-15"),
      (4, false, 393, "2026-01-01"), (5, true, 365, "2027-01-31"),
    ] as [(UInt64, Bool, Int, String)])
  func chips(seed: UInt64, compounding: Bool, expiryDays: Int, from: String) throws {
    let days = expiryDays > 200 ? expiryDays + 40 : 220
    let record = try compare(
      try fullWorld(
        seed: seed, members: 25, days: days, window: .hours(24), from: from
      ) { input in
        input.rules.chips.compounding = compounding
        input.rules.chips.expiryDays = expiryDays
        input.rules.chips.perScan = UInt32(seed)
        input.rules.chips.bonusEvery = 3
        // So seldom that some chips live for a year.
        input.population.wallet.redeems = expiryDays > 200 ? 0.03 : 0.3
        input.population.adoption.model = .cohort
      })
    #expect(record.last("chips.expired") > 0)
    #expect(record.last("chips.bonus") > 0)
  }

  @Test("A ban ends rewards on its date, and nothing else", arguments: [true, false])
  func bans(hasWallets: Bool) throws {
    let record = try compare(
      try fullWorld(seed: 21, days: 130) { input in
        input.rules.states = threeStates
        input.rules.bans = [
          StateBan(state: "CC", date: CivilDate("2026-03-17")!),
          StateBan(state: "AA", date: CivilDate("2025-12-01")!),
          StateBan(state: "BB", date: CivilDate("2027-01-01")!),
        ]
        input.population.wallet.enabled = hasWallets
        input.rules.chips.enabled = hasWallets
        // Who lives in AA signs up under its ban, and earns no guarantee that asks for nothing.
        input.rules.guarantee.minimumScans = hasWallets ? 7 : 0
        // A cohort has its guarantees looked at in the ban.
        input.population.adoption.model = hasWallets ? .bass : .cohort
        input.population.mischief.duplicates = 0.3
      })
    #expect(record.outcome("member_ineligible") > 100)
    #expect(record.last("ledger.guarantee.count") > 0)
  }

  @Test("After the sunset nobody is referred, and what was earned stays")
  func sunset() throws {
    var input = try fullWorld(seed: 31, members: 70, days: 120) { input in
      input.population.adoption.model = .rate
      input.population.adoption.perDay = 0.6
      input.rules.sunset.enabled = false
      input.rules.sunset.days = 20
    }
    let open = try compare(input)
    // A threshold that a morning just meets for the first time, and the next two exceed.
    input.rules.sunset.enabled = true
    let values: [Int64?] = open.series.first { $0.key == "sunset.trailing" }?.values ?? []
    let trailing = values.map { $0 ?? 0 }
    let day = (30..<100).first { (day: Int) -> Bool in
      trailing[..<day].allSatisfy { $0 < trailing[day] }
        && trailing[day + 1] > trailing[day] && trailing[day + 2] > trailing[day]
    }
    input.rules.sunset.threshold = trailing[try #require(day)]
    let closed = try compare(input)
    let active = closed.series.first { $0.key == "sunset.active" }?.values ?? []
    #expect(active.first == 0 && active.last == 1)
    #expect(closed.affiliates.referred > 0)
    #expect(closed.affiliates.referred < open.affiliates.referred)
  }

  @Test("What is canceled or refunded leaves no trace in money", arguments: [41, 42] as [UInt64])
  func refunds(seed: UInt64) throws {
    let record = try compare(
      try fullWorld(seed: seed, days: 120, window: .hours(3)) { input in
        input.rules.states = threeStates
        input.population.tins.shop = 0.9
        input.population.shop.cancelled = 0.3
        input.population.shop.refunded = 0.5
        input.population.shop.processing = .hours(seed == 41 ? 2 : 40)
        input.population.shop.shipping = .hours(seed == 41 ? 1 : 60)
        input.population.shop.refundAfter = seed == 41 ? TimeSpan(microseconds: 0) : .days(9)
        // All of it alone: weeks may end with less than nothing.
        input.rules.wholesale.accounts = 0
      })
    #expect(record.last("shop.cancelled") > 20)
    #expect(record.last("shop.refunded") > 20)
    if seed == 42 { #expect(record.days.contains { $0.grossProfit < .zero }) }
  }

  @Test(
    "Banks that run short pay in the morning what they can", arguments: [43, 44] as [UInt64])
  func shortBanks(seed: UInt64) throws {
    let record = try compare(
      try fullWorld(seed: seed, days: 120, window: .hours(seed == 43 ? 1 : 7)) { input in
        input.rules.states = threeStates
        input.rules.shop.carrierCost = MicroUSDT(microunits: 6_000_001)
        input.rules.treasury.opening.operatingBank = .zero
        input.rules.treasury.opening.reserveBank = .whole(40)
        input.rules.treasury.float = .whole(seed == 43 ? 0 : 25)
        input.population.tins.shop = 0.9
        input.population.shop.cancelled = 0.2
        input.population.shop.refunded = 0.6
        input.rules.wholesale.accounts = 0
      })
    let short = record.series.first { $0.key == "bank.shortfall" }?.values.compactMap(\.self) ?? []
    let first = try #require(short.firstIndex { $0 > 0 })
    #expect(short[first...].contains(0), "once short, Operating was short for ever")
    #expect(record.last("bank.topped_up") > 0)
    #expect(record.figure("bank.first_shortfall_day") == Double(first + 1))
    #expect(record.figure("bank.deepest_shortfall") == short.max().map { Double($0) / 1e6 })
    #expect(
      record.figure("bank.topped_up") == Double(record.last("bank.topped_up")) / 1_000_000)
  }

  @Test("Purchases that the shop loses come back, go to retail or are lost", arguments: [43, 44])
  func lostPurchases(seed: UInt64) throws {
    let record = try compare(
      try fullWorld(seed: seed, days: 120, window: .hours(seed == 43 ? 2 : 24)) { input in
        input.population.tins.shop = 0.6
        input.population.shop.abandoned = seed == 43 ? 0.9 : 0.5
        input.population.shop.comeBack = 0.6
        input.population.shop.toRetail = 0.2
        input.population.shop.comeBackAfter = .hours(30)
        input.population.shop.agePass = seed == 43 ? 0.8 : 1
      })
    for key in ["shop.come_backs", "shop.to_retail", "shop.lost"] {
      #expect((record.last(key) > 20) == (seed == 43), "\(key)")
    }
  }

  @Test("Tins opened at once, or later than the next purchase", arguments: [0, 0.3, 4])
  func openedOver(part: Double) throws {
    let record = try compare(
      try fullWorld(seed: 47, days: 120, window: .hours(part == 0 ? 24 : 3)) { input in
        input.population.tins.openedOver = part
        input.population.tins.shop = 0.5
        input.population.wholesale.referenceMembers = 300
        input.population.wholesale.tinsPerCase = 100
      })
    #expect(record.acceptedScans > 500 && record.last("wholesale.tins_home") > 20)
  }

  @Test("Codes passed on and wholesale tins reach the members they reach", arguments: [45, 46])
  func passedOnAndWholesale(seed: UInt64) throws {
    let record = try compare(
      try fullWorld(seed: seed, days: 120, window: .hours(seed == 45 ? 3 : 24)) { input in
        input.population.mischief.shared = 0.3
        input.population.mischief.sharedAfter = seed == 45 ? .seconds(40) : .days(3)
        input.population.wholesale.referenceMembers = seed == 45 ? 1_000 : 300
        input.population.wholesale.tinsPerCase = 100
        input.population.wholesale.scanned = seed == 45 ? nil : 0.3
        input.rules.bans = seed == 45 ? [] : [StateBan(state: "CA", date: CivilDate("2026-02-03")!)]
      })
    for key in ["scans.shared", "wholesale.tins_home"] { #expect(record.last(key) > 50, "\(key)") }
  }

  @Test("Money is pending until its batch is paid", arguments: [1, 2, 3] as [UInt64])
  func batches(seed: UInt64) throws {
    let batches: [TimeSpan] = [.minutes(10), .hours(9), .days(5)]
    let record = try compare(
      try fullWorld(seed: 50 + seed, members: 60, days: 100, window: .hours(2)) { input in
        makePayoutsPlain(&input, batch: batches[Int(seed) - 1])
        input.rules.payouts.batchLimit = 7
      })
    #expect(record.last("wallet.card_payments") > 0)
  }

  @Test(
    "The guard acts on the projected budget",
    arguments: [GuardPolicy.scaleScanReward, .deferMilestones])
  func guards(policy: GuardPolicy) throws {
    let record = try compare(
      try fullWorld(seed: 61, days: 130) { $0.rules.guardPolicy.policy = policy })
    #expect(record.days.contains { $0.status == .critical })
    #expect(record.days.contains { $0.status != .critical })
  }

  @Test(
    "Every purchase model and adoption agrees",
    arguments: [(.bgNbd, .cohort), (.paretoNbd, .rate), (.mbgNbd, .plan)]
      as [(PurchaseModel, AdoptionModel)])
  func models(purchase: PurchaseModel, adoption: AdoptionModel) throws {
    try compare(
      try fullWorld(seed: 71, members: 60, days: 110) { input in
        input.population.purchase.model = purchase
        input.population.adoption.model = adoption
        input.population.adoption.monthly = [30, 5, 40]
        input.population.adoption.perDay = 0.7
        input.rules.tiers.carry = false
      })
  }

  @Test func windowsOfAMinuteAgreeToo() throws {
    // More than 65,536 of them, so that cells number their slots anew.
    let input = try fullWorld(seed: 81, members: 20, days: 48, window: .minutes(1)) { input in
      input.population.adoption.model = .cohort
      input.rules.wholesale.accounts = 1
    }
    #expect(Array(World.windows(input.calendar, length: input.window)).count > 68_000)
    try compare(input)
  }

  @Test func membersOfSeveralCellsMeetInTheHouse() throws {
    try compare(
      try fullWorld(seed: 91, members: 4_400, days: 9, window: .hours(24)) { input in
        input.population.adoption.model = .cohort
        input.population.tins.perWeek = 6
      })
  }
}
