internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities

/// An order of the shop that is under way, with its next step.
struct OpenOrder: Timed {
  /// When the next step happens.
  var time: Instant
  // From wide to narrow, so that an order takes 32 bytes.
  /// From shipping to delivery.
  var shipping: TimeSpan
  /// See `OrderDraw.ending`.
  var ending: TimeSpan
  /// The member's order index.
  var order: UInt32
  /// The member's place in the cell.
  var index: UInt16
  var tins: UInt16
  var status = OrderStatus.processing
  var fate: OrderFate

  static func == (a: OpenOrder, b: OpenOrder) -> Bool {
    a.time == b.time && a.index == b.index && a.order == b.order
  }

  static func < (a: OpenOrder, b: OpenOrder) -> Bool {
    (a.time, a.index, a.order) < (b.time, b.index, b.order)
  }
}

/// Tins of the shop or of a wholesale account that a member will receive, of which some will be
/// scanned.
struct Delivery: Sendable {
  var time: Instant
  /// See `PurchaseDraw.firstOpening`.
  var firstOpening: Float
  /// The member's place in the cell.
  var index: UInt16
  /// How many tins will be scanned.
  var scanned: UInt16
  var isWholesale = false
}

/// A step of a traced member's order, as a cell notes it down.
struct OrderNote: Sendable {
  var time: Instant
  var number: OrderNumber
  var status: OrderStatus
  var tins: UInt16
}

extension Cell {
  /// Notes a step of an order down where its member is traced.
  private mutating func note(_ order: OpenOrder, at time: Instant) {
    let member = firstMember + UInt32(order.index)
    if journal.isOn, order.status != .processing {
      journal.add(
        time, member, .moveOrder(member: member, number: order.order, to: order.status))
    }
    guard shared.wallet.isTraced(member),
      let number = OrderNumber(member: member + 1, order: order.order + 1)
    else { return }
    orderNotes.append(
      OrderNote(
        time: time, number: number, status: order.status, tins: order.tins))
  }

  /// An order in the shop, paid for at once. Its tins are not at home before it is delivered.
  mutating func order(
    _ draw: PurchaseDraw, _ extras: inout MemberExtras, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    let course = shared.shop.order(member: member, index: extras.orders)
    if journal.isOn {
      journal.add(
        now, member, .placeOrder(member: member, number: extras.orders, tins: Int64(draw.tins)))
    }
    let basket = shared.shop.basket(member: member, index: extras.orders, tins: draw.tins)
    if let amounts = checkOut(basket, state: extras.state, shared) {
      tally.shop.post(amounts, &tally.overflow)
    }
    productTins[Int(basket.favourite)] += Int64(basket.favouriteTins)
    productTins[Int(basket.second)] += Int64(basket.secondTins)
    let first = course.fate == .cancelled ? course.ending : course.processing
    let placed =
      OpenOrder(
        time: now + max(first, TimeSpan(microseconds: 1)), shipping: course.shipping,
        ending: course.ending, order: extras.orders, index: UInt16(member - firstMember),
        tins: UInt16(clamping: draw.tins), fate: course.fate)
    orders.insert(placed)
    if course.fate == .kept, draw.scanned > 0 {
      let delivery = Delivery(
        time: placed.time + course.shipping, firstOpening: Float(draw.firstOpening),
        index: placed.index, scanned: UInt16(clamping: draw.scanned))
      deliveries.add(delivery, to: Int(placed.index))
      extras.nextDelivery = min(extras.nextDelivery, delivery.time)
    }
    note(placed, at: now)
    extras.orders += 1
  }

  /// An order goes through the cart: its tins are added, and the cart says what they come to. More
  /// tins than a cart holds are ordered by phone, at the same prices.
  private mutating func checkOut(
    _ basket: Basket, state: UInt8, _ shared: CellRules
  ) -> OrderAmounts? {
    let tins = basket.favouriteTins + basket.secondTins
    guard tins <= Cart.tinsMaximum else { return amounts(tins: Int64(tins), state: state, shared) }
    cart.empty()
    do throws(CartRefusal) {
      if basket.favouriteTins > 0 {
        try cart.add(Product(checked: basket.favourite), tins: basket.favouriteTins)
      }
      if basket.secondTins > 0 {
        try cart.add(Product(checked: basket.second), tins: basket.secondTins)
      }
    } catch { fatalError("a cart refused \(tins) tins of the catalog: \(error)") }
    do {
      let totals = try cart.totals(
        shared.shopRules, price: shared.price, tax: shared.taxes[Int(state)])
      return try OrderAmounts(
        tins: Int64(cart.tins), totals: totals, grossProfit: shared.grossProfit)
    } catch {
      tally.overflow.note()
      return nil
    }
  }

