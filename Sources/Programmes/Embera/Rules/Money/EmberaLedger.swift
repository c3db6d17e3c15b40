package import RewardModel

/// The accounts of the roastery's books.
package enum EmberaAccount: Int, CaseIterable, Sendable {
  case cash, goodsSales, discounts, pointsSales, contractLiability, shippingIncome, salesTax,
    costOfGoods, costOfRewards, stock

  /// The account's id in files.
  package var key: String {
    switch self {
    case .cash: "cash"
    case .goodsSales: "goods_sales"
    case .discounts: "discounts"
    case .pointsSales: "points_sales"
    case .contractLiability: "contract_liability"
    case .shippingIncome: "shipping_income"
    case .salesTax: "sales_tax"
    case .costOfGoods: "cost_of_goods"
    case .costOfRewards: "cost_of_rewards"
    case .stock: "stock"
    }
  }
}

/// The roastery's double-entry ledger.
package typealias EmberaLedger = DoubleEntryLedger<EmberaAccount>
