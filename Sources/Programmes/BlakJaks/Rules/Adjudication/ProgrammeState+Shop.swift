package import Quantities
internal import RewardModel

extension ProgrammeState {
  /// Why an affiliate cannot be named as somebody's referrer now; nil where all is well.
  package func refusesReferral(by affiliate: UInt32) -> RequestRefusal? {
    guard members.knows(affiliate) else { return .unknownMember(affiliate) }
    return programme.sunset.isActive ? .sunset : nil
  }

  /// What an order would come to.
  ///
  /// - Parameters:
  ///   - tins: 1 or more.
  ///   - member: Whose state's sales tax is due; nil for nobody in particular, without tax.
  /// - Throws: `MoneyError.overflow`.
  package func amounts(
    of tins: Int64, for member: UInt32?
  ) throws(MoneyError) -> OrderAmounts {
    let home = member.flatMap { members.states[Int($0)] }
    let tax = home.map { states.tax(for: $0) } ?? TaxRate.zero
    let totals = try rules.shop.totals(tins: tins, price: rules.economy.price, tax: tax)
    return try OrderAmounts(tins: tins, totals: totals, grossProfit: rules.economy.grossProfit)
  }

  /// Changes a cart.
  mutating func commitCart(_ request: ProgrammeRequest) -> ProgrammeAnswer {
    func product(_ sku: String) throws(CartRefusal) -> Product {
      guard let product = Product(sku: sku) else { throw .unknownProduct(sku) }
      return product
    }
    do throws(CartRefusal) {
      switch request {
      case .addToCart(let member, let sku, let tins):
        guard members.knows(member) else { return .refused(.unknownMember(member)) }
        try shop.changeCart(of: member) { (cart) throws(CartRefusal) in
          try cart.add(sku: sku, tins: Int(clamping: tins))
        }
      case .updateCart(let member, let sku, let tins):
        guard members.knows(member) else { return .refused(.unknownMember(member)) }
        try shop.changeCart(of: member) { (cart) throws(CartRefusal) in
          try cart.update(try product(sku), tins: Int(clamping: tins))
        }
      case .removeFromCart(let member, let sku):
        guard members.knows(member) else { return .refused(.unknownMember(member)) }
        try shop.changeCart(of: member) { (cart) throws(CartRefusal) in
          try cart.remove(try product(sku))
        }
      default: fatalError("\(request) is not about a cart")
      }
      return .done
    } catch { return .refused(.cart(error)) }
  }

  /// Takes a message, begins or ends a live stream.
  mutating func commitBoard(
    _ request: ProgrammeRequest, at time: Instant
  ) -> ProgrammeAnswer {
    do throws(RequestRefusal) {
      switch request {
      case .post(let member, let channel, let text):
        if let member, !members.knows(member) { return .refused(.unknownMember(member)) }
        let tier = member.map { members.account(of: $0).standing.tier }
        return .message(try board.post(text, by: tier, in: channel, channels))
      case .startStream(let title):
        try board.start(title, at: time)
        return board.live.map { .stream($0) } ?? .done
      case .endStream: return .stream(try board.end())
      default: fatalError("\(request) is not about channels")
      }
    } catch { return .refused(error) }
  }

  /// Places an order or moves it on.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func commitOrder(
    _ request: ProgrammeRequest, at time: Instant
  ) throws(MoneyError) -> ProgrammeAnswer {
    switch request {
    case .placeOrder(let member, let number, let tins):
      guard members.knows(member) else { return .refused(.unknownMember(member)) }
      guard tins > 0 else { return .refused(.tins(tins)) }
      return try place(number, of: member, tins: tins).map { .order($0) }
        ?? .refused(.orderExists(member: member, number: number))
    case .orderCart(let member, let number):
      guard members.knows(member) else { return .refused(.unknownMember(member)) }
      let cart = shop.cart(of: member)
      guard cart.tins > 0 else { return .refused(.emptyCart) }
      guard let amounts = try place(number, of: member, tins: Int64(cart.tins)) else {
        return .refused(.orderExists(member: member, number: number))
      }
      shop.emptyCart(of: member)
      return .cartOrder(amounts, cart)
    case .moveOrder(let member, let number, let next):
      guard var order = shop.order(of: member, number) else {
        return .refused(.unknownOrder(member: member, number: number))
      }
      guard order.status.allows(next) else {
        return .refused(.orderStep(from: order.status, to: next))
      }
      if next == .shipped {
        try programme.books.bookShop(
          shipping: .zero, tax: .zero, carriage: rules.shop.carrierCost)
      }
      if next == .cancelled || next == .refunded { try post(order.amounts.refund) }
      order.status = next
      shop.enter(order, of: member, number)
      return .order(order.amounts)
    default: fatalError("\(request) is not about an order")
    }
  }

  /// - Returns: Nil where that order is there already.
  private mutating func place(
    _ number: UInt32, of member: UInt32, tins: Int64
  ) throws(MoneyError) -> OrderAmounts? {
    guard shop.order(of: member, number) == nil else { return nil }
    let amounts = try amounts(of: tins, for: member)
    try post(amounts)
    shop.enter(ShopDesk.OpenOrder(amounts: amounts), of: member, number)
    return amounts
  }

  private mutating func post(_ amounts: OrderAmounts) throws(MoneyError) {
    try programme.books.sell(tins: amounts.tins)
    try programme.books.bookShop(shipping: amounts.shipping, tax: amounts.tax, carriage: .zero)
  }
}
