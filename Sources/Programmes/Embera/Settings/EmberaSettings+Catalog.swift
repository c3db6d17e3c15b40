internal import Population
internal import Quantities
package import RewardModel

extension EmberaSettings: ProgrammeSettings {
  package static let catalog: [Setting<EmberaSettings>] =
    pointRules + orderRules + accountRules + members + behaviour

  /// What each group of settings is about.
  package static let groupDocs: [String: String] = [
    "rules": "The program's rules.",
    "rules.tiers": "Total points earned that make tiers.",
    "rules.orders": "Prices, discounts and shipping of an order.",
    "rules.orders.prices": "List prices by bag size.",
    "rules.status": "How long each status of an order lasts.",
    "rules.passkeys": "How long challenges and sessions live.",
    "rules.liability": "How the share of points that is redeemed is estimated.",
    "rules.budget": "A budget for the reward rate: reward cost over revenue.",
    "population": "The synthetic members.",
    "population.adoption": "How sign-ups are spread over the run.",
    "population.purchase": "Purchase rates and dropout across members; times in weeks.",
    "population.season": "How demand follows the clock; none makes every instant alike.",
    "population.referral": "Referrals.",
    "population.basket": "What an order is made of.",
    "population.subscriptions": "Who subscribes, and for how long.",
    "population.redemption": "Whether members redeem at an order.",
    "population.payment": "How payment authorizations end; the rest succeeds.",
    "population.devices": "What devices members have, and how well they are connected.",
    "population.sign_in": "What goes wrong when members sign in.",
  ]

  private static let pointRules: [Setting<EmberaSettings>] = [
    .integer(
      "rules.points_per_dollar", \.rules.pointsPerDollar, 0...10_000,
      .given("points", "Points for each dollar of an order's subtotal.")),
    .integer(
      "rules.tiers.aura", \.rules.tiers.aura, 1...1_000_000_000,
      .given("points", "Total points earned from which a member is Aura.")),
    .integer(
      "rules.tiers.halo", \.rules.tiers.halo, 2...1_000_000_000,
      .given("points", "Total points earned from which a member is Halo.")),
    .multipliers(
      "rules.tiers.multipliers", \.rules.tiers.multipliers, most: 1_000_000, count: 3...3,
      .assumed("", "What points of an order are multiplied by, by tier.")),
    .records(
      "rules.offers", \.rules.offers,
      blank: Offer(id: "", title: "", highlight: "", points: 1, cost: .zero, price: .zero),
      fields: offerFields, count: 1...EmberaRules.maximumOffers,
      .given("", "What members can redeem points for.")),
    .optionalInteger(
      "rules.expiry_months", \.rules.expiryMonths, 1...1_200,
      .assumed(
        "months", "Months after a member's last order at whose end points expire; none for never.")),
  ]

  private static let offerFields: [Setting<Offer>] = [
    .text("id", \.id, most: 40, .assumed("", "Unique among the offers.")).needed,
    .text("title", \.title, most: 60, .given("", "As people read it.")).needed,
    .openText("highlight", \.highlight, most: 120, .given("", "One line below the title.")),
    .integer("points", \.points, 1...1_000_000_000, .given("points", "What it costs.")).needed,
    .money("cost", \.cost, currency: .usd, .assumed("USD", "What it costs the roastery.")),
    .money(
      "price", \.price, currency: .usd,
      .assumed("USD", "What it would cost a customer without points.")),
  ]

  private static let orderRules: [Setting<EmberaSettings>] = [
    .money(
      "rules.orders.prices.small", \.rules.orders.prices[0], currency: .usd,
      .assumed("USD", "A bag of 250 g.")),
    .money(
      "rules.orders.prices.medium", \.rules.orders.prices[1], currency: .usd,
      .assumed("USD", "A bag of 500 g.")),
    .money(
      "rules.orders.prices.large", \.rules.orders.prices[2], currency: .usd,
      .assumed("USD", "A bag of 1 kg.")),
    .share(
      "rules.orders.margin", \.rules.orders.margin,
      .assumed("of list prices", "Gross profit of goods at list prices.")),
    .integers(
      "rules.orders.intervals", \.rules.orders.intervals, 1...52, count: 1...8,
      .assumed("weeks", "Intervals between deliveries that a subscriber can choose.")),
    .share(
      "rules.orders.subscription_discount", \.rules.orders.subscriptionDiscount,
      .assumed("of list prices", "What a subscription takes off.")),
    .money(
      "rules.orders.shipping", \.rules.orders.shipping, currency: .usd,
      .assumed("USD", "Shipping of an order.")),
    .money(
      "rules.orders.free_shipping", \.rules.orders.freeShipping, currency: .usd,
      .assumed("USD", "Subtotal from which shipping is free.")),
    .records(
      "rules.states", \.rules.states, blank: StateRecord(code: "", weight: 0, tax: .zero),
      fields: StateRecord.catalog, count: 0...256,
      .sourced("", "The states that members live in.")),
    .duration(
      "rules.status.processing", \.rules.status.processing, .seconds(0) ... .days(365),
      .given("", "How long an order is processed.")),
    .duration(
      "rules.status.roasting", \.rules.status.roasting, .seconds(0) ... .days(365),
      .given("", "How long it is roasted.")),
    .duration(
      "rules.status.delivery", \.rules.status.delivery, .seconds(1) ... .days(365),
      .assumed("", "From the order to the promised delivery.")),
  ]

