/// What a search for a setting found.
package struct Solution: Sendable {
  package let axis: SettingAxis
  package let objective: Objective
  package let search: StochasticRoot

  /// The outcome of a search by `settings(_:_:most:tolerance:)`.
  package init(axis: SettingAxis, objective: Objective, search: StochasticRoot) {
    self.axis = axis
    self.objective = objective
    self.search = search
  }

  /// The value found; nil when there is none.
  package var answer: Double? {
    if case .found(let answer) = search.outcome { return answer.x }
    return nil
  }

  /// How a condition on a setting is searched for.
  ///
  /// - Parameters:
  ///   - most: Replications of one value at most, and of the confirmation.
  ///   - tolerance: Of the answer, as a share of itself.
  /// - Throws: `SettingAxis.Refusal` for an axis that is no range.
  package static func settings(
    _ axis: SettingAxis, _ objective: Objective, most: Int, tolerance: Double
  ) throws(SettingAxis.Refusal) -> RootSettings {
    var settings = RootSettings(
      domain: try domain(axis), figure: objective.isProbability ? .probability : .mean,
      requirement: objective.comparison.wantsLess
        ? .atMost(objective.bound) : .atLeast(objective.bound))
    settings.cap = most
    settings.first = min(25, most)
    settings.confirmation = most
    settings.tolerance = tolerance
    return settings
  }

  /// The values that an axis may take: whole numbers, or by ratio for factors.
  ///
  /// - Throws: `SettingAxis.Refusal` for an axis that is no range.
  static func domain(_ axis: SettingAxis) throws(SettingAxis.Refusal) -> RootSettings.Domain {
    guard case .range(let low, let high, _, let isWhole) = axis.values else {
      throw SettingAxis.Refusal(
        description: "--adjust takes a range, path=lo..hi or path=*lo..*hi")
    }
    if isWhole { return .whole(low: Int(low), high: Int(high), step: 1) }
    return axis.isFactor && low > 0
      ? .logarithmic(low: low, high: high) : .real(low: low, high: high)
  }
}
