internal import Foundation

/// A journal as a file: one request a line, as JSON with sorted keys.
///
/// It is written as `NAME.partial` and gets its name when it is complete, so that no half journal
/// passes for a whole one.
package final class JournalFile {
  private let path: String
  private let encoder = JSONEncoder()
  private var handle: FileHandle?
  private var buffer = Data()
  private var failure: (any Error)?

  /// Creates the partial file.
  ///
  /// - Throws: `RunStoreError` when the path is taken or cannot be written.
  package init(at path: String) throws(RunStoreError) {
    self.path = path
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RunStoreError(
        kind: .occupied, path: path, problem: "already exists",
        advice: "remove it, or choose another name for the journal")
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
  package var hasFailed: Bool { failure != nil }

  /// Adds one request.
  package func add(_ entry: any Encodable) {
    guard failure == nil else { return }
    do {
      buffer.append(try encoder.encode(entry))
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count >= 1 << 18 { try flush() }
    } catch { failure = error }
  }

  private func flush() throws {
    try handle?.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Completes the file and gives it its name.
  ///
  /// - Throws: `RunStoreError` with the first failure; the partial file is then removed.
  package func finish() throws(RunStoreError) {
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
        kind: .system, path: path, problem: "could not be written: \(error)",
        advice: "free some space, or choose another folder")
    }
  }
}
