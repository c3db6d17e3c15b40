internal import ArgumentParser
internal import Foundation
internal import Reports
internal import RunStore

/// A file that a report is written to: as a whole or not at all, and over nothing of others.
struct ReportFile {
  let path: String
  /// Whether a file that begins with some bytes may be replaced.
  let isOwn: (Data) -> Bool

  /// Whether a file begins like a page of Pitboss.
  static func isPage(_ head: Data) -> Bool {
    String(decoding: head.prefix(4_096), as: UTF8.self).contains(RunsReport.generator)
  }

  /// Whether a file begins like a PDF.
  static func isPDF(_ head: Data) -> Bool { head.starts(with: Data("%PDF-".utf8)) }

  /// A file of JUnit XML, which replaces one whose suites have the same name.
  static func junit(_ path: String, suites: String) -> ReportFile {
    ReportFile(path: path) {
      String(decoding: $0.prefix(4_096), as: UTF8.self).contains("<testsuites name=\"\(suites)\"")
    }
  }

  /// The file itself where the path is a link to it, whether it is there or not.
  private var target: URL {
    var place = URL(fileURLWithPath: path)
    // More links than the system follows.
    for _ in 0..<64 {
      let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place.path)
      guard let next else { break }
      place = URL(fileURLWithPath: next, relativeTo: place.deletingLastPathComponent())
    }
    return place
  }

  /// Checks that the file may be written, before any work is done.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message.
  func check() throws {
    let target = self.target
    let folder = target.deletingLastPathComponent()
    if RunFolder.isRun(folder.path) {
      throw refusal("is in a run folder, whose files belong together; choose another place")
    }
    if FileManager.default.fileExists(atPath: target.path) { try checkEarlier(target) }
    if let problem = FolderTrial.problem(folder) { throw unwritten(problem) }
  }

  /// Refuses to replace what is there unless it is an earlier report.
  private func checkEarlier(_ target: URL) throws {
    // A device or a pipe would be replaced by a file.
    let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
    let type = attributes?[.type] as? FileAttributeType
    if type == .typeDirectory { throw refusal("is a folder; give a file") }
    guard type == .typeRegular else {
      throw refusal("is not a regular file; choose another place")
    }
    guard let file = FileHandle(forReadingAtPath: target.path) else {
      throw refusal("already exists and cannot be read; choose another place")
    }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: 1 << 20)) ?? Data()
    if !head.isEmpty, !isOwn(head) {
      throw refusal("already exists and was not made by this command; choose another place")
    }
  }

  /// Writes the file; missing folders are made.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message; what was there is then unchanged.
  func write(_ contents: Data) throws {
    // A whole file takes the place of one: that must not be a link's.
    let target = self.target
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.write(to: target, options: .atomic)
    } catch {
      throw unwritten(SystemWords.of(error))
    }
  }

  private func unwritten(_ problem: String) -> ExitCode {
    refusal("cannot be written: \(problem); choose another place")
  }

  private func refusal(_ problem: String) -> ExitCode {
    complain("pitboss: \(path): \(problem)")
    return ExitStatus.ioFailed
  }
}