  private mutating func amounts(
    tins: Int64, state: UInt8, _ shared: CellRules
  ) -> OrderAmounts? {
    // Copies of the rules or the state table would retain their lists for every order.
    do {
      let totals = try shared.shopRules.totals(
        tins: tins, price: shared.price, tax: shared.taxes[Int(state)])
      return try OrderAmounts(tins: tins, totals: totals, grossProfit: shared.grossProfit)
    } catch {
      tally.overflow.note()
      return nil
    }
  }

  /// Takes the steps of the window's orders; members have received what came in it.
  mutating func moveOrders() {
    // Steps may bring others within the window, in which nothing else looks at orders.
    var due: [OpenOrder] = []
    orders.take(from: window.start, until: window.end, into: &due)
    while !due.isEmpty {
      tally.events += Int64(due.count)
      // Orders know nothing of each other: only those that somebody follows are told in order.
      let followed = due.partition { !isFollowed($0) }
      due[..<followed].sort()
      for order in due { step(order) }
      orders.take(from: window.start, until: window.end, into: &due)
    }
  }

  /// Whether somebody is told each step of an order.
  private func isFollowed(_ order: OpenOrder) -> Bool {
    journal.isOn || shared.wallet.isTraced(firstMember + UInt32(order.index))
  }

  private mutating func step(_ order: OpenOrder) {
    var order = order
    let now = order.time
    do {
      switch order.status {
      case .processing where order.fate == .cancelled:
        try order.status.advance(to: .cancelled)
        tally.shop.cancelled += 1
        takeBack(order)
      case .processing:
        try order.status.advance(to: .shipped)
        tally.shop.shipped += 1
        order.time = now + order.shipping
        orders.insert(order)
      case .shipped:
        try order.status.advance(to: .delivered)
        tally.shop.delivered += 1
        if order.fate == .refunded {
          order.time = now + max(order.ending, TimeSpan(microseconds: 1))
          orders.insert(order)
        } else {
          tally.shop.tinsDelivered += Int64(order.tins)
        }
      case .delivered:
        try order.status.advance(to: .refunded)
        tally.shop.refunded += 1
        takeBack(order)
      case .cancelled, .refunded: break
      }
    } catch { fatalError("an order took a step that it cannot take: \(error)") }
    note(order, at: now)
  }

  /// Gives an order's money back: exactly what it had posted.
  private mutating func takeBack(_ order: OpenOrder) {
    let state = extras[Int(order.index)].state
    guard let amounts = amounts(tins: Int64(order.tins), state: state, shared) else { return }
    if !steps.isEmpty { steps[Int(order.index)].takenBack += Int64(order.tins) }
    tally.shop.takeBack(amounts, &tally.overflow)
  }

  /// Asks for the memory of a member who may get a wholesale tin.
  ///
  /// It changes nothing, and is mutating all the same: a cell in a list would be copied to be asked.
  mutating func askForDelivery(_ index: Int) {
    ck_prefetch_far(firstRow + index)
    askForExtras(index)
    deliveries.ask(for: index)
  }

  /// A wholesale tin is on its way to a member.
  mutating func expect(_ tin: WholesaleTin, _ index: Int, after midnight: Instant) {
    let delivery = Delivery(
      time: midnight + tin.pause, firstOpening: Float(tin.firstOpening), index: UInt16(index),
      scanned: 1, isWholesale: true)
    deliveries.add(delivery, to: index)
    extras[index].nextDelivery = min(extras[index].nextDelivery, delivery.time)
    plan(index)
  }

  /// Tins of shop or wholesale come home; where there were none, the first is opened after a while.
  mutating func receive(
    _ row: inout MemberRow, _ extras: inout MemberExtras, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    let index = Int(member - firstMember)
    var next = Instant.distantFuture
    let arrived = deliveries.remove(of: index) {
      $0.time == now
    } _: {
      next = min(next, $0.time)
    }
    extras.nextDelivery = next
    tally.wholesaleTins += arrived?.isWholesale == true ? 1 : 0
    guard let arrived else { return }
    row.course.takeHome(
      Int(arrived.scanned), firstOpening: Double(arrived.firstOpening), now: now, shared.season)
  }
}
