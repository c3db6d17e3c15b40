// Goal: any service can be described, and what is wrong with a description is said with its place.
// Method: files by value; requests byte by byte.
import Foundation
import LoadTest
import RewardModel
import Scenario
import Testing

@Suite struct ServiceMapTests {
  private let steps = [
    LoadStepShape("scan", ["code"], takes: ["tier"], changes: true), LoadStepShape("look"),
  ]

  private func map(_ text: String, _ fixed: [String: String] = [:]) throws -> ServiceMap {
    try ServiceMap(text, file: "api.yaml", steps: steps, fixed: fixed)
  }

  private func findings(_ text: String) -> [String] {
    do {
      _ = try map(text)
      return []
    } catch let errors as InputErrors {
      return errors.findings.map(\.description)
    } catch { return ["\(error)"] }
  }

  @Test("A request is written as the file says, values escaped for their place")
  func request() throws {
    let map = try map(
      """
      headers: {X-Who: "{member} {site}"}
      steps:
        scan: {put: "/cards/{member}/{code}?k={key}", key: Idem, body: '{"c": "{code}", "x": {}}'}
      """, ["site": "north"])
    let call = try #require(map.calls[0])
    #expect(map.calls[1] == nil)
    var bytes: [UInt8] = []
    var scratch: [UInt8] = []
    call.write(
      ["tok", "7", "k-1", "k", "a/b \"é"], host: "h:1", prefix: "/v2", &scratch, to: &bytes)
    let body = #"{"c": "a/b \"é", "x": {}}"#
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "PUT /v2/cards/7/a%2Fb%20%22%C3%A9?k=k-1 HTTP/1.1\r\nHost: h:1\r\nX-Who: 7 north\r\n"
        + "Content-Type: application/json\r\nIdem: k-1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
  }

