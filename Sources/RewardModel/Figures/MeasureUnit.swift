/// What a number is measured in: the one list of units, for figures, daily series,
/// pages, plots and histories.
///
/// A record holds whole numbers; a figure is the same number divided by
/// `scale`, in the unit that people compare it in. The raw value is the unit's word in run folders.
package enum MeasureUnit: String, FieldChoice, Sendable, Codable {
  case count
  /// Stored in millionths of the program's currency.
  case money
  /// Stored in basis points; a figure is a ratio.
  case share = "basis_points"
  /// Stored in microseconds; a figure is in seconds.
  case duration = "micros"
  /// Microseconds since 1970-01-01T00:00:00Z.
  case instant
  /// Days of 24 hours.
  case days
  /// 0 or 1.
  case flag
  case text
  /// A long text of digits, which people see shortened.
  case hash

  /// Whole numbers as they are stored in one unit of a figure.
  package var scale: Double {
    switch self {
    case .money, .duration, .instant: 1e6
    case .share: 1e4
    case .count, .days, .flag, .text, .hash: 1
    }
  }

  /// What experiments call the unit of a figure in JSON.
  package func measure(in currency: Currency) -> String {
    switch self {
    case .count, .flag, .text, .hash: "count"
    case .money: currency.code.lowercased()
    case .share: "ratio"
    case .duration, .instant: "seconds"
    case .days: "days"
    }
  }

  /// What a figure of this unit is, as the end of a sentence.
  package func predicate(in currency: Currency) -> String {
    switch self {
    case .count, .flag: "a count"
    case .money: "in \(currency.code)"
    case .share: "a share"
    case .duration, .instant: "in seconds"
    case .days: "in days"
    case .text, .hash: "a text"
    }
  }

  /// What a key of this unit ends with in JSON and CSV, where stored numbers are printed.
  package var suffix: String {
    switch self {
    case .money: "_micro"
    case .share: "_bp"
    case .duration: "_us"
    case .count, .instant, .days, .flag, .text, .hash: ""
    }
  }
}
