internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario

/// `pitboss solve SCENARIO --adjust … --such-that …`.
struct SolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "solve",
    abstract: "Finds the setting at which a condition just holds, or the best settings.",
    usage: """
      pitboss solve <scenario> --adjust <path=lo..hi> ... --such-that <condition> ... [<options>]
      """,
    discussion: """
      Example: pitboss solve SCENARIO --adjust 'path.to.list[*].key=*1..*12' \
      --such-that 'P(critical) <= 0.05'

      One setting: bisection under common random numbers. Each value is replicated until its \
      interval excludes the bound. The answer is the last value shown to hold at which fresh seeds \
      meet the condition, too, by their estimate at least. A condition is one of \
      P(warning), P(critical), P(critical@2026-12), P(FIGURE > x), mean(FIGURE) and p95(FIGURE).

      Several settings, several conditions, --maximize or --minimize: the point at which the \
      figure's mean is best while all conditions hold; the highest payouts where no figure is \
      named. Every point is run with the same seeds; fresh seeds meet the conditions at the answer, \
      too, by their estimates at least. \
      'pitboss figures' lists the figures.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(help: ArgumentHelp("What to adjust; may be repeated.", valueName: "path=lo..hi"))
  var adjust: [String] = []

  @Option(
    help: ArgumentHelp(
      "What has to hold; may be repeated.", valueName: "'P(critical) <= 0.05'"))
  var suchThat: [String] = []

  @Option(
    name: [.customLong("maximize"), .customLong("maximise")],
    help: "The figure whose mean is to be highest while the conditions hold.")
  var maximise: String?

  @Option(
    name: [.customLong("minimize"), .customLong("minimise")],
    help: "The figure whose mean is to be lowest while the conditions hold.")
  var minimise: String?

  @Option(
    help: "The most replications of one value; with several settings, a fifth of them per point.")
  var most = 200

  @Option(
    help: "The most points to try where there are several settings or conditions; 60 by default.")
  var points: Int?

  @Option(
    help: ArgumentHelp(
      "How close the answer has to be: as a share of it or, with several settings, of each range; 0.02 "
        + "by default."),
    transform: FigureOption.share)
  var tolerance = 0.02

  @Option(help: "The folder of the results; one in Results/ for each thing asked by default.")
  var out: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  func validate() throws {
    if !(10...100_000).contains(most) {
      throw ValidationError("--most is \(most); write a number from 10 to 100000")
    }
    guard tolerance > 0, tolerance < 1 else {
      throw ValidationError("--tolerance is \(tolerance); write a share above 0 and below 1")
    }
    let fewest = SearchPlan.pointsMinimum(axes: min(adjust.count, SearchPlan.axesMaximum))
    if let points, !(fewest...10_000).contains(points) {
      throw ValidationError("--points is \(points); write a number from \(fewest) to 10000")
    }
    if maximise != nil, minimise != nil {
      throw ValidationError("--maximize and --minimize exclude each other; give one of them")
    }
    if points != nil, isOneQuestion {
      throw ValidationError(
        "--points has no effect on the search for where one condition on one setting ends; leave it "
          + "out, or add an --adjust, a --such-that, --maximize or --minimize")
    }
  }

  /// Whether one condition on one setting is all that is asked.
  private var isOneQuestion: Bool {
    adjust.count == 1 && suchThat.count == 1 && maximise == nil && minimise == nil
  }

  func run() throws {
    Interrupts.end()
    IdleNotes.leaveOut(varied: adjust)
    // Not where arguments are parsed: an option that does not exist is the mistake to name then.
    if adjust.isEmpty { throw ValidationError("nothing is adjusted; give --adjust path=lo..hi") }
    if suchThat.isEmpty {
      throw ValidationError("nothing has to hold; give --such-that 'P(critical) <= 0.05'")
    }
    try options.refusePart("each value follows from those before, so that no part knows its share")
    if isOneQuestion {
      try solve(adjust[0], suchThat[0])
    } else {
      try search()
    }
  }

  /// Where the results go.
  func folder(_ base: Scenario) -> String {
    out
      ?? ExperimentFolder.path(
        "solve", base.folderName,
        for: adjust + suchThat + [maximise.map { "max \($0)" }, minimise.map { "min \($0)" }])
  }

  /// Reads a condition.
  ///
  /// - Throws: `ValidationError`, which names the option.
  static func condition(_ text: String, _ scenario: Scenario) throws -> Objective {
    do {
      return try Objective(text, figures: scenario.figures)
    } catch { throw ValidationError("--such-that: \(error)") }
  }

  /// Finds where one condition on one setting ends.
  private func solve(_ adjust: String, _ suchThat: String) throws {
    let base = try options.scenario(scenario)
    let axis: SettingAxis
    let objective: Objective
    let settings: RootSettings
    do {
      var adjusted = try SettingAxis(adjust, forms: [])
      adjusted.flag = "--adjust"
      axis = try adjusted.grained(like: base)
      try options.refuseReplaced(axis, base)
      objective = try Self.condition(suchThat, base)
      settings = try Solution.settings(axis, objective, most: most, tolerance: tolerance)
      try settings.check()
    } catch {
      throw ValidationError("\(error)")
    }
    try checkMonth(of: objective, base)
    try checkValues(axis, settings, base, objective)
    let folder = folder(base)
    try ExperimentFolder.check(folder)
    let line = try options.progressLine(plotly)
    options.listen()
    let search = try StochasticRoot.solve(settings) { value, numbers in
      try values(of: objective, axis, value, base, numbers, line)
    }
    ProgressLine.remove()
    let solution = Solution(axis: axis, objective: objective, search: search)
    let settingsThere = try solution.answer.map { value in
      do {
        return try axis.overrides(value, base).map { "\($0.path)=\($0.value)" }
      } catch { throw ValidationError("--adjust: \(error)") }
    }
    let page = try options.page(plotly) { mode, source in
      SolutionPage.html(
        solution, scenario: base.name, overrides: settingsThere ?? [], plotly: mode, source: source,
        set: options.set)
    }
    let json = SolutionText.json(solution, overrides: settingsThere ?? [], set: options.set)
    try ExperimentFolder.write([("solution.json", json), ("report.html", page)], to: folder)
    try options.show(json) { terminal in
      SolutionText.text(
        solution, scenario: scenario, overrides: settingsThere ?? [], folder: folder,
        width: terminal.width, colour: terminal.colour)
    }
    if !solution.holds { throw ExitStatus.thresholdMissed }
  }

  /// Refuses a range of which the scenario does not take the ends or the middle, before anything
  /// runs.
  private func checkValues(
    _ axis: SettingAxis, _ settings: RootSettings, _ base: Scenario, _ objective: Objective
  ) throws {
    let (low, high) = settings.ends
    let middle = settings.value(between: low, and: high, share: 0.5)
    for value in [low, high] + [middle].compactMap(\.self) {
      let overrides: [SettingOverride]
      do { overrides = try axis.overrides(value, base) } catch {
        throw ValidationError("--adjust: \(error)")
      }
      let there = try options.scenario(scenario, overrides)
      options.note(there)
      _ = try options.runner(there)
      try checkMonth(of: objective, there, with: " at \(axis.path) = \(axis.text(value))")
    }
  }

  /// The objective's values of replications at one value of the setting.
  private func values(
    of objective: Objective, _ axis: SettingAxis, _ value: Double, _ base: Scenario,
    _ numbers: Range<Int>, _ line: ProgressLine
  ) throws -> [Double] {
    let overrides: [SettingOverride]
    do {
      overrides = try axis.overrides(value, base)
    } catch {
      throw ValidationError("--adjust: \(error)")
    }
    let (runner, done) = try replications(overrides, numbers, asked: objective.figures, line) {
      line.update($0, of: numbers.count)
    }
    return try done.map { replication in
      guard let value = objective.value(replication, runner.measured) else {
        throw noFigure(objective.figure, done, runner.measured, line)
      }
      return value
    }
  }

  /// Refuses a condition on a month that the run does not have.
  ///
  /// - Parameter place: What the run is with, in words that follow "the run".
  func checkMonth(
    of objective: Objective, _ scenario: Scenario, with place: String = ""
  ) throws {
    guard let month = objective.month else { return }
    let months = try options.runner(scenario).plan.frame.calendar.dates.map(\.monthLabel)
    guard !months.contains(month), let first = months.first, let last = months.last else { return }
    throw ValidationError(
      "--such-that: \(month) is not in the run\(place); write "
        + (first == last ? first : "a month from \(first) to \(last)"))
  }

  /// Replications of the scenario with overrides, and what ran them.
  func replications(
    _ overrides: [SettingOverride], _ numbers: Range<Int>, asked: [String], _ line: ProgressLine,
    progress: @escaping @Sendable (Int) -> Void
  ) throws -> (runner: ReplicationRunner, done: [Replication]) {
    let runner = try options.runner(try options.scenario(scenario, overrides), asked: asked)
    let done = try options.reporting(scenario, overrides) {
      try runner.run(numbers) {
        progress($0)
        return !Interrupts.requested
      }
    }
    guard let done else {
      ProgressLine.remove()
      throw ExitStatus.stopped()
    }
    return (runner, done)
  }

  /// Says that runs have no number of a figure, how many they are, and what to ask instead.
  func noFigure(
    _ figure: FigureDescription?, _ done: [Replication], _ measured: MeasuredFigures,
    isGoal: Bool = false, _ line: ProgressLine
  ) -> ExitCode {
    ProgressLine.remove()
    if let gaps = figure.flatMap({ FigureGaps($0, done, measured) }) {
      complain("pitboss: " + FigureText.gaps(gaps, isGoal: isGoal))
    }
    return ExitStatus.badInput
  }
}
