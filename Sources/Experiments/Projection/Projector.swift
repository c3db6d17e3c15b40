internal import RewardModel
package import Scenario

/// Runs a projection: a given number of replications, or as many as a precision takes.
package struct Projector: Sendable {
  /// When enough is enough.
  package enum Target: Sendable {
    case replications(Int)
    /// Until the 95 % half-width of the year's utilization, or without a budget that of its spend
    /// as a share of it, is at most this; at least 10 replications and at most `most`.
    case precision(Double, most: Int)
  }

  /// Replications of the first round where a precision is wanted.
  package static let first = 10

  package let runner: ReplicationRunner
  package let target: Target
  package let antithetic: Antithetic
  /// Thresholds that the sum is asked about.
  package let expect: [Expectation]

  /// A projection that has not begun.
  ///
  /// - Parameters:
  ///   - runner: Runs the replications.
  ///   - target: When there are enough of them.
  ///   - antithetic: Whether replications run in pairs.
  ///   - controls: Whether means are adjusted by what members bought beyond their expectation.
  ///   - expect: Thresholds that the sum is asked about.
  package init(
    _ runner: ReplicationRunner, target: Target, antithetic: Antithetic = .off,
    controls: Bool = false, expect: [Expectation] = []
  ) {
    self.expect = expect
    self.runner = controls ? runner.withControls() : runner
    self.target = target
    self.antithetic = antithetic
  }

  /// Runs the replications and sums them up in the order of their numbers.
  ///
  /// Rounds grow by what the precision reached so far makes likely, so that the number does not
  /// depend on the machine. The first round is large enough that an early stop by chance is rare
  /// (Law 2015, *Simulation Modeling and Analysis*, §9.4.1). The trial of pairs is part of the
  /// first round that has `PairTrial.needed` replications.
  ///
  /// - Parameters:
  ///   - each: Given every replication in the order of their numbers, one at a time; nothing keeps
  ///     it afterward.
  ///   - proceed: Called with how many replications are done and how many are expected; false stops.
  /// - Returns: Nil when it was stopped.
  /// - Throws: `ReplicationFailure`.
  package func run(
    each: @escaping @Sendable (Replication) -> Void = { _ in },
    proceed: @escaping @Sendable (_ done: Int, _ expected: Int) -> Bool
  ) throws(ReplicationFailure) -> ProjectionFold? {
    var fold = ProjectionFold(
      measured: runner.measured, antithetic: antithetic, uncertain: runner.inputs?.names ?? [],
      areTogether: runner.inputs?.areTogether ?? false, expect: expect)
    func extend(_ fold: ProjectionFold, to end: Int, of expected: Int) throws(ReplicationFailure)
      -> ProjectionFold?
    {
      var runner = runner
      runner.pairs = fold.trial.pairs
      let before = fold.count
      return try runner.fold(
        before..<end, into: fold, proceed: { proceed(before + $0, expected) },
        add: { fold, replication in
          each(replication)
          fold.add(replication)
        })
    }
    var next =
      switch target {
      case .replications(let count): count
      case .precision(_, let most): min(Projector.first, most)
      }
    while true {
      if fold.trial.verdict == .tooFew, fold.count.isMultiple(of: 2),
        next - fold.count >= PairTrial.needed
      {
        fold.trial.begin(at: fold.count)
        guard let tried = try extend(fold, to: fold.trial.pairs.upperBound, of: next) else {
          return nil
        }
        fold = tried
        fold.endTrial()
      }
      guard let more = try extend(fold, to: next, of: next) else { return nil }
      fold = more
      guard case .precision(let wanted, let most) = target else { return try again(fold, proceed) }
      fold.precision = PrecisionGoal(wanted, fold)
      guard let goal = fold.precision, !goal.isReached, fold.count < most else {
        return try again(fold, proceed)
      }
      // Pairs are whole.
      next = min(most, (max(fold.count + 2, goal.likely(after: fold.count)) + 1) / 2 * 2)
    }
  }

  /// Runs some of the draws of uncertain settings again with other luck.
  private func again(
    _ fold: ProjectionFold, _ proceed: @escaping @Sendable (Int, Int) -> Bool
  ) throws(ReplicationFailure) -> ProjectionFold? {
    guard fold.uncertainty != nil else { return fold }
    var runner = runner
    runner.pairs = fold.trial.pairs
    let numbers = Self.repeated(fold.count, pairs: runner.pairs)
    return try runner.foldAgain(
      numbers, into: fold,
      proceed: { proceed(fold.count + $0, fold.count + numbers.count) },
      add: { $0.addAgain($1) })
  }

  /// The numbers of the replications that are run again. The second of a pair has the first one's draw
  /// mirrored, so that it says little new.
  private static func repeated(_ count: Int, pairs: Range<Int>) -> [Int] {
    Array(
      (0..<count).filter { !pairs.contains($0) || $0.isMultiple(of: 2) }
        .prefix(UncertaintySample.repetitions(of: count)))
  }

  /// What all of its replications are made from, in their order; nil where only those that have run
  /// tell which come next.
  package var requests: [ReplicationRequest]? {
    let trial = PairTrial(antithetic)
    guard case .replications(let count) = target,
      trial.verdict != .tooFew || count < PairTrial.needed
    else { return nil }
    var runner = runner
    runner.pairs = trial.pairs
    let again = runner.inputs == nil ? [] : Self.repeated(count, pairs: trial.pairs)
    return runner.requests(0..<count) + runner.requests(again, again: true)
  }
}
