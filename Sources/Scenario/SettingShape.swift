internal import Quantities

/// What values a setting takes.
indirect enum SettingShape: Sendable {
  case integer(ClosedRange<Int128>)
  /// A finite double.
  case decimal(NumberRange)
  /// USDT in micro-units.
  case money(ClosedRange<Int64>)
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
  case threshold
  case list(SettingShape, count: ClosedRange<Int>)
  case records([RecordField], count: ClosedRange<Int>)
  case optional(SettingShape)
  /// A group of settings that the word `none` turns off.
  case offSwitch
}

/// A range of doubles.
struct NumberRange: Sendable {
  let lower: Double
  let upper: Double
  /// Whether `lower` itself belongs to the range.
  var lowerIncluded = true

  static func atLeast(_ lower: Double, upTo upper: Double) -> NumberRange {
    NumberRange(lower: lower, upper: upper)
  }

  static func above(_ lower: Double, upTo upper: Double) -> NumberRange {
    NumberRange(lower: lower, upper: upper, lowerIncluded: false)
  }

  func contains(_ value: Double) -> Bool {
    (lowerIncluded ? value >= lower : value > lower) && value <= upper
  }

  /// The range for people, for example `more than 0, at most 10`.
  var words: String {
    let upperText = ExactDecimal(shortest: upper).plain
    let lowerText = ExactDecimal(shortest: lower).plain
    return lowerIncluded
      ? "\(lowerText) to \(upperText)" : "more than \(lowerText), at most \(upperText)"
  }
}

/// One field of the records of a list.
struct RecordField: Sendable {
  let key: String
  let shape: SettingShape
  let unit: String
  let mark: SettingMark
  let doc: String
  /// Nil when every record has to write the field.
  let standard: SettingValue?
}

extension SettingShape {
  /// What would do, for people: completes 'write …'.
  var wanted: String {
    switch self {
    case .integer(let range):
      "a whole number from \(range.lowerBound) to "
        + (range.upperBound == Int128(UInt64.max) ? "2^64-1" : "\(range.upperBound)")
    case .decimal(let range): "a number, \(range.words)"
    case .money(let range):
      "an amount in USDT with up to 6 decimals, \(Self.usdt(range.lowerBound)) to "
        + "\(Self.usdt(range.upperBound))"
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
    case .threshold: "a threshold such as 'budget.utilisation.p95 < 1.0'"
    case .list(let element, let count):
      count.lowerBound == count.upperBound
        ? "a list of \(count.upperBound) entries, each \(element.wanted)"
        : "a list, each entry \(element.wanted)"
    case .records(let fields, _):
      "a list of entries with \(fields.map(\.key).joined(separator: ", "))"
    case .optional(let shape): "\(shape.wanted), or null"
    case .offSwitch: "none, or the settings of this group"
    }
  }

  /// Micro-units as USDT without needless zeros.
  static func usdt(_ microunits: Int64) -> String {
    SettingValue.money(MicroUSDT(microunits: microunits)).text
  }
}
