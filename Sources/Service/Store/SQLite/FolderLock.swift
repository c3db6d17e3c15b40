package import Foundation

/// A service's folder, taken by this process for as long as the lock lives.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Parameter folder: Made where it is missing, for its owner alone: it holds what members say of
  ///   themselves.
  /// - Throws: `ServiceError.taken`, or an error of the file system.
  package init(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder.appending(path: "lock").path
    descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      throw CocoaError(
        .fileWriteUnknown, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: cause])
    }
    // Closed by `deinit`, which also runs where an initializer throws after the last property was
    // set; a second close would hit a file that another thread has opened meanwhile.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw ServiceError.taken(path: folder.path)
    }
  }

  deinit {
    // A child process that is just being started holds the descriptor, too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
