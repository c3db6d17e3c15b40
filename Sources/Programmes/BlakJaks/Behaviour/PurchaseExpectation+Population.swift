package import Population

extension PurchaseExpectation {
  /// What an expectation depends on.
  private struct Source: Equatable {
    var purchase: PurchaseSettings
    var tins: TinSettings
    var dropoutFactor: Double
    var weeks: Double
  }

  /// Working it out takes as long as the run of a few members.
  private static let last = LastAnswer<Source, PurchaseExpectation?>()

  /// What a population's members are expected to buy within a run.
  ///
  /// - Parameter weeks: Operational weeks of the whole run.
  /// - Returns: Nil where there is no such table; see `RenewalLaw.nodes`.
  package static func of(_ population: PopulationSettings, weeks: Double) -> PurchaseExpectation? {
    let source = Source(
      purchase: population.purchase, tins: population.tins,
      dropoutFactor: population.referral.dropoutFactor, weeks: weeks)
    return last.of(source) { make(population, weeks: weeks) }
  }

  private static func make(_ population: PopulationSettings, weeks: Double) -> PurchaseExpectation?
  {
    let rate = BehaviourModel.rate(population)
    let purchase = population.purchase
    let isClocked = purchase.model == .paretoNbd
    let law = PurchaseLaw(
      model: purchase.model, r: rate.shape, alpha: rate.weeks,
      first: isClocked ? purchase.s : purchase.a, second: isClocked ? purchase.beta : purchase.b)
    func nodes(_ factor: Double) -> [Node]? {
      RenewalLaw(law, shape: purchase.erlang, dropoutFactor: factor).nodes(weeks: weeks)
    }
    guard let alone = nodes(1), let referred = nodes(population.referral.dropoutFactor) else {
      return nil
    }
    return PurchaseExpectation(weeks: weeks, alone: alone, referred: referred)
  }
}
