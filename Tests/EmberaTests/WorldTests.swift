// Goal: the windowed world does what a plain second writing does, for any number of threads and any
// window, and its rare branches are taken.
// Method: whole runs compared figure by figure; journals committed again; closed forms.
import Embera
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import TestSupport
import Testing

struct Setting: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var days = 75
  var edit: @Sendable (inout EmberaSettings) -> Void

  static let all = [
    Setting(testDescription: "defaults") { _ in },
    Setting(testDescription: "half offline for days") {
      $0.population.devices.offline = 0.5
      $0.population.devices.stretch = .days(3)
      $0.population.devices.perMember = 2
      $0.population.devices.lostAnswers = 0.3
      $0.population.redemption.probability = 0.9
      $0.rules.budget.limit = BasisPoints(100)
    },
    Setting(testDescription: "expiry, multipliers and an early estimate", days: 120) {
      $0.rules.expiryMonths = 1
      $0.rules.tiers.multipliers = [10_000, 12_500, 20_000]
      $0.rules.liability.months = 2
      $0.population.payment.cancelled = 0.3
      $0.population.signIn.late = 0.4
      $0.population.signIn.replayed = 0.2
      $0.population.signIn.copied = 0.2
      $0.population.devices.wrongClock = 0.3
      $0.rules.passkeys.session = .days(5)
    },
    Setting(testDescription: "Pareto cohort without season, taxes or subscribers") {
      $0.population.purchase.model = .paretoNbd
      $0.population.purchase.erlang = 1
      $0.population.adoption.model = .cohort
      $0.rules.budget.limit = BasisPoints(2_500)
      $0.rules.budget.warning = BasisPoints(1_000)
      $0.population.season.enabled = false
      $0.population.subscriptions.share = 0
      $0.rules.states = []
    },
    Setting(testDescription: "everybody subscribes weekly, many bags") {
      $0.population.subscriptions.share = 1
      $0.population.subscriptions.intervals = [1, 0, 0]
      $0.population.subscriptions.stop = 0.2
      $0.population.basket.items = 5
      $0.population.adoption.model = .rate
      $0.population.adoption.perDay = 4
    },
  ]

  func settings(members: Int) -> EmberaSettings {
    var settings = EmberaSettings()
    settings.population.members = members
    edit(&settings)
    return settings
  }
}

func frame(seed: UInt64, days: Int, window: TimeSpan = .hours(6)) throws -> RunFrame {
  RunFrame(
    scenario: "embera-test", seed: seed,
    calendar: try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate(year: 2026, month: 1, day: 20), days: days),
    window: window)
}

