internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Quantities
internal import RewardModel
internal import RunStore
internal import Scenario

/// `pitboss run SCENARIO`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Simulates one scenario and writes its run folder.")

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: RunOptions

  @Option(help: "Threads; results do not depend on their number. All processors by default.")
  var threads: Int?

  @Option(help: "The run folder; Results/NAME by default. An earlier run there is replaced.")
  var out: String?

  @Option(
    help: "Writes every request of the run to this file, one a line as JSON; must not exist yet.")
  var journal: String?

  @Option(
    help: ArgumentHelp(
      "Writes what members did to this file, in the form that backtest and calibrate read; must "
        + "not exist yet.", valueName: "file.csv"))
  var history: String?

  @Flag(help: "Writes members.csv into the run folder: a row for each member.")
  var members = false

  @Flag(
    help: "Checks every invariant after every window, not only the cheap ones, which is slower.")
  var check = false

  func validate() throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); write a number from 1 to 256")
    }
  }

  func run() throws {
    let scenario = try options.scenario(scenario)
    let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
    Log.pitboss.info(
      "simulating", metadata: ["scenario": "\(scenario.name)", "threads": "\(count)"])
    try run(try scenario.plan(), of: scenario, threads: count)
  }

  private func run(_ plan: some RunPlan, of scenario: Scenario, threads count: Int) throws {
    let journal = try self.journal.map { path in
      try reportingFailures { try JournalFile(at: path) }
    }
    let form = scenario.programme.history
    let history = try self.history.map { path in
      try reportingFailures { try HistoryFile(at: path, form: form) }
    }
    let folder = out ?? "Results/\(scenario.folderName)"
    let list = try members ? memberFile(of: plan, for: folder) : nil
    let outputs = RunOutputs(
      journal: journal.map { file in { file.add($0) } },
      history: history.map { file in { file.add($0) } },
      members: list.map { file in { file.add($0) } })
    let record = try options.timed(threads: count) { proceed in
      do {
        return try plan.simulate(
          threads: count, checking: check, outputs: outputs
        ) { progress in
          proceed(progress) && journal?.hasFailed != true && history?.hasFailed != true
        }
      } catch let limit as any ProgrammeLimit {
        complain("\(self.scenario): \(limit)")
        throw ExitStatus.badInput
      } catch let error as MoneyError {
        complain(
          "\(self.scenario): \(error); lower the amounts or the number of members")
        throw ExitStatus.badInput
      } catch let violation as Violation {
        try reportingFailures {
          try journal?.finish()
          try history?.finish()
        }
        complain("pitboss: \(violation)")
        complain(options.source.replay(self.scenario, seed: scenario.seed, threads: 1))
        throw ExitStatus.invariantViolated
      }
    }
    try reportingFailures {
      try journal?.finish()
      try history?.finish()
    }
    try options.finish(
      plan, record, scenario: scenario, folder: folder,
      members: try list.map { list in try reportingFailures { try list.contents() } })
  }

  private func memberFile<Plan: RunPlan>(
    of plan: Plan, for folder: String
  ) throws -> MemberFile<Plan.Programme.Member> {
    try reportingFailures { try MemberFile(Plan.Programme.memberColumns, for: folder) }
  }
}
