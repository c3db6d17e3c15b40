internal import Foundation

/// One of the buy-till-you-die models with its four parameters; times in weeks of 7 days.
///
/// Purchase rates are Gamma(r, α) over customers. Customers leave after a purchase with a
/// probability that is Beta(a, b) over customers (BG: after a repeat purchase; MBG: also after the
/// first), or after an exponential lifetime with a Gamma(s, β) rate (Pareto). All that is computed
/// here is for repeat purchases, X(t) being their number t weeks after the first purchase.
///
/// Sources: `PurchaseModel`.
package struct PurchaseLaw: Sendable, Equatable {
  package var model: PurchaseModel
  /// Shape of the purchase rates, above 0.
  package var r: Double
  /// Rate parameter of the purchase rates in weeks, above 0.
  package var alpha: Double
  /// BG and MBG: a. Pareto: s. Above 0.
  package var first: Double
  /// BG and MBG: b. Pareto: β in weeks. Above 0.
  package var second: Double
  /// Phases of a gap, k: 1 for the models as first published, 2 or more for BG and MBG with Erlang
  /// gaps (CNBD-k).
  package var shape = 1

  /// The law with these parameters, each above 0; `shape` only with BG and MBG.
  package init(
    model: PurchaseModel, r: Double, alpha: Double, first: Double, second: Double, shape: Int = 1
  ) {
    self.model = model
    self.r = r
    self.alpha = alpha
    self.first = first
    self.second = second
    self.shape = shape
  }

  /// - Parameters:
  ///   - model: Which decides what the last two parameters are.
  ///   - logs: The logarithms of r, α, a or s, b or β.
  ///   - shape: Phases of a gap.
  package init(model: PurchaseModel, logs: [Double], shape: Int = 1) {
    self.init(
      model: model, r: exp(logs[0]), alpha: exp(logs[1]), first: exp(logs[2]),
      second: exp(logs[3]), shape: shape)
  }

  /// r, α, a or s, b or β.
  package var values: [Double] { [r, alpha, first, second] }

  /// The names of `values`, as the scenario's `population.purchase` has them.
  package static func names(_ model: PurchaseModel) -> [String] {
    model == .paretoNbd ? ["r", "alpha", "s", "beta"] : ["r", "alpha", "a", "b"]
  }

  /// Chances to leave before the first repeat purchase: 1 for MBG.
  package var early: Double { model == .mbgNbd ? 1 : 0 }

  /// E[μ/(λ + μ)] with λ ~ Gamma(rate, α + t) and μ ~ Gamma(s, β + t): the probability that
  /// somebody who is a customer at t leaves before the next purchase.
  ///
  /// It is s · ∫ₜ^∞ (α + y)^−rate · (β + y)^−(s+1) dy ÷ [(α + t)^−rate · (β + t)^−s], hence
  /// s/(rate + s) · ₂F₁(1, rate; rate + s + 1; (α − β)/(α + t)) for α ≥ β, and for α < β the mirror
  /// image. It is the published form of Schmittlein, Morrison and Colombo 1987 (appendix), whose
  /// ₂F₁(rate + s, s + 1; rate + s + 1; z) diverges at z = 1, after Euler's transformation. Where α + t and
  /// β + t are of quite different sizes the continued fraction of ₂F₁ takes hundreds of terms or more: then
  /// it is the integral with y = t + (β + t)·τ.
  /// - Returns: 0...1, or NaN where it cannot be computed.
  package static func leavesFirst(
    rate: Double, alpha: Double, s: Double, beta: Double, at t: Double
  ) -> Double {
    let ratio = (beta + t) / (alpha + t)
    var share = Double.nan
    if 1e-3 < ratio, ratio < 1e3 {
      let c = rate + s + 1
      share =
        alpha >= beta
        ? SpecialFunctions.unitFraction(rate, c, (alpha - beta) / (alpha + t))
        : SpecialFunctions.unitFraction(s + 1, c, (beta - alpha) / (beta + t)) / ratio
      share *= s / (rate + s)
    }
    if share.isNaN { share = SpecialFunctions.productTail(rate, s, ratio) }
    // A little above 1 is rounding.
    return share >= 0 && share <= 1 + 1e-9 ? min(share, 1) : .nan
  }
}
