import Foundation

/// A file system in memory that is soon full; only a privileged user may mount one.
enum SmallDisk {
  static let canBeMounted =
    (try? withFolder { folder in
      guard mount(kilobytes: 64, at: folder) else { return false }
      unmount(folder)
      return true
    }) ?? false

  /// Whether it was mounted.
  static func mount(kilobytes: Int, at folder: String) -> Bool {
    run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "x", folder])
  }

  static func unmount(_ folder: String) { _ = run("umount", [folder]) }

  /// Whether a program ran and ended well.
  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
