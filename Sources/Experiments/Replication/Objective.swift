internal import Foundation
package import RewardModel
package import Scenario

/// A condition on an experiment: `P(critical) <= 0.05`, `mean(budget.spend.year) < 5000000`.
///
/// Figures: `P(EVENT)`, `mean(FIGURE)` and `pNN(FIGURE)` for the NN-th percentile. Events:
/// `warning` and `critical` (any month closes so or worse), `critical@2026-12` (that month), and
/// any comparison of a figure, as in `P(budget.utilisation.max > 1.1)`.
package struct Objective: Sendable, Equatable {
  /// What happens in a replication or does not.
  package enum Event: Sendable, Equatable {
    case status(HealthStatus, month: String?)
    case figure(String, Comparison, Double)
  }

  /// What is measured over replications.
  package enum Measure: Sendable, Equatable {
    case probability(Event)
    case mean(String)
  }

  /// The comparisons of thresholds serve here, too.
  package typealias Comparison = Expectation.Comparison

  /// The longer signs first, so that none is read as the shorter one that it begins with.
  private static let signs: [Comparison] = [.lessOrEqual, .moreOrEqual, .less, .more]

  /// Why a text is not an objective, and what to write instead.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  package let text: String
  package let measure: Measure
  package let comparison: Comparison
  package let bound: Double
  /// The figure that is compared; nil for an event of a month's status.
  package let figure: FigureDescription?
  /// Whether it was written as a condition on a percentile; it is measured as a probability then.
  package let isPercentile: Bool

  /// Reads a condition.
  ///
  /// A condition on a percentile is one on a probability. The 95th percentile is at most b where at
  /// most 5 % of the runs are above b, and below b where at most 5 % reach b; it is at least b
  /// where at least 5 % reach b, and above b where at least 5 % are above:
  ///
  /// | p95(x) | probability |
  /// |---|---|
  /// | `<= b` | P(x > b) <= 0.05 |
  /// | `< b` | P(x >= b) <= 0.05 |
  /// | `>= b` | P(x >= b) >= 0.05 |
  /// | `> b` | P(x > b) >= 0.05 |
  ///
  /// - Parameters:
  ///   - text: As `P(critical) <= 0.05` or `mean(budget.spend.year) < 5000000`.
  ///   - figures: Of the program whose runs are judged.
  /// - Throws: `Refusal`.
  package init(_ text: String, figures: FigureCatalog) throws(Refusal) {
    self.text = text
    let form = "write it as 'P(critical) <= 0.05' or 'mean(budget.spend.year) < 5000000'"
    guard let close = text.lastIndex(of: ")") else {
      throw Refusal(description: "'\(text)' measures nothing; \(form)")
    }
    let (comparison, bound) = try Objective.comparison(String(text[text.index(after: close)...]))
    let head = text[...close].trimmingCharacters(in: .whitespaces)
    guard let open = head.firstIndex(of: "("), head.hasSuffix(")") else {
      throw Refusal(description: "'\(head)' measures nothing; \(form)")
    }
    let name = head[..<open].trimmingCharacters(in: .whitespaces)
    let inner = String(head[head.index(after: open)...].dropLast())
      .trimmingCharacters(in: .whitespaces)
    switch name {
    case "P":
      isPercentile = false
      measure = .probability(try Objective.event(inner))
      self.comparison = comparison
      self.bound = bound
    case "mean":
      isPercentile = false
      measure = .mean(inner)
      self.comparison = comparison
      self.bound = bound
    default:
      guard name.hasPrefix("p"), let percent = Int(name.dropFirst()), (1...99).contains(percent)
      else { throw Refusal(description: "'\(name)' is neither P, mean nor p1 to p99; \(form)") }
      isPercentile = true
      // A value of exactly b leaves a percentile at most b, and one of at least b, as they are.
      let excludesBound = comparison == .lessOrEqual || comparison == .more
      measure = .probability(.figure(inner, excludesBound ? .more : .moreOrEqual, bound))
      self.comparison = comparison.wantsLess ? .lessOrEqual : .moreOrEqual
      self.bound = Double(100 - percent) / 100
    }
    figure = try Objective.figure(of: measure, figures)
    try check()
  }

  private static func figure(
    of measure: Measure, _ figures: FigureCatalog
  ) throws(Refusal) -> FigureDescription? {
    switch measure {
    case .probability(.status): return nil
    case .mean(let name), .probability(.figure(let name, _, _)):
      guard let figure = figures.figure(name) else {
        throw Refusal(
          description: "unknown figure '\(name)'; "
            + (figures.nearest(name).map { "did you mean '\($0)'?" }
              ?? "figures are those of replications.csv, series.KEY and peak.KEY"))
      }
      return figure
    }
  }

  /// The month that an event names, `YYYY-MM`; nil for any.
  package var month: String? {
    if case .probability(.status(_, let month)) = measure { return month }
    return nil
  }

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

  private static func comparison(_ text: String) throws(Refusal) -> (Comparison, Double) {
    let rest = text.trimmingCharacters(in: .whitespaces)
    for sign in Objective.signs where rest.hasPrefix(sign.rawValue) {
      let word = rest.dropFirst(sign.rawValue.count).trimmingCharacters(in: .whitespaces)
      return (sign, try number(word))
    }
    throw Refusal(description: "'\(rest)' has no comparison; write one of <= >= < > and a number")
  }

  private static func number(_ word: String) throws(Refusal) -> Double {
    let isPercent = word.hasSuffix("%")
    let digits = (isPercent ? String(word.dropLast()) : word)
      .trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "_", with: "")
    guard let number = Double(digits), number.isFinite else {
      throw Refusal(description: "'\(word)' is not a number")
    }
    return isPercent ? number / 100 : number
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
    for sign in Objective.signs {
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

  /// The ids of the figures that it needs.
  package var figures: [String] { figure.map { [$0.id] } ?? [] }

  /// Whether values are 0 or 1.
  package var isProbability: Bool {
    if case .probability = measure { return true }
    return false
  }

  /// One replication's value: 1 or 0 for an event, the figure for a mean; nil where the run does
  /// not have it. An event on a figure that the run does not have did not happen.
  package func value(_ replication: Replication, _ measured: MeasuredFigures) -> Double? {
    switch measure {
    case .mean(let name): return measured.row(of: name).flatMap { replication.figures[$0] }
    case .probability(.figure(let name, let sign, let bound)):
      let figure = measured.row(of: name).flatMap { replication.figures[$0] }
      return figure.map { sign.holds($0, bound) ? 1 : 0 } ?? 0
    case .probability(.status(let status, let month)):
      let hit = replication.months.contains { row in
        guard month == nil || row.label == month, let reached = row.status else { return false }
        return status == .warning ? reached != .normal : reached == .critical
      }
      return hit ? 1 : 0
    }
  }
}

extension Expectation.Comparison {
  /// Whether the smaller value is the better one.
  package var wantsLess: Bool { self == .less || self == .lessOrEqual }
}
