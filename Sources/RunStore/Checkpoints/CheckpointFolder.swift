package import Foundation
package import Quantities
package import RewardModel

/// The checkpoints of a run that has not ended, next to its run folder: `NAME.checkpoints`.
///
/// The last two are kept, so that one that is damaged leaves another. Each is whole or not there.
/// One process at a time works on a run; the folder is removed when the run has ended.
package final class CheckpointFolder {
  /// Where a run's checkpoints are.
  ///
  /// - Parameter folder: The run folder, whether it is there or not.
  package static func path(of folder: String) -> String { run(of: folder) + ending }

  /// The run folder of a run folder, or of the folder of its checkpoints.
  package static func run(of folder: String) -> String {
    let base = trimmed(folder)
    return base.hasSuffix(ending) ? String(base.dropLast(ending.count)) : base
  }

  /// A path without slashes at its end.
  package static func trimmed(_ folder: String) -> String {
    var base = folder
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    return base
  }

  /// Whether a run has checkpoints, or had begun to have them.
  package static func exists(for run: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path(of: run), isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// What the name of a folder of checkpoints ends with.
  package static let ending = ".checkpoints"
  private static let prefix = "checkpoint-"
  private static let lockName = "lock"
  private static let kept = 2
  /// More checkpoints than any run has.
  private static let numberMost = 1_000_000_000

  /// The folder.
  package let path: String
  package let run: CheckpointedRun
  /// Where the run goes on; nil for its beginning.
  package let resumed: SavedRun?
  /// What was passed over, and what was taken instead, in words, to be told.
  package let warnings: [String]
  /// The local time at which the run goes on.
  package let instant: Instant
  /// Seconds that the run had taken at the checkpoint.
  package let wallSeconds: Double
  private var number: Int
  /// Checkpoints of these numbers are damaged, and are still there.
  private var damaged: [Int] = []
  private let lock: Int32
  private let began = ContinuousClock.now

  /// Begins the checkpoints of a run with one of its beginning.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - start: Its first instant.
  ///   - folder: The run folder that it will have.
  /// - Throws: `RunStoreError`: the folder has checkpoints of a run that has not ended, or cannot
  ///   be written.
  package init(
    beginning run: CheckpointedRun, at start: Instant, for folder: String
  ) throws(RunStoreError) {
    path = Self.path(of: folder)
    let files = FileManager.default
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? files.createDirectory(atPath: parent, withIntermediateDirectories: true)
    Self.removeUnbegun(path)
    guard mkdir(path, 0o777) == 0 else {
      let code = errno
      guard code == EEXIST else {
        throw FolderWriter.failure("make the folder", path: path, code: code)
      }
      throw Self.unfinished(folder)
    }
    self.run = run
    resumed = nil
    warnings = []
    instant = start
    wallSeconds = 0
    number = 0
    lock = try Self.lock(path)
    try reporting { try save(start) { _ in } }
  }

  /// Refuses a run to a folder whose checkpoints say that it has not ended: they would be of
  /// another run than the folder's.
  package static func refuseUnfinished(at folder: String) throws(RunStoreError) {
    removeUnbegun(path(of: folder))
    if exists(for: folder) { throw unfinished(folder) }
  }

  /// Removes the folder of a run that was stopped before its first checkpoint, where no process works on
  /// it.
  private static func removeUnbegun(_ path: String) {
    guard rmdir(path) != 0, errno == ENOTEMPTY || errno == EEXIST, numbers(path).isEmpty,
      let held = try? lock(path)
    else { return }
    defer { release(held) }
    clear(path)
  }

  /// Removes what a run puts into its folder, and the folder where nothing else is in it.
  private static func clear(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let own = Set(numbers(path).map(name) + [lockName])
    for file in names
    where own.contains(file) || file.hasPrefix("." + prefix) && file.hasSuffix(".partial") {
      unlink("\(path)/\(file)")
    }
    rmdir(path)
  }

  private static func unfinished(_ folder: String) -> RunStoreError {
    let path = path(of: folder)
    do throws(RunStoreError) {
      release(try lock(path))
    } catch {
      // The run goes on meanwhile.
      if error.kind == .occupied { return error }
    }
    guard !numbers(path).isEmpty else {
      clear(path)
      return RunStoreError(
        kind: .occupied, path: path, problem: "has the name of a run's checkpoints, and holds none",
        advice: "move it, or choose another place with --out")
    }
    return RunStoreError(
      kind: .occupied, path: path, problem: "holds a run that has not ended",
      advice: "go on with it by 'pitboss resume \(run(of: folder))', or remove the folder")
  }

  /// Takes up the run whose checkpoints are next to a run folder.
  ///
  /// - Parameters:
  ///   - folder: The run folder, or that of the checkpoints.
  ///   - build: This program's; see `BuildIdentity`.
  /// - Throws: `RunStoreError`: there are none, another process works on the run, no checkpoint is
  ///   whole, or another build wrote it.
  package init(resuming folder: String, build: String) throws(RunStoreError) {
    path = Self.path(of: folder)
    guard Self.exists(for: folder) else {
      let isComplete = RunFolder.holdsCompleteRun(folder)
      let state =
        isComplete ? "is complete, and " : RunFolder.isRun(folder) ? "was interrupted, and " : ""
      throw RunStoreError(
        kind: .system, path: folder, problem: state + "has no checkpoints to go on from",
        advice: isComplete
          ? "show it with 'pitboss show'"
          : "begin a run with 'pitboss run SCENARIO --checkpoint every=30d'")
    }
    lock = try Self.lock(path)
    let audit = CheckpointAudit(folder)
    guard let latest = audit.latest else {
      Self.release(lock)
      throw RunStoreError(
        kind: .damaged, path: path, problem: audit.problems.joined(separator: "; "),
        advice: (audit.count == 0 ? "" : "remove the folder and ")
          + "run the scenario again; the same seed gives the same run")
    }
    warnings = audit.problems.map { "\($0); \(latest.name) is taken" }
    run = latest.file.header.run
    guard run.build == build else {
      Self.release(lock)
      throw RunStoreError(
        kind: .damaged, path: path, problem: "was written by another build of pitboss",
        advice: "go on with that build, or remove the folder and run the scenario again")
    }
    resumed = latest.file.state
    instant = latest.file.header.instant
    wallSeconds = latest.file.header.wallSeconds
    number = audit.numbers.last ?? 0
    damaged = audit.damaged
  }

  deinit { Self.release(lock) }

  /// Saves the run's state as the next checkpoint, and removes those before the last whole one.
  ///
  /// - Throws: `RunStoreError`, or what `parts` throws.
  package func save(
    _ instant: Instant, _ parts: ((Data) throws -> Void) throws -> Void
  ) throws {
    let elapsed = (ContinuousClock.now - began).components
    let seconds = wallSeconds + Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    try CheckpointFile.write(
      CheckpointFile.Header(run: run, instant: instant, wallSeconds: seconds), to: path,
      as: Self.name(number + 1), parts)
    number += 1
    // What is damaged is no second one to go on from, and must not take its place.
    let whole = Self.numbers(path).filter { !damaged.contains($0) }
    for old in damaged + whole.dropLast(Self.kept) { unlink("\(path)/\(Self.name(old))") }
    damaged = []
  }

  /// Removes what the run has put into the folder, and the folder where it is empty then: the run has
  /// ended.
  package func remove() { Self.clear(path) }

  private func reporting(_ body: () throws -> Void) throws(RunStoreError) {
    do { try body() } catch {
      throw error as? RunStoreError
        ?? RunStoreError(
          kind: .system, path: path, problem: "cannot be written: \(error)",
          advice: "check the disk, or choose another place with --out")
    }
  }

  static func name(_ number: Int) -> String {
    let digits = String(number)
    return prefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// The numbers of a folder's checkpoints, ascending. A file with a name that no checkpoint is given
  /// is somebody else's.
  static func numbers(_ path: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { file in
      guard file.hasPrefix(prefix), let number = Int(file.dropFirst(prefix.count)),
        (1...numberMost).contains(number), name(number) == file
      else { return nil }
      return number
    }
    .sorted()
  }

  /// Takes the folder for this process, until it ends.
  private static func lock(_ path: String) throws(RunStoreError) -> Int32 {
    let descriptor = open("\(path)/\(lockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw FolderWriter.failure("use the folder", path: path, code: errno)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      _ = close(descriptor)
      throw RunStoreError(
        kind: .occupied, path: path, problem: "is in use by another process",
        advice: "wait for it to end, or stop it")
    }
    return descriptor
  }

  /// Lets the folder go. Closing alone would not do: a child process that is just being started holds
  /// the descriptor, too, until it becomes another program.
  private static func release(_ lock: Int32) {
    _ = flock(lock, LOCK_UN)
    _ = close(lock)
  }
}
