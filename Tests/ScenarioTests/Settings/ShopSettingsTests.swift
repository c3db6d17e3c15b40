import BlakJaks
import Population
import Quantities
// Goal: a scenario sets the shop, where members live and what a state bans, and contradictions are
// told where they stand.
// Method: loaded values against what was written; broken files with their whole message.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct ShopSettingsTests {
  @Test func aScenarioBansRewardsInOneStateWithoutNamingTheOthers() throws {
    let scenario = try Scenario.load(
      text: "name: a\nrules: {bans: [{state: CA, date: 2026-07-01}]}\n", file: "t.yaml")
    #expect(scenario.rules.states == StateRecord.unitedStates)
    let table = try StateTable(scenario.rules.states, bans: scenario.rules.bans)
    let california = try #require(table.index(of: "CA"))
    #expect(table.ban(of: california) == CivilDate(year: 2026, month: 7, day: 1))
  }

  @Test func ratesFinerThanABasisPointAreReadExactly() throws {
    let scenario = try Scenario.load(
      text: """
        name: a
        rules:
          shop: {enabled: true, shipping: 4.50, free_from: 25, carrier_cost: 3}
          states:
            - {code: MN, weight: 3, tax: 6.875 %}
            - {code: NH, weight: 1}
            - {code: NM, weight: 2, tax: 0.04875}
        population:
          shop: {abandoned: 50 %, processing: 36 h, abandoned_at: {payment: 0}}
        """, file: "t.yaml")
    #expect(scenario.rules.states.map(\.tax) == [TaxRate(6_875), .zero, TaxRate(4_875)])
    #expect(scenario.rules.states.map(\.weight) == [3, 1, 2])
    #expect(scenario.rules.shop.enabled)
    #expect(scenario.rules.shop.shipping == MicroUSDT(microunits: 4_500_000))
    #expect(scenario.rules.shop.freeFrom == .whole(25))
    #expect(scenario.population.shop.abandoned == 0.5)
    #expect(scenario.population.shop.processing == .hours(36))
    #expect(scenario.population.shop.abandonedAt.payment == 0)
    let again = try Scenario.load(text: scenario.yaml, file: "resolved.yaml")
    #expect(again.rules == scenario.rules)
    #expect(again.population == scenario.population)
  }

  @Test(
    "A default of the shop has its value and mark",
    arguments: [
      ("rules.shop.enabled", "false", .assumed), ("rules.shop.shipping", "2.99", .given),
      ("rules.shop.free_from", "50", .given), ("rules.shop.carrier_cost", "2.99", .assumed),
      ("rules.states[4].code", "CA", .sourced), ("rules.states[4].weight", "39538223", .sourced),
      ("rules.states[4].tax", "7.25 %", .sourced), ("rules.states[23].tax", "6.875 %", .sourced),
      ("population.shop.abandoned", "70 %", .sourced),
      ("population.shop.age_pass", "96 %", .assumed),
      ("population.shop.payment_pass", "97 %", .assumed),
      ("population.shop.processing", "1 d", .assumed),
      ("population.shop.shipping", "3 d", .assumed),
      ("population.shop.cancelled", "1 %", .assumed),
      ("population.shop.refunded", "1 %", .assumed),
      ("population.shop.refund_after", "2 d", .assumed),
      ("population.shop.favourite", "80 %", .assumed),
    ] as [(String, String, SettingMark)])
  func defaults(path: String, value: String, mark: SettingMark) throws {
    let scenario = try Scenario.load(text: "name: a\n", file: "t.yaml")
    let row = try #require(scenario.settings.first { $0.path == path })
    #expect(row.valueText == value)
    #expect(row.mark == mark)
  }

  @Test(
    "A shop or state that contradicts itself is refused with its exact message",
    arguments: [
      (
        "name: a\nrules: {bans: [{state: ca, date: 2026-07-01}]}\n",
        "t.yaml:2:24: rules.bans[0].state: 'ca' is not a state of this scenario; did you mean 'CA'?"
      ),
      (
        "name: a\nrules: {bans: [{state: ZZ, date: 2026-07-01}]}\n",
        """
        t.yaml:2:24: rules.bans[0].state: 'ZZ' is not a state of this scenario; write the code of one \
        of rules.states
        """
      ),
      (
        """
        name: a
        rules:
          bans: [{state: CA, date: 2026-07-01}, {state: CA, date: 2026-08-01}]
        """,
        """
        t.yaml:3:49: rules.bans[1].state: 'CA' is the state of rules.bans[0] too; write each once
        """
      ),
      (
        "name: a\nrules: {states: [{code: CA, weight: 1}, {code: CA, weight: 2}]}\n",
        """
        t.yaml:2:48: rules.states[1].code: 'CA' is the code of rules.states[0] too; write each \
        state once
        """
      ),
      (
        "name: a\nrules: {states: [{code: ca, weight: 1}]}\n",
        "t.yaml:2:25: rules.states[0].code: 'ca' is not the code of a state; write two capital letters"
      ),
      (
        "name: a\nrules: {states: [{code: CA, weight: 0}]}\n",
        """
        t.yaml:2:17: rules.states: has no weight above 0; write at least one state that members \
        live in
        """
      ),
      (
        "name: a\nrules: {states: [], shop: {enabled: true}}\n",
        """
        t.yaml:2:17: rules.states: has no weight above 0; write at least one state that members \
        live in
        """
      ),
      (
        "name: a\nrules: {states: [{code: CA, weight: 1, tax: 7.2505 %}]}\n",
        """
        t.yaml:2:45: rules.states[0].tax: 7.2505 % is finer than 0.001 %; write a rate such as \
        6.875 %, 0 % to 50 %
        """
      ),
      (
        "name: a\nrules: {states: [{code: CA, weight: 1, tax: 51 %}]}\n",
        """
        t.yaml:2:45: rules.states[0].tax: 51 % is out of range; write a rate such as 6.875 %, 0 % \
        to 50 %
        """
      ),
      (
        "name: a\npopulation: {shop: {age_pass: 0}}\n",
        """
        t.yaml:2:31: population.shop.age_pass: leaves fewer than 0.01 % of carts that become \
        orders; keep more of them
        """
      ),
      (
        "name: a\npopulation: {shop: {abandoned_at: {cart: 0, address: 0, payment: 0}}}\n",
        """
        population.shop.abandoned_at: has only zeros; write at least one weight above 0
        """
      ),
    ])
  func refused(text: String, message: String) {
    let errors = refusal(of: text)
    #expect(errors?.description.hasSuffix(message) == true, "\(errors?.description ?? "loads")")
    #expect(errors?.findings.count == 1)
  }
}
