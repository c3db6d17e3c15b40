internal import RewardModel
internal import Scenario

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

  /// Whether the condition was shown to hold, at a value found or at every value tried.
  package var holds: Bool { answer != nil || search.outcome == .everywhereFeasible }

  /// How a condition on a setting is searched for.
  ///
  /// - Parameters:
  ///   - axis: The setting, as a range.
  ///   - objective: The condition.
  ///   - most: Replications of one value at most, and of each confirmation.
  ///   - tolerance: Of the answer, as a share of itself.
  /// - Throws: `SettingAxis.Refusal` for an axis that is not a range or not part of the model, and
  ///   for a bound that no sample of `most` replications could show.
  package static func settings(
    _ axis: SettingAxis, _ objective: Objective, most: Int, tolerance: Double
  ) throws(SettingAxis.Refusal) -> RootSettings {
    try check(axis)
    var settings = RootSettings(
      domain: try domain(axis), figure: objective.isProbability ? .probability : .mean,
      requirement: RootSettings.Requirement(objective.comparison, objective.bound))
    settings.decimals = axis.decimals
    settings.cap = most
    settings.first = min(25, most)
    settings.confirmation = most
    settings.tolerance = tolerance
    try check(objective, settings)
    return settings
  }

  /// Refuses settings that name or replay a run and say nothing of the program.
  private static func check(_ axis: SettingAxis) throws(SettingAxis.Refusal) {
    let advice: String
    switch axis.path {
    case "seed":
      advice = " (--seed says which seeds are run, --most how many)"
    case "name", "description", "expect", "programme": advice = ""
    default: return
    }
    throw SettingAxis.Refusal(
      description: "\(axis.flag): \(axis.path) is not a setting of the model that can be solved for"
        + "\(advice); adjust one under rules, population, economy or calendar")
  }

  /// Refuses bounds that cannot be shown.
  private static func check(
    _ objective: Objective, _ settings: RootSettings
  ) throws(SettingAxis.Refusal) {
    let flag = "--such-that '\(objective.text)'"
    let bound = objective.bound
    switch objective.measure {
    case .mean(let name):
      guard let figure = objective.figure, let range = figure.range else { return }
      let comparison = objective.comparison
      guard comparison.holds(range.lowerBound, bound) == comparison.holds(range.upperBound, bound)
      else { return }
      let ends = figure.unit == .share ? "from 0 to 1 (100 %)" : "never below 0"
      throw SettingAxis.Refusal(
        description: "\(flag): \(name) is \(ends), so every setting gives the same answer; write a "
          + "bound that it can cross")
    case .probability:
      guard bound > 0, bound < 1 else {
        let isZero = bound <= 0
        let isHopeless = isZero == settings.requirement.wantsLess
        throw SettingAxis.Refusal(
          description: "\(flag): "
            + (isHopeless
              ? "no number of replications shows a probability of \(isZero ? 0 : 1)"
              : "a probability is on that side of \(isZero ? 0 : 1) with any setting, or next to it")
            + "; write a bound such as \(isZero ? 0.01 : 0.99)")
      }
      if let fewest = settings.capMinimum, fewest <= settings.cap { return }
      let outcome =
        settings.requirement.wantsLess ? "with no event in them" : "with the event in each"
      let advice =
        if let fewest = settings.capMinimum, fewest <= 100_000 {
          "--most must be at least \(fewest)"
        } else { "write a bound further from \(settings.requirement.wantsLess ? 0 : 1)" }
      throw SettingAxis.Refusal(
        description: "\(flag): \(settings.cap) replications cannot show that, even "
          + "\(outcome); \(advice)")
    }
  }

  /// The values that an axis may take: whole numbers, or by ratio for factors.
  ///
  /// - Throws: `SettingAxis.Refusal` for an axis that is not a range.
  static func domain(_ axis: SettingAxis) throws(SettingAxis.Refusal) -> RootSettings.Domain {
    guard case .range(let low, let high, _, let isWhole) = axis.values else {
      throw SettingAxis.Refusal(
        description: "\(axis.path) takes a range here; write path=lo..hi or path=*lo..*hi")
    }
    // Whole numbers, weeks and days go in steps of one.
    if isWhole { return .whole(low: Int(low), high: Int(high), step: 1) }
    return axis.isFactor && low > 0
      ? .logarithmic(low: low, high: high) : .real(low: low, high: high)
  }
}
