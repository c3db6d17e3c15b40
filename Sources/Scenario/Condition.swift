internal import Foundation
package import RewardModel

/// A condition on replications, in the one form that `expect`, `--such-that` and `--with` read:
/// `P(critical) <= 5 %`, `mean(budget.spend.year) < 5000000`, `p90(FIGURE) < x`.
///
/// Events: `warning` and `critical` (any month closes so or worse), `critical@2026-12` (that
/// month), and any comparison of a figure, as in `P(budget.utilisation.max > 1.1)`.
package struct Condition: Sendable, Equatable {
  /// What happens in a replication or does not.
  package enum Event: Sendable, Equatable {
    case status(HealthStatus, month: String?)
    case figure(String, Expectation.Comparison, Double)

    /// Whether it happened in a run.
    ///
    /// - Parameters:
    ///   - months: The run's months.
    ///   - figure: The figure that it compares, by `RunSample.compared`; an event on one that the
    ///     run does not have did not happen.
    package func happened(in months: [RunSample.Month], figure: Double?) -> Bool {
      switch self {
      case .figure(_, let sign, let bound): figure.map { sign.holds($0, bound) } ?? false
      case .status(let status, let month):
        months.contains { row in
          guard month == nil || row.label == month, let reached = row.status else { return false }
          return status == .warning ? reached != .normal : reached == .critical
        }
      }
    }
  }

  /// What is measured over replications.
  package enum Measure: Sendable, Equatable {
    case probability(Event)
    case mean(String)
    /// From 1 to 99.
    case percentile(Int, String)

    /// Id of the figure that it reads; nil for an event of a month's status.
    package var figure: String? {
      switch self {
      case .probability(.status): nil
      case .probability(.figure(let name, _, _)), .mean(let name), .percentile(_, let name): name
      }
    }

    /// The month that an event names, `YYYY-MM`; nil for any, and for a figure.
    package var month: String? {
      if case .probability(.status(_, let month)) = self { return month }
      return nil
    }
  }

  /// Why a text is not a condition, and what to write instead.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// The longer signs first, so that none is read as the shorter one that it begins with.
  private static let signs: [Expectation.Comparison] = [.lessOrEqual, .moreOrEqual, .less, .more]
  private static let form =
    "write it as 'P(critical) <= 0.05' or 'mean(budget.spend.year) < 5000000'"

  package let measure: Measure
  package let comparison: Expectation.Comparison
  package let bound: Double
  /// The figure that is compared; nil for an event of a month's status.
  package let figure: FigureDescription?

  /// Reads a condition.
  ///
  /// - Parameters:
  ///   - text: As `P(critical) <= 0.05` or `mean(budget.spend.year) < 5000000`.
  ///   - figures: Of the program whose runs are judged.
  /// - Throws: `Refusal`.
  package init(_ text: String, figures: FigureCatalog) throws(Refusal) {
    guard let close = text.lastIndex(of: ")") else {
      throw Refusal(description: "'\(text)' measures nothing; \(Self.form)")
    }
    (comparison, bound) = try Self.comparison(String(text[text.index(after: close)...]))
    let head = text[...close].trimmingCharacters(in: .whitespaces)
    guard let open = head.firstIndex(of: "("), head.hasSuffix(")") else {
      throw Refusal(description: "'\(head)' measures nothing; \(Self.form)")
    }
    let name = head[..<open].trimmingCharacters(in: .whitespaces)
    let inner = String(head[head.index(after: open)...].dropLast())
      .trimmingCharacters(in: .whitespaces)
    switch name {
    case "P": measure = .probability(try Self.event(inner))
    case "mean": measure = .mean(inner)
    default:
      guard name.hasPrefix("p"), let percent = Int(name.dropFirst()), (1...99).contains(percent)
      else {
        throw Refusal(description: "'\(name)' is neither P, mean nor p1 to p99; \(Self.form)")
      }
      measure = .percentile(percent, inner)
    }
    figure = try measure.figure.map { (name) throws(Refusal) in
      guard let figure = figures.figure(name) else {
        throw Refusal(
          description: "unknown figure '\(name)'; "
            + (figures.nearest(name).map { "did you mean '\($0)'?" }
              ?? "'pitboss figures' lists them all"))
      }
      if let refusal = figures.seriesRefusal(name) { throw Refusal(description: refusal.message) }
      return figure
    }
    if let figure {
      let written = if case .probability = measure { inner } else { text }
      if let refusal = figure.shareRefusal(written) {
        throw Refusal(description: refusal.message)
      }
      if figure.unit != .share, written.trimmingCharacters(in: .whitespaces).hasSuffix("%") {
        throw Refusal(
          description: "a percentage is a share, and \(figure.id) is "
            + "\(figure.unit.predicate(in: figures.currency)); write a number in its unit")
      }
    }
    try check()
  }

  /// The month that an event names, `YYYY-MM`; nil for any.
  package var month: String? { measure.month }

  private func check() throws(Refusal) {
    if let month {
      let parts = month.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.count) == [4, 2], Int(parts[0]) != nil, let number = Int(parts[1]),
        (1...12).contains(number)
      else { throw Refusal(description: "'\(month)' is not a month; write it as 2026-12") }
    }
    if case .probability = measure, !(0...1).contains(bound) {
      throw Refusal(
        description: "\(bound) is not a probability; write a number from 0 to 1, or 5 %")
    }
  }

  private static func comparison(
    _ text: String
  ) throws(Refusal) -> (Expectation.Comparison, Double) {
    let rest = text.trimmingCharacters(in: .whitespaces)
    for sign in signs where rest.hasPrefix(sign.rawValue) {
      let word = rest.dropFirst(sign.rawValue.count).trimmingCharacters(in: .whitespaces)
      return (sign, try number(word))
    }
    throw Refusal(description: "'\(rest)' has no comparison; write one of <= >= < > and a number")
  }

  private static func number(_ word: String) throws(Refusal) -> Double {
    guard let number = ExactDecimal(word: word) else {
      throw Refusal(description: "'\(word)' is not a number")
    }
    return number.double
  }

  private static func event(_ text: String) throws(Refusal) -> Event {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let month = parts.count == 2 ? parts[1] : nil
    switch parts.first {
    case "critical": return .status(.critical, month: month)
    case "warning": return .status(.warning, month: month)
    default: break
    }
    for sign in signs {
      guard let range = text.range(of: sign.rawValue) else { continue }
      let name = text[..<range.lowerBound].trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty else { break }
      return .figure(
        name, sign, try number(text[range.upperBound...].trimmingCharacters(in: .whitespaces)))
    }
    throw Refusal(
      description: "'\(text)' is not an event; write critical, warning, critical@2026-12 or a "
        + "figure with a comparison")
  }
}

