public import Quantities

/// How members behave in the shop. Shares lie in 0...1.
public struct ShopSettings: Sendable, Equatable {
  /// Share of visits to the shop that put something into a cart, above 0.
  public var browseToCart = 0.10
  /// Share of all carts that are abandoned. Source: Baymard Institute, cart abandonment statistics
  /// (69.8–70.2 %).
  public var abandoned = 0.70
  /// Where carts are abandoned.
  public var abandonedAt = AbandonmentWeights()
  /// Share of the carts not abandoned that pass the age check.
  public var agePass = 0.96
  /// Share of the carts that pass the age check and are not abandoned whose payment goes through.
  public var paymentPass = 0.97
  /// Mean time from the order to its shipping, 0 or more.
  public var processing = Span.hours(24)
  /// Mean time from shipping to delivery, 0 or more.
  public var shipping = Span.hours(72)
  /// Share of orders that are cancelled while they are processed.
  public var cancelled = 0.01
  /// Share of delivered orders that are refunded.
  public var refunded = 0.01
  /// Mean time from delivery to a refund, 0 or more.
  public var refundAfter = Span.hours(48)
  /// Share of tins that are the member's favourite product.
  public var favourite = 0.8

  /// The defaults.
  public init() {}

  /// Share of all carts that become orders.
  public var completed: Double { (1 - abandoned) * agePass * paymentPass }
}

/// Relative weights of the pages at which carts are abandoned; 0 or more, one above 0.
public struct AbandonmentWeights: Sendable, Equatable {
  /// The cart itself, before the address is asked for.
  public var cart = 2.0
  /// The address, before the age check.
  public var address = 1.0
  /// The page that shows tax and total and asks for payment.
  public var payment = 1.0

  /// The defaults.
  public init() {}

  /// The three in the order of the pages.
  var all: [Double] { [cart, address, payment] }
}
