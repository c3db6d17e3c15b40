internal import EventKernel
package import RewardModel
package import Scenario

/// Runs replications of one scenario side by side, each on one thread with a seed of its own.
///
/// The seeds follow from the scenario's own and the replication's number alone, so that two
/// scenarios of one seed share them (common random numbers), and the results do not depend on the
/// number of threads.
package struct ReplicationRunner: Sendable {
  /// Replications that may wait for an earlier one to end.
  package static let waitingLimit = 64

  /// What one replication is made of.
  package private(set) var plan: any RunPlan
  package let measured: MeasuredFigures
  /// Replications at a time.
  package let threads: Int
  /// The digest of a run's rows.
  private let fingerprint: @Sendable (any ProgrammeRecord) -> String
  /// What is drawn for each replication before it runs; nil where a scenario's settings are certain.
  package var inputs: UncertainInputs?
  /// Numbers of replications that run in antithetic pairs, from an even number to an even one: the
  /// second of two has the first's seed mirrored.
  package var pairs = 0..<0
  /// Asked after each window of every replication: false gives up those under way and begins no
  /// more, so that `run` and `fold` return nil within a window's time.
  package var isWanted: @Sendable () -> Bool = { true }
  /// Makes the replications; nil for this process's own threads.
  package var maker: (any ReplicationMaker)?
  /// What the plan came from; needed where a maker is set.
  package var origin: Scenario.Origin?
  /// Given every replication as it ends, in any order.
  package var ended: @Sendable (Replication) -> Void = { _ in }
  private let asked: [String]

  /// - Parameters:
  ///   - plan: The run that is replicated.
  ///   - asked: Figures that are measured besides those that the program declares.
  ///   - threads: 1 or more.
  ///   - fingerprint: The digest of a run's rows.
  package init(
    _ plan: any RunPlan, asked: [String] = [], threads: Int,
    fingerprint: @escaping @Sendable (any ProgrammeRecord) -> String = { _ in "" }
  ) {
    self.plan = plan
    self.asked = asked
    measured = MeasuredFigures(plan.figures, asked: asked)
    self.threads = threads
    self.fingerprint = fingerprint
  }

  /// The seed of a replication: the scenario's own for number 0.
  ///
  /// Others are a SplitMix64 output of the sum of seed and number (Steele, Lea and Flood 2014,
  /// doi:10.1145/2660193.2660195), without the highest bit, which would mirror it.
  package static func seed(_ seed: UInt64, replication: Int) -> UInt64 {
    guard replication > 0 else { return seed }
    var word = seed &+ UInt64(replication) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return (word ^ (word >> 31)) & ~(1 << 63)
  }

  /// The seed of a replication of this runner.
  func seed(_ number: Int) -> UInt64 {
    guard pairs.contains(number), !number.isMultiple(of: 2) else {
      return ReplicationRunner.seed(plan.frame.seed, replication: number)
    }
    return RandomStream.mirrored(ReplicationRunner.seed(plan.frame.seed, replication: number - 1))
  }

  /// The same runner with replications that say by how much their members did more than was to be
  /// expected, where the program knows that.
  package func withControls() -> ReplicationRunner {
    var other = self
    other.plan.frame.controls = true
    return other
  }

  /// The same runner with replications that say what each member bought and was given, where the
  /// program knows that.
  func keepingMembers() -> ReplicationRunner {
    var other = self
    other.plan.frame.keepsMembers = true
    return other
  }

  /// The same runner with another seed to begin from.
  package func seeded(_ seed: UInt64) -> ReplicationRunner {
    var other = self
    other.plan.frame.seed = seed
    return other
  }

  /// Runs replications by number and keeps them all.
  ///
  /// - Parameters:
  ///   - numbers: Which ones.
  ///   - proceed: Asked as replications end, with how many have; false stops the experiment.
  /// - Returns: In the order of `numbers`; nil when it was stopped.
  /// - Throws: What a run throws first, by number: `ReplicationFailure`.
  package func run(
    _ numbers: Range<Int>, proceed: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) throws(ReplicationFailure) -> [Replication]? {
    try fold(numbers, into: [Replication](), proceed: proceed) { $0.append($1) }
  }

  /// Runs replications by number and keeps only what is made of them.
  ///
  /// A replication is added once all with smaller numbers are. At most `waitingLimit` replications,
  /// or twice as many as there are threads, exist at a time.
  ///
  /// - Parameters:
  ///   - numbers: Which ones.
  ///   - start: What they are added to.
  ///   - proceed: Asked as replications end, with how many have; false stops the experiment.
  ///   - add: Called with the replications in the order of their numbers, one at a time.
  /// - Returns: The sum; nil when it was stopped.
  /// - Throws: What a run throws first, by number: `ReplicationFailure`.
  package func fold<Sum: Sendable>(
    _ numbers: Range<Int>, into start: Sum,
    proceed: @escaping @Sendable (Int) -> Bool = { _ in true },
    add: @escaping @Sendable (inout Sum, Replication) -> Void
  ) throws(ReplicationFailure) -> Sum? {
    try fold(
      numbers.count, into: start, proceed,
      { place throws(ReplicationFailure) -> Replication in
        try replicate(numbers.lowerBound + place)
      }, add)
  }

  /// Runs replications again with what was drawn for them, but with other luck; see `fold`.
  func foldAgain<Sum: Sendable>(
    _ numbers: [Int], into start: Sum, proceed: @escaping @Sendable (Int) -> Bool,
    add: @escaping @Sendable (inout Sum, Replication) -> Void
  ) throws(ReplicationFailure) -> Sum? {
    try fold(
      numbers.count, into: start, proceed,
      { place throws(ReplicationFailure) -> Replication in try repeated(numbers[place]) }, add)
  }

  private func fold<Sum: Sendable>(
    _ count: Int, into start: Sum, _ proceed: @escaping @Sendable (Int) -> Bool,
    _ piece: @escaping @Sendable (Int) throws(ReplicationFailure) -> Replication,
    _ add: @escaping @Sendable (inout Sum, Replication) -> Void
  ) throws(ReplicationFailure) -> Sum? {
    let end = SideBySide.fold(
      count, threads: threads, window: max(Self.waitingLimit, 2 * threads),
      into: start,
      proceed: proceed, piece: piece, add: add)
    switch end {
    case .done(let sum): return sum
    case .stopped: return nil
    case .failed(_, let failure):
      if failure.cause is ReplicationsUnwanted { return nil }
      throw failure
    }
  }

  /// Runs one replication.
  func replicate(_ number: Int) throws(ReplicationFailure) -> Replication {
    try replicate(number, luck: seed(number))
  }

  /// Numbers of the seeds of repetitions begin here: no replication has so large a number.
  private static let repetitions = 1 << 40

  /// Runs a replication again with what was drawn for it, but with other luck.
  func repeated(_ number: Int) throws(ReplicationFailure) -> Replication {
    try replicate(number, luck: repeatedSeed(number))
  }

  private func repeatedSeed(_ number: Int) -> UInt64 {
    ReplicationRunner.seed(plan.frame.seed, replication: Self.repetitions + number)
  }

  private func replicate(_ number: Int, luck: UInt64) throws(ReplicationFailure) -> Replication {
    var draw = UncertainInputs.Draw()
    do {
      let replication: Replication
      if let maker, let request = request(number, luck: luck) {
        draw = request.draw
        replication = Replication(
          index: number, seed: luck, drawn: draw, answer: try maker.answer(request.request))
      } else {
        replication = try simulated(number, luck: luck, &draw)
      }
      ended(replication)
      return replication
    } catch {
      throw ReplicationFailure(number: number, seed: luck, drawn: draw.settings, cause: error)
    }
  }

  /// What a replication is made from; nil where nobody said what the plan came from.
  private func request(
    _ number: Int, luck: UInt64
  ) -> (request: ReplicationRequest, draw: UncertainInputs.Draw)? {
    guard let origin else { return nil }
    let draw = inputs?.draw(seed: seed(number)) ?? UncertainInputs.Draw()
    var request = ReplicationRequest(
      text: origin.bytes, file: origin.file, overrides: draw.settings + origin.overrides,
      seed: luck, asked: asked)
    request.controls = plan.frame.controls
    request.keepsMembers = plan.frame.keepsMembers
    return (request, draw)
  }

  /// What replications are made from, for those who share the work out beforehand.
  ///
  /// - Parameter again: Whether they are those of `foldAgain`.
  package func requests(_ numbers: some Sequence<Int>, again: Bool = false) -> [ReplicationRequest]
  {
    numbers.compactMap { request($0, luck: again ? repeatedSeed($0) : seed($0))?.request }
  }

  private func simulated(
    _ number: Int, luck: UInt64, _ draw: inout UncertainInputs.Draw
  ) throws -> Replication {
    var plan = plan
    plan.frame.seed = luck
    if let inputs {
      // Known to the caller before anything can be refused, so that a replay sets the same.
      draw = inputs.draw(seed: seed(number))
      let frame = plan.frame
      plan = try inputs.plan(draw)
      plan.frame.seed = luck
      plan.frame.controls = frame.controls
      plan.frame.keepsMembers = frame.keepsMembers
    }
    return try replication(of: plan, number, draw)
  }

  private func replication<Plan: RunPlan>(
    of plan: Plan, _ number: Int, _ draw: UncertainInputs.Draw
  ) throws -> Replication {
    let record = try plan.simulate(threads: 1) { _ in isWanted() }
    guard isWanted() else { throw ReplicationsUnwanted() }
    return Replication(
      record, of: Plan.Programme.self, index: number, measured: measured, drawn: draw,
      fingerprint: fingerprint(record))
  }
}

/// A replication that could not end.
package struct ReplicationFailure: Error, CustomStringConvertible {
  package var number: Int
  package var seed: UInt64
  /// What was drawn for it.
  package var drawn: [SettingOverride] = []
  package var cause: any Error

  package var description: String { "replication \(number) (seed \(seed)): \(cause)" }
}
