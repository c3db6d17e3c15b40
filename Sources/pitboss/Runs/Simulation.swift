internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario

/// A simulation on its way from a plan to a run folder, begun by `run` or taken up by `resume`.
struct Simulation {
  /// The scenario as it was named, for messages.
  var name: String
  var scenario: Scenario
  var options: RunOptions
  var threads: Int
  /// Whether every invariant is checked after every window in which something happened.
  var checks: Bool
  /// The run folder.
  var folder: String
  /// Whether it gets `members.csv`.
  var members: Bool
  var journal: JournalFile?
  var history: HistoryFile?
  var checkpoints: CheckpointFolder?
  /// The line that repeats the run in a fresh shell.
  var replay: String

  /// Runs it, writes the run folder and ends with the right exit code.
  func run() throws {
    try run(try scenario.plan())
  }

  private func run(_ plan: some RunPlan) throws {
    let list = try members ? memberFile(of: plan) : nil
    var outputs = RunOutputs(
      journal: journal.map { file in { file.add($0) } },
      history: history.map { file in { file.add($0) } },
      members: list.map { file in { file.add($0) } })
    outputs.checkpoints = checkpoints.map { folder in
      RunCheckpoints(days: folder.run.days, resumed: folder.resumed) { instant, parts in
        try folder.save(instant, parts)
      }
    }
    let record = try options.timed(
      threads: threads, after: checkpoints?.wallSeconds ?? 0
    ) { proceed in
      try reportingProblems {
        try plan.simulate(threads: threads, checking: checks, outputs: outputs) { progress in
          proceed(progress) && journal?.hasFailed != true && history?.hasFailed != true
        }
      }
    }
    try finishFiles()
    try sayingHowItGoesOn {
      try options.finish(
        plan, record, scenario: scenario, folder: folder,
        members: try list.map { list in try reportingFailures { try list.contents() } },
        checkpoints: checkpoints)
    }
  }

  /// Adds to the message of a disk that failed that the checkpoints are still there.
  private func sayingHowItGoesOn<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let code as ExitCode
      where code == ExitStatus.ioFailed && checkpoints != nil
      && CheckpointFolder.exists(for: folder)
    {
      complain(
        "pitboss: what was run is kept; once the place can be written again, "
          + "'pitboss resume \(ShellText.word(folder))' goes on from its last checkpoint")
      throw code
    }
  }

  private func finishFiles() throws {
    try reportingFailures {
      try journal?.finish()
      try history?.finish()
    }
  }

  /// Runs a plan; what its settings or the disk cannot carry becomes a message and its exit code.
  private func reportingProblems<Record>(_ body: () throws -> Record) throws -> Record {
    do {
      return try sayingHowItGoesOn { try reportingFailures(body) }
    } catch let limit as any ProgrammeLimit {
      checkpoints?.remove()
      complain("\(name): \(limit)")
      throw ExitStatus.badInput
    } catch let error as MoneyError {
      checkpoints?.remove()
      complain("\(name): \(error); lower the amounts or the number of members")
      throw ExitStatus.badInput
    } catch let violation as Violation {
      try finishFiles()
      complain("pitboss: \(violation)")
      complain(replay)
      throw ExitStatus.invariantViolated
    } catch let error where checkpoints != nil && (error is SavedRunError || error is DecodingError)
    {
      complain(
        "pitboss: \(checkpoints?.path ?? ""): \(error); "
          + "remove the folder and run the scenario again")
      throw ExitStatus.ioFailed
    }
  }

  private func memberFile<Plan: RunPlan>(
    of plan: Plan
  ) throws -> MemberFile<Plan.Programme.Member> {
    try reportingFailures { try MemberFile(Plan.Programme.memberColumns, for: folder) }
  }
}
