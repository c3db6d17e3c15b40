internal import Population
internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  /// Wholesale accounts and the sunset engine.
  static let partnerRules: [Setting<BlakJaksSettings>] = [
    .integer(
      "rules.wholesale.accounts", \.rules.wholesale.accounts, 0...10_000,
      .assumed("accounts", "Wholesale accounts; 0 switches wholesale off.")),
    .integer(
      "rules.wholesale.tins_per_chip", \.rules.wholesale.tinsPerChip, 1...1_000_000_000,
      .assumed("tins", "Lifetime tins of an account for each of its chips.")),
    .integer(
      "rules.wholesale.comp_every", \.rules.wholesale.compEvery, 1...1_000_000_000_000,
      .assumed("tins", "Lifetime tins of an account for each of its comps.")),
    .money(
      "rules.wholesale.comp_amount", \.rules.wholesale.compAmount,
      .assumed("USDT", "Paid for each comp.")),
    .flag(
      "rules.sunset.enabled", \.rules.sunset.enabled,
      .given("", "Whether the sunset engine checks daily at 05:00.")),
    .integer(
      "rules.sunset.threshold", \.rules.sunset.threshold, 1...1_000_000_000_000,
      .assumed("scans", "Accepted scans of the trailing days from which a check counts.")),
    .integer(
      "rules.sunset.days", \.rules.sunset.days, 1...3_660,
      .assumed("days", "Trailing local days, up to the last midnight.")),
    .integer(
      "rules.sunset.checks", \.rules.sunset.checks, 1...3_660,
      .assumed("checks", "Checks in a row at the threshold that end new sign-ups of affiliates.")),
  ]

  /// How wholesale accounts order.
  static let wholesaleBehaviour: [Setting<BlakJaksSettings>] = [
    .integer(
      "population.wholesale.reference_members", \.population.wholesale.referenceMembers,
      1...1_000_000_000,
      .assumed("members", "Members signed up at which accounts order as often as said.")),
    .optionalFraction(
      "population.wholesale.scanned", \.population.wholesale.scanned,
      .assumed("of tins", "Wholesale tins that members scan; null takes it from tins.")),
    .duration(
      "population.wholesale.shelf", \.population.wholesale.shelf, .seconds(1) ... .days(366),
      .assumed(
        "on average", "From the midnight after an order to a member's taking one of its tins home.")
    ),
    .decimal(
      "population.wholesale.orders_per_week", \.population.wholesale.ordersPerWeek,
      .above(0, upTo: 1_000), .assumed("orders a week", "Orders of a wholesale account.")),
    .decimal(
      "population.wholesale.cases_per_order", \.population.wholesale.casesPerOrder,
      .atLeast(1, upTo: 10_000), .assumed("cases", "Cases an order on average.")),
    .integer(
      "population.wholesale.tins_per_case", \.population.wholesale.tinsPerCase, 1...10_000,
      .assumed("tins", "Tins in a case.")),
    .decimal(
      "population.wholesale.size_shape", \.population.wholesale.sizeShape,
      .atLeast(0.01, upTo: 10_000), .assumed("", "Gamma shape of the sizes of accounts.")),
    .integer(
      "population.wholesale.onboarding_days", \.population.wholesale.onboardingDays, 0...3_660,
      .assumed("days", "Days from the start over which accounts join.")),
    .records(
      "population.wholesale.waves", \.population.wholesale.waves,
      blank: DemandWave(date: CivilDate(dayNumber: 0), factor: 1, days: 1), fields: waveFields,
      count: 0...100,
      .assumed("", "Factors on the order rate for some time.")),
  ]

  static let waveFields: [Setting<DemandWave>] = [
    .date("date", \.date, .assumed("", "The first local date.")).needed,
    .decimal("factor", \.factor, .atLeast(0, upTo: 1_000), .assumed("", "Factor of the rate."))
      .needed,
    .integer("days", \.days, 1...3_660, .assumed("days", "Local days that it lasts.")).needed,
  ]
}
