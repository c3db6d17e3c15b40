internal import Dispatch
internal import Synchronization

/// One replication of one of several scenarios.
package struct ReplicationJob: Sendable {
  package let runner: ReplicationRunner
  /// Number of the replication, from 0: jobs of one number and one seed share random numbers.
  package let number: Int

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
  ///   - figure: Name in the catalogs of the jobs.
  ///   - threads: Jobs at a time, 1 or more.
  ///   - proceed: Asked as jobs end, with how many have; false stops them.
  /// - Returns: In the order of `jobs`, nil where a run does not have the figure; nil altogether
  ///   when they were stopped.
  /// - Throws: The failure that stands first among the jobs that were run.
  package static func figures(
    _ jobs: [ReplicationJob], _ figure: String, threads: Int,
    proceed: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws(Failure) -> [Double?]? {
    struct State {
      var values: [Double?]
      var next = 0
      var done = 0
      var failure: Failure?
      var stopped = false
    }
    let state = Mutex(State(values: Array(repeating: nil, count: jobs.count)))
    DispatchQueue.concurrentPerform(iterations: min(threads, max(jobs.count, 1))) { _ in
      while true {
        let place: Int? = state.withLock { state in
          guard !state.stopped, state.failure == nil, state.next < jobs.count else { return nil }
          state.next += 1
          return state.next - 1
        }
        guard let place else { return }
        let job = jobs[place]
        do throws(ReplicationFailure) {
          let replication = try job.runner.run(job.number..<job.number + 1)?.first
          let value = job.runner.catalog.row(of: figure).flatMap { replication?.figures[$0] }
          state.withLock { state in
            state.values[place] = value
            state.done += 1
            if !proceed(state.done) { state.stopped = true }
          }
        } catch {
          let failure = Failure(place: place, cause: error)
          state.withLock { state in
            if state.failure.map({ $0.place > place }) ?? true { state.failure = failure }
          }
        }
      }
    }
    let end = state.withLock { $0 }
    if let failure = end.failure { throw failure }
    return end.stopped ? nil : end.values
  }
}
