internal import Foundation

/// A few threads for what waits for the disk, so that the threads that serve requests do not.
enum Elsewhere {
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    // As many as the store has connections to read with.
    queue.maxConcurrentOperationCount = 4
    return queue
  }()

  /// Runs something there and gives what it gave.
  static func run<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result(catching: body)) }
    }
  }
}
