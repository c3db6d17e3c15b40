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

  /// One of `figures`.
  package let figure: String
  package let comparison: Comparison
  /// Finite; a ratio is written as such or as a percentage (`0.95` or `95 %`).
  package let bound: Double
  /// The threshold as it was written.
  package let text: String
  /// Line of the scenario file, from 1; nil for an override.
  package var line: Int?

  /// The figures that a threshold can name. Utilisations are ratios of spend to budget over the
  /// months of a run; spend and payouts are in USDT; the rest are counts.
  package static let figures: [String] = [
    "budget.utilisation.year", "budget.utilisation.max", "budget.utilisation.mean",
    "budget.utilisation.p50", "budget.utilisation.p95", "budget.spend.year",
    "budget.months.warning", "budget.months.critical", "members.total", "scans.accepted",
    "tins.sold", "payouts.total", "prizes.awarded",
  ]

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
      throw Refusal("'\(sign)' is no comparison", "write one of < <= > >=")
    }
    guard figures.contains(figure) else {
      let meant = nearest(to: figure, among: figures).map { "did you mean '\($0)'?" }
      throw Refusal(
        figure.isEmpty ? "names no figure" : "unknown figure '\(figure.shortened)'",
        meant ?? "figures are \(figures.joined(separator: ", "))")
    }
    let (digits, unit) = rest.splitUnit
    guard let number = ExactDecimal(digits), unit.isEmpty || unit == "%" else {
      throw Refusal("'\(rest.shortened)' is no number to compare with", form)
    }
    let bound = (unit == "%" ? number.percent : number).double
    return Expectation(
      figure: figure, comparison: comparison, bound: bound, text: text, line: line)
  }
}

extension String {
  /// Without spaces at either end.
  var trimmed: String {
    let front = drop { $0 == " " }
    return String(front.reversed().drop { $0 == " " }.reversed())
  }
}
