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
  /// - Parameter seconds: For how long it is waited for.
  /// - Throws: What `body` throws; `ServiceError.late`.
  static func run<Answer: Sendable>(
    within seconds: Double, _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let wait = Wait(continuation)
      let late = Task {
        try await Task.sleep(for: .seconds(seconds))
        let error = ServiceError.late(seconds: Int(seconds.rounded(.up)), mayBeDone: false)
        wait.end(.failure(error))
      }
      queue.addOperation {
        guard !wait.isOver else { return }
        let answer = Result(catching: body)
        late.cancel()
        wait.end(answer)
      }
    }
  }

  /// Somebody who is answered once.
  private final class Wait<Answer: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Answer, any Error>?>

    init(_ continuation: CheckedContinuation<Answer, any Error>) {
      self.continuation = Mutex(continuation)
    }

    var isOver: Bool { continuation.withLock { $0 == nil } }

    func end(_ answer: Result<Answer, any Error>) {
      continuation.withLock { $0.take() }?.resume(with: answer)
    }
  }
}
