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

    /// Whether the smaller value is the better one.
    package var wantsLess: Bool { self == .less || self == .lessOrEqual }
  }

  /// What is compared: a figure of the program, or an event. Money is in whole units of its
  /// currency, times in seconds, shares are ratios, flags 0 or 1. Which daily series a run has shows
  /// only at its end: a figure that it does not have misses its threshold.
  ///
  /// A figure alone is the percentile over replications that nearly all meet, 95 where little is
  /// good and 5 where much is. One run's figure is its mean and each of its percentiles, and an
  /// event has the probability 1 or 0 there.
  package let measure: Condition.Measure
  package let comparison: Comparison
  /// Finite; a ratio is written as such or as a percentage (`0.95` or `95 %`).
  package let bound: Double
  /// The threshold as it was written.
  package let text: String
  /// Line of the scenario file, from 1; nil for an override.
  package var line: Int?

  /// Id of the figure that is compared; nil for an event of a month's status.
  package var figure: String? { measure.figure }

  /// The month that it names, `YYYY-MM`; nil for any, and for a figure.
  package var month: String? { measure.month }

  /// Reads `figure comparison number`, or a `Condition`.
  ///
  /// - Parameter figures: Of the program whose runs are judged.
  /// - Throws: `Refusal` that says what is wrong.
  package static func read(
    _ text: String, figures: FigureCatalog, line: Int? = nil
  ) throws(Refusal) -> Expectation {
    isCondition(text) ? try condition(text, figures, line) : try plain(text, figures, line)
  }

  /// Whether a text begins as a condition does: `P(`, `mean(`, `p90(`.
  private static func isCondition(_ text: String) -> Bool {
    guard let open = text.firstIndex(of: "(") else { return false }
    let name = String(text[..<open]).trimmed
    return name == "P" || name == "mean" || name.hasPrefix("p") && Int(name.dropFirst()) != nil
  }

  private static func condition(
    _ text: String, _ figures: FigureCatalog, _ line: Int?
  ) throws(Refusal) -> Expectation {
    do throws(Condition.Refusal) {
      let condition = try Condition(text, figures: figures)
      return Expectation(
        measure: condition.measure, comparison: condition.comparison, bound: condition.bound,
        text: text, line: line)
    } catch {
      let parts = error.description.split(separator: "; ", maxSplits: 1)
      throw Refusal(
        String(parts[0]), parts.count == 2 ? String(parts[1]) : "write \(figures.example)")
    }
  }

  private static func plain(
    _ text: String, _ figures: FigureCatalog, _ line: Int?
  ) throws(Refusal) -> Expectation {
    let form = "write figure, one of < <= > >=, and a number, as in \(figures.example)"
    let signs: Set<Character> = ["<", ">", "=", "!"]
    guard let first = text.firstIndex(where: signs.contains) else {
      throw Refusal("'\(text.shortened)' has no comparison", form)
    }
    let sign = String(text[first...].prefix(while: signs.contains))
    let figure = String(text[..<first]).trimmed
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
    if let refusal = figures.seriesRefusal(figure) { throw refusal }
    let (digits, unit) = rest.replacing("_", with: "").splitUnit
    if let known = figures.figure(figure), !unit.isEmpty, unit != "%",
      ExactDecimal(word: digits) != nil
    {
      throw Refusal(
        "'\(rest.shortened)' has a unit, and \(figure) is "
          + known.unit.predicate(in: figures.currency), "write the number without one")
    }
    guard let number = ExactDecimal(word: digits), unit.isEmpty || unit == "%" else {
      throw Refusal("'\(rest.shortened)' is not a number to compare with", form)
    }
    if unit == "%", let known = figures.figure(figure), known.unit != .share {
      throw Refusal(
        "'\(rest.shortened)' is a share, and \(figure) is "
          + known.unit.predicate(in: figures.currency), "write a number in its unit")
    }
    if let refusal = figures.figure(figure)?.shareRefusal(text) { throw refusal }
    let bound = (unit == "%" ? number.percent : number).double
    return Expectation(
      measure: .percentile(comparison.wantsLess ? 95 : 5, figure), comparison: comparison,
      bound: bound, text: text, line: line)
  }
}

extension [Expectation] {
  /// What became of the thresholds in one run. What a replay of a history does not know misses its
  /// threshold, be it a figure or an event.
  ///
  /// - Complexity: O(rows of the record).
  package func verdicts<P: RewardProgramme>(
    _ programme: P.Type, _ record: P.Record
  ) -> [RunHeader.ThresholdRow] {
    guard !isEmpty else { return [] }
    let sample = programme.sample(record)
    return map { expectation in
      let reached = expectation.figure.flatMap { programme.figures.value($0, record) }
      let compared = expectation.figure.flatMap(programme.figures.figure).flatMap {
        sample.compared(reached, as: $0)
      }
      var value = compared
      if case .probability(let event) = expectation.measure {
        value = event.happened(in: sample.months, figure: compared) ? 1 : 0
      }
      if programme.figures.unknown(expectation.figure, in: record.header) != nil { value = nil }
      let holds = value.map { expectation.comparison.holds($0, expectation.bound) } ?? false
      return RunHeader.ThresholdRow(
        threshold: expectation.text, holds: holds, figure: expectation.figure,
        reached: expectation.figure == nil ? value : reached)
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
    let figure = "(\(patterns.joined(separator: "|")))"
    let number = #"[-+]?([0-9][0-9_]*(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?( *%)?"#
    let event =
      "((critical|warning)(@[0-9]{4}-[0-9]{2})?|\(figure) *(<|<=|>|>=) *\(number))"
    return TextForm(
      wanted: "a threshold such as \(figures.example)",
      pattern: "^ *(\(figure)|(p[1-9][0-9]?|mean)\\( *\(figure) *\\)|P\\( *\(event) *\\))"
        + " *(<|<=|>|>=) *\(number) *$",
      check: { text throws(Refusal) in _ = try read(text, figures: figures) })
  }
}

extension FigureCatalog {
  /// A threshold, for messages.
  fileprivate var example: String { "'\(choices.utilisation) < 1.0'" }
}
