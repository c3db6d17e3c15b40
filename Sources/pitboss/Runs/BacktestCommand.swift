internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Service

/// `pitboss backtest SCENARIO --history FILE --out DIR`, or with `--journal DIR`.
struct BacktestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtest",
    abstract: "Replays real history through the rules of a scenario.",
    discussion: """
      The scenario gives rules, economy and zone; days and members come from the history. \
      The run spans the history: from the first row's local midnight to its last row, or those \
      of its days that --from and --to leave. Rows before --from are replayed, too, as a warm-up: \
      members begin with what they had done and reached, and the figures are of the days from \
      then on.

      Rows that contradict others are counted under data quality: repeated rows, more used than \
      bought, rows before a sign-up, unknown referrers, circles of referrals. A history with a gap \
      of more than a year is replayed only with --from or --to.

      With --journal the past is that of a service, whose scenario it is: what its clients asked \
      for is committed again, once by the rules of the scenario and once with what --set changes, \
      and the figures are printed side by side. The service has to be stopped.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @Option(help: "A CSV file with the header of the program's histories.")
  var history: String?

  @Option(
    help: ArgumentHelp("The folder of a service, in place of a history.", valueName: "dir"))
  var journal: String?

  @Option(help: "The run folder; Results/NAME-backtest by default.")
  var out: String?

  @Option(
    help: ArgumentHelp(
      "First local day that the figures show: YYYY-MM-DD; that of the first row by default.",
      valueName: "date"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Last local day that is replayed, to its end: YYYY-MM-DD; without it the replay ends with the last "
        + "row.",
      valueName: "date"))
  var to: String?

  @Flag(help: "Refuses a history with rows that contradict others, before anything is replayed.")
  var strict = false

  @OptionGroup var source: ScenarioOptions

  @OptionGroup var options: RunOptions

  func validate() throws {
    guard (history == nil) != (journal == nil) else {
      throw ValidationError("give either --history, a CSV file, or --journal, a service's folder")
    }
    if journal != nil, out != nil || from != nil || to != nil || strict {
      throw ValidationError("--out, --from, --to and --strict go with --history")
    }
    // A service's past begins with what the environment sets, whatever that acts on.
    let environment = ProcessInfo.processInfo.environment
    let settings =
      (journal == nil ? SettingOverride.from(environment: environment) : []) + source.overrides
    if let setting = settings.first(where: { isOfMembers($0.path) }) {
      throw ValidationError(
        "\(setting.source) \(setting.path) has no effect on what members did, which is replayed; "
          + "leave it out, or ask 'pitboss run' what simulated members would do")
    }
    if journal != nil {
      guard source.seed == nil else {
        throw ValidationError(
          "--seed has no effect on a service's past: its codes and draws come from its secrets; leave it out"
        )
      }
      if let setting = settings.first(where: { isIdle($0.path) }) {
        throw ValidationError(
          "\(setting.source) \(setting.path) has no effect on a service, which goes by rules.…, economy.… and "
            + "calendar.zone; leave it out")
      }
    }
    if out == "" { throw ValidationError("--out is empty; give a folder") }
    for (flag, text) in [("--from", from), ("--to", to)] {
      if let text, CivilDate(text) == nil {
        throw ValidationError(
          "\(flag): '\(text)' is not a date; write YYYY-MM-DD, as in 2026-01-31")
      }
    }
    if let from = from.flatMap({ CivilDate($0) }), let to = to.flatMap({ CivilDate($0) }),
      to < from
    {
      throw ValidationError("--to is before --from; give a later day")
    }
  }

  /// Settings that say when members are simulated: thresholds of a month look at them, and nothing else of a
  /// replay does.
  private static let days: Set = ["calendar.start", "calendar.days", "calendar.window"]

  /// Whether a setting says how simulated members behave.
  private func isOfMembers(_ path: String) -> Bool {
    path.prefix { $0 != "." } == "population"
  }

  /// Whether a setting does nothing to a service; one of a group may.
  private func isIdle(_ path: String) -> Bool {
    let group = path.prefix { $0 != "." }
    return path == "seed"
      || ["calendar", "check", "faults", "population"].contains(group) && path.contains(".")
        && !ServedSettings.concern(path)
  }

  func run() throws {
    Interrupts.end()
    if let journal {
      return try JournalBacktest(scenario: scenario, source: source, folder: journal).run()
    }
    guard let history else { return }
    try replay(file: history)
  }

  private func replay(file: String) throws {
    let scenario = try source.scenario(scenario)
    let folder = out ?? "Results/\(scenario.folderName)-backtest"
    let all = try reportingFailures {
      try CheckpointFolder.refuseUnfinished(at: folder)
      try RunFolder.check(folder, for: scenario.programme)
      return try History.read(
        scenario.programme.history, path: file, zone: scenario.calendar.zone)
    }
    let part = try part(of: all, in: file, zone: scenario.calendar.zone)
    let wrong = part.findings.filter(\.isContradiction)
    if strict, !wrong.isEmpty {
      for line in QualityWords.lines(wrong) { complain("\(file): \(line)") }
      complain("pitboss: --strict refuses these rows; correct them, or leave --strict out")
      throw ExitStatus.badInput
    }
    try checkMonths(of: scenario, in: part, file)
    if let setting = source.overrides.first(where: { Self.days.contains($0.path) }),
      scenario.expect.allSatisfy({ $0.month == nil })
    {
      complain(
        "\(setting.source) \(setting.path) does nothing: a replay has the days of its history, and "
          + "--from and --to show a part of them")
    }
    var plan = try scenario.plan(calendar: part.calendar)
    plan.frame.warmUpDays = part.warmUpDays
    try replay(part, of: file, by: plan, of: scenario, to: folder)
  }

  /// A month that the figures do not reach would meet its threshold, or miss it, without a word.
  private func checkMonths(
    of scenario: Scenario, in part: HistoryPart, _ file: String
  ) throws {
    let months = Set(part.dates.map(\.monthLabel))
    for expectation in scenario.expect {
      guard let month = expectation.month, !months.contains(month) else { continue }
      complain(
        "expect: '\(expectation.text)': \(month) is not among the days of \(file) that are shown; "
          + "name one of their months, and set calendar.start and calendar.days so that it is in the "
          + "scenario, too")
      throw ExitStatus.badInput
    }
  }

  /// The days that were asked for.
  private func part(of history: History, in file: String, zone: String) throws -> HistoryPart {
    if from == nil, to == nil, let gap = history.gap {
      complain(
        "\(file):\(gap.line): \(gap.days.grouped) days without a row follow; take the rows on the "
          + "wrong side of them out of the file, or give --to to stop before them or --from to "
          + "replay them all the same")
      throw ExitStatus.badInput
    }
    let last = to.flatMap { CivilDate($0) }
    if let day = try history.endsWithBareDate(zone: zone), last.map({ $0 > day }) ?? true {
      complain(
        "\(file): ends as \(day) begins, the bare date of its last row; --to \(day) replays that day, too"
      )
    }
    let part = try history.part(
      zone: zone, from: from.flatMap { CivilDate($0) }, to: last)
    guard let part else {
      complain("\(file): has no row in the days that --from and --to leave")
      throw ExitStatus.badInput
    }
    return part
  }

  private func replay(
    _ part: HistoryPart, of file: String, by plan: some RunPlan, of scenario: Scenario,
    to folder: String
  ) throws {
    let record = try options.timed(threads: 1) { proceed in
      do {
        var record = try plan.replay(part.history, proceed: proceed)
        record.header.findings = part.findings
        return record
      } catch let error as any ReplayFailure {
        let form = scenario.programme.history
        complain(
          "\(file):\(error.line): \(error.reason); lower the \(form.column) or the amounts")
        throw ExitStatus.badInput
      } catch let error as MoneyError {
        complain("\(self.scenario): \(error); lower the amounts")
        throw ExitStatus.badInput
      } catch let violation as Violation {
        complain("pitboss: \(violation)")
        throw ExitStatus.invariantViolated
      }
    }
    try options.finish(plan, record, scenario: scenario, folder: folder)
  }
}
