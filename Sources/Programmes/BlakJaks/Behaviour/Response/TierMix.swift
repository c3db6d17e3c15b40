internal import EventKernel

/// Which tiers members hold when they scan, in a population that neither grows nor shrinks.
package enum TierMix {
  /// A tier that takes more scans in a quarter counts as out of reach.
  package static let scansMaximum = 500

  /// Weeks of a mean quarter.
  private static let quarterWeeks = 365.25 / 28

  /// Scans by the tier held after them, as shares of all scans.
  ///
  /// - Parameters:
  ///   - rules: What tiers take.
  ///   - population: Its rates and the share of tins that are scanned, without any response.
  /// - Returns: All Standard where nobody scans.
  package static func shares(
    _ rules: TierRules, _ population: PopulationSettings
  ) -> PerTier<Double> {
    let rate = BehaviourModel.rate(population)
    let weekly =
      rate.shape / rate.weeks * population.tins.perPurchase * population.tins.scanned
    return shares(rules, shape: rate.shape, mean: weekly * quarterWeeks)
  }

  /// Scans by the tier held after them, as shares of all scans.
  ///
  /// A member scans N times in a quarter and N′ times in the one before, both Poisson at the
  /// member's own rate, which is Gamma over members with shape r and mean m: the model of the
  /// negative binomial distribution (Ehrenberg 1959, doi:10.2307/2985810). The scan that is the n-th
  /// of its quarter is at tier T, which takes t scans, if n ≥ t, or, where tiers are carried, if
  /// N′ ≥ t. Given N′ = i the rate is Gamma with shape r + i and rate r/m + 1, so
  ///
  ///     scans at T or above = m − Σ_{i<t} P(N′ = i) · E[min(N, t − 1) | N′ = i].
  ///
  /// Floors for life, members who come and go, and that tins are bought several at a time are left
  /// out.
  ///
  /// - Parameters:
  ///   - rules: What tiers take.
  ///   - shape: r, more than 0.
  ///   - mean: m, scans a quarter of an average member.
  /// - Complexity: O(t²).
  package static func shares(
    _ rules: TierRules, shape: Double, mean: Double
  ) -> PerTier<Double> {
    guard mean > 0 else { return PerTier(standard: 1, vip: 0, highRoller: 0, whale: 0) }
    func atLeast(_ scans: UInt32) -> Double {
      guard scans <= scansMaximum else { return 0 }
      let below = Int(scans) - 1
      var rest = 0.0
      if rules.carry {
        for (i, chance) in counts(shape, rate: shape / mean, through: below).enumerated() {
          rest +=
            chance * capped(shape + Double(i), rate: shape / mean + 1, at: below)
        }
      } else {
        rest = capped(shape, rate: shape / mean, at: below)
      }
      return min(max(1 - rest / mean, 0), 1)
    }
    let vip = atLeast(rules.vip)
    let highRoller = min(atLeast(rules.highRoller), vip)
    let whale = min(atLeast(rules.whale), highRoller)
    return PerTier(
      standard: 1 - vip, vip: vip - highRoller, highRoller: highRoller - whale, whale: whale)
  }

  /// P(N = 0), P(N = 1), … of a Poisson count whose mean is Gamma(shape, rate).
  private static func counts(_ shape: Double, rate: Double, through last: Int) -> [Double] {
    guard last >= 0 else { return [] }
    var chance = Elementary.exp(-shape * Elementary.log1p(1 / rate))
    return (0...last).map { count in
      defer { chance *= (shape + Double(count)) / (Double(count + 1) * (1 + rate)) }
      return chance
    }
  }

  /// E[min(N, most)] of such a count.
  private static func capped(_ shape: Double, rate: Double, at most: Int) -> Double {
    guard most > 0 else { return 0 }
    var mean = 0.0
    var below = 0.0
    for (count, chance) in counts(shape, rate: rate, through: most - 1).enumerated() {
      mean += Double(count) * chance
      below += chance
    }
    return mean + Double(most) * max(0, 1 - below)
  }
}
