internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// `pitboss backtest SCENARIO --history FILE --out DIR`.
struct BacktestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtest",
    abstract: "Replays real history through the rules of a scenario.",
    discussion: """
      The scenario gives rules, economy and zone; days and members come from the history. \
      The run spans the history: from the first row's local midnight to its last row.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @Option(help: "A CSV file with the header of the program's histories.")
  var history: String

  @Option(help: "The run folder; Results/NAME-backtest by default.")
  var out: String?

  @OptionGroup var options: RunOptions

  func run() throws {
    let scenario = try options.scenario(scenario)
    let history = try reportingFailures {
      try History.read(
        scenario.programme.history, path: self.history, zone: scenario.calendar.zone)
    }
    let calendar = try history.calendar(zone: scenario.calendar.zone)
    try replay(history, by: try scenario.plan(calendar: calendar), of: scenario)
  }

  private func replay(
    _ history: History, by plan: some RunPlan, of scenario: Scenario
  ) throws {
    let record = try options.timed(threads: 1) { proceed in
      do {
        return try plan.replay(history, proceed: proceed)
      } catch let error as any ReplayFailure {
        let form = scenario.programme.history
        complain(
          "\(self.history):\(error.line): \(error.reason); lower the \(form.column) or the amounts")
        throw ExitStatus.badInput
      } catch let error as MoneyError {
        complain("\(self.scenario): \(error); lower the amounts")
        throw ExitStatus.badInput
      }
    }
    try options.finish(
      plan, record, scenario: scenario, folder: out ?? "Results/\(scenario.folderName)-backtest")
  }
}
