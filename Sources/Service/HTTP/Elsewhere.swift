internal import Foundation
internal import Synchronization

/// A few threads for what waits for the disk, so that the threads that serve requests do not.
enum Elsewhere {
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    // As many as the store has connections to read with.
    queue.maxConcurrentOperationCount = 4
    return queue
  }()

  /// Runs something there and gives what it gave. What nobody waits for any more is not begun.
  ///
  /// - Parameter seconds: For how long it is waited for; until the task is cancelled at most.
  /// - Throws: What `body` throws; `ServiceError.late`, `ServiceError.stopping`.
  static func run<Answer: Sendable>(
    within seconds: Double, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    let wait = Wait<Answer>()
    let late = Task {
      try await Task.sleep(for: .seconds(seconds))
      let error = ServiceError.late(seconds: Int(seconds.rounded(.up)), mayBeDone: false)
      wait.end(.failure(error))
    }
    defer { late.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait.begin(continuation)
        queue.addOperation {
          guard !wait.isOver else { return }
          wait.end(Result(catching: body))
        }
      }
    } onCancel: {
      wait.end(.failure(ServiceError.stopping(mayBeDone: false)))
    }
  }

  /// Somebody who is answered once.
  private final class Wait<Answer: Sendable>: Sendable {
    private struct State: Sendable {
      var continuation: CheckedContinuation<Answer, any Error>?
      /// The first answer, which may come before somebody waits for it.
      var answer: Result<Answer, any Error>?
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.answer != nil } }

    func begin(_ continuation: CheckedContinuation<Answer, any Error>) {
      let answer = state.withLock { state in
        if state.answer == nil { state.continuation = continuation }
        return state.answer
      }
      if let answer { continuation.resume(with: answer) }
    }

    func end(_ answer: Result<Answer, any Error>) {
      let waiting = state.withLock { state in
        guard state.answer == nil else { return nil as CheckedContinuation<Answer, any Error>? }
        state.answer = answer
        return state.continuation.take()
      }
      waiting?.resume(with: answer)
    }
  }
}
