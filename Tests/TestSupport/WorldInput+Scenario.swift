package import BlakJaks
package import Quantities
internal import RewardModel
package import Scenario

extension WorldInput {
  /// The world of a validated scenario, which is one of BlakJaks.
  ///
  /// - Parameter calendar: Nil takes the scenario's own; a replay gives that of its history.
  /// - Throws: `CalendarError.unknownZone`, which validation has ruled out.
  package init(
    _ scenario: Scenario, calendar: ProgrammeCalendar? = nil
  ) throws(CalendarError) {
    guard let settings = scenario.settings(of: BlakJaksProgramme.self) else {
      fatalError("scenario \(scenario.name) is of another programme than BlakJaks")
    }
    self.init(try scenario.plan(calendar: calendar).frame, settings)
  }
}
