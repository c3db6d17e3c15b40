internal import Foundation
internal import Synchronization

/// Something that is worked out on another thread meanwhile.
package final class Beside<Value: Sendable>: Sendable {
  private let done = DispatchGroup()
  private let answer = Mutex<Value?>(nil)

  /// Begins.
  package init(_ work: @escaping @Sendable () -> Value) {
    DispatchQueue.global(qos: .userInitiated).async(group: done) { [self] in
      let value = work()
      answer.withLock { $0 = value }
    }
  }

  /// Returns when it is done.
  package func wait() { done.wait() }

  /// What came of it; waits for it.
  package var value: Value {
    wait()
    guard let value = answer.withLock({ $0 }) else { preconditionFailure("nothing was answered") }
    return value
  }
}
