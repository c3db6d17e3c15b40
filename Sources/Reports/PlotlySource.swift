package import Foundation

/// How a page loads plotly.js, with the values of plotly.py's `include_plotlyjs`.
package enum PlotlyMode: String, CaseIterable, Sendable {
  /// `plotly.min.js` is written next to the page, which refers to it.
  case directory
  /// The whole script is in the page: one large file that needs nothing else.
  case inline
  /// The page loads the script from the network when it is opened.
  case cdn
}

/// The script plotly.js as `Scripts/fetch-plotly` has put it on this machine.
package struct PlotlySource: Sendable {
  /// The version that the pages are made for, and that the network serves in mode `cdn`.
  package static let version = "4.1.1"
  /// What plotly.py 7.1.0 writes for this version.
  static let networkAddress = "https://cdn.plot.ly/plotly-\(version).min.js"
  /// SHA-256 of the script in Base64, which a browser checks before it runs it.
  static let integrity = "sha256-O24V1F27f8pb0glCkelh3cVHLNiHAJ5gCaVtq2aNch8="
  /// Where the script is in the checkout.
  package static let placeInCheckout = ".vendor/plotly/plotly.min.js"
  /// What to do when the script is missing.
  package static let advice = "run Scripts/fetch-plotly, or choose --plotly cdn"

  package let script: Data

  /// The script of plotly.js itself.
  package init(script: Data) { self.script = script }

  /// Looks for the script in the places given and in every folder above each of them.
  ///
  /// - Parameter places: Folders, the most likely first: the current folder, that of the program.
  /// - Returns: Nil when none holds `.vendor/plotly/plotly.min.js`.
  package static func find(from places: [String]) -> PlotlySource? {
    for place in places {
      var folder = URL(fileURLWithPath: place).standardizedFileURL
      // No path is deeper than this; the bound ends the loop at the root on every system.
      for _ in 0..<64 {
        let file = folder.appendingPathComponent(placeInCheckout)
        // Mapped, so that what nobody looks at is not read.
        if let script = try? Data(contentsOf: file, options: .mappedIfSafe), !script.isEmpty {
          return PlotlySource(script: script)
        }
        if folder.path == "/" { break }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }
}
