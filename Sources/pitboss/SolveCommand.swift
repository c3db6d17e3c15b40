internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import Scenario
internal import Simulator

/// `pitboss solve SCENARIO --adjust … --such-that …`.
struct SolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "solve",
    abstract: "Finds the setting at which a condition just still holds.",
    discussion: """
      Example: pitboss solve launch-year --adjust 'rules.prizes[*].every=*1..*12' \
      --such-that 'P(critical) <= 0.05'

      Bisection under common random numbers: each value is replicated until its interval excludes \
      the bound, and fresh seeds confirm the answer. The condition is one of P(warning), \
      P(critical), P(critical@2026-12), P(FIGURE > x), mean(FIGURE) and p95(FIGURE).
      """)

  @Argument(help: "A scenario file, or the bare name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(help: ArgumentHelp("What is adjusted.", valueName: "path=lo..hi"))
  var adjust: String

  @Option(help: ArgumentHelp("The condition.", valueName: "'P(critical) <= 0.05'"))
  var suchThat: String

  @Option(help: "The most replications of one value.")
  var most = 200

  @Option(help: "How close the answer has to be, as a share of itself.")
  var tolerance = 0.02

  @Option(help: "The folder of the results; Results/solve-NAME by default.")
  var out: String?

  @Option(help: "How report.html comes by plotly.js, in the words of plotly.py.")
  var plotly: PlotlyMode?

  func validate() throws {
    if !(10...100_000).contains(most) {
      throw ValidationError("--most is \(most); write a number from 10 to 100000")
    }
    guard tolerance > 0, tolerance < 1 else {
      throw ValidationError("--tolerance is \(tolerance); write a share above 0 and below 1")
    }
  }

  func run() throws {
    let base = try options.scenario(scenario)
    let axis: SettingAxis
    let objective: Objective
    let settings: RootSettings
    do {
      var adjusted = try SettingAxis(adjust)
      adjusted.flag = "--adjust"
      axis = adjusted
      objective = try Objective(suchThat)
      settings = try Solution.settings(axis, objective, most: most, tolerance: tolerance)
      try settings.check()
    } catch {
      throw ValidationError("\(error)")
    }
    let months = try options.runner(base).input.calendar.dates.map(\.monthLabel)
    if let month = objective.month, !months.contains(month) {
      throw ValidationError("\(month) is not in the run, which ends in \(months.last ?? "")")
    }
    let line = CountLine(try chosen(options.progress, "PROGRESS", .auto), "replications")
    Interrupts.listen()
    let search = try StochasticRoot.solve(settings) { value, numbers in
      try values(of: objective, axis, value, base, numbers, line)
    }
    line.finish()
    let solution = Solution(axis: axis, objective: objective, search: search)
    let folder = out ?? "Results/solve-\(base.name)"
    let settingsThere = try solution.answer.map { value in
      do {
        return try axis.overrides(value, base).map { "\($0.path)=\($0.value)" }
      } catch { throw ValidationError("--adjust: \(error)") }
    }
    let page = try ExperimentFolder.page(plotly) { mode, source in
      SolutionPage.html(solution, scenario: base.name, plotly: mode, source: source)
    }
    let json = SolutionText.json(solution, overrides: settingsThere ?? [])
    try ExperimentFolder.write([("solution.json", json), ("report.html", page)], to: folder)
    switch try chosen(options.format, "FORMAT", .text) {
    case .json: try printResult(json)
    case .text:
      try printResult(
        SolutionText.text(
          solution, scenario: scenario, overrides: settingsThere ?? [], folder: folder,
          colour: Terminal.current.colour))
    }
    if solution.answer == nil { throw ExitStatus.thresholdMissed }
  }

  /// The objective's values of replications at one value of the setting.
  private func values(
    of objective: Objective, _ axis: SettingAxis, _ value: Double, _ base: Scenario,
    _ numbers: Range<Int>, _ line: CountLine
  ) throws -> [Double] {
    let overrides: [SettingOverride]
    do {
      overrides = try axis.overrides(value, base)
    } catch {
      throw ValidationError("--adjust: \(error)")
    }
    let runner = try options.runner(
      try options.scenario(scenario, overrides), asked: objective.figures)
    let done = try options.reporting(scenario, overrides) {
      try runner.run(numbers) {
        line.update($0, of: numbers.count)
        return !Interrupts.requested
      }
    }
    guard let done else {
      line.finish()
      complain("pitboss: interrupted; nothing was written")
      throw ExitStatus.interrupted
    }
    return try done.map { replication in
      if let value = objective.value(replication, runner.catalog) { return value }
      line.finish()
      complain(
        "pitboss: \(objective.figures.joined()) has no value in the run of seed "
          + "\(replication.seed); choose a figure that every run has")
      throw ExitStatus.badInput
    }
  }
}
