package import Quantities

/// The value of one setting, exact in its own shape.
package enum SettingValue: Sendable, Equatable {
  case integer(Int128)
  case decimal(Double)
  case money(MicroUSDT)
  /// A share of a whole, in basis points.
  case share(BasisPoints)
  /// A share of a whole that the typed settings keep as a double.
  case fraction(Double)
  /// A share of a whole, in thousandths of a percent.
  case rate(thousandths: Int64)
  /// A factor in basis points: 10,000 is 1.
  case multiplier(BasisPoints)
  case duration(TimeSpan)
  case date(CivilDate)
  case text(String)
  /// A word of a list of words, an IANA zone or a threshold: text that needs no quotes.
  case word(String)
  case flag(Bool)
  case list([SettingValue])
  /// The fields of one record, in the order of its description.
  case record([SettingValue])
  /// An optional setting that is left open.
  case none

  /// The value as a person would write it, and as it reads back.
  package var text: String {
    switch self {
    case .integer(let value): String(value)
    case .decimal(let value): ExactDecimal(shortest: value).plain
    case .money(let amount):
      ExactDecimal(mantissa: Int128(amount.microunits), exponent: -6).plain
    case .share(let share):
      ExactDecimal(mantissa: Int128(share.rawValue), exponent: -2).plain + " %"
    case .fraction(let value): Self.percent(value)
    case .rate(let thousandths):
      ExactDecimal(mantissa: Int128(thousandths), exponent: -3).plain + " %"
    case .multiplier(let factor):
      ExactDecimal(mantissa: Int128(factor.rawValue), exponent: -4).plain
    case .duration(let span): Self.durationText(span)
    case .date(let date): date.description
    case .text(let text), .word(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .record(let fields): "{" + fields.map(\.text).joined(separator: ", ") + "}"
    case .none: "null"
    }
  }

  private static func percent(_ value: Double) -> String {
    var exact = ExactDecimal(shortest: value)
    if exact.mantissa != 0 { exact.exponent += 2 }
    return exact.plain + " %"
  }

  /// The largest unit that divides a span, for example `90 d`.
  private static func durationText(_ span: TimeSpan) -> String {
    for unit in DurationUnit.allCases.reversed()
    where span.microseconds % unit.microseconds == 0 && span.microseconds != 0 {
      return "\(span.microseconds / unit.microseconds) \(unit.rawValue)"
    }
    return "0 s"
  }
}
