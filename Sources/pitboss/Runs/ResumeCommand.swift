internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Reports
internal import RunStore
internal import Scenario

/// `pitboss resume RUN`.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Goes on with a run that was interrupted or killed, from its last checkpoint.",
    discussion: """
      The run has to have been begun with --checkpoint, and by the same build of pitboss. Its \
      scenario, with everything that overrode it, is in the checkpoint; its results are those of \
      the run without an interrupt.
      """)

  @Argument(
    help: ArgumentHelp(
      "The run folder that the run will have, or its name in Results/.", valueName: "run"))
  var folder: String

  @OptionGroup var options: RunOptions

  @Option(help: "Threads; results do not depend on their number. All processors by default.")
  var threads: Int?

  func validate() throws { try ThreadCount.check(threads) }

  func run() throws {
    Interrupts.end()
    let place = Self.resolve(folder)
    let checkpoints = try reportingFailures {
      try CheckpointFolder(resuming: place, build: try BuildIdentity.current())
    }
    for warning in checkpoints.warnings {
      complain("pitboss: \(checkpoints.path): \(warning)")
    }
    let run = checkpoints.run
    let scenario = try reportingFailures {
      let scenario = try run.scenario()
      guard CheckpointedRun.digest(of: scenario.canonicalText) == run.digest else {
        complain(
          "pitboss: \(checkpoints.path): is of other settings than its scenario; "
            + "remove the folder and run the scenario again")
        throw ExitStatus.ioFailed
      }
      do {
        try RunFolder.check(place, for: scenario.programme)
      } catch var error as RunStoreError {
        // There is no --out here: the run has had its place from its beginning.
        error.advice = "move away what is there, or make room for it, and resume again"
        throw error
      }
      return scenario
    }
    Log.pitboss.info(
      "going on", metadata: ["scenario": "\(scenario.name)", "at": "\(checkpoints.instant)"])
    if !options.quiet { complain("pitboss: going on from \(checkpoints.instant)") }
    let settings = run.overrides.map { "\($0.path)=\($0.value)" }
    try Simulation(
      name: run.file, scenario: scenario, options: options,
      threads: ThreadCount.chosen(threads), checks: run.checks,
      folder: place, members: run.members, checkpoints: checkpoints,
      replay: "replay: "
        + ShellText.run(run.file, seed: run.seed, settings: settings, threads: 1)
    ).run()
  }

  /// A path as given; a bare name without checkpoints means one of `Results/`.
  static func resolve(_ path: String) -> String {
    let place = CheckpointFolder.run(of: path)
    guard !place.contains("/"), !CheckpointFolder.exists(for: place),
      CheckpointFolder.exists(for: "Results/\(place)")
    else { return place }
    return "Results/\(place)"
  }
}
