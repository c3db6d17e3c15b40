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
    String(decoding: head, as: UTF8.self).contains(RunsReport.generator)
  }

  /// Whether a file begins like a PDF.
  static func isPDF(_ head: Data) -> Bool { head.starts(with: Data("%PDF-".utf8)) }

  /// Checks that the file may be written, before any work is done.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message.
  func check() throws {
    let files = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if RunFolder.isRun(folder) {
      throw refusal("is in a run folder, whose files belong together; choose another place")
    }
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw refusal("is a folder; give a file") }
    // A device or a pipe would be replaced by a file.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let type = try? files.attributesOfItem(atPath: target)[.type] as? FileAttributeType
    guard type == .typeRegular else {
      throw refusal("is not a regular file; choose another place")
    }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw refusal("already exists and cannot be read; choose another place")
    }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: 4_096)) ?? Data()
    if !head.isEmpty, !isOwn(head) {
      throw refusal("already exists and was not made by this command; choose another place")
    }
  }

  /// Writes the file; missing folders are made.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message; what was there is then unchanged.
  func write(_ contents: Data) throws {
    let place = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.write(to: place, options: .atomic)
    } catch {
      throw refusal("cannot be written: \(error.localizedDescription); choose another place")
    }
  }

  private func refusal(_ problem: String) -> ExitCode {
    complain("pitboss: \(path): \(problem)")
    return ExitStatus.ioFailed
  }
}
