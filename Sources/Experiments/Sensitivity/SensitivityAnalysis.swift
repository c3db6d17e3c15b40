internal import EventKernel
package import RewardModel
package import Scenario

/// Which settings move a figure: a screening of all, then variance-based indices of the few that
/// move it most.
///
/// Every point is evaluated with the same random numbers, so that what varies is the settings'
/// doing. A setting that is not kept stays at the scenario's value while the indices are taken.
package struct SensitivityAnalysis: Sendable {
  /// How much is evaluated.
  package struct Plan: Equatable, Sendable {
    /// Trajectories of the screening, from 2 to 10,000.
    package var trajectories = 10
    /// Settings whose indices are taken at most, from 0 to 20.
    package var keep = 4
    /// Base points of the indices, from 8 to 2^20; a power of two is best.
    package var base = 64
    /// Names the points and the bootstrap.
    package var seed: UInt64 = 1

    /// The defaults.
    package init() {}

    /// Points to evaluate, at most: the scenario as it is, screening, indices.
    package func pointsMaximum(axes: Int) -> Int {
      let kept = min(keep, axes)
      return 1 + trajectories * (axes + 1) + (kept > 0 ? base * (kept + 2) : 0)
    }
  }

  /// What the screening says of a setting.
  package enum Verdict: String, Sendable {
    /// The figure is the same at all its values.
    case noEffect = "no_effect"
    /// μ* is below a twentieth of the largest.
    case little
    /// σ is below half of μ*: the effect is much the same for all values of the other settings.
    case steady
    /// σ is half of μ* or more: the effect is uneven, or depends on other settings.
    case uneven
  }

  /// One setting.
  package struct Row: Sendable {
    package let axis: SettingAxis
    package let effect: MorrisScreening.Effect
    package let verdict: Verdict
    /// Nil when the setting was not kept.
    package let index: SobolIndices.Index?
  }

  package let figure: FigureDescription
  package let plan: Plan
  /// Replications of each point.
  package let replications: Int
  /// The figure at the scenario's own values.
  package let standard: Double
  /// The setting that moves the figure most first; kept ones by their total index.
  package let rows: [Row]
  /// Points evaluated.
  package let points: Int
  /// Mean and variance of the figure while the kept settings vary; nil without indices.
  package let mean: Double?
  package let variance: Double?

  /// Evaluates a figure over the axes.
  ///
  /// - Parameters:
  ///   - axes: What is varied, from 1 to 1,000.
  ///   - figure: What is evaluated.
  ///   - replications: Runs at each point.
  ///   - plan: How many points.
  ///   - scenario: Whose settings the axes move: what they are rounded to says how far a step went.
  ///     Nil where the model takes the coordinates as they are.
  ///   - evaluate: The figure at points of one entry an axis, nil for the scenario's own value.
  /// - Throws: `StatisticsError` for a plan out of range, an axis that is not a range or appears
  ///   twice, or a value that is not finite; and what `evaluate` throws.
  package init(
    _ axes: [SettingAxis], figure: FigureDescription, replications: Int = 1, plan: Plan,
    like scenario: Scenario? = nil,
    evaluate: ([[DesignCoordinate?]]) throws -> [Double]
  ) throws {
    let ranges = try axes.map { axis throws(StatisticsError) in try axis.designAxis() }
    let screening = try MorrisScreening(
      factors: axes.count, trajectories: plan.trajectories, seed: plan.seed)
    let design = try Design(axes: ranges, shares: screening.points)
    if plan.keep > 0 {
      // A plan that cannot end is refused before it begins.
      _ = try SobolIndices(
        factors: max(1, min(plan.keep, axes.count)), base: plan.base, seed: plan.seed)
    }
    let open = [DesignCoordinate?](repeating: nil, count: axes.count)
    standard = try evaluate([open]).first ?? 0
    let moves = try scenario.map { scenario in try axes.map { try $0.moves(in: scenario) } }
    let taken = try design.points.map { point in
      try axes.indices.map { axis in
        try moves?[axis].placeTaken(point[axis]) ?? ranges[axis].place(of: point[axis])
      }
    }
    let effects = try screening.analyse(evaluate(design.points.map { $0.map { $0 } }), taken: taken)
    // Ties keep the order in which the settings were named.
    let ranked = axes.indices.sorted {
      (-effects[$0].size.mean, $0) < (-effects[$1].size.mean, $1)
    }
    let kept = ranked.filter { effects[$0].size.mean > 0 }.prefix(plan.keep).map { $0 }
    var indices = [SobolIndices.Index?](repeating: nil, count: axes.count)
    var evaluated = 1 + design.points.count
    var analysis: SobolIndices.Analysis?
    if !kept.isEmpty {
      let sample = try SobolIndices(factors: kept.count, base: plan.base, seed: plan.seed)
      let rows = try Design(axes: kept.map { ranges[$0] }, shares: sample.points).points
      evaluated += rows.count
      let values = try evaluate(
        rows.map { row in
          var point = open
          for (place, axis) in kept.enumerated() { point[axis] = row[place] }
          return point
        })
      analysis = try SensitivityAnalysis.analysis(sample, values, seed: plan.seed)
      for (place, axis) in kept.enumerated() { indices[axis] = analysis?.indices[place] }
    }
    let largest = effects.map(\.size.mean).max() ?? 0
    rows = ranked.sorted { one, other in
      switch (indices[one]?.total.estimate, indices[other]?.total.estimate) {
      case (let a?, let b?): a > b
      case (.some, nil): true
      default: false
      }
    }.map { axis in
      Row(
        axis: axes[axis], effect: effects[axis],
        verdict: SensitivityAnalysis.verdict(effects[axis], largest: largest),
        index: indices[axis])
    }
    self.figure = figure
    self.plan = plan
    self.replications = replications
    points = evaluated
    mean = analysis?.mean
    variance = analysis?.variance
  }

  /// The indices; nil where the figure did not vary, which no index can share out.
  private static func analysis(
    _ sample: SobolIndices, _ values: [Double], seed: UInt64
  ) throws(StatisticsError) -> SobolIndices.Analysis? {
    do {
      return try sample.analyse(values, seed: seed)
    } catch .noVariation {
      return nil
    }
  }

  /// How large an effect is relative to the largest.
  ///
  /// - Parameters:
  ///   - effect: Of one setting.
  ///   - largest: The largest μ*, in the figure's unit.
  package static func verdict(
    _ effect: MorrisScreening.Effect, largest: Double
  ) -> Verdict {
    let size = effect.size.mean
    guard size > 0 else { return .noEffect }
    if size < largest / 20 { return .little }
    return effect.deviation < size / 2 ? .steady : .uneven
  }
}
