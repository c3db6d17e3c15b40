import BlakJaks
// Goal: closed forms of the three published models of buying and leaving, as a second opinion.
// Method: Gauss's hypergeometric function by GSL, every status checked (a failure gives NaN, which
// no comparison passes), and the same moments once more by integrating the rate of purchases.
import CGSL
import EventKernel
import Foundation
import Population

/// One model with its parameters, in weeks. X(t) counts the purchases after the one at sign-up.
struct BuyTillYouDie: Sendable, CustomStringConvertible {
  var model: PurchaseModel
  var r: Double
  var alpha: Double
  /// BG, MBG: a of the beta distribution of p. Pareto: s of the gamma distribution of μ.
  var first: Double
  /// BG, MBG: b. Pareto: β.
  var second: Double

  /// Fader, Hardie and Lee 2005, table 2; MBG as population.md gives it.
  static let bg = Self(model: .bgNbd, r: 0.243, alpha: 4.414, first: 0.793, second: 2.426)
  static let mbg = Self(model: .mbgNbd, r: 0.525, alpha: 6.183, first: 0.891, second: 1.614)
  static let pareto = Self(model: .paretoNbd, r: 0.553, alpha: 10.578, first: 0.606, second: 11.669)

  /// Sets far from the published ones: quick and slow leavers, frequent and rare buyers.
  static let others = [
    Self(model: .bgNbd, r: 1.2, alpha: 2, first: 0.4, second: 16),
    Self(model: .bgNbd, r: 3.5, alpha: 7, first: 2.6, second: 1.3),
    Self(model: .mbgNbd, r: 1.2, alpha: 2, first: 0.4, second: 16),
    Self(model: .mbgNbd, r: 0.3, alpha: 1.5, first: 1.7, second: 5.2),
    Self(model: .paretoNbd, r: 1.4, alpha: 3, first: 2.2, second: 40),
    Self(model: .paretoNbd, r: 0.25, alpha: 5, first: 0.35, second: 3),
  ]

  var description: String { "\(model.rawValue) \(r) \(alpha) \(first) \(second)" }

  /// The settings that simulate the model as published: no season, Poisson purchases.
  var settings: PopulationSettings {
    var settings = PopulationSettings()
    settings.season.enabled = false
    settings.purchase.model = model
    settings.purchase.r = r
    settings.purchase.alpha = alpha
    settings.purchase.a = first
    settings.purchase.b = second
    settings.purchase.s = first
    settings.purchase.beta = second
    settings.purchase.erlang = 1
    return settings
  }

  /// ₂F₁(a, b; c; z) for 0 ≤ z < 1. GSL refuses z below −1, so all forms here keep z in range.
  static func hypergeometric(_ a: Double, _ b: Double, _ c: Double, _ z: Double) -> Double {
    GSLRuntime.prepare()
    var result = gsl_sf_result()
    let status = gsl_sf_hyperg_2F1_e(a, b, c, z, &result)
    return status == Int32(GSL_SUCCESS) && result.val.isFinite ? result.val : .nan
  }

  /// E[(1 − p)^k · (α / (α + p·t))^q] over p ~ Beta(a, b).
  private func mixed(_ k: Int, _ q: Double, _ t: Double) -> Double {
    var weight = 1.0
    for j in 0..<k { weight *= (second + Double(j)) / (first + second + Double(j)) }
    let b = second + Double(k)
    return weight * pow(alpha / (alpha + t), q)
      * Self.hypergeometric(q, b, first + b, t / (alpha + t))
  }

  /// Chances to leave before the first repeat purchase: 1 for MBG.
  private var early: Int { model == .mbgNbd ? 1 : 0 }

  /// Probability of not having left t weeks after sign-up.
  func alive(_ t: Double) -> Double {
    model == .paretoNbd ? pow(second / (second + t), first) : mixed(early, r, t)
  }

