import BlakJaks
// Goal: a second opinion on the buy-till-you-die models that shares no formula with them.
// Method: the likelihood, the forecast and the probabilities of one customer with known rate and
// dropout, weighted with the mixing densities on a grid (tanh-sinh rule in two dimensions; Takahasi and Mori 1974,
// doi:10.2977/prims/1195192451).
import CGSL
import EventKernel
import Experiments
import Foundation
import Population

/// The mean of something of one customer over customers' rates λ and dropouts (p or μ).
struct Mixing {
  let law: PurchaseLaw
  private let rates: [(value: Double, weight: Double)]
  private let dropouts: [(value: Double, weight: Double)]

  init(_ law: PurchaseLaw) {
    GSLRuntime.prepare()
    self.law = law
    rates = Self.grid(gsl_cdf_gamma_Qinv(1e-13, law.r, 1 / law.alpha)) {
      gsl_ran_gamma_pdf($0, law.r, 1 / law.alpha)
    }
    dropouts =
      law.model == .paretoNbd
      ? Self.grid(gsl_cdf_gamma_Qinv(1e-13, law.first, 1 / law.second)) {
        gsl_ran_gamma_pdf($0, law.first, 1 / law.second)
      } : Self.grid(1) { gsl_ran_beta_pdf($0, law.first, law.second) }
  }

  /// Points on 0...`end`, close together at both ends, with weights that hold the density.
  private static func grid(
    _ end: Double, _ density: (Double) -> Double
  ) -> [(value: Double, weight: Double)] {
    let step = 0.05
    return (-64...64).map { place in
      let t = step * Double(place)
      let reach = Double.pi / 2 * sinh(t)
      let value = end / (1 + exp(-2 * reach))
      let slope = end / 2 * Double.pi / 2 * cosh(t) / pow(cosh(reach), 2)
      return (value, step * slope * density(value))
    }
  }

  func mean(_ value: (_ rate: Double, _ dropout: Double) -> Double) -> Double {
    var sum = 0.0
    for rate in rates where rate.weight > 0 {
      for dropout in dropouts where dropout.weight > 0 {
        sum += rate.weight * dropout.weight * value(rate.value, dropout.value)
      }
    }
    return sum
  }

  private func power(_ base: Double, _ exponent: Int) -> Double { pow(base, Double(exponent)) }

  /// Likelihood of (x, tₓ, T) and still being there at T.
  func staying(_ x: Int, _ span: Double, _ rate: Double, _ dropout: Double) -> Double {
    let buying = power(rate, x) * exp(-rate * span)
    return switch law.model {
    case .bgNbd: power(1 - dropout, x) * buying
    case .mbgNbd: power(1 - dropout, x + 1) * buying
    case .paretoNbd: exp(-dropout * span) * buying
    }
  }

  /// Likelihood of (x, tₓ, T) and having left before T.
  func leaving(
    _ x: Int, _ last: Double, _ span: Double, _ rate: Double, _ dropout: Double
  ) -> Double {
    let buying = power(rate, x) * exp(-rate * last)
    switch law.model {
    case .bgNbd: return x == 0 ? 0 : dropout * power(1 - dropout, x - 1) * buying
    case .mbgNbd: return dropout * power(1 - dropout, x) * buying
    case .paretoNbd:
      // Left at some y between tₓ and T, with no purchase in between.
      let both = rate + dropout
      guard both > 0 else { return 0 }
      return power(rate, x) * dropout / both * (exp(-both * last) - exp(-both * span))
    }
  }

  /// Expected purchases in t weeks by somebody who is there.
  func coming(_ t: Double, _ rate: Double, _ dropout: Double) -> Double {
    let hazard = law.model == .paretoNbd ? dropout : rate * dropout
    return hazard < 1e-12 ? rate * t : rate * -expm1(-hazard * t) / hazard
  }

  /// P(x purchases in t weeks).
  func probability(_ x: Int, _ t: Double, _ rate: Double, _ dropout: Double) -> Double {
    let exactly = gsl_ran_poisson_pdf(UInt32(x), rate * t)
    let atLeast = x == 0 ? 1 : gsl_cdf_poisson_Q(UInt32(x - 1), rate * t)
    switch law.model {
    case .bgNbd:
      let left = x == 0 ? 0 : dropout * power(1 - dropout, x - 1) * atLeast
      return power(1 - dropout, x) * exactly + left
    case .mbgNbd:
      return power(1 - dropout, x + 1) * exactly + dropout * power(1 - dropout, x) * atLeast
    case .paretoNbd:
      let both = rate + dropout
      guard both > 0 else { return x == 0 ? 1 : 0 }
      // x purchases first and then leaving, all of it before t; or none of the leaving by t.
      let left = power(rate / both, x) * dropout / both * gsl_cdf_poisson_Q(UInt32(x), both * t)
      return left + exp(-dropout * t) * exactly
    }
  }
}

/// Laws on both sides of what the formulas distinguish: α above and below β, a near 1 and away from it.
let smoothLaws: [PurchaseLaw] = [
  PurchaseLaw(model: .bgNbd, r: 1.5, alpha: 6, first: 2.2, second: 3.1),
  PurchaseLaw(model: .bgNbd, r: 3, alpha: 2, first: 1, second: 4),
  PurchaseLaw(model: .mbgNbd, r: 1.5, alpha: 6, first: 2.2, second: 3.1),
  PurchaseLaw(model: .mbgNbd, r: 4, alpha: 9, first: 1.0001, second: 2),
  PurchaseLaw(model: .paretoNbd, r: 1.5, alpha: 6, first: 2, second: 20),
  PurchaseLaw(model: .paretoNbd, r: 3, alpha: 30, first: 1.7, second: 9),
  PurchaseLaw(model: .paretoNbd, r: 2, alpha: 10, first: 1.5, second: 10),
]

extension EstimatedInterval {
  /// Whether both ends are known.
  var isBounded: Bool { low != nil && high != nil }
}
