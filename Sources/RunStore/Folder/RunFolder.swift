package import Foundation
internal import GRDB
package import RewardModel

/// One run on disk: `run.sqlite`, `summary.json`, the CSV exports and the reports.
package enum RunFolder {
  /// A further file of the folder, for example `report.html`.
  package struct ExtraFile: Sendable {
    package var name: String
    package var contents: Data

    /// - Parameters:
    ///   - name: A plain file name, no path.
    ///   - contents: What the file holds.
    package init(name: String, contents: Data) {
      self.name = name
      self.contents = contents
    }
  }

  /// What the folder of a run of some program always holds.
  package static func files<Record: ProgrammeRecord>(of record: Record.Type) -> [String] {
    [databaseName] + Record.files + [summaryName]
  }

  static let databaseName = "run.sqlite"
  package static let summaryName = "summary.json"
  static let membersName = "members.csv"
  /// Files that earlier or later runs may have put next to them.
  private static let knownExtras: Set = [
    "report.html", "plotly.min.js", "scenario.yaml", membersName,
  ]

  /// Refuses a place that cannot take a run of a program, before the run. The partial folder is made
  /// to find out, and removed again.
  ///
  /// - Throws: `RunStoreError`, as `write` would.
  package static func check(
    _ path: String, for programme: any RewardProgramme.Type
  ) throws(RunStoreError) {
    _ = try replacement(own: files(of: programme)).isNeeded(at: path)
    try FolderWriter(target: path).abandon()
  }

  static func files<Programme: RewardProgramme>(of _: Programme.Type) -> [String] {
    files(of: Programme.Record.self)
  }

  /// Writes a run as a whole or not at all.
  ///
  /// An empty folder or an earlier run at `path` is replaced; anything else there is refused
  /// before a byte is written. After a failure nothing of the attempt is left.
  ///
  /// - Parameters:
  ///   - record: The run. Its fingerprint may be empty; else it must be the right one.
  ///   - path: The folder to make; missing parents are made, too.
  ///   - extra: Makes further files: called once, on another thread, while the database is written.
  /// - Returns: The text of `summary.json`.
  /// - Throws: `RunStoreError`.
  @discardableResult
  package static func write<Record: ProgrammeRecord>(
    _ record: Record, to path: String, extra: @escaping @Sendable () -> [ExtraFile] = { [] }
  ) throws(RunStoreError) -> String {
    try write(record, to: path) { _ in extra() }.summary
  }

  /// The same, with further files made of the record with its fingerprint.
  ///
  /// - Returns: The record with its fingerprint, and the text of `summary.json`.
  /// - Throws: `RunStoreError`.
  package static func write<Record: ProgrammeRecord>(
    _ record: Record, to path: String, extra: @escaping @Sendable (Record) -> [ExtraFile]
  ) throws(RunStoreError) -> (record: Record, summary: String) {
    if let problem = record.contradiction {
      throw RunStoreError(
        kind: .contradiction, path: path, problem: problem,
        advice: "the program's rows must agree with each other")
    }
    let rule = replacement(own: files(of: Record.self))
    _ = try rule.isNeeded(at: path)
    let writer = try FolderWriter(target: path)
    do {
      let (record, summary) = try fill(writer, record, extra)
      try writer.publish(over: rule)
      return (record, summary)
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Reads a run of one program back; see `read(_:of:)`.
  package static func read<Programme: RewardProgramme>(
    _ path: String, as programme: Programme.Type
  ) throws(RunStoreError) -> Programme.Record {
    guard let record = try read(path, of: [programme]) as? Programme.Record else {
      preconditionFailure("a program's run has another program's record")
    }
    return record
  }

  /// Why there is no run at a path where its database is not found.
  static func holdsNoRun(_ path: String) -> RunStoreError {
    var status = stat()
    // What is in a folder is hidden where one may not enter it.
    let code = stat("\(path)/.", &status) == 0 ? 0 : errno
    let problem: String
    switch code {
    case ENOENT: problem = "no such folder"
    case ELOOP: problem = "is a loop of symbolic links"
    case EACCES: return unreadable(path)
    default: problem = "does not contain \(databaseName)"
    }
    return RunStoreError(
      kind: .system, path: path, problem: problem,
      advice: "give a run folder that pitboss has written")
  }

  /// Whether a file is there that this user may not read.
  static func isHidden(_ file: String) -> Bool {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == EACCES }
    _ = close(descriptor)
    return false
  }

  /// Why something that this user may not read is not read.
  static func unreadable(_ path: String) -> RunStoreError {
    RunStoreError(
      kind: .system, path: path, problem: "cannot be read: \(String(cString: strerror(EACCES)))",
      advice: "check its permissions")
  }

  /// Reads a run back from its `run.sqlite`; every row and figure is as it was written.
  ///
  /// - Parameters:
  ///   - path: The run folder.
  ///   - programmes: Those that the run may be of. Runs of schema versions before 3 do not say
  ///     which program they are of: they are of the first.
  /// - Throws: `RunStoreError` when there is no such run, it is of another program, or its rows do
  ///   not match its fingerprint.
  package static func read(
    _ path: String, of programmes: [any RewardProgramme.Type]
  ) throws(RunStoreError) -> any ProgrammeRecord {
    let file = "\(path)/\(databaseName)"
    guard FileManager.default.fileExists(atPath: file) else { throw holdsNoRun(path) }
    guard !isHidden(file) else { throw unreadable(file) }
    guard RunDatabase.isRun(file) else {
      throw RunStoreError(
        kind: .damaged, path: file, problem: "is not a database of a Pitboss run",
        advice: "give a run folder that pitboss has written")
    }
    let record: any ProgrammeRecord
    let version: Int
    let finding: ContentDigest.Finding
    do {
      (record, version, finding) = try RunDatabase.read(file, of: programmes)
    } catch let error as RunStoreError {
      throw error
    } catch {
      throw RunDatabase.failure(error, file)
    }
    guard RunFingerprint.of(record, version: version) == record.fingerprint else {
      throw RunStoreError(
        kind: .damaged, path: file, problem: "its rows do not match its fingerprint",
        advice: "the file was changed after the run; run the scenario again")
    }
    guard finding.problems.isEmpty else {
      throw RunStoreError(
        kind: .damaged, path: file, problem: "its content does not match its digest",
        advice: "the file was changed after the run; run the scenario again")
    }
    return record
  }

  /// Writes all files, side by side.
  private static func fill<Record: ProgrammeRecord>(
    _ writer: FolderWriter, _ given: Record, _ extra: @escaping @Sendable (Record) -> [ExtraFile]
  ) throws(RunStoreError) -> (record: Record, summary: String) {
    let exports = Beside {
      Result { () throws(RunStoreError) in try CSVExports.write(given, to: writer) }
    }
    // Nothing goes on after an error, either.
    defer { exports.wait() }
    let record = try fingerprinted(given, writer)
    let extras = Beside {
      Result { () throws(RunStoreError) in try write(extra(record), of: Record.self, to: writer) }
    }
    defer { extras.wait() }
    do {
      try RunDatabase.create("\(writer.partial)/\(databaseName)", record)
    } catch let error as DatabaseError {
      throw databaseFailure(error, writer)
    } catch let error as RunDatabase.Unstorable {
      throw RunStoreError(
        kind: .contradiction, path: writer.target,
        problem: "the text \(error.text.debugDescription) holds a NUL character",
        advice: "remove it from the scenario or the history")
    } catch {
      throw RunStoreError(
        kind: .system, path: writer.target,
        problem: "cannot write \(databaseName): \(RunDatabase.words(error))",
        advice: "check the disk, or choose another place with --out")
    }
    try writer.flush(databaseName)
    let database = try RunSummary.File(name: databaseName, in: writer)
    let files = [database] + (try exports.value.get()) + (try extras.value.get())
    let summary = RunSummary.text(of: record, files: files)
    try writer.write(Data(summary.utf8), as: summaryName)
    return (record, summary)
  }

  /// A record with its fingerprint, which may be empty before; else it must be the right one.
  private static func fingerprinted<Record: ProgrammeRecord>(
    _ record: Record, _ writer: FolderWriter
  ) throws(RunStoreError) -> Record {
    let fingerprint = RunFingerprint.of(record)
    guard record.fingerprint.isEmpty || record.fingerprint == fingerprint else {
      throw RunStoreError(
        kind: .contradiction, path: writer.target,
        problem: "the run's fingerprint \(record.fingerprint) does not match its rows",
        advice: "compute the fingerprint after the last row was written")
    }
    var record = record
    record.fingerprint = fingerprint
    return record
  }

  /// Writes further files, one after another.
  private static func write<Record: ProgrammeRecord>(
    _ extra: [ExtraFile], of record: Record.Type, to writer: FolderWriter
  ) throws(RunStoreError) -> [RunSummary.File] {
    var listed: [RunSummary.File] = []
    for file in extra {
      guard isPlain(file.name), !files(of: record).contains(file.name),
        !listed.contains(where: { $0.name == file.name })
      else {
        throw RunStoreError(
          kind: .contradiction, path: writer.target,
          problem: "'\(file.name)' is not a name for an additional file",
          advice: "give a plain file name that is not taken")
      }
      listed.append(try writer.writeListed(file.contents, as: file.name))
    }
    return listed
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && name != summaryName
  }

  private static func databaseFailure(
    _ error: DatabaseError, _ writer: FolderWriter
  ) -> RunStoreError {
    switch error.resultCode {
    case .SQLITE_FULL: return writer.failure("write \(databaseName)", code: ENOSPC)
    case .SQLITE_CONSTRAINT:
      return RunStoreError(
        kind: .contradiction, path: writer.target,
        problem: "the run's rows contradict each other: \(error.message ?? "constraint failed")",
        advice: "names must differ, and what a row refers to must be there")
    default:
      return RunStoreError(
        kind: .system, path: writer.target,
        problem: "cannot write \(databaseName): \(RunDatabase.words(error))",
        advice: "check the space and the permissions, or choose another place with --out")
    }
  }
}

extension RunFolder {
  /// Whether an earlier run may be replaced.
  ///
  /// - Parameter own: The files of the run that takes its place.
  static func replacement(own: [String]) -> Replacement {
    Replacement(
      sort: "a run folder", advice: "choose another place with --out, or move it away"
    ) { path, _ in
      guard isRun(path) else { return nil }
      let listed = listedFiles("\(path)/\(summaryName)")
      return Replacement.Claim(own: knownExtras.union(own).union(listed)) { name in
        "is a run folder, but holds '\(name)', which Pitboss did not write"
      }
    }
  }

  /// The names under `files` of a summary; none when it cannot be read.
  static func listedFiles(_ path: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return RunSummary.listed(in: data)?.map(\.name) ?? []
  }
}
