internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// Numbers as settings take them: never finer than a setting can be.
enum SettingGrain {
  /// Decimals of the finest number that a setting of a shape takes, in a unit.
  ///
  /// - Parameters:
  ///   - shape: Nil where the setting is not known.
  ///   - unit: After the number, `%` or a unit of time; may be empty.
  /// - Returns: Nil where every double is a value, or the unit has no such grain.
  static func decimals(_ shape: SettingShape?, unit: String) -> Int? {
    let shift = unit == "%" ? 0 : 2
    switch shape {
    case .integer: return unit.isEmpty ? 0 : nil
    case .share: return 2 + shift
    case .rate: return 3 + shift
    case .multiplier: return 4
    case .money: return 6
    case .duration(_, let step):
      // Whole days; weeks are then whole as well, for a seventh has no last digit.
      return ["d", "w"].contains(unit) && step == .days(1) ? 0 : nil
    case .optional(let inner): return decimals(inner, unit: unit)
    default: return nil
    }
  }

  /// Between which numbers a setting of a shape lies, in a unit: `%`, a unit of time, or none, which
  /// takes shares of 1 and microseconds.
  ///
  /// - Returns: Nil where its values are not numbers, or have no such unit.
  static func bounds(_ shape: SettingShape, unit: String) -> ClosedRange<Double>? {
    let hundred = unit == "%" ? 100.0 : 1
    switch shape {
    case .integer(let range): return Double(range.lowerBound)...Double(range.upperBound)
    case .decimal(let range): return range.lower...range.upper
    case .money(let range, _):
      return Double(range.lowerBound) / 1e6...Double(range.upperBound) / 1e6
    case .share(let most): return 0...Double(most) / 10_000 * hundred
    case .fraction(let most): return 0...most * hundred
    case .rate(let most): return 0...Double(most) / 100_000 * hundred
    case .multiplier(let most): return 0...Double(most) / 10_000
    case .duration(let range, _):
      guard unit.isEmpty || DurationUnit(rawValue: unit) != nil else { return nil }
      let one = Double(DurationUnit(rawValue: unit)?.microseconds ?? 1)
      return Double(range.lowerBound.microseconds) / one...Double(range.upperBound.microseconds)
        / one
    case .optional(let inner): return bounds(inner, unit: unit)
    case .date, .zone, .flag, .choice, .text, .form, .list, .records, .offSwitch: return nil
    }
  }

  /// A setting's value as a number: shares of 1, microseconds, whole units of money.
  ///
  /// - Returns: Nil for what is not a number.
  static func number(_ value: SettingValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .decimal(let value), .fraction(let value): value
    case .money(let amount): amount.usdt
    case .share(let share), .multiplier(let share): Double(share.rawValue) / 10_000
    case .rate(let thousandths): Double(thousandths) / 100_000
    case .duration(let span): Double(span.microseconds)
    case .date, .text, .word, .flag, .list, .record, .none: nil
    }
  }

  /// A number as it is written: with the decimals of its setting or, where every double is a value
  /// of it, with nine digits of a small number and six decimals of any other.
  static func text(_ value: Double, decimals: Int?) -> String {
    guard let decimals else { return plain(value, decimals: significant(value)) }
    return plain(rounded(value, decimals: decimals, .toNearestOrAwayFromZero), decimals: decimals)
  }

  /// Ten to a power from 0 on.
  static func power(_ decimals: Int) -> Double { pow(10, Double(decimals)) }

  /// A number with so many decimals; what has them but for an error of rounding stays.
  ///
  /// - Parameter decimals: Below 0 for tens, hundreds and so on.
  static func rounded(
    _ value: Double, decimals: Int, _ rule: FloatingPointRoundingRule = .toNearestOrEven
  ) -> Double {
    // Tens to a negative power are not exact, so that decimals multiply and thousands divide.
    let scale = power(abs(decimals))
    let count = decimals >= 0 ? value * scale : value / scale
    let near = count.rounded()
    let whole = abs(count - near) < 1e-6 ? near : count.rounded(rule)
    return decimals >= 0 ? whole / scale : whole * scale
  }

  /// A setting's value times a factor, rounded to its grain; spans of whole days stay whole days.
  ///
  /// - Returns: Nil for a value that is not a number.
  static func text(_ present: SettingValue, times factor: Double) -> String? {
    switch present {
    case .integer(let value): return text(Double(value) * factor, decimals: 0)
    case .decimal(let value): return text(value * factor, decimals: nil)
    case .money(let amount): return text(amount.usdt * factor, decimals: 6)
    case .share(let share):
      return text(Double(share.rawValue) / 100 * factor, decimals: 2) + "%"
    case .fraction(let value): return text(value * 100 * factor, decimals: nil) + "%"
    case .rate(let thousandths):
      return text(Double(thousandths) / 1_000 * factor, decimals: 3) + "%"
    case .multiplier(let value):
      return text(Double(value.rawValue) / 10_000 * factor, decimals: 4)
    case .duration(let span):
      let product = Double(span.microseconds) * factor
      let day = 86_400e6
      return span.microseconds % 86_400_000_000 == 0
        ? plain(product / day, decimals: 0) + " d" : plain(product, decimals: 0) + " us"
    case .date, .text, .word, .flag, .list, .record, .none: return nil
    }
  }

  /// Decimals that leave nine digits of a small number and six of any other.
  private static func significant(_ value: Double) -> Int {
    guard value != 0, abs(value) < 1 else { return 6 }
    return min(15, 8 - Int(log10(abs(value)).rounded(.down)))
  }

  /// A number without exponent and without zeros in excess.
  static func plain(_ value: Double, decimals: Int) -> String {
    var text = String(format: "%.\(decimals)f", value)
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text == "-0" ? "0" : text
  }
}
