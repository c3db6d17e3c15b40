internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// The fitted scenario as simulated members live it over the days of the history.
struct FittedWorld {
  /// About so many members are simulated at least, with several seeds of a small history.
  static let membersLeast = 4_000
  /// And so many at most: of a large history a part.
  static let membersMost = 10_000
  /// The first seed: none that somebody would write into a scenario, so that a simulated history is not
  /// compared with the very members that made it.
  static let seed: UInt64 = 0x00CA_11B8_A7E0
  /// Seeds at most.
  static let seedsMost = 40

  /// What the members did.
  struct Outcome {
    var uses: UseCounts
    /// The share of what is bought that they use in the end; 0 where the program has no such setting.
    var share: Double
    /// Sums of members by level over all seeds.
    var levels: [LevelCounts]
    /// Members of all seeds.
    var members: Int
  }

  private let calibration: Calibration
  private let scenario: Scenario
  private let seeds: Int

  /// - Throws: `InputErrors` where the fits make no scenario that can be run.
  init(_ calibration: Calibration) throws {
    self.calibration = calibration
    let signUps = max(1, calibration.adoption.signUps)
    let factor = min(1, Double(Self.membersMost) / Double(signUps))
    seeds = min(
      Self.seedsMost, max(1, (Self.membersLeast + signUps - 1) / signUps))
    let text = CalibrationScenario(calibration).text(factor: factor, isWhole: false)
    scenario = try Scenario.load(text: text, file: "the fitted scenario")
  }

  /// - Throws: What a run throws.
  func run(threads: Int) throws -> Outcome {
    let plan = try scenario.plan()
    var outcome = Outcome(
      uses: UseCounts(calibration.observed.history.form),
      share: calibration.paths.used == nil ? 0 : calibration.uses?.share.estimate ?? 0, levels: [],
      members: 0)
    for number in 0..<seeds {
      try add(
        plan, seed: ReplicationRunner.seed(Self.seed, replication: number), threads, to: &outcome)
    }
    return outcome
  }

  private func add<Plan: RunPlan>(
    _ plan: Plan, seed: UInt64, _ threads: Int, to outcome: inout Outcome
  ) throws {
    var plan = plan
    plan.frame.seed = seed
    var uses = UseCounts(calibration.observed.history.form)
    let outputs = RunOutputs<Plan.Programme.Member>(history: { uses.add($0) })
    let record = try plan.simulate(threads: threads, outputs: outputs)
    outcome.uses.append(uses)
    let levels = Plan.Programme.levels(of: record)
    outcome.members += levels.last.map { Int($0.levels.reduce(0) { $0 + $1.members }) } ?? 0
    if outcome.levels.isEmpty {
      outcome.levels = levels
    } else {
      for (period, counts) in levels.enumerated() where period < outcome.levels.count {
        for (place, level) in counts.levels.enumerated() {
          outcome.levels[period].levels[place].members += level.members
        }
      }
    }
  }
}
