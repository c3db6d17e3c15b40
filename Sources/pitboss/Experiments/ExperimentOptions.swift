internal import ArgumentParser
internal import EventKernel
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Workers

/// What all experiments have in common.
struct ExperimentOptions: ParsableArguments {
  @OptionGroup var source: ScenarioOptions

  @Option(help: "Replications run at once; results do not depend on it. All processors by default.")
  var threads: Int?

  @OptionGroup var workers: WorkerOptions

  @Option(
    help: ArgumentHelp(
      "Computes one of n parts only, as a file for 'pitboss merge' at --out: of project, compare and "
        + "sweep.", valueName: "k/n"),
    transform: Part.option)
  var part: Part?

  @Option(help: "What is printed: text for people, or JSON.")
  var format: OutputFormat?

  @Option(help: "When the progress line is shown.")
  var progress: ProgressMode?

  @Flag(help: "Prints nothing but errors; the files are written all the same.")
  var quiet = false

  func validate() throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); write a number from 1 to 256")
    }
    if threads != nil, workers.command != nil {
      throw ValidationError(
        "--threads is of this process, and --workers are others; say with --jobs how many")
    }
  }

  /// Replications under way at a time.
  var threadCount: Int {
    workers.requests ?? threads ?? Processors.usable
  }

  /// What the flags override.
  var overrides: [SettingOverride] { source.overrides }

  /// Reads a scenario with everything that overrides it, and what an experiment adds.
  ///
  /// - Throws: `ValidationError` where it varies the program or the seed.
  func scenario(_ path: String, _ more: [SettingOverride] = []) throws -> Scenario {
    if more.contains(where: { $0.path == "programme" }) {
      throw ValidationError(
        "programme decides which settings and figures there are, so that it cannot be varied; "
          + "project each program by itself")
    }
    try Self.refuseSeed(more)
    let scenario = try source.scenario(path, more)
    // What an experiment adds is said where somebody asked for it (`note`).
    if more.isEmpty { note(scenario) }
    return scenario
  }

  /// Says which settings of a scenario do nothing.
  func note(_ scenario: Scenario) {
    if !quiet { IdleNotes.say(of: scenario) }
  }

  /// Refuses another seed for some of what an experiment runs: the same random numbers are for all.
  ///
  /// - Parameter more: What the experiment sets besides the options.
  static func refuseSeed(_ more: [SettingOverride]) throws {
    if let seed = more.first(where: { $0.path == "seed" }) {
      throw ValidationError(
        "\(seed.source): seed cannot be varied, as all that is compared runs with the same random "
          + "numbers; give --seed, which is for all")
    }
  }

  /// Refuses a setting of the command line or the environment that an axis replaces: it would have
  /// no effect.
  func refuseReplaced(_ axis: SettingAxis, _ base: Scenario) throws {
    guard let (override, path) = axis.lost(of: base) else { return }
    let place = override.path == path ? "" : " \(override.path)"
    throw ValidationError(
      "\(override.source)\(place): \(path) has no effect where \(axis.flag) says its values; leave "
        + "one of them out")
  }

  /// Refuses scenarios of different programs, which have no figure in common.
  static func checkProgrammes(_ scenarios: [(path: String, scenario: Scenario)]) throws {
    guard let first = scenarios.first else { return }
    for other in scenarios.dropFirst()
    where other.scenario.programme.id != first.scenario.programme.id {
      throw ValidationError(
        "\(other.path) is a scenario of \(other.scenario.programme.id), and \(first.path) of "
          + "\(first.scenario.programme.id); give scenarios of one program")
    }
  }

  /// From here on interrupts are requests. What workers have under way is given up.
  func listen() {
    Interrupts.listen(finishing: workers.command == nil ? .replications : .nothing)
  }

  /// The line that counts replications.
  ///
  /// - Throws: `ValidationError` for what the environment says of it, of the format or of plots: it is found
  ///   before anything runs.
  func progressLine(_ plotly: PlotlyMode? = nil) throws -> ProgressLine {
    _ = try chosen(format, "FORMAT", .text)
    _ = try chosen(plotly, "PLOTLY", .inline)
    return try ProgressLine(progress, isQuiet: quiet)
  }

  /// What flags and the environment set, as every report says it.
  var set: SetWords { SetWords(source.settings()) }

  /// Prints results: JSON, or text for people, which ends with what was set.
  func show(_ json: @autoclosure () -> String, text: (Terminal) -> String) throws {
    let format = try chosen(format, "FORMAT", .text)
    if quiet { return }
    switch format {
    case .json: try printResult(json())
    case .text:
      let terminal = Terminal.current
      try printResult(text(terminal) + set.text(width: terminal.width))
    }
  }

  /// The experiment's page; see `ExperimentFolder.page`.
  func page(
    _ flag: PlotlyMode?, _ body: (PlotlyMode, PlotlySource?) -> String
  ) throws -> String {
    try ExperimentFolder.page(flag, isQuiet: quiet, body)
  }

  /// A runner of replications of a scenario.
  func runner(_ scenario: Scenario, asked: [String] = []) throws -> ReplicationRunner {
    let plan: any RunPlan
    do {
      plan = try scenario.plan()
    } catch {
      complain("pitboss: \(error)")
      throw ExitStatus.badInput
    }
    let frame = plan.frame
    var runner = ReplicationRunner(
      plan, asked: asked, threads: threadCount, fingerprint: { RunFingerprint.of($0) })
    let measured = runner.measured
    runner.ended = { ComputedReplications.add($0, frame, measured) }
    runner.origin = scenario.origin
    runner.maker = workers.maker
    runner.inputs = try reportingFailures { try UncertainInputs(scenario) }
    return runner
  }

  /// The flags that repeat in a fresh shell what overrides the scenario, a blank before each.
  func replayFlags(_ more: [SettingOverride] = []) -> String {
    ShellText.flags(source.settings(more))
  }

  /// Runs a piece of an experiment; a replication that failed becomes a message that replays it.
  ///
  /// - Parameter more: What overrides the scenario besides the options.
  func reporting<Answer>(
    _ path: String, _ more: [SettingOverride] = [], _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let failure as ReplicationFailure {
      throw exit(failure, path, more)
    }
  }

  /// Says why a replication failed, and how it is replayed.
  func exit(
    _ failure: ReplicationFailure, _ path: String, _ more: [SettingOverride]
  ) -> ExitCode {
    if let lost = failure.cause as? WorkersFailure {
      return WorkerOptions.exit(lost)
    }
    complain("pitboss: \(failure)")
    complain(source.replay(path, failure.drawn + more, seed: failure.seed))
    return failure.cause is Violation ? ExitStatus.invariantViolated : ExitStatus.badInput
  }
}
