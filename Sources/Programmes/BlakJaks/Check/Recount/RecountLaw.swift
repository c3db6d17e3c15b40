package import RewardModel

/// What a second reading of the journal holds the program to: each promise has a name, and each is
/// recounted from the requests alone, by lists and sums.
package enum RecountLaw: String, CaseIterable, Sendable {
  case answers = "answers_follow_rules"
  case codesOnce = "codes_redeemed_once"
  case scansGapless = "scan_numbers_gapless"
  case rewards = "rewards_of_tier"
  case tiers = "tier_of_counts"
  case floors = "floors_never_fall"
  case prizesInOrder = "prizes_in_order"
  case prizesToTier = "prizes_to_holders"
  case comps = "comps_are_awards"
  case guaranteeOnce = "guarantee_once"
  case guaranteeNotMissing = "guarantee_not_missing"
  case match = "match_of_awards"
  case poolShares = "pool_shares_and_carry"
  case affiliateChips = "affiliate_chips_recounted"
  case poolAccrual = "pools_of_net_profit"
  case budget = "budget_of_postings"
  case guardPolicy = "guard_follows_health"
  case expenses = "expenses_are_payouts"
  case payables = "payables_are_unpaid"
  case treasuries = "treasuries_recounted"
  case banksAtZero = "banks_not_negative"
  case paidOnce = "awards_paid_once"
  case payoutStates = "payouts_by_id"
  case wallets = "wallets_recounted_by_award"
  case vaults = "chips_by_chip"
  case orders = "orders_forward"
  case shopMoney = "orders_posted"
  case wholesale = "wholesale_by_tins"
  case reconciliation = "alerts_beyond_tolerance"
  case sunset = "sunset_of_scans"
  case suspension = "suspended_earn_nothing"
  case channels = "channels_by_tier"
  case calendar = "one_morning_a_day"
  case waiting = "waiting_payouts_retried"

  /// The promise.
  package var sentence: String {
    switch self {
    case .answers: "A request is answered as the rules say, and refused for the first reason"
    case .codesOnce: "Each code is redeemed once, and only if it was printed"
    case .scansGapless: "Accepted scans have the global numbers 1, 2, 3, and so on"
    case .rewards: "A scan pays the base by the tier after it, less what the guard takes"
    case .tiers: "A member's tier is that of the scans of this quarter and the last, or the floor"
    case .floors:
      "A floor is that of the referred scans, from the next midnight on, and never falls"
    case .prizesInOrder:
      "Each due number of a prize is awarded at most once, in order, and none waits longer than it must"
    case .prizesToTier: "A prize goes to a member who holds its tier"
    case .comps: "A member's comps are the sum of that member's rewards, prizes and guarantee"
    case .guaranteeOnce: "A guarantee tops a member up to its amount, once"
    case .guaranteeNotMissing: "A guarantee that is due has been looked at"
    case .match: "A match is its share of each crypto prize of a referred member"
    case .poolShares: "A weekly pool is shared by chips, and what is left is carried"
    case .affiliateChips: "Affiliates hold the chips of their referred scans that have not expired"
    case .poolAccrual:
      "Each pool holds its share of all net gross profit, less what was charged to it"
    case .budget: "Days and months sum what was posted, and their health follows"
    case .guardPolicy: "The guard steps in exactly while the budget is critical"
    case .expenses: "Each expense is the sum of the payouts promised for it"
    case .payables: "What is owed is what was promised and not paid"
    case .treasuries: "Each treasury holds what came in less what went out, movement by movement"
    case .banksAtZero: "No treasury is below zero"
    case .paidOnce: "No award is paid twice, each by its own id"
    case .payoutStates: "Awards are paid, pending or failed, each in one payout"
    case .wallets:
      "A wallet has available what was paid into it, pending what was not, less what went out"
    case .vaults: "Each chip is held, vaulted, redeemed or expired, chip by chip"
    case .orders: "An order only moves forward"
    case .shopMoney: "Orders post their goods, shipping and tax, and a refund takes them back"
    case .wholesale: "An account earns chips and comps by its lifetime tins"
    case .reconciliation: "A morning alerts exactly when a difference passes the tolerance"
    case .sunset: "The doors close after enough checks above the threshold, and stay closed"
    case .suspension: "Whoever is suspended earns nothing"
    case .calendar: "Each day has one morning"
    case .waiting: "A payout that waits for money is tried again within three mornings"
    case .channels: "A message is taken where the writer's tier may write"
    }
  }

  /// Name and sentence.
  package var name: InvariantName { InvariantName(id: rawValue, sentence: sentence) }
}

/// A promise that a recount found broken.
package struct RecountFailure: Error, Equatable, Sendable {
  package var law: RecountLaw
  /// What was expected and what was found.
  package var facts: String
  /// Members concerned, by number.
  package var members: [UInt32]
}
