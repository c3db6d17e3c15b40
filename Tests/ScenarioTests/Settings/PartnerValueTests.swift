// Goal: what a scenario writes of chips, wallets, wholesale and sunset arrives in the typed values.
// Method: one file with every kind of setting, read back; refusals with their place.
import BlakJaks
import Population
import Quantities
import Scenario
import TestSupport
import Testing

@Suite struct PartnerValueTests {
  @Test func everyKindOfSettingArrives() throws {
    let text = """
      name: a
      rules:
        chips: {enabled: true, per_scan: 2, value: 0.25, expiry_days: 90}
        wallet: {minimum_withdrawal: 10}
        wholesale: {accounts: 40, comp_amount: 750.50}
        sunset: {threshold: 1000, days: 30, checks: 1}
      population:
        wallet: {enabled: true, redeem_share: 25 %, mean_spend: 12.34, passes_kyc: 80 %}
        wholesale:
          waves:
            - {date: 2026-04-01, factor: 2.5, days: 14}
      """
    let scenario = try Scenario.load(text: text, file: "t.yaml")
    let rules = scenario.rules
    #expect(rules.chips.enabled && rules.chips.perScan == 2 && rules.chips.expiryDays == 90)
    #expect(rules.chips.value == MicroUSDT(microunits: 250_000))
    #expect(rules.wallet.minimumWithdrawal == .whole(10))
    #expect(rules.wholesale.accounts == 40)
    #expect(rules.wholesale.compAmount == MicroUSDT(microunits: 750_500_000))
    #expect(rules.sunset.threshold == 1_000)
    #expect(rules.sunset.days == 30 && rules.sunset.checks == 1)
    let wallet = scenario.population.wallet
    #expect(wallet.enabled && wallet.redeemShare == BasisPoints(2_500))
    #expect(wallet.meanSpend == MicroUSDT(microunits: 12_340_000) && wallet.passesKYC == 0.8)
    #expect(
      scenario.population.wholesale.waves
        == [DemandWave(date: CivilDate("2026-04-01")!, factor: 2.5, days: 14)])
    let again = try Scenario.load(text: scenario.yaml, file: "resolved.yaml")
    #expect(again.rules == rules && again.population == scenario.population)
  }

  @Test(
    "A value out of its range is refused",
    arguments: [
      "rules: {chips: {per_scan: 11}}", "rules: {chips: {per_scan: 0}}",
      "rules: {chips: {bonus_every: 0}}", "rules: {chips: {expiry_days: 27}}",
      "rules: {wholesale: {accounts: 10001}}", "rules: {wholesale: {tins_per_chip: 0}}",
      "rules: {wholesale: {comp_every: 0}}", "rules: {sunset: {days: 0}}",
      "rules: {sunset: {checks: 0}}", "population: {wallet: {visits_per_week: 0}}",
      "population: {wallet: {redeem_share: 101 %}}", "population: {wallet: {traced: -1}}",
      "population: {wholesale: {cases_per_order: 0.5}}",
      "population: {wholesale: {size_shape: 0}}",
      "population: {wholesale: {waves: [{date: 2026-04-01, factor: 2}]}}",
      "population: {wholesale: {waves: [{date: 2026-04-31, factor: 2, days: 3}]}}",
    ])
  func refused(text: String) {
    #expect(throws: InputErrors.self) {
      try Scenario.load(text: "name: a\n" + text + "\n", file: "t.yaml")
    }
  }
}
