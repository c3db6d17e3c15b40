// A real service on loopback gets what hostile and broken clients send, as raw bytes, each over a
// connection of its own. Every answer has its status, nothing crashes, the service goes on, and an
// audit of its folder finds nothing.
import Foundation
import JWTKit
import Service
import TestSupport
import Testing

@testable import BlakJaks

@Suite("Hostile clients", .serialized, .tags(.alone), .timeLimit(.minutes(5)))
struct HostileServiceTests {
  @Test("Whatever a client sends gets its status, and the service goes on")
  func hostileRound() async throws {
    let service = try ServiceFixture()
    let served = try await Served(service, requestSeconds: 1)
    let write = RequestWriter(token: try await served.join("ann"))
    let codes = try await served.codes(1)
    let scan = "{\"code\": \"\(codes[0])\"}"
    let before = try await served.ask(
      "POST", "/scans/submit", scan, token: write.token, key: "one")
    var requests = HostileRequest.bodies(write)
    requests += HostileRequest.numbers(write, administrator: served.administrator)
    requests += HostileRequest.paths(write)
    requests += HostileRequest.tokens(
      write, forged: try await forged(write.token, service), administrator: served.administrator)
    requests += HostileRequest.framing(write)
    requests += HostileRequest.timing(write)
    #expect(requests.count >= 80)
    let port = served.port
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, request) in requests.enumerated() {
        // Some at once; the slow ones wait side by side.
        if place >= 24 { try await group.next() }
        group.addTask {
          let statuses = try await blocking { try request.run(port: port) }
          #expect(statuses == request.answers, Comment(rawValue: request.name))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await served.ask("GET", "/healthz").status == 200)
    // A request that is sent again, by whom it was sent, is answered as before and changes nothing.
    let again = try await served.ask(
      "POST", "/scans/submit", scan, token: write.token, key: "one")
    #expect(again.text == before.text)
    #expect(
      try await served.ask("GET", "/users/me/stats", token: write.token).json["scans_ever"] as? Int
        == 1)
    try await served.close()
    try #expect(service.audit() == [])
  }

  @Test(
    "Thousands of idle connections keep nobody out; those that begin a request and do not end it are ended"
  )
  func idleConnections() async throws {
    let service = try ServiceFixture()
    let served = try await Served(service, requestSeconds: 5)
    let port = served.port
    // Both ends are in this process: 10,000 where it may open 20,500 files or more.
    let count = min(10_000, (Self.raiseFileLimit() - 500) / 2)
    #expect(count >= 500)
    let health = Array(RequestWriter(token: "").text("GET", "/healthz").utf8)
    let (answered, begun, ended) = try await blocking {
      let idle = try (0..<count).map { _ in try RawSocket(port: port) }
      // One in a hundred has begun to send, and is cut off; the others may stay idle.
      let begun = stride(from: 0, to: count, by: 100).map { idle[$0] }
      for socket in begun { socket.send([0x47]) }
      let another = try RawSocket(port: port, timeoutSeconds: 60)
      another.send(health)
      let status = another.status()
      let until = ContinuousClock.now + .seconds(240)
      for socket in begun {
        while !socket.isClosed, ContinuousClock.now < until { _ = socket.status() }
      }
      return withExtendedLifetime(idle) { (status, begun.count, begun.count(where: \.isClosed)) }
    }
    #expect(answered == 200)
    #expect(begun >= 5 && ended == begun, "\(ended) of \(begun)")
    print("\(count) idle connections")
    #expect(try await served.ask("GET", "/healthz").status == 200)
    try await served.close()
    try #expect(service.audit() == [])
  }

  @Test("A client that asks and never reads is cut off")
  func unreadAnswers() async throws {
    let service = try ServiceFixture()
    let served = try await Served(service, idleSeconds: 1)
    let port = served.port
    let seconds = try await blocking {
      let socket = try RawSocket.unread(port)
      return socket.secondsUntilReset(most: 15)
    }
    #expect(try #require(seconds) > 0.5)
    #expect(try await served.ask("GET", "/healthz").status == 200)
    try await served.close()
  }

  /// Lets this process open as many files as it may.
  private static func raiseFileLimit() -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    return Int(clamping: limit.rlim_cur)
  }

  private struct Claims: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim
    var role: String?

    func verify(using key: some JWTAlgorithm) throws {}
  }

  /// Tokens that nobody may get in with.
  private func forged(
    _ token: String, _ service: ServiceFixture
  ) async throws -> [(String, String)] {
    let host = try #require(service.host)
    let (own, other) = (JWTKeyCollection(), JWTKeyCollection())
    await own.add(hmac: HMACKey(from: host.secrets.tokens), digestAlgorithm: .sha256)
    await other.add(hmac: "another secret of thirty-two byte", digestAlgorithm: .sha256)
    let long = JWTKeyCollection()
    let twice = host.secrets.tokens + host.secrets.tokens
    await long.add(hmac: HMACKey(from: twice), digestAlgorithm: .sha512)
    func claims(_ subject: String, seconds: Double = 3_600, role: String? = nil) -> Claims {
      Claims(
        sub: SubjectClaim(value: subject),
        exp: ExpirationClaim(value: Date(timeIntervalSinceNow: seconds)), role: role)
    }
    func encoded(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let parts = token.split(separator: ".").map(String.init)
    let none = encoded(#"{"alg":"none","typ":"JWT"}"#)
    return [
      ("without a signature, alg none", "\(none).\(parts[1])."),
      ("with alg none and the old signature", "\(none).\(parts[1]).\(parts[2])"),
      ("whose signature was cut", "\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))"),
      ("whose signature is missing", "\(parts[0]).\(parts[1])"),
      (
        "of another member with this one's signature",
        "\(parts[0]).\(encoded(#"{"sub":"1","exp":9999999999}"#)).\(parts[2])"
      ),
      ("that was signed with another secret", try await other.sign(claims("0"))),
      ("that has expired", try await own.sign(claims("0", seconds: -1))),
      ("of nobody", try await own.sign(claims("7"))),
      ("of the role administrator", try await own.sign(claims("administrator", role: "admin"))),
      ("of member -1", try await own.sign(claims("-1"))),
      ("of member 2³²", try await own.sign(claims("4294967296"))),
      ("of another algorithm", try await long.sign(claims("0"))),
      ("of dots", "..."), ("of text", "x"),
      ("of 7,000 bytes", String(repeating: "a", count: 7_000)),
    ]
  }
}
