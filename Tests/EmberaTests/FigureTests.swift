// Goal: what experiments know of an EMBERA run is what its record says.
// Method: declarations against a small run, and sums of its days against its totals.

import Embera
import Quantities
import RewardModel
import Scenario
import Testing

@Suite struct FigureTests {
  /// Two months of 400 members who redeem often.
  private func record(_ rows: [RunHeader.SettingRow] = []) throws -> EmberaRecord {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate(year: 2026, month: 1, day: 10), days: 60)
    var settings = EmberaSettings(recorded: rows)
    settings.population.members = 400
    settings.population.redemption.probability = 0.9
    settings.population.devices.offline = 0.3
    return try EmberaProgramme.simulate(
      RunFrame(scenario: "figures", seed: 3, calendar: calendar, settings: rows), settings,
      threads: 1, checking: false, outputs: RunOutputs(), proceed: { _ in true })
  }

  @Test("Every figure has an id, a title and a meaning of its own, and choices are declared")
  func words() {
    let catalog = EmberaProgramme.figures
    #expect(Set(catalog.ids).count == catalog.ids.count)
    #expect(Set(catalog.figures.map(\.title)).count == catalog.ids.count)
    for figure in catalog.figures { #expect(figure.meaning.hasSuffix("."), "\(figure.id)") }
    for figure in catalog.figures where figure.unit == .money {
      #expect(figure.title.hasSuffix(", USD"), "\(figure.id)")
    }
    #expect(catalog.figure("series.revenue")?.title == "series.revenue, USD")
    #expect(MeasureUnit.money.measure(in: catalog.currency) == "usd")
    let choices = catalog.choices
    let ids =
      [choices.utilisation, choices.spend, choices.generosity] + choices.projection
      + choices.sweep + choices.owed.steps.map(\.figure)
    for id in ids { #expect(catalog.ids.contains(id), "\(id)") }
    let paths = EmberaSettings.catalog.map(\.description.path)
    for axis in EmberaProgramme.standardAxes { #expect(paths.contains(axis), "\(axis)") }
  }

  @Test("A run has every figure and the series that are declared")
  func run() throws {
    let record = try record()
    let catalog = EmberaProgramme.figures
    for id in catalog.ids where !id.hasSuffix(".time") {
      #expect(catalog.value(id, record) != nil, "\(id)")
    }
    #expect(record.series.map(\.key) == catalog.series.declarations.map(\.key))
    #expect(record.series.allSatisfy { $0.values.count == 60 })
    let pairs = [
      ("series.orders.received", "orders.total"), ("series.points.issued", "points.issued"),
      ("series.revenue", "revenue.total"), ("series.reward.cost", "reward.cost"),
      ("series.points.outstanding", "points.outstanding"), ("series.tier.halo", "tier.halo"),
    ]
    for (series, figure) in pairs {
      #expect(catalog.value(series, record) == catalog.value(figure, record), "\(figure)")
    }
    #expect((catalog.value("reward.cost", record) ?? 0) > 0)
  }

  @Test("No percentile of waits is above the longest of them, however few there are")
  func percentilesOfFewWaits() throws {
    var settings = EmberaSettings()
    settings.population.members = 3
    settings.population.devices.offline = 0.5
    var few = 0
    for seed in UInt64(1)...12 {
      var world = EmberaWorld(try frame(seed: seed, days: 20), settings, threads: 1)
      let sync = try world.run().sync
      guard let high = sync.lagP95, let longest = sync.longestLag else { continue }
      few += 1
      #expect(high <= longest && high.inSeconds >= 0.98 * longest.inSeconds, "seed \(seed)")
    }
    #expect(few > 3)
  }

  @Test("A replay has no figure that a history cannot tell, so that none meets a threshold")
  func replays() throws {
    var record = try record()
    record.header.source = .history
    let absent = EmberaProgramme.figures.ids.filter {
      EmberaProgramme.figures.value($0, record) == nil
    }
    #expect(
      absent == [
        "reward.rate", "reward.utilisation", "reward.cost", "reward.months.warning",
        "reward.months.critical", "discounts.total", "points.redeemed", "points.redemption_rate",
        "members.subscription_share", "tier.aura.time", "tier.halo.time",
      ] + PaymentOutcome.allCases.map { "checkout.\($0.key)" } + [
        "sync.offline_orders", "sync.lag_mean", "sync.lag_p95", "sync.conflicts",
      ])
    let declared = EmberaProgramme.figures.series.declarations.map(\.key)
    let series = Set(record.series.map(\.key))
    #expect(
      declared.filter { !series.contains($0) } == [
        "orders.deliveries", "points.redeemed", "reward.cost", "orders.processing",
        "orders.roasting", "orders.shipping", "sync.waiting", "tier.ember", "tier.aura",
        "tier.halo", "subscribers",
      ])
    #expect(EmberaProgramme.figures.value("series.reward.cost", record) == nil)
    #expect(EmberaProgramme.figures.value("peak.points.redeemed", record) == nil)
  }

  @Test("What a replay does not know misses its threshold, events too, and says what is not known")
  func thresholdsOfReplays() throws {
    var record = try record()
    let unknown = [
      ("reward.utilisation < 1", "what rewards cost"), ("P(critical) <= 5 %", "what rewards cost"),
      ("P(warning@2026-02) <= 1", "what rewards cost"),
      ("P(reward.rate > 5 %) <= 5 %", "what rewards cost"),
      ("series.subscribers <= 5", "who has a subscription"),
      ("P(peak.sync.waiting > 5) <= 5 %", "what happened on members' devices"),
    ]
    let known = ["P(members.total < 5) <= 5 %", "series.points.outstanding > 0", "tier.halo >= 0"]
    let expectations = try (unknown.map(\.0) + known).map {
      try Expectation.read($0, figures: EmberaProgramme.figures)
    }
    func rows() -> [RunHeader.ThresholdRow] {
      expectations.verdicts(EmberaProgramme.self, record)
    }
    #expect(rows().allSatisfy { $0.reached != nil })
    record.header.source = .history
    #expect(rows().map(\.holds) == unknown.map { _ in false } + known.map { _ in true })
    for (row, (text, words)) in zip(rows(), unknown) {
      #expect(row.threshold == text && row.reached == nil)
      #expect(EmberaProgramme.figures.unknown(row.figure, in: record.header) == words, "\(text)")
    }
  }

  @Test("Breakage is of the points that the valuation does not expect to be redeemed")
  func breakage() throws {
    let frame = try frame(seed: 1, days: 100)
    var rules = EmberaRules()
    rules.expiryMonths = 1
    let start = frame.calendar.start
    var state = EmberaState(rules, month: 24_312)
    func record() throws -> EmberaRecord {
      try EmberaRecord(frame, rules, state.books, end: start)
    }
    _ = try state.commit(.signUp(state: 0), at: start)
    _ = try state.commit(.closeMonth(isComplete: true), at: start)
    #expect(try record().breakage == nil, "there are no points")
    _ = try state.commit(
      .order(member: 0, channel: .firstDevice, number: 1, contents: .amount(.whole(60))), at: start)
    _ = try state.commit(.closeMonth(isComplete: true), at: start)
    let young = try #require(try record().breakage)
    #expect(abs(young - 0.3) < 1e-12)
    _ = try state.commit(
      .redeem(member: 0, channel: .firstDevice, number: 2, offer: "espresso"), at: start)
    _ = try state.commit(.closeMonth(isComplete: true), at: start)
    // Of 600 points 150 were redeemed, and the others have expired; the estimate still says 70 %.
    let last = try record()
    #expect(last.valuation?.share == BasisPoints(7_000) && last.total.sums.expired == 450)
    #expect(last.breakage == 0.75)
    #expect(EmberaProgramme.figures.value("points.breakage", last) == 0.75)
  }

  @Test("The budget is the limit of the reward rate, as the run's settings say it")
  func sample() throws {
    let record = try record([
      RunHeader.SettingRow(path: "rules.budget.limit", value: "2 %", mark: "set")
    ])
    let sample = EmberaProgramme.sample(record)
    let cost = try #require(EmberaProgramme.figures.value("reward.cost", record))
    let revenue = try #require(EmberaProgramme.figures.value("revenue.total", record))
    let spent = Double(try #require(sample.spend.last))
    let budget = Double(try #require(sample.budget.last))
    #expect(abs(spent - cost) <= 1e-5 * cost)
    #expect(abs(budget - 0.02 * revenue) <= 1e-5 * revenue)
    let used = try #require(EmberaProgramme.figures.value("reward.utilisation", record))
    #expect(abs(used - cost / (0.02 * revenue)) < 1e-9)
    #expect(sample.months.map(\.label) == ["2026-01", "2026-02", "2026-03"])
    #expect(abs(sample.months.reduce(0) { $0 + $1.spendCash } - cost) < 1e-6)
    #expect(sample.statuses.count == 60 && sample.projected.count == 60)
    // The last day of a month expects what the month closes with.
    #expect(sample.statuses[21] == sample.months[0].status)
    #expect(sample.events.map(\.kind) == record.offers.map(\.title))
    #expect(
      sample.events.map { $0.counts.reduce(0, +) } == record.offers.map { Int($0.redemptions) })
    let heat: Double = sample.heat.reduce(0, +)
    #expect(heat == Double(record.days.reduce(0) { $0 + $1.placed }))
    #expect(sample.cohorts.map(\.count) == [3, 2, 1])
    let living = sample.cohorts.reduce(0) { $0 + ($1.last ?? 0) }
    #expect(living == record.total.members - record.total.left)
    #expect(sample.bounds == HealthBounds(warning: 0.85, critical: 1))
  }

  @Test("Offers that cost more than can be counted of a budget are a share of it all the same")
  func hugeShare() throws {
    let text = """
      name: free
      programme: embera
      calendar: { days: 40 }
      rules:
        budget: { limit: 0.01 % }
        orders: { prices: { small: 0.000001, medium: 0.000001, large: 0.000001 } }
        points_per_dollar: 10000
        tiers: { multipliers: [100, 100, 100] }
        offers: [{ id: car, title: "A car", points: 1, cost: 100000000, price: 1 }]
      population: { members: 50, redemption: { probability: 1 }, adoption: { model: cohort } }
      """
    func sample<Plan: RunPlan>(_ plan: Plan) throws -> RunSample {
      Plan.Programme.sample(try plan.simulate(threads: 1))
    }
    let sample = try sample(Scenario.load(text: text, file: "free.yaml").plan())
    #expect(sample.projected.compactMap(\.self).contains { $0 > 1_000_000_000_000_000 })
    #expect(sample.statuses.last == .critical)
  }

  @Test("Offers that cost something are Critical without a budget, and over any")
  func withoutBudget() throws {
    let record = try record([
      RunHeader.SettingRow(path: "rules.budget.limit", value: "0 %", mark: "set")
    ])
    let sample = EmberaProgramme.sample(record)
    let costly = sample.months.map { $0.spendAccrual > 0 }
    #expect(costly.contains(true) && sample.months.map { $0.status == .critical } == costly)
    #expect(sample.statuses.contains(.critical) && sample.projected.allSatisfy { $0 == nil })
    let used = try #require(EmberaProgramme.figures.figure("reward.utilisation"))
    let value = EmberaProgramme.figures.value(used.id, record)
    #expect(value == nil && sample.compared(value, as: used) == .infinity)
  }
}
