import Foundation

/// An authority of its own for each test, and what it signs: files in a folder that goes with it.
final class TestAuthority {
  /// Whether the machine has what it needs.
  static let canRun =
    StampServer.canRun && FileManager.default.isExecutableFile(atPath: openssl)

  private static let openssl = "/usr/bin/openssl"

  private struct Failure: Error {
    var arguments: [String]
    var errors: String
  }

  private let folder: URL
  private var count = 0

  /// - Throws: Where openssl fails.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try run(
      ["req", "-x509", "-days", "2", "-subj", "/CN=An authority of a test"]
        + Self.newKey("authority.key") + ["-out", "authority.pem"])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The authority's own certificate.
  var file: String { path("authority.pem") }

  /// A certificate with its key in one file.
  ///
  /// - Parameters:
  ///   - names: As in `IP:127.0.0.1,DNS:localhost`.
  ///   - days: From now on; -1 for one that ended yesterday.
  /// - Throws: Where openssl fails.
  func certificate(for names: String, days: Int = 2) throws -> String {
    count += 1
    let name = "server\(count)"
    try "subjectAltName=\(names)\n".write(
      toFile: path("\(name).ext"), atomically: true, encoding: .utf8)
    try run(
      ["req", "-subj", "/CN=A service of a test"] + Self.newKey("\(name).key")
        + ["-out", "\(name).csr"])
    try run([
      "x509", "-req", "-in", "\(name).csr", "-CA", "authority.pem", "-CAkey", "authority.key",
      "-CAcreateserial", "-days", String(days), "-extfile", "\(name).ext", "-out", "\(name).pem",
    ])
    let both = try ["\(name).pem", "\(name).key"].map {
      try String(contentsOfFile: path($0), encoding: .utf8)
    }
    try both.joined().write(toFile: path("\(name).both"), atomically: true, encoding: .utf8)
    return path("\(name).both")
  }

  /// A file of this text.
  ///
  /// - Throws: Where it cannot be written.
  func write(_ text: String) throws -> String {
    try text.write(toFile: path("text"), atomically: true, encoding: .utf8)
    return path("text")
  }

  private static func newKey(_ file: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file]
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.openssl)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(arguments: arguments, errors: text)
    }
  }
}
