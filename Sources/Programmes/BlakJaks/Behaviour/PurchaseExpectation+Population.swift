package import Population

extension PurchaseExpectation {
  /// What a population's members are expected to buy within a run.
  ///
  /// - Parameter weeks: Operational weeks of the whole run.
  /// - Returns: Nil where there is no such table; see `RenewalLaw.nodes`.
  package init?(_ population: PopulationSettings, weeks: Double) {
    let behaviour = BehaviourModel(population, seed: 0)
    let purchase = population.purchase
    let isClocked = purchase.model == .paretoNbd
    let law = PurchaseLaw(
      model: purchase.model, r: behaviour.rateShape, alpha: behaviour.rateWeeks,
      first: isClocked ? purchase.s : purchase.a, second: isClocked ? purchase.beta : purchase.b)
    func nodes(_ factor: Double) -> [Node]? {
      RenewalLaw(law, shape: purchase.erlang, dropoutFactor: factor).nodes(weeks: weeks)
    }
    guard let alone = nodes(1), let referred = nodes(population.referral.dropoutFactor) else {
      return nil
    }
    self.init(weeks: weeks, alone: alone, referred: referred)
  }
}
