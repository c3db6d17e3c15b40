package import Population
package import Quantities

/// How the synthetic members of the roastery behave. Probabilities are in 0...1.
package struct EmberaPopulation: Sendable, Equatable {
  /// Members signed up by the run's end (for `rate` adoption: a bound on their number).
  package var members = 20_000
  package var adoption = AdoptionSettings()
  package var purchase = EmberaPopulation.standardPurchase
  package var season = SeasonSettings()
  package var referral = ReferralSettings()
  package var basket = BasketSettings()
  package var subscriptions = SubscriptionSettings()
  package var redemption = RedemptionSettings()
  package var payment = PaymentSettings()
  package var devices = DeviceSettings()
  package var signIn = SignInSettings()

  /// The defaults.
  package init() {}

  /// Shape and rate (in weeks, `PurchaseSettings.alpha`) of purchase rates over members. The rate of
  /// purchases themselves is 3.5 weeks: gaps have two steps by default (`PurchaseSettings.erlang`), and
  /// 1.75 is the rate of the steps.
  package static let defaultShape = 0.9
  package static let defaultWeeks = 1.75

  /// Rate of that distribution as purchases have it, in weeks; see `PurchaseSettings.purchaseWeeks`.
  package var purchaseWeeks: Double {
    purchase.purchaseWeeks ?? EmberaPopulation.defaultWeeks * Double(purchase.erlang)
  }

  private static var standardPurchase: PurchaseSettings {
    var settings = PurchaseSettings()
    settings.r = defaultShape
    settings.alpha = defaultWeeks
    settings.a = 0.5
    settings.b = 6
    return settings
  }
}

/// What an order is made of.
package struct BasketSettings: Sendable, Equatable {
  /// Bags an order on average, 1 or more: one, and a Poisson number more.
  package var items = 1.6
  /// Relative weights of the bag sizes.
  package var sizes = [0.60, 0.28, 0.12]
}

/// Who subscribes, and for how long.
package struct SubscriptionSettings: Sendable, Equatable {
  /// Share of members who turn their first order into a subscription.
  package var share = 0.20
  /// Probability of stopping at a delivery.
  package var stop = 0.04
  /// Relative weights of the intervals that the rules offer.
  package var intervals = [1.0, 2.0, 1.0]
}

/// Whether members redeem at an order.
package struct RedemptionSettings: Sendable, Equatable {
  /// Probability at an order of a member whose balance covers an offer.
  package var probability = 0.35
  /// Probability that it is the dearest offer covered; else it is one of the cheaper ones.
  package var dearest = 0.60
}

/// How payment authorizations end.
package struct PaymentSettings: Sendable, Equatable {
  package var cancelled = 0.02
  package var noCard = 0.005
  package var unavailable = 0.005

  /// The defaults.
  package init() {}
}

/// What devices members have, and how well they are connected.
package struct DeviceSettings: Sendable, Equatable {
  /// Devices a member on average, 1...2.
  package var perMember = 1.2
  /// Share of time without a network, 0...0.95.
  package var offline = 0.03
  /// Mean length of a stretch without a network.
  package var stretch = TimeSpan.minutes(40)
  /// Probability that an answer of the server is lost, so that the device sends once more.
  package var lostAnswers = 0.01
  /// Probability that a device's clock is wrong when its member looks at an order.
  package var wrongClock = 0.005
  /// How far back such a clock is on average.
  package var clockBack = TimeSpan.hours(6)
  /// Mean time between two looks at an order under way.
  package var looks = TimeSpan.hours(12)
}

/// What goes wrong in passkey ceremonies, a share of the attempts each.
package struct SignInSettings: Sendable, Equatable {
  /// The challenge is answered after it has expired.
  package var late = 0.005
  /// An old challenge is answered once more.
  package var replayed = 0.001
  /// The credential's counter does not rise.
  package var copied = 0.0005
}
