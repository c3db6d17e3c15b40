// Pages are tested in a real browser: headless Chromium loads the files from disk and prints the document
// it ended with. A script put before the page's own collects what goes wrong.

package import Foundation
package import Reports
package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test where no Chromium is.
  package static var needsBrowser: Self {
    .enabled(if: Browser.find() != nil, "no Chromium on this machine")
  }

  /// Skips a test where plotly.js was not fetched.
  package static var needsPlotly: Self {
    .enabled(if: plotlyOfCheckout() != nil, "no plotly.js; run Scripts/fetch-plotly")
  }
}

/// The script that `Scripts/fetch-plotly` brings; nil where it was not run.
package func plotlyOfCheckout() -> PlotlySource? {
  let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
  return PlotlySource.find(from: [here, FileManager.default.currentDirectoryPath])
}

/// A Chromium of this machine.
package struct Browser {
  package let program: String

  /// Nil where there is none.
  package static func find() -> Browser? {
    // The one without windows takes a third of the processor's time for the same pages.
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
      .map { "/usr/bin/\($0)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { Browser(program: $0) }
  }

  /// The document as it stands after its scripts ran.
  ///
  /// - Parameters:
  ///   - files: The page and what stands beside it; the page is named `report.html`.
  ///   - fragment: Stands behind the page's address.
  package func document(of files: [(name: String, contents: Data)], fragment: String = "") throws
    -> String
  {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("pitboss-page-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files {
      try file.contents.write(to: folder.appendingPathComponent(file.name))
    }
    let page = folder.appendingPathComponent("report.html")
    let spy = """
      <head><script>
      (function () {
        var root = document.documentElement, errors = [];
        root.dataset.errors = '';
        function note(text) { errors.push(text); root.dataset.errors = errors.join(' | '); }
        addEventListener('error', function (e) { note(e.message || 'load'); }, true);
        addEventListener('unhandledrejection', function (e) { note(String(e.reason)); });
        console.error = function (text) { note(String(text)); };
      })();
      </script>
      """
    let text = try String(contentsOf: page, encoding: .utf8)
    let head = try #require(text.firstRange(of: "<head>"))
    try text.replacingCharacters(in: head, with: spy)
      .write(to: page, atomically: true, encoding: .utf8)
    return try dump(
      page.absoluteString + fragment, profile: folder.appendingPathComponent("profile").path)
  }

  private func dump(_ address: String, profile: String) throws -> String {
    let output = NSTemporaryDirectory() + "pitboss-dom-" + UUID().uuidString
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    defer { try? FileManager.default.removeItem(atPath: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "timeout", "60", program, "--headless=new", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
      "--user-data-dir=\(profile)", "--window-size=1400,3000", "--virtual-time-budget=3000",
      "--dump-dom", address,
    ]
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "Chromium ended badly")
    return try String(contentsOfFile: output, encoding: .utf8)
  }
}

extension String {
  /// How often a text occurs.
  package func count(of part: String) -> Int { ranges(of: part).count }
}
