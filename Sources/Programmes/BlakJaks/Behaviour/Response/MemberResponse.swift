internal import EventKernel
internal import Population
internal import Quantities

/// What the rules of a scenario make of its members' behavior: factors on how often they buy, on the
/// share of tins that they scan, and on how many sign up.
///
/// Each is a demand of constant elasticity ε, kept within the bounds of the settings:
///
///     factor = min(most, max(least, (V ÷ V₀)^ε)),     and 1 where ε = 0,
///
/// so that it is 1 at the reference, rises with V, and a 1 % higher V means ε % more. V is the value
/// of a tin, `TinValue.total`, for purchases and scans, and the guarantee's amount (0 where it is
/// off) for sign-ups. V₀ is that of the reference.
///
/// Sources: elasticities as sales research estimates them: Bijmolt, van Heerde and Pieters 2005,
/// doi:10.1509/jmkr.42.2.141.62296; that purchases follow what a loyalty program gives: Lewis 2004,
/// doi:10.1509/jmkr.41.3.281.35986. No source says how large ε is here.
package struct MemberResponse: Sendable, Equatable {
  /// The value of a tin under the rules, in USDT.
  package let value: Double
  /// The value of a tin at which members behave as their settings say, in USDT.
  package let referenceValue: Double
  /// On the purchase rate.
  package let purchase: Double
  /// On the share of tins that are scanned, before the share is kept at 1 or less.
  package let scan: Double
  /// On the number of sign-ups.
  package let adoption: Double

  /// - Parameters:
  ///   - population: As its scenario says, without any response.
  ///   - rules: The scenario's.
  /// - Complexity: O(t²) in the highest tier's scans, at most 500.
  package init(_ population: PopulationSettings, _ rules: ProgrammeRules) {
    let settings = population.response
    func factor(_ value: Double, _ reference: Double, _ elasticity: Double) -> Double {
      Self.factor(
        ratio: value / reference, elasticity: elasticity, least: settings.least,
        most: settings.most)
    }
    func value(_ rules: ProgrammeRules) -> Double {
      TinValue(rules, scans: TierMix.shares(rules.tiers, population)).total
    }
    self.value = value(rules)
    referenceValue = settings.referenceValue?.usdt ?? value(ProgrammeRules())
    purchase = factor(self.value, referenceValue, settings.purchase)
    scan = factor(self.value, referenceValue, settings.scan)
    adoption = factor(
      rules.guarantee.value.usdt,
      (settings.referenceGuarantee ?? GuaranteeRules().value).usdt, settings.adoption)
  }

  /// ratio^elasticity within bounds; 1 without elasticity.
  ///
  /// - Parameters:
  ///   - ratio: What is offered over the reference, 0 or more.
  ///   - elasticity: 0 or more.
  ///   - least: The lower bound, at most 1.
  ///   - most: The upper bound, 1 or more.
  /// - Returns: Rounded to a billionth, so that libraries whose powers differ in the last digit
  ///   agree.
  package static func factor(
    ratio: Double, elasticity: Double, least: Double, most: Double
  ) -> Double {
    guard elasticity != 0 else { return 1 }
    let power = Elementary.power(max(ratio, 0), elasticity)
    return min(most, max(least, (power * 1e9).rounded() / 1e9))
  }
}

extension GuaranteeRules {
  /// What somebody who signs up is promised at least: the amount, or nothing where it is off.
  var value: MicroUSDT { enabled ? amount : .zero }
}

extension PopulationSettings {
  /// The population as the rules make it: with the rates, shares and sign-ups that members respond
  /// with. What they expect of the rules is known when they sign up and does not change in a run: a
  /// guard that pays less for some days does not move it.
  ///
  /// Purchase rates are scaled in time: each member keeps the draws of every purchase, and the gaps
  /// between them shrink or grow. Sign-ups keep their order and the shape of their curve: a factor
  /// adds members after the last or leaves the last ones out, and everybody else keeps the draws.
  ///
  /// - Returns: Itself where nothing follows the rules; applied twice, it is applied once.
  package func responding(to rules: ProgrammeRules) -> PopulationSettings {
    guard response.followsValue else { return self }
    let factors = MemberResponse(self, rules)
    var population = self
    population.tins.perWeek *= factors.purchase
    population.purchase.alpha = purchase.alpha.map { $0 / factors.purchase }
    population.tins.scanned = min(1, tins.scanned * factors.scan)
    population.wholesale.scanned = wholesale.scanned.map { min(1, $0 * factors.scan) }
    if factors.adoption != 1 {
      func scaled(_ count: Int, from least: Int) -> Int {
        let most = AdoptionSettings.membersMaximum
        return max(least, Int(min((Double(count) * factors.adoption).rounded(), Double(most))))
      }
      population.members = scaled(members, from: 1)
      population.adoption.market = adoption.market.map { scaled($0, from: 1) }
      population.adoption.monthly = adoption.monthly.map { scaled($0, from: 0) }
      population.adoption.perDay *= factors.adoption
    }
    population.response.purchase = 0
    population.response.scan = 0
    population.response.adoption = 0
    return population
  }
}
