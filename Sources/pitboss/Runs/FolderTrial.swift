internal import Foundation

/// Tries whether files can be made in a folder, before any work is done, and leaves nothing.
enum FolderTrial {
  /// Makes, writes and removes a file in the folder or, where it is missing, in the nearest one around
  /// it: a folder that is made and removed again would be in the way of others who do the same.
  ///
  /// - Returns: What the system says against it; nil where all went well.
  static func problem(_ folder: URL) -> String? {
    var place = folder.standardizedFileURL
    while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
      place.deleteLastPathComponent()
    }
    let file = place.appending(path: ".pitboss-\(UUID().uuidString)").path
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    let code = write(descriptor, "try\n", 4) == 4 ? 0 : errno
    _ = close(descriptor)
    unlink(file)
    return code == 0 ? nil : String(cString: strerror(code))
  }
}
