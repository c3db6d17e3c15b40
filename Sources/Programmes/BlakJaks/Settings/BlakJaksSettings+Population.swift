internal import Population
internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  static let population: [Setting<BlakJaksSettings>] =
    members + AdoptionSettings.catalog.under("population.adoption", \.population.adoption)
    + PurchaseSettings.catalog(open: "takes it from tins")
    .under("population.purchase", \.population.purchase)
    + tins + SeasonSettings.catalog.under("population.season", \.population.season)
    + ReferralSettings.catalog.under("population.referral", \.population.referral) + mischief
    + response

  private static let members: [Setting<BlakJaksSettings>] = [
    .integer(
      "population.members", \.population.members,
      1...Int128(AdoptionSettings.membersMaximum),
      .assumed("members", "Members signed up by the run's end; for rate a bound on them."))
  ]

  private static let tins: [Setting<BlakJaksSettings>] = [
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
      .assumed("of tins", "Tins that are scanned.")),
    .fraction(
      "population.tins.opened_over", \.population.tins.openedOver, most: 10,
      .assumed(
        "of a gap",
        "Part of a member's mean time between purchases over which tins are opened; 0 % for at once."
      )),
    .fraction(
      "population.tins.shop", \.population.tins.shop,
      .assumed("of purchases", "Purchases made in the shop; the rest is retail.")),
  ]

  private static let mischief: [Setting<BlakJaksSettings>] = [
    .fraction(
      "population.mischief.duplicates", \.population.mischief.duplicates, most: 100,
      .assumed("of honest scans", "Submissions of the same code again.")),
    .fraction(
      "population.mischief.malformed", \.population.mischief.malformed, most: 100,
      .assumed("of honest scans", "Submissions of text that is not a code.")),
    .fraction(
      "population.mischief.guessed", \.population.mischief.guessed, most: 100,
      .assumed("of honest scans", "Submissions of made-up codes.")),
    .fraction(
      "population.mischief.shared", \.population.mischief.shared,
      .assumed("of scanned tins", "Tins whose code is photographed and passed on.")),
    .decimal(
      "population.mischief.shared_with", \.population.mischief.sharedWith,
      .atLeast(1, upTo: 1_000),
      .assumed("members", "Others who submit such a code, one at least.")),
    .duration(
      "population.mischief.shared_after", \.population.mischief.sharedAfter,
      .seconds(1) ... .days(366),
      .assumed("on average", "From the scan to the submission by another.")),
    .records(
      "population.mischief.rings", \.population.mischief.rings,
      blank: BotRing(date: CivilDate(dayNumber: 0)),
      fields: ringFields, count: 0...100,
      .assumed("", "Rings of accounts that submit codes automatically.")),
    .fraction(
      "population.under_age", \.population.underAge, most: 0.99,
      .assumed("of applicants", "Applicants under 21, refused at the age gate.")),
  ]

  static let ringFields: [Setting<BotRing>] = [
    .date("date", \.date, .assumed("", "The local date on which they begin.")).needed,
    .integer("days", \.days, 1...3_660, .assumed("days", "Local days that it lasts.")),
    .integer("accounts", \.accounts, 1...100_000, .assumed("accounts", "How many accounts.")),
    .decimal(
      "per_hour", \.perHour, .above(0, upTo: 100_000),
      .assumed("submissions", "Submissions an hour of one account.")),
    .fraction(
      "copied", \.copied, .assumed("of submissions", "Copies of codes already scanned.")),
  ]
}
