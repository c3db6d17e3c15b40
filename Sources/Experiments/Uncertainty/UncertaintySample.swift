package import RewardModel

/// What replications with drawn settings show of where a figure's spread comes from.
package struct UncertaintySample: Sendable {
  /// One figure's spread.
  package struct Spread: Sendable {
    package let figure: FigureDescription
    package let parts: SpreadParts
    /// The setting that the figure follows most first.
    package let influences: [InputInfluence]
  }

  /// Draws that are run twice, at least and at most; a quarter of all between.
  package static let repetitions = 20...400

  /// Paths of the uncertain settings.
  package let names: [String]
  /// Whether some of them move together, so that each counts what they share.
  package let areTogether: Bool
  /// Figures whose spread is looked at.
  package let figures: [FigureDescription]
  private let rows: [Int]
  /// By replication: what was drawn, and the figures.
  private var drawn: [[Double]] = []
  private var values: [[Double?]] = []
  /// Whether a replication drew the opposite of the one before it, so that it says little new of what
  /// a figure follows.
  private var isMirrored: [Bool] = []
  /// By repetition: the number of the replication, and the figures with other luck.
  private var again: [(number: Int, values: [Double?])] = []

  /// - Parameters:
  ///   - names: Paths of the uncertain settings.
  ///   - areTogether: Whether some of them move together.
  ///   - measured: Of the replications.
  package init(_ names: [String], areTogether: Bool, _ measured: MeasuredFigures) {
    self.names = names
    self.areTogether = areTogether
    let choices = measured.catalog.choices
    var ids: [String] = []
    for id in [choices.cost, choices.utilisation, choices.spend] where !ids.contains(id) {
      ids.append(id)
    }
    rows = ids.compactMap { measured.row(of: $0) }
    figures = rows.map { measured.figures[$0] }
  }

  /// How many draws of so many replications are run twice.
  package static func repetitions(of count: Int) -> Int {
    min(count, max(repetitions.lowerBound, min(count / 4, repetitions.upperBound)))
  }

  /// - Parameter isMirrored: Whether it is the second of an antithetic pair.
  mutating func add(_ replication: Replication, isMirrored: Bool) {
    self.isMirrored.append(isMirrored)
    drawn.append(replication.drawn.numbers)
    values.append(rows.map { replication.figures[$0] })
  }

  mutating func addAgain(_ replication: Replication) {
    again.append((replication.index, rows.map { replication.figures[$0] }))
  }

  /// Draws that were run twice.
  package var repeated: Int { again.count }

  /// Where the figures' spread comes from; those that do not vary, or that not every run has, are left
  /// out.
  ///
  /// - Complexity: O(replications × settings).
  package var spreads: [Spread] {
    figures.indices.compactMap { column in
      let own = values.compactMap { $0[column] }
      let pairs = again.compactMap { entry -> (Double, Double)? in
        guard values.indices.contains(entry.number), let first = values[entry.number][column],
          let second = entry.values[column]
        else { return nil }
        return (first, second)
      }
      guard own.count == values.count, pairs.count == again.count,
        let parts = SpreadParts(pairs)
      else { return nil }
      // Intervals want values that are independent of each other.
      let single = own.indices.filter { !isMirrored[$0] }
      let influences = names.indices.compactMap { place in
        InputInfluence(
          path: names[place], drawn: single.map { drawn[$0][place] },
          figure: single.map { own[$0] })
      }
      let ranked = influences.indices.sorted {
        (-influences[$0].share.estimate, $0) < (-influences[$1].share.estimate, $1)
      }
      return Spread(
        figure: figures[column], parts: parts, influences: ranked.map { influences[$0] })
    }
  }
}
