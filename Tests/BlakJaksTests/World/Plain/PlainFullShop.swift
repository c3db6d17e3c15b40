import BlakJaks
import Population
import Quantities
// Orders of the plain whole world: objects in one list sorted by the instant of their next step.
import RewardModel

final class PlainOrder {
  let member: Int
  let number: UInt32
  let draw: OrderDraw
  let purchase: PurchaseDraw
  let subtotal: Int64
  let shipping: Int64
  let tax: Int64
  var next: Instant
  var status = "processing"

  var paid: Int64 { subtotal + shipping + tax }

  init(
    member: Int, number: UInt32, draw: OrderDraw, purchase: PurchaseDraw, at now: Instant,
    rules: ProgrammeRules, state: Int
  ) {
    self.member = member
    self.number = number
    self.draw = draw
    self.purchase = purchase
    subtotal = Int64(purchase.tins) * rules.economy.price.microunits
    shipping = subtotal >= rules.shop.freeFrom.microunits ? 0 : rules.shop.shipping.microunits
    let rate = rules.states.isEmpty ? 0 : rules.states[state].tax.thousandths
    tax = portion(subtotal, rate, of: 100_000)
    let first = draw.fate == .cancelled ? draw.ending : draw.processing
    next = now + max(first, TimeSpan(microseconds: 1))
  }
}

/// What the shop has done so far.
struct PlainShop {
  var counts: [String: Int64] = [:]
  var revenue: Int64 = 0
  var shipping: Int64 = 0
  var tax: Int64 = 0
  /// Tins of orders, less those given back.
  var tins: Int64 = 0
  /// Steps to come, the earliest first.
  var open: [PlainOrder] = []

  mutating func count(_ what: String, _ number: Int64 = 1) { counts[what, default: 0] += number }

  subscript(_ what: String) -> Int64 { counts[what] ?? 0 }

  mutating func book(_ order: PlainOrder, sign: Int64) {
    revenue += sign * order.subtotal
    shipping += sign * order.shipping
    tax += sign * order.tax
    tins += sign * Int64(order.purchase.tins)
  }

  mutating func insert(_ order: PlainOrder) {
    let place = open.firstIndex {
      (order.next, order.member, order.number) < ($0.next, $0.member, $0.number)
    }
    open.insert(order, at: place ?? open.count)
  }
}

extension PlainFullWorld {
  /// A round of visits for one purchase: an order, another round later, retail, or nothing.
  func visitShop(_ index: Int, need: UInt32, round: UInt16, at now: Instant) {
    let member = members[index]
    let draw = model.purchase(member: UInt32(index), index: need)
    let course = shopModel.round(member: UInt32(index), need: need, round: round)
    let failed = course.failed
    let left = Int64(failed.cart) + Int64(failed.address) + Int64(failed.payment)
    shop.count("visits", course.visits)
    shop.count("abandoned", left)
    shop.count("abandoned_cart", Int64(failed.cart))
    shop.count("abandoned_address", Int64(failed.address))
    shop.count("abandoned_payment", Int64(failed.payment))
    shop.count("refused_age", Int64(failed.age))
    shop.count("refused_payment", Int64(failed.refused))
    shop.count("carts", left + Int64(failed.age) + Int64(failed.refused))
    switch course.end {
    case .order:
      shop.count("carts")
      placeOrder(draw, index, at: now)
    case .retail:
      shop.count("to_retail")
      buyInRetail(draw, index, at: now)
    case .lost: shop.count("lost")
    case .comeBack:
      shop.count("come_backs")
      let hours = season.operationalHours(at: now) + course.pause.inSeconds / 3_600
      guard let time = later(hours, than: now) else { return }
      member.unmet.append((time, need, round + 1))
      schedule(.comeBack, of: index, at: time)
    }
  }

  /// A member comes back to the shop.
  func comeBack(_ index: Int, at now: Instant) {
    guard let place = members[index].unmet.firstIndex(where: { $0.time == now }) else { return }
    let waiting = members[index].unmet.remove(at: place)
    visitShop(index, need: waiting.need, round: waiting.round, at: now)
  }

  /// A purchase in retail, at home at once.
  func buyInRetail(_ draw: PurchaseDraw, _ index: Int, at now: Instant) {
    purchasesByDay[date(now), default: 0] += 1
    programme.sell(draw.tins, at: now)
    banks.operating += Int64(draw.tins) * rules.economy.grossProfit.microunits
    takeHome(draw.scanned, index, at: now) { member, traits in
      draw.firstOpening * (Double(traits.meanGapWeeks) * 168) / Double(member.pace)
    }
  }

  /// A purchase in the shop: paid for and sold at once, at home when it is delivered.
  func placeOrder(_ draw: PurchaseDraw, _ index: Int, at now: Instant) {
    let member = members[index]
    let course = shopModel.order(member: UInt32(index), index: member.orders)
    purchasesByDay[date(now), default: 0] += 1
    shop.count("orders")
    let basket = shopModel.basket(member: UInt32(index), index: member.orders, tins: draw.tins)
    shop.count("tins.\(Catalogue.products[Int(basket.favourite)].sku)", Int64(basket.favouriteTins))
    shop.count("tins.\(Catalogue.products[Int(basket.second)].sku)", Int64(basket.secondTins))
    let order = PlainOrder(
      member: index, number: member.orders, draw: course, purchase: draw, at: now,
      rules: rules, state: member.state)
    shop.book(order, sign: 1)
    banks.operating += order.paid - cost(of: order)
    programme.sell(draw.tins, at: now)
    shop.insert(order)
    member.orders += 1
  }

  private func cost(of order: PlainOrder) -> Int64 {
    Int64(order.purchase.tins)
      * (rules.economy.price.microunits - rules.economy.grossProfit.microunits)
  }

  /// The next step that an order takes.
  func stepOrder() {
    let order = shop.open.removeFirst()
    let now = order.next
    switch (order.status, order.draw.fate) {
    case ("processing", .cancelled):
      giveBack(order, "cancelled", at: now)
    case ("processing", _):
      order.status = "shipped"
      shop.count("shipped")
      banks.owed += rules.shop.carrierCost.microunits
      order.next = now + order.draw.shipping
      shop.insert(order)
    case ("shipped", .refunded):
      order.status = "delivered"
      shop.count("delivered")
      order.next = now + max(order.draw.ending, TimeSpan(microseconds: 1))
      shop.insert(order)
    case ("shipped", _):
      order.status = "delivered"
      shop.count("delivered")
      // The draw waits in single precision while the order is under way.
      let opening = Double(Float(order.purchase.firstOpening))
      takeHome(
        order.purchase.scanned, order.member, at: now
      ) { member, traits in
        opening * Double(traits.meanGapWeeks) * 168 / Double(member.pace)
      }
    default:
      giveBack(order, "refunded", at: now)
    }
  }

  /// All that the sale had brought is taken back, on the day on which that happens.
  private func giveBack(_ order: PlainOrder, _ status: String, at now: Instant) {
    order.status = status
    shop.count(status)
    shop.book(order, sign: -1)
    banks.operating += cost(of: order)
    banks.owed += order.paid
    programme.sell(-order.purchase.tins, at: now)
  }
}
