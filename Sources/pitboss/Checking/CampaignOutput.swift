internal import Check
internal import Foundation
internal import Quantities
internal import Reports
internal import Scenario

/// The files that a campaign leaves.
struct CampaignOutput {
  /// The folder for the smallest cases; nil where none are looked for.
  var folder: String?
  /// The file of JUnit XML.
  var junit: String?

  /// Tries whether both can be written, and leaves nothing.
  ///
  /// - Throws: `CampaignFailure`.
  func probe() throws {
    if let folder { try Self.probe(folder: folder, for: folder) }
    guard let junit else { return }
    guard Self.isRegular(junit) else {
      guard Self.isFolder(junit) else { return }
      throw CampaignFailure("cannot write \(junit): it is a folder; name a file")
    }
    let parent = URL(fileURLWithPath: junit).deletingLastPathComponent().path
    guard Self.isFolder(parent) else {
      throw CampaignFailure("cannot write \(junit): the folder \(parent) does not exist; make it first")
    }
    try Self.probe(folder: parent, for: junit)
  }

  /// Writes a new file in a folder, which is made where it is missing, and removes both.
  private static func probe(folder: String, for path: String) throws {
    let manager = FileManager.default
    var missing = URL(fileURLWithPath: folder).standardizedFileURL
    var made: [String] = []
    while !manager.fileExists(atPath: missing.path), missing.path != "/" {
      made.append(missing.path)
      missing.deleteLastPathComponent()
    }
    // The deepest first; one that holds something stays.
    defer { for folder in made { rmdir(folder) } }
    let file = URL(fileURLWithPath: folder).appending(path: ".pitboss-\(UUID().uuidString)")
    try writing(path) {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("try\n".utf8).write(to: file)
      try manager.removeItem(at: file)
    }
  }

  /// Writes the report as JUnit XML, where it is wanted.
  ///
  /// - Throws: `CampaignFailure`.
  func write(_ report: CampaignReport) throws {
    guard let junit else { return }
    try Self.write(report.junit(), to: junit)
  }

  /// Writes the smallest case of a finding as a scenario.
  ///
  /// - Throws: `CampaignFailure`.
  /// - Returns: nil where it breaks no promise, or no folder is wanted.
  func write(
    _ small: Shrinker.Smallest, of found: Campaign.Finding, attempts: Int
  ) throws -> Campaign.Smallest? {
    guard let folder, let broken = small.answer.broken else { return nil }
    let seed = found.first.seed
    let file = "\(folder)/\(small.scenario.folderName)-\(found.invariant)-\(seed).yaml"
    let smallest = Campaign.Smallest(
      file: file, seed: seed, until: small.until?.microseconds, broken: broken,
      attempts: attempts)
    let head = [
      "Breaks \(found.invariant): \(broken.facts)",
      "pitboss check \(ShellText.word(file)) --seeds \(seed)..\(seed)", smallest.replay,
    ].map { DisplayText.safe($0) }
    try Self.writing(folder) {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Self.write(small.scenario.writtenYAML(head: head), to: file)
    return smallest
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
      throw CampaignFailure("cannot write \(path): \(error.localizedDescription)")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Whether a path is that of a file, or of nothing yet.
  private static func isRegular(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) != 0 || found.st_mode & S_IFMT == S_IFREG
  }
}
