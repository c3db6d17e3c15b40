package import RewardModel

extension BlakJaksSettings: ProgrammeSettings {
  package static let catalog: [Setting<BlakJaksSettings>] =
    tiersAndPrizes + payoutRules + vaultRules + partnerRules + shopRules + socialRules + treasury
    + pipeline + economy + population + shopBehaviour + walletBehaviour
    + wholesaleBehaviour + social + faults

  /// What each group of settings is about.
  package static let groupDocs: [String: String] = [
    "rules": "The program's rules.",
    "rules.tiers": "How accepted scans make tiers.",
    "rules.tiers.floors":
      "Referred members' lifetime scans that give an affiliate a tier for life, from the next local "
      + "midnight on.",
    "rules.feed": "What the activity feed tells of.",
    "rules.scan_reward": "What each accepted scan pays.",
    "rules.scan_reward.multiplier": "Multiplier of the scan reward by tier.",
    "rules.comp_pool": "The comp pool and the other pools, as shares of gross profit.",
    "rules.comp_pool.charges": "The account that each payout family is charged to.",
    "rules.budget_health": "Bounds and projection of the budget's health.",
    "rules.guard": "What the program does while its budget is Critical.",
    "rules.guarantee": "The new-member guarantee.",
    "rules.affiliates": "What affiliates earn by the members they referred.",
    "rules.scanning": "The workers that adjudicate scans, for the figures of their speed.",
    "rules.abuse": "When accounts that submit bad codes are suspended.",
    "rules.treasury": "Wallets, bank accounts, their sweeps and their reconciliation.",
    "rules.treasury.opening": "What the owners put in at the start.",
    "rules.payouts": "How promised payouts reach their receivers.",
    "faults": "What goes wrong around the program; nothing by default.",
    "faults.chain": "Ways in which chain and ledger come to differ.",
    "faults.payouts": "What goes wrong with the workers that submit payouts.",
    "rules.shop": "What the shop charges besides the tins.",
    "rules.chips": "Gold chips and the vault.",
    "rules.wallet": "What a member may do with a wallet.",
    "rules.wholesale": "What wholesale accounts earn by the tins they order.",
    "rules.sunset": "When the program stops accepting new affiliates.",
    "economy": "Prices and gross profit of a tin.",
    "population": "The synthetic members.",
    "population.adoption": "How sign-ups are spread over the run.",
    "population.purchase": "Purchase rates and dropout across members; times in weeks.",
    "population.tins": "Tins bought and scanned.",
    "population.response":
      "How members respond to what the program gives; by default they do not. All of it is assumed.",
    "population.response.win": "How members who won a milestone comp buy.",
    "population.season": "How demand follows the clock; none makes every instant alike.",
    "population.referral": "Referrals.",
    "population.mischief": "Submissions that are not honest scans.",
    "population.shop": "How members behave in the shop.",
    "population.shop.abandoned_at": "Weights of the pages at which carts are abandoned.",
    "population.wallet": "What members do with chips, wallet and card, visit by visit.",
    "population.wholesale": "How wholesale accounts order.",
  ].merging(socialDocs) { first, _ in first }

  /// Checks the rules that bind several settings.
  package static func check(_ rules: inout SettingRules<BlakJaksSettings>) {
    rules.checkTiers()
    rules.checkPrizes()
    rules.checkMoney()
    rules.checkPopulation()
    rules.checkShop()
  }
}
