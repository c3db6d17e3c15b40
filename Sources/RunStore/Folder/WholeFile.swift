internal import Foundation
internal import Synchronization

/// A text file that is written bit by bit, and is there as a whole or not at all.
///
/// It is written under a hidden name of this process, as `PartialFolder` has them, and gets its name when it is
/// complete, so that no half of it passes for the whole, and no other process writes into it. What a kill
/// leaves is removed by the next write there.
final class WholeFile {
  /// Bytes that wait before they are written.
  private static let blockSize = 1 << 18

  /// The partial files that this process writes.
  private static let written = Mutex<Set<String>>([])

  private let path: String
  private var handle: FileHandle?
  private var buffer = Data()
  private(set) var failure: (any Error)?

  /// Creates the partial file.
  ///
  /// - Parameter noun: What the file is, for messages.
  /// - Throws: `RunStoreError` when the path is taken or cannot be written.
  init(at path: String, noun: String) throws(RunStoreError) {
    self.path = path
    let place = URL(fileURLWithPath: path).standardizedFileURL
    let parent = place.deletingLastPathComponent().path
    partial = "\(parent)/\(PartialFolder.name(.partial, of: place.lastPathComponent))"
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RunStoreError(
        kind: .occupied, path: path, problem: "already exists",
        advice: "remove it, or choose another name for the \(noun)")
    }
    PartialFolder.clear(parent)
    let name = partial
    guard Self.written.withLock({ $0.insert(name).inserted }) else {
      throw RunStoreError(
        kind: .occupied, path: path, problem: "is written already",
        advice: "choose another name for the \(noun)")
    }
    // Otherwise it can only be what an earlier process of the same number left.
    unlink(partial)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      Self.written.withLock { _ = $0.remove(name) }
      throw RunStoreError(
        kind: .system, path: path, problem: "cannot be written",
        advice: "choose a folder that exists and that you may write to")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    Self.written.withLock { [partial] in _ = $0.remove(partial) }
    guard handle != nil else { return }
    try? handle?.close()
    try? FileManager.default.removeItem(atPath: partial)
  }

  private let partial: String

  /// Whether something could not be written; `finish` says what.
  var hasFailed: Bool { failure != nil }

  /// Adds what a closure makes; nothing after a failure.
  func add(_ bytes: () throws -> some Sequence<UInt8>) {
    guard failure == nil else { return }
    do {
      buffer.append(contentsOf: try bytes())
      if buffer.count >= Self.blockSize { try flush() }
    } catch { failure = error }
  }

  private func flush() throws {
    try handle?.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Completes the file and gives it its name.
  ///
  /// - Throws: `RunStoreError` with the first failure; the partial file is then removed.
  func finish() throws(RunStoreError) {
    do {
      if let failure { throw failure }
      try flush()
      try handle?.synchronize()
      try handle?.close()
      handle = nil
      try FileManager.default.moveItem(atPath: partial, toPath: path)
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      handle = nil
      throw RunStoreError(
        kind: .system, path: path, problem: "could not be written: \(SystemWords.of(error))",
        advice: "free some space, or choose another folder")
    }
  }
}
