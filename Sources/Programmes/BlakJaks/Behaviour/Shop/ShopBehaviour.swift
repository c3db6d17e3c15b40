internal import EventKernel
internal import Population
package import Quantities

/// What becomes of an order.
package enum OrderFate: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Delivered and kept.
  case kept
  /// Canceled while it is processed.
  case cancelled
  /// Refunded some time after its delivery; its tins are never scanned.
  case refunded
}

/// Everything random about one order.
package struct OrderDraw: Sendable, Equatable, BitwiseCopyable {
  package var fate: OrderFate
  /// From the order to its shipping, at least a microsecond.
  package var processing: TimeSpan
  /// From shipping to delivery, at least a microsecond.
  package var shipping: TimeSpan
  /// A canceled order: from the order to its cancellation, less than `processing`. A refunded
  /// one: from delivery to the refund. Zero for an order that is kept.
  package var ending: TimeSpan
}

/// The products of one order.
package struct Basket: Sendable, Equatable, BitwiseCopyable {
  /// The member's favorite product.
  package var favourite: UInt8
  /// Tins of it.
  package var favouriteTins: Int
  /// Another product, the same for all other tins of the order.
  package var second: UInt8
  /// Tins of that.
  package var secondTins: Int
}

/// How members behave in the shop: pure functions of (seed, member, index of the purchase or
/// order). `ShopBehaviour+Visits` has the way from a visit to an order.
package final class ShopBehaviour: Sendable {
  package let settings: ShopSettings
  package let seed: UInt64
  /// Number of products, 2...256.
  package let products: Int
  let states: DiscreteTable
  let failures: DiscreteTable
  /// Share of the buying model's retail purchases that begin in the shop.
  let drawnFromRetail: Double
  /// v and v₀ of `ShopBehaviour+Visits`, and the logarithm of the chance that neither passes.
  let (pass, reference, logOfMiss): (Double, Double, Double)

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - stateWeights: Members living in each state, relative to one another; at most 256. Without
  ///     any everybody lives in state 0.
  ///   - share: Of purchases that the buying model sends to the shop.
  ///   - products: 2...256.
  ///   - seed: The run's seed.
  package init(
    _ settings: ShopSettings, stateWeights: [Double], share: Double, products: Int = 20,
    seed: UInt64
  ) {
    invariant((2...256).contains(products), "a shop has 2 to 256 products, not \(products)")
    invariant(stateWeights.count <= 256, "there are 256 states at most")
    invariant(settings.completed >= 1e-6, "one cart in a million, or fewer, becomes an order")
    self.settings = settings
    self.seed = seed
    self.products = products
    states = DiscreteTable(weights: stateWeights.isEmpty ? [1] : stateWeights)
    let pages = settings.abandonedAt.all
    let allPages = pages.reduce(0, +)
    invariant(settings.abandoned == 0 || allPages > 0, "carts are abandoned, but at no page")
    let unabandoned = 1 - settings.abandoned
    let weights =
      pages.map { settings.abandoned > 0 ? settings.abandoned * $0 / allPages : 0 } + [
        unabandoned * (1 - settings.agePass),
        unabandoned * settings.agePass * (1 - settings.paymentPass),
      ]
    // Where no cart fails the table is never asked.
    failures = DiscreteTable(weights: weights.contains { $0 > 0 } ? weights : [1])
    drawnFromRetail = settings.drawnFromRetail(share: share)
    (pass, reference) = (settings.pass, settings.reference)
    logOfMiss = Elementary.log1p(-max(settings.pass, settings.reference))
  }

  /// The state that a member lives in: its row among the weights.
  package func state(of member: UInt32) -> UInt8 {
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.residence.rawValue, entity: UInt64(member))
    return UInt8(truncatingIfNeeded: states.value(stream.nextUInt32()))
  }

  /// The product that a member likes best; every product is as likely.
  package func favourite(of member: UInt32) -> UInt8 {
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.favourite.rawValue, entity: UInt64(member))
    return UInt8(stream.uniformIndex(below: UInt64(products)))
  }

  func stream(_ purpose: RandomPurpose, _ member: UInt32, _ index: UInt32) -> RandomStream {
    RandomStream(
      seed: seed, purpose: purpose.rawValue, entity: UInt64(index) << 32 | UInt64(member))
  }

  /// One order's draws. Processing, shipping and refund times are Erlang-2.
  ///
  /// - Parameters:
  ///   - member: Who orders.
  ///   - index: 0 for the member's first order.
  package func order(member: UInt32, index: UInt32) -> OrderDraw {
    var stream = BlockStream(
      seed: seed, purpose: RandomPurpose.order.rawValue,
      entity: UInt64(index) << 32 | UInt64(member))
    let processing = ShopBehaviour.erlang(settings.processing, &stream)
    let shipping = ShopBehaviour.erlang(settings.shipping, &stream)
    // Drawn whatever the fate, so that another share of cancellations shifts no other draw.
    let cancelled = stream.uniform() < settings.cancelled
    let refunded = stream.uniform() < settings.refunded
    let moment = stream.uniform()
    let fate: OrderFate = cancelled ? .cancelled : refunded ? .refunded : .kept
    let ending: TimeSpan =
      switch fate {
      case .kept: TimeSpan(microseconds: 0)
      case .cancelled:
        TimeSpan(microseconds: Int64(Double(processing.microseconds - 1) * moment))
      case .refunded: refundDelay(member, index)
      }
    return OrderDraw(fate: fate, processing: processing, shipping: shipping, ending: ending)
  }

  private func refundDelay(_ member: UInt32, _ index: UInt32) -> TimeSpan {
    var stream = stream(.refund, member, index)
    return ShopBehaviour.erlang(settings.refundAfter, &stream)
  }

  /// What an order's tins are: each the favorite with the given probability, else the order's
  /// second product.
  ///
  /// - Parameters:
  ///   - member: Who orders.
  ///   - index: As for `order(member:index:)`.
  ///   - tins: In the order, 0 or more.
  package func basket(member: UInt32, index: UInt32, tins: Int) -> Basket {
    let favourite = favourite(of: member)
    var stream = stream(.basket, member, index)
    // One of the others: those from the favorite on move up by one.
    let other = UInt8(stream.uniformIndex(below: UInt64(products - 1)))
    let liked = stream.binomial(tins, settings.favourite)
    return Basket(
      favourite: favourite, favouriteTins: liked, second: other < favourite ? other : other + 1,
      secondTins: tins - liked)
  }

  private static func erlang(
    _ mean: TimeSpan, _ stream: inout some RandomSource
  ) -> TimeSpan {
    TimeSpan(microseconds: max(1, Int64(stream.erlang(shape: 2, mean: Double(mean.microseconds)))))
  }
}
