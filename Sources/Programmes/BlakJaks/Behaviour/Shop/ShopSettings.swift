package import Quantities

/// How members behave in the shop. Shares are in 0...1.
package struct ShopSettings: Sendable, Equatable {
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
