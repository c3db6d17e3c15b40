internal import Population
internal import RewardModel

extension BlakJaksSettings {
  static let population: [Setting<BlakJaksSettings>] = [
    .integer(
      "population.members", \.population.members, 1...20_000_000,
      .assumed("members", "Members signed up by the run's end; for rate a bound on them.")),
    .choice(
      "population.adoption.model", \.population.adoption.model,
      .assumed("", "How sign-ups are spread over the run.")),
    .decimal(
      "population.adoption.p", \.population.adoption.innovation, .above(0, upTo: 10),
      .sourced("a year", "Bass coefficient of innovation.")),
    .decimal(
      "population.adoption.q", \.population.adoption.imitation, .atLeast(0, upTo: 100),
      .sourced("a year", "Bass coefficient of imitation.")),
    .optionalInteger(
      "population.adoption.market", \.population.adoption.market, 1...10_000_000_000,
      .assumed("people", "Bass market; null lets `members` sign up by the run's end.")),
    .integers(
      "population.adoption.monthly", \.population.adoption.monthly, 0...20_000_000,
      count: 0...122,
      .assumed("sign-ups", "Sign-ups of each calendar month for plan; the last holds on.")),
    .decimal(
      "population.adoption.per_day", \.population.adoption.perDay, .above(0, upTo: 10_000_000),
      .assumed("sign-ups a day", "Arrival rate for rate.")),
    .choice(
      "population.purchase.model", \.population.purchase.model,
      .assumed("", "Buy-till-you-die model of purchases and leaving.")),
    .optionalDecimal(
      "population.purchase.r", \.population.purchase.r, .above(0, upTo: 10_000),
      .assumed("", "Shape of the purchase rates; null takes it from tins.")),
    .optionalDecimal(
      "population.purchase.alpha", \.population.purchase.alpha, .above(0, upTo: 1_000_000),
      .assumed("weeks", "Rate parameter of the purchase rates; null takes it from tins.")),
    .decimal(
      "population.purchase.a", \.population.purchase.a, .above(0, upTo: 10_000),
      .assumed("", "First beta parameter of leaving (bg_nbd, mbg_nbd).")),
    .decimal(
      "population.purchase.b", \.population.purchase.b, .above(0, upTo: 10_000),
      .assumed("", "Second beta parameter of leaving (bg_nbd, mbg_nbd).")),
    .decimal(
      "population.purchase.s", \.population.purchase.s, .above(0, upTo: 10_000),
      .sourced("", "Shape of the dropout rates (pareto_nbd).")),
    .decimal(
      "population.purchase.beta", \.population.purchase.beta, .above(0, upTo: 1_000_000),
      .sourced("weeks", "Rate parameter of the dropout rates (pareto_nbd).")),
    .integer(
      "population.purchase.erlang", \.population.purchase.erlang, 1...100,
      .assumed("", "Shape of the gaps between purchases; 1 is a Poisson process.")),
  ]

  static let behaviour: [Setting<BlakJaksSettings>] = [
    .decimal(
      "population.tins.per_week", \.population.tins.perWeek, .above(0, upTo: 1_000),
      .sourced("tins a week", "Tins bought by an average active member.")),
    .decimal(
      "population.tins.shape", \.population.tins.shape, .above(0, upTo: 10_000),
      .assumed("", "Gamma shape of that rate over members.")),
    .decimal(
      "population.tins.per_purchase", \.population.tins.perPurchase, .atLeast(1, upTo: 1_000),
      .assumed("tins", "Tins a purchase on average.")),
    .fraction(
      "population.tins.scanned", \.population.tins.scanned,
      .assumed("of tins", "Tins that get scanned.")),
    .fraction(
      "population.tins.shop", \.population.tins.shop,
      .assumed("of purchases", "Purchases made in the shop; the rest is retail.")),
    .offSwitch(
      "population.season", \.population.season.enabled,
      .assumed("", "How demand follows the clock; none makes every instant alike.")),
    .decimals(
      "population.season.hours", \.population.season.hours, .atLeast(0, upTo: 1_000),
      count: 24...24, .sourced("", "Weights by local hour of day, from 00:00.")),
    .decimals(
      "population.season.weekdays", \.population.season.weekdays, .atLeast(0, upTo: 1_000),
      count: 7...7, .assumed("", "Weights Monday to Sunday.")),
    .records(
      "population.season.holidays", \.population.season.holidays,
      blank: HolidayFactor(date: "", factor: 1), fields: holidayFields, count: 0...3_660,
      .assumed("", "Factors of single local dates.")),
    .fraction(
      "population.referral.affiliates", \.population.referral.affiliates,
      .assumed("of members", "Members who refer others.")),
    .fraction(
      "population.referral.referred", \.population.referral.referred,
      .assumed("of sign-ups", "Sign-ups that one of them referred.")),
    .decimal(
      "population.referral.dropout_factor", \.population.referral.dropoutFactor,
      .atLeast(0, upTo: 100), .sourced("", "Factor on a referred member's dropout.")),
    .fraction(
      "population.mischief.duplicates", \.population.mischief.duplicates, most: 100,
      .assumed("of honest scans", "Submissions of the same code once more.")),
    .fraction(
      "population.mischief.malformed", \.population.mischief.malformed, most: 100,
      .assumed("of honest scans", "Submissions of text that is no code.")),
    .fraction(
      "population.mischief.guessed", \.population.mischief.guessed, most: 100,
      .assumed("of honest scans", "Submissions of made-up codes.")),
    .records(
      "population.mischief.rings", \.population.mischief.rings, blank: BotRing(date: ""),
      fields: ringFields, count: 0...100,
      .assumed("", "Rings of accounts that submit codes by program.")),
    .fraction(
      "population.under_age", \.population.underAge, most: 0.99,
      .assumed("of applicants", "Applicants under 21, refused at the age gate.")),
  ]

  static let ringFields: [Setting<BotRing>] = [
    .dateText("date", \.date, .assumed("", "The local date on which they begin.")).needed,
    .integer("days", \.days, 1...3_660, .assumed("days", "Local days that it lasts.")),
    .integer("accounts", \.accounts, 1...100_000, .assumed("accounts", "How many accounts.")),
    .decimal(
      "per_hour", \.perHour, .above(0, upTo: 100_000),
      .assumed("submissions", "Submissions an hour of one account.")),
    .fraction(
      "copied", \.copied, .assumed("of submissions", "Copies of codes already scanned.")),
  ]

  static let holidayFields: [Setting<HolidayFactor>] = [
    .dateText("date", \.date, .assumed("", "The local date.")).needed,
    .decimal("factor", \.factor, .atLeast(0, upTo: 1_000), .assumed("", "Factor of demand."))
      .needed,
  ]
}
