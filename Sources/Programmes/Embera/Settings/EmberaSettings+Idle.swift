internal import Population
package import Quantities
package import RewardModel

extension EmberaSettings {
  /// Settings that do nothing in a run while others are as they are.
  package func idle(during days: ClosedRange<CivilDate>) -> [IdleSettings] {
    let own = [
      IdleSettings(
        "population.subscriptions.stop", "population.subscriptions.intervals",
        "rules.orders.intervals", "rules.orders.subscription_discount",
        while: population.subscriptions.share == 0, "population.subscriptions.share is 0 %"),
      IdleSettings(
        "population.redemption.dearest", "rules.budget.warning",
        while: population.redemption.probability == 0, "population.redemption.probability is 0 %"),
      IdleSettings(
        "population.redemption.dearest", while: rules.offers.count == 1,
        "rules.offers has one entry"),
      IdleSettings(
        "population.devices.stretch", while: population.devices.offline == 0,
        "population.devices.offline is 0 %"),
      IdleSettings(
        "population.devices.clock_back",
        while: population.devices.wrongClock == 0,
        "population.devices.wrong_clock is 0 %"),
      IdleSettings(
        "population.devices.wrong_clock", while: population.devices.clockBack == .seconds(0),
        "population.devices.clock_back is 0s"),
      IdleSettings(
        "rules.passkeys.challenge", while: population.signIn.late == 0,
        "population.sign_in.late is 0 %"),
      // Referrals earn nothing here: who is referred only buys for longer.
      IdleSettings(
        "population.referral.affiliates", "population.referral.referred",
        while: population.referral.dropoutFactor == 1,
        "population.referral.dropout_factor is 1"),
    ]
    let shared =
      IdleSettings.referral(population.referral, at: "population.referral")
      + IdleSettings.adoption(population.adoption, at: "population")
      + IdleSettings.purchases(population.purchase, at: "population.purchase")
      + IdleSettings.entries(
        population.season.holidays.map { ($0.date, 1) }, of: "population.season.holidays",
        outside: days)
      + tooLong(for: days)
    return (own + withoutPoints + shared).compactMap(\.self)
  }

  /// Of points of the first month, which expire, and tell how many are redeemed, at the close of a later one:
  /// of whole months no such run comes to.
  private func tooLong(for days: ClosedRange<CivilDate>) -> [IdleSettings?] {
    let (first, next) = (days.lowerBound, days.upperBound.adding(days: 1))
    // The month of the day after the last is the first that is not whole.
    let months = 12 * (next.year - first.year) + next.month - first.month - 1
    return [
      IdleSettings(
        "rules.expiry_months", "rules.liability.months", while: months < 1,
        "the run ends on \(days.upperBound)")
    ]
  }

  /// Of points, and of amounts, where there are none.
  private var withoutPoints: [IdleSettings?] {
    let isWithout = rules.pointsPerDollar == 0
    let offers = rules.offers.indices.map { row in
      IdleSettings(
        "rules.offers[\(row)].points", "rules.offers[\(row)].cost", "rules.offers[\(row)].price",
        while: isWithout, "rules.points_per_dollar is 0")
    }
    return offers + [
      IdleSettings(
        "rules.tiers", "rules.expiry_months", "rules.liability.months", "population.redemption",
        "rules.budget.warning", while: isWithout, "rules.points_per_dollar is 0"),
      IdleSettings(
        "rules.budget.warning", while: rules.budget.limit.rawValue == 0, "rules.budget.limit is 0 %"
      ),
      IdleSettings(
        "rules.orders.free_shipping", while: rules.orders.shipping == .zero,
        "rules.orders.shipping is 0"),
      IdleSettings(
        "rules.orders.shipping", while: rules.orders.freeShipping == .zero,
        "rules.orders.free_shipping is 0"),
    ]
  }
}
