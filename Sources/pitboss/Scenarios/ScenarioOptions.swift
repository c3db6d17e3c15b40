internal import ArgumentParser
internal import Check
internal import Experiments
internal import Foundation
internal import Reports
internal import RewardModel
internal import Scenario

/// What overrides a scenario, with every command that runs one.
struct ScenarioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Overrides a setting; may be repeated.", valueName: "path.to.key=value"))
  var set: [String] = []

  @Option(help: "Seed of all randomness, 0 ... 2^64-1; the scenario's by default.")
  var seed: String?

  func validate() throws {
    guard let seed else { return }
    do {
      _ = try SettingShape.integer(0...Int128(UInt64.max)).read(seed.trimmed, style: .bare)
    } catch { throw ValidationError("--seed: \(error.message)") }
  }

  private var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// What the flags override.
  var overrides: [SettingOverride] {
    var overrides = set.map { SettingOverride(argument: $0) }
    if let seed { overrides.append(SettingOverride(path: "seed", value: seed, source: "--seed")) }
    return overrides
  }

  /// Reads a scenario with everything that overrides it, and what an experiment adds.
  func load(_ path: String, _ more: [SettingOverride] = []) throws(InputErrors) -> Scenario {
    try Self.read(path, overrides + more)
  }

  /// Reads a scenario with what the environment and flags override.
  static func read(
    _ path: String, _ overrides: [SettingOverride]
  ) throws(InputErrors) -> Scenario {
    let scenario = try Scenario.load(
      path: try ScenarioPlaces.resolve(path), overrides: overrides,
      environment: ProcessInfo.processInfo.environment)
    // Rows of files are read by whoever draws them.
    _ = try UncertainInputs(scenario, readingFiles: false)
    try CheckedKinds.requireFaults(of: scenario)
    return scenario
  }

  /// The same; what is wrong becomes messages and an exit code.
  func scenario(_ path: String, _ more: [SettingOverride] = []) throws -> Scenario {
    try reportingFailures { try load(path, more) }
  }

  /// `path=value` of all that overrides the scenario, the environment's first, as it is read.
  func settings(_ more: [SettingOverride] = []) -> [String] {
    (SettingOverride.from(environment: environment) + overrides + more)
      .map { "\($0.path)=\($0.value)" }
  }

  /// The line that replays one run in a fresh shell.
  func replay(
    _ path: String, _ more: [SettingOverride] = [], seed: UInt64, threads: Int? = nil
  ) -> String {
    "replay: " + ShellText.run(path, seed: seed, settings: settings(more), threads: threads)
  }
}
