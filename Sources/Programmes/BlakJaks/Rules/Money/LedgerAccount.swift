/// The chart of accounts of the programme's ledger. Credits are positive, debits negative: income,
/// debts and allotments grow upwards, expenses and what the programme owns downwards.
package enum LedgerAccount: Int, CaseIterable, Sendable, Codable {
  /// Gross profit that was allotted to the pools below: their source, so its balance is negative.
  case grossProfit
  /// What is left of the comp pool's share; negative when more was promised than earned.
  case compPool
  /// What is left of the affiliates' share.
  case affiliatePool
  /// What is left of the wholesale comps' share.
  case wholesalePool
  /// What is left of the share for operations.
  case operating
  /// Shares that were spent: the other side of every charge to a pool.
  case spent
  /// What the owners put into wallets and banks at the start.
  case equity
  /// Tins sold, at their price.
  case sales
  /// Shipping paid by customers of the shop.
  case shippingIncome
  /// What the tins sold had cost.
  case costOfGoods
  /// What sending orders costs.
  case carriage
  /// Scan rewards promised.
  case expenseScanReward
  /// Crypto comps promised.
  case expenseCrypto
  /// Casino comps promised.
  case expenseCasino
  /// Trips, as their reserve is set aside.
  case expenseTrip
  /// New-member guarantees promised.
  case expenseGuarantee
  /// Affiliates' match promised.
  case expenseMatch
  /// Weekly pools promised.
  case expensePool
  /// Wholesale comps promised.
  case expenseWholesale
  /// Gold chips redeemed.
  case expenseChips
  /// Network fees of payouts.
  case gas
  /// Differences to the chain, once a person has booked them.
  case chainDifference
  /// Owed to members: promised and not yet paid out.
  case memberPayable
  /// Owed to affiliates.
  case affiliatePayable
  /// Owed to wholesale accounts.
  case wholesalePayable
  /// Owed by the shop: refunds and carriage until the morning that pays them.
  case shopPayable
  /// Set aside for trips, a liability.
  case tripReserve
  /// Sales tax collected, owed to the states.
  case salesTax
  /// The on-chain wallet that pays members.
  case walletMember
  /// The on-chain wallet that pays affiliates.
  case walletAffiliate
  /// The on-chain wallet that pays wholesale accounts.
  case walletWholesale
  /// The bank account of the business.
  case bankOperating
  /// The bank account that holds the trip reserve.
  case bankReserve
  /// The bank account of the comp pool.
  case bankCompPool

  /// The name in exports.
  package var key: String { LedgerAccount.keys[rawValue] }

  private static let keys = [
    "gross_profit", "comp_pool", "affiliate_pool", "wholesale_pool", "operating", "spent",
    "equity", "sales", "shipping_income", "cost_of_goods", "carriage", "expense_scan_reward",
    "expense_crypto", "expense_casino", "expense_trip", "expense_guarantee", "expense_match",
    "expense_pool", "expense_wholesale", "expense_chip_redemption", "gas", "chain_difference",
    "member_payable", "affiliate_payable", "wholesale_payable", "shop_payable", "trip_reserve",
    "sales_tax", "wallet_member", "wallet_affiliate", "wallet_wholesale", "bank_operating",
    "bank_reserve", "bank_comp_pool",
  ]
}

extension ChargeAccount {
  /// The ledger account behind a charge account of the rules.
  package var ledgerAccount: LedgerAccount {
    switch self {
    case .compPool: .compPool
    case .affiliatePool: .affiliatePool
    case .wholesalePool: .wholesalePool
    case .operating: .operating
    }
  }
}
