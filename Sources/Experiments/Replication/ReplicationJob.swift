/// One replication of one of several scenarios.
package struct ReplicationJob: Sendable {
  package let runner: ReplicationRunner
  /// Number of the replication, from 0: jobs of one number and one seed share random numbers.
  package let number: Int

  /// - Parameters:
  ///   - runner: Of the scenario.
  ///   - number: 0 or more.
  package init(_ runner: ReplicationRunner, _ number: Int) {
    self.runner = runner
    self.number = number
  }

  /// Why a job could not end.
  package struct Failure: Error {
    /// Its place among the jobs.
    package let place: Int
    package let cause: ReplicationFailure
  }

  /// Runs jobs side by side, each on one thread, and keeps one figure of each.
  ///
  /// - Parameters:
  ///   - jobs: In any order; the answers do not depend on it, nor on `threads`.
  ///   - figure: Id among those that the jobs measure.
  ///   - threads: Jobs at a time, 1 or more.
  ///   - proceed: Asked as jobs end, with how many have; false stops them.
  /// - Returns: In the order of `jobs`, nil where a run does not have the figure; nil altogether
  ///   when they were stopped.
  /// - Throws: The first failure among the jobs that were run.
  package static func figures(
    _ jobs: [ReplicationJob], _ figure: String, threads: Int,
    proceed: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws(Failure) -> [Double?]? {
    let end = SideBySide.run(
      jobs.count, threads: threads, proceed: proceed
    ) { place throws(ReplicationFailure) -> Double? in
      let job = jobs[place]
      let replication = try job.runner.replicate(job.number)
      return job.runner.measured.row(of: figure).flatMap { replication.figures[$0] }
    }
    switch end {
    case .done(let values): return values
    case .stopped: return nil
    case .failed(_, let failure) where failure.cause is ReplicationsUnwanted: return nil
    case .failed(let place, let cause): throw Failure(place: place, cause: cause)
    }
  }
}
