package import BlakJaks
package import Quantities
package import RewardModel
package import Scenario

extension Scenario {
  /// The run that this scenario describes.
  ///
  /// - Parameter calendar: Nil takes the scenario's own; a replay gives that of its history.
  /// - Throws: `CalendarError.unknownZone`, which validation has ruled out.
  package func plan(
    calendar chosen: ProgrammeCalendar? = nil
  ) throws(CalendarError) -> ProgrammePlan<BlakJaksProgramme> {
    let span: ProgrammeCalendar
    if let chosen {
      span = chosen
    } else {
      span = try ProgrammeCalendar(
        zone: calendar.zone, firstDate: calendar.start, days: calendar.days)
    }
    var typed = BlakJaksSettings()
    typed.rules = rules
    typed.population = population
    typed.faults = faults
    return ProgrammePlan(
      BlakJaksProgramme.self,
      frame: RunFrame(
        scenario: name, scenarioDescription: description ?? "", seed: seed, calendar: span,
        window: calendar.window,
        settings: settings.map {
          RunHeader.SettingRow(path: $0.path, value: $0.valueText, mark: $0.mark.rawValue)
        }), settings: typed)
  }
}

extension WorldInput {
  /// The world of a validated scenario; see `Scenario.plan`.
  package init(
    _ scenario: Scenario, calendar: ProgrammeCalendar? = nil
  ) throws(CalendarError) {
    let plan = try scenario.plan(calendar: calendar)
    self.init(plan.frame, plan.settings)
  }
}
