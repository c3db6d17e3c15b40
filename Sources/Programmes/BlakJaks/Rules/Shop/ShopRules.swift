package import Quantities
package import RewardModel

/// What the shop charges beside the tins.
package struct ShopRules: Sendable, Equatable, Codable {
  /// Whether purchases made in the shop become orders.
  package var enabled = false
  /// Flat shipping of an order.
  package var shipping = MicroUSDT(microunits: 2_990_000)
  /// Orders of at least this much in goods ship free.
  package var freeFrom = MicroUSDT.whole(50)
  /// What sending one order costs the programme.
  package var carrierCost = MicroUSDT(microunits: 2_990_000)

  /// The defaults.
  package init() {}

  /// What an order of some tins comes to.
  ///
  /// Shipping is free from `freeFrom` of goods on, that amount included; an order of nothing has
  /// no shipping either. The tax is on the goods only and rounded down to a micro-USDT, as every
  /// share of the programme is.
  ///
  /// - Parameters:
  ///   - tins: 0 or more.
  ///   - price: Of one tin.
  ///   - tax: Rate of the state that the order goes to.
  /// - Throws: `MoneyError.overflow` when an amount leaves 64 bits.
  package func totals(
    tins: Int64, price: MicroUSDT, tax: TaxRate
  ) throws(MoneyError) -> OrderTotals {
    let subtotal = try price.multiplied(by: tins)
    let isFree = tins == 0 || subtotal >= freeFrom
    return try OrderTotals(
      subtotal: subtotal, shipping: isFree ? .zero : shipping, tax: try tax.tax(on: subtotal))
  }
}

/// What an order comes to.
package struct OrderTotals: Sendable, Equatable, BitwiseCopyable {
  /// The tins at their price.
  package let subtotal: MicroUSDT
  /// Zero when it ships free.
  package let shipping: MicroUSDT
  /// Sales tax on the subtotal.
  package let tax: MicroUSDT
  /// The sum of the three: what the member pays.
  package let total: MicroUSDT

  /// - Throws: `MoneyError.overflow` when the sum leaves 64 bits.
  package init(
    subtotal: MicroUSDT, shipping: MicroUSDT, tax: MicroUSDT
  ) throws(MoneyError) {
    self.subtotal = subtotal
    self.shipping = shipping
    self.tax = tax
    total = try subtotal.adding(shipping).adding(tax)
  }
}
