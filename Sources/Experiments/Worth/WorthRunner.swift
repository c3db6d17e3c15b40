/// Runs a scenario and the same population without rewards with the same seeds, pair by pair.
package struct WorthRunner: Sendable {
  /// Why a pair could not end.
  package struct Failure: Error {
    /// Whether the side without rewards failed.
    package let isWithout: Bool
    package let cause: ReplicationFailure
  }

  private let with: ReplicationRunner
  private let without: ReplicationRunner

  /// - Parameters:
  ///   - with: Of the scenario.
  ///   - without: Of the scenario without rewards, with the same seed.
  ///   - keepsMembers: Whether pairs say what groups of members and sign-up months brought.
  package init(with: ReplicationRunner, without: ReplicationRunner, keepsMembers: Bool) {
    self.with = keepsMembers ? with.keepingMembers() : with
    self.without = keepsMembers ? without.keepingMembers() : without
  }

  /// Runs pairs side by side.
  ///
  /// Members are held only of the pairs under way.
  ///
  /// - Parameters:
  ///   - numbers: Which replications.
  ///   - proceed: Asked as pairs end, with how many have; false stops them.
  /// - Returns: In the order of `numbers`; nil when they were stopped.
  /// - Throws: The first failure among the pairs that were begun.
  package func run(
    _ numbers: Range<Int>, proceed: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws(Failure) -> [WorthPair]? {
    let end = SideBySide.run(
      numbers.count, threads: with.threads, proceed: proceed
    ) { place throws(Failure) -> WorthPair in
      let number = numbers.lowerBound + place
      func side(_ runner: ReplicationRunner, _ isWithout: Bool) throws(Failure) -> Replication {
        do throws(ReplicationFailure) {
          return try runner.replicate(number)
        } catch { throw Failure(isWithout: isWithout, cause: error) }
      }
      return WorthPair(with: try side(with, false), without: try side(without, true))
    }
    switch end {
    case .done(let pairs): return pairs
    case .stopped: return nil
    case .failed(_, let failure) where failure.cause.cause is ReplicationsUnwanted: return nil
    case .failed(_, let failure): throw failure
    }
  }
}
