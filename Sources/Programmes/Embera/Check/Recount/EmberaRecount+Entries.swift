internal import Quantities
internal import RewardModel

/// Orders and redemptions, as they come from a channel.
extension EmberaRecount {
  func order(
    _ member: UInt32, _ channel: EntryChannel, _ number: UInt32, _ contents: OrderContents
  ) -> EmberaAnswer {
    if let refusal = refusal(contents) { return .refused(.order(refusal)) }
    guard let person = account(member) else { return .refused(.unknownMember) }
    if let early = place(channel, number, of: person) { return early }
    let price = price(contents, taxThousandths: taxThousandths(person))
    let points = points(price.subtotal, tier: tier(person.earned))
    let before = tier(person.earned)
    if before > 0, rules.tiers.multipliers[before] != 10_000 { note("points_multiplied") }
    let allotted = allotted(price.subtotal, points)
    if allotted > 0, allotted >= price.subtotal / 100 * 99 { note("points_worth_it_all") }
    if points > 0 { person.lots.append(PlainAccount.Lot(first: person.earned, left: points)) }
    person.orders.append(
      PlainAccount.Bought(
        channel: channel, price: price, points: points, allotted: allotted, month: month,
        closes: closes.count))
    let after = tier(person.earned)
    if after > before { note("tier_reached") }
    if channel == .subscription { note("delivery") }
    return .ordered(
      amounts: price.amounts, points: Int64(points), balance: Int64(person.held),
      tier: EmberaTier.allCases[after])
  }

  func redeem(
    _ member: UInt32, _ channel: EntryChannel, _ number: UInt32, _ offer: String
  ) -> EmberaAnswer {
    guard let person = account(member) else { return .refused(.unknownMember) }
    if let early = place(channel, number, of: person) { return early }
    guard let row = rules.offers.firstIndex(where: { $0.id == offer }) else {
      return .refused(.entry(.offer))
    }
    var wanted = Int(rules.offers[row].points)
    guard person.held >= wanted else {
      person.refusals.append(closes.count)
      return .refused(.entry(.balance))
    }
    let first = person.lots[0].first
    person.redemptions.append(
      PlainAccount.Redeemed(offer: row, points: wanted, closes: closes.count))
    if person.lots[0].left < wanted { note("several_orders_redeemed_at_once") }
    while wanted > 0 {
      let taken = min(wanted, person.lots[0].left)
      wanted -= taken
      person.lots[0].first += taken
      person.lots[0].left -= taken
      if person.lots[0].left == 0 { person.lots.removeFirst() }
    }
    return .redeemed(
      points: PointRange(first: Int64(first), count: rules.offers[row].points),
      balance: Int64(person.held))
  }

  /// Looks an entry up by its channel and number; nil where it is the channel's next.
  private func place(
    _ channel: EntryChannel, _ number: UInt32, of person: PlainAccount
  ) -> EmberaAnswer? {
    let row = Int(channel.rawValue)
    if person.answered[row].contains(number) {
      repeats.append(closes.count)
      return .repeated
    }
    guard Int(number) == person.answered[row].count + 1 else { return .refused(.entry(.gap)) }
    person.answered[row].insert(number)
    return nil
  }

  // MARK: - Prices and points

  /// Why an order has no price; nil where it has one.
  private func refusal(_ contents: OrderContents) -> OrderRefusal? {
    switch contents {
    case .amount(let amount):
      if amount.microunits < 1 { return .empty }
      return amount.microunits > 1_000_000_000_000_000 ? .amount : nil
    case .items(let items):
      if items.count > 1_000 { return .quantity }
      for item in items {
        if item.quantity < 1 || item.quantity > 1_000 { return .quantity }
        if let weeks = item.intervalWeeks, !rules.orders.intervals.contains(weeks) {
          return .interval
        }
      }
      return items.isEmpty ? .empty : nil
    case .bags(let bags):
      let all = (0..<4).flatMap { [Int(bags.once[$0]), Int(bags.subscribed[$0])] }
      // There are three sizes of bags.
      let others = [bags.once[3], bags.subscribed[3]]
      if all.contains(where: { $0 < 0 || $0 > 1_000_000 }) || others != [0, 0] { return .quantity }
      return all.allSatisfy { $0 == 0 } ? .empty : nil
    }
  }

