import Foundation

/// Something that a hostile or broken client sends over one connection, and what is right then.
struct HostileRequest: Sendable {
  /// What the client does.
  enum Step: Sendable {
    case send([UInt8])
    /// Sends them one by one, with a pause of so many milliseconds after each.
    case drip([UInt8], pause: UInt32)
    case wait(UInt32)
    /// Takes an answer before it goes on.
    case answer
    case finishSending
    case reset
  }

  var name: String
  var steps: [Step]
  /// Statuses of the answers, in order; the connection is closed instead where there are none.
  var answers: [Int]

  init(_ name: String, _ answers: Int..., steps: [Step]) {
    self.name = name
    self.steps = steps
    self.answers = answers
  }

  init(_ name: String, _ answer: Int, _ text: String) {
    self.init(name, answer, steps: [.send(Array(text.utf8))])
  }

  /// Does it, and gives the statuses of the answers that came.
  func run(port: Int) throws -> [Int] {
    let socket = try RawSocket(port: port)
    var statuses: [Int] = []
    for step in steps {
      switch step {
      case .send(let bytes): socket.send(bytes)
      case .drip(let bytes, let pause):
        for byte in bytes {
          guard socket.send([byte]) else { break }
          usleep(pause * 1_000)
        }
      case .wait(let span): usleep(span * 1_000)
      case .answer: socket.status().map { statuses.append($0) }
      case .finishSending: socket.finishSending()
      case .reset:
        socket.reset()
        return []
      }
    }
    while statuses.count < max(answers.count, 1), let status = socket.status() {
      statuses.append(status)
    }
    // What is neither answered nor closed has no status.
    if statuses.isEmpty, !socket.isClosed { statuses.append(-1) }
    return statuses
  }
}

/// Writes requests as text.
struct RequestWriter {
  var token: String

  /// A whole request.
  func text(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil,
    more: [String] = []
  ) -> String {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"]
    let token = token ?? self.token
    if !token.isEmpty { lines.append("Authorization: Bearer \(token)") }
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    return (lines + more).joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
  }

  /// A body to a path.
  func post(_ path: String, _ body: String, token: String? = nil) -> String {
    text("POST", path, body, token: token)
  }

  /// A body of bytes that are no text.
  func post(_ path: String, _ body: [UInt8]) -> [UInt8] {
    Array(text("POST", path, more: ["Content-Length: \(body.count)"]).utf8) + body
  }
}

