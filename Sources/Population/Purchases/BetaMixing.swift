internal import CGSL
internal import EventKernel
internal import Foundation

/// Points and weights for means over p ~ Beta(a, b), for any a, b > 0.
///
/// The range is split at the mean, and on each side the tanh-sinh rule places the points: they
/// crowd at both ends, where the density may have a pole or its peak. What is nearer to 0 or 1
/// than 10⁻²⁷⁵ is counted at the end itself. The weights hold to about 10⁻¹¹ for a and b from
/// 0.04 to 500, to 10⁻⁷ from 0.02, to 10⁻⁴ from 0.005, and are then scaled to sum to 1.
///
/// Source: Takahasi and Mori 1974, doi:10.2977/prims/1195192451.
package struct BetaMixing: Sendable {
  private let points: [(p: Double, weight: Double)]
  /// Whether the weights summed to 1 within 10⁻⁴ before they were scaled.
  private let isSound: Bool

  /// The rule on 0...1: places, what is left to 1, and weights.
  private static let rule: [(place: Double, rest: Double, weight: Double)] = {
    let (step, count) = (1.0 / 16, 96)
    return (-count...count).map { index in
      let t = step * Double(index)
      let reach = Double.pi * sinh(t)
      let place = 1 / (1 + exp(-reach))
      let rest = 1 / (1 + exp(reach))
      let end = abs(index) == count ? 0.5 : 1
      return (place, rest, end * step * Double.pi * cosh(t) * place * rest)
    }
  }()

  /// - Parameters:
  ///   - a: Above 0.
  ///   - b: Above 0.
  init(_ a: Double, _ b: Double) {
    GSLRuntime.prepare()
    var scale = gsl_sf_result()
    let status = gsl_sf_lnbeta_e(a, b, &scale)
    let middle = a / (a + b)
    let beyond = b / (a + b)
    var points: [(p: Double, weight: Double)] = []
    func add(_ p: Double, _ q: Double, _ weight: Double) {
      let density = exp((a - 1) * log(p) + (b - 1) * log(q) - scale.val)
      points.append((p, weight * density))
    }
    for (place, rest, weight) in Self.rule {
      add(middle * place, beyond + middle * rest, middle * weight)
      add(middle + beyond * place, beyond * rest, beyond * weight)
    }
    // The masses beyond the outermost points, where only one factor of the density matters.
    if let first = Self.rule.first, let last = Self.rule.last {
      let low = exp(a * log(middle * first.place) - log(a) - scale.val)
      let high = exp(b * log(beyond * last.rest) - log(b) - scale.val)
      points += [(0, low), (1, high)]
    }
    let sum = points.reduce(0) { $0 + $1.weight }
    self.points = points.map { ($0.p, $0.weight / sum) }
    isSound = status == Int32(GSL_SUCCESS) && abs(sum - 1) < 1e-4
  }

  /// E[f(p)] of a smooth f; NaN when the rule does not hold for these parameters.
  package func mean(_ f: (Double) -> Double) -> Double {
    guard isSound else { return .nan }
    var sum = 0.0
    for point in points { sum += point.weight * f(point.p) }
    return sum
  }
}
