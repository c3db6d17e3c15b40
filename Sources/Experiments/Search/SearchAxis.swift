internal import Foundation

/// One setting as a search moves it: from 0 to 1 inside, in the setting's own unit outside.
///
/// A search tries no value finer than a setting's grain: the whole numbers of a whole domain, four
/// significant digits of a logarithmic one, and of a real one decimals that part the range into
/// 1,000 to 10,000 values. So answers are short numbers, and a value comes up twice, which is then
/// not run again.
package struct SearchAxis: Equatable, Sendable {
  package let domain: RootSettings.Domain
  /// The ends of the domain that can be reached.
  package let low: Double
  package let high: Double
  /// Decimals of the finest value that the setting takes; nil where every double is one.
  private let finest: Int?

  /// - Throws: `StatisticsError.badRange` for an empty domain, `.count` for a bad step.
  package init(
    _ domain: RootSettings.Domain, decimals: Int? = nil
  ) throws(StatisticsError) {
    let settings = RootSettings(domain: domain, figure: .mean, requirement: .atMost(0))
    try settings.check()
    self.domain = domain
    finest = decimals
    (low, high) = settings.ends
  }

  /// The value at a place from 0 (the low end) to 1, not rounded.
  func value(at place: Double) -> Double {
    if place <= 0 { return low }
    if place >= 1 { return high }
    if case .logarithmic = domain { return low * pow(high / low, place) }
    return low + (high - low) * place
  }

  /// The place of a value, from 0 to 1.
  package func place(of value: Double) -> Double {
    let place =
      if case .logarithmic = domain { log(value / low) / log(high / low) } else {
        (value - low) / (high - low)
      }
    return max(0, min(1, place))
  }

  /// A value of the grain next to a place: the nearest, the next below or the next above.
  package func rounded(_ place: Double, _ rule: FloatingPointRoundingRule) -> Double {
    let raw = value(at: place)
    guard raw > low, raw < high else { return raw }
    if case .whole(let first, _, let step) = domain {
      let steps = SearchAxis.whole((raw - low) / Double(step), rule)
      return Double(first) + steps * Double(step)
    }
    let value = SettingGrain.rounded(raw, decimals: decimals(at: raw), rule)
    return max(low, min(high, value))
  }

  /// A count of grains; what is whole but for rounding errors is not moved to a neighbor.
  private static func whole(_ count: Double, _ rule: FloatingPointRoundingRule) -> Double {
    let nearest = count.rounded()
    return abs(count - nearest) < 1e-6 ? nearest : count.rounded(rule)
  }

  /// Decimals of the grain at a value; below 0 for tens, hundreds and so on.
  private func decimals(at value: Double) -> Int {
    let size = if case .logarithmic = domain { value } else { high - low }
    return min(finest ?? .max, 3 - Int(log10(size).rounded(.down)))
  }

  /// The distance of neighboring whole values as a share of the range; 0 for other domains.
  var wholeStep: Double {
    if case .whole(_, _, let step) = domain { return Double(step) / (high - low) }
    return 0
  }
}
