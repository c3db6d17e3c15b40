internal import ArgumentParser
internal import Foundation
internal import Reports
internal import RunStore

/// The folder of an experiment's results: written as a whole or not at all.
struct ExperimentFolder {
  /// By one of these files a folder is known as an experiment's, which may be replaced.
  private static let marks = [
    "projection.json", "comparison.json", "sweep.csv", "solution.json", "sensitivity.json",
    "choice.json", "calibration.json",
  ]

  /// A page with plotly.js as the flag or the environment wants it, inline by default.
  static func page(
    _ flag: PlotlyMode?, _ body: (PlotlyMode, PlotlySource?) -> String
  ) throws -> String {
    let mode = try chosen(flag, "PLOTLY", .inline)
    let source = PlotlyPlaces.source(mode, for: "report.html")
    // A script beside the page would be one more file; in the page it travels with it.
    return body(mode == .directory ? .inline : mode, source)
  }

  /// What may stand beside those; a folder with anything else belongs to someone.
  private static let companions = [
    "report.html", "scenario.yaml", "replications.csv", "calibration.html", "purchase.yaml",
    HTMLReport.scriptName,
  ]

  private static func refusal(_ folder: String, _ problem: String) -> ExitCode {
    complain("pitboss: \(folder): \(problem); choose another place with --out")
    return ExitStatus.ioFailed
  }

  /// Refuses a place that the results cannot take, which is better known before hours of runs.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message.
  static func check(_ folder: String) throws {
    guard !folder.isEmpty else {
      complain("pitboss: --out is empty; give a folder")
      throw ExitStatus.ioFailed
    }
    _ = try mayReplace(folder)
    // The folder is made beside its place: the nearest folder above must take it.
    let manager = FileManager.default
    var above = URL(fileURLWithPath: folder).standardizedFileURL.deletingLastPathComponent()
    while above.path != "/", !manager.fileExists(atPath: above.path) {
      above.deleteLastPathComponent()
    }
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: above.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw refusal(folder, "cannot be written: \(above.path) is no folder")
    }
    guard manager.isWritableFile(atPath: above.path) else {
      throw refusal(folder, "cannot be written: \(above.path) may not be changed")
    }
  }

  private let writer: FolderWriter

  /// Makes a folder beside the target, which takes its name once all is written.
  ///
  /// - Parameters:
  ///   - folder: The target; it may be an earlier experiment's.
  ///   - files: What will be written.
  /// - Throws: `ExitStatus.ioFailed` after a message; nothing has changed then.
  private init(_ folder: String, files: [String]) throws {
    try Self.check(folder)
    writer = try reportingFailures { try FolderWriter(target: folder) }
  }

  /// A file that is written bit by bit; `finish` it before the folder is.
  func stream(_ file: String) throws -> FolderStream {
    try reportingFailures { try writer.stream(file) }
  }

  /// Writes some of the files as a whole.
  func write(_ files: [(name: String, text: String)]) throws {
    try reportingFailures {
      for file in files { try writer.write(Data(file.text.utf8), as: file.name) }
    }
  }

  /// Makes the folder while work goes on that writes its files.
  ///
  /// - Parameters:
  ///   - folder: The target; it may be an earlier experiment's.
  ///   - files: Names of all files.
  ///   - work: Writes the files.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws, and `ExitStatus.ioFailed` after a message; what stood at the
  ///   target is then unchanged, and nothing is left beside it.
  static func fill<Result>(
    _ folder: String, files: [String], _ work: (ExperimentFolder) throws -> Result
  ) throws -> Result {
    let place = try ExperimentFolder(folder, files: files)
    do {
      let result = try work(place)
      // Somebody may have put something there while the work went on.
      let replaces = try mayReplace(folder, files)
      try reportingFailures { try place.writer.publish(replacing: replaces) }
      return result
    } catch {
      place.writer.abandon()
      throw error
    }
  }

  /// Writes files into a folder beside the target, which then takes its name.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message; what stood there is then unchanged.
  static func write(_ files: [(name: String, text: String)], to folder: String) throws {
    try fill(folder, files: files.map(\.name)) { try $0.write(files) }
  }

  /// Whether something stands at the target, which then may be replaced.
  private static func mayReplace(_ folder: String, _ files: [String] = []) throws -> Bool {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: folder, isDirectory: &isFolder) else { return false }
    guard isFolder.boolValue else { throw refusal(folder, "exists and is no folder") }
    let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    let known = marks + companions + files
    guard names.isEmpty || marks.contains(where: names.contains), names.allSatisfy(known.contains)
    else {
      throw refusal(folder, "exists and is no experiment's folder")
    }
    return true
  }
}
