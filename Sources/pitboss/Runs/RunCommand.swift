internal import ArgumentParser
internal import EventKernel
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

  @OptionGroup var source: ScenarioOptions

  @OptionGroup var options: RunOptions

  @Option(help: "Threads; results do not depend on their number. All processors by default.")
  var threads: Int?

  @Option(help: "The run folder; Results/NAME by default. An earlier run there is replaced.")
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Saves the run's state every so many simulated days, so that 'pitboss resume' goes on after "
        + "an interrupt or a kill.", valueName: "every=30d"),
    transform: CheckpointRhythm.init)
  var checkpoint: CheckpointRhythm?

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
    help: ArgumentHelp(
      "Checks every invariant after each window in which something happened, not only the cheap "
        + "ones, which is slower."))
  var check = false

  func validate() throws {
    try ThreadCount.check(threads)
    if out == "" { throw ValidationError("--out is empty; give a folder") }
    if let out, CheckpointFolder.run(of: out) != CheckpointFolder.trimmed(out) {
      throw ValidationError(
        "--out ends with \(CheckpointFolder.ending), as a run's checkpoints do; give another name")
    }
    let files = [("--journal", journal), ("--history", history)]
    for (option, path) in files where path == "" {
      throw ValidationError("\(option) is empty; give a file")
    }
    let places = (files + [("--out", out)]).compactMap { option, path in
      path.map { (option, URL(fileURLWithPath: $0).standardized.path) }
    }
    for (row, place) in places.enumerated() {
      if let other = places[..<row].first(where: { $0.1 == place.1 }) {
        throw ValidationError("\(other.0) and \(place.0) are the same place; give two")
      }
    }
    if checkpoint != nil, journal != nil || history != nil {
      throw ValidationError(
        "--checkpoint does not go with --journal or --history, which are written as a whole")
    }
  }

  func run() throws {
    Interrupts.end()
    // Checkpoints are there before the run begins.
    try options.checkEnvironment()
    let scenario = try source.scenario(scenario)
    if !options.quiet { IdleNotes.say(of: scenario) }
    let count = ThreadCount.chosen(threads)
    Log.pitboss.info(
      "simulating", metadata: ["scenario": "\(scenario.name)", "threads": "\(count)"])
    let folder = out ?? "Results/\(scenario.folderName)"
    let place = URL(fileURLWithPath: folder).standardized.path + "/"
    for (option, file) in [("--journal", journal), ("--history", history)] {
      guard let file, URL(fileURLWithPath: file).standardized.path.hasPrefix(place) else {
        continue
      }
      throw ValidationError(
        "\(option) is in the run folder, which holds nothing but the run; give another place")
    }
    try reportingFailures {
      if checkpoint == nil { try CheckpointFolder.refuseUnfinished(at: folder) }
      try RunFolder.check(folder, for: scenario.programme)
    }
    let simulation = Simulation(
      name: self.scenario, scenario: scenario, options: options, threads: count, checks: check,
      folder: folder, members: members,
      journal: try journal.map { path in try reportingFailures { try JournalFile(at: path) } },
      history: try history.map { path in
        try reportingFailures { try HistoryFile(at: path, form: scenario.programme.history) }
      },
      checkpoints: try checkpoint.map { try checkpoints(of: scenario, every: $0, folder) },
      replay: source.replay(self.scenario, seed: scenario.seed, threads: 1))
    try simulation.run()
  }

  private func checkpoints(
    of scenario: Scenario, every rhythm: CheckpointRhythm, _ folder: String
  ) throws -> CheckpointFolder {
    let path = ScenarioPlaces.find(self.scenario) ?? self.scenario
    let overrides =
      SettingOverride.from(environment: ProcessInfo.processInfo.environment) + source.overrides
    let contents = FileManager.default.contents(atPath: path) ?? Data()
    return try reportingFailures {
      let run = CheckpointedRun(
        file: self.scenario, text: String(decoding: contents, as: UTF8.self),
        overrides: overrides.map {
          CheckpointedRun.Override(path: $0.path, value: $0.value, source: $0.source)
        },
        canonicalText: scenario.canonicalText, seed: scenario.seed,
        build: try BuildIdentity.current(), days: rhythm.days, members: members, checks: check)
      // A pipe can be read once only, and nothing would be left for whoever goes on.
      guard try run.scenario().canonicalText == scenario.canonicalText else {
        complain(
          "pitboss: \(path): cannot be read twice; give the scenario as a file, "
            + "or run without --checkpoint")
        throw ExitStatus.ioFailed
      }
      return try CheckpointFolder(
        beginning: run, at: try scenario.plan().frame.calendar.start, for: folder)
    }
  }
}

/// `every=30d`: how many local days a run goes from one checkpoint to the next.
struct CheckpointRhythm {
  var days: Int

  /// - Throws: `ValidationError` for another form.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "every", parts[1].hasSuffix("d"),
      let days = Int(parts[1].dropLast().trimmingCharacters(in: .whitespaces)),
      CheckpointedRun.daysAllowed.contains(days)
    else { throw ValidationError("write every=30d, with 1 to 36,500 whole days") }
    self.days = days
  }
}

/// How many threads a simulation uses.
enum ThreadCount {
  static func check(_ threads: Int?) throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); write a number from 1 to 256")
    }
  }

  static func chosen(_ threads: Int?) -> Int {
    threads ?? Processors.usable
  }
}

extension CheckpointedRun {
  /// The scenario, read again with all that overrode it.
  func scenario() throws(InputErrors) -> Scenario {
    try Scenario.load(
      text: text, file: file,
      overrides: overrides.map {
        SettingOverride(path: $0.path, value: $0.value, source: $0.source)
      })
  }
}
