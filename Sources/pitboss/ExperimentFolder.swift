internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import Reports
internal import RunStore

/// The folder of an experiment's results: written as a whole or not at all.
struct ExperimentFolder {
  /// The files of each kind of experiment. By the first a folder is known as one of that kind,
  /// which may be replaced while nothing but the others stands beside it.
  private static let kinds = [
    ["projection.json", "replications.csv", "scenario.yaml", "report.html"],
    ["comparison.json"], ["sweep.csv", "report.html"], ["solution.json", "report.html"],
    ["sensitivity.json", "report.html"], ["choice.json"],
    ["calibration.json", "purchase.yaml", CalibrationPage.name],
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

  private static func refusal(
    _ folder: String, _ problem: String, advice: String = "choose another place with --out"
  ) -> ExitCode {
    complain("pitboss: \(folder): \(problem); \(advice)")
    return ExitStatus.ioFailed
  }

  /// Refuses a place that the results cannot take, which is better known before hours of runs.
  /// The folder in the making is made for that, and removed again.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message.
  static func check(_ folder: String) throws { try begin(folder).abandon() }

  /// Makes the folder beside the target in which the results wait for their name.
  private static func begin(_ folder: String) throws -> FolderWriter {
    guard !folder.isEmpty else {
      complain("pitboss: --out is empty; give a folder")
      throw ExitStatus.ioFailed
    }
    _ = try mayReplace(folder)
    return try reportingFailures { try FolderWriter(target: folder) }
  }

  private let writer: FolderWriter

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
  ///   - files: Names of all files, which are those of one kind of experiment.
  ///   - work: Writes the files.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws, and `ExitStatus.ioFailed` after a message; what stood at the
  ///   target is then unchanged, and nothing is left beside it.
  static func fill<Result>(
    _ folder: String, files: [String], _ work: (ExperimentFolder) throws -> Result
  ) throws -> Result {
    invariant(
      kinds.contains { Set($0) == Set(files) }, "no later experiment would replace \(files)")
    let place = ExperimentFolder(writer: try begin(folder))
    do {
      let result = try work(place)
      // Somebody may have put something there while the work went on.
      let replaces = try mayReplace(folder)
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

  /// Whether something stands at the target, which then may be replaced: an empty folder, or one
  /// with the files of one kind of experiment and nothing else.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message when it may not.
  private static func mayReplace(_ folder: String) throws -> Bool {
    // A slash at the end would follow a link.
    var path = folder
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard let type = type(of: path) else { return false }
    if type == S_IFLNK {
      // One rename would put a folder in the link's place, and leave the other as it was.
      throw refusal(
        folder, "is a link",
        advice: "give the folder that it leads to, or choose another place with --out")
    }
    guard type == S_IFDIR else { throw refusal(folder, "exists and is no folder") }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw refusal(folder, "exists and cannot be listed")
    }
    if names.isEmpty { return true }
    guard let own = kinds.first(where: { names.contains($0[0]) }) else {
      throw refusal(folder, "exists and is no experiment's folder")
    }
    for name in names.sorted() {
      let shown = DisplayText.safe(name)
      guard own.contains(name) else {
        throw refusal(
          folder, "holds \(own[0]), but also '\(shown)', which that experiment does not write")
      }
      guard Self.type(of: "\(path)/\(name)") == S_IFREG else {
        throw refusal(folder, "holds '\(shown)', which is no plain file")
      }
    }
    return true
  }

  /// What stands at a path, `S_IFREG` for a file; a link is not followed. Nil for nothing.
  private static func type(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
