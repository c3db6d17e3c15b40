internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

extension ProjectCommand {
  /// Replications of each point: of differences by common random numbers a few suffice.
  private static let replicationsEach = 3

  /// Which assumptions carry what the program costs; nil unless it was asked for.
  func ranking(_ base: Scenario) throws -> AssumptionRanking? {
    guard assumptions else { return nil }
    let name = base.figures.choices.cost
    let figure = try FigureOption.check(name, of: base.figures)
    let environment = ProcessInfo.processInfo.environment
    let path = ScenarioPlaces.resolve(scenario)
    let candidates = AssumptionRanking.candidates(base.assumptions, base) { more in
      (try? Scenario.load(
        path: path, overrides: options.overrides + more, environment: environment)) != nil
    }
    let settings = [[]] + candidates.flatMap(\.ends)
    let each = Self.replicationsEach
    let jobs = try settings.flatMap { overrides in
      let runner = try options.runner(try options.scenario(scenario, overrides))
      return (0..<each).map { ReplicationJob(runner, $0) }
    }
    let line = try options.progressLine()
    defer { ProgressLine.remove() }
    let values = try options.figures(
      jobs, name, path: { _ in scenario }, overrides: { settings[$0 / each] },
      progress: { line.update($0, of: jobs.count) })
    let means = try settings.indices.map { place in
      let own = values[place * each..<(place + 1) * each].compactMap(\.self)
      guard own.count == each else { throw FigureOption.missing(name, base.name) }
      return own.reduce(0, +) / Double(each)
    }
    return AssumptionRanking(
      figure: figure, standard: means[0], replications: each,
      rows: candidates.indices.map {
        AssumptionRanking.Row(
          range: candidates[$0].range, low: means[1 + 2 * $0], high: means[2 + 2 * $0])
      })
  }
}
