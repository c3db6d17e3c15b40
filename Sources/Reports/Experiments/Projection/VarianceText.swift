internal import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel

/// What variance reduction did, in words.
enum VarianceText {
  /// A gain as people read it: how many plain replications one is worth.
  static func times(_ gain: Double?) -> String {
    guard let gain else { return "–" }
    return gain >= 1_000 ? "> 1,000 ×" : String(format: "%.1f ×", gain)
  }

  /// What was tried and what came of it; nothing where nothing was.
  ///
  /// - Parameter isNarrow: Whether the tables have no column of gains.
  static func lines(_ projection: Projection, isNarrow: Bool = false) -> [String] {
    let reduced = projection.figures.compactMap(\.estimate.reduced)
    guard !reduced.isEmpty else { return [] }
    let catalog = projection.measured.catalog
    let gain = ["Gain: how many times as many plain replications would give the same ±."]
    return (isNarrow ? [] : gain)
      + controls(reduced, catalog.choices.controls, of: projection.figures.count)
      + pairs(projection.trial, catalog)
  }

  /// What the replications cannot know of a mean; nil of a single one, which has no interval.
  static func unseen(_ projection: Projection) -> String? {
    guard projection.count > 1 else { return nil }
    let chance = FigureText.percent(projection.unseen.high)
    return "A ± is wider where values are skewed, but knows only what happened: an event that none "
      + "of the \(projection.count.grouped) replications had may have a chance of up to \(chance) in each."
  }

  /// How far the means are from the precision that was asked for; nil where it was reached, and where
  /// none was asked for.
  static func precision(_ projection: Projection) -> String? {
    guard let goal = projection.precision, !goal.isReached else { return nil }
    let what =
      "\(projection.count.grouped) replications did not reach the precision of "
      + "\(FigureText.given(share: goal.wanted)): "
    let figure = goal.figure.title.prefix(1).lowercased() + goal.figure.title.dropFirst()
    return what + "± of \(figure) is \(FigureText.spread(goal.reached, .share)). Give "
      + "--replications to run more."
  }

  private static func controls(
    _ reduced: [ReducedMean], _ names: [String], of count: Int
  ) -> [String] {
    guard let score = reduced.compactMap(\.worstScore).max() else { return [] }
    guard score <= ReducedMean.scoreAllowed else {
      return [
        String(
          format:
            "No controls: \(names.joined(separator: " or ")) are %.1f standard errors away from their expectation.",
          score)
      ]
    }
    let used = reduced.count { $0.usesControls }
    return [
      "Controls (\(names.joined(separator: " and ")), whose expectation is known) make \(used) of \(count) means "
        + "more precise."
        + (used > 0
          ? " Each is adjusted by itself: parts and months may not add up." : "")
    ]
  }

  private static func pairs(_ trial: PairTrial, _ figures: FigureCatalog) -> [String] {
    let figure = trial.figure.flatMap(figures.figure)?.title.lowercased() ?? "anything"
    var gain = "no measurable gain"
    if let trial = trial.gain {
      gain = "gain \(times(trial.estimate))"
      if let low = trial.low, let high = trial.high {
        gain += " (\(times(low)) to \(times(high)))"
      }
    }
    let tried = "Antithetic pairs, tried on \(PairTrial.size) for \(figure):"
    switch trial.verdict {
    case .off, .tooFew: return []
    case .on:
      return [
        "All replications ran in antithetic pairs, and every interval counts them as such."
      ]
    case .helped:
      return [
        "\(tried) \(gain), so they were kept, and every interval counts them as such."
      ]
    case .hurt:
      let name = trial.hurt.flatMap { figures.figure($0.figure) }?.title ?? "another figure"
      return [
        "\(tried) \(gain), but they make others less precise: \(name) has a gain of "
          + "\(times(trial.hurt?.gain)), so they were dropped."
      ]
    case .notShown: return ["\(tried) \(gain), so they were dropped."]
    }
  }
}
