internal import Population
internal import Quantities
package import RewardModel

extension EmberaSettings {
  /// Checks the rules that bind several settings.
  package static func check(_ rules: inout SettingRules<EmberaSettings>) {
    let values = rules.values
    rules.order(
      "rules.tiers.halo", above: "rules.tiers.aura",
      values.rules.tiers.halo > values.rules.tiers.aura)
    rules.checkOffers()
    rules.checkStatus()
    rules.checkCodes(of: values.rules.states, at: "rules.states")
    rules.requireWeight(
      "rules.states",
      values.rules.states.isEmpty || values.rules.states.contains { $0.weight > 0 })
    let adopters = rules.checkAdoption(
      values.population.adoption, members: values.population.members, at: "population")
    rules.checkSeason(values.population.season, at: "population.season")
    rules.requirePace(
      rateShape: values.population.purchase.r ?? EmberaPopulation.defaultShape,
      rateWeeks: values.population.purchaseWeeks, members: adopters.members, events: 1,
      blamed: ["population.purchase.alpha", "population.purchase.r", adopters.path])
    rules.checkShares()
  }
}

extension SettingRules<EmberaSettings> {
  fileprivate mutating func checkOffers() {
    for (index, offer) in values.rules.offers.enumerated() {
      let place = "rules.offers[\(index)].id"
      let earlier = values.rules.offers[..<index].firstIndex { $0.id == offer.id }
      require(
        !offer.id.isEmpty && earlier == nil, of: ["rules.offers"],
        blame: [(place, "'\(offer.id)' is empty or used twice; give each offer an id of its own")])
    }
  }

  fileprivate mutating func checkStatus() {
    let status = values.rules.status
    let paths = ["delivery", "processing", "roasting"].map { "rules.status.\($0)" }
    require(
      status.delivery >= status.processing + status.roasting, of: paths,
      blame: paths.map {
        ($0, "an order would be delivered before it is roasted; adjust the times")
      })
  }

  fileprivate mutating func checkShares() {
    let population = values.population
    requireWeight("population.basket.sizes", population.basket.sizes.contains { $0 > 0 })
    let weights = population.subscriptions.intervals
    requireWeight("population.subscriptions.intervals", weights.contains { $0 > 0 })
    let offered = values.rules.orders.intervals.count
    require(
      weights.count == offered,
      of: ["population.subscriptions.intervals", "rules.orders.intervals"],
      blame: ["population.subscriptions.intervals", "rules.orders.intervals"].map {
        ($0, "there are \(weights.count) weights for \(offered) intervals; write one for each")
      })
    let payment = population.payment
    requireShare(
      payment.cancelled + payment.noCard + payment.unavailable,
      of: ["cancelled", "no_card", "unavailable"].map { "population.payment.\($0)" })
    let signIn = population.signIn
    requireShare(
      signIn.late + signIn.replayed + signIn.copied,
      of: ["late", "replayed", "copied"].map { "population.sign_in.\($0)" })
  }

  /// Requires that shares of one whole leave something.
  private mutating func requireShare(_ sum: Double, of paths: [String]) {
    let names = paths.map { $0.split(separator: ".").last ?? "" }
    let list = names.dropLast().joined(separator: ", ") + " and \(names.last ?? "")"
    let words = "leaves nothing that succeeds; keep the sum of \(list) at 0.999 or less"
    require(sum <= 0.999, of: paths, blame: paths.map { ($0, words) })
  }
}
