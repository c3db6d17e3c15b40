package import Quantities

/// What a scenario says about a run besides the program's own settings.
package struct RunFrame: Sendable {
  package var scenario: String
  package var scenarioDescription: String
  package var seed: UInt64
  package var calendar: ProgrammeCalendar
  /// The lookahead.
  package var window: TimeSpan
  /// The resolved settings, for the run's record.
  package var settings: [RunHeader.SettingRow]
  /// Whether the run says by how much its members did more than was to be expected
  /// (`RunSample.controls`); working the expectation out takes a few milliseconds.
  package var controls = false
  /// Whether the run keeps what each member bought and was given (`RunSample.members`) and what the
  /// accounts held (`RunSample.cash`). It looks at each member at the end of every month.
  package var keepsMembers = false
  /// Days at the calendar's beginning that a replay of a history goes through without showing them:
  /// its record has the days that follow, and members begin them in the state that these days gave
  /// them. A simulation shows all its days.
  package var warmUpDays = 0

  /// A frame; see the properties.
  package init(
    scenario: String, scenarioDescription: String = "", seed: UInt64, calendar: ProgrammeCalendar,
    window: TimeSpan = .hours(1), settings: [RunHeader.SettingRow] = []
  ) {
    self.scenario = scenario
    self.scenarioDescription = scenarioDescription
    self.seed = seed
    self.calendar = calendar
    self.window = window
    self.settings = settings
  }
}