  private static let accountRules: [Setting<EmberaSettings>] = [
    .duration(
      "rules.passkeys.challenge", \.rules.passkeys.challenge, .seconds(6) ... .days(1),
      .assumed("", "How long a challenge can be answered.")),
    .duration(
      "rules.passkeys.session", \.rules.passkeys.session, .minutes(1) ... .days(3_660),
      .assumed("", "How long a member stays signed in.")),
    .share(
      "rules.liability.prior_share", \.rules.liability.priorShare,
      .assumed("of points", "Points expected to be redeemed until some are old enough to tell.")),
    .integer(
      "rules.liability.months", \.rules.liability.months, 1...120,
      .assumed("months", "Age from which points count for the seen redemption rate.")),
    .share(
      "rules.budget.limit", \.rules.budget.limit,
      .assumed("of revenue", "The most that the reward rate should be.")),
    .share(
      "rules.budget.warning", \.rules.budget.warning,
      .assumed("of the limit", "From here on the budget's status is a warning.")),
  ]

  private static let members: [Setting<EmberaSettings>] =
    [
      .integer(
        "population.members", \.population.members,
        1...Int128(AdoptionSettings.membersMaximum),
        .assumed("members", "Members signed up by the run's end; for rate a bound on them."))
    ]
    + AdoptionSettings.catalog.under("population.adoption", \.population.adoption)
    + PurchaseSettings.catalog(open: "takes the default of the program")
    .under("population.purchase", \.population.purchase)
    + SeasonSettings.catalog.under("population.season", \.population.season)
    + ReferralSettings.catalog.under("population.referral", \.population.referral)

  private static let behaviour: [Setting<EmberaSettings>] = [
    .decimal(
      "population.basket.items", \.population.basket.items, .atLeast(1, upTo: 100),
      .assumed("bags", "Bags an order on average: one, and a Poisson number more.")),
    .decimals(
      "population.basket.sizes", \.population.basket.sizes, .atLeast(0, upTo: 1_000_000),
      count: 3...3, .assumed("", "Weights of the bag sizes 250 g, 500 g, 1 kg.")),
    .fraction(
      "population.subscriptions.share", \.population.subscriptions.share,
      .assumed("of members", "Members who turn their first order into a subscription.")),
    .fraction(
      "population.subscriptions.stop", \.population.subscriptions.stop,
      .assumed("of subscribers", "Subscribers who stop at a delivery.")),
    .decimals(
      "population.subscriptions.intervals", \.population.subscriptions.intervals,
      .atLeast(0, upTo: 1_000_000), count: 1...8,
      .assumed("", "Weights of the intervals that the rules offer.")),
    .fraction(
      "population.redemption.probability", \.population.redemption.probability,
      .assumed(
        "of orders",
        "Orders with a redemption, of members whose balance covers one; deliveries have none.")),
    .fraction(
      "population.redemption.dearest", \.population.redemption.dearest,
      .assumed(
        "of redemptions", "Redemptions of the costliest offer, where the balance covers several.")),
    .fraction(
      "population.payment.cancelled", \.population.payment.cancelled,
      .assumed("of checkouts", "Payments that the member cancels.")),
    .fraction(
      "population.payment.no_card", \.population.payment.noCard,
      .assumed("of checkouts", "Payments that fail because no card is there.")),
    .fraction(
      "population.payment.unavailable", \.population.payment.unavailable,
      .assumed("of checkouts", "Payments while paying is not available.")),
    .decimal(
      "population.devices.per_member", \.population.devices.perMember, .atLeast(1, upTo: 2),
      .assumed("devices", "Devices a member on average.")),
    .fraction(
      "population.devices.offline", \.population.devices.offline, most: 0.95,
      .assumed("of time", "Time that a device is offline.")),
    .duration(
      "population.devices.stretch", \.population.devices.stretch, .seconds(1) ... .days(365),
      .assumed("", "Mean length of a stretch offline.")),
    .fraction(
      "population.devices.lost_answers", \.population.devices.lostAnswers,
      .assumed(
        "of orders", "Orders placed online that are sent again, as the server's answer was lost.")),
    .fraction(
      "population.devices.wrong_clock", \.population.devices.wrongClock,
      .assumed("of looks", "Looks at an order while the device's clock is slow.")),
    .duration(
      "population.devices.clock_back", \.population.devices.clockBack, .seconds(0) ... .days(365),
      .assumed("", "How slow such a clock is on average.")),
    .duration(
      "population.devices.looks", \.population.devices.looks, .seconds(1) ... .days(365),
      .assumed("", "Mean time between two of a member's looks at an order.")),
    .fraction(
      "population.sign_in.late", \.population.signIn.late,
      .assumed("of attempts", "Challenges answered after they expired.")),
    .fraction(
      "population.sign_in.replayed", \.population.signIn.replayed,
      .assumed("of attempts", "Old challenges answered again.")),
    .fraction(
      "population.sign_in.copied", \.population.signIn.copied,
      .assumed("of attempts", "Credentials whose counter did not rise.")),
  ]
}
