package import Quantities
package import RewardModel

/// Why a cart does not change. It is then as it was.
package enum CartRefusal: Error, Equatable, Sendable, Codable {
  /// No product has this number or stock-keeping unit.
  case unknownProduct(String)
  /// A line holds at least one tin; `remove` takes it out.
  case noTins(Int)
  /// The cart would hold more than `Cart.tinsMaximum` tins.
  case tooManyTins(Int)
  /// The product is not in the cart.
  case notInCart(Product)
}

/// What a member is about to order: products and tins, in the order in which they were added.
package struct Cart: Sendable, Equatable, Codable {
  /// One product and how many tins of it.
  package struct Line: Sendable, Equatable, Codable {
    package let product: Product
    /// 1 or more.
    package fileprivate(set) var tins: Int
  }

  /// Most tins that one cart holds.
  package static let tinsMaximum = 999

  /// One line a product; at most as many as there are products.
  package private(set) var lines: [Line] = []

  /// An empty cart.
  package init() {}

  /// Tins of all lines.
  package var tins: Int { lines.reduce(0) { $0 + $1.tins } }

  /// Adds tins of a product, to its line when it has one.
  ///
  /// - Throws: `CartRefusal.noTins` or `.tooManyTins` (for the cart as a whole).
  package mutating func add(_ product: Product, tins count: Int = 1) throws(CartRefusal) {
    guard count >= 1 else { throw .noTins(count) }
    try check(count, beside: tins)
    if let place = place(of: product) {
      lines[place].tins += count
    } else {
      // Most carts have one product or two.
      if lines.isEmpty { lines.reserveCapacity(2) }
      lines.append(Line(product: product, tins: count))
    }
    invariant(tins <= Cart.tinsMaximum, "a cart holds \(tins) tins")
  }

  /// Adds tins of the product that has a stock-keeping unit.
  ///
  /// - Throws: `CartRefusal.unknownProduct` besides the refusals of `add(_:tins:)`.
  package mutating func add(sku: String, tins count: Int = 1) throws(CartRefusal) {
    guard let product = Product(sku: sku) else { throw .unknownProduct(sku) }
    try add(product, tins: count)
  }

  /// Sets the tins of a product in the cart.
  ///
  /// - Throws: `CartRefusal.notInCart`, `.noTins` or `.tooManyTins`.
  package mutating func update(_ product: Product, tins count: Int) throws(CartRefusal) {
    guard let place = place(of: product) else { throw .notInCart(product) }
    guard count >= 1 else { throw .noTins(count) }
    try check(count, beside: tins - lines[place].tins)
    lines[place].tins = count
  }

  /// Takes a product out of the cart.
  ///
  /// - Throws: `CartRefusal.notInCart`.
  package mutating func remove(_ product: Product) throws(CartRefusal) {
    guard let place = place(of: product) else { throw .notInCart(product) }
    lines.remove(at: place)
  }

  /// Takes everything out, and keeps its memory for what comes next.
  package mutating func empty() { lines.removeAll(keepingCapacity: true) }

  /// What the cart would come to as an order.
  ///
  /// - Parameters:
  ///   - price: Of one tin.
  ///   - tax: Rate of the state that the order goes to.
  /// - Throws: `MoneyError.overflow` when an amount leaves 64 bits.
  package func totals(
    _ rules: ShopRules, price: MicroUSDT, tax: TaxRate
  ) throws(MoneyError) -> OrderTotals {
    try rules.totals(tins: Int64(tins), price: price, tax: tax)
  }

  private func place(of product: Product) -> Int? {
    lines.firstIndex { $0.product == product }
  }

  private func check(_ count: Int, beside others: Int) throws(CartRefusal) {
    let (sum, overflow) = count.addingReportingOverflow(others)
    guard !overflow else { throw .tooManyTins(.max) }
    guard sum <= Cart.tinsMaximum else { throw .tooManyTins(sum) }
  }
}
