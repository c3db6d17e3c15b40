internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  /// Tiers, milestone prizes and the scan reward.
  static let tiersAndPrizes: [Setting<BlakJaksSettings>] = [
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
      "rules.feed.large_scan", \.rules.feed.largeScan,
      .assumed("USDT", "A scan that wins a prize and earns this in all is told in the feed.")),
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

  static let economy: [Setting<BlakJaksSettings>] = [
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
}

extension Setting {
  /// A tier, by its key.
  static func tier(_ path: String, _ place: any Place<Tier>, _ about: About) -> Setting {
    .choice(path, place, among: Tier.allCases, word: { $0.key }, about)
  }
}
