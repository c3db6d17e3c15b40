internal import BlakJaks
internal import Population
package import Quantities

/// The reward programmes that scenarios can name.
package enum Programme: String, CaseIterable, Sendable {
  case blakjaks
}

/// When a run takes place.
package struct ScenarioCalendar: Sendable, Equatable {
  /// The first local day.
  package var start = CivilDate(year: 2026, month: 1, day: 1)
  /// How many local days the run lasts, 1...3,660.
  package var days = 365
  /// IANA name of the programme's time zone.
  package var zone = "America/New_York"
  /// The lookahead of the run: members learn what the house decided at the next window's start.
  /// One second to one day.
  package var window = TimeSpan.hours(1)

  package init() {}
}

/// The typed values that the settings of one scenario file fill, defaults first.
struct ScenarioValues: Sendable, Equatable {
  var name = ""
  var description: String?
  var programme = Programme.blakjaks
  var seed: UInt64 = 1
  var calendar = ScenarioCalendar()
  var rules = ProgrammeRules()
  var population = PopulationSettings()
  var faults = FaultSettings()
  var expect: [String] = []
}
