internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Synchronization

/// What all experiments have in common.
struct ExperimentOptions: ParsableArguments {
  @OptionGroup var source: ScenarioOptions

  @Option(help: "Replications at a time; the result does not depend on it. All processors.")
  var threads: Int?

  @Option(help: "What is printed: text for people, or JSON.")
  var format: OutputFormat?

  @Option(help: "When the progress line is shown.")
  var progress: ProgressMode?

  func validate() throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); write a number from 1 to 256")
    }
  }

  var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// What the flags override.
  var overrides: [SettingOverride] { source.overrides }

  /// Reads a scenario with everything that overrides it, and what an experiment adds.
  func scenario(_ path: String, _ more: [SettingOverride] = []) throws -> Scenario {
    try source.scenario(path, more)
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
    return ReplicationRunner(
      plan, asked: asked, threads: threadCount,
      fingerprint: { RunFingerprint.of($0) })
  }

  /// The flags that repeat in a fresh shell what overrides the scenario, a blank before each.
  func replayFlags(_ more: [SettingOverride] = []) -> String {
    ShellText.flags(source.settings(more))
  }

  /// Runs a piece of an experiment; a replication that failed becomes a message that replays it.
  ///
  /// - Parameter more: What overrides the scenario beside the options.
  func reporting<Answer>(
    _ path: String, _ more: [SettingOverride] = [], _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let failure as ReplicationFailure {
      complain("pitboss: \(failure)")
      complain(source.replay(path, more, seed: failure.seed))
      throw failure.cause is Violation ? ExitStatus.invariantViolated : ExitStatus.badInput
    }
  }
}

/// A line on standard error that counts replications.
final class CountLine: Sendable {
  private struct State {
    var next = ContinuousClock.now
  }

  private let shows: Bool
  private let began = ContinuousClock.now
  private let label: String
  private let state = Mutex(State())

  init(_ mode: ProgressMode, _ label: String) {
    shows = mode == .always || (mode == .auto && isatty(2) == 1)
    self.label = label
  }

  /// Shows how many are done, at most five times a second.
  func update(_ done: Int, of expected: Int) {
    guard shows else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.next else { return }
      state.next = now + .milliseconds(200)
      let seconds = Double((now - began).components.seconds)
      let share = expected > 0 ? Double(done) / Double(expected) : 0
      let filled = Int(share * 24)
      let bar =
        String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      let left = done > 0 ? "\(Int((seconds / share - seconds).rounded(.up))) s left" : "…"
      let text = "\r\(bar) \(label) \(done) of \(expected)  \(left)    "
      FileHandle.standardError.write(Data(text.utf8))
      Self.stands.store(true, ordering: .relaxed)
    }
  }

  /// Removes the line.
  func finish() { Self.remove() }

  /// Whether a line stands on the terminal.
  private static let stands = Atomic<Bool>(false)

  /// Removes the line that stands, if there is one, so that a message begins on a line of its own.
  static func remove() {
    guard stands.exchange(false, ordering: .relaxed) else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[2K".utf8))
  }
}
