import BlakJaks
// Goal: orders, homes and favourites have the shares and times that the settings name, and
// depend on the member and the order's index alone.
// Method: counts by fate within 4 standard errors of what the settings say, chi-square for tables;
// moments of the Erlang-2 times; the ends of each setting's range; fixed seeds.
import EventKernel
import Foundation
import Population
import Quantities
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ShopBehaviourTests {
  private func shop(
    weights: [Double] = [], products: Int = 20, seed: UInt64 = 1,
    _ edit: (inout ShopSettings) -> Void = { _ in }
  ) -> ShopBehaviour {
    var settings = ShopSettings()
    edit(&settings)
    return ShopBehaviour(
      settings, stateWeights: weights, share: 0.35, products: products, seed: seed)
  }

  private func hours(_ span: TimeSpan) -> Double { span.inSeconds / 3_600 }

  @Test func timesHaveTheirMeansAndAreErlangOfTwoStages() {
    let shop = shop {
      $0.cancelled = 0
      $0.refunded = 1
    }
    let count = 30_000
    for (mean, part) in [
      (24, \OrderDraw.processing), (72, \.shipping), (48, \.ending),
    ] as [(Double, KeyPath<OrderDraw, TimeSpan>)] {
      var seen = Moments(around: mean)
      for member in 0..<UInt32(count) {
        seen.add(hours(shop.order(member: member, index: 0)[keyPath: part]))
      }
      // Erlang-2 of mean m: variance m²/2, fourth central moment 3/2·m⁴.
      let variance = mean * mean / 2
      #expect(seen.errors(from: mean, variance: variance) < 4)
      #expect(seen.varianceErrors(from: variance, fourth: 1.5 * mean * mean * mean * mean) < 4)
    }
  }

  @Test(
    "Orders are canceled, refunded or kept in the given shares",
    arguments: [(0.01, 0.01), (0, 0), (1, 0.5), (0.3, 1), (0.2, 0.4)])
  func fates(cancelled: Double, refunded: Double) {
    let shop = shop {
      $0.cancelled = cancelled
      $0.refunded = refunded
    }
    let count = 30_000
    var seen = [0, 0, 0]
    for member in 0..<UInt32(count) {
      let order = shop.order(member: member, index: 1)
      seen[Int(order.fate.rawValue)] += 1
      #expect(order.processing > TimeSpan(microseconds: 0))
      #expect(order.shipping > TimeSpan(microseconds: 0))
      switch order.fate {
      case .kept: #expect(order.ending == TimeSpan(microseconds: 0))
      case .cancelled:
        #expect(order.ending < order.processing)
        #expect(order.ending >= TimeSpan(microseconds: 0))
      case .refunded: #expect(order.ending > TimeSpan(microseconds: 0))
      }
    }
    let shares = [(1 - cancelled) * (1 - refunded), cancelled, (1 - cancelled) * refunded]
    for (number, share) in zip(seen, shares) {
      #expect(
        distance(Double(number), share * Double(count), share * (1 - share) * Double(count)) < 4)
    }
  }

  @Test func ordersWithoutDelayStillTakeAMicrosecond() {
    let shop = shop {
      $0.processing = .hours(0)
      $0.shipping = .hours(0)
      $0.refundAfter = .hours(0)
      $0.cancelled = 0.5
      $0.refunded = 0.5
    }
    for member in 0..<UInt32(500) {
      let order = shop.order(member: member, index: 0)
      #expect(order.processing == TimeSpan(microseconds: 1))
      #expect(order.shipping == TimeSpan(microseconds: 1))
      #expect(order.ending == TimeSpan(microseconds: order.fate == .refunded ? 1 : 0))
    }
  }

  @Test("Members live in states by weight", arguments: [[1.0], [3, 0, 1], [5, 4, 3, 2, 1, 0]])
  func states(weights: [Double]) {
    let shop = shop(weights: weights)
    let count = 40_000
    var seen = [Int](repeating: 0, count: weights.count)
    for member in 0..<UInt32(count) { seen[Int(shop.state(of: member))] += 1 }
    let total = weights.reduce(0, +)
    for (number, weight) in zip(seen, weights) {
      let share = weight / total
      #expect(
        distance(Double(number), share * Double(count), share * (1 - share) * Double(count)) < 4)
      #expect(weight > 0 || number == 0)
    }
  }

  @Test func withoutStatesEverybodyLivesInTheFirst() {
    let shop = shop()
    #expect((0..<1_000).allSatisfy { shop.state(of: $0) == 0 })
  }

  @Test("Every product is as often somebody's favorite", arguments: [2, 20, 256])
  func favourites(products: Int) {
    let shop = shop(products: products)
    let count = products * 1_000
    var seen = [Int](repeating: 0, count: products)
    for member in 0..<UInt32(count) { seen[Int(shop.favourite(of: member))] += 1 }
    let chiSquare = seen.reduce(0.0) { $0 + Double(($1 - 1_000) * ($1 - 1_000)) / 1_000 }
    let freedom = Double(products - 1)
    // Mean k and variance 2k, with room for the skewness of one degree of freedom.
    #expect(chiSquare < freedom + 5 * (2 * freedom).squareRoot() + 10)
  }

  @Test(
    "Tins are the favorite with the given probability, the others one other product",
    arguments: [0, 0.3, 0.8, 1])
  func baskets(share: Double) {
    let shop = shop { $0.favourite = share }
    var seen = Moments(around: 12 * share)
    var seconds: Set<UInt8> = []
    for index in 0..<UInt32(10_000) {
      let basket = shop.basket(member: 5, index: index, tins: 12)
      #expect(basket.favourite == shop.favourite(of: 5))
      #expect(basket.second != basket.favourite)
      #expect(basket.second < 20)
      #expect(basket.favouriteTins >= 0 && basket.secondTins >= 0)
      #expect(basket.favouriteTins + basket.secondTins == 12)
      seen.add(Double(basket.favouriteTins))
      seconds.insert(basket.second)
    }
    #expect(seconds.count == 19)
    #expect(seen.errors(from: 12 * share, variance: 12 * share * (1 - share)) < 4)
    #expect(shop.basket(member: 5, index: 0, tins: 0).favouriteTins == 0)
  }

  // MARK: - Independence

  @Test func aDrawDependsOnMemberIndexAndSeedOnlyAndOnAllThree() {
    let shop = shop()
    let first = shop.order(member: 7, index: 3)
    _ = shop.order(member: 8, index: 0)
    #expect(shop.order(member: 7, index: 3) == first)
    #expect(shop.order(member: 7, index: 4) != first)
    #expect(shop.order(member: 3, index: 7) != first)
    #expect(self.shop(seed: 2).order(member: 7, index: 3) != first)
  }

  @Test func anotherFunnelOrShareOfRefundsShiftsNoTime() {
    let base = shop()
    let other = shop {
      $0.abandoned = 0.1
      $0.cancelled = 0.5
      $0.refunded = 0.5
    }
    for member in 0..<UInt32(500) {
      let (a, b) = (base.order(member: member, index: 0), other.order(member: member, index: 0))
      #expect(a.processing == b.processing)
      #expect(a.shipping == b.shipping)
    }
  }

  @Test func ordersOfOneMemberAreUncorrelated() {
    let shop = shop()
    let count = 20_000
    var sums = (xy: 0.0, x: 0.0, xx: 0.0, y: 0.0, yy: 0.0)
    for index in 0..<UInt32(count) {
      let x = hours(shop.order(member: 1, index: index).processing)
      let y = hours(shop.order(member: 1, index: index + 1).processing)
      sums = (sums.xy + x * y, sums.x + x, sums.xx + x * x, sums.y + y, sums.yy + y * y)
    }
    let n = Double(count)
    let covariance = sums.xy / n - sums.x / n * sums.y / n
    let variances =
      (sums.xx / n - sums.x * sums.x / n / n) * (sums.yy / n - sums.y * sums.y / n / n)
    #expect(abs(covariance / variances.squareRoot()) < 4 / n.squareRoot())
  }
}
