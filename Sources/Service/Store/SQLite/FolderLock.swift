package import Foundation
internal import Synchronization

/// A service's folder, taken by this process until the lock is released, or lives no more.
package final class FolderLock: Sendable {
  /// Of its file; nil once it is released.
  private let descriptor: Mutex<Int32?>

  /// - Parameter folder: Made where it is missing, for its owner alone: it holds what members say of
  ///   themselves.
  /// - Throws: `ServiceError.taken`, or an error of the file system.
  package init(_ folder: URL) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      !isFolder.boolValue
    {
      let cause = POSIXError(.ENOTDIR)
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [NSFilePathErrorKey: folder.path, NSUnderlyingErrorKey: cause])
    }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder.appending(path: "lock").path
    let opened = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    descriptor = Mutex(opened >= 0 ? opened : nil)
    guard opened >= 0 else {
      let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      throw CocoaError(
        .fileWriteUnknown, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: cause])
    }
    // Closed by `deinit`, which also runs where an initializer throws after the last property was
    // set; a second close would hit a file that another thread has opened meanwhile.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      throw ServiceError.taken(path: folder.path)
    }
  }

  /// Lets the folder go: another process may take it, whoever still holds this lock. Does nothing a
  /// second time.
  package func release() {
    descriptor.withLock { descriptor in
      guard let opened = descriptor.take() else { return }
      // A child process that is just being started holds the descriptor, too.
      flock(opened, LOCK_UN)
      close(opened)
    }
  }

  deinit { release() }
}
