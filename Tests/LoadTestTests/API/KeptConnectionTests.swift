// Goal: a service that closes a connection which nobody uses makes no error of the request that comes
// just then, while one that takes a request and does not answer does.
// Method: a service of one thread, the test's own, that closes at given moments.
import Foundation
import Quantities
import RewardModel
import TestSupport
import Testing

@testable import LoadTest

struct KeptConnectionTests {
  private let listener: Int32
  private let target: TargetURL
  private let clock = WallClock()

  init() throws {
    // So that a long request does not fit in.
    let (listener, port) = try Loopback.listen(receiveBytes: 4_096)
    self.listener = listener
    target = try TargetURL("http://127.0.0.1:\(port)", allowed: [])
  }

  /// Lets the client work until there is something to take.
  private func wait(for socket: Int32, _ client: inout HTTPClient) {
    var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    var tries = 0
    while poll(&watched, 1, 1) == 0, tries < 5_000 {
      client.step(0, now: clock.now) { _, _ in }
      tries += 1
    }
  }

  /// Takes a connection and answers the request on it.
  private func serve(_ client: inout HTTPClient) -> Int32 {
    wait(for: listener, &client)
    let connection = accept(listener, nil, nil)
    wait(for: connection, &client)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    _ = recv(connection, &bytes, bytes.count, 0)
    let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
    return connection
  }

  private func start(_ client: inout HTTPClient, bytes: Int = 10) {
    client.start(0, at: clock.now()) { $0 += Array(repeating: 0x41, count: bytes) }
  }

  private func end(_ client: inout HTTPClient) -> String { howItEnds(&client, clock) }

  /// Answers a first request, takes a second one on the kept connection, and says a part of an answer.
  private func takeSecond(_ client: inout HTTPClient, saying said: String) -> Int32 {
    start(&client)
    let connection = serve(&client)
    #expect(end(&client) == "200")
    start(&client, bytes: 50)
    wait(for: connection, &client)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    #expect(recv(connection, &bytes, bytes.count, 0) == 50)
    _ = send(connection, Array(said.utf8), said.utf8.count, Int32(MSG_NOSIGNAL))
    return connection
  }

  @Test("A kept connection that the service has closed is not used")
  func closedBefore() throws {
    defer { close(listener) }
    var client = try HTTPClient(target, limit: 1, timeout: 5_000_000_000)
    start(&client)
    close(serve(&client))
    #expect(end(&client) == "200")
    // What came in the meantime has not been looked at yet.
    start(&client)
    let second = serve(&client)
    #expect(end(&client) == "200" && client.connects == 2)
    close(second)
  }

  @Test(
    "A kept connection that is closed while a request is on its way to it has not taken the request",
    arguments: [100_000, 20_000_000])
  func closedMeanwhile(bytes: Int) throws {
    defer { close(listener) }
    var client = try HTTPClient(target, limit: 1, timeout: 5_000_000_000)
    start(&client)
    let first = serve(&client)
    #expect(end(&client) == "200")
    start(&client, bytes: bytes)
    close(first)
    #expect(end(&client) == "untaken" && client.connects == 1)
  }

  @Test("A request that was taken, begun to be answered, or the first one, is an error")
  func taken() throws {
    defer { close(listener) }
    var client = try HTTPClient(target, limit: 1, timeout: 5_000_000_000)
    for said in ["", "HTTP/1.1 2"] {
      close(takeSecond(&client, saying: said))
      #expect(end(&client) == "network_error")
    }
    start(&client, bytes: 100_000)
    wait(for: listener, &client)
    close(accept(listener, nil, nil))
    #expect(end(&client) == "network_error")
  }

  @Test(
    "What a service resets after it has taken a request is an error, and no end of an answer",
    arguments: [("", "network_error"), ("HTTP/1.1 200 OK\r\n\r\nhalf", "200")])
  func reset(said: String, whereItEnds: String) throws {
    defer { close(listener) }
    var client = try HTTPClient(target, limit: 1, timeout: 5_000_000_000)
    for resets in [false, true] {
      let connection = takeSecond(&client, saying: said)
      // A system may take 40 ms to acknowledge what came: before that nobody can tell.
      Thread.sleep(forTimeInterval: 0.1)
      if resets { Loopback.reset(connection) } else { close(connection) }
      #expect(end(&client) == (resets ? "network_error" : whereItEnds))
    }
  }

