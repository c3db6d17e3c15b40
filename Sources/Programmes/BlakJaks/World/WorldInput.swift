package import Population
package import Quantities
package import RewardModel

/// What a world is made of.
package struct WorldInput: Sendable {
  package var scenario: String
  package var scenarioDescription: String
  package var seed: UInt64
  package var calendar: ProgrammeCalendar
  /// The lookahead.
  package var window: TimeSpan
  package var rules: ProgrammeRules
  /// As members respond to the rules; see `PopulationSettings.responding`.
  package var population: PopulationSettings
  package var faults: FaultSettings
  package var settings: [RunHeader.SettingRow]
  /// What members are expected to buy, where the run's controls are wanted.
  package var expectation: PurchaseExpectation?
  /// Whether the record says what each member bought and was given.
  package var keepsMembers = false
  /// See `RunFrame.warmUpDays`.
  package var warmUpDays = 0

  /// The input of one world; see the properties.
  ///
  /// - Parameter population: As its scenario says, without any response.
  package init(
    scenario: String, scenarioDescription: String = "", seed: UInt64, calendar: ProgrammeCalendar,
    window: TimeSpan, rules: ProgrammeRules, population: PopulationSettings,
    faults: FaultSettings = FaultSettings(), settings: [RunHeader.SettingRow] = []
  ) {
    self.scenario = scenario
    self.scenarioDescription = scenarioDescription
    self.seed = seed
    self.calendar = calendar
    self.window = window
    self.rules = rules
    self.population = population.responding(to: rules)
    self.faults = faults
    self.settings = settings
  }
}

extension WorldInput {
  /// The input of a scenario.
  package init(_ frame: RunFrame, _ settings: BlakJaksSettings) {
    self.init(
      scenario: frame.scenario, scenarioDescription: frame.scenarioDescription, seed: frame.seed,
      calendar: frame.calendar, window: frame.window, rules: settings.rules,
      population: settings.population, faults: settings.faults, settings: frame.settings)
    keepsMembers = frame.keepsMembers
    warmUpDays = frame.warmUpDays
    // What members buy after a win or a lost tier is not in that expectation.
    guard frame.controls, !population.response.followsEvents else { return }
    let season = SeasonTable.of(population.season, calendar: calendar)
    expectation = PurchaseExpectation.of(population, weeks: season.totalHours / 168)
  }

  /// The outages of the payout pipeline, those that the run sees anything of: one may have begun
  /// before it.
  package var outages: [OutageInterval] {
    faults.payouts.outages.compactMap { outage in
      let start = start(of: outage)
      let end = start + outage.lasts
      guard start < calendar.end, end > calendar.start else { return nil }
      return OutageInterval(start: start, end: end, kind: outage.kind)
    }
  }

  /// The first instant of its date at which the wall clock shows its hour or a later one.
  private func start(of outage: PayoutOutage) -> Instant {
    do throws(CalendarError) {
      let day = try ProgrammeCalendar(zone: calendar.zoneName, firstDate: outage.date, days: 1)
      return day.instants(atHour: outage.hour)[0]
    } catch { fatalError("the zone \(calendar.zoneName) was known before: \(error)") }
  }
}
