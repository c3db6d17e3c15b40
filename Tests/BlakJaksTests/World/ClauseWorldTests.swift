import BlakJaks
import Population
import Quantities
// Goal: clauses that only a world shows: bans, the shop's tins, chips and wallets of many members.
// Method: small worlds with one thing made extreme, so that the figure is known without a model.
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ClauseWorldTests {
  private func run(_ edit: (inout WorldInput) -> Void) throws -> BlakJaksRecord {
    let input = try smallWorld(seed: 21, members: 300, days: 120) { input in
      input.population.adoption.model = .cohort
      edit(&input)
    }
    var world = try World(input, threads: 1)
    return try world.run()
  }

  private func series(_ record: BlakJaksRecord, _ key: String) throws -> [Int64?] {
    try #require(record.series.first { $0.key == key }, "no series \(key)").values
  }

  @Test func suspendedMembersAreIneligibleAndClaimNothing() throws {
    let record = try run { input in
      input.rules.states = [StateRecord(code: "AA", weight: 1, tax: .zero)]
      input.rules.bans = [StateBan(state: "AA", date: CivilDate("2026-02-15")!)]
    }
    let before = record.days.prefix(45)
    #expect(before.last?.date.description == "2026-02-14")
    #expect(before.last.map { $0.acceptedScans > 0 } == true)
    #expect(record.days.dropFirst(45).allSatisfy { $0.acceptedScans == 0 })
    #expect(record.outcomes.first { $0.name == "member_ineligible" }.map { $0.count > 0 } == true)
    #expect(record.acceptedScans == before.reduce(0) { $0 + $1.acceptedScans })
  }

  @Test func whatTheShopDeliversIsWhatItsMembersScan() throws {
    func accepted(_ shipping: TimeSpan) throws -> (record: BlakJaksRecord, scans: Int64) {
      let record = try run { input in
        input.rules.shop.enabled = true
        input.population.tins.shop = 1
        input.population.shop.shipping = shipping
      }
      return (record, record.acceptedScans)
    }
    let (record, scans) = try accepted(.hours(48))
    let delivered = try series(record, "shop.delivered").last ?? 0
    let orders = try series(record, "shop.orders").last ?? 0
    #expect(scans > 0)
    #expect(record.tinsSold > scans)
    #expect(try #require(delivered) > 0)
    #expect(try #require(delivered) < (try #require(orders)), "some are under way or canceled")
    // Parcels that take longer than the run leave nothing to scan.
    let (_, none) = try accepted(.days(100_000))
    #expect(none == 0)
  }

  /// A shop that gives most of what it sells back, out of an account that holds nothing but its
  /// float.
  private func shopInStraits(_ input: inout WorldInput) {
    input.rules.shop.enabled = true
    input.rules.compPool.share = BasisPoints(9_000)
    input.rules.treasury.opening.operatingBank = .zero
    input.rules.treasury.float = .zero
    input.population.tins.shop = 0.9
    input.population.shop.refunded = 0.8
  }

  @Test func theLargerTheFloatTheLessOperatingIsShortOf() throws {
    let runs = try [0, 100, 400, 10_000].map { (float: Int64) in
      try run { input in
        shopInStraits(&input)
        input.rules.treasury.float = .whole(float)
      }
    }
    for figure in ["bank.deepest_shortfall", "bank.topped_up"] {
      let values = try runs.map { try #require($0.figure(figure)) }
      #expect(values[0] > 0, "\(figure)")
      #expect(values.sorted(by: >) == values && Set(values).count > 2, "\(figure): \(values)")
      #expect(values[3] == 0, "\(figure)")
    }
    #expect(runs[3].figure("bank.first_shortfall_day") == nil)
    #expect(RunFigures(runs[3]).shortfallSentence == nil)
    let sentence = try #require(RunFigures(runs[0]).shortfallSentence)
    let first = try #require(runs[0].figure("bank.first_shortfall_day"))
    let date = runs[0].days[Int(first) - 1].date
    #expect(sentence.contains("could not pay all that the shop owed on \(date)"), "\(sentence)")
    let page = try BlakJaksProgramme.page("treasury", of: runs[0], at: nil)
    let bank = try #require(page.blocks.first { $0.key == "bank" })
    guard case .figures(let figures) = bank.body else {
      Issue.record("the banks have no figures")
      return
    }
    #expect(figures.contains { $0.key == "first_shortfall" && $0.value == .text("\(date)") })
  }

  @Test func everyRunChecksTheLawsAfterEveryWindow() throws {
    // Tins that cost more than they bring, which no scenario may say, out of an empty account.
    func broken(checking: Bool) throws -> Violation {
      let input = try smallWorld(seed: 21, members: 300, days: 120) { input in
        input.population.adoption.model = .cohort
        input.rules.economy.grossProfit = .whole(-1)
        input.rules.treasury.opening.operatingBank = .zero
      }
      // Merged, windows of small worlds are checked once a day.
      var world = try World(input, threads: 1, mergesWindows: false)
      do {
        _ = try world.run(checking: checking)
      } catch let violation as Violation { return violation }
      throw Unbroken()
    }
    let violation = try broken(checking: false)
    #expect(violation.invariant == "treasuries_not_negative")
    #expect(violation.facts.contains("bank_operating holds -"))
    #expect(violation == (try broken(checking: true)), "found after the same window")
  }

  private struct Unbroken: Error {}

  @Test func everyAcceptedScanIssuesAGoldChipAndNoneIsLost() throws {
    let record = try run { input in
      input.rules.chips.enabled = true
      input.population.wallet.enabled = true
    }
    let issued = try series(record, "chips.issued")
    let bonus = try series(record, "chips.bonus")
    var accepted: Int64 = 0
    for day in record.days.indices {
      accepted += record.days[day].acceptedScans
      let parts = try ["held", "vaulted", "redeemed", "expired"].map {
        try #require(try series(record, "chips.\($0)")[day])
      }
      #expect(try #require(issued[day]) == parts.reduce(0, +))
      #expect(try #require(issued[day]) - (try #require(bonus[day])) == accepted)
    }
    #expect(try #require(bonus.last ?? nil) > 0)
    let redeemed = try #require(try series(record, "chips.redeemed").last ?? nil)
    let paid = record.payouts.first { $0.type == "chips" }
    #expect(redeemed > 0)
    #expect(paid?.total == MicroUSDT(microunits: redeemed * 100_000))
  }

  @Test func anActiveSunsetEngineLetsNobodyBeReferred() throws {
    func referred(_ enabled: Bool) throws -> Int64 {
      try run { input in
        input.population.adoption.model = .rate
        input.population.adoption.perDay = 3
        input.rules.sunset.enabled = enabled
        input.rules.sunset.threshold = 1
        input.rules.sunset.checks = 1
      }.affiliates.referred
    }
    let (with, without) = try (referred(true), referred(false))
    #expect(without > 60)
    #expect(with < without / 4)
  }

  @Test func scansAreProcessedAsTheSettingsSayWhateverTheWindow() throws {
    func figures(
      _ workers: Int, _ service: TimeSpan, window: TimeSpan = .hours(1)
    ) throws -> [String: [Int64?]] {
      let record = try run { input in
        input.rules.scanning.workers = workers
        input.rules.scanning.service = service
        input.window = window
      }
      let keys = BlakJaksSeries.catalog.declarations.map(\.key).filter {
        ($0.hasPrefix("scans.") || $0.hasPrefix("day.scans.")) && $0 != "scans.shared"
      }
      return try Dictionary(
        uniqueKeysWithValues: keys.map { ($0, try series(record, $0)) })
    }
    func sum(_ figures: [String: [Int64?]], _ key: String) -> Int64 {
      (figures[key] ?? []).reduce(0) { $0 + ($1 ?? 0) }
    }
    let slow = try figures(1, .seconds(60))
    #expect(try figures(1, .seconds(60), window: .seconds(97)) == slow)
    #expect(try figures(1, .seconds(60), window: .hours(24)) == slow)
    #expect(sum(slow, "day.scans.backlog_peak") > 0)
    #expect(slow["scans.workers"]?.allSatisfy { $0 == 1 } == true)
    for faster in [try figures(2, .seconds(60)), try figures(1, .seconds(20))] {
      for key in ["scans.processing_mean", "scans.processing_p95", "day.scans.processing_peak"] {
        #expect(sum(faster, key) < sum(slow, key), "\(key)")
      }
      #expect(sum(faster, "day.scans.backlog_peak") < sum(slow, "day.scans.backlog_peak"))
      #expect(
        sum(faster, "day.scans.hours_over_capacity") <= sum(slow, "day.scans.hours_over_capacity"))
      #expect(faster["scans.last_hour"] == slow["scans.last_hour"])
    }
  }
}
