package import Foundation

/// Writes a folder so that it is there as a whole or not at all.
///
/// All files go to a hidden sibling of the target, each is flushed to the device, and only when all
/// are there does one rename give the folder its name. A kill leaves at most the hidden sibling, whose name
/// says whose it is; the next write to the same parent removes it (see `PartialFolder`).
package struct FolderWriter: Sendable {
  /// The final path, without a slash at its end.
  package let target: String
  /// Where the files are written until `publish`.
  package let partial: String
  private let parent: String
  private let name: String
  /// Parents of the target that were missing, the outermost first.
  private let madeParents: [String]
  /// Files on their way to the device.
  let flushes = FolderFlushes()

  /// Makes the hidden folder, and the parents of the target where they are missing.
  package init(target path: String) throws(RunStoreError) {
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let full = trimmed.hasPrefix("/") ? trimmed : "./" + trimmed
    let cut = full.lastIndex(of: "/") ?? full.startIndex
    parent = cut == full.startIndex ? "/" : String(full[..<cut])
    name = String(full[full.index(after: cut)...])
    guard !name.isEmpty, name != ".", name != ".." else {
      throw RunStoreError(
        kind: .system, path: path, problem: "cannot name a run folder",
        advice: "give the path of a folder to be made, for example Results/my-run")
    }
    guard !RunFolder.isRun(parent) else {
      throw RunStoreError(
        kind: .occupied, path: path, problem: "is in a run folder, whose files belong together",
        advice: "choose another place with --out")
    }
    target = trimmed
    partial = "\(parent)/\(PartialFolder.name(.partial, of: name))"
    do throws(Refusal) {
      madeParents = try Self.make(partial, in: parent)
    } catch {
      throw Self.failure("make the folder", path: trimmed, code: error.code)
    }
  }

  /// Writes one file into the partial folder. It is flushed to the device before `publish` ends.
  package func write(_ contents: Data, as file: String) throws(RunStoreError) {
    var open = try FolderFile(file, in: self)
    contents.withUnsafeBytes { open.put($0) }
    try open.close()
  }

  /// The same of a file whose digest goes to the summary.
  func writeListed(_ contents: Data, as file: String) throws(RunStoreError) -> RunSummary.File {
    var open = try begin(file)
    contents.withUnsafeBytes { open.add($0) }
    return try open.finish()
  }

  /// Begins a file in the partial folder whose digest goes to the summary.
  func begin(_ file: String) throws(RunStoreError) -> FolderFile {
    try FolderFile(file, in: self)
  }

  /// Begins a file in the partial folder that is written bit by bit.
  package func stream(_ file: String) throws(RunStoreError) -> FolderStream {
    let descriptor = open("\(partial)/\(file)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("write \(file)", code: errno) }
    return FolderStream(descriptor, name: file, target: target)
  }

  /// Writes bytes to a file.
  ///
  /// - Returns: 0, or the system's error number.
  static func put(_ contents: Data, to descriptor: Int32) -> Int32 {
    contents.withUnsafeBytes { put($0, to: descriptor) }
  }

  /// The same.
  static func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      let wrote = Foundation.write(
        descriptor, bytes.baseAddress?.advanced(by: offset), min(bytes.count - offset, 1 << 24))
      if wrote < 0 {
        if errno == EINTR { continue }
        return errno
      }
      offset += wrote
    }
    return 0
  }

  /// Begins to flush a file that somebody else wrote into the partial folder.
  package func flush(_ file: String) throws(RunStoreError) {
    try beginFlush("\(partial)/\(file)", "write \(file)")
  }

  private func beginFlush(_ path: String, _ doing: String) throws(RunStoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(doing, code: errno) }
    flushes.add(descriptor, doing)
  }

  /// Gives the folder its final name, once all that is in it is on the device.
  ///
  /// - Parameter rule: What it may replace. It is asked again as often as another process that writes to
  ///   the same target was quicker: who is last stays.
  package func publish(over rule: Replacement) throws(RunStoreError) {
    try beginFlush(partial, "finish the folder")
    if let failed = flushes.finish() { throw failure(failed.doing, code: failed.code) }
    // Nobody is too late so often in a row.
    for _ in 0..<1_000 {
      guard try rule.isNeeded(at: target) ? replace() : takeName() else { continue }
      // Under a name by which it is removed later, if not now: what was replaced never comes back.
      if rename(aside, partial) == 0 { Self.remove(partial) }
      return try Self.flush(parent, what: "finish the folder", target: target)
    }
    throw failure("give the folder its name", code: EBUSY)
  }

  /// Where this process puts an earlier run before it takes its place.
  private var aside: String { "\(parent)/\(PartialFolder.name(.replaced, of: name))" }

  /// Whether a rename failed as something has the name.
  private static func isTaken(_ code: Int32) -> Bool {
    [ENOTEMPTY, EEXIST, ENOTDIR].contains(code)
  }

  /// Gives the partial folder its name, where nothing has it.
  ///
  /// - Returns: False where something has it meanwhile.
  private func takeName() throws(RunStoreError) -> Bool {
    guard rename(partial, target) != 0 else { return true }
    let code = errno
    guard Self.isTaken(code) else { throw failure("give the folder its name", code: code) }
    return false
  }

  /// Puts the partial folder in the place of what is at the target, and that aside.
  ///
  /// - Returns: False where another process did the same meanwhile.
  private func replace() throws(RunStoreError) -> Bool {
    // Between the two renames a kill would leave no run in that place, but never half of one; the
    // next write here moves the earlier one back.
    Self.remove(aside)
    guard rename(target, aside) == 0 else {
      let code = errno
      guard code == ENOENT else { throw failure("move the earlier run aside", code: code) }
      return false
    }
    guard rename(partial, target) == 0 else {
      let code = errno
      // The earlier run stays aside until it is known whether what came may be replaced.
      if Self.isTaken(code) { return false }
      _ = rename(aside, target)
      throw failure("give the folder its name", code: code)
    }
    return true
  }

  /// Removes what this attempt has written, and the parents that it made if nobody uses them.
  package func abandon() {
    _ = flushes.finish()
    Self.remove(partial)
    Self.removeEmpty(madeParents)
  }

  /// A failure of the file system on the way to the target, in words.
  func failure(_ doing: String, code: Int32) -> RunStoreError {
    Self.failure(doing, path: target, code: code)
  }

  static func failure(_ doing: String, path: String, code: Int32) -> RunStoreError {
    let advice =
      switch code {
      case ENOSPC, EDQUOT, EFBIG: "free some space, or choose another place with --out"
      case EACCES, EPERM, EROFS: "choose a folder that you may write to with --out"
      case ENOTDIR: "a part of the path is a file; choose another place with --out"
      case ENOENT: "choose a place that exists with --out"
      default: "check the disk, or choose another place with --out"
      }
    return RunStoreError(
      kind: .system, path: path, problem: "cannot \(doing): \(String(cString: strerror(code)))",
      advice: advice)
  }

  static func flush(_ path: String, what: String, target: String) throws(RunStoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(what, path: target, code: errno) }
    let code = fsync(descriptor) == 0 ? 0 : errno
    _ = close(descriptor)
    // Some file systems cannot flush a folder; the rename is atomic there all the same.
    guard code == 0 || code == EINVAL else { throw failure(what, path: target, code: code) }
  }

  /// The system's error number.
  private struct Refusal: Error { let code: Int32 }

  /// Makes the hidden folder, and the parents of the target where they are missing; these are returned.
  ///
  /// A parent that is there may be one that another process has made to try its own place and removes
  /// again (see `abandon`): then it is made once more.
  private static func make(
    _ partial: String, in parent: String
  ) throws(Refusal) -> [String] {
    // A link to nowhere never becomes a folder. On a busy machine another process that makes and removes the
    // parent without a pause was in the way a hundred times in a row.
    for _ in 0..<1_000 {
      do throws(Refusal) {
        let made = try makeFolders(parent)
        PartialFolder.clear(parent)
        remove(partial)
        if mkdir(partial, 0o777) == 0 { return made }
        let code = errno
        removeEmpty(made)
        throw Refusal(code: code)
      } catch {
        guard error.code == ENOENT else { throw error }
      }
    }
    throw Refusal(code: ENOENT)
  }

  /// Makes a folder and those around it that are missing.
  ///
  /// - Returns: What was made, the outermost first.
  private static func makeFolders(_ path: String) throws(Refusal) -> [String] {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw Refusal(code: ENOTDIR) }
      return []
    }
    let code = errno
    guard code == ENOENT, let cut = path.lastIndex(of: "/"), cut > path.startIndex else {
      throw Refusal(code: code)
    }
    let outer = try makeFolders(String(path[..<cut]))
    if mkdir(path, 0o777) == 0 { return outer + [path] }
    let trouble = errno
    guard trouble == EEXIST else {
      removeEmpty(outer)
      throw Refusal(code: trouble)
    }
    return outer
  }

  /// Removes folders, the innermost first, as far as they are empty.
  private static func removeEmpty(_ folders: [String]) {
    for folder in folders.reversed() { _ = rmdir(folder) }
  }

  private static func remove(_ path: String) {
    if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
    // What was made read-only cannot be emptied.
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, chmod(path, 0o700) == 0
    else {
      return
    }
    try? FileManager.default.removeItem(atPath: path)
  }
}
