package import Quantities

/// How members behave in the shop. Shares are in 0...1.
package struct ShopSettings: Sendable, Equatable {
  /// Share of visits to the shop that become an order in the shop whose sales the buying model
  /// describes, 0.001...1. Funnels are judged against it; that of the defaults has just this pass.
  package var reference = 0.027_936
  /// Share of the purchases not made in one round of visits for which the member comes back later,
  /// 0...0.9; with `toRetail` 1 at most.
  package var comeBack = 0.35
  /// Mean time until then, at least an hour.
  package var comeBackAfter = TimeSpan.days(3)
  /// Share of the purchases not made in one round of visits that are made in retail at once.
  package var toRetail = 0.35
  /// Share of visits to the shop that put something into a cart, above 0.
  package var browseToCart = 0.10
  /// Share of all carts that are abandoned. Source: Baymard Institute, cart abandonment statistics
  /// (69.8–70.2 %).
  package var abandoned = 0.70
  /// Where carts are abandoned.
  package var abandonedAt = AbandonmentWeights()
  /// Share of the carts not abandoned that pass the age check.
  package var agePass = 0.96
  /// Share of the carts that pass the age check and are not abandoned whose payment goes through.
  package var paymentPass = 0.97
  /// Mean time from the order to its shipping, 0 or more.
  package var processing = TimeSpan.hours(24)
  /// Mean time from shipping to delivery, 0 or more.
  package var shipping = TimeSpan.hours(72)
  /// Share of orders that are canceled while they are processed.
  package var cancelled = 0.01
  /// Share of delivered orders that are refunded.
  package var refunded = 0.01
  /// Mean time from delivery to a refund, 0 or more.
  package var refundAfter = TimeSpan.hours(48)
  /// Share of tins that are the member's favorite product.
  package var favourite = 0.8

  /// The defaults.
  package init() {}

  /// Share of all carts that become orders.
  package var completed: Double { (1 - abandoned) * agePass * paymentPass }

  /// Share of all visits that become orders.
  package var pass: Double { browseToCart * completed }

  /// The pass of a visit over that of the reference; 1 at the defaults.
  package var relativePass: Double { pass / reference }

  /// Purchases in the shop for each that the buying model sends there, by their number's mean:
  /// d / (1 − ρ (1 − d)) with d the relative pass and ρ `comeBack`, up to d = 1.
  ///
  /// A round of visits succeeds with probability d; of what fails ρ begins another round, so that
  /// the number of rounds is geometric.
  package var ordersPerNeed: Double {
    let pass = min(relativePass, 1)
    return pass / (1 - comeBack * (1 - pass))
  }

  /// Purchases in retail for each that the buying model sends to the shop, up to d = 1:
  /// σ (1 − d) / (1 − ρ (1 − d)) with σ `toRetail`.
  package var retailPerNeed: Double {
    let fail = 1 - min(relativePass, 1)
    return toRetail * fail / (1 - comeBack * fail)
  }

  /// Share of the buying model's retail purchases that a funnel better than the reference draws
  /// into the shop: σ (d − 1) s / (1 − s), 1 at most, with s the model's `share` of the shop. A
  /// worse funnel sends as many to retail for a small difference.
  ///
  /// - Parameter share: Of purchases that the model sends to the shop, 0...1.
  package func drawnFromRetail(share: Double) -> Double {
    guard relativePass > 1, share < 1 else { return 0 }
    return min(1, toRetail * (relativePass - 1) * share / (1 - share))
  }
}

/// Relative weights of the pages at which carts are abandoned; 0 or more, one above 0.
package struct AbandonmentWeights: Sendable, Equatable {
  /// The cart itself, before the address is asked for.
  package var cart = 2.0
  /// The address, before the age check.
  package var address = 1.0
  /// The page that shows tax and total and asks for payment.
  package var payment = 1.0

  /// The three in the order of the pages.
  var all: [Double] { [cart, address, payment] }
}
