internal import Population
internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  /// The shop's charges, and where members live.
  static let shopRules: [Setting<BlakJaksSettings>] = [
    .flag(
      "rules.shop.enabled", \.rules.shop.enabled,
      .assumed("", "Whether purchases in the shop become orders that are shipped.")),
    .money(
      "rules.shop.shipping", \.rules.shop.shipping,
      .given("USDT an order", "Flat shipping.")),
    .money(
      "rules.shop.free_from", \.rules.shop.freeFrom,
      .given("USDT of goods", "Orders of at least this much ship free.")),
    .money(
      "rules.shop.carrier_cost", \.rules.shop.carrierCost,
      .assumed("USDT an order", "What sending an order costs the program.")),
    .records(
      "rules.states", \.rules.states, blank: StateRecord(code: "", weight: 0, tax: .zero),
      fields: StateRecord.catalog, count: 0...256,
      .sourced("", "The states that members live in.")),
    .records(
      "rules.bans", \.rules.bans, blank: StateBan(state: "", date: CivilDate(dayNumber: 0)),
      fields: banFields,
      count: 0...256,
      .assumed("", "States that suspend their members from rewards, each from a local date on.")),
  ]

  static let banFields: [Setting<StateBan>] = [
    .text("state", \.state, most: 2, .assumed("", "Code of the state.")).needed,
    .date("date", \.date, .assumed("", "The first local date of the ban.")).needed,
    .integer(
      "days", \.days, 0...36_600,
      .assumed("days", "Local days until the ban is lifted; 0 is never.")),
  ]

  /// How members behave in the shop.
  static let shopBehaviour: [Setting<BlakJaksSettings>] = [
    .decimal(
      "population.shop.reference", \.population.shop.reference, .atLeast(0.001, upTo: 1),
      .assumed(
        "of visits", "Visits that become orders in the shop whose sales the purchases describe.")),
    .fraction(
      "population.shop.come_back", \.population.shop.comeBack, most: 0.9,
      .assumed("of purchases not made", "Purchases for which members come back to the shop.")),
    .duration(
      "population.shop.come_back_after", \.population.shop.comeBackAfter, .hours(1) ... .days(366),
      .assumed("on average", "From leaving the shop without an order to coming back.")),
    .fraction(
      "population.shop.to_retail", \.population.shop.toRetail,
      .assumed("of purchases not made", "Purchases made in retail instead, at once.")),
    .decimal(
      "population.shop.browse_to_cart", \.population.shop.browseToCart, .above(0, upTo: 1),
      .assumed("of visits", "Visits to the shop that put something into a cart.")),
    .fraction(
      "population.shop.abandoned", \.population.shop.abandoned, most: 0.999,
      .sourced("of carts", "Carts that are abandoned.")),
    .decimal(
      "population.shop.abandoned_at.cart", \.population.shop.abandonedAt.cart, pageWeight,
      .assumed("", "Weight of the cart itself.")),
    .decimal(
      "population.shop.abandoned_at.address", \.population.shop.abandonedAt.address, pageWeight,
      .assumed("", "Weight of the address.")),
    .decimal(
      "population.shop.abandoned_at.payment", \.population.shop.abandonedAt.payment, pageWeight,
      .assumed("", "Weight of the page of tax and payment.")),
    .fraction(
      "population.shop.age_pass", \.population.shop.agePass,
      .assumed("of carts not abandoned", "Carts that pass the age check.")),
    .fraction(
      "population.shop.payment_pass", \.population.shop.paymentPass,
      .assumed("of those", "Carts whose payment goes through.")),
    .duration(
      "population.shop.processing", \.population.shop.processing, orderTime,
      .assumed("on average", "From the order to its shipping.")),
    .duration(
      "population.shop.shipping", \.population.shop.shipping, orderTime,
      .assumed("on average", "From shipping to delivery.")),
    .fraction(
      "population.shop.cancelled", \.population.shop.cancelled,
      .assumed("of orders", "Orders that are canceled while they are processed.")),
    .fraction(
      "population.shop.refunded", \.population.shop.refunded,
      .assumed("of delivered orders", "Orders that are refunded; their tins are never scanned.")),
    .duration(
      "population.shop.refund_after", \.population.shop.refundAfter, orderTime,
      .assumed("on average", "From delivery to a refund.")),
    .fraction(
      "population.shop.favourite", \.population.shop.favourite,
      .assumed("of tins", "Tins that are the member's favorite product.")),
  ]

  private static let pageWeight = NumberRange.atLeast(0, upTo: 1_000)
  private static let orderTime: ClosedRange<TimeSpan> = TimeSpan(microseconds: 0) ... .days(366)
}
