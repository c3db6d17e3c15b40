internal import Foundation
internal import Logging
internal import Reports
internal import RunStore

/// Where plotly.js is found.
enum PlotlyPlaces {
  /// The script, read once, on another thread from the time that somebody first asks for it.
  private static let script = Beside {
    PlotlySource.find(from: [
      FileManager.default.currentDirectoryPath,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path,
    ])
  }

  /// Begins to read the script for a page that is going to need it.
  static func prepare(_ mode: PlotlyMode) {
    if mode != .cdn { _ = script }
  }

  /// The script, from the working directory or the program's folder upwards; a warning names the
  /// page that goes without plots where there is none and the page does not load it itself.
  ///
  /// - Parameter isQuiet: Whether there is no warning.
  static func source(
    _ mode: PlotlyMode, for page: String, isQuiet: Bool = false
  ) -> PlotlySource? {
    let source = script.value
    if source == nil && mode != .cdn && !isQuiet {
      Log.pitboss.warning("\(page) has no plots: \(PlotlySource.advice)")
    }
    return source
  }
}
