internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

extension ProjectCommand {
  /// Replications of each point: of differences by common random numbers one will do.
  private static let replicationsEach = 1

  /// What is varied: each setting's two ends, and what makes a row of what came of them.
  private struct Candidate {
    let ends: [[SettingOverride]]
    let row: (_ low: Double, _ high: Double) -> AssumptionRanking.Row
  }

  /// What became of the ranking: a projection is whole without it.
  struct Ranked {
    /// Nil where it was not asked for and where it could not be made.
    var ranking: AssumptionRanking?
    /// How the command ends for it after the projection is written; nil where nothing went wrong that
    /// somebody has to know.
    var exit: ExitCode?
  }

  /// The ranking, or why there is none, said on standard error.
  func ranked(_ base: Scenario) -> Ranked {
    guard assumptions else { return Ranked() }
    do {
      return Ranked(ranking: try ranking(base))
    } catch {
      let exit = error as? ExitCode
      complain(
        exit == ExitStatus.interrupted
          ? "pitboss: interrupted; the projection is complete, but assumptions are not ranked"
          : "pitboss: the projection is complete, but assumptions are not ranked because of that"
      )
      let isFound = exit == ExitStatus.interrupted || exit == ExitStatus.invariantViolated
      return Ranked(exit: isFound ? exit : nil)
    }
  }

  /// Which settings carry what the program costs: those that are uncertain or, where none are, those
  /// that are assumed.
  private func ranking(_ base: Scenario) throws -> AssumptionRanking? {
    let name = base.figures.choices.cost
    let figure = try FigureOption.check(name, of: base.figures)
    let (inputs, candidates, settings, jobs) = try rankingJobs(base)
    let each = Self.replicationsEach
    let line = try options.progressLine()
    defer { ProgressLine.remove() }
    let values = try options.figuresUnlessStopped(
      jobs, name, path: { _ in scenario }, overrides: { settings[$0 / each] },
      progress: { line.update($0, of: jobs.count) })
    guard let values else { throw ExitStatus.interrupted }
    let means = try settings.indices.map { place in
      let own = values[place * each..<(place + 1) * each].compactMap(\.self)
      guard own.count == each else { throw FigureOption.missing(name, base.name) }
      return own.reduce(0, +) / Double(each)
    }
    return AssumptionRanking(
      figure: figure, standard: means[0], replications: each,
      rows: candidates.indices.map {
        candidates[$0].row(means[1 + 2 * $0], means[2 + 2 * $0])
      }, leftOut: inputs?.leftOut ?? 0)
  }

  /// What the ranking takes: the uncertain settings, what is varied, what each point sets, and the
  /// replications of all points.
  private func rankingJobs(_ base: Scenario) throws -> (
    inputs: UncertainInputs?, candidates: [Candidate], settings: [[SettingOverride]],
    jobs: [ReplicationJob]
  ) {
    let inputs = try reportingFailures { try UncertainInputs(base) }
    let candidates = inputs.map { uncertain($0) } ?? assumed(base)
    let settings = [inputs?.medians ?? []] + candidates.flatMap(\.ends)
    let jobs = try settings.flatMap { overrides in
      var runner = try options.runner(try options.scenario(scenario, overrides))
      runner.inputs = nil
      return (0..<Self.replicationsEach).map { ReplicationJob(runner, $0) }
    }
    return (inputs, candidates, settings, jobs)
  }

  /// What the replications of the ranking are made from; nothing where none is asked for.
  func rankingRequests(_ base: Scenario) throws -> [ReplicationRequest] {
    assumptions ? try rankingJobs(base).jobs.flatMap { $0.runner.requests([$0.number]) } : []
  }

  private func uncertain(_ inputs: UncertainInputs) -> [Candidate] {
    inputs.ends.map { ends in
      Candidate(ends: ends.settings) { AssumptionRanking.Row(ends, low: $0, high: $1) }
    }
  }

  private func assumed(_ base: Scenario) -> [Candidate] {
    // As the replications read them: they win over what the call sets.
    AssumptionRanking.candidates(base.assumptions, base) { more in
      (try? options.source.load(scenario, more)) != nil
    }.map { candidate in
      Candidate(ends: candidate.ends) {
        AssumptionRanking.Row(range: candidate.range, low: $0, high: $1)
      }
    }
  }
}
