internal import Dispatch
internal import Experiments
internal import Foundation
package import RewardModel
internal import Synchronization

/// What `pitboss worker` does: reads requests and answers them one after another.
///
/// One thread reads, another computes, and once a second it says that it is still there.
package final class WorkerServer: Sendable {
  private enum Work {
    case request(WorkerInput.Request)
    case check(String)
  }

  private struct State {
    var texts: [String: WorkerInput.Text] = [:]
    var queue: [Work] = []
    var isAtEnd = false
  }

  private let maker: OwnMaker
  private let check: @Sendable (String) -> String
  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)
  private let output = Mutex(())

  /// - Parameters:
  ///   - fingerprint: The digest of a run's rows.
  ///   - check: Runs a case of `pitboss check`.
  package init(
    fingerprint: @escaping @Sendable (any ProgrammeRecord) -> String,
    check: @escaping @Sendable (String) -> String
  ) {
    self.check = check
    maker = OwnMaker(fingerprint: fingerprint)
  }

  /// Answers until standard input has ended and everything is answered; ends the process at once
  /// where nobody reads the answers any more.
  package func serve() {
    say(WorkerOutput(hello: WorkerOutput.Hello(version: WorkerLines.version, build: Digest.build)))
    let pulse = DispatchSource.makeTimerSource()
    pulse.schedule(deadline: .now() + 1, repeating: 1)
    pulse.setEventHandler { [self] in say(WorkerOutput(alive: true)) }
    pulse.resume()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      work()
      done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    var lines = LineReader(STDIN_FILENO, limit: 1 << 30)
    var number = 0
    while let line = lines.next() {
      number += 1
      if let wrong = read(line) {
        say(WorkerOutput(line: number, error: "line \(number): \(wrong)"))
      }
    }
    state.withLock { $0.isAtEnd = true }
    arrived.signal()
    done.wait()
    pulse.cancel()
  }

  /// Takes a line.
  ///
  /// - Returns: What is wrong with it; nil for nothing.
  private func read(_ line: ArraySlice<UInt8>) -> String? {
    let message: WorkerInput
    do {
      message = try JSONDecoder().decode(WorkerInput.self, from: Data(line))
    } catch {
      return Self.words(error)
    }
    if let text = message.scenario {
      let own = Digest.of(Data("\(text.file)\n\(text.text)".utf8))
      guard own == text.digest else {
        return "scenario.digest is not that of its file and text, \(own); send both as they are"
      }
      state.withLock { $0.texts[text.digest] = text }
    } else if let request = message.request {
      guard state.withLock({ $0.texts[request.scenario] != nil }) else {
        return
          "request.scenario: no scenario of digest '\(request.scenario.prefix(64))' was handed "
          + "over; send it before its requests"
      }
      guard request.overrides.allSatisfy({ $0.count == 3 }) else {
        return "request.overrides: an entry is not [path, value, source]; write three texts each"
      }
      state.withLock { $0.queue.append(.request(request)) }
      arrived.signal()
    } else if let one = message.check {
      state.withLock { $0.queue.append(.check(one)) }
      arrived.signal()
    } else if let id = message.drop {
      let isDropped = state.withLock { state in
        let count = state.queue.count
        state.queue.removeAll {
          if case .request(let request) = $0 { request.id == id } else { false }
        }
        return state.queue.count < count
      }
      if isDropped { say(WorkerOutput(id: id, dropped: true)) }
    } else {
      return "is not a message; send 'scenario', 'request', 'drop' or 'check'"
    }
    return nil
  }

  private static func words(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context, _ last: [any CodingKey] = []) -> String {
      (context.codingPath + last).map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
        .joined().trimmingCharacters(in: ["."])
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context): return "\(path(context, [key])) is missing; write it"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      let place = path(context)
      return place.isEmpty
        ? "is not a JSON object; write {…} on one line"
        : "\(place) is of another type; \(context.debugDescription)"
    default: return "is not JSON; write one object a line"
    }
  }

  private func work() {
    while true {
      arrived.wait()
      let (next, isAtEnd) = state.withLock { state in
        (state.queue.isEmpty ? nil : state.queue.removeFirst(), state.isAtEnd)
      }
      // What is dropped was signaled, too. After the end each wait has to be followed by another.
      if isAtEnd { arrived.signal() }
      switch next {
      case nil: if isAtEnd { return }
      case .check(let one): say(WorkerOutput(checked: check(one)))
      case .request(let request): say(answer(request))
      }
    }
  }

  private func answer(_ wire: WorkerInput.Request) -> WorkerOutput {
    var answer = WorkerOutput(id: wire.id)
    let text = state.withLock { $0.texts[wire.scenario] }
    // Both were looked at when the line was read.
    guard let request = text.flatMap({ wire.request($0) }) else { return answer }
    do {
      answer.answer = Data(try maker.answer(request).packed).base64EncodedString()
    } catch { answer.failure = RemoteFailure(error) }
    return answer
  }

  private func say(_ message: WorkerOutput) {
    let line = WorkerLines.line(message)
    output.withLock { _ in
      if !writeAll(line, to: STDOUT_FILENO) { _exit(0) }
    }
  }
}
