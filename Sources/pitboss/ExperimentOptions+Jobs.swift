internal import ArgumentParser
internal import Experiments
internal import Scenario
internal import Simulator

extension ExperimentOptions {
  /// What overrides every scenario of an experiment.
  var overrides: [SettingOverride] {
    var overrides = set.map { SettingOverride(argument: $0) }
    if let seed { overrides.append(SettingOverride(path: "seed", value: seed, source: "--seed")) }
    return overrides
  }

  /// One figure of jobs; a job that failed becomes a message that replays it.
  ///
  /// - Parameters:
  ///   - path: The scenario of a job, by its place.
  ///   - overrides: What a job sets beside the options, by its place.
  ///   - progress: Told as jobs end how many have.
  func figures(
    _ jobs: [ReplicationJob], _ figure: String, _ line: CountLine, path: (Int) -> String,
    overrides: (Int) -> [SettingOverride], progress: @escaping @Sendable (Int) -> Void
  ) throws -> [Double?] {
    let values: [Double?]?
    do {
      values = try ReplicationJob.figures(jobs, figure, threads: threadCount) {
        progress($0)
        return !Interrupts.requested
      }
    } catch {
      line.finish()
      complain("pitboss: \(error.cause)")
      let settings =
        set.map { " --set '\($0)'" }
        + overrides(error.place).map { " --set '\($0.path)=\($0.value)'" }
      complain(
        "replay: pitboss run \(path(error.place)) --seed \(error.cause.seed)"
          + settings.joined())
      throw error.cause.cause is Violation ? ExitStatus.invariantViolated : ExitStatus.badInput
    }
    guard let values else {
      line.finish()
      complain("pitboss: interrupted; nothing was written")
      throw ExitStatus.interrupted
    }
    return values
  }
}
