internal import Dispatch
package import Experiments
internal import Foundation
internal import RewardModel
internal import Synchronization

/// Workers that answer requests: other processes, started by a command, here or on other machines.
///
/// Each has one request under way and one behind it, so that it never waits for the next. Work of a
/// worker that is lost is done again by another; where a request was answered twice, the answers are
/// compared.
package final class WorkerPool: ReplicationMaker {
  /// What workers are.
  package struct Settings: Sendable {
    /// Run by the shell.
    package var command: String
    /// How many, 1 or more.
    package var count: Int
    /// Seconds after which one that says nothing is taken for lost.
    package var silence: Double
    /// Asked while answers are waited for; true gives them up.
    package var isStopped: @Sendable () -> Bool = { false }
    /// Told of workers that are lost.
    package var warn: @Sendable (String) -> Void = { _ in }

    /// Settings; see the properties.
    package init(command: String, count: Int, silence: Double) {
      self.command = command
      self.count = count
      self.silence = silence
    }
  }

  /// Requests that a worker has at a time.
  package static let ahead = 2
  /// Times that a worker is started again without an answer in between, and workers that one request
  /// may cost.
  static let restarts = 3
  /// Seconds in which a worker ends that has closed its output.
  private static let lastSeconds = 0.5

  private let settings: Settings
  private let state: Mutex<PoolState>
  /// Scenarios of the latest requests with their digests, which take time to make.
  private let texts = Mutex<[(bytes: [UInt8], text: WorkerInput.Text)]>([])

  /// A pool whose workers are started with the first request.
  package init(_ settings: Settings) {
    self.settings = settings
    state = Mutex(PoolState(settings))
  }

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else { return }
    for slot in 0..<settings.count { start(slot) }
    Thread { [self] in
      while watch() { Thread.sleep(forTimeInterval: 0.25) }
    }.start()
  }

  /// Ends all workers.
  package func stop() {
    let links = state.withLock { state in
      state.isOver = true
      return state.links.values.map(\.process)
    }
    for process in links { process.kill(SIGTERM) }
  }

  /// Waits for the answer of a worker.
  ///
  /// - Throws: What the run throws; `WorkersFailure`; `ReplicationsUnwanted`.
  package func answer(_ request: ReplicationRequest) throws -> ReplicationAnswer {
    begin()
    let text = text(of: request)
    let answered = DispatchSemaphore(value: 0)
    let id = try change { state throws(WorkersFailure) in
      if let failure = state.failure { throw failure }
      return state.add(request, text, answered)
    }
    while answered.wait(timeout: .now() + 0.2) == .timedOut {
      if settings.isStopped() {
        state.withLock { $0.forget(id) }
        throw ReplicationsUnwanted()
      }
    }
    let outcome = try state.withLock { state throws(WorkersFailure) in
      guard let outcome = state.outcome(id) else {
        throw state.failure ?? WorkersFailure("an answer was lost")
      }
      return outcome
    }
    switch outcome {
    case .success(let answer): return answer
    case .failure(let failure): throw failure.error
    }
  }

  private func text(of request: ReplicationRequest) -> WorkerInput.Text {
    texts.withLock { texts in
      if let known = texts.first(where: {
        $0.text.file == request.file && $0.bytes == request.text
      }) {
        return known.text
      }
      let text = WorkerInput.Text(request)
      if texts.count == 8 { texts.removeFirst() }
      texts.append((request.text, text))
      return text
    }
  }

  /// Changes the state, hands out what waits, and writes what that takes.
  @discardableResult
  private func change<Result: Sendable, Failure: Error>(
    _ body: (inout PoolState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, processes) = try state.withLock { state throws(Failure) in
      let result = try body(&state)
      return (result, state.handOut())
    }
    for process in processes { process.flush() }
    return result
  }

  // MARK: - Workers

  private func start(_ slot: Int) {
    do {
      let process = try WorkerProcess(settings.command)
      let link: Int? = state.withLock { $0.isOver ? nil : $0.connect(process, slot) }
      guard let link else { return process.kill() }
      Thread { [self] in listen(to: process, link) }.start()
    } catch {
      lose(slot: slot, nil, "cannot be started: \(error.reason)", again: false)
    }
  }

  private func listen(to process: WorkerProcess, _ link: Int) {
    var lines = process.lines()
    var why: String?
    while why == nil, let line = lines.next() {
      let message = try? JSONDecoder().decode(WorkerOutput.self, from: Data(line))
      why = take(message, line, link)
    }
    if lines.wasTooLong { why = "wrote a line that is too long" }
    if why != nil { process.kill() }
    let isOver = state.withLock { $0.isOver }
    // One that only closes its output does not end by itself.
    let end = process.end(within: isOver ? nil : Self.lastSeconds)
    guard let slot = state.withLock({ $0.links[link]?.slot }) else { return }
    let isForeign = state.withLock { $0.links[link]?.isForeign ?? false }
    lose(slot: slot, link, why ?? end, again: !isForeign)
  }

  /// Takes a message of a worker.
  ///
  /// - Returns: Why the worker is given up; nil while it is well.
  private func take(
    _ message: WorkerOutput?, _ line: ArraySlice<UInt8>, _ link: Int
  ) -> String? {
    let outcome = message?.outcome
    return change { state in
      state.links[link]?.heard = .now
      let isReady = state.links[link]?.isReady ?? true
      if let hello = message?.hello {
        let refusal = hello.refusal
        state.links[link]?.isForeign = refusal != nil
        state.links[link]?.isReady = refusal == nil
        return refusal
      }
      if let message, isReady {
        if message.alive == true { return nil }
        // A lost worker's late words still count; one that is there speaks of what it has.
        if let id = message.id, let held = state.links[link]?.held, !held.contains(id) {
          return WorkerOutput.nonsense(line)
        }
        if let id = message.id, message.dropped == true {
          state.release(id, link)
          return nil
        }
        if let id = message.id, let outcome {
          state.settle(id, link, outcome)
          return nil
        }
        if let error = message.error { return "did not understand a request: \(error)" }
      }
      return WorkerOutput.nonsense(line)
    }
  }

  /// Gives a worker up, and starts it again where that may help.
  private func lose(slot: Int, _ link: Int?, _ end: String, again: Bool) {
    let command = settings.command
    let (why, isAgain, losses, isOver) = change { state in
      if state.isOver { return ("", false, 0, true) }
      if let link, state.links[link] == nil { return ("", false, 0, true) }
      // One that was killed ends by a signal, and that is not why.
      let why = link.flatMap { state.links[$0]?.why } ?? end
      if let link { state.disconnect(link, why) }
      state.losses[slot] += 1
      let isAgain = again && state.losses[slot] <= Self.restarts && state.failure == nil
      if !isAgain {
        state.isLost[slot] = true
        if state.isLost.allSatisfy(\.self) {
          state.fail(
            WorkersFailure(
              "no worker is left: '\(command)' \(why); see that the command runs 'pitboss worker'"))
        }
      }
      return (why, isAgain, state.losses[slot], false)
    }
    if isOver { return }
    settings.warn(
      "worker \(slot + 1) \(why); "
        + (isAgain
          ? "what it had is done again, and it is started again (\(losses) of \(Self.restarts))"
          : "it is not started again"))
    guard isAgain else { return }
    Thread.sleep(forTimeInterval: 0.1 * Double(losses))
    start(slot)
  }

  /// Ends workers that have said nothing for too long.
  ///
  /// - Returns: Whether there is anything left to watch.
  private func watch() -> Bool {
    let silent: [(link: Int, slot: Int, process: WorkerProcess)]? = state.withLock { state in
      if state.isOver { return nil }
      let silent = state.links.filter { _, link in
        (!link.isReady || !link.held.isEmpty)
          && ContinuousClock.now - link.heard > .seconds(settings.silence)
      }
      let why = "has said nothing for \(settings.silence.formatted()) s"
      for link in silent.keys { state.links[link]?.why = why }
      return silent.map { ($0.key, $0.value.slot, $0.value.process) }
    }
    guard let silent else { return false }
    for one in silent {
      one.process.kill()
      let slot = one.slot
      let link = one.link
      // Whatever it started may hold its output open.
      Thread { [self] in lose(slot: slot, link, "was killed", again: true) }.start()
    }
    return true
  }
}
