package import Quantities
internal import RewardModel

/// When a run takes place.
package struct ScenarioCalendar: Sendable, Equatable {
  /// The first local day.
  package var start = CivilDate(year: 2026, month: 1, day: 1)
  /// How many local days the run lasts, 1...3,660.
  package var days = 365
  /// IANA name of the program's time zone.
  package var zone = "America/New_York"
  /// The lookahead of the run: members learn what the house decided at the next window's start.
  /// One second to one day.
  package var window = TimeSpan.hours(1)

  /// The defaults.
  package init() {}
}

/// The typed values that every scenario has, whatever its program; defaults first.
struct FrameValues: Sendable, Equatable {
  var name = ""
  var description: String?
  /// Id of the program.
  var programme: String
  var seed: UInt64 = 1
  var calendar = ScenarioCalendar()
  var expect: [String] = []
}

/// The settings of the frame, those before and those after the settings of the program.
extension FrameValues {
  /// - Parameter programmes: Ids of the programs that can be named.
  static func head(programmes: [String]) -> [Setting<FrameValues>] {
    [
      .text("name", \.name, most: 120, .assumed("", "Name of the scenario, as reports show it."))
        .needed,
      .optionalText(
        "description", \.description, most: 2_000, .assumed("", "The question that it answers.")),
      .choice(
        "programme", \.programme, among: programmes, word: { $0 },
        .given("", "The reward program.")),
      .integer(
        "seed", \.seed, 0...Int128(UInt64.max),
        .assumed(
          "", "Seed of all randomness; the same seed gives the same run, 2^63 more its mirror.")),
    ] + calendarSettings.under("calendar", \FrameValues.calendar)
  }

  private static let calendarSettings: [Setting<ScenarioCalendar>] = [
    .date("start", \.start, .assumed("", "The first local day.")),
    .integer("days", \.days, 1...3_660, .assumed("days", "Local days that it lasts.")),
    .zone("zone", \.zone, .assumed("", "Time zone of the program's calendar.")),
    .duration(
      "window", \.window, .seconds(1) ... .days(1),
      .assumed("", "Members learn what the house decided at the next window's start.")),
  ]

  /// - Parameter figures: That a threshold can name.
  static func tail(figures: FigureCatalog) -> [Setting<FrameValues>] {
    [
      .texts(
        "expect", \.expect, Expectation.form(figures), count: 0...200,
        .assumed("", "Thresholds that the run has to meet; a missed one gives exit code 99."))
    ]
  }

  static let groupDocs: [String: String] = [
    "": "One scenario: what is simulated, by which rules, for which members.",
    "calendar": "When the run takes place.",
  ]
}
