internal import Dispatch
internal import Experiments
package import Foundation
internal import RewardModel
package import Scenario
internal import Synchronization

/// One sitting at the studio: a scenario whose settings are moved, the replications of what it is
/// now, a variant that is kept to compare with, and a search.
///
/// Replications run on a thread of their own, one batch after another; every move gives up those
/// that no longer count. What is held does not grow with the number of moves: two variants with at
/// most `limit` replications each, one override a setting, and one picture.
package final class StudioSession: Sendable {
  /// Members of a scenario at most: more take a page too long.
  package static let membersMaximum: Int128 = 2_000_000
  /// Replications of one value of a search at most.
  package static let searchReplications = 200

  /// A scenario as it was opened, and what was moved since.
  struct Origin: Sendable {
    var text: String
    var file: String
    var given: [String]
    var moves: [SettingOverride]
  }

  /// All that the choice of another program puts aside.
  struct Before: Sendable {
    var programme: String
    var opened: Origin
    var b: StudioVariant?
    var origin: Origin?
  }

  struct State: Sendable {
    /// The scenario's text as it was opened, and what its messages call it.
    var text: String
    var file: String
    /// What the text has from the command line and the environment, as `path=value`.
    var given: [String] = []
    /// What was moved since, one override a path.
    var moves: [SettingOverride] = []
    var a: StudioVariant
    var b: StudioVariant?
    /// What B was made of: to go back to it is to be where it was kept.
    var origin: Origin?
    /// What another program was chosen in place of, with what was kept then.
    var before: Before?
    var search: StudioSearch?
    /// Grows with every move, and with every picture.
    var revision = 1
    var version = 0
    var picture = Data()
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var waiter = 0
    var isStopped = false

    /// The scenario as it was opened, and what was moved since.
    var opened: Origin {
      get { Origin(text: text, file: file, given: given, moves: moves) }
      set {
        (text, file, given, moves) = (newValue.text, newValue.file, newValue.given, newValue.moves)
      }
    }
  }

  /// Replications of a variant at most.
  let limit: Int
  let threads: Int
  /// Gets every picture as soon as it is made; whoever waits may miss those that a newer one replaced.
  let watch: (@Sendable (Data) -> Void)?
  /// Refuses what a scenario says of things that the session has nothing to do with.
  let screen: @Sendable (Scenario) throws(InputErrors) -> Void
  let state: Mutex<State>
  /// Number of the last move: replications of an earlier one are not wanted.
  let job = Atomic<Int>(0)
  /// Number of the last search.
  let searchJob = Atomic<Int>(0)
  /// Pictures are made one at a time; holds how far the last one of each side was.
  let publishing = Mutex<[Shown]>([])
  let work = DispatchQueue(label: "studio.replications", qos: .userInitiated)
  let searching = DispatchQueue(label: "studio.search")

  /// A session that runs its first replications at once.
  ///
  /// - Parameters:
  ///   - text: Of a scenario file.
  ///   - file: What messages call it.
  ///   - threads: Replications at a time, 1 or more.
  ///   - limit: Replications of a variant at most, 2 or more.
  ///   - given: What is set in the text by the command line and the environment, as `path=value`.
  ///   - watch: Gets every picture as soon as it is made, one after another.
  ///   - screen: Refuses what a scenario says of things that the session has nothing to do with.
  /// - Throws: `InputErrors`; `StudioRefusal` for more members than the page takes.
  package init(
    text: String, file: String, threads: Int, limit: Int = 64, given: [String] = [],
    watch: (@Sendable (Data) -> Void)? = nil,
    screen: @escaping @Sendable (Scenario) throws(InputErrors) -> Void = { _ in }
  ) throws {
    self.limit = limit
    self.watch = watch
    self.threads = threads
    self.screen = screen
    let scenario = try Scenario.load(text: text, file: file)
    try screen(scenario)
    try Self.check(scenario)
    let a = try StudioVariant(scenario, threads: threads)
    state = Mutex(State(text: text, file: file, given: given, a: a))
    publish()
    start()
  }

  /// Refuses scenarios that take a page too long.
  static func check(_ scenario: Scenario) throws(StudioRefusal) {
    let path = "population.members"
    let most = "the studio takes at most \(membersMaximum) members"
    for case .integer(let members) in scenario.rows(at: path).map(\.value)
    where members > membersMaximum {
      throw StudioRefusal("\(most); 'pitboss project' takes more", path: path)
    }
    guard scenario.uncertain.contains(where: { $0.paths.contains(path) }) else { return }
    let drawn: [SettingValue]
    do throws(InputErrors) {
      drawn = try UncertainInputs(scenario)?.values(of: path) ?? []
    } catch { throw StudioRefusal("\(error)") }
    for case .integer(let members) in drawn where members > membersMaximum {
      throw StudioRefusal(
        "\(most), and 'uncertain' can draw \(members); cut it with 'within', or set \(path)",
        path: path)
    }
  }

  /// Reads the scenario as it is now, with more overrides.
  static func load(
    _ state: borrowing State, _ more: [SettingOverride] = []
  ) throws(InputErrors) -> Scenario {
    try Scenario.load(text: state.text, file: state.file, overrides: state.moves + more)
  }

  // MARK: - What is shown

  /// Every setting as it is now.
  package var settings: StudioSettings {
    state.withLock { state in
      StudioSettings(
        state.a.scenario,
        moved: state.moves.map(\.path) + (state.before == nil ? [] : ["programme"]),
        revision: state.revision)
    }
  }

  /// The scenario as it is now.
  package var scenario: Scenario { state.withLock { $0.a.scenario } }

  /// The name under which it was opened.
  package var file: String { state.withLock { $0.file } }

  /// Replications of either variant so far.
  package var counts: (a: Int, b: Int?) {
    state.withLock { ($0.a.sum.count, $0.b?.sum.count) }
  }

  /// The last picture as JSON, with its version; waits for one that is newer than a version.
  ///
  /// - Parameters:
  ///   - version: The last one that the caller has; below 0 for none.
  ///   - seconds: How long it waits at most.
  package func picture(after version: Int, seconds: Double) async -> (version: Int, json: Data) {
    let number = state.withLock { state in
      state.waiter += 1
      return state.waiter
    }
    let isLate = DispatchWorkItem { [weak self] in self?.release(number) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: isLate)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.version > version || state.isStopped || Task.isCancelled || seconds <= 0 {
            return true
          }
          state.waiting[number] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      release(number)
    }
    isLate.cancel()
    return state.withLock { ($0.version, $0.picture) }
  }

  private func release(_ number: Int) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
  }

  /// Ends everything that runs, and lets go whoever waits.
  package func stop() {
    job.add(1, ordering: .relaxed)
    searchJob.add(1, ordering: .relaxed)
    let waiting = state.withLock { state in
      state.isStopped = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }
}
