import BlakJaks
// Goal: visits are the cause and orders the effect: what is lost on the way, comes back or goes to
// retail is what the settings say, and the defaults sell what the buying model describes.
// Method: counts over many rounds within 4 standard errors of closed forms, which are summed here
// round by round; common random numbers; worlds that differ in one setting.
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ShopVisitTests {
  private func shop(
    share: Double = 0.35, seed: UInt64 = 1, _ edit: (inout ShopSettings) -> Void = { _ in }
  ) -> ShopBehaviour {
    var settings = ShopSettings()
    edit(&settings)
    return ShopBehaviour(settings, stateWeights: [], share: share, seed: seed)
  }

  /// Funnel settings: browse to cart, abandoned, weights of the three pages, age check, payment.
  static let funnels: [(Double, Double, [Double], Double, Double)] = [
    (0.10, 0.70, [2, 1, 1], 0.96, 0.97), (0.10, 0.70, [0, 0, 5], 1, 0.5),
    (0.05, 0, [1, 1, 1], 0.3, 1), (0.5, 0, [0, 0, 0], 0.9, 0.9), (1, 0.2, [1, 2, 3], 0.5, 0.4),
    (0.2, 0.95, [1, 0, 3], 0.9, 0.9), (1, 0.999, [1, 1, 1], 1, 1), (1, 0, [0, 0, 0], 1, 1),
  ]

  @Test("The share of visits and carts by fate is that of the settings", arguments: funnels)
  func funnel(
    browse: Double, abandoned: Double, pages: [Double], agePass: Double, paymentPass: Double
  ) {
    let shop = shop {
      $0.browseToCart = browse
      $0.abandoned = abandoned
      $0.abandonedAt.cart = pages[0]
      $0.abandonedAt.address = pages[1]
      $0.abandonedAt.payment = pages[2]
      $0.agePass = agePass
      $0.paymentPass = paymentPass
    }
    var visits = 0.0
    var counts = [Double](repeating: 0, count: 6)
    let rounds = 20_000
    for member in 0..<UInt32(rounds) {
      let round = shop.round(member: member, need: member % 7, round: 0)
      let failed = round.failed
      visits += Double(round.visits)
      for (row, count) in [
        failed.cart, failed.address, failed.payment, failed.age, failed.refused,
      ].enumerated() { counts[row] += Double(count) }
      counts[5] += round.end == .order ? 1 : 0
      #expect(round.visits >= 1)
      #expect(Int64(failed.total) + (round.end == .order ? 1 : 0) <= round.visits)
    }
    let allPages = max(pages.reduce(0, +), 1e-300)
    let rest = 1 - abandoned
    let success = rest * agePass * paymentPass
    #expect(abs(shop.settings.completed - success) < 1e-15)
    let expected =
      pages.map { abandoned * $0 / allPages } + [
        rest * (1 - agePass), rest * agePass * (1 - paymentPass), success,
      ]
    // Each visit ends alike, however the last of a round is chosen: Wald's identities.
    for (count, cart) in zip(counts, expected) {
      let share = browse * cart
      let error = (visits * share * (1 - share)).squareRoot()
      #expect(abs(count - visits * share) <= 4 * error + 1e-9, "\(count) of \(visits * share)")
    }
    // Until one passes, or until one would have passed at the reference.
    let likely = max(browse * success, 0.027_936)
    let spread = (1 - likely).squareRoot() / likely * Double(rounds).squareRoot()
    #expect(abs(visits - Double(rounds) / likely) <= 4 * spread)
  }

  @Test func failedCartsAreGeometricInNumberAtTheDefaults() {
    let shop = shop()
    let count = 40_000
    var seen = [Int](repeating: 0, count: 200)
    for member in 0..<UInt32(count) {
      seen[Int(shop.round(member: member, need: 3, round: 0).failed.total)] += 1
    }
    let success = 0.3 * 0.96 * 0.97
    var probability = success
    for number in 0..<12 {
      let expected = probability * Double(count)
      #expect(
        distance(Double(seen[number]), expected, expected * (1 - probability)) < 4,
        "\(number) failed carts")
      probability *= 1 - success
    }
  }

  @Test func atTheDefaultsEveryNeedIsAnOrderOfItsFirstRound() {
    let shop = shop()
    #expect(abs(shop.settings.relativePass - 1) < 1e-12)
    #expect(abs(shop.settings.ordersPerNeed - 1) < 1e-12)
    #expect(
      (0..<100_000).allSatisfy { shop.round(member: $0, need: $0 % 50, round: 0).end == .order })
    #expect((0..<1_000).allSatisfy { !shop.isDrawnFromRetail(member: $0, need: 0) })
  }

  @Test func aShopWhereNothingFailsHasOneVisitAnOrder() {
    let shop = shop {
      $0.browseToCart = 1
      $0.abandoned = 0
      $0.agePass = 1
      $0.paymentPass = 1
    }
    for member in 0..<UInt32(2_000) {
      let round = shop.round(member: member, need: 0, round: 0)
      #expect(round.visits == 1 && round.failed.total == 0 && round.end == .order)
    }
  }

  /// Abandoned, age check, payment, come back, to retail.
  static let losses: [(Double, Double, Double, Double, Double)] = [
    (0.70, 0.96, 0.97, 0.35, 0.35), (0.99, 0.96, 0.97, 0.35, 0.35), (0.70, 0.10, 0.97, 0.35, 0.35),
    (0.70, 0.96, 0.10, 0.35, 0.35), (0.85, 0.96, 0.97, 0.9, 0.1), (0.85, 0.96, 0.97, 0, 1),
    (0.9, 0.8, 0.8, 0, 0), (0.80, 0.96, 0.97, 0.5, 0.2), (0.5, 0.96, 0.97, 0.5, 0.2),
  ]

  @Test("Orders and retail per need follow their closed forms", arguments: losses)
  func closedForm(
    abandoned: Double, agePass: Double, paymentPass: Double, comeBack: Double, toRetail: Double
  ) {
    let shop = shop {
      $0.abandoned = abandoned
      $0.agePass = agePass
      $0.paymentPass = paymentPass
      $0.comeBack = comeBack
      $0.toRetail = toRetail
    }
    // Round by round: what is left goes on with the share that fails and comes back.
    let pass = min(1, (1 - abandoned) * agePass * paymentPass / (0.30 * 0.96 * 0.97))
    var left = 1.0
    var orders = 0.0
    var retail = 0.0
    for _ in 0..<2_000 {
      orders += left * pass
      retail += left * (1 - pass) * toRetail
      left *= (1 - pass) * comeBack
    }
    #expect(abs(shop.settings.ordersPerNeed - orders) < 1e-9)
    #expect(abs(shop.settings.retailPerNeed - retail) < 1e-9)
    let needs = 20_000
    var seen = [RoundEnd: Double]()
    var pauses = Moments(around: 72)
    for member in 0..<UInt32(needs) {
      var round: UInt16 = 0
      while true {
        let course = shop.round(member: member, need: 5, round: round)
        seen[course.end, default: 0] += 1
        guard course.end == .comeBack else { break }
        pauses.add(course.pause.inSeconds / 3_600)
        round += 1
      }
    }
    let count = Double(needs)
    for (end, share) in [(RoundEnd.order, orders), (.retail, retail), (.lost, 1 - orders - retail)]
    {
      let error = (count * max(share * (1 - share), 0)).squareRoot()
      #expect(abs((seen[end] ?? 0) - count * share) <= 4 * error + 1e-6, "\(end)")
    }
    // Exponential of 3 days.
    if pauses.count > 100 { #expect(pauses.errors(from: 72, variance: 72 * 72) < 4) }
  }

  @Test("A better funnel draws purchases from retail, up to all of them")
  func better() {
    func drawn(_ share: Double, _ edit: (inout ShopSettings) -> Void) -> Double {
      let shop = shop(share: share, edit)
      return Double((0..<40_000).count { shop.isDrawnFromRetail(member: $0, need: 2) }) / 40_000
    }
    // Of 35 in 100, 4/3 as many visits pass; 35 % of the third more come from 65.
    let share = 0.35 / 3 * 0.35 / 0.65
    #expect(
      abs(drawn(0.35) { $0.abandoned = 0.6 } - share) < 4
        * (share * (1 - share) / 40_000)
        .squareRoot())
    #expect(drawn(0.35) { $0.abandoned = 0.71 } == 0)
    #expect(drawn(0.35) { ($0.abandoned, $0.toRetail) = (0.1, 0) } == 0)
    #expect(drawn(0.9) { ($0.abandoned, $0.browseToCart) = (0, 1) } == 1)
    #expect(drawn(1) { $0.abandoned = 0.1 } == 0)
  }

  @Test func aWorseFunnelLosesOrdersAndGainsNone() {
    let better = shop { $0.abandoned = 0.8 }
    let worse = shop { $0.abandoned = 0.9 }
    var lost = 0
    for member in 0..<UInt32(3_000) {
      let (a, b) = (
        better.round(member: member, need: 1, round: 0),
        worse.round(member: member, need: 1, round: 0)
      )
      #expect(a.visits == b.visits, "demand does not depend on the funnel")
      #expect(a.end == .order || b.end != .order)
      #expect(a.end == .order || a.end == b.end)
      lost += a.end == .order && b.end != .order ? 1 : 0
    }
    #expect(lost > 800)
  }

  @Test func aRoundDependsOnMemberNeedRoundAndSeedOnlyAndOnAllFour() {
    func text(_ seed: UInt64, _ member: UInt32, _ need: UInt32, _ round: UInt16) -> String {
      "\(shop(seed: seed) { $0.abandoned = 0.9 }.round(member: member, need: need, round: round))"
    }
    #expect(text(1, 7, 3, 0) == text(1, 7, 3, 0))
    let each: [(UInt64, UInt32, UInt32, UInt16)] = [
      (1, 7, 3, 0), (2, 7, 3, 0), (1, 3, 7, 0), (1, 7, 4, 0), (1, 7, 3, 1),
    ]
    #expect(Set(each.map(text)).count == 5)
  }

  // MARK: - Worlds

  private struct Sold {
    var orders: Int64
    var visits: Int64
    var retail: Int64
    var shop: Int64
    var scans: Int64
    var rounds: [String: Int64]
    var abandoned: [Int64]

    init(_ record: BlakJaksRecord) {
      func last(_ key: String) -> Int64 {
        record.series.first { $0.key == key }?.values.last.flatMap { $0 } ?? -1
      }
      orders = last("shop.orders")
      visits = last("shop.visits")
      retail = last("channel.retail.tins")
      shop = last("channel.shop.tins")
      scans = record.acceptedScans
      rounds = [:]
      for key in ["come_backs", "to_retail", "lost"] { rounds[key] = last("shop.\(key)") }
      abandoned = ["cart", "address", "payment"].map { last("shop.abandoned_\($0)") }
      #expect(abandoned.reduce(0, +) == last("shop.abandoned"))
    }
  }

  private func sold(_ edit: (inout ShopSettings) -> Void = { _ in }) throws -> Sold {
    let input = try smallWorld(seed: 31, members: 900, days: 100) { input in
      input.population.adoption.model = .cohort
      input.rules.shop.enabled = true
      input.population.shop.comeBackAfter = .hours(12)
      edit(&input.population.shop)
    }
    var world = try World(input, threads: 1)
    return Sold(try world.run())
  }

  @Test func whatTheFunnelLosesMovesOrdersRetailAndScans() throws {
    let usual = try sold()
    #expect(usual.orders > 1_000)
    #expect(usual.rounds.values.allSatisfy { $0 == 0 })
    for edit in [
      { $0.abandoned = 0.99 }, { $0.agePass = 0.10 }, { $0.paymentPass = 0.10 },
      { $0.browseToCart = 0.01 },
    ] as [(inout ShopSettings) -> Void] {
      let less = try sold(edit)
      var settings = ShopSettings()
      edit(&settings)
      // The needs are those of the same members, so that they are known: the usual orders.
      let needs = Double(usual.orders)
      let share = settings.ordersPerNeed
      let error = (needs * share * (1 - share)).squareRoot()
      #expect(abs(Double(less.orders) - needs * share) < 4 * error + 5)
      #expect(less.retail > usual.retail)
      #expect(less.shop < usual.shop / 3)
      #expect(less.scans < usual.scans)
      #expect(less.visits > usual.visits, "members come back")
      let toRetail = Double(less.rounds["to_retail"] ?? 0)
      #expect(abs(toRetail / needs - settings.retailPerNeed) < 0.05)
    }
    let more = try sold { $0.abandoned = 0.5 }
    #expect(more.orders > usual.orders && more.retail < usual.retail)
    #expect(more.visits < usual.visits, "a purchase takes fewer visits")
  }

  @Test func theWeightsOfPagesMoveWhereCartsAreAbandonedAndNoOrders() throws {
    let usual = try sold { $0.abandoned = 0.9 }
    let late = try sold { ($0.abandoned, $0.abandonedAt.payment) = (0.9, 9) }
    let never = try sold { ($0.abandoned, $0.abandonedAt.cart) = (0.9, 0) }
    #expect(usual.abandoned.allSatisfy { $0 > 0 })
    // Of 12 parts instead of 4 the payment has 9 instead of 1.
    #expect(late.abandoned[2] > 2 * usual.abandoned[2])
    #expect(late.abandoned[0] < usual.abandoned[0] && late.abandoned[1] < usual.abandoned[1])
    #expect(never.abandoned[0] == 0 && never.abandoned[1] > usual.abandoned[1])
    for other in [late, never] {
      #expect(other.orders == usual.orders && other.visits == usual.visits)
      #expect(other.retail == usual.retail && other.rounds == usual.rounds)
    }
  }

  @Test func whatComesBackAndGoesToRetailMovesOrdersAndRetail() throws {
    let base = try sold { $0.abandoned = 0.9 }
    let faithful = try sold { ($0.abandoned, $0.comeBack) = (0.9, 0.6) }
    #expect(faithful.orders > base.orders && faithful.visits > base.visits)
    #expect(faithful.rounds["lost", default: 0] < base.rounds["lost", default: 0])
    let fickle = try sold { ($0.abandoned, $0.comeBack) = (0.9, 0) }
    #expect(fickle.orders < base.orders && fickle.rounds["come_backs"] == 0)
    let shopper = try sold { ($0.abandoned, $0.toRetail) = (0.9, 0.65) }
    #expect(shopper.retail > base.retail && shopper.orders == base.orders)
    #expect(shopper.rounds["lost"] == 0)
    let none = try sold { ($0.abandoned, $0.toRetail) = (0.9, 0) }
    #expect(none.retail < base.retail && none.rounds["to_retail"] == 0)
    let late = try sold { ($0.abandoned, $0.comeBackAfter) = (0.9, .days(300)) }
    #expect(late.orders < base.orders)
    let other = try sold { ($0.abandoned, $0.reference) = (0.9, 0.01) }
    #expect(other.orders > base.orders, "the same funnel is better than a worse reference")
  }
}
