internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Workers

/// Kills a process that does not answer in time, or says nothing for too long, with all that it started.
///
/// The process has a group of its own.
final class ProcessGuardian: Sendable {
  private struct State {
    var isOver = false
    var heard = ContinuousClock.now
    var why: String?
  }

  private let process: ChildProcess
  private let begin = ContinuousClock.now
  private let answers: Double
  private let speaks: Double?
  private let state = Mutex(State())

  /// Watches a process from now on.
  ///
  /// - Parameters:
  ///   - answers: Seconds in which it has to answer.
  ///   - speaks: Seconds after which it has to say something again; nil where it need not.
  init(of process: ChildProcess, answers: Double, speaks: Double?) {
    self.process = process
    self.answers = answers
    self.speaks = speaks
    look(in: min(answers, speaks ?? answers))
  }

  /// Why the process was killed; nil where it was not.
  var why: String? { state.withLock(\.why) }

  /// Something was heard of it.
  func hear() { state.withLock { $0.heard = .now } }

  /// It need not be watched any more.
  func dismiss() { state.withLock { $0.isOver = true } }

  private func look(in seconds: Double) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.look() }
  }

  private func look() {
    let left = state.withLock { state -> Double? in
      guard !state.isOver else { return nil }
      let toAnswer = answers - (ContinuousClock.now - begin) / .seconds(1)
      let toSpeak = speaks.map { $0 - (ContinuousClock.now - state.heard) / .seconds(1) }
      if toAnswer <= 0 {
        state.why = "no answer within \(Int(answers)) s, so the process was ended"
      } else if let speaks, let toSpeak, toSpeak <= 0 {
        state.why = "it said nothing for \(Int(speaks)) s, so the process was ended"
      } else {
        return min(toAnswer, toSpeak ?? toAnswer)
      }
      process.kill()
      return nil
    }
    if let left { look(in: left) }
  }
}
