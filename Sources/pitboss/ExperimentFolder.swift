internal import ArgumentParser
internal import Foundation
internal import Logging
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
    let source = PlotlySource.find(from: [
      FileManager.default.currentDirectoryPath,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path,
    ])
    if source == nil && mode != .cdn {
      Log.pitboss.warning("report.html has no plots: \(PlotlySource.advice)")
    }
    // A script beside the page would be one more file; in the page it travels with it.
    return body(mode == .directory ? .inline : mode, source)
  }

  /// What may stand beside those; a folder with anything else belongs to someone.
  private static let companions = [
    "report.html", "scenario.yaml", "replications.csv", "calibration.html", "purchase.yaml",
  ]

  /// Writes the files into a folder beside the target, which then takes its name.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message; what stood there is then unchanged.
  static func write(_ files: [(name: String, text: String)], to folder: String) throws {
    let manager = FileManager.default
    let target = URL(fileURLWithPath: folder)
    func refuse(_ problem: String) -> ExitCode {
      complain("pitboss: \(folder): \(problem); choose another place with --out")
      return ExitStatus.ioFailed
    }
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: folder, isDirectory: &isFolder)
    if exists {
      guard isFolder.boolValue else { throw refuse("exists and is no folder") }
      let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
      let known = marks + companions + files.map(\.name)
      guard names.isEmpty || marks.contains(where: names.contains), names.allSatisfy(known.contains)
      else {
        throw refuse("exists and is no experiment's folder")
      }
    }
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
      throw refuse("cannot be written: \(error.localizedDescription)")
    }
  }
}
