package import Quantities
package import RewardModel

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

/// What `check` does with a scenario.
package struct CheckSettings: Sendable, Equatable {
  /// Whether the scenario is taken as it stands: no small world and no faults are drawn for it.
  package var asWritten = false
  /// How many times as many members a drawn world has, 1...1,000.
  package var size = 1
  /// Faults that the course of requests brings, each as `kind rate`.
  var faults: [String] = []
  /// Submissions that are made, as ranges of their places; nil for all.
  var kept: String?

  /// The defaults.
  package init() {}

  /// Rates of the faults by kind, 0...1.
  package var rates: [String: Double] {
    Dictionary(
      faults.compactMap { try? Self.rate($0) }, uniquingKeysWith: { _, last in last })
  }

  /// The kinds of the faults, as they are listed.
  package var kinds: [String] { faults.compactMap { (try? Self.rate($0))?.kind } }

  /// Places of the submissions that are made; nil for all.
  package var places: PlaceSet? { kept.flatMap { PlaceSet($0) } }

  /// Reads `kind rate`.
  static func rate(_ text: String) throws(Refusal) -> (kind: String, rate: Double) {
    let words = text.split(separator: " ")
    guard words.count == 2, let rate = Double(words[1]), rate >= 0, rate <= 1 else {
      throw Refusal("'\(text)' is not a fault with its rate", "write \(wanted)")
    }
    return (String(words[0]), rate)
  }

  static let wanted = "a kind of fault and its rate from 0 to 1, such as 'duplicated 0.05'"
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
  var uncertain: [String] = []
  var correlated: [String] = []
  var sources: [String] = []
  var check = CheckSettings()
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
          "",
          "Seed of all randomness; the same seed gives the same run, and 2^63 more its mirrored run."
        )),
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
        .assumed("", "Thresholds that the run has to meet; a missed one gives exit code 99.")),
      .texts(
        "uncertain", \.uncertain, UncertainSetting.form, count: 0...100,
        .assumed(
          "",
          "Settings of which only a distribution is known; experiments draw them again in each "
            + "replication, 'run' takes what the scenario says.")),
      .texts(
        "correlated", \.correlated, RankCorrelation.form, count: 0...1_000,
        .assumed("", "Rank correlations of uncertain settings.")),
      .texts(
        "sources", \.sources, SettingSource.form, count: 0...200,
        .assumed("", "Where values that the file writes come from, such as a history.")),
    ] + checkSettings.under("check", \FrameValues.check)
  }

  private static let checkSettings: [Setting<CheckSettings>] = [
    .flag(
      "as_written", \.asWritten,
      .assumed("", "Whether 'check' draws no small world and no faults for the scenario.")),
    .integer(
      "size", \.size, 1...1_000,
      .assumed("", "How many times as many members the small worlds of 'check' have.")),
    .texts(
      "faults", \.faults,
      TextForm(
        wanted: CheckSettings.wanted, pattern: "^[a-z_]+ +[0-9.eE-]+$",
        check: { text throws(Refusal) in _ = try CheckSettings.rate(text) }), count: 0...100,
      .assumed("", "Faults on the way of requests while 'check' takes the scenario as written.")),
    .optionalText(
      "kept", \.kept, most: 100_000,
      .assumed("", "Places of the submissions that 'check' makes, such as 0-12,40; null for all.")),
  ]

  static let groupDocs: [String: String] = [
    "": "One scenario: what is simulated, by which rules, for which members.",
    "calendar": "When the run takes place.",
    "check": "What 'pitboss check' does with the scenario; no other command looks at it.",
  ]
}
