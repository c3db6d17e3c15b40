internal import ArgumentParser
internal import Experiments
internal import RewardModel
internal import Scenario

extension ExperimentOptions {
  /// One figure of jobs; a job that failed becomes a message that replays it.
  ///
  /// - Parameters:
  ///   - path: The scenario of a job, by its place.
  ///   - overrides: What a job sets besides the options, by its place.
  ///   - progress: Called as jobs end with how many have.
  func figures(
    _ jobs: [ReplicationJob], _ figure: String, path: (Int) -> String,
    overrides: (Int) -> [SettingOverride], progress: @escaping @Sendable (Int) -> Void
  ) throws -> [Double?] {
    guard
      let values = try figuresUnlessStopped(
        jobs, figure, path: path, overrides: overrides, progress: progress)
    else { throw ExitStatus.stopped() }
    return values
  }

  /// The same, nil when it was interrupted, for what is only part of an experiment.
  func figuresUnlessStopped(
    _ jobs: [ReplicationJob], _ figure: String, path: (Int) -> String,
    overrides: (Int) -> [SettingOverride], progress: @escaping @Sendable (Int) -> Void
  ) throws -> [Double?]? {
    do {
      return try ReplicationJob.figures(jobs, figure, threads: threadCount) {
        progress($0)
        return !Interrupts.requested
      }
    } catch {
      throw exit(error.cause, path(error.place), overrides(error.place))
    }
  }
}
