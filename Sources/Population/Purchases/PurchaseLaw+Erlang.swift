internal import CGSL
internal import EventKernel
internal import Foundation

/// BG and MBG with Erlang gaps (CNBD-k): a gap has k phases of rate λ ~ Gamma(r, α).
///
/// The j-th repeat purchase ends the (jk)-th phase, and a sum of n phases at λ ~ Gamma(c, w) is at
/// most t with probability I_z(n, c), z = t/(t + w), the regularized incomplete beta function. All
/// that follows are sums of it. A customer seen with (x, tₓ, T) who is still there has ended
/// j = 0 … k − 1 phases since tₓ, with weights (T − tₓ)ʲ/j! · Γ(r + kx + j) · (α + T)^−(r+kx+j),
/// and given j a rate ~ Gamma(r + kx + j, α + T).
///
/// Source: Platzer and Reutterer 2016, doi:10.1287/mksc.2015.0963, for the models; the sums are
/// elementary renewal theory.
extension PurchaseLaw {
  /// Purchases beyond which no sum goes.
  private static let most = 5_000

  /// P(n phases end within t weeks) at λ ~ Gamma(rate, weeks).
  private static func reached(_ n: Int, _ rate: Double, _ weeks: Double, _ t: Double) -> Double {
    guard t > 0 else { return 0 }
    GSLRuntime.prepare()
    var result = gsl_sf_result()
    let status = gsl_sf_beta_inc_e(Double(n), rate, t / (t + weeks), &result)
    return status == Int32(GSL_SUCCESS) ? result.val : .nan
  }

  /// P(X(t) ≥ j) for j = 1, 2, … while `each` wants more and it does not vanish.
  ///
  /// - Returns: False where it goes on beyond `most`.
  @discardableResult
  private func erlangTail(
    _ t: Double, _ each: (_ purchase: Int, _ tail: Double) -> Bool
  ) -> Bool {
    // E[(1 − p)^m], m the chances to leave before the j-th repeat purchase.
    var stay = model == .mbgNbd ? second / (first + second) : 1
    var chances = early
    for purchase in 1...Self.most {
      let tail = stay * Self.reached(purchase * shape, r, alpha, t)
      guard each(purchase, tail), tail > 1e-13 else { return true }
      stay *= (second + chances) / (first + second + chances)
      chances += 1
    }
    return false
  }

  /// See `means`.
  func erlangMean(_ t: Double) -> Double {
    var sum = 0.0
    let isWhole = erlangTail(t) { _, tail in
      sum += tail
      return true
    }
    return isWhole ? sum : .nan
  }

  /// See `probabilities`.
  func erlangProbabilities(_ t: Double, _ count: Int) -> [Double] {
    var tails = [1.0] + [Double](repeating: 0, count: count)
    erlangTail(t) { purchase, tail in
      tails[purchase] = tail
      return purchase < count
    }
    return (0..<count).map { tails[$0] - tails[$0 + 1] }
  }

  /// ln of the weights of the phases that have ended since tₓ, for j = 0 … k − 1.
  package func phases(repeats x: Int, last: Double, span: Double) -> [Double] {
    let rate = r + Double(shape * x)
    let weeks = log(alpha + span)
    let wait = span - last
    return (0..<shape).map { j in
      let own = -(rate + Double(j)) * weeks
      guard j > 0 else { return own }
      guard wait > 0 else { return -.infinity }
      return own + Double(j) * log(wait) - lgamma(Double(j + 1))
        + SpecialFunctions.logPochhammer(rate, Double(j))
    }
  }

  /// See `alive`.
  func erlangAlive(repeats x: Int, last: Double, span: Double) -> Double {
    let chances = Double(x) + early
    guard chances > 0 else { return 1 }
    let stay = phases(repeats: x, last: last, span: span).reduce(-.infinity) {
      SpecialFunctions.logSum($0, $1)
    }
    let leave =
      log(first / (second + chances - 1)) - (r + Double(shape * x)) * log(alpha + last)
    return 1 / (1 + exp(leave - stay))
  }

  /// See `next`.
  func erlangNext(_ t: Double, repeats x: Int, last: Double, span: Double) -> Double {
    let logs = phases(repeats: x, last: last, span: span)
    let whole = logs.reduce(-.infinity) { SpecialFunctions.logSum($0, $1) }
    var sum = 0.0
    for (ended, log) in logs.enumerated() where log > -.infinity {
      let rate = r + Double(shape * x + ended)
      var stay = 1.0
      var chances = Double(x) + early
      var share = 1.0
      var purchase = 0
      while share > 1e-13, purchase < Self.most {
        purchase += 1
        share = stay * Self.reached(purchase * shape - ended, rate, alpha + span, t)
        sum += exp(log - whole) * share
        stay *= (second + chances) / (first + second + chances)
        chances += 1
      }
      // Unless the rest vanishes, too, nothing is known of the sum.
      guard share <= 1e-13 else { return .nan }
    }
    return sum * erlangAlive(repeats: x, last: last, span: span)
  }
}
