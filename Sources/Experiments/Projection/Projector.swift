/// Runs a projection: a given number of replications, or as many as a precision takes.
package struct Projector: Sendable {
  /// When enough is enough.
  package enum Target: Sendable {
    case replications(Int)
    /// Until the 95 % half-width of the year's utilisation is at most this, at least 10
    /// replications and at most `most`.
    case precision(Double, most: Int)
  }

  /// Replications of the first round where a precision is wanted.
  package static let first = 10

  package let runner: ReplicationRunner
  package let target: Target

  /// A projection that has not begun.
  package init(_ runner: ReplicationRunner, target: Target) {
    self.runner = runner
    self.target = target
  }

  /// Runs the replications.
  ///
  /// Rounds grow by what the precision reached so far makes likely, so that the number does not
  /// depend on the machine. The first round is large enough that an early stop by chance is rare
  /// (Law 2015, *Simulation Modeling and Analysis*, §9.4.1).
  ///
  /// - Parameter proceed: Told how many replications are done and how many are expected; false
  ///   stops.
  /// - Returns: Nil when it was stopped.
  /// - Throws: `ReplicationFailure`.
  package func run(
    proceed: @escaping @Sendable (_ done: Int, _ expected: Int) -> Bool
  ) throws(ReplicationFailure) -> [Replication]? {
    switch target {
    case .replications(let count):
      return try runner.run(0..<count) { proceed($0, count) }
    case .precision(let wanted, let most):
      var all: [Replication] = []
      var next = min(Projector.first, most)
      while true {
        let before = all.count
        let expected = next
        guard let more = try runner.run(before..<next, proceed: { proceed(before + $0, expected) })
        else { return nil }
        all += more
        guard all.count < most else { return all }
        guard let reached = halfWidth(all), reached > wanted else { return all }
        let ratio = reached / wanted
        let likely = min((Double(all.count) * ratio * ratio).rounded(.up), Double(all.count * 3))
        next = min(most, max(all.count + 2, Int(likely)))
      }
    }
  }

  /// The half-width reached; nil without a budget.
  private func halfWidth(_ replications: [Replication]) -> Double? {
    guard let row = runner.catalog.row(of: "budget.utilisation.year") else { return nil }
    return Estimate(replications.compactMap { $0.figures[row] })?.halfWidth
  }
}
