package import RewardModel
internal import Scenario
internal import Synchronization

/// Makes replications in this process, on the thread that asks.
package final class OwnMaker: ReplicationMaker {
  /// Scenarios with their settings that are kept ready, at most.
  private static let plansKept = 32

  private let fingerprint: @Sendable (any ProgrammeRecord) -> String
  private let plans = Mutex<[String: any RunPlan]>([:])

  /// - Parameter fingerprint: The digest of a run's rows.
  package init(fingerprint: @escaping @Sendable (any ProgrammeRecord) -> String) {
    self.fingerprint = fingerprint
  }

  /// Makes a replication.
  ///
  /// - Throws: `InputErrors` where the request makes no scenario; what the run throws.
  package func answer(_ request: ReplicationRequest) throws -> ReplicationAnswer {
    try request.answer(try plan(request), fingerprint: fingerprint)
  }

  /// The plan of a request; reading its scenario again for each would take milliseconds.
  private func plan(_ request: ReplicationRequest) throws -> any RunPlan {
    let overrides = request.overrides.map { "\($0.path)=\($0.value)" }
    let key = "\(request.file)\n\(overrides)\n\(request.text.hashValue)"
    if let plan = plans.withLock({ $0[key] }) { return plan }
    let plan = try request.plan()
    plans.withLock { plans in
      if plans.count >= Self.plansKept { plans.removeAll() }
      plans[key] = plan
    }
    return plan
  }
}

extension ReplicationRequest {
  /// Makes replications side by side.
  ///
  /// - Parameters:
  ///   - requests: In any order; the answers do not depend on it, nor on `threads`.
  ///   - maker: Who makes them.
  ///   - threads: Requests at a time, 1 or more.
  ///   - proceed: Asked as they end, with how many have; false stops them.
  /// - Returns: In the order of `requests`; nil when they were stopped.
  /// - Throws: The first failure among those that were begun, with the place of its request.
  package static func answers(
    _ requests: [ReplicationRequest], by maker: any ReplicationMaker, threads: Int,
    proceed: @escaping @Sendable (Int) -> Bool
  ) throws(ReplicationFailure) -> [ReplicationAnswer]? {
    let end = SideBySide.run(
      requests.count, threads: threads, proceed: proceed
    ) { place throws(ReplicationFailure) -> ReplicationAnswer in
      let request = requests[place]
      do {
        return try maker.answer(request)
      } catch { throw ReplicationFailure(number: place, seed: request.seed, cause: error) }
    }
    switch end {
    case .done(let answers): return answers
    case .stopped: return nil
    case .failed(_, let failure):
      if failure.cause is ReplicationsUnwanted { return nil }
      throw failure
    }
  }
}
