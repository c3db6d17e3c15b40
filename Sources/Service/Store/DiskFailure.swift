internal import Foundation
internal import GRDB

/// Errors that say that a disk is full or fails, and nothing about a program.
package enum DiskFailure {
  private static let codes: Set<Int32> = [ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE]

  /// What is wrong with the disk, for people; nil for any other error.
  package static func words(of error: any Error) -> String? {
    if let error = error as? DatabaseError {
      let isDisk = [ResultCode.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
      return isDisk ? "\(error)" : nil
    }
    if let error = error as? POSIXError {
      return codes.contains(error.code.rawValue) ? error.localizedDescription : nil
    }
    guard let error = error as? CocoaError else { return nil }
    let cause = error.underlying as? POSIXError
    let isDisk =
      [CocoaError.Code.fileWriteOutOfSpace, .fileWriteVolumeReadOnly].contains(error.code)
      || cause.map { codes.contains($0.code.rawValue) } ?? false
    guard isDisk else { return nil }
    let path = error.filePath.map { "\($0): " } ?? ""
    return path + (cause?.localizedDescription ?? error.localizedDescription)
  }
}
