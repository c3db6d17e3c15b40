package import Experiments
internal import RewardModel

/// What a projection says at a glance, for a page that shows it again and again while
/// replications come in: verdict, cards, the fan of spend and the months.
package struct ProjectionPicture: Encodable, Sendable {
  /// A figure to be seen from afar; `tone` is a class of the style sheet.
  package struct Card: Encodable, Sendable, Equatable {
    package var name: String
    package var value: String
    package var unit: String
    package var note: String
    package var tone: String
  }

  /// A plot with its heading and one sentence.
  package struct Plot: Encodable, Sendable {
    package var title: String
    package var text: String
    package var spec: PlotSpec
  }

  /// A month in words: means of its budget, in the program's currency, and of the share used.
  package struct Month: Encodable, Sendable, Equatable {
    package var label: String
    package var budget: String
    package var used: String
    /// Shares of replications, with their intervals; a dash without a budget.
    package var warning: String
    package var critical: String
  }

  /// Replications so far.
  package let count: Int
  /// Replications, seed and size in words.
  package let about: String
  package let verdict: String
  /// A class of the style sheet.
  package let tone: String
  package let cards: [Card]
  package let plots: [Plot]
  package let months: [Month]

  /// The glance at a projection of at least one replication.
  ///
  /// - Complexity: O(days).
  package init(_ projection: Projection) {
    let opening = ProjectionOpening(projection: projection)
    count = projection.count
    about = opening.about
    verdict = opening.verdict
    tone = opening.tone.style
    cards = opening.cards.map { card in
      Card(
        name: card.name, value: card.value, unit: card.unit, note: card.note,
        tone: card.tone.style)
    }
    plots = [ProjectionPlots.fan(projection), ProjectionPlots.months(projection)]
      .compactMap(\.self).map { Plot(title: $0.title, text: $0.text, spec: $0.spec) }
    months = projection.periods.prefix(projection.months.count).map { name, month in
      Month(
        label: name, budget: FigureText.money(month.budget.mean),
        used: month.utilisation.map { FigureText.percent($0.mean) } ?? "–",
        warning: FigureText.narrow(month.warning), critical: FigureText.narrow(month.critical))
    }
  }
}
