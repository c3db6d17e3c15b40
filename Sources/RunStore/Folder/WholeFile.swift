internal import Foundation

/// A text file that is written bit by bit, and is there as a whole or not at all.
///
/// It is written as `NAME.partial` and gets its name when it is complete, so that no half of it
/// passes for the whole.
final class WholeFile {
  /// Bytes that wait before they are written.
  private static let blockSize = 1 << 18

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
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RunStoreError(
        kind: .occupied, path: path, problem: "already exists",
        advice: "remove it, or choose another name for the \(noun)")
    }
    guard FileManager.default.createFile(atPath: partial, contents: nil),
      let handle = FileHandle(forWritingAtPath: partial)
    else {
      throw RunStoreError(
        kind: .system, path: path, problem: "cannot be written",
        advice: "choose a folder that exists and that you may write to")
    }
    self.handle = handle
  }

  deinit {
    guard handle != nil else { return }
    try? handle?.close()
    try? FileManager.default.removeItem(atPath: partial)
  }

  private var partial: String { path + ".partial" }

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
