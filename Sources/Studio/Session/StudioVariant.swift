internal import Experiments
internal import Quantities
internal import RewardModel
internal import Scenario

/// What is kept of the replications of one variant: their sum, and of each what pairs it with the
/// one of the same number of the other variant.
struct StudioSum: Sendable {
  var fold: ProjectionFold
  /// Figures by their row in `measured`, one list a replication.
  private(set) var figures: [[Double?]] = []
  /// Whether a month closed Critical; nil without a budget.
  private(set) var broke: [Bool?] = []

  /// No replications.
  ///
  /// - Parameters:
  ///   - inputs: What is drawn; nil where all settings are certain.
  ///   - expect: Thresholds that the sum is asked about.
  init(_ measured: MeasuredFigures, inputs: UncertainInputs?, expect: [Expectation]) {
    fold = ProjectionFold(
      measured: measured, antithetic: .auto, uncertain: inputs?.names ?? [],
      areTogether: inputs?.areTogether ?? false, expect: expect)
  }

  /// Replications added.
  var count: Int { fold.count }

  mutating func add(_ replication: Replication) {
    fold.add(replication)
    figures.append(replication.figures)
    let worst = replication.months.compactMap(\.status).max()
    broke.append(worst.map { $0 == .critical })
  }
}

/// A scenario with the replications that were run of it.
struct StudioVariant: Sendable {
  let scenario: Scenario
  /// Runs its replications, with the seed of the session's scenario and its controls.
  let runner: ReplicationRunner
  var sum: StudioSum
  /// Why no more replications are run; nil while all is well.
  var failure: String?
  /// Tells variants apart: the move that made it.
  var key = 0

  /// A variant without replications.
  ///
  /// - Parameters:
  ///   - seed: Of the scenario that it is compared with; nil takes its own.
  ///   - threads: Replications at a time.
  init(_ scenario: Scenario, seed: UInt64? = nil, threads: Int) throws(StudioRefusal) {
    self.scenario = scenario
    do {
      let plan = try scenario.plan()
      var runner = ReplicationRunner(
        plan, asked: scenario.expect.compactMap(\.figure), threads: threads
      ).withControls()
      runner.inputs = try UncertainInputs(scenario)
      self.runner = runner.seeded(seed ?? scenario.seed)
    } catch { throw StudioRefusal("\(error)") }
    sum = StudioSum(runner.measured, inputs: runner.inputs, expect: scenario.expect)
  }

  /// The seed that its replications begin from.
  var seed: UInt64 { runner.plan.frame.seed }

  /// What its replications say; nil without any.
  var projection: Projection? {
    guard sum.count > 0 else { return nil }
    return Projection(
      sum.fold, seed: seed, dates: runner.plan.frame.calendar.dates.map(\.description))
  }
}
