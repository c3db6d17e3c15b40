// Goal: a setting that is said to do nothing does nothing, and whoever sets it is told.
// Method: worlds of both programs in which something is off; each setting that is said to be idle there is
// moved, and the run must stay the same to the bit.
import BlakJaks
import Embera
import Foundation
import Quantities
import RewardModel
import RunStore
import Scenario
import Testing

@Suite struct IdleSettingTests {
  private static let blakjaks = """
    name: idle
    calendar: { days: 120, zone: UTC }
    population: { members: 60, adoption: { p: 2, q: 9 }, tins: { per_week: 9 } }
    """

  private static let embera = """
    name: idle
    programme: embera
    calendar: { days: 120, zone: UTC }
    population: { members: 60, adoption: { p: 2, q: 9 } }
    """

  /// A program, and what is off in it besides what is off by default.
  private static let worlds: [(text: String, set: [String])] =
    [
      [], ["population.adoption.model=cohort"], ["population.adoption.market=90"],
      ["population.adoption.model=plan", "population.adoption.monthly=[30, 20]"],
      ["population.adoption.model=rate", "population.adoption.per_day=2"],
      ["population.purchase.model=pareto_nbd"], ["population.purchase.model=bg_nbd"],
      ["population.purchase.alpha=0.4", "population.purchase.r=1.1"],
      ["rules.guarantee.enabled=false", "rules.sunset.enabled=false"],
      ["population.tins.scanned=0", "rules.guard.policy=defer_milestones"],
      ["rules.payouts.batch=0s"], ["rules.payouts.failure=0"],
      ["population.referral.referred=0"], ["population.referral.affiliates=0"],
      ["rules.shop.enabled=true", "population.tins.shop=0"], ["rules.chips.enabled=true"],
      [
        "rules.bans=[{state: TX, date: 2025-12-01, days: 31}]",
        "population.mischief.rings=[{date: 2025-12-25, days: 7}]",
      ],
      ["rules.shop.enabled=true", "rules.chips.enabled=true", "population.wallet.enabled=true"],
      ["population.wallet.enabled=true", "population.wallet.wants_card=0"],
      [
        "population.chat.enabled=true", "population.chat.sampled=0", "rules.shop.enabled=true",
        "population.shop.abandoned=0.5",
      ],
      [
        "rules.wholesale.accounts=3",
        "population.wholesale.waves=[{date: 2025-12-01, days: 31, factor: 2}]",
        "faults.payouts.outages=[{date: 2025-12-29, hour: 23, lasts: 24h}, {date: 2026-06-01}]",
      ],
    ].map { (blakjaks, $0) }
    + [
      [], ["population.subscriptions.share=0", "population.redemption.probability=0"],
      ["population.devices.offline=0", "population.devices.wrong_clock=0"],
      ["population.purchase.model=pareto_nbd", "population.adoption.model=cohort"],
      ["rules.points_per_dollar=0"], ["rules.budget.limit=0", "rules.orders.shipping=0"],
      ["rules.orders.free_shipping=0", "population.referral.referred=0"],
      ["population.referral.affiliates=0"],
      ["calendar.days=58"],
      ["population.devices.clock_back=0s", "population.sign_in.late=0"],
      ["population.referral.dropout_factor=1"],
      ["rules.offers=[{id: espresso, title: Espresso, points: 40, price: 3, cost: 1}]"],
    ].map { (embera, $0) }

  private static func scenario(_ text: String, _ set: [String]) throws -> Scenario {
    try Scenario.load(
      text: text, file: "s.yaml", overrides: set.map { SettingOverride(argument: $0) })
  }

  private static func fingerprint(_ scenario: Scenario) throws -> String {
    func of<Plan: RunPlan>(_ plan: Plan) throws -> String {
      RunFingerprint.of(try plan.simulate(threads: 1))
    }
    return try of(scenario.plan())
  }

  /// Other values of a setting, as they are written.
  private static func others(_ value: SettingValue, _ shape: SettingShape) -> [String] {
    if case .optional(let inner) = shape {
      return value == .none ? others(least(inner), inner) : others(value, inner)
    }
    switch value {
    case .integer(let number): return ["\(number * 2 + 1)", "\(max(1, number / 2))"]
    case .decimal(let number): return ["\(number * 2 + 0.5)", "\(number * 0.6)"]
    case .money(let amount): return ["\(amount.microunits / 500_000 + 1)"]
    case .share, .fraction, .rate: return ["17 %", "93 %"]
    case .multiplier: return ["1.7"]
    case .duration(let span): return ["\(span.microseconds / 1_000_000 * 3 + 60) s"]
    case .flag(let isOn): return ["\(!isOn)"]
    case .word(let word):
      guard case .choice(let words) = shape else { return [] }
      return words.filter { $0 != word }
    case .list(let entries):
      return entries.isEmpty
        ? [] : ["[" + entries.indices.map { "\($0 + 2)" }.joined(separator: ", ") + "]"]
    default: return []
    }
  }

