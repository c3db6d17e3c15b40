internal import EventKernel
internal import RewardModel
internal import Scenario

/// Members by level of the program at the ends of periods: as a replay of the history through the rules
/// has them, next to those of simulated members.
package struct LevelFit: Sendable, Equatable {
  /// A level at the end of a period.
  package struct Row: Sendable, Equatable {
    package let period: String
    package let level: String
    /// Of the history.
    package let members: Int64
    /// Their share of all members, with its interval.
    package let share: EstimatedInterval
    /// The share of simulated members.
    package let simulated: Double
  }

  /// By period, and by level from the lowest.
  package let rows: [Row]
  /// Members that were simulated.
  package let simulatedMembers: Int

  /// - Throws: `Untold` where the program has no levels, or the history cannot be replayed.
  init?(_ calibration: Calibration, _ world: FittedWorld.Outcome) throws(Untold) {
    guard !world.levels.isEmpty else { return nil }
    let replayed: [LevelCounts]
    do {
      let text = CalibrationScenario(calibration).text(factor: 1, isWhole: false)
      let scenario = try Scenario.load(text: text, file: "the fitted scenario")
      let observed = calibration.observed
      let history = History(
        observed.history.form, names: observed.history.members, fileRows: Array(observed.rows))
      replayed = try Self.replay(scenario.plan(calendar: observed.calendar), history)
    } catch {
      let failure = (error as? any ReplayFailure).map { "line \($0.line): \($0.reason)" }
      let cause = (failure ?? "\(error)").split(separator: "\n").joined(separator: " ")
      throw Untold(
        "the history could not be replayed for the levels that members reached: \(cause)")
    }
    var rows: [Row] = []
    for (period, simulated) in zip(replayed, world.levels) where period.period == simulated.period {
      let total = period.levels.reduce(0) { $0 + $1.members }
      let all = simulated.levels.reduce(0) { $0 + $1.members }
      for (level, other) in zip(period.levels, simulated.levels) where total > 0 && all > 0 {
        guard
          let share = try? Proportion(successes: Int(level.members), trials: Int(total)).wilson()
        else { continue }
        rows.append(
          Row(
            period: period.period, level: level.name, members: level.members, share: share,
            simulated: Double(other.members) / Double(all)))
      }
    }
    guard !rows.isEmpty else { return nil }
    self.rows = rows
    simulatedMembers = world.members
  }

  private static func replay<Plan: RunPlan>(
    _ plan: Plan, _ history: History
  ) throws -> [LevelCounts] {
    Plan.Programme.levels(of: try plan.replay(history))
  }
}
