import Embera
import EventKernel
import Population
import Quantities
import RewardModel

// What the server does, the slow and obvious way.
extension PlainEmbera {
  func tier(_ earned: Int64) -> Int {
    earned < rules.tiers.aura ? 0 : earned < rules.tiers.halo ? 1 : 2
  }

  func price(_ wish: Wish) -> (list: Int64, subtotal: Int64) {
    guard case .bags(let bags, let subscribed) = wish else { return (0, 0) }
    var list: Int64 = 0
    for size in 0..<3 { list += bags[size] * rules.orders.prices[size].microunits }
    let off = subscribed ? list * rules.orders.subscriptionDiscount.rawValue / 10_000 : 0
    return (list, list - off)
  }

  func points(_ subtotal: Int64, _ tier: Int) -> Int64 {
    subtotal * rules.pointsPerDollar * (rules.tiers.multipliers[tier] / 100) / 100_000_000
  }

  /// Whether the server did what is wished; false for repetitions as well.
  @discardableResult
  func serve(_ id: String, _ wish: Wish, _ number: Int, _ now: Instant) -> Bool {
    guard answered.insert(id).inserted else {
      count("repeated")
      return false
    }
    let member = members[number]!
    if case .offer(let row) = wish {
      var wanted = rules.offers[row].points
      guard member.held >= wanted else {
        count("refused")
        return false
      }
      count("redeemed", wanted)
      member.redeemed += wanted
      count("offer \(row)")
      count("reward cost", rules.offers[row].cost.microunits)
      while wanted > 0 {
        let taken = min(wanted, member.lots[0].left)
        wanted -= taken
        member.lots[0].left -= taken
        member.lots[0].first += taken
        if member.lots[0].left == 0 { member.lots.removeFirst() }
      }
      return true
    }
    let (list, subtotal) = price(wish)
    let before = tier(member.earned)
    let earned = points(subtotal, before)
    if earned > 0 { member.lots.append((member.earned, earned)) }
    member.earned += earned
    member.awards.append((months.count, earned))
    let date = frame.calendar.dates[frame.calendar.dayIndex(of: now)]
    member.lastMonth = 12 * date.year + date.month - 1
    for _ in before..<tier(member.earned) { member.reached.append(now - member.signUp) }
    count("orders")
    count("list", list)
    count("discount", list - subtotal)
    count("cost", list - list * rules.orders.margin.rawValue / 10_000)
    if subtotal < rules.orders.freeShipping.microunits {
      count("shipping", rules.orders.shipping.microunits)
    }
    let rate = rules.states.isEmpty ? 0 : rules.states[Int(member.kind.state)].tax.thousandths
    count("tax", subtotal * rate / 100_000)
    count("issued", earned)
    let offerPrice = rules.offers.map(\.price.microunits).reduce(0, +)
    let offerPoints = rules.offers.map(\.points).reduce(0, +)
    let worth = earned * offerPrice * share / offerPoints / 10_000
    if worth > 0 {
      count("deferred", Int64(Int128(subtotal) * Int128(worth) / Int128(subtotal + worth)))
    }
    return true
  }

  func closeMonth(isWhole: Bool) {
    var old: (issued: Int64, redeemed: Int64) = (0, 0)
    for member in members.values {
      var rest = member.redeemed
      for award in member.awards {
        let taken = min(rest, award.points)
        rest -= taken
        if award.closed + rules.liability.months <= months.count {
          old.issued += award.points
          old.redeemed += taken
        }
      }
    }
    if isWhole, old.issued > 0 { share = old.redeemed * 10_000 / old.issued }
    let issued = counts["issued", default: 0]
    let redeemed = counts["redeemed", default: 0]
    let expired = counts["expired", default: 0]
    let deferred = counts["deferred", default: 0]
    let cost =
      redeemed > 0
      ? counts["reward cost", default: 0] : rules.offers.map(\.cost.microunits).reduce(0, +)
    let basis = redeemed > 0 ? redeemed : rules.offers.map(\.points).reduce(0, +)
    let held = members.values.reduce(0) { $0 + $1.held }
    let expected = max(min(issued * share / 10_000, redeemed + held * share / 10_000), redeemed)
    var close = month
    close["outstanding"] = held
    close["share"] = share
    close["gross"] = Int64(Int128(cost) * Int128(held) / Int128(basis))
    close["net"] = Int64(Int128(cost) * Int128(expected - redeemed) / Int128(basis))
    close["liability"] = 0
    if expected > 0 {
      let byRedemption = Int128(deferred) * Int128(redeemed) / Int128(expected)
      let byEnd = Int128(deferred) * Int128(redeemed + expired) / Int128(issued)
      close["liability"] = deferred - Int64(max(byRedemption, byEnd))
    }
    months.append(close)
    month = [:]
  }

  func closeDay(_ end: Instant) {
    var close = day
    for created in placed { close["status \(status(created, end))", default: 0] += 1 }
    for member in members.values {
      close["tier \(tier(member.earned))", default: 0] += 1
      close["outstanding", default: 0] += member.held
      close["waiting", default: 0] += Int64(member.devices.reduce(0) { $0 + $1.waiting.count })
      close["subscribers", default: 0] += member.subscribes ? 1 : 0
    }
    days.append(close)
    day = [:]
  }
}
