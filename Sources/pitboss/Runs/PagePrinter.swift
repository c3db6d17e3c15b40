internal import ArgumentParser
internal import Foundation

/// A Chromium of this machine that prints pages without showing them.
struct PagePrinter {
  private let program: String

  /// The names that the browser has on different systems: first the one that can only do this, which takes
  /// a quarter of the time to start.
  static let names = [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
    "google-chrome-stable",
  ]
  /// Seconds that a page may take.
  private static let patience = 180

  /// The first browser in PATH.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message when there is none.
  static func find() throws -> PagePrinter {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for name in names {
      for folder in path.split(separator: ":") {
        let program = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: program) {
          return PagePrinter(program: program)
        }
      }
    }
    complain(
      "pitboss: --pdf needs Chromium, and none of \(names.joined(separator: ", ")) is in PATH; "
        + "install it (Debian: apt-get install chromium), or print the page from any browser")
    throw ExitStatus.ioFailed
  }

  /// A page as PDF.
  ///
  /// - Parameter page: HTML that needs no other file.
  /// - Throws: `ExitStatus.ioFailed` after a message when the browser does not give one.
  func pdf(of page: String) throws -> Data {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent(
      "pitboss-print-\(UUID().uuidString)")
    defer { try? files.removeItem(at: folder) }
    let source = folder.appendingPathComponent("page.html")
    let target = folder.appendingPathComponent("page.pdf")
    do {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(page.utf8).write(to: source)
      let code = try start(source: source, target: target, profile: folder)
      guard let code else { throw failure("took more than \(Self.patience) s") }
      let document = files.contents(atPath: target.path) ?? Data()
      guard code == 0, ReportFile.isPDF(document) else {
        throw failure("exited with code \(code) without writing a PDF")
      }
      return document
    } catch let code as ExitCode {
      throw code
    } catch {
      throw failure("could not be run: \(error.localizedDescription)")
    }
  }

  private func failure(_ problem: String) -> ExitCode {
    complain("pitboss: \(program) \(problem); open the page in a browser and print it there")
    return ExitStatus.ioFailed
  }

  /// Runs the browser to its end.
  ///
  /// - Returns: Its exit code; nil when it was ended for taking too long.
  private func start(source: URL, target: URL, profile: URL) throws -> Int32? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-extensions",
      "--user-data-dir=\(profile.appendingPathComponent("profile").path)",
      "--print-to-pdf=\(target.path)", "--no-pdf-header-footer",
      "--virtual-time-budget=10000", source.absoluteString + "#print",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<(Self.patience * 20) where process.isRunning {
      Thread.sleep(forTimeInterval: 0.05)
    }
    guard process.isRunning else { return process.terminationStatus }
    process.terminate()
    process.waitUntilExit()
    return nil
  }
}
