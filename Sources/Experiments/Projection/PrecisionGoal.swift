package import RewardModel

/// How far a projection came toward a precision that was asked for.
package struct PrecisionGoal: Sendable, Equatable {
  /// What decides: the year's utilization, or its spend without a budget.
  package let figure: FigureDescription
  /// Half-width of the 95 % interval of its mean that was asked for: a share of the budget, or of the
  /// spend.
  package let wanted: Double
  /// The same that the replications reached.
  package let reached: Double

  /// Whether there are enough replications.
  package var isReached: Bool { reached <= wanted }

  /// Replications that are likely to be enough, of one round at most.
  ///
  /// - Parameter count: Replications so far.
  package func likely(after count: Int) -> Int {
    let ratio = max(1, reached / wanted)
    let wide = (Double(count) * ratio * ratio).rounded(.up)
    return Int(min(wide, Double(count * 3)))
  }
}

extension PrecisionGoal {
  /// Compares what replications reached with what was asked for.
  ///
  /// - Parameters:
  ///   - wanted: Half-width, as a share of the budget or of the spend.
  ///   - fold: The replications so far.
  /// - Returns: Nil with too few values, and where nothing is spent.
  package init?(_ wanted: Double, _ fold: ProjectionFold) {
    let choices = fold.measured.catalog.choices
    func halfWidth(_ name: String) -> (figure: FigureDescription, half: Double, of: Estimate)? {
      guard let row = fold.measured.row(of: name), let half = fold.halfWidth(of: name),
        let estimate = fold.estimate(of: name)
      else { return nil }
      return (fold.measured.figures[row], half, estimate)
    }
    self.wanted = wanted
    if let used = halfWidth(choices.utilisation) {
      (figure, reached) = (used.figure, used.half)
    } else if let spend = halfWidth(choices.spend), spend.of.mean > 0 {
      (figure, reached) = (spend.figure, spend.half / spend.of.mean)
    } else {
      return nil
    }
  }
}
