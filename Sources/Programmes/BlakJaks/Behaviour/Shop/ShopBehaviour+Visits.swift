internal import EventKernel
internal import Population
package import Quantities

/// Carts that became no order, by the page at which they ended.
package struct FailedCarts: Sendable, Equatable, BitwiseCopyable {
  /// Abandoned in the cart.
  package var cart: UInt32 = 0
  /// Abandoned at the address.
  package var address: UInt32 = 0
  /// Refused by the age check.
  package var age: UInt32 = 0
  /// Abandoned at the page of tax and payment.
  package var payment: UInt32 = 0
  /// Paid for, and the payment refused.
  package var refused: UInt32 = 0

  /// All of them.
  package var total: UInt32 { cart + address + age + payment + refused }
}

/// How a round of visits to the shop ends.
package enum RoundEnd: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// With an order.
  case order
  /// Without one; the member comes back for it later.
  case comeBack
  /// Without one; the member buys in retail at once.
  case retail
  /// Without one; the purchase is never made.
  case lost
}

/// Everything random about one round of visits.
package struct ShopRound: Sendable, Equatable, BitwiseCopyable {
  /// Visits, 1 or more.
  package var visits: Int64
  /// Carts that failed in them.
  package var failed: FailedCarts
  package var end: RoundEnd
  /// From the round to the next, where the member comes back, in operational time.
  package var pause: TimeSpan
}

/// From visits to orders.
///
/// The buying model says when members turn to the shop, and how many tins they then need. Each such
/// need begins a round of visits. A visit fills a cart with probability `browseToCart`; a cart is
/// abandoned with probability `abandoned` at a page drawn by weight; if not, it is refused by the
/// age check with probability 1 − `agePass`; if not, by the payment with 1 − `paymentPass`; else it
/// is the order. A visit so becomes an order with probability v = `pass`.
///
/// The sales that the buying model describes were made in a shop in which a visit passed with
/// probability v₀ = `reference`. There a member visited a geometric number of times, 1/v₀ on
/// average, and then ordered. This demand is the cause and no setting of the funnel changes it: a
/// round ends with the first visit that passes now, or with the visit that would have passed at the
/// reference. With d = v/v₀ it ends with an order with probability min(d, 1), for at the reference's
/// last visit the chance to pass now is d; and the share of all visits that pass is v, whatever d
/// is. At the defaults d = 1, and every need becomes an order: sales are those of the buying model.
///
/// Of the rounds without an order the share ρ = `comeBack` is followed by another one after an
/// exponential time, σ = `toRetail` ends with the purchase in retail, and the rest is lost. So the
/// shares of needs are d / (1 − ρ (1 − d)) for orders and σ (1 − d) / (1 − ρ (1 − d)) for retail.
///
/// A shop better than the reference cannot make members use more tins. It draws purchases from
/// retail: of the visits that pass beyond the reference, the share σ would have bought there
/// (`ShopSettings.drawnFromRetail`).
extension ShopBehaviour {
  /// One round of visits.
  ///
  /// - Parameters:
  ///   - member: Who visits.
  ///   - need: Index of the purchase in the buying model.
  ///   - round: 0 for the first of the need.
  /// - Complexity: O(carts).
  package func round(member: UInt32, need: UInt32, round: UInt16) -> ShopRound {
    var stream = BlockStream(
      seed: seed, purpose: RandomPurpose.shopVisits.rawValue,
      entity: UInt64(need) << 32 | UInt64(member), counter: UInt32(round) << 16)
    // A pass of 1 has the logarithm −∞, and one visit.
    let visits = 1 + Int64(Elementary.log(stream.uniform()) / logOfMiss)
    let isOrder = stream.uniform() < pass / max(pass, reference)
    // Drawn whatever the end, so that another share shifts no other draw.
    let way = stream.uniform()
    let pause = stream.exponential(mean: Double(settings.comeBackAfter.microseconds))
    let end: RoundEnd =
      if isOrder {
        .order
      } else if way < settings.comeBack {
        .comeBack
      } else if way < settings.comeBack + settings.toRetail {
        .retail
      } else {
        .lost
      }
    return ShopRound(
      visits: visits, failed: failedCarts(of: Int(visits) - (isOrder ? 1 : 0), &stream), end: end,
      pause: TimeSpan(microseconds: max(1, Int64(pause))))
  }

  /// The carts filled in visits that brought no order, each with a fate of its own.
  private func failedCarts(of visits: Int, _ stream: inout BlockStream) -> FailedCarts {
    var failed = FailedCarts()
    guard visits > 0 else { return failed }
    let carts = settings.browseToCart * (1 - settings.completed)
    for _ in 0..<stream.binomial(visits, carts / (1 - pass)) {
      switch failures.value(stream.nextUInt32()) {
      case 0: failed.cart += 1
      case 1: failed.address += 1
      case 2: failed.payment += 1
      case 3: failed.age += 1
      default: failed.refused += 1
      }
    }
    return failed
  }

  /// Whether a purchase that the buying model sends to retail begins in the shop, because the shop
  /// is better than the reference.
  ///
  /// - Parameters:
  ///   - member: Who buys.
  ///   - need: Index of the purchase in the buying model.
  package func isDrawnFromRetail(member: UInt32, need: UInt32) -> Bool {
    guard drawnFromRetail > 0 else { return false }
    var stream = stream(.drawnFromRetail, member, need)
    return stream.uniform() < drawnFromRetail
  }
}