  private static func least(_ shape: SettingShape) -> SettingValue {
    switch shape {
    case .integer(let range): .integer(range.lowerBound)
    case .decimal(let range): .decimal(range.lower + 1)
    case .money: .money(MicroUSDT(microunits: 0))
    default: .fraction(0)
    }
  }

  private static func idle<P: RewardProgramme>(
    _ scenario: Scenario, _: P.Type
  ) throws -> (idle: [IdleSettings], rows: [(SettingDescription, SettingValue)]) {
    let settings = try #require(scenario.settings(of: P.self))
    let first = scenario.calendar.start
    let last = first.adding(days: scenario.calendar.days - 1)
    return (
      settings.idle(during: first...last),
      P.Settings.catalog.map { ($0.description, $0.read(settings)) }
    )
  }

  @Test("What is said to do nothing changes no run", arguments: worlds)
  func nothing(world: (text: String, set: [String])) throws {
    let base = try Self.scenario(world.text, world.set)
    let (idle, rows) = try Self.idle(base, base.programme)
    #expect(!idle.isEmpty)
    // The first other value of each setting, then the second one, and so on.
    var rounds: [[Move]] = []
    for rule in idle {
      for path in rule.paths {
        let named = IdleSettings(path, while: true, "")
        let isThere = rows.contains { row, _ in
          path.hasPrefix(row.path + "[") || named?.covers(row.path) == true
        }
        #expect(isThere, "\(path)")
      }
      for (row, value) in rows where rule.covers(row.path) {
        for (round, other) in Self.others(value, row.shape).enumerated() {
          if round == rounds.count { rounds.append([]) }
          let move = Move(path: row.path, value: value, other: other, reason: rule.reason)
          if !rounds[round].contains(where: { $0.path == row.path }) { rounds[round].append(move) }
        }
      }
    }
    let fingerprint = try Self.fingerprint(base)
    var moved = 0
    for moves in rounds.flatMap({ Self.together($0, world) }) {
      // All at once, as a run for each takes minutes; one by one to name the one that does something.
      let there = try Self.scenario(world.text, world.set + moves.map(\.text))
      if try Self.fingerprint(there) != fingerprint {
        for move in moves {
          let alone = try Self.scenario(world.text, world.set + [move.text])
          #expect(try Self.fingerprint(alone) == fingerprint, "\(move.text) while \(move.reason)")
        }
        Issue.record("\(moves.map(\.text)) together change the run with \(world.set)")
      }
      // Whoever sets it is told; what is written as it is by default is not moved.
      let (_, rows) = try Self.idle(there, there.programme)
      let told = there.idle
      for move in moves where rows.first(where: { $0.0.path == move.path })?.1 != move.value {
        moved += 1
        let isTold = told.contains { $0.path == move.path && $0.reason == move.reason }
        #expect(isTold, "\(move.text)")
      }
    }
    #expect(moved > 5, "\(moved)")
  }

  private struct Move {
    var path: String
    var value: SettingValue
    var other: String
    var reason: String

    var text: String { "\(path)=\(other)" }
  }

  /// Moves in groups that a scenario can have together; those that none can have are left out.
  private static func together(
    _ moves: [Move], _ world: (text: String, set: [String])
  ) -> [[Move]] {
    if moves.isEmpty { return [] }
    if (try? scenario(world.text, world.set + moves.map(\.text))) != nil { return [moves] }
    let half = moves.count / 2
    return half == 0
      ? [] : together(Array(moves[..<half]), world) + together(Array(moves[half...]), world)
  }

  @Test(
    "What does something changes the run that is compared",
    arguments: [
      (blakjaks, "population.tins.shop=93 %"), (blakjaks, "rules.sunset.days=45"),
      (blakjaks, "rules.guarantee.amount=1"), (embera, "population.subscriptions.stop=17 %"),
    ])
  func something(text: String, change: String) throws {
    let off = text == Self.blakjaks ? ["rules.sunset.enabled=false"] : []
    let there = try Self.scenario(text, off + [change])
    #expect(try Self.fingerprint(there) != Self.fingerprint(Self.scenario(text, off)))
    #expect(there.idle.isEmpty)
  }

  @Test(
    "Points of a run without a whole month after its first one neither expire nor tell how many are redeemed",
    arguments: ["rules.expiry_months", "rules.liability.months"])
  func months(path: String) throws {
    func fingerprint(_ days: Int, _ months: Int) throws -> String {
      try Self.fingerprint(
        Self.scenario(Self.embera, ["calendar.days=\(days)", "\(path)=\(months)"]))
    }
    func told(_ days: Int) throws -> [String] {
      try Self.scenario(Self.embera, ["calendar.days=\(days)", "\(path)=1"]).idle.map {
        "\($0.path): \($0.reason)"
      }
    }
    // January and all of February but a day.
    #expect(try fingerprint(58, 1) == fingerprint(58, 100))
    #expect(try told(58) == ["\(path): the run ends on 2026-02-27"])
    #expect(try told(59).isEmpty && told(120).isEmpty)
    #expect(try fingerprint(120, 1) != fingerprint(120, 100))
  }

