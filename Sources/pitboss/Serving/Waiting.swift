internal import Dispatch
internal import Synchronization

/// Asynchronous work on behalf of a command, which is synchronous.
enum Waiting {
  /// Runs something and waits for its end.
  ///
  /// - Returns: What it threw.
  static func run(_ body: @escaping @Sendable () async throws -> Void) -> (any Error)? {
    let done = DispatchSemaphore(value: 0)
    let failure = FailureBox()
    Task.detached {
      do { try await body() } catch { failure.set(error) }
      done.signal()
    }
    done.wait()
    return failure.error
  }

  /// What went wrong in a task.
  private final class FailureBox: Sendable {
    private let kept = Mutex<(any Error)?>(nil)

    var error: (any Error)? { kept.withLock { $0 } }

    func set(_ error: any Error) { kept.withLock { $0 = error } }
  }
}
