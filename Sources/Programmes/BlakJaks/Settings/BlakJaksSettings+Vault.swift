internal import Population
internal import RewardModel

extension BlakJaksSettings {
  /// Gold chips and member wallets.
  static let vaultRules: [Setting<BlakJaksSettings>] = [
    .flag(
      "rules.chips.enabled", \.rules.chips.enabled,
      .assumed("", "Whether accepted scans issue gold chips.")),
    .integer(
      "rules.chips.per_scan", \.rules.chips.perScan, 1...10,
      .assumed("chips", "Gold chips for each accepted scan.")),
    .money(
      "rules.chips.value", \.rules.chips.value,
      .assumed("USDT a chip", "What a chip is worth when it is redeemed.")),
    .integer(
      "rules.chips.bonus_every", \.rules.chips.bonusEvery, 1...1_000_000,
      .given("chips", "Chips vaulted through a whole month that issue one bonus chip.")),
    .integer(
      "rules.chips.expiry_days", \.rules.chips.expiryDays, 28...393,
      .given("days", "A chip expires with the month in which it turns this old.")),
    .flag(
      "rules.chips.compounding", \.rules.chips.compounding,
      .assumed("", "Whether bonus chips count toward further bonus chips.")),
    .money(
      "rules.wallet.minimum_withdrawal", \.rules.wallet.minimumWithdrawal,
      .assumed("USDT", "The least that a member can withdraw at once.")),
  ]

  /// What members do with chips, wallet and card.
  static let walletBehaviour: [Setting<BlakJaksSettings>] = [
    .flag(
      "population.wallet.enabled", \.population.wallet.enabled,
      .assumed("", "Whether members visit their wallets.")),
    .decimal(
      "population.wallet.visits_per_week", \.population.wallet.visitsPerWeek,
      .above(0, upTo: 1_000), .assumed("visits a week", "Visits of a member to the wallet.")),
    .fraction(
      "population.wallet.vaulters", \.population.wallet.vaulters,
      .assumed("of members", "Members who vault their chips at each visit.")),
    .fraction(
      "population.wallet.redeems", \.population.wallet.redeems,
      .assumed("of visits", "Visits that redeem chips.")),
    .share(
      "population.wallet.redeem_share", \.population.wallet.redeemShare,
      .assumed("of the member's chips", "Chips that such a visit redeems, rounded down.")),
    .fraction(
      "population.wallet.withdraws", \.population.wallet.withdraws,
      .assumed("of visits", "Visits that withdraw.")),
    .share(
      "population.wallet.withdraw_share", \.population.wallet.withdrawShare,
      .assumed("of what is available", "What such a visit withdraws, rounded down.")),
    .fraction(
      "population.wallet.withdrawal_fails", \.population.wallet.withdrawalFails,
      .assumed("of withdrawals", "Withdrawals that fail on the chain and are reversed.")),
    .fraction(
      "population.wallet.wants_card", \.population.wallet.wantsCard,
      .assumed("of members", "Members who apply for the card.")),
    .fraction(
      "population.wallet.passes_kyc", \.population.wallet.passesKYC,
      .assumed("of applicants", "Applicants whose identity check passes.")),
    .fraction(
      "population.wallet.activates", \.population.wallet.activates,
      .assumed("of verified members", "Verified members who activate the card.")),
    .fraction(
      "population.wallet.spends", \.population.wallet.spends,
      .assumed("of card holders' visits", "Visits that pay with the card.")),
    .money(
      "population.wallet.mean_spend", \.population.wallet.meanSpend,
      .assumed("USDT", "Mean card payment; payments are exponential, in whole cents.")),
    .integer(
      "population.wallet.traced", \.population.wallet.traced, 0...100_000,
      .assumed("members", "The first members, whose every transaction is recorded.")),
  ]
}
