internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Reports
internal import RewardModel
internal import Scenario

extension SolveCommand {
  /// What was asked for: a figure, or the most generous program.
  private func goal(_ figures: FigureCatalog) throws -> ConstrainedSolution.Goal {
    if let maximise {
      return ConstrainedSolution.Goal(
        .maximise, try FigureOption.check(maximise, of: figures, flag: "--maximize"))
    }
    if let minimise {
      return ConstrainedSolution.Goal(
        .minimise, try FigureOption.check(minimise, of: figures, flag: "--minimize"))
    }
    return ConstrainedSolution.Goal(mostGenerousOf: figures)
  }

  /// Finds the best settings under conditions.
  func search() throws {
    let base = try options.scenario(scenario)
    let goal = try goal(base.figures)
    let axes: [SettingAxis]
    let conditions: [Objective]
    let plan: SearchPlan
    do {
      axes = try adjust.map { text throws(SettingAxis.Refusal) in
        var axis = try SettingAxis(text, forms: [])
        axis.flag = "--adjust"
        return try axis.grained(like: base)
      }
      conditions = try suchThat.map { try Self.condition($0, base) }
      plan = try ConstrainedSolution.plan(
        axes, conditions, goal, points: points ?? 60, most: most, tolerance: tolerance)
    } catch {
      throw ValidationError("\(error)")
    }
    for condition in conditions { try checkMonth(of: condition, base) }
    try checkEnds(axes, plan, base, conditions)
    try ExperimentFolder.check(folder(base))
    let line = try options.progressLine(plotly)
    let total = plan.points * plan.replications + plan.confirmation
    options.listen()
    var spent = 0
    func observe(
      _ overrides: [SettingOverride], _ numbers: Range<Int>
    ) throws -> [SearchObservation] {
      let before = spent
      spent += numbers.count
      return try observations(overrides, numbers, goal, conditions, line) { done in
        line.update(min(before + done, total), of: total)
      }
    }
    let present = try SearchFigures(
      try observe([], 0..<plan.replications), plan.conditions, level: 0.95)
    let search = try ConstrainedSearch.run(plan) { values in
      try overrides(values, axes, base).map { "\($0.path)=\($0.value)" }
    } evaluate: { values, numbers in
      try observe(try overrides(values, axes, base), numbers)
    }
    ProgressLine.remove()
    let solution = ConstrainedSolution(
      axes: axes, conditions: conditions, goal: goal, search: search,
      presentTexts: axes.map { $0.presentText(base) }, present: present)
    try report(solution, base)
  }

  private func report(_ solution: ConstrainedSolution, _ base: Scenario) throws {
    let folder = folder(base)
    let settings = try overrides(
      solution.search.points[solution.shown].values, solution.axes, base
    ).map { "\($0.path)=\($0.value)" }
    let page = try options.page(plotly) { mode, source in
      ConstrainedPage.html(
        solution, scenario: base.name, plotly: mode, source: source, set: options.set)
    }
    let json = ConstrainedText.json(solution, overrides: settings, set: options.set)
    try ExperimentFolder.write([("solution.json", json), ("report.html", page)], to: folder)
    try options.show(json) { terminal in
      ConstrainedText.text(
        solution, overrides: settings, folder: folder, width: terminal.width,
        colour: terminal.colour)
    }
    if solution.answer == nil { throw ExitStatus.thresholdMissed }
  }

  /// What the scenario is overridden with at a point.
  private func overrides(
    _ values: [Double], _ axes: [SettingAxis], _ base: Scenario
  ) throws -> [SettingOverride] {
    do {
      return try zip(axes, values).flatMap { axis, value in try axis.overrides(value, base) }
    } catch {
      throw ValidationError("--adjust: \(error)")
    }
  }

  /// Settings that say nothing of the program and its members: the seeds of the replications
  /// come from the first, and runs do not read the others.
  private static let outsideModel = ["seed", "name", "description"]

  /// Refuses settings that are not part of the model or adjusted twice, and ends that the scenario
  /// does not take, before anything runs.
  private func checkEnds(
    _ axes: [SettingAxis], _ plan: SearchPlan, _ base: Scenario, _ conditions: [Objective]
  ) throws {
    var review = DistinctSettings(flag: "--adjust", word: "adjusted")
    for (axis, range) in zip(axes, plan.axes) {
      if Self.outsideModel.contains(axis.path) {
        throw ValidationError(
          "--adjust: \(axis.path) is not part of the model; adjust a number of rules, population or "
            + "economy, as pitboss scenario show lists them")
      }
      let ends = try [range.low, range.high].map { value in
        let there = try options.scenario(scenario, try overrides([value], [axis], base))
        options.note(there)
        for condition in conditions {
          try checkMonth(of: condition, there, with: " at \(axis.path) = \(axis.text(value))")
        }
        return there
      }
      try review.add(ends[0], ends[1])
    }
  }

  private func observations(
    _ overrides: [SettingOverride], _ numbers: Range<Int>, _ goal: ConstrainedSolution.Goal,
    _ conditions: [Objective], _ line: ProgressLine, progress: @escaping @Sendable (Int) -> Void
  ) throws -> [SearchObservation] {
    let asked = [goal.figure.id] + conditions.flatMap(\.figures)
    let (runner, done) = try replications(
      overrides, numbers, asked: asked, line, progress: progress)
    return try done.map { replication in
      guard let row = runner.measured.row(of: goal.figure.id), let figure = replication.figures[row]
      else { throw noFigure(goal.figure, done, runner.measured, isGoal: true, line) }
      return SearchObservation(
        objective: figure,
        conditions: try conditions.map { condition in
          guard let sample = condition.sample(replication, runner.measured) else {
            throw noFigure(condition.figure, done, runner.measured, line)
          }
          return sample
        })
    }
  }
}
