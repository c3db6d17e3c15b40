internal import Foundation
internal import Synchronization

/// A file of a folder in the making that is written bit by bit, from any thread.
///
/// Failures are kept and reported by `finish`, so that callers need not check each append.
package final class FolderStream: Sendable {
  /// Bytes that wait before they are written.
  private static let blockSize = 1 << 16

  private struct State: Sendable {
    /// Nil once it is closed.
    var descriptor: Int32?
    var buffer = Data()
    /// The system's error number, 0 so far.
    var code: Int32 = 0

    mutating func write() {
      if code == 0, let descriptor { code = FolderWriter.put(buffer, to: descriptor) }
      buffer.removeAll(keepingCapacity: true)
    }
  }

  private let state: Mutex<State>
  private let name: String
  private let target: String

  /// - Parameter descriptor: Open for writing; the stream closes it.
  init(_ descriptor: Int32, name: String, target: String) {
    state = Mutex(State(descriptor: descriptor))
    self.name = name
    self.target = target
  }

  deinit {
    _ = state.withLock { state in state.descriptor.map { close($0) } }
  }

  /// Whether something could not be written; all that comes later is dropped.
  package var hasFailed: Bool { state.withLock { $0.code != 0 } }

  /// Appends a text.
  package func append(_ text: String) {
    state.withLock { state in
      state.buffer.append(contentsOf: text.utf8)
      if state.buffer.count >= Self.blockSize { state.write() }
    }
  }

  /// Writes what waits, flushes the file to the device and closes it.
  ///
  /// - Throws: What failed first since it was begun.
  package func finish() throws(RunStoreError) {
    let code = state.withLock { state in
      state.write()
      guard let descriptor = state.descriptor else { return state.code }
      if state.code == 0, fsync(descriptor) != 0 { state.code = errno }
      // A quota or a network file system may report the lack of space only here.
      if close(descriptor) != 0, state.code == 0 { state.code = errno }
      state.descriptor = nil
      return state.code
    }
    guard code == 0 else {
      throw FolderWriter.failure("write \(name)", path: target, code: code)
    }
  }
}
