package import Quantities

/// Where an entry comes from: one of a member's devices, or the server's own subscriptions.
package enum EntryChannel: UInt8, CaseIterable, Codable, Sendable, BitwiseCopyable {
  case firstDevice, secondDevice, subscription

  /// The devices, in their order.
  package static let devices: [EntryChannel] = [.firstDevice, .secondDevice]
}

/// What a device or a subscription asks the server to do.
package enum EntryContent: Sendable, Equatable, BitwiseCopyable {
  /// Buys bags.
  case order(BagCounts)
  /// Buys goods of which only the amount is known.
  case amount(MicroUSDT)
  /// Redeems an offer, by its place in the rules.
  case redemption(UInt8)
}

/// One line of a channel's log. (Member, channel, number) is its idempotency key.
package struct LogEntry: Sendable, Equatable, BitwiseCopyable {
  package var channel: EntryChannel
  /// 1, 2, 3 … within the channel.
  package var number: UInt32
  package var content: EntryContent
}

/// Why the server refused an entry.
package enum EntryRefusal: String, Error, Equatable, Codable, Sendable {
  /// The balance does not cover the offer.
  case balance
  /// An entry before it has not come yet: a channel sends in its own order.
  case gap
  /// No offer has this id.
  case offer
}

/// The points of a member that a redemption takes, numbered from 0 in the order of earning: the
/// oldest that are left.
package struct PointRange: Sendable, Equatable, Codable {
  package var first: Int64
  package var count: Int64
}

/// What the server answers to an entry.
package enum EntryAnswer: Sendable, Equatable {
  case ordered(amounts: OrderAmounts, points: Int64, tier: EmberaTier)
  case redeemed(PointRange)
  /// The entry was answered before; nothing changes.
  case repeated
  case refused(EntryRefusal)
}

/// One member's account at the server: the truth for points.
///
/// Points are taken oldest first, so that three totals say which ones are left: those numbered
/// `redeemed + expired` ..< `issued`.
package struct MemberAccount: Sendable, Equatable, Codable, BitwiseCopyable {
  /// Points ever awarded, which decide the tier.
  package private(set) var issued: Int64 = 0
  package private(set) var redeemed: Int64 = 0
  package private(set) var expired: Int64 = 0
  /// Micro-USD allotted to the points of all orders.
  package private(set) var deferred: Int64 = 0
  package private(set) var orders: UInt32 = 0
  /// Month of the last order; −1 before the first.
  package private(set) var lastOrderMonth: Int32 = -1
  /// Number of the last entry that was answered, one a channel.
  private var answered = SIMD4<UInt32>()
  /// Row of the state that the member lives in.
  package var state: UInt8 = 0

  /// An account without orders.
  package init(state: UInt8 = 0) { self.state = state }

  /// Points that can be redeemed.
  package var balance: Int64 { issued - redeemed - expired }

  /// Number of the last entry of a channel that was answered.
  package func answered(_ channel: EntryChannel) -> UInt32 { answered[Int(channel.rawValue)] }

  /// Answers an entry: each once, in its channel's order.
  ///
  /// - Parameters:
  ///   - entry: From one of the account's channels.
  ///   - terms: The rules of the current month.
  ///   - sums: What the answer adds is added to them.
  /// - Throws: `MoneyError.overflow`; the account is then unchanged, the sums are not valid.
  package mutating func answer(
    _ entry: LogEntry, _ terms: ProgramTerms, _ sums: inout ProgramSums
  ) throws(MoneyError) -> EntryAnswer {
    // A channel numbers its entries from 1 on.
    guard entry.number > 0 else { return .refused(.gap) }
    let last = answered(entry.channel)
    if entry.number <= last {
      sums.repeated += 1
      return .repeated
    }
    guard entry.number == last + 1 else { return .refused(.gap) }
    var next = self
    next.answered[Int(entry.channel.rawValue)] = entry.number
    let answer: EntryAnswer
    switch entry.content {
    case .order(let bags):
      let tax = terms.tax(in: state)
      answer = try next.order(
        terms.rules.orders.amounts(bags, taxThousandths: tax), entry.channel, terms, &sums)
    case .amount(let amount):
      answer = try next.order(
        terms.rules.orders.amounts(paid: amount), entry.channel, terms, &sums)
    case .redemption(let row):
      answer = next.redeem(Int(row), terms, &sums)
    }
    self = next
    return answer
  }

  /// Awards an order's points and allots its price.
  private mutating func order(
    _ amounts: OrderAmounts, _ channel: EntryChannel, _ terms: ProgramTerms,
    _ sums: inout ProgramSums
  ) throws(MoneyError) -> EntryAnswer {
    let tier = terms.rules.tiers.tier(earned: issued)
    let points = try terms.points(for: amounts.subtotal, tier: tier)
    let deferral = try terms.deferral(of: amounts.subtotal, points: points).microunits
    try ProgramSums.add(points, to: &issued)
    try ProgramSums.add(deferral, to: &deferred)
    orders += 1
    lastOrderMonth = terms.month
    sums.orders += 1
    if channel == .subscription { sums.deliveries += 1 }
    try ProgramSums.add(amounts.list.microunits, to: &sums.list)
    try ProgramSums.add(amounts.discount.microunits, to: &sums.discount)
    try ProgramSums.add(amounts.shipping.microunits, to: &sums.shipping)
    try ProgramSums.add(amounts.tax.microunits, to: &sums.tax)
    try ProgramSums.add(amounts.cost.microunits, to: &sums.cost)
    try ProgramSums.add(deferral, to: &sums.deferred)
    try ProgramSums.add(points, to: &sums.issued)
    return .ordered(
      amounts: amounts, points: points, tier: terms.rules.tiers.tier(earned: issued))
  }

  /// Takes the oldest points for an offer; refused, not queued, when the balance is short.
  private mutating func redeem(
    _ row: Int, _ terms: ProgramTerms, _ sums: inout ProgramSums
  ) -> EntryAnswer {
    guard row < terms.rules.offers.count else { return .refused(.offer) }
    let cost = terms.rules.offers[row].points
    guard balance >= cost else {
      sums.refused += 1
      return .refused(.balance)
    }
    let range = PointRange(first: redeemed + expired, count: cost)
    redeemed += cost
    // A member's points are part of a sum that fits, so theirs fit as well.
    sums.redeemed += cost
    sums.redemptions[row] += 1
    return .redeemed(range)
  }

  /// Lets the points of a member expire whose last order is too long ago.
  ///
  /// - Parameters:
  ///   - month: The month that has ended.
  ///   - rules: After how many months points expire.
  ///   - sums: What expires is added to them.
  /// - Returns: The points that expired.
  package mutating func expire(
    after month: Int32, _ rules: EmberaRules, _ sums: inout ProgramSums
  ) -> Int64 {
    guard let months = rules.expiryMonths, lastOrderMonth >= 0,
      Int(month) >= Int(lastOrderMonth) + months, balance > 0
    else { return 0 }
    let points = balance
    expired += points
    sums.expired += points
    return points
  }
}
