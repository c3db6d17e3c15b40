package import Quantities

/// What values a setting takes.
package indirect enum SettingShape: Sendable {
  case integer(ClosedRange<Int128>)
  /// A finite double.
  case decimal(NumberRange)
  /// Money in micro-units of a currency, whose word may stand behind the number.
  case money(ClosedRange<Int64>, currency: Currency)
  /// A share exact to a basis point, up to `most` basis points.
  case share(most: Int64)
  /// A share kept as a double, up to `most`.
  case fraction(most: Double)
  /// A share exact to a thousandth of a percent, up to `most` of them.
  case rate(most: Int64)
  /// A factor exact to a ten-thousandth, up to `most` ten-thousandths.
  case multiplier(most: Int64)
  /// A span that is a whole number of `step`.
  case duration(ClosedRange<TimeSpan>, step: TimeSpan)
  case date
  case zone
  case flag
  case choice([String])
  case text(most: Int)
  /// Text of a form of its own.
  case form(TextForm)
  case list(SettingShape, count: ClosedRange<Int>)
  case records([SettingDescription], count: ClosedRange<Int>)
  case optional(SettingShape)
  /// A group of settings that the word `none` turns off.
  case offSwitch
}

extension SettingShape {
  /// What is accepted, in words that complete 'write …'.
  package var wanted: String {
    switch self {
    case .integer(let range):
      "a whole number from \(range.lowerBound) to "
        + (range.upperBound == Int128(UInt64.max) ? "2^64-1" : "\(range.upperBound)")
    case .decimal(let range): "a number, \(range.words)"
    case .money(let range, let currency):
      "an amount in \(currency.code) with up to 6 decimals, \(Self.plain(range.lowerBound)) to "
        + "\(Self.plain(range.upperBound))"
    case .share(let most): "a share such as 0.6 or 60 %, 0 % to \(most / 100) %"
    case .rate(let most):
      "a rate such as 6.875 %, 0 % to \(SettingValue.rate(thousandths: most).text)"
    case .fraction(let most):
      "a share such as 0.6 or 60 %, 0 % to \(SettingValue.fraction(most).text)"
    case .multiplier(let most): "a factor such as 1.25, 0 to \(most / 10_000)"
    case .duration(let range, _):
      "a number with its unit (\(DurationUnit.allCases.map(\.rawValue).joined(separator: ", "))), "
        + "\(SettingValue.duration(range.lowerBound).text) to "
        + "\(SettingValue.duration(range.upperBound).text)"
    case .date: "a date as YYYY-MM-DD, 1970-01-01 to 2199-12-31"
    case .zone: "an IANA time zone such as America/New_York or UTC"
    case .flag: "true or false"
    case .choice(let words): words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
    case .text(let most): "text of 1 to \(most) characters"
    case .form(let form): form.wanted
    case .list(let element, let count):
      count.lowerBound == count.upperBound
        ? "a list of \(count.upperBound) entries, each \(element.wanted)"
        : "a list, each entry \(element.wanted)"
    case .records(let fields, _):
      "a list of entries with \(fields.map(\.path).joined(separator: ", "))"
    case .optional(let shape): "\(shape.wanted), or \(shape.leavesNone ? "none" : "null")"
    case .offSwitch: "none, or the settings of this group"
    }
  }

  /// Micro-units as whole units without needless zeros.
  private static func plain(_ microunits: Int64) -> String {
    SettingValue.money(MicroUSDT(microunits: microunits)).text
  }
}
