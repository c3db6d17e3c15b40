import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Reports
import Scenario
import Studio
import TestSupport
import Testing

/// Scenarios that are small enough for a test.
enum SmallScenario {
  static let text = """
    name: small
    seed: 7
    population: {members: 120}
    calendar: {days: 70}
    """

  /// Takes a tenth of a second a replication or so.
  static let slower = """
    name: slower
    population: {members: 6000}
    """

  /// Takes longer a replication than any test waits.
  static let huge = """
    name: huge
    calendar: {days: 3650}
    population: {members: 400000}
    """
}

/// A picture as the page gets it.
struct ReceivedPicture {
  var version: Int
  var revision: Int
  var isRunning: Bool
  /// Replications of A; 0 before the first.
  var count: Int
  var json: [String: Any]

  init(_ data: Data) throws {
    json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    version = try #require(json["version"] as? Int)
    revision = try #require(json["revision"] as? Int)
    isRunning = try #require(json["isRunning"] as? Bool)
    let a = try #require(json["a"] as? [String: Any])
    count = (a["picture"] as? [String: Any])?["count"] as? Int ?? 0
  }

  /// What both variants say together.
  var comparison: [String: Any] { json["comparison"] as? [String: Any] ?? [:] }

  /// The search.
  var search: [String: Any] { json["search"] as? [String: Any] ?? [:] }
}

extension StudioSession {
  /// Waits for the first picture that is as wanted, for two minutes at most.
  func picture(where isWanted: (ReceivedPicture) -> Bool) async throws -> ReceivedPicture {
    var version = -1
    let end = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < end {
      let picture = try ReceivedPicture(await picture(after: version, seconds: 5).json)
      if isWanted(picture) { return picture }
      version = picture.version
    }
    throw StudioRefusal("no picture was as wanted")
  }

  /// Waits until no replication is to come.
  func settled() async throws -> ReceivedPicture {
    let revision = settings.revision
    return try await picture { $0.revision == revision && !$0.isRunning && $0.count > 0 }
  }
}

/// A studio that is being served, and a client of it.
final class ServedStudio: Sendable {
  let session: StudioSession
  let token = StudioToken()
  let address: String
  let port: Int
  let folder: URL
  private let task: Task<Void, any Error>

  init(_ text: String = SmallScenario.text, limit: Int = 8) async throws {
    let session = try StudioSession(text: text, file: "small.yaml", threads: 2, limit: limit)
    self.session = session
    folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let application = StudioApplication(
      session, token: token, plotly: plotlyOfCheckout(), folder: folder.path,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let (addresses, sink) = AsyncStream<String>.makeStream()
    task = Task { try await application.run(port: 0) { sink.yield($0) } }
    var iterator = addresses.makeAsyncIterator()
    address = try #require(await iterator.next())
    port = try #require(URL(string: address)?.port)
  }

  func stop() {
    task.cancel()
    try? FileManager.default.removeItem(at: folder)
  }

  /// What an answer says.
  struct Answer {
    var status: Int
    var headers: HTTPHeaders
    var text: String

    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
  }

  /// Asks with the token in a header, unless other headers are given.
  func ask(
    _ method: String, _ path: String, _ body: String? = nil, headers: [(String, String)]? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = .RAW(value: method)
    if let body {
      request.body = .bytes(ByteBuffer(string: body))
      request.headers.add(name: "Content-Type", value: "application/json")
    }
    for (name, value) in headers ?? [("Authorization", "Bearer \(token.text)")] {
      request.headers.replaceOrAdd(name: name, value: value)
    }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let bytes = try await response.body.collect(upTo: 1 << 24)
    return Answer(
      status: Int(response.status.code), headers: response.headers, text: String(buffer: bytes))
  }
}
