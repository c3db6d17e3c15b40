internal import Foundation

/// Runs something that blocks away from the threads that tests and services share.
package func blocking<Answer: Sendable>(
  _ body: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result(catching: body)) }
    thread.start()
  }
}
