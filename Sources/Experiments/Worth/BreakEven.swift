/// The value of a setting at which a program adds as much as it costs.
package struct BreakEven: Sendable {
  package let axis: SettingAxis
  package let search: StochasticRoot
  /// What the settings are where it breaks even, as `--set` takes them; empty where it does not.
  package let overrides: [String]
  /// By how much gross profit with rewards exceeds that without them there, as a share of the latter;
  /// nil where it does not break even.
  package let uplift: Double?

  /// The outcome of a search by `settings`.
  ///
  /// - Parameters:
  ///   - overrides: The settings at a value.
  ///   - sides: Every pair at a value, with what it earned on both sides.
  package init(
    axis: SettingAxis, search: StochasticRoot, overrides: (Double) -> [String],
    sides: (Double) -> [WorthPair.Sides]
  ) {
    self.axis = axis
    self.search = search
    guard case .found(let answer) = search.outcome else {
      (self.overrides, uplift) = ([], nil)
      return
    }
    self.overrides = overrides(answer.x)
    let own = sides(answer.x)
    let plain = own.reduce(0) { $0 + $1.without.profit }
    uplift = plain > 0 ? own.reduce(0) { $0 + $1.with.profit } / plain - 1 : nil
  }

  /// How the value is searched for: where the net is at least 0.
  ///
  /// - Parameters:
  ///   - axis: The setting, as a range.
  ///   - most: Pairs at one value at most, and of each confirmation.
  ///   - tolerance: Of the answer, as a share of itself.
  /// - Throws: `SettingAxis.Refusal` for an axis that is not a range.
  package static func settings(
    _ axis: SettingAxis, most: Int, tolerance: Double
  ) throws(SettingAxis.Refusal) -> RootSettings {
    var settings = RootSettings(
      domain: try Solution.domain(axis), figure: .mean, requirement: .atLeast(0))
    settings.decimals = axis.decimals
    settings.cap = most
    settings.first = min(25, most)
    settings.confirmation = most
    settings.tolerance = tolerance
    return settings
  }
}
