import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// `pitboss serve` as a process of its own.
final class ServiceProcess {
  let process = Process()
  let port: Int

  /// - Parameter kibibytes: Most that a file of it may have; nil for no limit.
  init(_ data: URL, scenario: URL, kibibytes: Int? = nil) throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "pitboss").path
    // A write beyond the limit then fails, instead of ending the process by a signal.
    let limit = kibibytes.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c",
      limit
        + "exec '\(program)' serve '\(scenario.path)' --data '\(data.path)' --port 0 --rate 100000",
    ]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var said = ""
    do {
      while !said.contains("(Ctrl-C") {
        let more = try pipe.fileHandleForReading.available(
          within: 60, of: "serve, after '\(said)',")
        guard !more.isEmpty else { throw NothingSaid("serve ended with '\(said)'") }
        said += String(decoding: more, as: UTF8.self)
      }
    } catch {
      kill(process.processIdentifier, SIGKILL)
      throw error
    }
    // What it says later is not to fill the pipe.
    pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    let digits = said.split(separator: ":").compactMap { Int($0.prefix { $0.isNumber }) }
    port = try #require(digits.first { $0 > 0 })
  }

  /// Tells it to stop, as a supervisor does.
  ///
  /// - Returns: The exit code; nil where it goes on for longer than some seconds.
  func stop(within seconds: Double = 30) async throws -> Int32? {
    process.terminate()
    return try await end(within: seconds)
  }

  /// Waits for its end.
  ///
  /// - Returns: The exit code; nil where it goes on for longer than some seconds.
  func end(within seconds: Double) async throws -> Int32? {
    let process = Unchecked(process)
    return try await blocking {
      let until = ContinuousClock.now + .seconds(seconds)
      while process.value.isRunning, ContinuousClock.now < until { usleep(20_000) }
      return process.value.isRunning ? nil : process.value.terminationStatus
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func ask(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil,
    key: String? = nil
  ) async throws -> (status: Int, json: [String: Any], text: String) {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = .RAW(value: method)
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let key { request.headers.add(name: "Idempotency-Key", value: key) }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
    let text = String(buffer: try await response.body.collect(upTo: 1 << 22))
    let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return (Int(response.status.code), json ?? [:], text)
  }
}

/// Hands something over that only one task uses at a time.
struct Unchecked<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
