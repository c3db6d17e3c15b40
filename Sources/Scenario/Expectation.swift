package import RewardModel

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

  /// Id of a figure of the program: money is in whole units of its currency, times in seconds,
  /// shares are ratios, flags 0 or 1. Which daily series a run has shows only at its end: a figure
  /// that it does not have misses its threshold.
  package let figure: String
  /// The percentile over replications that is compared, from 1 to 99: as written, `p90(figure)`, or
  /// else the one that nearly all replications meet, 95 where little is good and 5 where much is. One
  /// run's figure is each of its percentiles.
  package let percentile: Int
  package let comparison: Comparison
  /// Finite; a ratio is written as such or as a percentage (`0.95` or `95 %`).
  package let bound: Double
  /// The threshold as it was written.
  package let text: String
  /// Line of the scenario file, from 1; nil for an override.
  package var line: Int?

  /// Reads `figure comparison number` or `pNN(figure) comparison number`.
  ///
  /// - Parameter figures: Of the program whose runs are judged.
  /// - Throws: `Refusal` that says what is wrong.
  static func read(
    _ text: String, figures: FigureCatalog, line: Int? = nil
  ) throws(Refusal) -> Expectation {
    let form = "write figure, one of < <= > >=, and a number, as in \(figures.example)"
    let signs: Set<Character> = ["<", ">", "=", "!"]
    guard let first = text.firstIndex(where: signs.contains) else {
      throw Refusal("'\(text.shortened)' has no comparison", form)
    }
    let sign = String(text[first...].prefix(while: signs.contains))
    let (figure, percentile) = split(String(text[..<first]).trimmed)
    let rest = String(text[first...].dropFirst(sign.count)).trimmed
    guard let comparison = Comparison(rawValue: sign) else {
      throw Refusal("'\(sign)' is not a comparison", "write one of < <= > >=")
    }
    guard figures.knows(figure) else {
      let meant = figures.nearest(figure).map { "did you mean '\($0)'?" }
      throw Refusal(
        figure.isEmpty ? "names no figure" : "unknown figure '\(figure.shortened)'",
        meant ?? "figures are \(figures.names.joined(separator: ", "))")
    }
    if let key = figures.unknownSeries(figure) {
      throw Refusal(
        "no run has a daily series '\(key.shortened)'",
        figures.nearestSeries(key).map { "did you mean '\($0)'?" }
          ?? "series.csv of a run lists its series")
    }
    let (digits, unit) = rest.splitUnit
    guard let number = ExactDecimal(digits), unit.isEmpty || unit == "%" else {
      throw Refusal("'\(rest.shortened)' is not a number to compare with", form)
    }
    let bound = (unit == "%" ? number.percent : number).double
    let wantsLess = comparison == .less || comparison == .lessOrEqual
    return Expectation(
      figure: figure, percentile: percentile ?? (wantsLess ? 95 : 5), comparison: comparison,
      bound: bound, text: text, line: line)
  }

  /// The figure of `p90(figure)` and its percentile; a bare figure has none.
  private static func split(_ text: String) -> (figure: String, percentile: Int?) {
    guard text.hasPrefix("p"), text.hasSuffix(")"), let open = text.firstIndex(of: "("),
      let percent = Int(text[text.index(after: text.startIndex)..<open]), (1...99).contains(percent)
    else { return (text, nil) }
    return (String(text[text.index(after: open)...].dropLast()).trimmed, percent)
  }
}

extension [Expectation] {
  /// The thresholds that a run missed, each with the figure reached; a figure that the run does not
  /// have misses every threshold.
  ///
  /// - Parameter figures: Of the run's program.
  package func missed(
    by record: any ProgrammeRecord, figures: FigureCatalog
  ) -> [(expectation: Expectation, figure: Double?)] {
    compactMap { expectation in
      let figure = figures.value(expectation.figure, record)
      if let figure, expectation.comparison.holds(figure, expectation.bound) { return nil }
      return (expectation, figure)
    }
  }
}

extension Expectation {
  /// The form of a threshold in a file.
  ///
  /// - Parameter figures: Of the program whose runs are judged.
  static func form(_ figures: FigureCatalog) -> TextForm {
    let patterns = (figures.ids + FigureCatalog.prefixes).map { $0.replacing(".", with: #"\."#) }
      .map { $0.hasSuffix(".") ? $0 + "[^<>=!]*[^<>=! ]" : $0 }
    return TextForm(
      wanted: "a threshold such as \(figures.example)",
      pattern: "^ *(p[1-9][0-9]?\\( *)?(\(patterns.joined(separator: "|"))) *\\)? *(<|<=|>|>=) *"
        + #"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?( *%)? *$"#,
      check: { text throws(Refusal) in _ = try read(text, figures: figures) })
  }
}

extension FigureCatalog {
  /// A threshold, for messages.
  fileprivate var example: String { "'\(choices.utilisation) < 1.0'" }
}
