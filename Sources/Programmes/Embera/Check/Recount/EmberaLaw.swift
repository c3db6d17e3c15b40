package import RewardModel

/// What a second reading of the journal holds the program to: each promise has a name, and each is
/// recounted from the requests alone, by lists and sums.
package enum EmberaLaw: String, CaseIterable, Sendable {
  case answers = "answers_follow_rules"
  case members = "member_numbers_gapless"
  case prices = "prices_by_list"
  case points = "points_of_order"
  case allotted = "price_allotted_to_points"
  case tiers = "tier_of_points_earned"
  case oldestFirst = "oldest_points_first"
  case balances = "balances_by_lot"
  case redemption = "redemption_needs_balance"
  case once = "entries_answered_once"
  case inOrder = "entries_in_channel_order"
  case deliveries = "deliveries_once"
  case expiry = "expiry_by_month"
  case offers = "offers_and_their_cost"
  case months = "months_sum_requests"
  case share = "share_of_old_points"
  case owedAtCost = "liability_at_cost"
  case contract = "liability_of_contract"
  case budget = "budget_of_revenue"
  case ledger = "ledger_by_account"
  case totals = "totals_are_requests"
  case challenges = "challenges_answered_once"
  case sessions = "sessions_of_proper_answers"
  case noTrace = "refusals_leave_no_trace"
  case restored = "restored_as_saved"
  case shown = "devices_show_what_waits"
  case arrives = "entries_arrive_in_the_end"
  case copies = "copies_equal_in_the_end"
  case status = "status_under_wrong_clocks"

  /// The promise.
  package var sentence: String {
    switch self {
    case .answers: "A request is answered as the rules say, and refused for the first reason"
    case .members: "Members have the numbers 1, 2, 3, and so on, in the order of their sign-up"
    case .prices: "An order has the sums of its bags by the list, each rounded down once"
    case .points:
      "An order earns its subtotal by points a dollar and the tier's multiplier, rounded down once"
    case .allotted: "An order's price is allotted to goods and points by what they are worth"
    case .tiers: "A member's tier is that of all points of all orders, whatever was redeemed"
    case .oldestFirst: "A redemption takes the oldest points that are left"
    case .balances: "A balance is what is left of each order's points"
    case .redemption: "A redemption that the balance does not cover is refused and not queued"
    case .once: "An entry is answered once, by its channel and number"
    case .inOrder: "A channel's entries are answered in its own order, without a gap"
    case .deliveries: "Each delivery of a subscription counts as one order"
    case .expiry: "Points expire with the month that is due after the last order, and not before"
    case .offers: "Offers redeemed and their cost are those of the redemptions"
    case .months: "A closed month sums what was asked in it"
    case .share: "The share redeemed is that of the points old enough, redemption by redemption"
    case .owedAtCost: "Points are owed at the cost of those redeemed, less those never claimed"
    case .contract: "The contract liability is what orders allotted to points not recognized yet"
    case .budget: "A month's status is that of its reward cost over its revenue"
    case .ledger: "Each account of the ledger is the sum of what was asked"
    case .totals: "The program's totals are the sums over all members' requests"
    case .challenges: "A challenge is answered once, and while it lives"
    case .sessions: "A session begins with a counter that rose, and ends when it is due"
    case .noTrace: "A request that is refused before it counts changes nothing"
    case .restored: "A state that was saved and restored is the same state"
    case .shown: "A device shows what the server reported and what waits on it"
    case .arrives: "Every entry placed on a device is answered after the last sync"
    case .copies: "All copies of an account are equal after the last sync"
    case .status: "No clock shows an earlier status of an order than was shown, and it ends"
    }
  }

  /// Name and sentence.
  package var name: InvariantName { InvariantName(id: rawValue, sentence: sentence) }
}

/// A promise that a recount found broken.
package struct EmberaRecountFailure: Error, Equatable, Sendable {
  package var law: EmberaLaw
  /// What was expected and what was found.
  package var facts: String
  /// Members concerned, by number.
  package var members: [UInt32]
}
