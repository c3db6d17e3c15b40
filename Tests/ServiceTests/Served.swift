import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Quantities
import RewardModel
import Service
import Testing

@testable import BlakJaks

/// A service that is being served, and a client of it.
final class Served: Sendable {
  let service: ServiceFixture
  let port: Int
  private let task: Task<Void, any Error>

  init(
    _ service: ServiceFixture, perSecond: Double = 10_000, requestSeconds: Int64 = 20,
    idleSeconds: Int64 = 60, port: Int = 0, listeners: Int = 500, writerStopSeconds: Double = 60,
    busySeconds: Double = 5, log: any LogHandler = SwiftLogNoOpLogHandler()
  ) async throws {
    self.service = service
    let host = try #require(service.host)
    var limits = ServiceApplication<BlakJaksMachine>.Limits()
    limits.passwordRounds = 16
    limits.perSecond = perSecond
    limits.burst = perSecond
    limits.requestSeconds = requestSeconds
    limits.idleSeconds = idleSeconds
    limits.listeners = listeners
    limits.writerStopSeconds = writerStopSeconds
    limits.busySeconds = busySeconds
    let (ports, sink) = AsyncStream<Int>.makeStream()
    task = Task { [limits] in
      try await host.serve(
        host: "127.0.0.1", port: port, limits: limits,
        logger: Logger(label: "test") { _ in log }
      ) { sink.yield($0) }
    }
    var iterator = ports.makeAsyncIterator()
    self.port = try #require(await iterator.next())
  }

  /// The same application once more, which serves nobody.
  func application() async throws -> ServiceApplication<BlakJaksMachine> {
    let host = try #require(service.host)
    return await ServiceApplication(
      host.engine, host.store, zone: "UTC", minimumAge: 21, secrets: host.secrets,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  func stop() { task.cancel() }

  /// Waits until it has stopped.
  ///
  /// - Throws: Why it did.
  func end() async throws { try await task.value }

  /// Stops, and waits until all is on the disk.
  func close() async throws {
    task.cancel()
    try? await task.value
    service.close()
  }

  func ask(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil,
    key: String? = nil
  ) async throws -> (status: Int, type: String, json: [String: Any], text: String) {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = .RAW(value: method)
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let key { request.headers.add(name: "Idempotency-Key", value: key) }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
    let bytes = try await response.body.collect(upTo: 1 << 24)
    let text = String(buffer: bytes)
    let json = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    return (
      Int(response.status.code), response.headers.first(name: "Content-Type") ?? "", json ?? [:],
      text
    )
  }

  /// What an answer says of when to ask again.
  func retryAfter(_ path: String, token: String? = nil) async throws -> (Int, seconds: String?) {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
    return (Int(response.status.code), response.headers.first(name: "Retry-After"))
  }

  /// A member's token.
  func join(_ name: String, _ more: String = "") async throws -> String {
    let account = #""email": "\#(name)@example.com", "password": "0123456789""#
    let joined = try await ask(
      "POST", "/auth/signup", #"{\#(account), "birth_date": "1980-01-31"\#(more)}"#)
    #expect(joined.status == 201, "\(joined.text)")
    let token = try await ask("POST", "/auth/login", "{\(account)}").json["token"] as? String
    return try #require(token)
  }

  var administrator: String { service.host?.secrets.administrator ?? "" }

  /// Codes of new tins.
  func codes(_ count: Int) async throws -> [String] {
    let printed = try await ask(
      "POST", "/admin/tins", "{\"count\": \(count)}", token: administrator)
    let all = try #require(printed.json["printed"] as? Int)
    let answer = try await ask(
      "GET", "/admin/tins?from=\(all - count)&count=\(count)", token: administrator)
    return try #require(answer.json["codes"] as? [String])
  }
}
