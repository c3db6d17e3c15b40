internal import Foundation

/// A journal as a file: one request a line, as JSON with sorted keys; whole or not at all.
package final class JournalFile {
  private let file: WholeFile
  private let encoder = JSONEncoder()

  /// Creates the partial file.
  ///
  /// - Throws: `RunStoreError` when the path is taken or cannot be written.
  package init(at path: String) throws(RunStoreError) {
    file = try WholeFile(at: path, noun: "journal")
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Whether something could not be written; `finish` says what.
  package var hasFailed: Bool { file.hasFailed }

  /// Adds one request.
  package func add(_ entry: any Encodable) {
    file.add { try encoder.encode(entry) + [UInt8(ascii: "\n")] }
  }

  /// Completes the file and gives it its name.
  ///
  /// - Throws: `RunStoreError` with the first failure; the partial file is then removed.
  package func finish() throws(RunStoreError) { try file.finish() }
}
