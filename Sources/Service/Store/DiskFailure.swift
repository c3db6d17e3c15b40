internal import Foundation
internal import GRDB
internal import RunStore

/// Errors that say that a disk is full or fails, and nothing about a program.
package enum DiskFailure {
  private static let codes: Set<Int32> = [ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE]

  /// Whether a disk, or what one may have of it, is used up.
  package static func isFull(_ error: any Error) -> Bool {
    if let error = error as? DatabaseError { return error.resultCode == .SQLITE_FULL }
    if let code = SystemWords.code(of: error) { return [ENOSPC, EDQUOT].contains(code) }
    return (error as? CocoaError)?.code == .fileWriteOutOfSpace
  }

  /// What is wrong with the disk, for people; nil for any other error.
  package static func words(of error: any Error) -> String? {
    if let error = error as? DatabaseError {
      let isDisk = [ResultCode.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
      guard isDisk else { return nil }
      // What SQLite says of a connection that it could not open.
      return error.message == "not an error" ? "SQLite error \(error.resultCode)" : "\(error)"
    }
    let cocoa = error as? CocoaError
    let isDisk =
      SystemWords.code(of: error).map { codes.contains($0) }
      ?? cocoa.map { [.fileWriteOutOfSpace, .fileWriteVolumeReadOnly].contains($0.code) } ?? false
    guard isDisk else { return nil }
    return [cocoa?.filePath, SystemWords.of(error)].compactMap(\.self).joined(separator: ": ")
  }
}
