internal import Foundation
internal import Synchronization

/// Flushes the files of a folder in the making to the device, side by side and beside whatever is
/// written next.
///
/// A flush mostly waits for the device, which takes many at once: a dozen side by side take about
/// as long as one, one after another a dozen times that.
final class FolderFlushes: Sendable {
  /// Most flushes at a time; further ones are waited for where they are asked for.
  private static let most = 32

  /// What could not be done, and the system's error number.
  struct Failure {
    var doing: String
    var code: Int32
  }

  private struct State {
    var running = 0
    var failure: Failure?
  }

  private let state = Mutex(State())
  private let running = DispatchGroup()

  /// Flushes what is open and closes it.
  ///
  /// - Parameters:
  ///   - descriptor: Open; only the flush uses it from now on.
  ///   - doing: What fails when the flush does, in words.
  func add(_ descriptor: Int32, _ doing: String) {
    let mayWait = state.withLock { state in
      guard state.running < Self.most else { return false }
      state.running += 1
      return true
    }
    guard mayWait else { return flush(descriptor, doing) }
    // A queue of its own has a thread of its own; a shared one has no more than processors.
    DispatchQueue(label: "flush").async(group: running) { [self] in
      flush(descriptor, doing)
      state.withLock { $0.running -= 1 }
    }
  }

  /// Waits for all flushes.
  ///
  /// - Returns: What failed first, if anything did.
  func finish() -> Failure? {
    running.wait()
    return state.withLock { $0.failure }
  }

  private func flush(_ descriptor: Int32, _ doing: String) {
    var code = fsync(descriptor) == 0 ? 0 : errno
    // Some file systems cannot flush a folder; renaming it is atomic there all the same.
    if code == EINVAL { code = 0 }
    // A quota or a network file system may report the lack of space only here.
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code != 0 else { return }
    state.withLock { state in
      if state.failure == nil { state.failure = Failure(doing: doing, code: code) }
    }
  }
}