@Suite(.tags(.slow)) struct WorldTests {
  @Test(
    "The world agrees with a plain second writing", arguments: Setting.all, [1, 2, 3] as [UInt64])
  func agrees(setting: Setting, seed: UInt64) throws {
    let frame = try frame(seed: seed, days: setting.days)
    let settings = setting.settings(members: 150)
    var world = EmberaWorld(frame, settings, threads: 1)
    let record = try world.run(checking: true)
    let plain = PlainEmbera(frame, settings)
    plain.run()
    compareTotals(record, plain)
    compareSeries(record, plain)
  }

  private func compareTotals(_ record: EmberaRecord, _ plain: PlainEmbera) {
    func expect(_ name: String, _ value: Int64, _ sign: Comment? = nil) {
      #expect(value == plain.counts[name, default: 0], "\(name)")
    }
    let sums = record.total.sums
    expect("signUps", sums.signUps)
    expect("orders", sums.orders)
    expect("deliveries", sums.deliveries)
    expect("list", sums.list)
    expect("discount", sums.discount)
    expect("shipping", sums.shipping)
    expect("tax", sums.tax)
    expect("cost", sums.cost)
    expect("deferred", sums.deferred)
    expect("issued", sums.issued)
    expect("redeemed", sums.redeemed)
    expect("expired", sums.expired)
    expect("refused", sums.refused)
    expect("repeated", sums.repeated)
    expect("visits", record.total.visits)
    expect("left", record.total.left)
    expect("resets", record.total.resets)
    expect("events", record.events)
    expect("reward cost", record.total.rewardCost.microunits)
    for (row, offer) in record.offers.enumerated() { expect("offer \(row)", offer.redemptions) }
    for row in record.checkouts {
      expect("\(row.outcome.key) true", row.online)
      expect("\(row.outcome.key) false", row.offline)
    }
    for row in record.ceremonies { expect(row.name, row.count) }
    let sync = record.sync
    expect("placed offline", sync.offlineOrders)
    expect("syncs", sync.syncs)
    expect("reserved", sync.offlineRedemptions)
    expect("confirmed", sync.confirmed)
    expect("conflicts", sync.conflicts)
    expect("points returned", sync.pointsReturned)
    expect("resent", sync.resent)
    expect("looks", sync.looks)
    expect("held back", sync.heldBack)
    let lags = plain.lags.sorted()
    #expect(sync.arrived == Int64(lags.count))
    #expect(sync.longestLag?.microseconds == lags.last)
    if let high = sync.lagP95 {
      let exact = Double(lags[Int((0.95 * Double(lags.count)).rounded(.up)) - 1])
      #expect(abs(Double(high.microseconds) - exact) <= 0.02 * exact + 1e6)
      #expect(sync.meanLag?.microseconds == lags.reduce(0, +) / Int64(lags.count))
    }
    for tier in [EmberaTier.aura, .halo] {
      let times = plain.members.values.compactMap { member in
        member.reached.count >= tier.rawValue ? member.reached[tier.rawValue - 1] : nil
      }
      let row = record.tiers[tier.rawValue]
      #expect(row.reached == Int64(times.count))
      let seconds = times.reduce(0) { $0 + $1.microseconds / 1_000_000 }
      #expect(
        row.meanTimeToReach == (times.isEmpty ? nil : .seconds(seconds / Int64(times.count))))
    }
  }

  private func compareSeries(_ record: EmberaRecord, _ plain: PlainEmbera) {
    #expect(record.days.count == plain.days.count && record.months.count == plain.months.count)
    for (day, other) in zip(record.days, plain.days) {
      func expect(_ name: String, _ value: Int64) {
        #expect(value == other[name, default: 0], "\(name) on \(day.date)")
      }
      expect("signUps", day.signUps)
      expect("orders", day.orders)
      expect("deliveries", day.deliveries)
      expect("issued", day.issued)
      expect("redeemed", day.redeemed)
      expect("expired", day.expired)
      expect("outstanding", day.outstanding)
      expect("waiting", day.waiting)
      expect("subscribers", day.subscribers)
      expect("tier 0", day.ember)
      expect("tier 1", day.aura)
      expect("tier 2", day.halo)
      expect("status 0", day.processing)
      expect("status 1", day.roasting)
      expect("status 2", day.shipping)
      #expect(
        day.placed == other["placed online", default: 0] + other["placed offline", default: 0])
      #expect(
        day.revenue.microunits == other["list", default: 0] - other["discount", default: 0])
    }
    for (month, other) in zip(record.months, plain.months) {
      func expect(_ name: String, _ value: Int64) {
        #expect(value == other[name, default: 0], "\(name) in \(month.month)")
      }
      expect("orders", month.orders)
      expect("discount", month.discounts.microunits)
      expect("shipping", month.shipping.microunits)
      expect("tax", month.tax.microunits)
      expect("cost", month.costOfGoods.microunits)
      expect("issued", month.issued)
      expect("redeemed", month.redeemed)
      expect("expired", month.expired)
      expect("outstanding", month.outstanding)
      expect("reward cost", month.rewardCost.microunits)
      expect("share", month.valuation.share.rawValue)
      expect("gross", month.valuation.gross.microunits)
      expect("net", month.valuation.net.microunits)
      expect("liability", month.valuation.contractLiability.microunits)
    }
  }

  @Test("Any number of threads and any window gives the same record", arguments: Setting.all)
  func threads(setting: Setting) throws {
    func record(_ threads: Int, _ window: TimeSpan) throws -> EmberaRecord {
      var world = EmberaWorld(
        try frame(seed: 8, days: 40, window: window), setting.settings(members: 9_000),
        threads: threads)
      return try world.run()
    }
    let one = try record(1, .hours(6))
    #expect(try record(3, .hours(6)) == one)
    #expect(try record(2, .minutes(95)) == one)
  }

  @Test("A run's journal, committed again, gives its books", arguments: Setting.all)
  func journal(setting: Setting) throws {
    let frame = try frame(seed: 5, days: setting.days)
    let settings = setting.settings(members: 400)
    var world = EmberaWorld(frame, settings, threads: 2, journals: true)
    let record = try world.run()
    #expect(Int64(world.journal.count) > record.total.sums.orders)
    var state = EmberaState(
      settings.rules, month: frame.calendar.dates[0].monthNumber)
    var refused: Int64 = 0
    var ceremonies: [String: Int64] = [:]
    for entry in world.journal {
      switch try state.commit(entry.request, at: entry.instant) {
      case .refused(.entry(.balance)): refused += 1
      case .refused(.passkey(let refusal)): ceremonies[refusal.key, default: 0] += 1
      case .signedIn: ceremonies["signed_in", default: 0] += 1
      case .refused(let refusal): Issue.record("\(entry) was refused: \(refusal)")
      default: break
      }
    }
    let again = try EmberaRecord(frame, settings.rules, state.books, end: record.end)
    #expect(again.months == record.months)
    #expect(again.offers == record.offers)
    #expect(again.accounts == record.accounts)
    #expect(again.total.sums == record.total.sums && refused == record.total.sums.refused)
    let tiers = EmberaTier.allCases.map { tier in
      Int64(
        state.accounts.count { settings.rules.tiers.tier(earned: $0.issued) == tier })
    }
    #expect(tiers == record.tiers.map(\.members))
    for row in record.ceremonies { #expect(ceremonies[row.name, default: 0] == row.count) }
  }

  @Test func rareBranchesAreTaken() throws {
    var seen: [String: Int64] = [:]
    for setting in Setting.all {
      var world = EmberaWorld(
        try frame(seed: 3, days: setting.days), setting.settings(members: 1_500), threads: 2)
      let record = try world.run()
      seen["conflict", default: 0] += record.sync.conflicts
      seen["confirmed offline", default: 0] += record.sync.confirmed
      seen["expired", default: 0] += record.total.sums.expired
      seen["held back", default: 0] += record.sync.heldBack
      seen["resent", default: 0] += record.sync.resent
      seen["waiting at the end", default: 0] += record.sync.waitingOrders
      seen["reset", default: 0] += record.total.resets
      for row in record.checkouts { seen[row.outcome.key, default: 0] += row.offline }
      for row in record.ceremonies { seen[row.name, default: 0] += row.count }
      for row in record.offers { seen[row.id, default: 0] += row.redemptions }
      for month in record.months { seen[month.status.key, default: 0] += 1 }
    }
    #expect(seen.count == 21, "\(seen.keys.sorted())")
    for (branch, count) in seen { #expect(count > 0, "never seen: \(branch)") }
  }

  @Test func anInterruptedRunIsClosedWhereItStopped() throws {
    var world = EmberaWorld(
      try frame(seed: 2, days: 40), Setting.all[1].settings(members: 300), threads: 1)
    var windows = 0
    let record = try world.run { _ in
      windows += 1
      return windows < 30
    }
    #expect(record.interrupted && record.days.count == 8 && record.months.count == 1)
    #expect(record.end < record.start + .days(9))
  }

  @Test func theNetworkChangesNoPaymentAndNoPlacedOrder() throws {
    func record(_ offline: Double) throws -> EmberaRecord {
      var settings = EmberaSettings()
      settings.population.members = 1_000
      settings.population.devices.offline = offline
      var world = EmberaWorld(try frame(seed: 6, days: 30), settings, threads: 2)
      return try world.run()
    }
    let never = try record(0)
    let often = try record(0.6)
    #expect(never.sync.offlineOrders == 0 && often.sync.offlineOrders > 100)
    #expect(never.days.map(\.placed) == often.days.map(\.placed))
    for (a, b) in zip(never.checkouts, often.checkouts) {
      #expect(a.online + a.offline == b.online + b.offline)
    }
  }
}
