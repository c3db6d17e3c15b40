internal import Check
internal import Foundation
internal import Quantities
internal import Reports
internal import RunStore
internal import Scenario

/// The files that a campaign leaves.
struct CampaignOutput {
  private let folder: String?
  private let junit: ReportFile?
  /// Paths of the smallest cases that this campaign has written.
  private var cases: Set<String> = []

  /// - Parameters:
  ///   - folder: The folder for the smallest cases; nil where none are looked for.
  ///   - junit: The file of JUnit XML.
  init(folder: String?, junit: String?) {
    self.folder = folder
    self.junit = junit.map { .junit($0, suites: CampaignReport.junitSuites) }
  }

  /// Tries whether both can be written, and leaves nothing.
  ///
  /// - Throws: `CampaignFailure`; `ExitStatus.ioFailed` after a message.
  func probe() throws {
    if let folder, RunFolder.isRun(folder) {
      throw CampaignFailure(
        "\(folder) is a run folder, whose files belong together; choose another place with --out")
    }
    if let folder, let problem = FolderTrial.problem(URL(fileURLWithPath: folder)) {
      throw CampaignFailure(
        "cannot write \(folder): \(problem); choose a folder that you may write to with --out")
    }
    try junit?.check()
  }

  /// Writes the report as JUnit XML, where it is wanted.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message.
  func write(_ report: CampaignReport) throws {
    try junit?.write(Data(report.junit().utf8))
  }

  /// Writes the smallest case of a finding as a scenario. Those of scenarios with one name are kept apart
  /// by a number, and so is a file that no campaign wrote; what an earlier one wrote is replaced.
  ///
  /// - Throws: `CampaignFailure`.
  /// - Returns: nil where it breaks no promise, or no folder is wanted.
  mutating func write(
    _ small: Shrinker.Smallest, of found: Campaign.Finding, attempts: Int
  ) throws -> Campaign.Smallest? {
    guard let folder, let broken = small.answer.broken else { return nil }
    let seed = found.first.seed
    let name = "\(folder)/\(small.scenario.folderName)-\(found.invariant)-\(seed)"
    var (file, number) = ("\(name).yaml", 1)
    while cases.contains(file) || Self.isOfOthers(file) {
      number += 1
      file = "\(name)-\(number).yaml"
    }
    let smallest = Campaign.Smallest(
      file: file, seed: seed, until: small.until?.microseconds, broken: broken,
      attempts: attempts)
    let head = [
      "\(Self.mark)\(found.invariant): \(broken.facts)",
      "pitboss check \(ShellText.path(file)) --seeds \(seed)..\(seed)", smallest.replay,
    ].map { DisplayText.safe($0) }
    try Self.writing(folder) {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Self.write(small.scenario.writtenYAML(head: head), to: file)
    cases.insert(file)
    return smallest
  }

  /// What a case that was written begins with.
  private static let mark = "Breaks "

  /// Whether a file is there that no campaign wrote.
  private static func isOfOthers(_ path: String) -> Bool {
    guard isRegular(path), let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let head = Data("# \(mark)".utf8)
    let begins = try? file.read(upToCount: head.count)
    return begins.map { !$0.isEmpty && $0 != head } ?? false
  }

  private static func write(_ text: String, to path: String) throws {
    try writing(path) {
      // What is no file (a pipe, a terminal) is not replaced by one.
      try Data(text.utf8).write(
        to: URL(fileURLWithPath: path), options: isRegular(path) ? .atomic : [])
    }
  }

  private static func writing(_ path: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw CampaignFailure("cannot write \(path): \(SystemWords.of(error))")
    }
  }

  /// Whether a path is that of a file, or of nothing yet.
  private static func isRegular(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) != 0 || found.st_mode & S_IFMT == S_IFREG
  }
}