  /// The sums of an order that has a price.
  func price(_ contents: OrderContents, taxThousandths tax: Int) -> PlainPrice {
    var price = PlainPrice()
    var subscribed = 0
    func add(_ count: Int, _ size: Int, _ isSubscribed: Bool) {
      let amount = count * Int(rules.orders.prices[size].microunits)
      price.list += amount
      if isSubscribed { subscribed += amount }
    }
    switch contents {
    case .amount(let amount):
      price.list = Int(amount.microunits)
      price.cost = cost(price.list)
      return price
    case .items(let items):
      for item in items { add(item.quantity, item.bag.rawValue, item.intervalWeeks != nil) }
    case .bags(let bags):
      for size in 0..<3 {
        add(Int(bags.once[size]), size, false)
        add(Int(bags.subscribed[size]), size, true)
      }
    }
    price.discount = part(subscribed, Int(rules.orders.subscriptionDiscount.rawValue), of: 10_000)
    price.cost = cost(price.list)
    price.shipping =
      price.subtotal >= rules.orders.freeShipping.microunits
      ? 0 : Int(rules.orders.shipping.microunits)
    price.tax = part(price.subtotal, tax, of: 100_000)
    return price
  }

  private func cost(_ list: Int) -> Int {
    list - part(list, Int(rules.orders.margin.rawValue), of: 10_000)
  }

  private func taxThousandths(_ person: PlainAccount) -> Int {
    rules.states.isEmpty ? 0 : Int(rules.states[person.state].tax.thousandths)
  }

  /// The sums of a member's order.
  func price(_ contents: OrderContents, of member: UInt32) -> PlainPrice {
    price(contents, taxThousandths: account(member).map { taxThousandths($0) } ?? 0)
  }

  /// Points of a subtotal, by the number of the tier.
  func points(_ subtotal: Int, tier: Int) -> Int {
    Int(
      Int128(subtotal) * Int128(rules.pointsPerDollar) * Int128(rules.tiers.multipliers[tier])
        / 10_000_000_000)
  }

  /// The number of a tier, from 0 on.
  func tier(_ earned: Int) -> Int {
    if earned >= rules.tiers.halo { return 2 }
    return earned >= rules.tiers.aura ? 1 : 0
  }

  /// The part of a subtotal that its points are worth beside the goods.
  private func allotted(_ subtotal: Int, _ points: Int) -> Int {
    var (price, cost) = (Int128(0), Int128(0))
    for offer in rules.offers {
      price += Int128(offer.price.microunits)
      cost += Int128(offer.points)
    }
    let worth = Int128(points) * price * Int128(share) / (cost * 10_000)
    let whole = Int128(subtotal) + worth
    return worth == 0 || subtotal == 0 ? 0 : Int(Int128(subtotal) * worth / whole)
  }

  /// An amount × `numerator` ÷ `denominator`, rounded down; all of them zero or more.
  func part(_ amount: Int, _ numerator: Int, of denominator: Int) -> Int {
    Int(Int128(amount) * Int128(numerator) / Int128(denominator))
  }
}

extension PlainPrice {
  /// As an answer says them.
  var amounts: OrderAmounts {
    var amounts = OrderAmounts()
    amounts.list = MicroUSDT(microunits: Int64(list))
    amounts.discount = MicroUSDT(microunits: Int64(discount))
    amounts.shipping = MicroUSDT(microunits: Int64(shipping))
    amounts.tax = MicroUSDT(microunits: Int64(tax))
    amounts.cost = MicroUSDT(microunits: Int64(cost))
    return amounts
  }
}
