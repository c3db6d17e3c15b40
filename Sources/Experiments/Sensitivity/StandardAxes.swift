package import Scenario

/// The settings that are varied where nobody names any: numbers that every scenario has and that
/// move what it costs.
package enum StandardAxes {
  /// The factors on what the scenario says; the narrower ones where the wider are out of range.
  private static let factors = ["*0.5..*1.5", "*0.5..*1", "*1..*1.5"]

  /// An axis a setting: half of what the scenario says to half as much again, or no more or no less
  /// than it where that is out of range. A setting that the scenario does not have, or that no factor
  /// changes, is left out.
  ///
  /// - Parameters:
  ///   - paths: As the program names them (`RewardProgramme.standardAxes`).
  ///   - scenario: Whose values are varied.
  ///   - reads: Whether the scenario can be read with these settings.
  package static func of(
    _ paths: [String], _ scenario: Scenario, reads: ([SettingOverride]) -> Bool
  ) -> [SettingAxis] {
    paths.compactMap { path in
      for factor in factors {
        guard let axis = try? SettingAxis("\(path)=\(factor)"),
          case .range(let low, let high, _, _) = axis.values,
          let first = try? axis.overrides(low, scenario),
          let last = try? axis.overrides(high, scenario), first != last
        else { continue }
        if reads(first), reads(last) { return axis }
      }
      return nil
    }
  }
}
