internal import CGSL
internal import EventKernel
internal import Foundation
package import RewardModel
package import Scenario

/// The distribution of an uncertain setting, cut to a range, as a function of a normal score.
///
/// Normal scores make a Gaussian copula of several such distributions, and the score's negative gives
/// the opposite value, which antithetic pairs need.
package struct UncertainLaw: Sendable, Equatable {
  package let law: UncertainSetting.Law
  /// Values outside of it are not drawn; nil for discrete ones.
  package let range: ClosedRange<Double>
  /// The distribution function at both ends.
  private let below: Double
  private let upTo: Double

  /// The least share of a distribution that has to lie in its range.
  package static let leastShare = 0.5

  /// - Parameters:
  ///   - law: Neither discrete nor rows.
  ///   - range: What it is cut to.
  /// - Throws: `Refusal` where less than half of it lies there.
  package init(
    _ law: UncertainSetting.Law, within range: ClosedRange<Double>
  ) throws(Refusal) {
    GSLRuntime.prepare()
    self.law = law
    self.range = range
    below = Self.probability(law, range.lowerBound)
    upTo = Self.probability(law, range.upperBound)
    guard upTo - below >= Self.leastShare else {
      throw Refusal(
        String(format: "only %.0f %% of the distribution", max(upTo - below, 0) * 100)
          + " is where the setting may be, \(SettingGrain.text(range.lowerBound, decimals: nil)) to "
          + SettingGrain.text(range.upperBound, decimals: nil),
        "choose another distribution, or other bounds")
    }
  }

  /// Φ, the share of normal scores below one.
  static func share(_ score: Double) -> Double { gsl_cdf_ugaussian_P(score) }

  /// The value at a normal score: the quantile of the cut distribution at Φ(score).
  ///
  /// - Complexity: O(1); up to a hundred evaluations of a distribution function.
  package func value(score: Double) -> Double {
    let share = below + Self.share(score) * (upTo - below)
    return min(max(Self.quantile(law, share), range.lowerBound), range.upperBound)
  }

  // MARK: - Distributions

  private static func probability(_ law: UncertainSetting.Law, _ x: Double) -> Double {
    switch law {
    case .normal(let mean, let deviation): return gsl_cdf_gaussian_P(x - mean, deviation)
    case .lognormal(let median, let sigma):
      return x <= 0 ? 0 : gsl_cdf_lognormal_P(x, log(median), sigma)
    case .uniform(let low, let high): return min(max((x - low) / (high - low), 0), 1)
    case .triangular(let low, let mode, let high):
      if x <= low { return 0 }
      if x >= high { return 1 }
      return x < mode
        ? (x - low) * (x - low) / ((high - low) * (mode - low))
        : 1 - (high - x) * (high - x) / ((high - low) * (high - mode))
    case .pert(let low, let mode, let high):
      let (a, b) = shapes(low, mode, high)
      return gsl_cdf_beta_P(min(max((x - low) / (high - low), 0), 1), a, b)
    case .beta(let a, let b): return gsl_cdf_beta_P(min(max(x, 0), 1), a, b)
    case .gamma(let shape, let scale): return x <= 0 ? 0 : gsl_cdf_gamma_P(x, shape, scale)
    case .discrete, .rows: return x < 0 ? 0 : 1
    }
  }

  private static func quantile(_ law: UncertainSetting.Law, _ share: Double) -> Double {
    // Scores beyond eight standard deviations do not occur.
    let share = min(max(share, 1e-15), 1 - 1e-15)
    switch law {
    case .normal(let mean, let deviation):
      return mean + gsl_cdf_gaussian_Pinv(share, deviation)
    case .lognormal(let median, let sigma):
      return median * exp(gsl_cdf_gaussian_Pinv(share, sigma))
    case .uniform(let low, let high): return low + share * (high - low)
    case .triangular(let low, let mode, let high):
      let turn = (mode - low) / (high - low)
      return share < turn
        ? low + (share * (high - low) * (mode - low)).squareRoot()
        : high - ((1 - share) * (high - low) * (high - mode)).squareRoot()
    case .pert(let low, let mode, let high):
      let (a, b) = shapes(low, mode, high)
      return low + (high - low) * inverse(share, 0, 1) { gsl_cdf_beta_P($0, a, b) }
    case .beta(let a, let b): return inverse(share, 0, 1) { gsl_cdf_beta_P($0, a, b) }
    case .gamma(let shape, let scale):
      var high = shape + 1
      while gsl_cdf_gamma_P(high, shape, 1) < share { high *= 2 }
      return scale * inverse(share, 0, high) { gsl_cdf_gamma_P($0, shape, 1) }
    case .discrete, .rows: return 0
    }
  }

  /// Shapes of the beta distribution that PERT is.
  private static func shapes(_ low: Double, _ mode: Double, _ high: Double) -> (Double, Double) {
    (1 + 4 * (mode - low) / (high - low), 1 + 4 * (high - mode) / (high - low))
  }

  /// Where a distribution function reaches a share, by halving: GSL's own inverses lose their way for
  /// some shapes.
  private static func inverse(
    _ share: Double, _ low: Double, _ high: Double, _ function: (Double) -> Double
  ) -> Double {
    var (low, high) = (low, high)
    for _ in 0..<100 {
      let middle = low + (high - low) / 2
      if middle == low || middle == high { break }
      if function(middle) < share { low = middle } else { high = middle }
    }
    return low + (high - low) / 2
  }
}
