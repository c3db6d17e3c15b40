internal import RewardModel

/// A threshold that a run has to meet, for example `budget.utilisation.p95 < 1.0`.
package struct Expectation: Sendable, Equatable {
  /// How a figure is compared with its bound.
  package enum Comparison: String, CaseIterable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case more = ">"
    case moreOrEqual = ">="

    /// Whether `figure` meets `bound`; false when either is not a number.
    package func holds(_ figure: Double, _ bound: Double) -> Bool {
      switch self {
      case .less: figure < bound
      case .lessOrEqual: figure <= bound
      case .more: figure > bound
      case .moreOrEqual: figure >= bound
      }
    }
  }

  /// One of `figures`, or one of `prefixes` with the key of a daily series behind it.
  package let figure: String
  package let comparison: Comparison
  /// Finite; a ratio is written as such or as a percentage (`0.95` or `95 %`).
  package let bound: Double
  /// The threshold as it was written.
  package let text: String
  /// Line of the scenario file, from 1; nil for an override.
  package var line: Int?

  /// The figures that a threshold can name. Utilisations are ratios of spend to budget over the
  /// months of a run; spend and payouts are in USDT; the error rate is the share of submissions
  /// that were refused; the rest are counts.
  package static let figures: [String] = [
    "budget.utilisation.year", "budget.utilisation.max", "budget.utilisation.mean",
    "budget.utilisation.p50", "budget.utilisation.p95", "budget.spend.year",
    "budget.months.warning", "budget.months.critical", "members.total", "scans.accepted",
    "tins.sold", "payouts.total", "prizes.awarded", "scans.error_rate", "reconciliation.alerts",
  ]

  /// What stands before the key of a daily series, as in `series.payouts.queue`: `series.` names
  /// its value at the run's end, `peak.` the largest at any day's end. Money is in USDT, times in
  /// seconds, shares are ratios, flags 0 or 1, the rest are counts. Which series a run has depends
  /// on its settings, so that an unknown key is found only at its end: it misses its threshold.
  package static let prefixes = ["series.", "peak."]

  /// Whether a name is a figure.
  private static func isKnown(_ name: String) -> Bool {
    figures.contains(name)
      || prefixes.contains { name.hasPrefix($0) && name.count > $0.count }
  }

  /// Reads `figure comparison number`.
  ///
  /// - Throws: `Refusal` that says what is wrong.
  static func read(_ text: String, line: Int? = nil) throws(Refusal) -> Expectation {
    let form = "write figure, one of < <= > >=, and a number, as in 'scans.accepted >= 1000'"
    let signs: Set<Character> = ["<", ">", "=", "!"]
    guard let first = text.firstIndex(where: signs.contains) else {
      throw Refusal("'\(text.shortened)' compares nothing", form)
    }
    let sign = String(text[first...].prefix(while: signs.contains))
    let figure = String(text[..<first]).trimmed
    let rest = String(text[first...].dropFirst(sign.count)).trimmed
    guard let comparison = Comparison(rawValue: sign) else {
      throw Refusal("'\(sign)' is not a comparison", "write one of < <= > >=")
    }
    guard isKnown(figure) else {
      let meant = nearest(to: figure, among: figures).map { "did you mean '\($0)'?" }
      let all = figures + prefixes.map { $0 + "KEY" }
      throw Refusal(
        figure.isEmpty ? "names no figure" : "unknown figure '\(figure.shortened)'",
        meant ?? "figures are \(all.joined(separator: ", "))")
    }
    let (digits, unit) = rest.splitUnit
    guard let number = ExactDecimal(digits), unit.isEmpty || unit == "%" else {
      throw Refusal("'\(rest.shortened)' is not a number to compare with", form)
    }
    let bound = (unit == "%" ? number.percent : number).double
    return Expectation(
      figure: figure, comparison: comparison, bound: bound, text: text, line: line)
  }
}

extension Expectation {
  /// The form of a threshold in a file.
  static let form = TextForm(
    wanted: "a threshold such as 'budget.utilisation.p95 < 1.0'",
    pattern: "^ *(\(patterns.joined(separator: "|"))) *(<|<=|>|>=) *"
      + #"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?( *%)? *$"#,
    check: { text throws(Refusal) in _ = try read(text) })

  private static var patterns: [String] {
    (figures + prefixes).map { $0.replacing(".", with: #"\."#) }
      .map { $0.hasSuffix(".") ? $0 + "[^<>=!]*[^<>=! ]" : $0 }
  }
}
