import BlakJaks
import Population
import Quantities
// Goal: a scenario that writes only its name is the program of the brief with its assumptions.
// Method: loaded values against the typed defaults; the brief's figures written out by hand.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct DefaultsTests {
  private let standard = Result { try Scenario.load(text: "name: a\n", file: "t.yaml") }

  @Test func everyDefaultIsThatOfTheTypedValues() throws {
    let scenario = try standard.get()
    #expect(scenario.rules == ProgrammeRules())
    #expect(scenario.population == PopulationSettings())
    #expect(scenario.calendar == ScenarioCalendar())
    #expect(scenario.expect.isEmpty)
    #expect(scenario.description == nil)
    #expect(scenario.programme.id == BlakJaksProgramme.id)
    #expect(scenario.calendar.start == CivilDate("2026-01-01"))
    #expect(scenario.calendar.days == 365)
    #expect(scenario.calendar.zone == "America/New_York")
    #expect(scenario.calendar.window == .hours(1))
  }

  /// Fields of nested structs, with quantities and lists as one field each.
  private func fieldCount(_ value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    let isLeaf =
      mirror.displayStyle != .struct || mirror.children.isEmpty || value is MicroUSDT
      || value is BasisPoints || value is TimeSpan || value is String
    return isLeaf ? 1 : mirror.children.reduce(0) { $0 + fieldCount($1.value) }
  }

  @Test func everyFieldOfTheTypedValuesIsASetting() throws {
    let scenario = try Scenario.load(
      text: "name: a\nrules: {prizes: [], states: []}\n", file: "t.yaml")
    func settings(_ prefixes: String...) -> Int {
      scenario.settings.count { setting in prefixes.contains { setting.path.hasPrefix($0) } }
    }
    #expect(settings("rules.", "economy.") == fieldCount(ProgrammeRules()))
    // A season that is on shows its settings in place of its switch.
    #expect(settings("population.") + 1 == fieldCount(PopulationSettings()))
  }

  @Test func everySettingReadsAndWritesAPlaceOfItsOwn() {
    #expect(BlakJaksSettings.misplaced() == [])
  }

  @Test func writingEveryDefaultOutChangesNothingButTheMarks() throws {
    let scenario = try standard.get()
    let again = try Scenario.load(text: scenario.yaml, file: "resolved.yaml")
    #expect(again.rules == scenario.rules)
    #expect(again.population == scenario.population)
    #expect(again.canonicalText == scenario.canonicalText)
    #expect(again.settings.allSatisfy { $0.mark == .set })
  }

  @Test func onlyTheNameOfTheSmallestScenarioIsSet() throws {
    let set = try standard.get().settings.filter { $0.mark == .set }
    #expect(set.map(\.path) == ["name"])
  }

  // The figures that docs call given, in the order of the brief.
  @Test(
    "A figure of the brief is the default and marked given",
    arguments: [
      ("programme", "blakjaks"),
      ("rules.tiers.high_roller", "15"),
      ("rules.tiers.whale", "30"),
      ("rules.tiers.floors.vip", "210"),
      ("rules.tiers.floors.high_roller", "2100"),
      ("rules.tiers.floors.whale", "21000"),
      ("rules.prizes[0].amount", "100"),
      ("rules.prizes[1].amount", "1000"),
      ("rules.prizes[2].amount", "10000"),
      ("rules.prizes[4].amount", "200000"),
      ("rules.prizes[4].every", "500000"),
      ("rules.comp_pool.share", "50 %"),
      ("rules.comp_pool.affiliate_share", "5 %"),
      ("rules.guarantee.amount", "50"),
      ("rules.affiliates.match", "21 %"),
      ("rules.chips.bonus_every", "5"),
      ("rules.chips.expiry_days", "365"),
      ("rules.sunset.enabled", "true"),
    ])
  func given(path: String, value: String) throws {
    let row = try #require(try standard.get().settings.first { $0.path == path })
    #expect(row.valueText == value)
    #expect(row.mark == .given)
  }

  @Test(
    "An assumption that completes the program is the default and marked assumed",
    arguments: [
      ("calendar.zone", "America/New_York"),
      ("rules.tiers.vip", "7"),
      ("rules.tiers.carry", "true"),
      ("rules.scan_reward.base", "0.2"),
      ("rules.scan_reward.multiplier.standard", "1"),
      ("rules.scan_reward.multiplier.vip", "1.25"),
      ("rules.scan_reward.multiplier.high_roller", "1.5"),
      ("rules.scan_reward.multiplier.whale", "2"),
      ("rules.prizes[0].every", "500"),
      ("rules.prizes[0].tier", "standard"),
      ("rules.prizes[1].every", "5000"),
      ("rules.prizes[1].tier", "vip"),
      ("rules.prizes[2].every", "50000"),
      ("rules.prizes[2].tier", "high_roller"),
      ("rules.prizes[3].amount", "5000"),
      ("rules.prizes[3].every", "100000"),
      ("rules.prizes[3].tier", "high_roller"),
      ("rules.prizes[4].tier", "whale"),
      ("rules.prizes[4].allocation", "roll_forward"),
      ("rules.comp_pool.wholesale_share", "2 %"),
      ("rules.comp_pool.recognition", "accrual"),
      ("rules.budget_health.warning", "85 %"),
      ("rules.budget_health.critical", "100 %"),
      ("rules.guard.policy", "none"),
      ("rules.guarantee.after", "90 d"),
      ("rules.guarantee.minimum_scans", "7"),
      ("rules.affiliates.chips_per_scan", "1"),
      ("rules.chips.enabled", "false"),
      ("rules.chips.per_scan", "1"),
      ("rules.chips.value", "0.1"),
      ("rules.chips.compounding", "false"),
      ("rules.wallet.minimum_withdrawal", "5"),
      ("rules.wholesale.accounts", "0"),
      ("rules.wholesale.tins_per_chip", "10"),
      ("rules.wholesale.comp_every", "10000"),
      ("rules.wholesale.comp_amount", "500"),
      ("rules.sunset.threshold", "10000000"),
      ("rules.sunset.days", "90"),
      ("rules.sunset.checks", "3"),
      ("economy.wholesale_gross_profit", "1.3"),
      ("population.purchase.model", "mbg_nbd"),
      ("population.purchase.erlang", "2"),
      ("population.tins.shape", "1.2"),
      ("population.tins.scanned", "60 %"),
      ("population.tins.opened_over", "100 %"),
      ("population.tins.shop", "35 %"),
      ("population.season.weekdays", "[0.9, 0.9, 0.95, 1, 1.15, 1.2, 0.9]"),
      ("population.referral.affiliates", "10 %"),
      ("population.wallet.enabled", "false"),
      ("population.wallet.passes_kyc", "90 %"),
      ("population.wallet.redeem_share", "50 %"),
      ("population.wholesale.waves", "[]"),
      ("population.under_age", "2 %"),
      ("population.response.purchase", "0"),
      ("population.response.scan", "0"),
      ("population.response.adoption", "0"),
      ("population.response.reference_value", "null"),
      ("population.response.reference_guarantee", "null"),
      ("population.response.least", "0.5"),
      ("population.response.most", "2"),
      ("population.response.win.uplift", "0 %"),
      ("population.response.win.lasts", "4 w"),
      ("population.response.lapse", "0 %"),
      ("rules.social.lounge_tier", "high_roller"),
      ("rules.social.voting_tier", "standard"),
      ("population.chat.enabled", "false"),
      ("population.chat.messages_per_member_day", "0.02"),
      ("population.chat.branching", "50 %"),
      ("population.chat.half_life", "35 s"),
      ("population.chat.messages_per_win", "3"),
      ("population.chat.languages.en", "0.7"),
      ("population.chat.languages.es", "0.2"),
      ("population.chat.languages.pt", "0.1"),
      ("population.chat.streams.weekday", "4"),
      ("population.chat.streams.hour", "20"),
      ("population.chat.streams.length", "2 h"),
      ("population.chat.streams.viewers_share", "5 %"),
      ("population.chat.proposals.voting", "1 w"),
      ("population.chat.proposals.turnout", "10 %"),
    ])
  func assumed(path: String, value: String) throws {
    let row = try #require(try standard.get().settings.first { $0.path == path })
    #expect(row.valueText == value)
    #expect(row.mark == .assumed)
  }

  @Test(
    "A figure from a public source is the default and marked sourced",
    arguments: [
      ("economy.price", "5"),
      ("economy.gross_profit", "2"),
      ("population.adoption.p", "0.03"),
      ("population.adoption.q", "0.38"),
      ("population.tins.per_week", "2.5"),
      ("population.referral.dropout_factor", "0.82"),
    ])
  func sourced(path: String, value: String) throws {
    let row = try #require(try standard.get().settings.first { $0.path == path })
    #expect(row.valueText == value)
    #expect(row.mark == .sourced)
  }
}
