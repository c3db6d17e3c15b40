internal import Foundation
package import RewardModel

/// Whether every byte of a run folder is as it was written.
///
/// `summary.json` lists the other files with their digests, and its own text follows from
/// `run.sqlite`; there, each batch of rows has a digest. So a changed bit of any of the files is
/// found, and in most cases its place; only of an earlier version's run is the summary itself not held against
/// the rows. What somebody else has put into the folder is no part of the run.
package struct RunAudit: Sendable {
  /// Files that were looked at, the summary among them.
  package private(set) var files = 0
  /// Batches of rows in `run.sqlite` and their rows; none in runs of versions without batches.
  package private(set) var batches = 0
  package private(set) var rows = 0
  /// Of the run; empty where `run.sqlite` cannot be read.
  package private(set) var fingerprint = ""
  /// Names in the folder that the summary does not list, of which nothing can be said; sorted.
  package private(set) var others: [String] = []
  /// Whether the summary's own text was held against the rows, as far as those are in order; that of an
  /// earlier version may say less.
  package private(set) var looksAtSummary = true
  /// What is not as it was written, in words; empty where everything is.
  package private(set) var problems: [String] = []

  private let folder: String

  /// Audits a run folder.
  ///
  /// - Parameter programmes: Those that the run may be of.
  /// - Throws: `RunStoreError` where there is no run at all, or another program has its database locked.
  /// - Complexity: O(bytes).
  package init(
    _ folder: String, of programmes: [any RewardProgramme.Type]
  ) throws(RunStoreError) {
    self.folder = folder
    let names = [RunFolder.databaseName, RunFolder.summaryName]
    guard names.contains(where: { FileManager.default.fileExists(atPath: "\(folder)/\($0)") })
    else { throw RunFolder.holdsNoRun(folder) }
    let summary = contents(RunFolder.summaryName)
    let listed = summary.flatMap { RunSummary.listed(in: $0) }
    if summary != nil, listed == nil { found(RunFolder.summaryName, "is not a summary of a run") }
    for file in listed ?? [] where file.name != RunFolder.summaryName { check(file) }
    if listed?.contains(where: { $0.name == RunFolder.databaseName }) == false {
      found(RunFolder.summaryName, "does not list \(RunFolder.databaseName)")
    }
    try checkDatabase(programmes, summary, listed ?? [])
    guard let listed else { return }
    let own = Set(listed.map(\.name) + [RunFolder.summaryName])
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    others = all.filter { !own.contains($0) }.sorted()
  }

  private mutating func found(_ file: String, _ problem: String) {
    problems.append("\(folder)/\(file): \(problem)")
  }

  /// A file's content; nil, and a problem, where there is none.
  private mutating func contents(_ name: String) -> Data? {
    files += 1
    let url = URL(fileURLWithPath: "\(folder)/\(name)")
    guard let contents = try? Data(contentsOf: url, options: .alwaysMapped) else {
      found(name, "is missing or cannot be read")
      return nil
    }
    return contents
  }

  private mutating func check(_ file: RunSummary.File) {
    guard let contents = contents(file.name) else { return }
    guard Int64(contents.count) == file.bytes else {
      return found(
        file.name, "has \(contents.count) bytes, not the \(file.bytes) that were written")
    }
    if RunFingerprint.sha256(contents) != file.sha256 {
      found(file.name, "does not match its digest in \(RunFolder.summaryName)")
    }
  }

  /// Checks the rows, and the summary's text against them.
  ///
  /// - Throws: `RunStoreError` where another program has the file locked.
  private mutating func checkDatabase(
    _ programmes: [any RewardProgramme.Type], _ summary: Data?, _ listed: [RunSummary.File]
  ) throws(RunStoreError) {
    let name = RunFolder.databaseName
    let file = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: file) else {
      if !listed.contains(where: { $0.name == name }) { found(name, "is missing") }
      return
    }
    if RunFolder.isHidden(file) {
      // Files that the summary lists were looked for before.
      if !listed.contains(where: { $0.name == name }) { found(name, "cannot be read") }
      return
    }
    guard RunDatabase.isRun(file) else { return found(name, "is not a database of a Pitboss run") }
    do {
      let finding = try RunDatabase.check(file)
      (batches, rows) = (finding.batches, finding.rows)
      for problem in finding.problems { found(name, problem) }
      guard finding.problems.isEmpty else { return }
      let (record, version, _) = try RunDatabase.read(file, of: programmes)
      fingerprint = record.fingerprint
      if RunFingerprint.of(record, version: version) != record.fingerprint {
        found(name, "its rows do not match its fingerprint")
      }
      // Later versions may have more to say in a summary than an earlier one did.
      looksAtSummary = version == RunDatabase.schemaVersion
      guard looksAtSummary, let summary else { return }
      if Data(RunSummary.text(of: record, files: listed).utf8) != summary {
        found(RunFolder.summaryName, "does not say what the rows of \(name) do")
      }
    } catch let error as RunStoreError {
      found(name, error.problem)
    } catch {
      let failure = RunDatabase.failure(error, file)
      // Of a file that somebody else has locked nothing can be said.
      guard failure.kind == .damaged else { throw failure }
      found(name, failure.problem)
    }
  }
}
