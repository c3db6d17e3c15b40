internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Reports
internal import RewardModel
internal import Scenario

/// `pitboss sensitivity SCENARIO`.
struct SensitivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensitivity",
    abstract: "Finds which settings move a figure, and what share of its variance each explains.",
    discussion: """
      Screens all settings by Morris's elementary effects, then computes Sobol's first-order and \
      total indices of those with the largest effects, with the others at the scenario's values. \
      Every point is run with the same seeds. Without --vary a list of settings that every scenario \
      has is varied by half of what the scenario says, as far as its bounds go.

      Example: pitboss sensitivity SCENARIO --vary 'path.to.list[*].key=*0.5..*2' \
      --vary path.to.key=0.1..0.3
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(help: ArgumentHelp("What to vary; may be repeated.", valueName: "path=lo..hi"))
  var vary: [String] = []

  @Option(help: "The figure; the share of the budget that is used by default.")
  var figure: String?

  @Option(help: "Trajectories of the screening; each takes one run per setting and one more.")
  var trajectories = 10

  @Option(help: "How many settings get Sobol indices.")
  var keep = 4

  @Option(
    help: ArgumentHelp(
      "Base points of the indices, each with one run per setting and two more; a power of two. 64, "
        + "the default, give a first look; the intervals hold from "
        + "\(SobolIndices.baseForIntervals) on."))
  var base: Int?

  @Option(help: "Replications of each point.")
  var replications = 1

  @Option(help: "The folder of the results; one in Results/ for each thing asked by default.")
  var out: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  private static let plan = SensitivityAnalysis.Plan()

  func validate() throws {
    for (name, value, allowed) in [
      ("trajectories", trajectories, 2...10_000), ("keep", keep, 0...SobolIndices.factorsMaximum),
      ("base", base ?? Self.plan.base, 8...(1 << 20)), ("replications", replications, 1...10_000),
    ] where !allowed.contains(value) {
      throw ValidationError(
        "--\(name) is \(value); write a number from \(allowed.lowerBound) to \(allowed.upperBound)")
    }
    if let base, base & (base - 1) != 0 {
      let below = 1 << (Int.bitWidth - 1 - base.leadingZeroBitCount)
      throw ValidationError(
        "--base is \(base); write a power of two, such as \(below) or \(2 * below): other numbers of a "
          + "Sobol sequence's points do not spread evenly")
    }
    if base != nil, keep == 0 {
      throw ValidationError(
        "--base has no effect with --keep 0, which computes no indices; leave one of them out")
    }
  }

  func run() throws {
    Interrupts.end()
    IdleNotes.leaveOut(varied: vary)
    try options.refusePart(
      "which settings get indices shows only when all are screened, so that no part knows its share"
    )
    let base = try options.scenario(scenario)
    let figure = self.figure ?? base.figures.choices.utilisation
    let measured = try FigureOption.check(figure, of: base.figures)
    let axes = try axes(base)
    let moves = try axes.map { axis in
      do { return try axis.moves(in: base) } catch { throw ValidationError("--vary: \(error)") }
    }
    let folder = out ?? ExperimentFolder.path("sensitivity", base.folderName, for: [figure] + vary)
    try ExperimentFolder.check(folder)
    var plan = Self.plan
    plan.trajectories = trajectories
    plan.keep = keep
    if let base = self.base { plan.base = base }
    plan.seed = base.seed
    let line = try options.progressLine(plotly)
    let total = plan.pointsMaximum(axes: axes.count) * replications
    options.listen()
    var done = 0
    let analysis: SensitivityAnalysis
    do {
      analysis = try SensitivityAnalysis(
        axes, figure: measured, replications: replications, plan: plan, like: base
      ) { points in
        var values: [Double] = []
        // Scenarios are read a few at a time, for each holds all its settings.
        let step = max(1, 8 * options.threadCount / replications)
        for start in stride(from: 0, to: points.count, by: step) {
          let some = Array(points[start..<min(points.count, start + step)])
          let before = done
          values += try evaluate(figure, some, moves, base, line) {
            line.update(before + $0, of: total)
          }
          done += some.count * replications
        }
        return values
      }
    } catch let error as StatisticsError {
      ProgressLine.remove()
      throw ValidationError("\(error)")
    }
    ProgressLine.remove()
    try report(analysis, base.name, to: folder)
  }

  private func report(
    _ analysis: SensitivityAnalysis, _ name: String, to folder: String
  ) throws {
    let page = try options.page(plotly) { mode, source in
      SensitivityPage.html(
        analysis, scenario: name, plotly: mode, source: source, set: options.set)
    }
    let json = SensitivityText.json(analysis, scenario: name, set: options.set)
    try ExperimentFolder.write([("sensitivity.json", json), ("report.html", page)], to: folder)
    try options.show(json) { terminal in
      SensitivityText.text(
        analysis, scenario: name, folder: folder, width: terminal.width, colour: terminal.colour)
    }
  }

  /// What is varied: what was asked for, or the standard list as far as the scenario has it.
  private func axes(_ base: Scenario) throws -> [SettingAxis] {
    if !vary.isEmpty {
      var review = InputReview()
      var distinct = DistinctSettings(flag: "--vary", word: "varied")
      let axes = try vary.map { try axis($0, base, &review, &distinct) }
      try review.check()
      return axes
    }
    let environment = ProcessInfo.processInfo.environment
    let path = ScenarioPlaces.find(scenario) ?? scenario
    let axes = StandardAxes.of(base.standardAxes, base) { more in
      (try? Scenario.load(
        path: path, overrides: options.overrides + more, environment: environment)) != nil
    }
    if axes.isEmpty { throw ValidationError("nothing can be varied; give --vary path=lo..hi") }
    return axes
  }

  /// An axis, both ends of which are read: what is wrong with them is said before anything runs.
  private func axis(
    _ text: String, _ base: Scenario, _ review: inout InputReview,
    _ distinct: inout DistinctSettings
  ) throws -> SettingAxis {
    let axis: SettingAxis
    let ends: [[SettingOverride]]
    do {
      axis = try SettingAxis(text, forms: []).grained(like: base)
      guard case .range(let low, let high, _, _) = axis.values else {
        throw ValidationError(
          "--vary: \(axis.path) takes a range here; write path=lo..hi or path=*lo..*hi")
      }
      ends = [try axis.overrides(low, base), try axis.overrides(high, base)]
    } catch let refusal as SettingAxis.Refusal {
      throw ValidationError("--vary: \(refusal)")
    }
    try ends.forEach(ExperimentOptions.refuseSeed)
    let read = ends.map { overrides in
      review.read { () throws(InputErrors) in try options.source.load(scenario, overrides) }
    }
    read.compactMap(\.self).forEach(options.note)
    if let low = read[0], let high = read[1] { try distinct.add(low, high) }
    return axis
  }

  /// The figure at some points, the mean of their replications.
  private func evaluate(
    _ figure: String, _ points: [[DesignCoordinate?]], _ moves: [SettingMoves],
    _ base: Scenario, _ line: ProgressLine, progress: @escaping @Sendable (Int) -> Void
  ) throws -> [Double] {
    var settings: [[SettingOverride]] = []
    do {
      for point in points {
        var overrides: [SettingOverride] = []
        for (moves, coordinate) in zip(moves, point) {
          if let coordinate { overrides += try moves.overrides(coordinate) }
        }
        settings.append(overrides)
      }
    } catch {
      throw ValidationError("--vary: \(error)")
    }
    let jobs = try settings.flatMap { overrides in
      let runner = try options.runner(
        try options.scenario(scenario, overrides), asked: [figure])
      return (0..<replications).map { ReplicationJob(runner, $0) }
    }
    let values = try options.figures(
      jobs, figure, path: { _ in scenario }, overrides: { settings[$0 / replications] },
      progress: progress)
    return try points.indices.map { place in
      var sum = 0.0
      for value in values[place * replications..<(place + 1) * replications] {
        guard let value else {
          ProgressLine.remove()
          throw FigureOption.missing(figure, base.name)
        }
        sum += value
      }
      return sum / Double(replications)
    }
  }
}
