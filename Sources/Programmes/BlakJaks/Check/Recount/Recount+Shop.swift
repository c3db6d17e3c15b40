internal import Quantities
internal import RewardModel

extension Recount {
  /// Carts and orders.
  func shop(_ request: ProgrammeRequest) -> ProgrammeAnswer {
    guard let number = request.member else { return .done }
    if case .moveOrder(_, let order, let next) = request {
      return move(order, of: number, to: next)
    }
    guard let person = members[number] else { return .refused(.unknownMember(number)) }
    let inCart = person.cart.reduce(0) { $0 + $1.tins }
    switch request {
    case .addToCart(_, let sku, let tins):
      guard let product = product(sku) else { return .refused(.cart(.unknownProduct(sku))) }
      guard tins >= 1 else { return .refused(.cart(.noTins(Int(clamping: tins)))) }
      if let refusal = tooMany(tins, beside: inCart) { return refusal }
      if let place = person.cart.firstIndex(where: { $0.sku == product.sku }) {
        person.cart[place].tins += Int(tins)
      } else {
        person.cart.append((product.sku, Int(tins)))
      }
    case .updateCart(_, let sku, let tins):
      guard let product = product(sku) else { return .refused(.cart(.unknownProduct(sku))) }
      guard let place = person.cart.firstIndex(where: { $0.sku == sku }) else {
        return .refused(.cart(.notInCart(product)))
      }
      guard tins >= 1 else { return .refused(.cart(.noTins(Int(clamping: tins)))) }
      if let refusal = tooMany(tins, beside: inCart - person.cart[place].tins) { return refusal }
      person.cart[place].tins = Int(tins)
    case .removeFromCart(_, let sku):
      guard let product = product(sku) else { return .refused(.cart(.unknownProduct(sku))) }
      guard let place = person.cart.firstIndex(where: { $0.sku == sku }) else {
        return .refused(.cart(.notInCart(product)))
      }
      person.cart.remove(at: place)
    case .placeOrder(_, let order, let tins):
      guard tins > 0 else { return .refused(.tins(tins)) }
      return place(order, of: person, tins: tins).map { .order($0) }
        ?? .refused(.orderExists(member: number, number: order))
    case .orderCart(_, let order):
      guard inCart > 0 else { return .refused(.emptyCart) }
      guard let amounts = place(order, of: person, tins: Int64(inCart)) else {
        return .refused(.orderExists(member: number, number: order))
      }
      var ordered = Cart()
      for line in person.cart { try? ordered.add(sku: line.sku, tins: line.tins) }
      person.cart = []
      return .cartOrder(amounts, ordered)
    default: break
    }
    return .done
  }

  private func product(_ sku: String) -> Product? {
    Catalogue.products.first { $0.sku == sku }
  }

  private func tooMany(_ tins: Int64, beside others: Int) -> ProgrammeAnswer? {
    let sum = Int128(tins) + Int128(others)
    guard sum > 999 else { return nil }
    return .refused(.cart(.tooManyTins(sum > Int128(Int.max) ? .max : Int(sum))))
  }

  /// - Returns: Nil where such an order is under way.
  private func place(_ order: UInt32, of person: PlainMember, tins: Int64) -> OrderAmounts? {
    if let known = person.orders[order], known.status != .cancelled, known.status != .refunded {
      return nil
    }
    let goods = rules.economy.price.microunits * tins
    let isFree = goods >= rules.shop.freeFrom.microunits
    let rate = person.state.map { states[Int($0)].tax.thousandths } ?? 0
    let totals = OrderTotals.unchecked(
      goods, isFree ? 0 : rules.shop.shipping.microunits, portion(goods, rate, of: 100_000))
    guard let totals,
      let amounts = try? OrderAmounts(
        tins: tins, totals: totals, grossProfit: rules.economy.grossProfit)
    else { return nil }
    books.sell(tins, on: date)
    books.take(shipping: totals.shipping.microunits, tax: totals.tax.microunits)
    person.orders[order] = (.processing, amounts)
    return amounts
  }

  private func move(_ order: UInt32, of number: UInt32, to next: OrderStatus) -> ProgrammeAnswer {
    guard let known = members[number]?.orders[order], known.status != .cancelled,
      known.status != .refunded
    else { return .refused(.unknownOrder(member: number, number: order)) }
    let steps: [(OrderStatus, OrderStatus)] = [
      (.processing, .shipped), (.processing, .cancelled), (.shipped, .delivered),
      (.delivered, .refunded),
    ]
    guard steps.contains(where: { $0 == (known.status, next) }) else {
      return .refused(.orderStep(from: known.status, to: next))
    }
    members[number]?.orders[order]?.status = next
    let amounts = known.amounts
    if next == .shipped {
      books.carriage += rules.shop.carrierCost.microunits
      books.shopOwes += rules.shop.carrierCost.microunits
    }
    if next == .cancelled || next == .refunded {
      note("order_taken_back")
      books.sell(-amounts.tins, on: date)
      books.take(shipping: -amounts.shipping.microunits, tax: -amounts.tax.microunits)
    }
    return .order(amounts)
  }
}

extension OrderTotals {
  fileprivate static func unchecked(
    _ subtotal: Int64, _ shipping: Int64, _ tax: Int64
  ) -> OrderTotals? {
    try? OrderTotals(
      subtotal: MicroUSDT(microunits: subtotal), shipping: MicroUSDT(microunits: shipping),
      tax: MicroUSDT(microunits: tax))
  }
}
