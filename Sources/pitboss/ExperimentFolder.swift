internal import ArgumentParser
internal import Foundation
internal import Reports

/// The folder of an experiment's results: written as a whole or not at all.
enum ExperimentFolder {
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
    let manager = FileManager.default
    guard !folder.isEmpty else {
      complain("pitboss: --out is empty; give a folder")
      throw ExitStatus.ioFailed
    }
    var isFolder: ObjCBool = false
    if manager.fileExists(atPath: folder, isDirectory: &isFolder) {
      guard isFolder.boolValue else { throw refusal(folder, "exists and is no folder") }
      let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
      let known = marks + companions
      guard names.isEmpty || marks.contains(where: names.contains), names.allSatisfy(known.contains)
      else { throw refusal(folder, "exists and is no experiment's folder") }
    }
    // The folder is made beside its place: the nearest folder above must take it.
    var above = URL(fileURLWithPath: folder).standardizedFileURL.deletingLastPathComponent()
    while above.path != "/", !manager.fileExists(atPath: above.path) {
      above.deleteLastPathComponent()
    }
    guard manager.fileExists(atPath: above.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw refusal(folder, "cannot be written: \(above.path) is no folder")
    }
    guard manager.isWritableFile(atPath: above.path) else {
      throw refusal(folder, "cannot be written: \(above.path) may not be changed")
    }
  }

  /// Writes the files into a folder beside the target, which then takes its name.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message; what stood there is then unchanged.
  static func write(_ files: [(name: String, text: String)], to folder: String) throws {
    let manager = FileManager.default
    let target = URL(fileURLWithPath: folder)
    try check(folder)
    let exists = manager.fileExists(atPath: folder)
    func beside(_ word: String) -> URL {
      target.deletingLastPathComponent()
        .appendingPathComponent(".\(target.lastPathComponent).\(word)-\(getpid())")
    }
    let partial = beside("partial")
    let former = beside("former")
    do {
      try manager.createDirectory(at: partial, withIntermediateDirectories: true)
      for file in files {
        try Data(file.text.utf8).write(to: partial.appendingPathComponent(file.name))
      }
      if exists { try manager.moveItem(at: target, to: former) }
      do {
        try manager.moveItem(at: partial, to: target)
      } catch {
        if exists { try manager.moveItem(at: former, to: target) }
        throw error
      }
      if exists { try manager.removeItem(at: former) }
    } catch {
      try? manager.removeItem(at: partial)
      throw refusal(folder, "cannot be written: \(error.localizedDescription)")
    }
  }
}
