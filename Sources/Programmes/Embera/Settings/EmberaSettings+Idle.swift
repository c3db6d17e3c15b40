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
        "population.redemption.dearest", while: population.redemption.probability == 0,
        "population.redemption.probability is 0 %"),
      IdleSettings(
        "population.devices.stretch", while: population.devices.offline == 0,
        "population.devices.offline is 0 %"),
      IdleSettings(
        "population.devices.clock_back",
        while: population.devices.wrongClock == 0,
        "population.devices.wrong_clock is 0 %"),
    ]
    let shared =
      IdleSettings.adoption(population.adoption, at: "population")
      + IdleSettings.purchases(population.purchase, at: "population.purchase")
      + IdleSettings.entries(
        population.season.holidays.map(\.date), of: "population.season.holidays", outside: days,
        lasting: false)
    return (own + shared).compactMap(\.self)
  }
}
