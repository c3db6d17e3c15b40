package import RewardModel
package import Scenario

/// A condition on an experiment: `P(critical) <= 0.05`, `mean(FIGURE) < 5000000`.
///
/// The form is that of `Condition`; a percentile is measured as a probability.
package struct Objective: Sendable, Equatable {
  /// What happens in a replication or does not.
  package typealias Event = Condition.Event

  /// What is measured over replications.
  package enum Measure: Sendable, Equatable {
    case probability(Event)
    case mean(String)
  }

  /// The comparisons of thresholds serve here, too.
  package typealias Comparison = Expectation.Comparison

  /// Why a text is not an objective, and what to write instead.
  package typealias Refusal = Condition.Refusal

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
  ///   - text: As `P(critical) <= 0.05` or `mean(FIGURE) < 5000000`.
  ///   - figures: Of the program whose runs are judged.
  /// - Throws: `Refusal`.
  package init(_ text: String, figures: FigureCatalog) throws(Refusal) {
    let condition = try Condition(text, figures: figures)
    self.text = text
    figure = condition.figure
    switch condition.measure {
    case .probability(let event):
      isPercentile = false
      measure = .probability(event)
      comparison = condition.comparison
      bound = condition.bound
    case .mean(let name):
      isPercentile = false
      measure = .mean(name)
      comparison = condition.comparison
      bound = condition.bound
    case .percentile(let percent, let name):
      isPercentile = true
      // A value of exactly b leaves a percentile at most b, and one of at least b, as they are.
      let excludesBound = condition.comparison == .lessOrEqual || condition.comparison == .more
      measure = .probability(
        .figure(name, excludesBound ? .more : .moreOrEqual, condition.bound))
      comparison = condition.comparison.wantsLess ? .lessOrEqual : .moreOrEqual
      bound = Double(100 - percent) / 100
    }
  }

  /// The month that an event names, `YYYY-MM`; nil for any.
  package var month: String? {
    if case .probability(.status(_, let month)) = measure { return month }
    return nil
  }

  /// The ids of the figures that it needs.
  package var figures: [String] { figure.map { [$0.id] } ?? [] }

  /// Whether values are 0 or 1.
  package var isProbability: Bool {
    if case .probability = measure { return true }
    return false
  }

  /// One replication's value: 1 or 0 for an event or a percentile, the figure for a mean. Where the
  /// run does not have the figure, a mean and a percentile have no value, and an event did not
  /// happen; but spend without a budget is over budget, see `RunSample.compared`.
  package func value(_ replication: Replication, _ measured: MeasuredFigures) -> Double? {
    let figure = figure.flatMap { replication.compared($0, measured) }
    switch measure {
    case .mean: return figure.flatMap { $0.isFinite ? $0 : nil }
    case .probability where isPercentile && figure == nil: return nil
    case .probability(let event):
      return event.happened(in: replication.months, figure: figure) ? 1 : 0
    }
  }
}