extension FigureDescription {
  /// Why a comparison of the figure has most likely lost its percent sign, and what to write; nil
  /// where it has not. Spend may be several times its budget, but nobody asks whether it is ten times; no
  /// other share is more than all.
  ///
  /// - Parameter comparison: A text that ends with a number, as in `budget.utilisation.year < 90`.
  func shareRefusal(_ comparison: String) -> RewardModel.Refusal? {
    let word = comparison.split { "<>=".contains($0) }.last.map { String($0).trimmed } ?? ""
    guard unit == .share, let number = Double(word.replacing("_", with: "")),
      isUtilisation ? abs(number) >= Self.utilisationMaximum : abs(number) > 1
    else { return nil }
    let percent = number * 100
    let text = Int64(exactly: percent).map { "\($0)" } ?? "\(percent)"
    return RewardModel.Refusal("'\(word)' would be \(text) %", "write \(word) % or \(text) %")
  }

  /// From here on a use of the budget is written with its percent sign.
  private static let utilisationMaximum = 10.0
}

extension FigureCatalog {
  /// Why a name of a daily series is none of the program's, and what to write instead; nil for any
  /// other name.
  package func seriesRefusal(_ id: String) -> RewardModel.Refusal? {
    unknownSeries(id).map { key in
      RewardModel.Refusal(
        "no run has a daily series '\(key.shortened)'",
        nearestSeries(key).map { "did you mean '\($0)'?" }
          ?? "series.csv of a run lists its series")
    }
  }
}