  /// E[X(t)], closed form.
  ///
  /// Sources: Fader, Hardie and Lee 2005, doi:10.1287/mksc.1040.0098, equation (9); Schmittlein,
  /// Morrison and Colombo 1987, doi:10.1287/mnsc.33.1.1; MBG: E[(1 − p)(1 − e^(−λpt)) / p].
  func mean(_ t: Double) -> Double {
    let z = t / (alpha + t)
    let decay = pow(alpha / (alpha + t), r)
    switch model {
    case .bgNbd:
      let sum = first + second - 1
      return sum / (first - 1) * (1 - decay * Self.hypergeometric(r, second, sum, z))
    case .mbgNbd:
      let hypergeometric = Self.hypergeometric(r, second + 1, first + second, z)
      return second / (first - 1) * (1 - decay * hypergeometric)
    case .paretoNbd:
      let left = pow(second / (second + t), first - 1)
      return r * second / (alpha * (first - 1)) * (1 - left)
    }
  }

  /// Expected purchases a week at age u: the integrand of E[X(t)].
  func purchaseRate(_ u: Double) -> Double {
    r / alpha * (model == .paretoNbd ? alive(u) : mixed(early, r + 1, u))
  }

  /// Var X(t), from E[X(X − 1)] = 2·∫ u · E[λ² · alive at u, staying on after one more] du.
  func variance(_ t: Double) -> Double {
    let pairs = Self.integral(0, t) { u in
      let staying = model == .paretoNbd ? alive(u) : mixed(early + 1, r + 2, u)
      return 2 * u * r * (r + 1) / (alpha * alpha) * staying
    }
    let mean = mean(t)
    return pairs + mean - mean * mean
  }

  /// Simpson's rule on 1,000 intervals.
  static func integral(_ from: Double, _ to: Double, _ f: (Double) -> Double) -> Double {
    let count = 1_000
    let step = (to - from) / Double(count)
    var sum = f(from) + f(to)
    for place in 1..<count {
      sum += f(from + Double(place) * step) * (place.isMultiple(of: 2) ? 2 : 4)
    }
    return sum * step / 3
  }
}

/// What only BG/NBD is published with.
extension BuyTillYouDie {
  private static func logBeta(_ x: Double, _ y: Double) -> Double {
    gsl_sf_lngamma(x) + gsl_sf_lngamma(y) - gsl_sf_lngamma(x + y)
  }

  /// P(X(t) = x) for x = 0 ..< count. Source: Fader, Hardie and Lee 2005, equation (8).
  func probabilities(_ t: Double, count: Int) -> [Double] {
    var negativeBinomial = pow(alpha / (alpha + t), r)
    var below = 0.0
    return (0..<count).map { x in
      let n = Double(x)
      let stay = exp(Self.logBeta(first, second + n) - Self.logBeta(first, second))
      var probability = stay * negativeBinomial
      if x > 0 {
        let leave = Self.logBeta(first + 1, second + n - 1) - Self.logBeta(first, second)
        probability += exp(leave) * (1 - below)
      }
      below += negativeBinomial
      negativeBinomial *= (r + n) / (n + 1) * t / (alpha + t)
      return probability
    }
  }

  /// P(alive at T | x repeat purchases, the last at tₓ).
  func alive(repeats x: Int, last: Double, weeks: Double) -> Double {
    guard x > 0 else { return 1 }
    let odds = first / (second + Double(x) - 1)
    return 1 / (1 + odds * pow((alpha + weeks) / (alpha + last), r + Double(x)))
  }

  /// E[purchases in the next t weeks | x, tₓ, T].
  ///
  /// Written as (1 − z)^(a−1) · ₂F₁(a+b−1−r, a−1; a+b+x−1; z), since the usual form overflows.
  func next(_ t: Double, repeats x: Int, last: Double, weeks: Double) -> Double {
    let z = t / (alpha + weeks + t)
    let sum = first + second + Double(x) - 1
    let series = Self.hypergeometric(first + second - 1 - r, first - 1, sum, z)
    return sum / (first - 1) * (1 - pow(1 - z, first - 1) * series)
      * alive(repeats: x, last: last, weeks: weeks)
  }
}