extension HostileRequest {
  /// Bodies that are not what is asked for.
  static func bodies(_ write: RequestWriter) -> [HostileRequest] {
    let scan = "/scans/submit"
    func quoted(_ bytes: [UInt8]) -> [UInt8] {
      Array("{\"code\": \"".utf8) + bytes + Array("\"}".utf8)
    }
    let texts: [(String, Int, String)] = [
      ("an empty body", 422, ""), ("null", 400, "null"), ("a text", 400, "\"x\""),
      ("a number", 400, "1"), ("a list", 400, "[]"), ("an open object", 400, "{"),
      ("an empty object", 422, "{}"), ("something after the object", 400, "{} x"),
      ("two objects", 400, "{}{}"), ("a name twice", 400, "{\"code\": \"A\", \"code\": \"B\"}"),
      ("a name twice in hiding", 400, "{\"code\": \"A\", \"c\\u006fde\": \"B\"}"),
      ("a lone surrogate", 400, "{\"code\": \"\\ud800\"}"),
      ("a low surrogate", 400, "{\"code\": \"\\udc00\"}"),
      ("an escaped NUL", 422, "{\"code\": \"\\u0000\"}"),
      ("a name without quotes", 400, "{code: 1}"), ("single quotes", 400, "{'code': 'A'}"),
      ("a comment", 400, "{/* */}"), ("a comma at the end", 400, "{\"code\": \"A\",}"),
      ("an unknown escape", 400, "{\"code\": \"\\x41\"}"),
      ("a line break in a text", 400, "{\"code\": \"\n\"}"),
      ("a code that is a number", 422, "{\"code\": 5}"),
      ("a code that is an object", 422, "{\"code\": {\"$ne\": 1}}"),
      ("a field too many", 422, "{\"code\": \"A\", \"member\": 1}"),
      ("a code too long", 422, "{\"code\": \"\(String(repeating: "A", count: 65))\"}"),
      (
        "65 members", 400,
        "{" + (0..<65).map { "\"m\($0)\": 1" }.joined(separator: ",") + "}"
      ),
      ("60,000 open lists", 400, String(repeating: "[", count: 60_000)),
      (
        "objects 17 deep", 400,
        String(repeating: "{\"a\":", count: 17) + "1" + String(repeating: "}", count: 17)
      ),
      (
        "objects 16 deep", 422,
        String(repeating: "{\"a\":", count: 16) + "1" + String(repeating: "}", count: 16)
      ),
      ("a form", 400, "code=ABCD"), ("XML", 400, "<code>ABCD</code>"),
      ("a body of 70,000 bytes", 413, String(repeating: " ", count: 70_000)),
    ]
    let bytes: [(String, Int, [UInt8])] = [
      ("a broken UTF-8 sequence", 400, quoted([0xC3, 0x28])),
      ("an overlong UTF-8 sequence", 400, quoted([0xC0, 0x80])),
      ("a surrogate as UTF-8", 400, quoted([0xED, 0xA0, 0x80])),
      ("a raw NUL", 400, quoted([0])),
      ("a byte-order mark", 400, [0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
      ("UTF-16", 400, [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]),
    ]
    return texts.map { HostileRequest($0.0, $0.1, write.post(scan, $0.2)) }
      + bytes.map { HostileRequest($0.0, $0.1, steps: [.send(write.post(scan, $0.2))]) }
  }

  /// Amounts and counts that are none.
  static func numbers(_ write: RequestWriter, administrator: String) -> [HostileRequest] {
    let amounts: [(String, Int)] = [
      ("-1", 422), ("0", 422), ("-0", 422), ("-0.0", 422), ("1e300", 422), ("1e-300", 422),
      ("1e99999999999999999999", 422), ("9223372036854775808", 422),
      ("18446744073709551617", 422), ("9223372036854.775808", 422), ("0.0000001", 422),
      ("1000000000.000001", 422), (String(repeating: "9", count: 400), 422), ("\"5\"", 422),
      ("true", 422), ("null", 422), ("[5]", 422), ("NaN", 400), ("Infinity", 400),
      ("0x10", 400), ("01", 400), ("+1", 400), (".5", 400), ("1.", 400), ("1e", 400), ("-", 400),
      ("1_000", 400), ("5", 409), ("5e0", 409), ("999999999", 409),
    ]
    let tins: [(String, Int)] = [
      ("1.5", 422), ("0", 422), ("-1", 422), ("1001", 422), ("9223372036854775807", 422),
      ("9223372036854775808", 422), ("1e400", 422), ("\"1\"", 422),
    ]
    return amounts.map {
      HostileRequest(
        "an amount of \($0.0.prefix(30))", $0.1,
        write.post("/wallet/withdraw", "{\"amount\": \($0.0)}"))
    }
      + tins.map {
        HostileRequest(
          "\($0.0.prefix(30)) tins", $0.1, write.post("/orders/create", "{\"tins\": \($0.0)}"))
      }
      + ["0", "-5", "100001", "1e18"].map {
        HostileRequest(
          "\($0) tins to print", 422,
          write.post("/admin/tins", "{\"count\": \($0)}", token: administrator))
      }
  }

  /// Paths that lead nowhere, methods that nobody takes, and what belongs to others.
  static func paths(_ write: RequestWriter) -> [HostileRequest] {
    let paths: [(String, String, Int)] = [
      ("GET", "/../secrets.json", 404), ("GET", "/..%2fsecrets.json", 404),
      ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404), ("GET", "/scans/../../etc/passwd", 404),
      ("GET", "/%2e%2e%5csecrets.json", 404), ("GET", "/service.sqlite", 404),
      ("GET", "/users/me/%00", 404), ("GET", "/%", 404), ("GET", "/%zz", 404),
      ("GET", "/users/me/../me/wallet", 404), ("GET", "/users/0/wallet", 404),
      ("GET", "/users/1", 404), ("GET", "/users/me/wallet?member=1", 422),
      ("GET", "/scans/recent?before=x", 422), ("GET", "/scans/recent?before=-1", 422),
      ("GET", "/scans/recent?before=1&before=2", 422),
      ("GET", "/scans/recent?before=99999999999999999999", 422),
      ("GET", "/scans/recent?before=1%20OR%201=1", 422),
      ("POST", "/admin/orders/0/1/shipped", 403), ("DELETE", "/scans/submit", 405),
      ("PUT", "/users/me", 405), ("PATCH", "/wallet/withdraw", 405), ("GET", "/auth/login", 405),
      ("TRACE", "/healthz", 405), ("OPTIONS", "/scans/submit", 405), ("BREW", "/healthz", 400),
      ("LOCK", "/healthz", 405), ("M-SEARCH", "/users/me", 405), ("PURGE", "/nowhere", 404),
      ("get", "/healthz", 400),
    ]
    return paths.map { method, path, status in
      HostileRequest("\(method) \(path)", status, write.text(method, path))
    }
  }

  /// Tokens that are forged, stolen, late or somebody else's.
  static func tokens(
    _ write: RequestWriter, forged: [(String, String)], administrator: String
  ) -> [HostileRequest] {
    let member = write.token
    var requests = forged.map {
      HostileRequest("a token \($0.0)", 401, write.text("GET", "/users/me", token: $0.1))
    }
    requests += [
      HostileRequest("no token", 401, write.text("GET", "/users/me", token: "")),
      HostileRequest(
        "the administrator's token as a member's", 401,
        write.text("GET", "/users/me", token: administrator)),
      HostileRequest(
        "a member's token as the administrator's", 403,
        write.post("/admin/tins", "{\"count\": 1}")),
      HostileRequest(
        "no token where the administrator's is asked for", 401,
        write.post("/admin/tins", "{\"count\": 1}", token: "")),
      HostileRequest(
        "another scheme", 401,
        write.text("GET", "/users/me", token: "", more: ["Authorization: Basic \(member)"])),
      HostileRequest(
        "two tokens", 401,
        write.text("GET", "/users/me", more: ["Authorization: Bearer \(member)"])),
      HostileRequest(
        "a token in the query", 422, write.text("GET", "/users/me?access_token=\(member)")),
      HostileRequest(
        "an empty key", 422,
        write.text("POST", "/scans/submit", "{\"code\": \"A\"}", more: ["Idempotency-Key: "])),
      HostileRequest(
        "a key too long", 422,
        write.text(
          "POST", "/scans/submit", "{\"code\": \"A\"}",
          more: ["Idempotency-Key: \(String(repeating: "k", count: 129))"])),
    ]
    return requests
  }
}
