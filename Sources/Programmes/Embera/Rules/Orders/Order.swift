package import Quantities

/// How much coffee is in a bag.
package enum BagSize: Int, CaseIterable, Codable, Sendable {
  case small, medium, large

  /// As people read it.
  package var label: String {
    switch self {
    case .small: "250 g"
    case .medium: "500 g"
    case .large: "1 kg"
    }
  }
}

/// How coffee is ground.
package enum Grind: String, CaseIterable, Codable, Sendable {
  case beans, coarse, medium, fine
}

/// What coffee is brewed with.
package enum BrewStyle: String, CaseIterable, Codable, Sendable {
  case espresso, filter, press, moka
}

/// One line of an order.
package struct OrderItem: Sendable, Equatable, Codable {
  /// Name of the roast; does not affect prices.
  package var product: String
  package var grind: Grind
  package var bag: BagSize
  package var brew: BrewStyle
  /// Bags, 1...1,000.
  package var quantity: Int
  /// Weeks between deliveries, one of `OrderRules.intervals`; nil buys once.
  package var intervalWeeks: Int?

  /// A line; see the properties for units.
  package init(
    product: String, grind: Grind, bag: BagSize, brew: BrewStyle, quantity: Int,
    intervalWeeks: Int? = nil
  ) {
    self.product = product
    self.grind = grind
    self.bag = bag
    self.brew = brew
    self.quantity = quantity
    self.intervalWeeks = intervalWeeks
  }
}

/// Bags by size, those of a subscription apart: all that the price of an order depends on.
package struct BagCounts: Sendable, Equatable, Codable, BitwiseCopyable {
  /// Bags bought once, by size.
  package var once = SIMD4<Int32>()
  /// Bags of a subscription, by size.
  package var subscribed = SIMD4<Int32>()

  /// No bags.
  package init() {}

  /// Adds bags of a size to those of a subscription or to the others.
  package mutating func add(_ count: Int32, of bag: BagSize, subscribed isSubscribed: Bool) {
    if isSubscribed { subscribed[bag.rawValue] += count } else { once[bag.rawValue] += count }
  }

  /// How many bags there are.
  package var count: Int { Int(once.wrappedSum()) + Int(subscribed.wrappedSum()) }

  /// Whether every bag is of one of the sizes: four numbers hold the counts of three.
  package var hasOnlySizes: Bool { once[3] == 0 && subscribed[3] == 0 }

  /// The same bags, all with a subscription.
  package var asSubscription: BagCounts {
    var bags = BagCounts()
    bags.subscribed = once &+ subscribed
    return bags
  }
}

/// What an order is made of.
package enum OrderContents: Sendable, Equatable, Codable {
  /// Lines, priced by the list.
  case items([OrderItem])
  /// Bags by size, priced by the list.
  case bags(BagCounts)
  /// An amount paid for goods, as a history records it: without shipping and tax.
  case amount(MicroUSDT)
}

/// The sums of one order, in micro-USD.
package struct OrderAmounts: Sendable, Equatable, Codable, BitwiseCopyable {
  /// Goods at list prices.
  package var list = MicroUSDT.zero
  /// What a subscription takes off.
  package var discount = MicroUSDT.zero
  package var shipping = MicroUSDT.zero
  package var tax = MicroUSDT.zero
  /// What the goods cost the roastery.
  package var cost = MicroUSDT.zero

  /// Goods after the discount, before shipping and tax: what earns points.
  package var subtotal: MicroUSDT {
    MicroUSDT(microunits: list.microunits - discount.microunits)
  }
}

/// Why an order has no price.
package enum OrderRefusal: String, Error, Equatable, Codable, Sendable {
  /// No bag, or an amount of zero or less.
  case empty
  /// A quantity below 1 or above 1,000, more than 1,000 lines, or bags of no size.
  case quantity
  /// An interval that nobody offers.
  case interval
  /// An amount beyond a billion dollars.
  case amount
}

/// Prices, discounts, shipping.
package struct OrderRules: Sendable, Equatable, Codable {
  /// List prices by bag size.
  package var prices: [MicroUSDT] = [.whole(14), .whole(24), .whole(42)]
  /// Share of the list price that is gross profit.
  package var margin = BasisPoints(5_500)
  /// Weeks between deliveries that a subscriber can choose.
  package var intervals = [1, 2, 4]
  /// What a subscription takes off the list price.
  package var subscriptionDiscount = BasisPoints(1_000)
  /// Shipping of one order.
  package var shipping = MicroUSDT(microunits: 4_900_000)
  /// Subtotal from which shipping is free.
  package var freeShipping = MicroUSDT.whole(40)

  /// The defaults.
  package init() {}

  /// Bags by size.
  ///
  /// - Throws: `OrderRefusal`.
  package func bags(_ items: [OrderItem]) throws(OrderRefusal) -> BagCounts {
    guard items.count <= 1_000 else { throw .quantity }
    var bags = BagCounts()
    for item in items {
      guard (1...1_000).contains(item.quantity) else { throw .quantity }
      if let weeks = item.intervalWeeks, !intervals.contains(weeks) { throw .interval }
      bags.add(Int32(item.quantity), of: item.bag, subscribed: item.intervalWeeks != nil)
    }
    guard bags.count > 0 else { throw .empty }
    return bags
  }

  /// The sums of an order.
  ///
  /// Discount, tax and gross profit are each rounded down to a micro-USD, the discount once an
  /// order.
  ///
  /// - Parameters:
  ///   - bags: At least one.
  ///   - tax: Thousandths of a percent, levied on the subtotal.
  /// - Throws: `MoneyError.overflow`.
  package func amounts(
    _ bags: BagCounts, taxThousandths tax: Int64
  ) throws(MoneyError) -> OrderAmounts {
    var once = MicroUSDT.zero
    var subscribed = MicroUSDT.zero
    for bag in prices.indices {
      once = try once.adding(prices[bag].multiplied(by: Int64(bags.once[bag])))
      subscribed = try subscribed.adding(
        prices[bag].multiplied(by: Int64(bags.subscribed[bag])))
    }
    var amounts = OrderAmounts()
    amounts.list = try once.adding(subscribed)
    amounts.discount = try subscribed.share(subscriptionDiscount)
    amounts.cost = try amounts.list.subtracting(amounts.list.share(margin))
    amounts.shipping = amounts.subtotal < freeShipping ? shipping : .zero
    amounts.tax = try amounts.subtotal.portion(tax, of: 100_000)
    return amounts
  }

  /// The sums of an order of which only the amount is known: no shipping, no tax, no discount.
  ///
  /// - Throws: `MoneyError.overflow`.
  package func amounts(paid amount: MicroUSDT) throws(MoneyError) -> OrderAmounts {
    var amounts = OrderAmounts()
    amounts.list = amount
    amounts.cost = try amount.subtracting(amount.share(margin))
    return amounts
  }
}