  @Test(
    "What usually has a body and has none says so",
    arguments: ["get", "delete", "post", "put", "patch"])
  func withoutBody(_ method: String) throws {
    let map = try map("steps: {scan: {\(method): /x}}\n")
    var bytes: [UInt8] = []
    var scratch: [UInt8] = []
    map.calls[0]?.write(["", "0", "k", "l", "c"], host: "h", prefix: "", &scratch, to: &bytes)
    let length = method == "get" || method == "delete" ? "" : "\r\nContent-Length: 0"
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "\(method.uppercased()) /x HTTP/1.1\r\nHost: h\(length)\r\n\r\n")
  }

  @Test("Values of the command line that no call uses are told")
  func unused() throws {
    let text = "headers: {A: \"{site}\"}\nsteps: {look: {get: /}}\n"
    let map = try map(text, ["site": "north", "key": "1", "code": "2"])
    #expect(map.unused == ["code", "key"])
  }

  @Test("A header's value cannot bring another header")
  func injection() throws {
    let map = try map("headers: {A: \"{token}\"}\nsteps: {look: {get: /}}\n")
    var bytes: [UInt8] = []
    var scratch: [UInt8] = []
    map.calls[1]?.write(["x\r\nB: 1", "0", "k", "l"], host: "h", prefix: "", &scratch, to: &bytes)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("\r\nB: 1"))
  }

  @Test("Answers are judged by status, check and refusal")
  func verdicts() throws {
    let call = try #require(
      try map(
        "steps: {scan: {post: /, done: [200, 202], refused: 409, check: {/ok: \"true\"}, "
          + "refusal: {/used: \"true\"}, take: {tier: /t/0}}}\n"
      ).calls[0])
    func judge(_ status: Int, _ body: String) -> ServiceCall.Verdict {
      Array(body.utf8).withUnsafeBytes { call.judge(status, $0) }
    }
    #expect(judge(202, #"{"ok": true}"#) == .done)
    #expect(judge(200, #"{"ok": false}"#) == .error(.check))
    #expect(judge(200, #"{"used": true}"#) == .refused)
    #expect(judge(409, "") == .refused)
    #expect(judge(429, "") == .error(.throttled))
    #expect(judge(503, "") == .error(.server))
    #expect(judge(404, "") == .error(.status))
    let taken = Array(#"{"t": ["vip"]}"#.utf8).withUnsafeBytes { call.values(in: $0) }
    #expect(taken == ["vip"])
  }

  @Test("Every mistake is said at its place, all at once")
  func mistakes() {
    let found = findings(
      """
      headers: {"bad name": x}
      step: {}
      steps:
        scan: {post: scans, get: /x}
        look: {get: nowhere, done: [99], take: {a: b}, check: {ok: 1}}
        jump: {get: /}
      """)
    for part in [
      "api.yaml:2:1: step: is not known", "api.yaml:4:9: steps.scan: has 2 methods",
      "api.yaml:5:15: steps.look.get: is 'nowhere'; write a path that begins with '/'",
      "api.yaml:5:31: done: is '99'; write a status from 200 to 599",
      "'ok' is not a JSON pointer", "steps.jump: is not known; write one of scan, look",
    ] {
      #expect(found.contains { $0.contains(part) }, "\(part) in \(found)")
    }
    #expect(findings("steps: {look: {get: \"/{what}\"}}")[0].contains("'{what}' is not known"))
    #expect(findings("headers: {}\n")[0].contains("steps: is missing"))
    #expect(findings("members: {most: 0}\nsteps: {look: {get: /}}\n").count == 2)
    #expect(findings("a: [").count >= 1)
  }

  @Test(
    "Thresholds are read, and what is none is refused",
    arguments: [
      ("scan p(99) < 300ms for 10s", true), ("p99.9<1.5s", true), ("errors < 0.1%", true),
      ("rate > 500", true), ("look max < 20us", true), ("p(0) < 1s", false), ("p(99) < 300", false),
      ("jump p(99) < 1s", false), ("errors < 2", false), ("scan", false), ("rate = 3", false),
      ("p(99) < 1s for 0s", false), ("speed < 1s", false), ("p(99) < -1s", false),
    ])
  func thresholds(_ text: String, _ isOne: Bool) {
    #expect(((try? LoadThreshold(text, steps: ["scan", "look"])) != nil) == isOne)
  }

  @Test("Several thresholds are separated by commas, and one that is none is named")
  func severalThresholds() throws {
    let both = try LoadThreshold.list("p99 < 1s, errors < 1%", steps: ["scan"])
    #expect(both.map(\.text) == ["p99 < 1s", "errors < 1%"])
    let refusal = #expect(throws: LoadThreshold.Refusal.self) {
      try LoadThreshold.list("p99 < 1s, errors < 2", steps: ["scan"])
    }
    #expect(refusal?.description.hasPrefix("'errors < 2': ") == true)
  }

  @Test(
    "Bounds may be met exactly, and numbers may be apart from their units",
    arguments: [
      ("errors <= 0.1%", LoadThreshold.Metric.errors, 0.001, true),
      ("errors < 0.1 %", .errors, 0.001, false), ("p99 < 300 ms", .percentile(99), 3e8, false),
      ("scan p99<=300 ms for 10 s", .percentile(99), 3e8, true), ("rate >= 5", .rate, 5, true),
      ("rate>5 for 2000ms", .rate, 5, false),
    ])
  func bounds(_ text: String, _ metric: LoadThreshold.Metric, _ bound: Double, _ isMet: Bool) throws
  {
    let threshold = try LoadThreshold(text, steps: ["scan"])
    #expect(threshold.metric == metric && threshold.bound == bound, "\(threshold)")
    #expect(threshold.isMet(by: bound) == isMet && threshold.wantsLess == text.contains("<"))
  }

  @Test(
    "What is no threshold is refused for what is wrong with it",
    arguments: [
      ("p99 < 1s for 1.9s", "'1.9s' is not a whole number of seconds from 1s to 3600s"),
      ("p99 < 1s for 0s", "'0s' is not a whole number of seconds"),
      ("p99 < 1s for 1 0s", "'1 0s' is not a whole number of seconds"),
      ("p99 < 300 kg", "'300kg' is not a time in us, ms or s"),
      ("errors <= 2", "'2' is not a percentage from 0% to 100%"),
      ("jump p99 < 1s", "'jump' is none of the steps scan"),
      ("fast < 1s", "'fast' is not measured"),
      ("the scan p99 < 1s", "'the scan p99' is not measured"),
      ("p99 = 1s", "it has none of <, <=, > and >="),
    ])
  func refusedThresholds(_ text: String, _ words: String) {
    let refusal = #expect(throws: LoadThreshold.Refusal.self) {
      try LoadThreshold(text, steps: ["scan"])
    }
    #expect(refusal?.description.contains(words) == true, "\(String(describing: refusal))")
  }

  @Test("Only this machine is sent to, unless a host is named")
  func hosts() throws {
    for text in [
      "http://127.0.0.1:80", "http://localhost", "http://[::1]:8080", "http://127.9.9.9/x/",
      "https://127.0.0.1", "https://localhost:8443", "https://[::1]/x",
      "HTTP://LOCALHOST", "Https://[0:0:0:0:0:0:0:1]:1", "http://[::0001]",
      "http://[::ffff:127.0.0.1]:8080", "http://[::FFFF:7f01:203]",
    ] {
      #expect(throws: Never.self) { try TargetURL(text, allowed: []) }
    }
    for text in [
      "http://10.0.0.1", "http://example.com", "http://127.0.0.1.example.com",
      "http://localhost.me",
      "https://10.0.0.1", "https://example.com", "127.0.0.1:80", "http://user@127.0.0.1",
      "http://127.0.0.1:0",
      "http://127.0.0.1/?a=b", "ftp://127.0.0.1", "http://[::2]", "http://[::ffff:1.2.3.4]",
      "http://[::127.0.0.1]", "http://[64:ff9b::127.0.0.1]", "http://[::ffff:126.0.0.1]",
    ] {
      #expect(throws: TargetURL.Refusal.self, "\(text)") { try TargetURL(text, allowed: []) }
    }
    #expect(
      try TargetURL("http://staging.example:8080/api/", allowed: ["staging.example"]).prefix
        == "/api")
    #expect(try TargetURL("https://Staging.example", allowed: ["staging.Example"]).port == 443)
  }

  @Test(
    "A path goes out as it is encoded",
    arguments: [
      ("/a%20b", "/a%20b"), ("/a%2Fb/%3Fc/", "/a%2Fb/%3Fc"), ("/%C3%A9", "/%C3%A9"), ("/", ""),
    ])
  func encodedPaths(_ path: String, _ prefix: String) throws {
    #expect(try TargetURL("http://127.0.0.1:8080\(path)", allowed: []).prefix == prefix)
  }
}
