internal import Foundation
internal import Quantities
internal import Scenario

extension SettingAxis {
  /// Its values from the first to the last, as people read them.
  package var rangeText: String {
    switch values {
    case .list(let words): words.joined(separator: ", ")
    case .range(let low, let high, _, _): "\(text(low)) to \(text(high))"
    }
  }

  /// A number of an axis as a setting of that shape can hold it: whole for counts, with as many
  /// digits as shares and multipliers have.
  ///
  /// - Parameters:
  ///   - unit: Behind the number, as in `%`.
  ///   - value: What the setting is now; nil when it is not known.
  static func written(_ number: Double, unit: String, like value: SettingValue?) -> String {
    let isPercent = unit == "%"
    let places: Int
    switch value {
    case .integer?: places = 0
    case .share?: places = isPercent ? 2 : 4
    case .rate?: places = isPercent ? 3 : 5
    case .multiplier?: places = isPercent ? 2 : 4
    default: return digits(number) + unit
    }
    let scale = pow(10, Double(places))
    return digits((number * scale).rounded() / scale) + unit
  }

  /// A factor on what a setting is now; nil where it has no number.
  static func stretched(_ value: SettingValue, by factor: Double) -> String? {
    switch value {
    case .integer(let number):
      written(Double(number) * factor, unit: "", like: value)
    case .decimal(let number): digits(number * factor)
    case .money(let amount): digits(Double(amount.microunits) / 1e6 * factor)
    case .share(let share):
      written(Double(share.rawValue) / 100 * factor, unit: "%", like: value)
    case .fraction(let share): digits(share * 100 * factor) + "%"
    case .rate(let thousandths):
      written(Double(thousandths) / 1_000 * factor, unit: "%", like: value)
    case .multiplier(let parts):
      written(Double(parts.rawValue) / 10_000 * factor, unit: "", like: value)
    case .duration(let span):
      digits((Double(span.microseconds) * factor).rounded()) + " us"
    default: nil
    }
  }
}
