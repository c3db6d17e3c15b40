import Foundation
import LoadTest
import RewardModel
import TestSupport
import Testing

/// The service of `Servers/stamps.py`, which only tests start.
final class StampServer {
  /// Whether the machine has what it needs.
  static let canRun = FileManager.default.isExecutableFile(atPath: python)

  private static let python = "/usr/bin/python3"
  private let process = Process()
  let target: TargetURL

  /// - Parameters:
  ///   - scheme: https where it has a certificate, unless said otherwise.
  ///   - trust: Who vouches for its certificate.
  convenience init(
    _ arguments: String..., scheme: String? = nil, host: String = "127.0.0.1",
    trust: ServerTrust = .system
  ) throws {
    try self.init(arguments, scheme: scheme, host: host, trust: trust)
  }

  /// The same with a list.
  init(
    _ arguments: [String], scheme: String? = nil, host: String = "127.0.0.1",
    trust: ServerTrust = .system
  ) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Servers/stamps.py").path
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = [script] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said: Data
    do {
      said = try output.fileHandleForReading.available(within: 60, of: "stamps.py")
    } catch {
      kill(process.processIdentifier, SIGKILL)
      throw error
    }
    let line = String(decoding: said, as: UTF8.self)
    let scheme = scheme ?? (arguments.contains("--certificate") ? "https" : "http")
    target = try TargetURL(
      "\(scheme)://\(host):\(line.trimmingCharacters(in: .whitespacesAndNewlines))", allowed: [],
      trust: trust)
  }

  deinit { stop() }

  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Of its process.
  var id: Int32 { process.processIdentifier }

  /// What it has counted, by name.
  ///
  /// - Parameter asked: Where it is asked, unless at its own address.
  func state(_ asked: TargetURL? = nil) throws -> [String: Int] {
    try Self.state(at: asked ?? target)
  }

  static func state(at target: TargetURL) throws -> [String: Int] {
    let map = try ServiceMap(
      "members: {read: {get: /state, take: /counts}}\nsteps: {scan: {get: /}}\n", file: "state",
      steps: StampCrowd.steps, fixed: [:])
    var setup = try LoadSetup(target)
    let counts = try setup.texts(try #require(map.members), count: 6, "counts")
    return Dictionary(
      uniqueKeysWithValues: counts.map { count in
        let parts = count.split(separator: "=")
        return (String(parts[0]), Int(parts[1]) ?? -1)
      })
  }

  /// How its calls are described.
  static let map = """
    headers: {Authorization: "Key {token}"}
    members:
      most: 100
      read: {get: "/v2/people?first={from}&n={count}", take: /data/keys}
    codes:
      most: 1000
      read: {get: "/v2/stickers?first={from}&n={count}", take: /stickers}
    steps:
      scan:
        put: /v2/cards/{member}
        key: X-Request-Id
        body: '{"stamp": "{code}"}'
        refusal: {/state: used}
        check: {/state: counted}
        take: {tier: /card/level}
    """
}
