internal import Documents
internal import Quantities
internal import RewardModel

extension BlakJaksMachine {
  /// The shop, step by step.
  static let shopping: [Endpoint<BlakJaksMachine>] = [
    Endpoint(
      .get, "/shop/products", "What the shop sells", access: .anyone,
      .ask { _, machine in machine.products() }),
    Endpoint(
      .post, "/cart/add", "Put tins of a product into the cart",
      fields: [sku, ServedField("tins", lineTins, isOptional: true, "How many; 1 by default")],
      .submit { call, _ throws(ServedRefusal) in
        Request(
          .addToCart(
            member: try call.who(), sku: call.text("sku") ?? "", tins: call.whole("tins") ?? 1))
      }),
    Endpoint(
      .get, "/cart", "What is in the cart, and what it would cost",
      .ask { call, machine throws(ServedRefusal) in machine.cart(of: try call.who()) }),
    Endpoint(
      .put, "/cart/update", "Set the tins of a product in the cart",
      fields: [sku, ServedField("tins", lineTins, "How many")],
      .submit { call, _ throws(ServedRefusal) in
        Request(
          .updateCart(
            member: try call.who(), sku: call.text("sku") ?? "", tins: call.whole("tins") ?? 0))
      }),
    Endpoint(
      .delete, "/cart/remove", "Take a product out of the cart", fields: [sku],
      .submit { call, _ throws(ServedRefusal) in
        Request(.removeFromCart(member: try call.who(), sku: call.text("sku") ?? ""))
      }),
    Endpoint(
      .post, "/tax/estimate", "What an order would cost",
      fields: [tins("How many; what is in the cart where it is left out")],
      .ask { call, machine throws(ServedRefusal) in try machine.estimate(call) }),
    Endpoint(
      .post, "/orders/create", "Order and pay: what is in the cart, or a number of tins",
      fields: [tins("How many; what is in the cart where it is left out")],
      .submit { call, machine throws(ServedRefusal) in
        let member = try call.who()
        let number = machine.state.shop.nextOrder(of: member)
        guard let tins = call.whole("tins") else {
          try machine.checkRoom(
            forTins: Int64(machine.state.shop.cart(of: member).tins), of: member)
          return Request(.orderCart(member: member, number: number))
        }
        try machine.checkRoom(forTins: tins, of: member)
        return Request(.placeOrder(member: member, number: number, tins: tins))
      }),
    Endpoint(
      .get, "/users/me/orders", "The member's orders",
      .list(list("orders", .order, of: "member", by: "number"))),
  ]

  private static let sku = ServedField("sku", .text(most: 16), "As /shop/products names it")
  private static let lineTins = ServedField.Kind.whole(1...Int64(Cart.tinsMaximum))

  private static func tins(_ note: String) -> ServedField {
    ServedField("tins", .whole(1...1_000), isOptional: true, note)
  }

  private func products() -> JSONText {
    .array(
      Catalogue.products.map {
        .line([
          ("sku", .string($0.sku)), ("name", .string($0.name)),
          ("price", .usdt(state.rules.economy.price)),
        ])
      })
  }

  /// The lines of a cart.
  func lines(of cart: Cart) -> JSONText {
    .array(
      cart.lines.map {
        .line([
          ("sku", .string($0.product.sku)), ("name", .string($0.product.name)),
          ("tins", .integer($0.tins)), ("price", .usdt(state.rules.economy.price)),
        ])
      })
  }

  /// A member's cart with what it would cost as an order.
  func cart(of member: UInt32) -> JSONText {
    let cart = state.shop.cart(of: member)
    // A cart is too small for amounts that leave their range.
    let amounts = try? state.amounts(of: Int64(cart.tins), for: member)
    return .line([("lines", lines(of: cart))] + (amounts.map { Self.members(of: $0) } ?? []))
  }

  /// Refuses an order that could bring an account of the ledger out of its range, which would stop the
  /// writer. Half of the range stays for what follows sales: pools, taxes, returns.
  private func checkRoom(forTins tins: Int64, of member: UInt32) throws(ServedRefusal) {
    guard tins > 0 else { return }
    let most = Int64.max / 2
    let ledger = state.programme.books.ledger
    let held = LedgerAccount.allCases.map { ledger.balance($0).microunits.magnitude }.max() ?? 0
    guard let total = try? state.amounts(of: tins, for: member).total.microunits, total <= most,
      held <= UInt64(most - total)
    else { throw ServedRefusal(422, "too much", "the order's price is out of range") }
  }

  private func estimate(_ call: ServedCall) throws(ServedRefusal) -> JSONText {
    let cart = call.member.map { Int64(state.shop.cart(of: $0).tins) }
    let tins = call.whole("tins") ?? cart ?? 0
    guard tins > 0 else { throw RequestRefusal.emptyCart.served }
    do throws(MoneyError) {
      return .line(Self.members(of: try state.amounts(of: tins, for: call.member)))
    } catch {
      throw ServedRefusal(422, "too much", "the order's price is out of range")
    }
  }
}