  /// Answers the first request of each connection, which has so many "~", and closes when a second one
  /// begins to come.
  private func serveOncePerConnection(bytes: Int) {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var count = 0
      while count < bytes {
        let more = recv(connection, &buffer, buffer.count, 0)
        guard more > 0 else { break }
        count += buffer[..<more].count { $0 == 0x7E }
      }
      let text = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
      _ = recv(connection, &buffer, 1, Int32(MSG_PEEK))
      close(connection)
    }
  }

  @Test(
    "What was not taken is sent again at once where it has a key, and told apart",
    arguments: [true, false])
  func sentAgain(hasKey: Bool) throws {
    let body = String(repeating: "~", count: 60_000)
    let map = try ServiceMap(
      "steps: {scan: {put: /x, \(hasKey ? "key: X-Key, " : "")body: '\(body)'}}\n", file: "x",
      steps: StampCrowd.steps, fixed: [:])
    let ended = DispatchSemaphore(value: 0)
    Thread { [self] in
      serveOncePerConnection(bytes: body.utf8.count)
      ended.signal()
    }.start()
    var settings = ServiceLoad<StampCrowd>.Settings()
    settings.connections = 1
    let offer = LoadOffer(
      StampCrowd(tries: 1_000_000), from: StampCrowd.start, [0],
      .rate(LoadProfile(.constant, rate: 40, seconds: 1), .even, seed: 1))
    let forecast = LoadForecast(offer)
    let members = forecast.members
    let measures = try ServiceLoad(
      target, map, offer, LoadAccounts(members: members, tokens: members.map { "\($0)" }),
      LoadSupplies(codes: (0..<40).map { "\($0)" }), key: "x", settings: settings
    ).run()
    // Its number may be another test's as soon as it is closed.
    shutdown(listener, Int32(SHUT_RDWR))
    ended.wait()
    close(listener)
    let (scan, closed) = (measures.steps[0], LoadErrorKind.closed.rawValue)
    // The first one comes twice, as it is the first of the crowd.
    #expect(scan.offered == 41 && scan.done + scan.failed == 41, "\(scan.errors)")
    if hasKey {
      #expect(scan.sent == 41 && scan.failed == 0 && scan.resent >= 20, "\(scan)")
      #expect(measures.connects == scan.resent + 1)
      let told = LoadText.generator(LoadFixture.result(measures)).last
      #expect(told?.value.hasPrefix("\(scan.resent) requests: the service had closed") ?? false)
    } else {
      #expect(scan.resent == 0 && scan.errors[closed] >= 10)
      #expect(scan.givenUp == scan.errors[closed])
    }
  }
}

/// How the request under way ends.
private func howItEnds(_ client: inout HTTPClient, _ clock: WallClock) -> String {
  var found = ""
  for _ in 0..<500 where found.isEmpty {
    client.step(10_000_000, now: clock.now) { _, end in
      found =
        switch end {
        case .answer(let status, _, _): "\(status)"
        case .failed(let kind): kind.word
        case .untaken: "untaken"
        }
    }
  }
  return found
}

@Suite(
  .serialized, .tags(.alone),
  .enabled(if: TestAuthority.canRun, "there is no /usr/bin/python3 or no /usr/bin/openssl"))
struct SecureKeptConnectionTests {
  private let clock = WallClock()

  private func start(_ client: inout HTTPClient) {
    client.start(0, at: clock.now()) { $0 += Array("GET /state HTTP/1.1\r\nHost: a\r\n\r\n".utf8) }
  }

  @Test(
    "A kept connection is used again over TLS, unless the service has said that it is closed",
    arguments: [false, true])
  func closedBefore(closes: Bool) throws {
    let authority = try TestAuthority()
    let certificate = try authority.certificate(for: "IP:127.0.0.1")
    let trust = try ServerTrust(authorities: authority.file)
    let server =
      try closes
      ? StampServer("--close-idle", "--certificate", certificate, trust: trust)
      : StampServer("--certificate", certificate, trust: trust)
    var client = try HTTPClient(server.target, limit: 1, timeout: 5_000_000_000)
    for connects in 1...3 {
      start(&client)
      #expect(howItEnds(&client, clock) == "200")
      #expect(client.connects == (closes ? connects : 1))
      // What comes in the meantime nobody has looked at when the next request starts.
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}
