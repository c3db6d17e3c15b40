public import Quantities

/// What the shop charges beside the tins.
public struct ShopRules: Sendable, Equatable {
  /// Whether purchases made in the shop become orders.
  public var enabled = false
  /// Flat shipping of an order.
  public var shipping = MicroUSDT(microunits: 2_990_000)
  /// Orders of at least this much in goods ship free.
  public var freeFrom = MicroUSDT.whole(50)
  /// What sending one order costs the programme.
  public var carrierCost = MicroUSDT(microunits: 2_990_000)

  /// The defaults.
  public init() {}

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
  public func totals(
    tins: Int64, price: MicroUSDT, tax: TaxRate
  ) throws(MoneyError) -> OrderTotals {
    let subtotal = try price.multiplied(by: tins)
    let isFree = tins == 0 || subtotal >= freeFrom
    return try OrderTotals(
      subtotal: subtotal, shipping: isFree ? .zero : shipping, tax: try tax.tax(on: subtotal))
  }
}

/// What an order comes to.
public struct OrderTotals: Sendable, Equatable, BitwiseCopyable {
  /// The tins at their price.
  public let subtotal: MicroUSDT
  /// Zero when it ships free.
  public let shipping: MicroUSDT
  /// Sales tax on the subtotal.
  public let tax: MicroUSDT
  /// The sum of the three: what the member pays.
  public let total: MicroUSDT

  /// - Throws: `MoneyError.overflow` when the sum leaves 64 bits.
  public init(
    subtotal: MicroUSDT, shipping: MicroUSDT, tax: MicroUSDT
  ) throws(MoneyError) {
    self.subtotal = subtotal
    self.shipping = shipping
    self.tax = tax
    total = try subtotal.adding(shipping).adding(tax)
  }
}
