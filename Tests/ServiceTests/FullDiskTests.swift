// A service whose disk is full: the real program with a limit on the size of its files, which fails
// writes as a full disk does. It says so, ends, and goes on where there is room again.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import RewardModel
import Service
import Testing

@testable import BlakJaks

/// `pitboss serve` as a process of its own.
private final class ServiceProcess {
  let process = Process()
  let port: Int

  /// - Parameter kibibytes: Most that a file of it may have; nil for no limit.
  init(_ data: URL, scenario: URL, kibibytes: Int?) throws {
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
    while !said.contains("(Ctrl-C") {
      let more = pipe.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.executableLoad) }
      said += String(decoding: more, as: UTF8.self)
    }
    // What it says later is not to fill the pipe.
    pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    let digits = said.split(separator: ":").compactMap { Int($0.prefix { $0.isNumber }) }
    port = try #require(digits.first { $0 > 0 })
  }

  /// - Returns: The exit code.
  func stop() async throws -> Int32 {
    let process = process
    process.terminate()
    return try await blocking {
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  deinit { if process.isRunning { process.terminate() } }

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

@Suite("A service whose disk is full")
struct FullDiskTests {
  @Test("It answers 503, ends with 74, and has everything it acknowledged when there is room again")
  func fullDisk() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "full-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (data, scenario) = (folder.appending(path: "data"), folder.appending(path: "full.yaml"))
    try Data("name: full\nseed: 7\n".utf8).write(to: scenario)
    let service = try await blocking {
      try Unchecked(ServiceProcess(data, scenario: scenario, kibibytes: 1_000))
    }.value
    let secrets = try JSONDecoder().decode(
      ServiceSecrets.self, from: try Data(contentsOf: data.appending(path: "secrets.json")))
    let account = #""email": "ann@example.com", "password": "0123456789""#
    _ = try await service.ask(
      "POST", "/auth/signup", #"{\#(account), "birth_date": "1980-01-31"}"#)
    let logIn = try await service.ask("POST", "/auth/login", "{\(account)}")
    let token = try #require(logIn.json["token"] as? String)
    // How soon the limit is met depends on how often the write-ahead log is emptied.
    for _ in 0..<5 {
      _ = try await service.ask(
        "POST", "/admin/tins", "{\"count\": 2000}", token: secrets.administrator)
    }
    var acknowledged: [String: String] = [:]
    var refused: (status: Int, code: String)?
    for batch in 0..<5 where refused == nil {
      let tins = try await service.ask(
        "GET", "/admin/tins?from=\(batch * 2_000)&count=2000", token: secrets.administrator)
      for code in try #require(tins.json["codes"] as? [String]) where refused == nil {
        let answer = try await service.ask(
          "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token, key: code)
        if answer.status == 200 { acknowledged[code] = answer.text }
        if answer.status >= 500 { refused = (answer.status, code) }
      }
    }
    let (status, code) = try #require(refused)
    #expect(status == 503)
    #expect(acknowledged.count > 10)
    for path in ["/readyz", "/users/me/wallet"] {
      #expect(try await service.ask("GET", path, token: token).status == 503)
    }
    #expect(try await service.ask("GET", "/healthz").status == 200)
    #expect(try await service.stop() == 74)

    let again = try await blocking {
      try Unchecked(ServiceProcess(data, scenario: scenario, kibibytes: nil))
    }.value
    for (code, text) in acknowledged {
      let answer = try await again.ask(
        "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token, key: code)
      #expect(answer.text == text)
    }
    let late = try await again.ask(
      "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token, key: code)
    #expect(late.json["success"] as? Bool == true)
    let stats = try await again.ask("GET", "/users/me/stats", token: token)
    #expect(stats.json["scans_ever"] as? Int == acknowledged.count + 1)
    #expect(try await again.stop() == 0)
    let plan = try ServiceFixture.plan(of: "name: full\nseed: 7\n")
    let scratch = folder.appending(path: "scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let audit = try ServiceAudit(
      BlakJaksProgramme.self, folder: data, frame: plan.frame, settings: plan.settings,
      scratch: scratch)
    #expect(audit.problems == [])
    #expect(audit.requests > Int64(acknowledged.count))
  }
}

/// Hands something over that only one task uses at a time.
private struct Unchecked<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
