internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// Numbers as settings take them: never finer than a setting can be.
enum SettingGrain {
  /// A number for a setting, rounded to its grain.
  ///
  /// - Parameters:
  ///   - unit: After the number, `%` or a unit of time; may be empty.
  ///   - present: The setting's value, which says its grain; nil where it is not known.
  static func text(_ value: Double, unit: String, like present: SettingValue?) -> String {
    let shift = unit == "%" ? 0 : 2
    switch present {
    case .integer: return plain(value, decimals: 0)
    case .share: return plain(value, decimals: 2 + shift) + unit
    case .rate: return plain(value, decimals: 3 + shift) + unit
    case .multiplier: return plain(value, decimals: 4)
    case .money, nil: return plain(value, decimals: 6) + unit
    default: return plain(value, decimals: significant(value)) + unit
    }
  }

  /// Whether a setting takes whole numbers of a unit only: one that counts things, without a unit,
  /// or one that lasts whole days, in days or weeks.
  static func isWhole(_ present: SettingValue?, unit: String) -> Bool {
    switch present {
    case .integer: unit.isEmpty
    case .duration(let span):
      ["d", "w"].contains(unit) && span.microseconds % 86_400_000_000 == 0
    default: false
    }
  }

  /// A setting's value times a factor, rounded to its grain; spans of whole days stay whole days.
  ///
  /// - Returns: Nil for a value that is not a number.
  static func text(_ present: SettingValue, times factor: Double) -> String? {
    switch present {
    case .integer(let value): return text(Double(value) * factor, unit: "", like: present)
    case .decimal(let value): return text(value * factor, unit: "", like: present)
    case .money(let amount): return text(amount.usdt * factor, unit: "", like: present)
    case .share(let share):
      return text(Double(share.rawValue) / 100 * factor, unit: "%", like: present)
    case .fraction(let value): return text(value * 100 * factor, unit: "%", like: present)
    case .rate(let thousandths):
      return text(Double(thousandths) / 1_000 * factor, unit: "%", like: present)
    case .multiplier(let value):
      return text(Double(value.rawValue) / 10_000 * factor, unit: "", like: present)
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
