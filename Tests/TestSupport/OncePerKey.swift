internal import Synchronization

/// Work that several tests need, done once for each key, by whichever test asks first.
package final class OncePerKey<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let answer = Mutex<Result<Value, any Error>?>(nil)
  }

  private let boxes = Mutex<[String: Box]>([:])

  package init() {}

  /// The answer for a key. Who asks while it is worked out waits for it.
  ///
  /// - Throws: What `work` threw the one time that it ran.
  package func value(_ key: String, _ work: () throws -> sending Value) throws -> Value {
    let box = boxes.withLock { boxes in
      let box = boxes[key] ?? Box()
      boxes[key] = box
      return box
    }
    return try box.answer.withLock { answer in
      let found = answer ?? Result { try work() }
      answer = found
      return found
    }.get()
  }
}
