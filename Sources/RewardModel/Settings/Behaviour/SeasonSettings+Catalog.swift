package import Population
internal import Quantities

extension SeasonSettings {
  /// Whether and how demand follows the clock; the switch is the group itself.
  package static let catalog: [Setting<SeasonSettings>] = [
    .offSwitch(
      "", \.enabled,
      .assumed("", "How demand follows the clock; none makes every instant alike.")),
    .decimals(
      "hours", \.hours, .atLeast(0, upTo: 1_000),
      count: 24...24, .sourced("", "Weights by local hour of day, from 00:00.")),
    .decimals(
      "weekdays", \.weekdays, .atLeast(0, upTo: 1_000),
      count: 7...7, .assumed("", "Weights Monday to Sunday.")),
    .records(
      "holidays", \.holidays,
      blank: HolidayFactor(date: CivilDate(dayNumber: 0), factor: 1), fields: holidayFields,
      count: 0...3_660,
      .assumed("", "Factors of single local dates.")),
  ]

  private static let holidayFields: [Setting<HolidayFactor>] = [
    .date("date", \.date, .assumed("", "The local date.")).needed,
    .decimal("factor", \.factor, .atLeast(0, upTo: 1_000), .assumed("", "Factor of demand."))
      .needed,
  ]
}
