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
  package var key: String {
    switch self {
    case .grossProfit: "gross_profit"
    case .compPool: "comp_pool"
    case .affiliatePool: "affiliate_pool"
    case .wholesalePool: "wholesale_pool"
    case .operating: "operating"
    case .spent: "spent"
    case .equity: "equity"
    case .sales: "sales"
    case .shippingIncome: "shipping_income"
    case .costOfGoods: "cost_of_goods"
    case .carriage: "carriage"
    case .expenseScanReward: "expense_scan_reward"
    case .expenseCrypto: "expense_crypto"
    case .expenseCasino: "expense_casino"
    case .expenseTrip: "expense_trip"
    case .expenseGuarantee: "expense_guarantee"
    case .expenseMatch: "expense_match"
    case .expensePool: "expense_pool"
    case .expenseWholesale: "expense_wholesale"
    case .expenseChips: "expense_chip_redemption"
    case .gas: "gas"
    case .chainDifference: "chain_difference"
    case .memberPayable: "member_payable"
    case .affiliatePayable: "affiliate_payable"
    case .wholesalePayable: "wholesale_payable"
    case .shopPayable: "shop_payable"
    case .tripReserve: "trip_reserve"
    case .salesTax: "sales_tax"
    case .walletMember: "wallet_member"
    case .walletAffiliate: "wallet_affiliate"
    case .walletWholesale: "wallet_wholesale"
    case .bankOperating: "bank_operating"
    case .bankReserve: "bank_reserve"
    case .bankCompPool: "bank_comp_pool"
    }
  }
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
