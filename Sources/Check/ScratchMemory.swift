internal import Foundation
internal import RunStore

/// Folders for what is thrown away a moment later: memory, where the machine offers it as a folder.
enum ScratchMemory {
  /// The variable by which a process is told the mark of its folders, so that whoever started it can
  /// remove what it leaves when it is killed.
  static let variable = "PITBOSS_CHECK_SCRATCH"

  private static let place: URL = {
    let shared = URL(fileURLWithPath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: shared.path)
      ? shared : FileManager.default.temporaryDirectory
  }()

  /// A new folder.
  ///
  /// - Throws: `CampaignFailure` where it cannot be made.
  static func folder() throws -> URL {
    let mark = ProcessInfo.processInfo.environment[variable] ?? "own"
    let folder = place.appending(path: "\(name(mark))\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw CampaignFailure("cannot make \(folder.path): \(SystemWords.of(error))")
    }
    return folder
  }

  /// Removes the folders of a process that has ended.
  static func clear(_ mark: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    for left in names where left.hasPrefix(name(mark)) {
      try? FileManager.default.removeItem(at: place.appending(path: left))
    }
  }

  private static func name(_ mark: String) -> String { "pitboss-check-\(mark)-" }
}
