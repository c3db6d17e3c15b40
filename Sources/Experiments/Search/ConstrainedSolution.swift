package import RewardModel

/// What a search for the best settings under conditions found.
package struct ConstrainedSolution: Sendable {
  /// What was wanted.
  package struct Goal: Equatable, Sendable {
    /// The figure whose mean is wanted.
    package let figure: FigureDescription
    package let direction: SearchPlan.Direction
    /// Whether nobody asked for it: the most generous point is then sought.
    package let isAssumed: Bool

    /// A goal that somebody asked for.
    package init(_ direction: SearchPlan.Direction, _ figure: FigureDescription) {
      self.figure = figure
      self.direction = direction
      isAssumed = false
    }

    /// The most generous program, by the figure that says how generous one is.
    package init(mostGenerousOf figures: FigureCatalog) {
      guard let figure = figures.figure(figures.choices.generosity) else {
        preconditionFailure("the figure \(figures.choices.generosity) is not declared")
      }
      self.figure = figure
      direction = .maximise
      isAssumed = true
    }
  }

  /// An end of a range.
  package enum End: String, Sendable {
    case low, high
  }

  package let axes: [SettingAxis]
  package let conditions: [Objective]
  package let goal: Goal
  package let search: ConstrainedSearch
  /// The scenario's own settings, one an axis, as people read them.
  package let presentTexts: [String]
  /// Figures of the scenario as it is, from the replications of the search.
  package let present: SearchFigures

  /// Puts a solution together; `presentTexts` has one entry an axis.
  package init(
    axes: [SettingAxis], conditions: [Objective], goal: Goal, search: ConstrainedSearch,
    presentTexts: [String], present: SearchFigures
  ) {
    self.axes = axes
    self.conditions = conditions
    self.goal = goal
    self.search = search
    self.presentTexts = presentTexts
    self.present = present
  }

  /// The number of the point found; nil when there is none.
  package var answer: Int? {
    if case .found(let number) = search.outcome { return number }
    return nil
  }

  /// The number of the point found, or of the one that missed the conditions least.
  package var shown: Int {
    switch search.outcome {
    case .found(let number), .nowhereFeasible(let number), .notConfirmed(let number): number
    }
  }

  /// Replications run, those of the scenario as it is among them.
  package var spent: Int { search.spent + present.objective.count }

  /// The end of its range that an axis of the point shown has reached; nil inside.
  package func end(_ axis: Int) -> End? {
    let value = search.points[shown].values[axis]
    let range = search.plan.axes[axis]
    return value <= range.low ? .low : value >= range.high ? .high : nil
  }

  /// How a search over settings is done.
  ///
  /// - Parameters:
  ///   - axes: What is adjusted.
  ///   - conditions: What has to hold.
  ///   - goal: The figure that is to be best.
  ///   - points: At which the scenario is run at most.
  ///   - most: Replications of a confirmation, at least 10; a point of the search has a fifth of
  ///     them, at least 20 where there are so many, and is left after a quarter of those when it is
  ///     hopeless.
  ///   - tolerance: Of the answer, as a share of the ranges.
  /// - Throws: `SettingAxis.Refusal` for an axis that is not a range, or too many of them;
  ///   `StatisticsError` as `SearchPlan.check()`.
  package static func plan(
    _ axes: [SettingAxis], _ conditions: [Objective], _ goal: Goal, points: Int, most: Int,
    tolerance: Double
  ) throws -> SearchPlan {
    guard axes.count <= SearchPlan.axesMaximum else {
      throw SettingAxis.Refusal(
        description: "\(axes.count) settings are too many to search; adjust at most "
          + "\(SearchPlan.axesMaximum)")
    }
    var plan = SearchPlan(
      axes: try axes.map { try SearchAxis(try Solution.domain($0), decimals: $0.decimals) },
      conditions: conditions.map(\.searchCondition), direction: goal.direction)
    plan.points = points
    plan.replications = max(min(20, most), most / 5)
    plan.first = max(min(10, most), plan.replications / 4)
    plan.confirmation = most
    plan.tolerance = tolerance
    try plan.check()
    return plan
  }
}
