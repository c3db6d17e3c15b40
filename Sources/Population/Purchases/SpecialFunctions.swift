internal import CGSL
internal import EventKernel
internal import Foundation

/// Functions of GSL with every status checked: NaN is returned for what GSL could not compute.
package enum SpecialFunctions {
  /// ln(eᵃ + eᵇ) without overflow; −∞ represents ln 0. NaN where either is.
  package static func logSum(_ a: Double, _ b: Double) -> Double {
    // 'max' and 'min' give their first argument where the second is NaN.
    guard !a.isNaN, !b.isNaN else { return .nan }
    let high = max(a, b)
    guard high > -.infinity else { return high }
    return high + log1p(exp(min(a, b) - high))
  }

  /// ln Γ(a + n)/Γ(a) for a > 0 and n ≥ 0, without the cancellation of two logarithms.
  package static func logPochhammer(_ a: Double, _ n: Double) -> Double {
    GSLRuntime.prepare()
    var result = gsl_sf_result()
    let status = gsl_sf_lnpoch_e(a, n, &result)
    return status == Int32(GSL_SUCCESS) && result.val.isFinite ? result.val : .nan
  }

  /// ₂F₁(a, b; c; z) for 0 ≤ z < 1.
  ///
  /// With care: where c − a − b is a whole number GSL 2.7 may return wrong figures with status
  /// success, such as for (−0.7, 0.5; 0.8; 0.55).
  package static func hypergeometric(
    _ a: Double, _ b: Double, _ c: Double, _ z: Double
  ) -> Double {
    GSLRuntime.prepare()
    var result = gsl_sf_result()
    let status = gsl_sf_hyperg_2F1_e(a, b, c, z, &result)
    return status == Int32(GSL_SUCCESS) && result.val.isFinite ? result.val : .nan
  }

  /// s · ∫₀^∞ (1 + τ)^−(s+1) · (1 + κτ)^−rate dτ for κ, s and rate above 0, by the trapezoidal rule.
  ///
  /// With τ = eˣ the integrand is analytic for |Im x| < π and no larger than on the real line for
  /// |Im x| ≤ π/2, so that the error falls like e^(−π²/h) with the step h; both tails are geometric series.
  /// The result is within 3 · 10⁻¹² of mpmath's for κ from 10⁻¹¹ to 10¹¹, rate and s from 10⁻⁵ to 10⁴.
  ///
  /// - Returns: NaN where κ, s or rate is beyond what a double holds.
  /// - Complexity: Some 100 to 300 steps: 3 · (50 + |ln κ| + ln(1 + s + rate)) at most. Source: Trefethen
  ///   and Weideman 2014, doi:10.1137/130932132
  package static func productTail(_ rate: Double, _ s: Double, _ ratio: Double) -> Double {
    let step = 1.0 / 3
    let turn = max(0, -log(ratio))
    // Left of this the integrand is eˣ, and right of 32 beyond both turns a power, to 10⁻¹⁴ of the whole.
    let start = min(0, -log(ratio)) - 18 - log1p(s + rate)
    let steps = ((turn + 32 - start) / step).rounded(.up)
    guard steps.isFinite else { return .nan }
    var sum = exp(start) / expm1(step)
    var last = 0.0
    for place in 0...Int(steps) {
      let x = start + Double(place) * step
      let tau = exp(x)
      last = exp(x - (s + 1) * log1p(tau) - rate * log1p(ratio * tau))
      sum += last
      if x > turn, last < 1e-17 * sum * min(1, (s + rate) * step) { break }
    }
    return s * step * (sum + last / expm1((s + rate) * step))
  }

  /// ₂F₁(1, b; c; z) for c > b > 0 and 0 ≤ z < 1, the sum of (b)ₙ/(c)ₙ · zⁿ, by Gauss's continued fraction.
  ///
  /// It converges on the whole range, with a factor of ((1 − √(1−z)) / (1 + √(1−z)))² for a pair
  /// of terms at worst: with 17/√(1−z) terms.
  ///
  /// Source: NIST Digital Library of Mathematical Functions, §15.7.5; evaluated after Lentz
  /// (Thompson and Barnett 1986, doi:10.1016/0021-9991(86)90046-X).
  /// - Returns: NaN when it has not converged after 4,000 terms.
  package static func unitFraction(_ b: Double, _ c: Double, _ z: Double) -> Double {
    let tiny = 1e-300
    var value = tiny
    var ahead = tiny
    var behind = 0.0
    var numerator = 1.0
    for term in 0..<4_000 {
      behind = 1 + numerator * behind
      behind = 1 / (abs(behind) < tiny ? tiny : behind)
      ahead = 1 + numerator / ahead
      if abs(ahead) < tiny { ahead = tiny }
      let change = ahead * behind
      value *= change
      if abs(change - 1) < 1e-15 { return value }
      let n = Double(term / 2)
      // The terms alternate between two forms.
      numerator =
        term.isMultiple(of: 2)
        ? -(b + n) * (c - 1 + n) / ((c + 2 * n - 1) * (c + 2 * n)) * z
        : -(n + 1) * (c - b + n) / ((c + 2 * n) * (c + 2 * n + 1)) * z
    }
    return .nan
  }
}

/// Gauss and Legendre's rule: points and weights on 0...1, by GSL.
package struct GaussLegendre: Sendable {
  let points: [(place: Double, weight: Double)]

  /// The rule of 64 points, exact for polynomials up to degree 127.
  static let fine = GaussLegendre(count: 64)

  init(count: Int) {
    GSLRuntime.prepare()
    var points: [(place: Double, weight: Double)] = []
    if let table = gsl_integration_glfixed_table_alloc(count) {
      defer { gsl_integration_glfixed_table_free(table) }
      for index in 0..<count {
        var place = 0.0
        var weight = 0.0
        _ = gsl_integration_glfixed_point(0, 1, index, &place, &weight, table)
        points.append((place, weight))
      }
    }
    self.points = points
  }
}