  @Test("What does nothing only for some of the draws is not said to do nothing")
  func uncertain() throws {
    let shop = "  - rules.shop.enabled ~ discrete(true = 1, false = 1)\n"
    let set = [
      "population.shop.abandoned=17 %", "rules.chips.value=3",
      "rules.bans=[{state: NY, date: 2027-01-01}]",
    ]
    for (laws, kept) in [
      ("", ["population.shop.abandoned", "rules.chips.value", "rules.bans[0]"]),
      (shop, ["rules.chips.value", "rules.bans[0]"]),
    ] {
      let text = Self.blakjaks + (laws.isEmpty ? "" : "\nuncertain:\n" + laws)
      let scenario = try Self.scenario(text, set)
      #expect(scenario.idle.map(\.path) == kept, "\(laws)")
    }
    // Nor where somebody varies what turns it on.
    let scenario = try Self.scenario(Self.blakjaks, set)
    let varied = ["rules.shop.enabled", "calendar"]
    #expect(scenario.idle(varying: varied).map(\.path) == ["rules.chips.value"])
    let funnel = try Self.scenario(
      Self.blakjaks, ["rules.shop.enabled=true", "population.shop.come_back=50 %"])
    #expect(funnel.idle.map(\.path) == ["population.shop.come_back"])
    #expect(funnel.idle(varying: ["population.shop.abandoned"]).isEmpty)
  }

  @Test("Entries of lists that the run does not reach are named")
  func entries() throws {
    let scenario = try Self.scenario(
      Self.blakjaks,
      [
        "rules.bans=[{state: CA, date: 2025-01-01}, {state: TX, date: 2026-06-01}, "
          + "{state: NY, date: 2025-12-01, days: 31}, {state: FL, date: 2025-12-01, days: 32}]",
        "population.mischief.rings=[{date: 2025-12-25, days: 7}, {date: 2025-12-25, days: 8}]",
        "population.season.holidays=[{date: 2025-12-25, factor: 2}, {date: 2026-01-05, factor: 2}]",
        "rules.wholesale.accounts=3",
        "population.wholesale.waves=[{date: 2026-05-01, factor: 2, days: 9}, "
          + "{date: 2026-04-30, factor: 2, days: 9}]",
        "faults.payouts.outages=[{date: 2025-12-29, hour: 23, lasts: 24h}, "
          + "{date: 2025-12-31, hour: 20, lasts: 12h}]",
      ])
    let said = scenario.idle.map { "\($0.path): \($0.reason)" }
    #expect(
      said == [
        "faults.payouts.outages[0]: the run begins on 2026-01-01",
        "population.wholesale.waves[0]: the run ends on 2026-04-30",
        "rules.bans[1]: the run ends on 2026-04-30",
        "rules.bans[2]: the run begins on 2026-01-01",
        "population.season.holidays[0]: the run begins on 2026-01-01",
        "population.mischief.rings[0]: the run begins on 2026-01-01",
      ])
  }

  @Test("Defaults, sourced values and what does something are not named")
  func silence() throws {
    #expect(try Self.scenario(Self.blakjaks, []).idle.isEmpty)
    #expect(try Self.scenario(Self.blakjaks, ["population.adoption.per_day=100"]).idle.isEmpty)
    let sourced = try Scenario.load(
      text: Self.blakjaks + "\nsources: [\"population.shop.age_pass from a survey\"]\n",
      file: "s.yaml")
    #expect(sourced.idle.isEmpty)
    let text = Self.blakjaks.replacingOccurrences(
      of: "per_week: 9 }", with: "per_week: 9 }, shop: { age_pass: 0.5 }")
    #expect(
      try Scenario.load(text: text, file: "s.yaml").idle.map(\.path) == ["population.shop.age_pass"]
    )
    let known = text + "\nsources: [\"population.shop.age_pass from a survey\"]\n"
    #expect(try Scenario.load(text: known, file: "s.yaml").idle.isEmpty)
    let on = try Self.scenario(text, ["rules.shop.enabled=true"])
    #expect(on.idle.isEmpty)
  }

  @Test("A distribution of what does nothing is named")
  func drawn() throws {
    let scenario = try Scenario.load(
      text: Self.blakjaks + "\nuncertain: [\"population.shop.age_pass ~ uniform(50 %, 90 %)\"]\n",
      file: "s.yaml")
    #expect(scenario.idle.map(\.path) == ["population.shop.age_pass"])
  }
}
