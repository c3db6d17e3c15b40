internal import Quantities
internal import RewardModel

/// The typed values of the settings of some program.
protocol TypedSettings: Sendable {
  /// The rules across settings that they break.
  ///
  /// - Parameter days: How many local days the run lasts.
  func brokenRules(days: Int) -> [BrokenRule]

  /// Those that do nothing while others are as they are.
  ///
  /// - Parameter days: The run's first and last local day.
  func idle(during days: ClosedRange<CivilDate>) -> [IdleSettings]

  /// The run that they make in a frame.
  func plan(_ frame: RunFrame) -> any RunPlan
}

/// The typed values of the settings of one program.
struct ProgrammeValues<Programme: RewardProgramme>: TypedSettings {
  let settings: Programme.Settings

  func brokenRules(days: Int) -> [BrokenRule] {
    var rules = SettingRules(settings, days: days)
    Programme.Settings.check(&rules)
    return rules.broken
  }

  func idle(during days: ClosedRange<CivilDate>) -> [IdleSettings] { settings.idle(during: days) }

  func plan(_ frame: RunFrame) -> any RunPlan {
    ProgrammePlan(Programme.self, frame: frame, settings: settings)
  }
}
