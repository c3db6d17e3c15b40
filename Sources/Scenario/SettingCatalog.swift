internal import BlakJaks
internal import Quantities

/// The one description of every setting, in the order in which files and listings show them.
///
/// Validation, JSON Schema, listing, 'did you mean', overrides and the conversion into typed
/// values all follow from it. Defaults are those of the typed values themselves.
enum SettingCatalog {
  static let all: [Setting<ScenarioValues>] =
    head + calendar + rules + payoutRules + vaultRules + partnerRules + shopRules + socialRules
    + treasury + pipeline + economy + population + behaviour + shopBehaviour + walletBehaviour
    + wholesaleBehaviour + social + faults + tail

  /// Where each path stands in `all`.
  static let rows: [String: Int] = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($0.element.path, $0.offset) })

  /// What each group of settings is about.
  static let groupDocs: [String: String] = [
    "": "One scenario: what is simulated, by which rules, for which members.",
    "calendar": "When the run takes place.",
    "rules": "The programme's rules.",
    "rules.tiers": "How accepted scans make tiers.",
    "rules.tiers.floors":
      "Referred members' lifetime scans that give an affiliate a tier for life.",
    "rules.scan_reward": "What each accepted scan pays.",
    "rules.scan_reward.multiplier": "Multiplier of the scan reward by tier.",
    "rules.comp_pool": "The comp pool and its sisters, as shares of gross profit.",
    "rules.comp_pool.charges": "The account that each payout family is charged to.",
    "rules.budget_health": "Bounds and projection of the budget's health.",
    "rules.guard": "What the programme does while its budget is Critical.",
    "rules.guarantee": "The new-member guarantee.",
    "rules.affiliates": "What affiliates earn by the members they referred.",
    "rules.scanning": "The workers that adjudicate scans, for the figures of their speed.",
    "rules.abuse": "When accounts that submit bad codes are suspended.",
    "rules.treasury": "Wallets, bank accounts, their sweeps and their reconciliation.",
    "rules.treasury.opening": "What the owners put in at the start.",
    "rules.payouts": "How promised payouts reach their receivers.",
    "faults": "What goes wrong around the programme; nothing by default.",
    "faults.chain": "Ways in which chain and ledger come to differ.",
    "faults.payouts": "What goes wrong with the workers that submit payouts.",
    "rules.shop": "What the shop charges beside the tins.",
    "rules.chips": "Gold chips and the vault.",
    "rules.wallet": "What a member may do with a wallet.",
    "rules.wholesale": "What wholesale accounts earn by the tins they order.",
    "rules.sunset": "When the programme closes its doors to new affiliates.",
    "economy": "Prices and gross profit of a tin.",
    "population": "The synthetic members.",
    "population.adoption": "How sign-ups are spread over the run.",
    "population.purchase": "Purchase rates and dropout across members; times in weeks.",
    "population.tins": "Tins bought and scanned.",
    "population.season": "How demand follows the clock; none makes every instant alike.",
    "population.referral": "Referrals.",
    "population.mischief": "Submissions that are no honest scans, each per honest scan.",
    "population.shop": "How members behave in the shop.",
    "population.shop.abandoned_at": "Weights of the pages at which carts are abandoned.",
    "population.wallet": "What members do with chips, wallet and card, visit by visit.",
    "population.wholesale": "How wholesale accounts order.",
  ].merging(socialDocs) { first, _ in first }

  static let head: [Setting<ScenarioValues>] = [
    .text("name", \.name, most: 120, .assumed("", "Name of the scenario, as reports show it."))
      .needed,
    .optionalText(
      "description", \.description, most: 2_000, .assumed("", "The question that it answers.")),
    .choice("programme", \.programme, .given("", "The reward programme.")),
    .integer(
      "seed", \.seed, 0...Int128(UInt64.max),
      .assumed(
        "", "Seed of all randomness; the same seed gives the same run, 2^63 more its mirror.")),
  ]

  static let calendar: [Setting<ScenarioValues>] = [
    .date("calendar.start", \.calendar.start, .assumed("", "The first local day.")),
    .integer(
      "calendar.days", \.calendar.days, 1...3_660, .assumed("days", "Local days that it lasts.")),
    .zone(
      "calendar.zone", \.calendar.zone, .assumed("", "Time zone of the programme's calendar.")),
    .duration(
      "calendar.window", \.calendar.window, .seconds(1) ... .days(1),
      .assumed("", "Members learn what the house decided at the next window's start.")),
  ]

  static let rules: [Setting<ScenarioValues>] = [
    .integer(
      "rules.tiers.vip", \.rules.tiers.vip, scans,
      .assumed("scans a quarter", "From here on a member is VIP.")),
    .integer(
      "rules.tiers.high_roller", \.rules.tiers.highRoller, scans,
      .given("scans a quarter", "From here on a member is High Roller.")),
    .integer(
      "rules.tiers.whale", \.rules.tiers.whale, scans,
      .given("scans a quarter", "From here on a member is Whale.")),
    .flag(
      "rules.tiers.carry", \.rules.tiers.carry,
      .assumed("", "Whether a tier holds to the end of the next quarter.")),
    .integer(
      "rules.tiers.floors.vip", \.rules.tiers.floorVip, scans,
      .given("scans", "From here on the affiliate is VIP for life.")),
    .integer(
      "rules.tiers.floors.high_roller", \.rules.tiers.floorHighRoller, scans,
      .given("scans", "From here on the affiliate is High Roller for life.")),
    .integer(
      "rules.tiers.floors.whale", \.rules.tiers.floorWhale, scans,
      .given("scans", "From here on the affiliate is Whale for life.")),
    .records(
      "rules.prizes", \.rules.prizes,
      blank: Prize(
        name: "", kind: .crypto, amount: .zero, every: 1, requiredTier: .standard),
      fields: prizeFields, count: 0...64,
      marks: ["3.amount": .assumed, "4.every": .given],
      .given("", "Milestone prizes, in the order in which reports show them.")),
    .money(
      "rules.scan_reward.base", \.rules.scanReward.base,
      .assumed("USDT a scan", "Scan reward of a Standard member.")),
    .multiplier(
      "rules.scan_reward.multiplier.standard", \.rules.scanReward.multiplier.standard,
      most: 1_000_000, .assumed("", "Multiplier for Standard.")),
    .multiplier(
      "rules.scan_reward.multiplier.vip", \.rules.scanReward.multiplier.vip, most: 1_000_000,
      .assumed("", "Multiplier for VIP.")),
    .multiplier(
      "rules.scan_reward.multiplier.high_roller", \.rules.scanReward.multiplier.highRoller,
      most: 1_000_000, .assumed("", "Multiplier for High Roller.")),
    .multiplier(
      "rules.scan_reward.multiplier.whale", \.rules.scanReward.multiplier.whale,
      most: 1_000_000, .assumed("", "Multiplier for Whale.")),
  ]

  static let scans: ClosedRange<Int128> = 1...1_000_000_000

  static let prizeFields: [Setting<Prize>] = [
    .text("name", \.name, most: 60, .given("", "Name, unique among the prizes.")).needed,
    .choice("kind", \.kind, .given("", "What sort of prize it is.")).needed,
    .money("amount", \.amount, .given("USDT", "What the winner gets.")).needed,
    .integer(
      "every", \.every, 1...1_000_000_000_000,
      .assumed("scans", "Due at each multiple of this global scan number.")
    ).needed,
    .tier("tier", \.requiredTier, .assumed("", "The lowest tier that can win it.")),
    .choice("allocation", \.allocation, .assumed("", "Who gets it when it is due.")),
  ]

  static let economy: [Setting<ScenarioValues>] = [
    .money(
      "economy.price", \.rules.economy.price,
      .sourced("USDT a tin", "Price of a tin in the shop or retail.")),
    .money(
      "economy.gross_profit", \.rules.economy.grossProfit,
      .sourced("USDT a tin", "Gross profit of a tin sold through the shop or retail.")),
    .money(
      "economy.wholesale_gross_profit", \.rules.economy.wholesaleGrossProfit,
      .assumed("USDT a tin", "Gross profit of a tin sold wholesale.")),
  ]

  static let tail: [Setting<ScenarioValues>] = [
    .thresholds(
      "expect", \.expect, count: 0...200,
      .assumed("", "Thresholds that the run has to meet; a missed one gives exit code 99."))
  ]
}
